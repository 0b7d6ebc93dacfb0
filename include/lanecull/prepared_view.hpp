#pragma once

#include <cstdint>

namespace lanecull {

/// How a prepared volume answers "which of its points lies farthest in direction d".
enum class VolumeKind : std::uint32_t {
    planes_only,   ///< not at all: only its planes are known well enough
    frustum,       ///< perspective, near and far parallel to the view plane
    edge_frustum,  ///< perspective, each edge ray with its own near and far
    box,           ///< orthographic
    polytope,      ///< any other: the hull of points, or of points and rays, and maybe all of it swept
};

/// Coordinates to work in: y = R (p - origin), p being a world point. Exact whatever the numbers are: they need not be
/// an orthonormal rotation.
struct Frame {
    float origin_hi[3] = {};
    float origin_lo[3] = {};
    float rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< R, row by row; |R_ij| <= 1
    /// R is orthonormal within its rounding: a ball stays a ball of radius * ball_scale. Else it becomes an ellipsoid.
    std::uint32_t rigid = 1;
    float ball_scale = 1;
};

/// A perspective volume as stage 1 asks balls about it: by how much their centres are beyond its pairs of sides, in
/// view space turned and scaled to that end,
///     max(|x| - slope_x z, |y| - slope_y z, near - z, z - far) > scale radius + share z + fixed.
struct PairsOfSides {
    double row[3][3] = {};  ///< x, y and z as functions of p - (origin_hi + origin_lo)
    float slope_x = 0, slope_y = 0;
    float near_depth = 0, far_depth = 0;    ///< scaled, as z is
    float inner_near = 0, inner_far = 0;    ///< the same where the depth planes are within the volume everywhere
    float scale = 0, share = 0, fixed = 0;  ///< of what is asked for
    /// A centre that is by this much inside of sides and far plane is behind the near plane as well.
    float near_reach = 0;
    /// What rounding may add to `fixed` where near planes are left to later stages; 0: they must not be.
    float allowance = 0;
    std::uint32_t known = 0;
};

/// What the kernels read of a view. Made by prepare_view(); how, and why each number errs outward, is told in
/// kernels/README.md. Not part of the stable interface.
///
/// Two systems of coordinates: *relative* q = p - origin_hi, world axes; *view* y = R (p - (origin_hi + origin_lo)).
struct PreparedView {
    static constexpr std::uint32_t max_planes = 16;
    static constexpr std::uint32_t stage_one_planes = 6;  ///< the first so many are all that stage 1 looks at
    static constexpr std::uint32_t max_points = 64;

    Frame frame;

    /// Inside: normal . q + offset >= 0. Normals of length <= 1. The offset includes everything that does not depend on
    /// the object, so a lane only adds its own bound. Where there are fewer than stage_one_planes, planes that
    /// everything is inside of make up for them.
    std::uint32_t plane_count = 0;
    float normal[max_planes][3] = {};
    float offset[max_planes] = {};
    /// The same normals as they were before they were rounded, for certificates.
    double exact_normal[max_planes][3] = {};
    /// The same planes in view space: view_normal . y + view_offset >= 0, with the same scale.
    float view_normal[max_planes][3] = {};
    float view_offset[max_planes] = {};
    float view_normal_one_norm = 0;  ///< largest |view_normal|_1

    VolumeKind volume = VolumeKind::planes_only;
    /// frustum, edge_frustum: x / z and y / z of the volume's points; box: x and y themselves. {low, high}
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

    /// polytope: the volume is the points' hull moved by all of s * sweep, 0 <= s <= sweep_limit (1, or infinite).
    /// Up to depth D no s larger than (D - near_depth) * sweep_inverse is needed; 0 where the depth limits none.
    std::uint16_t is_swept = 0;
    /// frustum, edge_frustum, box: what these describe is the volume, but for rounding and, edge_frustum, for tilted
    /// depth planes. Else it is larger, and planes know better. (Here, that the struct has no padding: tests compare
    /// bytes.)
    std::uint16_t is_described = 0;
    float sweep[3] = {};
    float sweep_limit = 0;
    float sweep_inverse = 0;
    float sweep_magnitude = 0;  ///< largest |component|

    float margin = 0;  ///< the volume is widened by a ball of this radius
    std::uint32_t layer_mask = ~std::uint32_t{0};

    /// Whether what lies inside of all planes lies in the volume, but for rounding.
    std::uint32_t planes_suffice = 0;
    /// Whether every half-space of the volume is among the planes, and then offsets that err inward, of view_normal.
    std::uint32_t inside_known = 0;
    float inner_offset[max_planes] = {};

    /// World axes around the eye, whose true place is within eye_error of 0, per component.
    std::uint32_t has_eye = 0;
    Frame eye;
    float eye_error = 0;
    /// Projected size of a ball: radius * size_scale, over its distance if size_by_distance. 0: unknown.
    float size_scale = 0;
    std::uint32_t size_by_distance = 0;

    /// World axes around a lamp, whose true place is within light_error of 0. Objects beyond light_range from it are
    /// culled; 0: there is no such limit.
    Frame light;
    float light_error = 0;
    float light_range = 0;

    float apex_error = 0;       ///< the volume is within this distance (per component of y) of the one described here
    float slope_magnitude = 0;  ///< frustums: max(1, |x / z|, |y / z|); box: largest |x|, |y| or |z|

    /// The volume's outlines, seen along each of the world's axes k, u and v being the two after it: half-planes
    /// n_u q_u + n_v q_v + offset >= 0 of relative coordinates, offsets as of planes. First those of axis 0; of an
    /// axis first those with n_u, n_v <= 0, then n_u > 0, n_v > 0, both. A group's end is at its outline_end, where the
    /// next begins; a corner's likewise.
    static constexpr std::uint32_t max_outlines = 24;
    double exact_outline[max_outlines][2] = {};  ///< n, before rounding
    float outline[max_outlines][3] = {};         ///< |n_u|, |n_v|, offset
    std::uint32_t outline_end[12] = {};
    /// The box around the volume: q_k + bounds[0][k] >= 0, -q_k + bounds[1][k] >= 0.
    float bounds[2][3] = {};
    /// All planes' |normal| and offset, by the corner that lies farthest on the inner side: bit j for a normal that is
    /// positive along axis j.
    float corner_plane[max_planes][4] = {};
    std::uint32_t corner_end[8] = {};
    /// Set: these are all that can part a box along the world's axes from the volume, if the planes suffice.
    std::uint32_t outlines_known = 0;
    std::uint32_t reserved = 0;  ///< no padding

    PairsOfSides sides;

    /// Perspective volumes as balls' distances from them are measured (kernels/ball_distance.hpp), by the quarter that
    /// a ball is in, [x < 0][y < 0]: tan_x, tan_y, 1 / (1 + tan_x^2), 1 / (1 + tan_y^2), 1 / (1 + tan_x^2 + tan_y^2).
    float quarter[2][2][5] = {};
    float measured_roundings = 0;  ///< K of such distances, or of those from a box
    std::uint32_t reserved_too = 0;
};

}  // namespace lanecull
