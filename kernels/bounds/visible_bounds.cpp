/// Boxes around the visible objects, around all of them or slice by slice.

#include <lanecull/shadow.h>

#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "bounds/find_bounds.hpp"
#include "view/frame.hpp"
#include "view/planes.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

static_assert(max_slices == ParallelSlabs::capacity);

/// The offset of plane k, one of those that have the normal or its opposite; none where it limits nothing.
float offset_of(const Affine& f, const NormalsInView& seen, float sign, ParallelSlabs& slabs) {
    PreparedView view;
    view.frame = slabs.frame;
    if (!add_plane(f, seen, view) || view.plane_count == 0) return HUGE_VALF;
    for (std::size_t j = 0; j < 3; ++j) {
        const float component = sign * view.normal[0][j];
        if (slabs.count == 0) slabs.normal[j] = component;
        if (slabs.normal[j] != component) return HUGE_VALF;  // scaled to another length
    }
    return view.offset[0];
}

/// The same without the name of the struct that the sentence begins with.
Status of_matrix(const Status& status) { return renamed(status, "slice.", ""); }

/// The slabs between the planes that slice_planes() gives, about the middle of the first slice's near side.
Status find_slabs(Slice slice, std::span<const double> depths, ParallelSlabs& slabs) {
    const std::size_t count = depths.size() - 1;
    slabs = {};
    Affine f[2 * ParallelSlabs::capacity];
    Double3 near{};
    for (std::size_t k = 0; k < count; ++k) {
        slice.near_depth = depths[k], slice.far_depth = depths[k + 1];
        Plane planes[2];
        if (Status status = slice_planes(slice, planes); !status) return of_matrix(status);
        for (std::size_t i = 0; i < 2; ++i) {
            if (Status status = read_plane(planes[i], "clip_from_world: its depth", i, f[2 * k + i]); !status) {
                return status;
            }
        }
        double corners[24] = {};
        if (k > 0) continue;
        if (Status status = slice_corners(slice, corners); !status) return of_matrix(status);
        for (std::size_t i = 0; i < 4; ++i) {
            near = near + Double3{corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]} * 0.25;
        }
    }
    const Interval3 c = choose_origin(near, slabs.frame);
    const NormalsInView seen(Interval3x3{{exactly({1, 0, 0}), exactly({0, 1, 0}), exactly({0, 0, 1})}});
    for (std::size_t k = 0; k < count; ++k) {
        slabs.from[k] = offset_of(f[2 * k].about(c), seen, 1, slabs);
        slabs.to[k] = offset_of(f[2 * k + 1].about(c), seen, -1, slabs);
        ++slabs.count;
    }
    return {};
}

}  // namespace

Status find_slice_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible,
                         const BlockBoxes* blocks, const Slice& slice, std::span<const double> depths,
                         std::span<WorldBox> bounds, const WorldBoundsOptions& options) noexcept {
    if (depths.size() != bounds.size() + 1) {
        return failure("depths: must have one more than bounds, %zu, not %zu", bounds.size() + 1, depths.size());
    }
    if (bounds.empty() || bounds.size() > max_slices) {
        return failure("bounds: must be 1 to %zu, not %zu", max_slices, bounds.size());
    }
    for (std::size_t k = 0; k < bounds.size(); ++k) {
        if (!(depths[k] < depths[k + 1]) || !std::isfinite(depths[k]) || !std::isfinite(depths[k + 1])) {
            return failure("depths[%zu]: not finite, or not below the next", k);
        }
    }
    ParallelSlabs slabs;
    if (Status status = find_slabs(slice, depths, slabs); !status) return status;
    return find_bounds(batches, visible, blocks, &slabs, bounds, options);
}

}  // namespace lanecull
