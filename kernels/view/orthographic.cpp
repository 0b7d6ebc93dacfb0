/// An orthographic volume: a box in view space.

#include "view/matrix_views.hpp"

#include <algorithm>
#include <cstdint>

#include "base/failure.hpp"
#include "view/caster_volume.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/polytope_support.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

/// The volume's eight corners, as functions of p - c; none if clip planes make corners that are not known. Rows are
/// functions of p - c. False if the volume has no point, for certain.
bool find_corners(const ClipRows& rows, const Inverse& from_axes, const HalfSpaces& half_spaces, Generators& corners) {
    if (half_spaces.sides != 4 || half_spaces.lower == 0 || half_spaces.upper == 0) return true;
    const Interval w = rows.w.constant;
    const Interval x[2] = {-w - rows.x.constant, w - rows.x.constant};
    const Interval y[2] = {-w - rows.y.constant, w - rows.y.constant};
    const Interval lowest = rows.depth == DepthRange::zero_to_one ? Interval(0.0) : -w;
    const Interval z[2] = {lowest - rows.z.constant, w - rows.z.constant};
    bool fits = true;  // eight of them do
    for (std::uint32_t k = 0; k < 8; ++k) {
        const std::uint32_t right = k & 1, top = k >> 1 & 1, far = k >> 2;
        const std::uint32_t planes = 1u << right | 4u << top | (far == 0 ? half_spaces.lower : half_spaces.upper);
        fits = corners.add({from_axes.times(x[right], y[top], z[far]), 1.0, planes, planes}) && fits;
    }
    const Enclosed enclosed = clip_all(half_spaces.all(), half_spaces.sides, half_spaces.clip_end, corners);
    if (!fits || enclosed == Enclosed::unknown) corners.clear();
    return enclosed != Enclosed::empty;
}

/// An orthographic camera, and what only its own view needs.
struct Orthographic {
    Camera camera;
    ClipRows rows;  ///< functions of p - c
    Inverse from_axes;
    Double3 x, y;  ///< the other axes beside `forward`

    /// Rows are functions of p - ClipSpace::origin.
    [[nodiscard]] Status describe(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options);
};

Status Orthographic::describe(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options) {
    if (world.z.vanishes()) {
        return failure("clip_from_world: the orthographic volume has no depth limit: row z does not depend on p");
    }
    const Interval w = world.w.constant;  // exact: nothing has been added yet
    if (!(w.lo > 0)) return failure("clip_from_world: the volume is empty: w is %g everywhere", w.lo);
    from_axes = Inverse(Interval3x3{{world.x.linear, world.y.linear, world.z.linear}});
    if (!from_axes.exists()) {
        return failure("clip_from_world: singular: rows x, y and z do not span space");
    }
    const Interval lowest = clip_space.depth == DepthRange::zero_to_one ? Interval(0.0) : -w;
    // The origin is on the view's axis, at the depth in range that is nearest to the matrix's own origin. Numbers are
    // small there anyway, or the camera is there.
    const double depth = std::clamp(world.z.constant.mid(), lowest.mid(), w.mid());
    const Double3 center =
        middle(from_axes.times(-world.x.constant, -world.y.constant, Interval(depth) - world.z.constant));
    camera.c = choose_origin(world_of(center, clip_space), camera.frame);
    rows = about(world, camera.c, clip_space);
    if (Status status = camera.half_spaces.add(rows, options, camera.c); !status) return status;
    camera.sees_nothing = !find_corners(rows, from_axes, camera.half_spaces, camera.corners);
    const Double3 y_row = middle(world.y.linear);
    x = normalized(middle(world.x.linear)), y = normalized(y_row);
    camera.forward = normalized(middle(world.z.linear));
    const Frame& frame = camera.frame;
    std::copy(frame.origin_hi, frame.origin_hi + 3, camera.eye.frame.origin_hi);
    std::copy(frame.origin_lo, frame.origin_lo + 3, camera.eye.frame.origin_lo);
    camera.eye.size_scale = length(y_row) / w.lo;
    camera.eye.size_by_distance = false;
    camera.eye.sight = sight_along(rows.z, camera.c);
    return {};
}

}  // namespace

Status describe_orthographic(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                             Camera& camera) {
    Orthographic volume;
    if (Status status = volume.describe(world, clip_space, options); !status) return status;
    camera = volume.camera;
    return {};
}

Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                            PreparedView& view) {
    Orthographic volume;
    if (Status status = volume.describe(world, clip_space, options); !status) return status;
    const Camera& camera = volume.camera;
    const HalfSpaces& half_spaces = camera.half_spaces;
    const ClipRows& rows = volume.rows;
    view.frame = camera.frame;
    finish(options, camera.eye, view);

    const Interval3x3 rotation = choose_rotation({volume.x, volume.y, camera.forward}, view.frame);
    const IntoViewSpace into_view(rotation);
    if (!into_view.exists()) return failure("clip_from_world: the matrix is singular");
    if (Status status = add_planes(half_spaces, rotation, view); !status) return status;
    if (camera.sees_nothing) {
        describe_nothing(view);
        return {};
    }
    if (!options.clip_planes.empty()) {
        describe_by_corners(half_spaces.all(), rotation, view);
        return {};
    }

    // Solves for y with the clip coordinates' ranges as intervals. The result encloses all corners at once.
    const ClipRows seen = in_view_space(rows, into_view);
    const Interval w = rows.w.constant;
    const Interval lowest = clip_space.depth == DepthRange::zero_to_one ? Interval(0.0) : -w;
    const Interval across(-w.hi, w.hi), deep(lowest.lo, w.hi);
    const Inverse from_clip(Interval3x3{{seen.x.linear, seen.y.linear, seen.z.linear}});
    if (!from_clip.exists()) return failure("clip_from_world: the matrix is singular");
    const Interval ranges[3] = {across - seen.x.constant, across - seen.y.constant, deep - seen.z.constant};
    Interval box[3];
    from_clip.times(ranges, box);
    view.x_range[0] = float_down(box[0].lo), view.x_range[1] = float_up(box[0].hi);
    view.y_range[0] = float_down(box[1].lo), view.y_range[1] = float_up(box[1].hi);
    view.z_range[0] = float_down(box[2].lo), view.z_range[1] = float_up(box[2].hi);
    view.slope_magnitude = float_up(std::max({box[0].magnitude(), box[1].magnitude(), box[2].magnitude()}));
    view.apex_error = apex_error_of(0, view.frame);
    if (!(view.slope_magnitude <= static_cast<float>(coordinate_limit))) {
        return failure("clip_from_world: the volume reaches beyond coordinates of 1e30");
    }
    view.volume = VolumeKind::box;
    view.is_described = 1;
    if (is_small || options.margin > 0) return {};  // the kernels of small/ read no outlines
    EdgeList edges;
    add_edges(half_spaces.all(), camera.corners.all(), edges);
    describe_outlines(camera.corners.all(), edges.all(), view);
    return {};
}

}  // namespace lanecull
