#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/scene.h>

#include "support/files.hpp"
#include "support/generate.hpp"

/// What culls of scenes write, in memory.
namespace scene_tests {

inline void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

using Words = std::vector<std::uint64_t>;

[[nodiscard]] inline bool has(std::span<const std::uint64_t> words, std::size_t bit) {
    return (words[bit / 64] >> bit % 64 & 1) != 0;
}
inline void set(Words& words, std::size_t bit) { words[bit / 64] |= std::uint64_t{1} << bit % 64; }

/// What is requested besides lists, bits and outcomes.
struct Wanted {
    bool counts = true;  ///< by reason
    bool distances = false;
    std::span<const float> thresholds = {};  ///< of levels; empty: none are requested
    float hysteresis = 0;
    std::span<std::uint8_t> latest = {};
};

/// All that a cull says of one view.
struct ViewLists {
    std::vector<std::uint64_t> visible, inside;
    std::vector<lanecull::Handle> handles;
    std::vector<std::uint32_t> slots;
    std::vector<lanecull::VisibleRun> runs;
    std::vector<lanecull::DrawCommand> draws;
    std::vector<lanecull::BlockOutcome> outcomes;
    std::vector<float> distances;
    std::vector<std::uint8_t> levels;
    std::uint64_t visible_count = 0;
    std::uint32_t draw_count = 77;
    lanecull::SceneOutput own;
    lanecull::Explanation why;

    /// Of all but what counts say.
    [[nodiscard]] bool has_same_lists(const ViewLists& other) const {
        return visible == other.visible && inside == other.inside && handles == other.handles && slots == other.slots &&
               runs == other.runs && outcomes == other.outcomes && distances == other.distances &&
               levels == other.levels && draws.size() == other.draws.size() &&
               std::memcmp(draws.data(), other.draws.data(), draws.size() * sizeof draws[0]) == 0;
    }
};

struct SceneLists {
    std::vector<ViewLists> views;
    std::vector<lanecull::Output> outputs;

    SceneLists(const lanecull::Scene& scene, std::size_t count, const Wanted& wanted = {})
        : views(count), outputs(count) {
        const auto objects = static_cast<std::size_t>(scene.object_count());
        for (std::size_t v = 0; v < count; ++v) {
            ViewLists& to = views[v];
            to.visible.assign(lanecull::visibility_words(scene), 0x5555555555555555u);
            to.inside.assign(to.visible.size(), 0xaaaaaaaaaaaaaaaau);
            to.handles.resize(objects), to.slots.resize(objects), to.runs.resize(objects), to.draws.resize(objects);
            to.outcomes.resize(scene.block_count());
            to.distances.resize(wanted.distances ? objects : 0);
            to.levels.resize(wanted.thresholds.empty() ? 0 : objects);
            to.own = {.handles = to.handles,
                      .lod = {.distances = to.distances,
                              .levels = to.levels,
                              .thresholds = wanted.thresholds,
                              .hysteresis = wanted.hysteresis,
                              .latest = wanted.latest},
                      .block_outcomes = to.outcomes};
            outputs[v] = {.visible = to.visible,
                          .indices = to.slots,
                          .inside = to.inside,
                          .runs = to.runs,
                          .draws = {.memory = std::as_writable_bytes(std::span(to.draws)), .count = &to.draw_count},
                          .scene = &to.own,
                          .explanation = wanted.counts ? &to.why : nullptr};
        }
    }

    void cull(const lanecull::Scene& scene, std::span<const lanecull::View> seen,
              const lanecull::CullOptions& options = {}) {
        std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, seen.size()));
        require(lanecull::cull(scene, seen, outputs, scratch, options));
        shorten();
    }
    /// Lists end with what is visible.
    void shorten() {
        for (std::size_t v = 0; v < views.size(); ++v) {
            ViewLists& to = views[v];
            const std::uint64_t count = to.visible_count = outputs[v].visible_count;
            to.handles.resize(count), to.slots.resize(count), to.draws.resize(outputs[v].draw_count);
            to.runs.resize(outputs[v].run_count);
            to.distances.resize(to.distances.empty() ? 0 : count);
            to.levels.resize(to.levels.empty() ? 0 : count);
        }
    }
};

// Scenes for tests by hand. Those of any objects are in properties/scenes/.

/// Objects of each kind about a camera, as batches and as a scene.
struct Example {
    Random random;
    PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    HullSet hulls = random_hulls(random, 3);
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    lanecull::DrawCommand command{36, 1, 0, 0, 7};  ///< the template of all batches
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles;  ///< by kind

    Example(std::uint64_t seed, std::size_t count, const lanecull::AddOptions& options = {}) : random(seed) {
        for (const Kind kind : all_kinds) {
            batches.push_back(
                make_batch(kind, random_objects(random, kind, prepared.camera, count, hulls), hulls, memory));
            batches.back().draws = {&command};
        }
        handles.resize(batches.size() * count);
        require(scene.add(batches, handles, options));
    }
    Example(const Example&) = delete;
    Example& operator=(const Example&) = delete;

    [[nodiscard]] std::vector<std::byte> bytes() const { return SceneFile(scene).bytes(); }
};

}  // namespace scene_tests
