#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "frame/world.hpp"
#include "properties/scenes/scenes.hpp"
#include "support/samples.hpp"
#include "view/prepared_view.hpp"

/// A frame culled view by view, by one call each; and what a pass is compared with.
namespace frame_tests {

using scene_tests::has;
using scene_tests::require;
using scene_tests::SceneLists;
using scene_tests::Words;

/// By a single call, among all objects.
inline Words culled(std::span<const lanecull::Batch> batches, const lanecull::View& view,
                    const lanecull::CullOptions& options = {}) {
    Words words(lanecull::visibility_words(batches));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output output{.visible = words};
    require(lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, options));
    return words;
}
inline Words culled(const World& world, const lanecull::View& view, const lanecull::CullOptions& options = {}) {
    return culled(world.batches, view, options);
}

inline Words both(Words a, const Words& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] &= b[w];
    return a;
}
inline Words either(Words a, const Words& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] |= b[w];
    return a;
}
inline std::uint64_t count_of(const Words& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(__builtin_popcountll(word));
    return sum;
}

inline bool same_box(const lanecull::WorldBox& a, const lanecull::WorldBox& b) {
    return std::ranges::equal(a.lower, b.lower) && std::ranges::equal(a.upper, b.upper);
}

/// Neither is prepared, or both are of the same bytes.
inline bool same_view(const lanecull::View& a, const lanecull::View& b) {
    if (!a.prepared() || !b.prepared()) return a.prepared() == b.prepared();
    return std::memcmp(&contents_of(a), &contents_of(b), sizeof contents_of(a)) == 0;
}

inline bool sees(const PassPointLight& point_light, std::uint32_t camera) {
    return point_light.cameras.empty() || std::ranges::find(point_light.cameras, camera) != point_light.cameras.end();
}

/// The view of what casts a point light's shadows into a camera's view, as far as the light lights what the map shows.
inline lanecull::View map_casters(const PassCamera& camera, const PassPointLight& point_light,
                                  const lanecull::ShadowMap& map, bool has_sides = true) {
    lanecull::PointLight light{{point_light.at[0], point_light.at[1], point_light.at[2]}, point_light.range, {}};
    if (has_sides) light.sides = map.sides;
    lanecull::ViewOptions options = camera.options;
    options.margin += filter_texels_of(point_light.filter_texels) * map.texel_size * point_light.range;
    options.hidden_layers = point_light.hidden_layers;
    options.point_light = &light;
    lanecull::View view;
    require(lanecull::prepare_view(camera.clip_from_world, camera.clip_space, view, options));
    return view;
}

/// The same of the light as a whole.
inline lanecull::View whole_view(const PassCamera& camera, const PassPointLight& point_light,
                                 std::span<const lanecull::ShadowMap> maps) {
    return map_casters(camera, point_light, maps[0], maps.size() == 1);
}

/// Whether a light may light something in a camera's view: its ball, wider by what shadows are read beyond it and the
/// view, shares a point with the view. A pass leaves it out for the camera if not.
inline bool may_light(const lanecull::View& view, const PassCamera& camera, const PassPointLight& point_light,
                      const lanecull::ShadowMap& map) {
    const double filter = filter_texels_of(point_light.filter_texels) * map.texel_size * point_light.range;
    constexpr double origin[3] = {};
    float x = 0, y = 0, z = 0, radius = static_cast<float>(point_light.range + 2 * (camera.options.margin + filter));
    radius = std::nextafter(radius, HUGE_VALF);
    require(lanecull::relative_spheres({point_light.at, sizeof point_light}, &radius, 1, origin, &x, &y, &z, &radius));
    const lanecull::Batch ball = lanecull::Spheres{&x, &y, &z, &radius, 1};
    return culled({&ball, 1}, view)[0] != 0;
}

/// What each view of a prepared frame keeps, from single culls alone.
inline std::vector<Words> reference(const World& world, const PassFrame& frame, const lanecull::CullPass& pass,
                                    lanecull::Casters casters, const lanecull::CullOptions& options = {}) {
    std::vector<Words> result;
    const std::size_t roots = lanecull::view_count({frame.cameras});
    for (std::size_t v = 0; v < roots; ++v) {
        result.push_back(culled(world, pass.view(v), options));
    }
    const Words nothing(lanecull::visibility_words(world.batches));
    for (std::size_t l = 0; l < frame.point_lights.size(); ++l) {
        const PassPointLight& point_light = frame.point_lights[l];
        const std::size_t first = pass.first_point_light_view(l), count = point_light.spot != nullptr ? 1 : 6;
        const auto maps = pass.maps().subspan(first - frame.cameras.size(), count);
        Words reached = nothing;
        for (std::uint32_t c = 0; c < frame.cameras.size(); ++c) {
            if (!sees(point_light, c) || !may_light(pass.view(c), frame.cameras[c], point_light, maps[0])) continue;
            reached = either(reached, culled(world, whole_view(frame.cameras[c], point_light, maps), options));
        }
        for (std::size_t face = 0; face < count; ++face) {
            const lanecull::View& view = pass.view(first + face);
            if (casters == lanecull::Casters::frustum) {
                result.push_back(culled(world, view, options));
            } else {
                result.push_back(view.prepared() ? both(reached, culled(world, view, options)) : nothing);
                if (!view.prepared() && count_of(reached) > 0)
                    throw std::runtime_error("a light that lights is left out");
            }
        }
    }
    return result;
}

/// All that a view may request, in memory.
struct FlatLists {
    struct One {
        Words visible, inside;
        std::vector<std::uint32_t> indices;
        std::vector<lanecull::VisibleRun> runs;
        std::vector<lanecull::DrawCommand> draws;
        std::vector<lanecull::BatchRange> ranges;
        std::uint32_t count = 77;
        lanecull::Explanation why;
    };
    std::vector<One> views;
    std::vector<lanecull::Output> outputs;

    FlatLists(const World& world, std::size_t count) : views(count), outputs(count) {
        for (std::size_t v = 0; v < count; ++v) {
            One& to = views[v];
            to.visible.assign(lanecull::visibility_words(world.batches), 0x5555555555555555u);
            to.inside.assign(to.visible.size(), 0x5555555555555555u);
            to.indices.resize(world.objects()), to.runs.resize(world.objects()), to.draws.resize(world.objects());
            to.ranges.assign(world.batches.size(), {9, 9});
            outputs[v] = {.visible = to.visible,
                          .indices = to.indices,
                          .inside = to.inside,
                          .runs = to.runs,
                          .draws = {.memory = std::as_writable_bytes(std::span(to.draws)), .count = &to.count},
                          .batch_ranges = to.ranges,
                          .explanation = &to.why};
        }
    }
};

inline bool operator==(const lanecull::DrawCommand& a, const lanecull::DrawCommand& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The command of an object, by its number among all.
inline lanecull::DrawCommand command_of(const World& world, std::uint32_t object) {
    const std::uint32_t batch = object / world.count(), i = object % world.count();
    lanecull::DrawCommand command = batch == 0 ? world.of_balls : world.of_boxes[i];
    if (batch == 0) command.first_instance += i;
    return command;
}

/// What a view has otherwise than these bits, in its lists and counts; empty: nothing.
inline std::string difference(const World& world, const FlatLists& lists, std::size_t v, const Words& expected) {
    const FlatLists::One& of = lists.views[v];
    const lanecull::Output& output = lists.outputs[v];
    if (of.visible != expected) return "bits are not those of single culls";
    std::size_t n = 0, in_runs = 0;
    for (std::uint32_t b = 0; b < world.batches.size(); ++b) {
        const std::size_t before = n;
        for (std::uint32_t i = 0; i < world.count(); ++i) {
            if (!has(expected, 64 * world.words_of_batch() * b + i)) continue;
            if (of.indices[n] != b * world.count() + i) return "indices are not the bits";
            if (!(of.draws[n] == command_of(world, of.indices[n]))) return "a draw command is another";
            ++n;
        }
        if (of.ranges[b] != lanecull::BatchRange{before, n - before}) return "a batch's range is another";
    }
    for (std::size_t r = 0; r < output.run_count; ++r) in_runs += of.runs[r].count;
    if (in_runs != n || output.visible_count != n || output.draw_count != n || of.count != n) return "counts differ";
    if (of.why.counts.objects() != world.objects() || of.why.counts.visible() != n) return "reasons are miscounted";
    if (!output.candidates.empty()) return "candidates stay in an output";
    for (std::size_t w = 0; w < expected.size(); ++w) {
        if ((of.inside[w] & ~expected[w]) != 0) return "something is inside and culled";
    }
    return {};
}

/// A scene of the world's objects, and where they are in it.
struct Ordered {
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles;
    std::vector<std::uint32_t> slots;  // of objects, by their number among all
    std::map<lanecull::Handle, std::uint32_t> object_of;

    explicit Ordered(const World& world) : handles(world.objects()), slots(world.objects()) {
        require(scene.add(world.batches, handles));
        for (std::uint32_t i = 0; i < handles.size(); ++i) {
            require(scene.slot_of(handles[i], slots[i]));
            object_of[handles[i]] = i;
        }
    }
};

/// The same; `expected`: bits as of the batches.
inline std::string difference(const World& world, const Ordered& ordered, const SceneLists& lists, std::size_t v,
                              const Words& expected) {
    const scene_tests::ViewLists& of = lists.views[v];
    for (std::uint32_t object = 0; object < world.objects(); ++object) {
        const std::uint32_t batch = object / world.count(), i = object % world.count();
        const bool is_visible = has(expected, 64 * world.words_of_batch() * batch + i);
        if (has(of.visible, ordered.slots[object]) != is_visible) return "a scene's bits are not those of single culls";
    }
    for (std::size_t k = 0; k < of.handles.size() && k < of.draws.size(); ++k) {
        if (!(of.draws[k] == command_of(world, ordered.object_of.at(of.handles[k]))))
            return "a draw command is another";
    }
    return properties::contradiction(ordered.scene, of, true);
}

/// Culls a frame that is planned and prepared, over batches (twice) and over a scene: what a view has otherwise than by
/// single culls; empty: nothing.
inline std::string difference(const World& world, const Ordered& ordered, const PassFrame& frame,
                              lanecull::CullPass& pass, const std::vector<Words>& expected,
                              const lanecull::CullOptions& options = {}) {
    if (expected.size() != pass.view_count() || expected.size() != lanecull::view_count(frame)) return "views differ";
    const auto find = [&](const auto& difference_of) -> std::string {
        for (std::size_t v = 0; v < expected.size(); ++v) {
            const std::string what = difference_of(v);
            if (!what.empty()) return what + ", view " + std::to_string(v);
        }
        return {};
    };
    for (int again = 0; again < 2; ++again) {
        FlatLists lists(world, pass.view_count());
        require(pass.cull(world.batches, lists.outputs, options));
        const std::string what = find([&](std::size_t v) { return difference(world, lists, v, expected[v]); });
        if (!what.empty()) return what;
    }
    SceneLists lists(ordered.scene, pass.view_count());
    require(pass.cull(ordered.scene, lists.outputs, options));
    lists.shorten();
    return find([&](std::size_t v) { return difference(world, ordered, lists, v, expected[v]); });
}

}  // namespace frame_tests
