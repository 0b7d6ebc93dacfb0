/// Boxes around visible objects, of batches or of a scene: a store is a batch whose coordinates are relative to the
/// store's origin.

#include <lanecull/cull.h>
#include <lanecull/shadow.h>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "bounds/find_bounds.hpp"
#include "scene/contents.hpp"
#include "scene/cull_blocks.hpp"

namespace lanecull {
namespace {

/// A sum, rounded as low or as high as it may have been before. Sums without rounding stay.
double sum_down(double a, double b) {
    const double sum = a + b;
    return b == 0 ? sum : std::nextafter(sum, -HUGE_VAL);
}
double sum_up(double a, double b) {
    const double sum = a + b;
    return b == 0 ? sum : std::nextafter(sum, HUGE_VAL);
}

/// Extends a box by another whose coordinates are relative to `origin`, if that is not empty.
void include(WorldBox& box, const WorldBox& other, const double (&origin)[3]) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (other.lower[k] > other.upper[k]) continue;
        box.lower[k] = std::min(box.lower[k], sum_down(other.lower[k], origin[k]));
        box.upper[k] = std::max(box.upper[k], sum_up(other.upper[k], origin[k]));
    }
}

/// The boxes of a store's blocks.
BlockBoxes blocks_of(const Store& store) {
    static_assert(block_words == BlockBoxes::words);
    const Level& blocks = store.levels[0];
    return {{blocks.low[0].data(), blocks.low[1].data(), blocks.low[2].data()},
            {blocks.high[0].data(), blocks.high[1].data(), blocks.high[2].data()},
            blocks.never_outside.data()};
}

/// Calls visit(batch, words, blocks, origin) for each store, with its words of `visible`. Ends with the first failure.
template <class Visit>
Status for_each_store(const lanecull_scene& scene, std::span<const std::uint64_t> visible, const Visit& visit) {
    std::size_t word = 0;
    for (const Store* store : scene.stores) {
        const auto words = static_cast<std::size_t>(store->slots() / 64);
        const Batch batch =
            batch_of(store->view(scene.hulls.data(), scene.hulls.size()), static_cast<std::uint32_t>(store->slots()));
        if (Status status = visit(batch, visible.subspan(word, words), blocks_of(*store), store->key.origin); !status)
            return status;
        word += words;
    }
    return {};
}

/// What a camera's depths are worth: slices of it, as a store with an origin sees them.
struct RelativeSlices {
    ClipSpace clip_space;
    double error = 0;  ///< of a depth, by the origins' difference and what is computed of it

    RelativeSlices(const double* matrix, const ClipSpace& space, const double (&origin)[3]) : clip_space(space) {
        for (std::size_t k = 0; k < 3; ++k) {
            clip_space.origin[k] = space.origin[k] - origin[k];
            const std::size_t w = space.layout == MatrixLayout::row_major ? 12 + k : 4 * k + 3;
            error += 0x1p-49 * std::fabs(matrix[w]) * (std::fabs(space.origin[k]) + std::fabs(origin[k]));
        }
    }
};

bool is_at_zero(const double (&origin)[3]) { return origin[0] == 0 && origin[1] == 0 && origin[2] == 0; }

Status check_visible(const lanecull_scene& scene, std::span<const std::uint64_t> visible) {
    const auto words = static_cast<std::size_t>(scene.slots() / 64);
    if (visible.size() == words) return {};
    return failure("visible: must have %zu words (visibility_words()), not %zu", words, visible.size());
}

Status scene_bounds(const lanecull_scene& scene, std::span<const std::uint64_t> visible, WorldBox& bounds,
                    const WorldBoundsOptions& options) {
    if (Status status = check_visible(scene, visible); !status) return status;
    WorldBox all;  // of nothing so far; this checks the options even if there is no store
    if (Status status = find_bounds({}, {}, nullptr, nullptr, {&all, 1}, options); !status) return status;
    const auto add = [&](const Batch& batch, std::span<const std::uint64_t> words, const BlockBoxes& blocks,
                         const double(&origin)[3]) {
        WorldBox own;
        const Status status = find_bounds({&batch, 1}, words, &blocks, nullptr, {&own, 1}, options);
        if (status) include(all, own, origin);
        return status;
    };
    if (Status status = for_each_store(scene, visible, add); !status) return status;
    bounds = all;
    return {};
}

Status scene_slice_bounds(const lanecull_scene& scene, std::span<const std::uint64_t> visible, const Slice& slice,
                          std::span<const double> depths, std::span<WorldBox> bounds,
                          const WorldBoundsOptions& options) {
    if (Status status = check_visible(scene, visible); !status) return status;
    WorldBox all[max_slices], own[max_slices];
    const std::size_t count = std::min(bounds.size(), max_slices);
    const std::span<WorldBox> checked = bounds.size() <= max_slices ? std::span(all, count) : bounds;
    Status status = find_slice_bounds({}, {}, nullptr, slice, depths, checked, options);
    if (!status) return status;
    const auto add = [&](const Batch& batch, std::span<const std::uint64_t> words, const BlockBoxes& blocks,
                         const double(&origin)[3]) {
        const RelativeSlices slices(slice.clip_from_world.first, slice.clip_space, origin);
        const auto find = [&](std::span<const double> of, std::span<WorldBox> to) {
            return find_slice_bounds({&batch, 1}, words, &blocks, {slice.clip_from_world, slices.clip_space}, of, to,
                                     options);
        };
        Status found = is_at_zero(origin) ? find(depths, {own, count}) : Status();
        for (std::size_t k = 0; found && k < count; ++k) {
            const double wider[2] = {depths[k] - slices.error, depths[k + 1] + slices.error};
            if (!is_at_zero(origin)) found = find(wider, {own + k, 1});
            if (found) include(all[k], own[k], origin);
        }
        return found;
    };
    status = for_each_store(scene, visible, add);
    if (status) std::copy_n(all, count, bounds.begin());
    return status;
}

/// Checks the arguments of both functions.
Status check_given(const Objects* objects, Span<const std::uint64_t> visible, const WorldBoundsOptions& options) {
    if (Status status = check_not_null(objects, "objects"); !status) return status;
    if (Status status = check_span(objects->batches, "batches"); !status) return status;
    if (Status status = check_span(visible, "visible"); !status) return status;
    if (Status status = check_cleared(options, "options"); !status) return status;
    if (objects->scene == nullptr || objects->batches.empty()) return {};
    return failure("objects: must be batches or a scene, not both");
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_visible_bounds(const lanecull_objects* objects, const uint64_t* visible, size_t visible_words,
                                        const lanecull_world_bounds_options* options,
                                        lanecull_world_box* bounds) noexcept {
    const Span<const std::uint64_t> words(visible, visible_words);
    const WorldBoundsOptions& how = or_usual(options);
    if (Status status = check_given(objects, words, how); !status) return status;
    if (Status status = check_not_null(bounds, "bounds"); !status) return status;
    const FloatModes modes;
    if (objects->scene != nullptr) return scene_bounds(*objects->scene, words, *bounds, how);
    return find_bounds(objects->batches, words, nullptr, nullptr, {bounds, 1}, how);
}

lanecull_status lanecull_slice_bounds(const lanecull_objects* objects, const uint64_t* visible, size_t visible_words,
                                      const double* clip_from_world, const lanecull_clip_space* clip_space,
                                      const double* depths, size_t depth_count,
                                      const lanecull_world_bounds_options* options, lanecull_world_box* bounds,
                                      size_t bound_count) noexcept {
    const Span<const std::uint64_t> words(visible, visible_words);
    const Span<const double> between(depths, depth_count);
    const Span<WorldBox> boxes(bounds, bound_count);
    const WorldBoundsOptions& how = or_usual(options);
    if (Status status = check_given(objects, words, how); !status) return status;
    if (Status status = check_not_null(clip_from_world, "clip_from_world"); !status) return status;
    if (Status status = check_span(between, "depths"); !status) return status;
    if (Status status = check_span(boxes, "bounds"); !status) return status;
    const FloatModes modes;
    const Slice slice{Numbers<const double, 16>(clip_from_world), or_usual(clip_space)};
    if (objects->scene != nullptr) return scene_slice_bounds(*objects->scene, words, slice, between, boxes, how);
    return find_slice_bounds(objects->batches, words, nullptr, slice, between, boxes, how);
}
