#pragma once

#include <cstdint>
#include <span>

#include <lanecull/export.hpp>
#include <lanecull/light.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/prepared_view.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// The order in which a 4x4 matrix's 16 numbers are stored. In either order vectors are columns: clip = M (x, y, z, 1).
enum class MatrixLayout {
    column_major,  ///< element (row r, column c) at [4 c + r]: OpenGL, glm, Eigen's default
    row_major,     ///< element (row r, column c) at [4 r + c]. For row-vector libraries (DirectXMath), whose
                   ///< clip = (x, y, z, 1) M, pass their row-major memory as column_major: the transposes cancel
};

/// The clip-space depth that counts as inside, for w > 0: -w <= x <= w, -w <= y <= w and
enum class DepthRange {
    zero_to_one,       ///< 0 <= z <= w: Vulkan, Direct3D, Metal, OpenGL with glClipControl
    minus_one_to_one,  ///< -w <= z <= w: OpenGL's default
};

/// How to read a clip matrix. Reversed depth, infinite far planes, off-centre and mirrored projections need no option:
/// the inequalities above define the volume for any matrix.
///
/// The functions name the conventions of interfaces and engines.
struct ClipSpace {
    MatrixLayout layout = MatrixLayout::column_major;
    DepthRange depth = DepthRange::zero_to_one;
    /// The matrix maps p - origin: clip = M (x - origin[0], y - origin[1], z - origin[2], 1). For camera-relative
    /// rendering, where M has no eye position in it, pass the eye in double precision; else leave it 0.
    double origin[3] = {0, 0, 0};

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
    [[nodiscard]] static constexpr ClipSpace unreal(std::span<const double, 3> view_origin) noexcept {
        return {MatrixLayout::column_major, DepthRange::zero_to_one, {view_origin[0], view_origin[1], view_origin[2]}};
    }
};

/// What a view may have besides its volume's shape. Read while the view is prepared; nothing of it is kept.
struct ViewOptions {
    /// Half-spaces that limit the volume further: an oblique near plane, a portal's sides. At most 10.
    std::span<const Plane> clip_planes = {};
    /// >= 0. Widens the volume: everything within this distance of it is seen. Exact at edges and corners too.
    double margin = 0;
    /// Objects whose Attributes::layers have no bit in common with it are culled.
    std::uint32_t layer_mask = ~std::uint32_t{0};
    /// The place from which distances and projected sizes are measured: 3 doubles, world coordinates; or null for the
    /// matrix's own eye (the left eye of a stereo pair). Orthographic matrices, corners and planes have no eye of their
    /// own.
    const double* eye = nullptr;
    /// The projected size of a ball is radius * size_scale / distance; for orthographic matrices it is radius *
    /// size_scale. 0 takes the matrix's own scale, by which the view's height is 1. Corners and planes have no scale of
    /// their own. At most 1e10.
    double size_scale = 0;
    /// One of the two, or none. With a light the view's volume is that of the casters whose shadow can be seen
    /// (light.hpp). Distances and sizes are still measured from the eye. Objects are never reported wholly inside.
    const Sun* sun = nullptr;
    const Lamp* lamp = nullptr;
};

/// A view volume, ready to cull with. 3,384 bytes, immutable once prepared, cheap to copy. Any number of culls may
/// share one.
class View {
public:
    /// Not prepared: culling with it is an error.
    View() noexcept = default;

    [[nodiscard]] bool prepared() const noexcept { return prepared_.plane_count != 0; }

    /// Whether culls by it are exact: every object that is apart from the volume by more than the error bound can be
    /// proved apart. If false, the volume's planes alone decide, or the view is of a ball or of a lamp with a range;
    /// then more objects may be kept.
    [[nodiscard]] bool exact() const noexcept {
        return sees_nothing() || (prepared_.volume != VolumeKind::planes_only && prepared_.light_range == 0);
    }

    /// Whether it is proved that the volume has no point: clip planes, or what a light reaches, leave nothing of it.
    /// Culls by such a view cull every object, as behind a plane (Reason::culled_plane); visible stay, as always, those
    /// that flags force to be visible and invalid ones.
    [[nodiscard]] bool sees_nothing() const noexcept { return prepared_.sees_nothing != 0; }

    /// What the library reads of the view, for tools and tests. Its layout is not part of the interface.
    [[nodiscard]] const PreparedView& contents() const noexcept { return prepared_; }

private:
    friend struct ViewAccess;
    PreparedView prepared_;
};

/// Prepares the volume of a perspective or orthographic clip matrix (16 numbers). The volume is the set of points that
/// the numbers as given define exactly. Everything derived from it is rounded outward.
///
/// With clip planes, or with depth planes that are tilted so far that they miss some of the four edges, the volume's
/// corners are enumerated. Of planes that coincide, but for rounding, one counts. Where corners cannot be enclosed well
/// (those of volumes without end, above all), the planes alone decide. That culls less and is as safe.
///
/// Where clip planes leave nothing of the volume, as a mirror's plane does of a view beside it, the view is prepared
/// and sees nothing (View::sees_nothing()). So does one of a matrix whose near or far plane is tilted and leaves
/// nothing. The same holds for all functions below, whatever cuts their volumes, and for casters. It is proved, with
/// rounding counted; where it is too close to call, what cannot be enclosed is cut by the planes alone, and less is
/// culled.
///
/// Fails, leaving `view` untouched, if
///  - the matrix or the origin is not finite;
///  - the matrix is singular: its volume has no inside, or its planes neither meet in one point nor make a box;
///  - the matrix by itself has an empty volume, by depth planes that are parallel to the view's: its far plane lies
///    before its near plane, or both behind the eye; or w is below 0 everywhere;
///  - the matrix is orthographic and the volume has no depth limit;
///  - a coordinate of the volume exceeds 1e30;
///  - an option breaks its rule.
///
/// Thread-safe. Takes some microseconds, up to ten of them with clip planes or lights (benchmarks prepare/). Allocates
/// nothing.
LANECULL_API Status prepare_view(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, View& view,
                                 const ViewOptions& options = {}) noexcept;
LANECULL_API Status prepare_view(std::span<const float, 16> clip_from_world, const ClipSpace& clip_space, View& view,
                                 const ViewOptions& options = {}) noexcept;

/// One view for both eyes of a stereo pair: the convex hull of the two perspective volumes, each limited by the clip
/// planes. Everything that either eye sees is visible, and a little between the two volumes. (To cull for each eye,
/// pass two views to one call.) Layout, depth range and origin are the same for both matrices. Objects are never
/// reported wholly inside. Of an eye of whose volume nothing is left nothing is seen.
///
/// Fails as prepare_view() does, and if an eye's corners cannot be enclosed, clip planes left aside.
LANECULL_API Status prepare_stereo_view(std::span<const double, 16> left, std::span<const double, 16> right,
                                        const ClipSpace& clip_space, View& view,
                                        const ViewOptions& options = {}) noexcept;

/// The convex hull of eight corners: x y z of one after the other, in world coordinates. The corners' order does not
/// matter. They may coincide or lie in a plane. Objects are never reported wholly inside.
///
/// Fails if a number is not finite or beyond 1e30, or if an option breaks its rule.
LANECULL_API Status prepare_view_from_corners(std::span<const double, 24> corners, View& view,
                                              const ViewOptions& options = {}) noexcept;

/// The intersection of half-spaces, bounded or not. The options' clip planes add to them; at most 16 together. For a
/// volume without corners (a slab, a wedge), or one whose corners cannot be enclosed, the planes alone decide.
///
/// If the volume is empty for certain, the view sees nothing. Of volumes without corners that is found where two planes
/// are exactly back to back, and where two or three of them run along one of the world's axes.
///
/// Fails if there are no planes or too many, if a number is not finite, or if a normal is zero.
LANECULL_API Status prepare_view_from_planes(std::span<const Plane> planes, View& view,
                                             const ViewOptions& options = {}) noexcept;

/// A ball, such as what a lamp's range reaches: what is no farther from `center` than `radius`. The options' clip
/// planes cut it. Objects beyond the radius are culled by their distance (Reason::culled_distance): spheres, boxes,
/// capsules and oriented boxes by their nearest point, so all that are farther by more than the error bound; sheared
/// boxes nearly so, hulls by the box around their vertices. At clip planes the planes alone decide. Objects are never
/// reported wholly inside. As candidates of a lamp's other views, the words that a cull by this view writes leave out
/// nothing that the lamp lights.
///
/// Fails if a coordinate is not finite or beyond 1e30, if the radius is not above 0 or beyond 1e30, if an option breaks
/// its rule, or if the options have a light: for casters, pass the six planes around the ball.
LANECULL_API Status prepare_view_from_ball(std::span<const double, 3> center, double radius, View& view,
                                           const ViewOptions& options = {}) noexcept;

}  // namespace lanecull
