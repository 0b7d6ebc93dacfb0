/// Scene::place(): objects that move everywhere, written by many threads.

#include <lanecull/scene.hpp>

#include <algorithm>
#include <cstdint>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "scene/contents.hpp"
#include "scene/source.hpp"

namespace lanecull {
namespace {

constexpr std::size_t task_objects = 4096;
/// How many objects ahead an object's cache lines are asked for, and twice that its place. 100,000 of 10^6 boxes by
/// chance, one core: see bench/ANALYSIS.md.
constexpr std::size_t ahead = 12;

class Placing {
public:
    Placing(Scene::Contents& contents, std::span<const Handle> handles, const Columns& from)
        : contents_(contents), handles_(handles), from_(from) {}

    void run(const Runner& runner) {
        const auto tasks = static_cast<std::uint32_t>((handles_.size() + task_objects - 1) / task_objects);
        runner.run(runner.self, tasks,
                   {[](void* self, std::uint32_t task) { static_cast<Placing*>(self)->run_task(task); }, this});
        for (Store* store : contents_.stores) store->finish_placing();
    }

private:
    void run_task(std::size_t task) {
        const std::size_t first = task * task_objects, last = std::min(first + task_objects, handles_.size());
        for (std::size_t i = first; i < last; ++i) {
            if (i + 2 * ahead < last) __builtin_prefetch(&place_of(i + 2 * ahead));
            if (i + ahead < last) {
                const Place& next = place_of(i + ahead);
                contents_.store(next.store).prefetch(next.slot);
            }
            const Place& place = place_of(i);
            contents_.store(place.store).place(place.slot, from_, i);
        }
    }

    [[nodiscard]] const Place& place_of(std::size_t i) const { return contents_.places[handles_[i]]; }

    Scene::Contents& contents_;
    std::span<const Handle> handles_;
    const Columns& from_;
};

/// Checks that each object has the batch's layout.
Status check_layouts(const Scene::Contents& contents, std::span<const Handle> handles, Layout layout) {
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (contents.store(contents.places[handles[i]].store).key.layout == layout) continue;
        return Status::failure("handles[%zu]: %u names an object of another kind than the batch's", i, handles[i]);
    }
    return {};
}

}  // namespace

Status Scene::place(std::span<const Handle> handles, const Batch& objects, const Runner& runner) noexcept {
    const FloatModes modes;
    if (contents_ == nullptr) return no_memory();
    if (Status status = check_batches({&objects, 1}); !status) return status;
    if (handles.size() != objects.count()) {
        return Status::failure("objects: there must be one for each of %zu handles, not %u", handles.size(),
                               objects.count());
    }
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    if (Status status = check_handles(*contents_, handles); !status) return status;
    if (handles.empty()) return {};
    const float* const no_bounds[4] = {};
    if (Status status = check_layouts(*contents_, handles, columns_of(objects, no_bounds).layout); !status)
        return status;
    Source source(objects, contents_->hulls);
    if (Status status = source.prepare(); !status) return status;
    Placing(*contents_, handles, source.columns()).run(runner);
    return {};
}

}  // namespace lanecull
