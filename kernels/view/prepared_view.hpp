#pragma once

#include <lanecull/view.h>

#include <cstdint>

#include "base/opaque.hpp"

namespace lanecull {

/// How a prepared volume's support mapping works: which of its points lies farthest in a direction.
enum class VolumeKind : std::uint32_t {
    planes_only,   ///< not at all: only the volume's planes are known well enough
    frustum,       ///< perspective, near and far parallel to the view plane
    edge_frustum,  ///< perspective, each edge ray with its own near and far
    box,           ///< orthographic
    polytope,      ///< any other volume: the hull of points, or of points and rays, possibly swept
};

/// Coordinates to work in: y = R (p - origin) for a world point p. The change of coordinates is exact whatever the
/// numbers are; R need not be orthonormal.
struct Frame {
    float origin_hi[3] = {};
    float origin_lo[3] = {};
    float rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< R, row by row; |R_ij| <= 1
    /// Set: R is orthonormal within its rounding, so a ball becomes a ball of radius * ball_scale. Else it becomes an
    /// ellipsoid.
    std::uint32_t rigid = 1;
    float ball_scale = 1;
};

/// What lists are ordered by: the depth of a point p, from the camera or the light. Plain doubles; no verdict depends
/// on them.
struct Sight {
    enum Kind : std::uint32_t {
        none,
        along,    ///< axis . (p - from) + offset
        distance  ///< |p - from|
    };

    double from[3] = {};
    double axis[3] = {};
    double offset = 0;
    Kind kind = none;
    std::uint32_t unused = 0;  // there is no padding
};

/// A perspective volume's side slabs, which stage 1 tests balls against: how far a centre is beyond each pair of
/// opposite sides, in view space sheared and scaled for that. A ball is outside if
///     max(|x| - slope_x z, |y| - slope_y z, near - z, z - far) > scale radius + share z + fixed.
struct PairsOfSides {
    /// z and all depths are scaled by 1 - depth_share. Distances beyond depth planes so count less than they are, which
    /// makes up for tilted planes.
    static constexpr double depth_share = 0x1p-6;

    double row[3][3] = {};  ///< x, y and z as functions of p - (origin_hi + origin_lo)
    float slope_x = 0, slope_y = 0;
    float near_depth = 0, far_depth = 0;    ///< scaled as z is
    float inner_near = 0, inner_far = 0;    ///< depths between which no depth plane cuts the volume
    float scale = 0, share = 0, fixed = 0;  ///< of the ball's reach, as above
    /// A centre that is inside the sides and the far plane by this much is beyond the near plane as well.
    float near_reach = 0;
    /// What rounding may add to `fixed` if the near plane is left to later stages; 0: it must not be left.
    float allowance = 0;
    std::uint32_t known = 0;
};

/// What the library reads of a view. prepare_view() makes it. Each number is rounded outward: the set that it describes
/// contains the volume.
///
/// Two systems of coordinates: *relative* q = p - origin_hi, world axes; *view* y = R (p - (origin_hi + origin_lo)).
struct PreparedView {
    static constexpr std::uint32_t max_planes = 16;
    /// Stage 1 tests the first so many planes; of boxes, where the view has neither margin nor light_range, all.
    static constexpr std::uint32_t stage_one_planes = 6;
    static constexpr std::uint32_t max_points = 64;

    Frame frame;

    /// Inside: normal . q + offset >= 0. Normals have length <= 1. The offset includes every part of the rounding bound
    /// that does not depend on the object. If there are fewer than stage_one_planes planes, the rest are planes that
    /// every object is inside of.
    std::uint32_t plane_count = 0;
    float normal[max_planes][3] = {};
    float offset[max_planes] = {};
    /// The same normals before they were rounded, for certificates.
    double exact_normal[max_planes][3] = {};
    /// The same planes in view space: view_normal . y + view_offset >= 0, with the same scale.
    float view_normal[max_planes][3] = {};
    float view_offset[max_planes] = {};
    float view_normal_one_norm = 0;  ///< largest |view_normal|_1

    VolumeKind volume = VolumeKind::planes_only;
    /// {low, high}. frustum, edge_frustum: x / z and y / z of the volume's points; box: x and y themselves.
    float x_range[2] = {};
    float y_range[2] = {};
    /// frustum: depths of the near and the far plane (far may be infinite); box: z range.
    float z_range[2] = {};
    /// edge_frustum: the four edge rays (x/z, y/z) and the depths at which they enter and leave.
    float edge_x[4] = {};
    float edge_y[4] = {};
    float edge_near[4] = {};
    float edge_far[4] = {};

    /// polytope: points in view space, near ones first, then far ones; or rays, whose depth (z) grows by 1 or more.
    float point_x[max_points] = {};
    float point_y[max_points] = {};
    float point_z[max_points] = {};
    std::uint32_t near_count = 0;
    std::uint32_t far_count = 0;
    std::uint32_t far_is_rays = 0;
    float near_depth = 0;                         ///< no near point's depth is smaller
    float depth_inverse = 0;                      ///< at least 1 / (the far points' smallest depth - near_depth)
    float near_magnitude = 0, far_magnitude = 0;  ///< largest |coordinate|

    /// polytope: the volume is the points' hull swept by s * sweep, 0 <= s <= sweep_limit (1, or infinite). Up to depth
    /// D no s larger than (D - near_depth) * sweep_inverse is needed; sweep_inverse is 0 if the depth does not limit s.
    std::uint16_t is_swept = 0;
    /// Set: what frustum, edge_frustum or box describe is the volume itself, except for rounding and, for edge_frustum,
    /// for tilted depth planes. Else it is larger, and planes are more exact. (It is in this place so that the struct
    /// has no padding: tests compare bytes.)
    std::uint16_t is_described = 0;
    float sweep[3] = {};
    float sweep_limit = 0;
    float sweep_inverse = 0;
    float sweep_magnitude = 0;  ///< largest |component|

    float margin = 0;  ///< the volume is widened by a ball of this radius
    std::uint32_t layer_mask = ~std::uint32_t{0};

    /// Set: what lies inside all planes lies in the volume, except for rounding.
    std::uint32_t planes_suffice = 0;
    /// Set: every half-space of the volume is among the planes. Then inner_offset has the offsets rounded inward, for
    /// view_normal.
    std::uint32_t inside_known = 0;
    float inner_offset[max_planes] = {};

    /// World axes around the eye. The eye's true place is within eye_error of 0 in each component.
    std::uint32_t has_eye = 0;
    Frame eye;
    float eye_error = 0;
    /// Projected size of a ball: radius * size_scale, divided by its distance if size_by_distance. 0: unknown.
    float size_scale = 0;
    std::uint32_t size_by_distance = 0;

    /// World axes around a point light. The light's true place is within light_error of 0 in each component. Objects
    /// farther from it than light_range are culled; 0: there is no such limit.
    Frame light;
    float light_error = 0;
    float light_range = 0;

    float apex_error =
        0;  ///< each point of the volume is within this, per component of y, of the volume described here
    float slope_magnitude = 0;  ///< frustums: max(1, |x / z|, |y / z|); box: largest |x|, |y| or |z|

    /// The volume's silhouettes as seen along each of the world's axes k, u and v being the two axes after k:
    /// half-planes n_u q_u + n_v q_v + offset >= 0 of relative coordinates, with offsets as those of planes. They are
    /// sorted by axis, and for each axis into four groups: n_u, n_v <= 0; only n_u > 0; only n_v > 0; both > 0.
    /// outline_end[4 k + group] is where a group ends and the next begins. corner_end does the same for corners.
    static constexpr std::uint32_t max_outlines = 24;
    double exact_outline[max_outlines][2] = {};  ///< n, before rounding
    float outline[max_outlines][3] = {};         ///< |n_u|, |n_v|, offset
    std::uint32_t outline_end[12] = {};
    /// The box around the volume: q_k + bounds[0][k] >= 0, -q_k + bounds[1][k] >= 0.
    float bounds[2][3] = {};
    /// All planes' |normal| and offset, sorted by the corner of a box that lies farthest on the inner side: bit j of a
    /// corner is set for a normal that is positive along axis j.
    float corner_plane[max_planes][4] = {};
    std::uint32_t corner_end[8] = {};
    /// Set: if the planes suffice, these are all directions that can separate a box along the world's axes from the
    /// volume.
    std::uint32_t outlines_known = 0;
    /// Set: the volume is that of shadow casters. Where they are drawn, a light looks, not the view's eye.
    std::uint32_t of_casters = 0;

    PairsOfSides sides;

    /// Perspective volumes, for the closed form of a ball's distance, by the quarter that the ball's centre is in,
    /// [x < 0][y < 0]: tan_x, tan_y, 1 / (1 + tan_x^2), 1 / (1 + tan_y^2), 1 / (1 + tan_x^2 + tan_y^2).
    float quarter[2][2][5] = {};
    float measured_roundings = 0;  ///< how many roundings such a distance passes; or one from a box
    /// Set: neither object_disabled nor layers cull an object: sets are baked so (bake_cell()).
    std::uint16_t ignores_flags = 0;
    /// Set: it is proved that the volume has no point. The first plane has no normal, and every valid object is behind
    /// it; there is no other, and no support mapping.
    std::uint16_t sees_nothing = 0;  // 16 bits each, so that there is no padding

    Sight sight;
};

/// What prepare_view() left in a view, which must be ready.
[[nodiscard]] inline bool is_prepared(const View& view) noexcept { return Opaque<PreparedView>::is_ready(view); }
[[nodiscard]] inline const PreparedView& contents_of(const View& view) noexcept {
    return Opaque<PreparedView>::of(view);
}
inline void set_prepared(View& view, const PreparedView& contents) noexcept {
    Opaque<PreparedView>::set(view, contents);
}

}  // namespace lanecull
