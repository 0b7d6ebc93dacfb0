/// An orthographic volume: a box in view space.

#include "view/orthographic.hpp"

#include <algorithm>
#include <cstdint>

#include "view/casters.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {

Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                            PreparedView& view) {
    if (world.z.vanishes()) {
        return Status::failure(
            "clip_from_world: the orthographic volume has no depth limit: row z does not depend on p");
    }
    const Interval w = world.w.constant;  // exact: nothing has been added yet
    if (!(w.lo > 0)) return Status::failure("clip_from_world: the volume is empty: w is %g everywhere", w.lo);
    const Interval3x3 axes = {{world.x.linear, world.y.linear, world.z.linear}};
    if (determinant(axes).contains_zero()) {
        return Status::failure("clip_from_world: singular: rows x, y and z do not span space");
    }
    const Interval lowest = clip_space.depth == DepthRange::zero_to_one ? Interval(0.0) : -w;
    // The origin is on the view's axis, at the depth in range that is nearest to the matrix's own origin. Numbers are
    // small there anyway, or the camera is there.
    const double depth = std::clamp(world.z.constant.mid(), lowest.mid(), w.mid());
    const Double3 center =
        middle(solve(axes, {-world.x.constant, -world.y.constant, Interval(depth) - world.z.constant}));
    const Interval3 c = choose_origin(world_of(center, clip_space), view.frame);
    const ClipRows rows = about(world, c, clip_space);

    const Double3 y_row = middle(world.y.linear);
    const Double3 x = normalized(middle(world.x.linear)), y = normalized(y_row), z = normalized(middle(world.z.linear));
    HalfSpaces half_spaces;
    if (Status status = half_spaces.add(rows, options, c); !status) return status;
    Eye none;
    std::copy(view.frame.origin_hi, view.frame.origin_hi + 3, none.frame.origin_hi);
    std::copy(view.frame.origin_lo, view.frame.origin_lo + 3, none.frame.origin_lo);
    none.size_scale = length(y_row) / w.lo;
    none.size_by_distance = false;
    finish(options, none, view);
    if (casts_shadows(options)) {
        LitPart lit;
        if (Status status = lit.enclose(half_spaces.all(), {}, "clip_from_world", options, c); !status) return status;
        describe_casters(lit, z, options, c, view);
        return {};
    }

    const Interval3x3 rotation = choose_rotation({x, y, z}, view.frame);
    if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
    if (Status status = add_planes(half_spaces, rotation, view); !status) return status;
    if (!options.clip_planes.empty()) return describe_by_corners(half_spaces, rotation, view);

    // Solves for y with the clip coordinates' ranges as intervals. The result encloses all corners at once.
    const ClipRows seen = in_view_space(rows, rotation);
    const Interval across(-w.hi, w.hi), deep(lowest.lo, w.hi);
    const Interval3 box = solve({{seen.x.linear, seen.y.linear, seen.z.linear}},
                                {across - seen.x.constant, across - seen.y.constant, deep - seen.z.constant});
    view.x_range[0] = float_down(box.x.lo), view.x_range[1] = float_up(box.x.hi);
    view.y_range[0] = float_down(box.y.lo), view.y_range[1] = float_up(box.y.hi);
    view.z_range[0] = float_down(box.z.lo), view.z_range[1] = float_up(box.z.hi);
    view.slope_magnitude = float_up(std::max({box.x.magnitude(), box.y.magnitude(), box.z.magnitude()}));
    view.apex_error = apex_error_of(0, view.frame);
    if (!(view.slope_magnitude <= static_cast<float>(coordinate_limit))) {
        return Status::failure("clip_from_world: the volume reaches beyond coordinates of 1e30");
    }
    view.volume = VolumeKind::box;
    view.is_described = 1;
    Generators corners;
    const Inverse into_world(rotation);
    bool fits = true;
    for (std::uint32_t k = 0; k < 8; ++k) {
        const auto end = [&](Interval range, std::uint32_t bit) { return Interval(k & bit ? range.hi : range.lo); };
        fits = corners.add({into_world.times({end(box.x, 1), end(box.y, 2), end(box.z, 4)}), 1.0, 0}) && fits;
    }
    if (fits) describe_outlines(corners.all(), view);
    return {};
}

}  // namespace lanecull
