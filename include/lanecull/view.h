#pragma once

/// View volumes: of matrices, corners, planes and balls; and of what casts shadows into them.

#include <lanecull/types.h>

/// A half-space in world coordinates: the points p with normal . p + offset >= 0. The normal's length does not matter.
LANECULL_STRUCT(Plane, plane) {
    double normal[3] LANECULL_0;
    double offset LANECULL_0;
};
LANECULL_LAYOUT(plane, 32)
LANECULL_SPAN(const lanecull_plane, planes)

/// The order in which a 4x4 matrix's 16 numbers are stored. In either order vectors are columns: clip = M (x, y, z, 1).
LANECULL_ENUM(MatrixLayout, matrix_layout){
    /// Element (row r, column c) at [4 c + r]: OpenGL, glm, Eigen's default.
    LANECULL_VALUE(COLUMN_MAJOR, column_major) = 0,
    /// Element (row r, column c) at [4 r + c]. For row-vector libraries (DirectXMath), whose clip = (x, y, z, 1) M,
    /// pass their row-major memory as column-major: the transposes cancel.
    LANECULL_VALUE(ROW_MAJOR, row_major) = 1,
};

/// The clip-space depth that counts as inside, for w > 0: -w <= x <= w, -w <= y <= w and
LANECULL_ENUM(DepthRange, depth_range){
    /// 0 <= z <= w: Vulkan, Direct3D, Metal, OpenGL with glClipControl.
    LANECULL_VALUE(ZERO_TO_ONE, zero_to_one) = 0,
    /// -w <= z <= w: OpenGL's default.
    LANECULL_VALUE(MINUS_ONE_TO_ONE, minus_one_to_one) = 1,
};

/// How to read a clip matrix. Reversed depth, infinite far planes, off-centre and mirrored projections need no option:
/// the inequalities above define the volume for any matrix.
///
/// All zeros are right for Vulkan, Metal, and Direct3D with DirectXMath's matrices. OpenGL without GL_ZERO_TO_ONE,
/// Unity and Godot have LANECULL_MINUS_ONE_TO_ONE, OGRE LANECULL_ROW_MAJOR as well. In C++ functions name the
/// conventions of interfaces and engines.
LANECULL_STRUCT(ClipSpace, clip_space) {
    lanecull_matrix_layout layout LANECULL_0;
    lanecull_depth_range depth LANECULL_0;
    /// The matrix maps p - origin: clip = M (x - origin[0], y - origin[1], z - origin[2], 1). For camera-relative
    /// rendering, where M has no eye position in it, pass the eye in double precision; else leave it 0.
    double origin[3] LANECULL_0;

#ifdef __cplusplus
    /// -w <= z <= w: OpenGL without GL_ZERO_TO_ONE, and engines whose projections follow it.
    [[nodiscard]] static constexpr ClipSpace opengl() noexcept {
        return {MatrixLayout::column_major, DepthRange::minus_one_to_one, {0, 0, 0}};
    }
    [[nodiscard]] static constexpr ClipSpace unity() noexcept { return opengl(); }  ///< Camera.projectionMatrix
    [[nodiscard]] static constexpr ClipSpace godot() noexcept { return opengl(); }  ///< get_camera_projection()
    /// Frustum::getProjectionMatrix() * getViewMatrix(), rows first: OGRE's own matrices, whatever draws them.
    [[nodiscard]] static constexpr ClipSpace ogre() noexcept {
        return {MatrixLayout::row_major, DepthRange::minus_one_to_one, {0, 0, 0}};
    }

    /// 0 <= z <= w.
    [[nodiscard]] static constexpr ClipSpace vulkan() noexcept { return {}; }
    [[nodiscard]] static constexpr ClipSpace metal() noexcept { return {}; }
    /// The matrix that the C++ side multiplies row vectors by, rows first, as DirectXMath stores it.
    [[nodiscard]] static constexpr ClipSpace direct3d() noexcept { return {}; }
    /// As direct3d(), of a matrix without the eye's translation; view_origin: FViewMatrices::GetViewOrigin().
    [[nodiscard]] static constexpr ClipSpace unreal(Numbers<const double, 3> view_origin) noexcept {
        return {MatrixLayout::column_major,
                DepthRange::zero_to_one,
                {view_origin.first[0], view_origin.first[1], view_origin.first[2]}};
    }
#endif
};
LANECULL_LAYOUT(clip_space, 32)

/// Lights, for views of what casts shadows. Let V be the view's volume. Given a light, lanecull_prepare_view() and the
/// functions like it make the volume of all casters whose shadow may fall into V, in place of V itself. The result is a
/// view like any other: objects that share no point with it cast no shadow that can be seen.
///
/// * Directional light: V swept towards the light. A caster meets this volume exactly when its shadow meets V. Where
///   the reach is any distance the sweep has no end. If V has no end either and the light stands straight behind it
///   (the direction away from the light runs inside of V for ever), the volume is all of space, or planes alone
///   describe it. Then little or nothing is culled.
/// * Point light: the convex hull of V and the light. A caster meets this volume exactly when its shadow meets V,
///   wherever the light is, in V too. With `sides` V is first cut to them: a spot light's pyramid.
/// * Point light with a range: V is cut to the cube around the ball that the light reaches, and casters beyond the ball
///   are culled by their distance (Reason::culled_distance). This is conservative, not exact: a caster whose shadow
///   falls between ball and cube is kept. With three `sides` or more, a side of the cube that would cut off hardly more
///   than the margin is left out.
///
/// lanecull_view_is_exact() says whether the casters' volume is exact to the error bound, or larger. If the light
/// reaches nothing of V, the view sees nothing: every object is culled.
///
/// A margin of the view widens what receives the shadow (for filters, texels, offsets), together with the limits by
/// `sides` and range. The volume is then everything within that margin of the one above; so it is right for point
/// lights of that radius too. Clip planes cut V before the light is taken into account.
///
/// Cost (benchmarks prepare/): 4 to 7 microseconds, 2 for one of many (lanecull_prepare_caster_views()), more with clip
/// planes. Culling a million uniform boxes takes 1.3 to 1.5 times as long as by V itself with AVX-512, 1.6 to 1.9 with
/// AVX2: casters' volumes are larger and have more sides (benchmarks casters/).

/// Light from one direction.
LANECULL_STRUCT(DirectionalLight, directional_light) {
    /// The direction to the light, from anywhere; finite, of a length from 1e-150 to 1e150.
    double toward[3] LANECULL_0;
    /// Casters stand up to `reach` times `toward` away from what they shade; if `toward` has length 1, `reach` is that
    /// distance in units. 0: any distance, as infinity.
    double reach LANECULL_0;
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(directional_light, 48)

/// Light from a point: all of it, one face of its cube map, or a spot light.
LANECULL_STRUCT(PointLight, point_light) {
    double at[3] LANECULL_0;  ///< world coordinates, up to 1e30
    double range LANECULL_0;  ///< what is farther away is not lit; 0: no limit, as infinity
    /// Only that is lit which lies inside all of these half-spaces: the sides of a spot light's pyramid, or of a
    /// cube map's face. At most 8. Read while the view is prepared.
    lanecull_planes sides LANECULL_0;
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(point_light, 64)

/// What a view may have besides its volume's shape. Read while the view is prepared; nothing of it is kept.
LANECULL_STRUCT(ViewOptions, view_options) {
    /// Half-spaces that limit the volume further: an oblique near plane, a portal's sides. At most 10.
    lanecull_planes clip_planes LANECULL_0;
    /// >= 0. Widens the volume: everything within this distance of it is seen. Exact at edges and corners too.
    double margin LANECULL_0;
    /// Objects whose Attributes::layers have no bit beside these are culled: ~mask of an engine's mask of layers to
    /// draw.
    uint32_t hidden_layers LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    /// The place from which distances and projected sizes are measured: 3 doubles, world coordinates; or null for the
    /// matrix's own eye (the left eye of a stereo pair). Orthographic matrices, corners and planes have no eye of their
    /// own.
    const double* eye LANECULL_0;
    /// The projected size of a ball is radius * size_scale / distance; for orthographic matrices it is radius *
    /// size_scale. 0 takes the matrix's own scale, by which the view's height is 1. Corners and planes have no scale of
    /// their own. At most 1e10.
    double size_scale LANECULL_0;
    /// One of the two, or none. With a light the view's volume is that of the casters whose shadow can be seen (above).
    /// Distances and sizes are still measured from the eye. Objects are never reported wholly inside.
    const lanecull_directional_light* directional_light LANECULL_0;
    const lanecull_point_light* point_light LANECULL_0;
    uint64_t reserved[6] LANECULL_0;
};
LANECULL_LAYOUT(view_options, 112)

/// A view volume, ready to cull with. 3,648 bytes, immutable once prepared, cheap to copy. Any number of culls may
/// share one.
LANECULL_STRUCT(View, view) {
    uint64_t state LANECULL_0;     ///< 0: not prepared, and culling with it is an error
    unsigned char contents[3640];  ///< the library's own, without meaning in a view that is not prepared

#ifdef __cplusplus
    [[nodiscard]] bool prepared() const noexcept { return state != 0; }
    /// Whether culls by it are exact: lanecull_view_is_exact().
    [[nodiscard]] inline bool exact() const noexcept;
    /// Whether it is proved that the volume has no point: lanecull_view_sees_nothing().
    [[nodiscard]] inline bool sees_nothing() const noexcept;
#endif
};
LANECULL_LAYOUT(view, 3648)
LANECULL_SPAN(const lanecull_view, views)

LANECULL_C_BEGIN
/// 1 or 0: whether culls by the view are exact, that is, whether every object that is apart from the volume by more
/// than the error bound can be proved apart. If not, the volume's planes alone decide, or the view is of a ball or of a
/// point light with a range; then more objects may be kept. 0 of a view that is not prepared.
LANECULL_API uint32_t lanecull_view_is_exact(const lanecull_view* view) LANECULL_NOEXCEPT;

/// 1 or 0: whether it is proved that the volume has no point: clip planes, or what a light reaches, leave nothing of
/// it. Culls by such a view cull every object, as behind a plane (Reason::culled_plane); visible stay, as always, those
/// that flags force to be visible and invalid ones. 0 of a view that is not prepared.
LANECULL_API uint32_t lanecull_view_sees_nothing(const lanecull_view* view) LANECULL_NOEXCEPT;

/// Prepares the volume of a perspective or orthographic clip matrix (16 numbers). The volume is the set of points that
/// the numbers as given define exactly. Everything derived from it is rounded outward. `clip_space` and `options` are
/// optional.
///
/// With clip planes, or with depth planes that are tilted so far that they miss some of the four edges, the volume's
/// corners are enumerated. Of planes that coincide, but for rounding, one counts. Where corners cannot be enclosed well
/// (those of volumes without end, above all), the planes alone decide. That culls less and is as safe.
///
/// Where clip planes leave nothing of the volume, as a mirror's plane does of a view beside it, the view is prepared
/// and sees nothing (lanecull_view_sees_nothing()). So does one of a matrix whose near or far plane is tilted and
/// leaves nothing. The same holds for all functions below, whatever cuts their volumes, and for casters. It is proved,
/// with rounding counted; where it is too close to call, what cannot be enclosed is cut by the planes alone, and less
/// is culled.
///
/// Fails, leaving `view` untouched, if
///  - the matrix or the origin is not finite;
///  - the matrix is singular: its volume has no inside, or its planes neither meet in one point nor make a box;
///  - the matrix by itself has an empty volume, by depth planes that are parallel to the view's: its far plane lies
///    before its near plane, or both behind the eye; or w is below 0 everywhere;
///  - the matrix is orthographic and the volume has no depth limit;
///  - a coordinate of the volume exceeds 1e30;
///  - an option breaks its rule, or an argument that is not optional is null.
///
/// Thread-safe. Takes some microseconds, up to ten of them with clip planes or lights (benchmarks prepare/). Allocates
/// nothing. All of that holds for the functions below, too.
LANECULL_API lanecull_status lanecull_prepare_view(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                                   const lanecull_view_options* options,
                                                   lanecull_view* view) LANECULL_NOEXCEPT;
/// The same of a matrix of floats.
LANECULL_API lanecull_status lanecull_prepare_view_of_floats(const float* clip_from_world,
                                                             const lanecull_clip_space* clip_space,
                                                             const lanecull_view_options* options,
                                                             lanecull_view* view) LANECULL_NOEXCEPT;

/// One view for both eyes of a stereo pair (16 numbers each): the convex hull of the two perspective volumes, each
/// limited by the clip planes. Everything that either eye sees is visible, and a little between the two volumes. (To
/// cull for each eye, pass two views to one call.) Layout, depth range and origin are the same for both matrices.
/// Objects are never reported wholly inside. Of an eye of whose volume nothing is left nothing is seen. `clip_space`
/// and `options` are optional.
///
/// Fails as lanecull_prepare_view() does, and if an eye's corners cannot be enclosed, clip planes left aside.
LANECULL_API lanecull_status lanecull_prepare_stereo_view(const double* left, const double* right,
                                                          const lanecull_clip_space* clip_space,
                                                          const lanecull_view_options* options,
                                                          lanecull_view* view) LANECULL_NOEXCEPT;

/// The convex hull of eight corners: 24 numbers, x y z of one after the other, in world coordinates. The corners' order
/// does not matter. They may coincide or lie in a plane. Objects are never reported wholly inside. `options` are
/// optional.
///
/// Fails if a number is not finite or beyond 1e30, if an option breaks its rule, or if a pointer is null.
LANECULL_API lanecull_status lanecull_prepare_view_from_corners(const double* corners,
                                                                const lanecull_view_options* options,
                                                                lanecull_view* view) LANECULL_NOEXCEPT;

/// The intersection of half-spaces, bounded or not. The options' clip planes add to them; at most 16 together. For a
/// volume without corners (a slab, a wedge), or one whose corners cannot be enclosed, the planes alone decide.
/// `options` are optional.
///
/// If the volume is empty for certain, the view sees nothing. Of volumes without corners that is found where two planes
/// are exactly back to back, and where two or three of them run along one of the world's axes.
///
/// Fails if there are no planes or too many, if a number is not finite, if a normal is zero, or if an option breaks its
/// rule.
LANECULL_API lanecull_status lanecull_prepare_view_from_planes(const lanecull_plane* planes, size_t plane_count,
                                                               const lanecull_view_options* options,
                                                               lanecull_view* view) LANECULL_NOEXCEPT;

/// A ball, such as what a point light's range reaches: what is no farther from `center` (3 numbers) than `radius`. The
/// options' clip planes cut it. Objects beyond the radius are culled by their distance (Reason::culled_distance):
/// spheres, boxes, capsules and oriented boxes by their nearest point, so all that are farther by more than the error
/// bound; sheared boxes nearly so, hulls by the box around their vertices. At clip planes the planes alone decide.
/// Objects are never reported wholly inside. As candidates of a point light's other views, the words that a cull by
/// this view writes leave out nothing that is lit. `options` are optional.
///
/// Fails if a coordinate is not finite or beyond 1e30, if the radius is not above 0 or beyond 1e30, if an option breaks
/// its rule, if a pointer is null, or if the options have a light: for casters, pass the six planes around the ball.
LANECULL_API lanecull_status lanecull_prepare_view_from_ball(const double* center, double radius,
                                                             const lanecull_view_options* options,
                                                             lanecull_view* view) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
inline bool View::exact() const noexcept { return lanecull_view_is_exact(this) != 0; }
inline bool View::sees_nothing() const noexcept { return lanecull_view_sees_nothing(this) != 0; }

/// The functions above, for C++.
[[nodiscard]] inline Status prepare_view(Numbers<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                         View& view, const ViewOptions& options = {}) noexcept {
    return lanecull_prepare_view(clip_from_world.first, &clip_space, &options, &view);
}
[[nodiscard]] inline Status prepare_view(Numbers<const float, 16> clip_from_world, const ClipSpace& clip_space,
                                         View& view, const ViewOptions& options = {}) noexcept {
    return lanecull_prepare_view_of_floats(clip_from_world.first, &clip_space, &options, &view);
}
[[nodiscard]] inline Status prepare_stereo_view(Numbers<const double, 16> left, Numbers<const double, 16> right,
                                                const ClipSpace& clip_space, View& view,
                                                const ViewOptions& options = {}) noexcept {
    return lanecull_prepare_stereo_view(left.first, right.first, &clip_space, &options, &view);
}
[[nodiscard]] inline Status prepare_view_from_corners(Numbers<const double, 24> corners, View& view,
                                                      const ViewOptions& options = {}) noexcept {
    return lanecull_prepare_view_from_corners(corners.first, &options, &view);
}
[[nodiscard]] inline Status prepare_view_from_planes(Span<const Plane> planes, View& view,
                                                     const ViewOptions& options = {}) noexcept {
    return lanecull_prepare_view_from_planes(planes.items, planes.count, &options, &view);
}
[[nodiscard]] inline Status prepare_view_from_ball(Numbers<const double, 3> center, double radius, View& view,
                                                   const ViewOptions& options = {}) noexcept {
    return lanecull_prepare_view_from_ball(center.first, radius, &options, &view);
}
}  // namespace lanecull
#endif
