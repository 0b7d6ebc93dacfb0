#pragma once

#include <cstdint>
#include <span>

#include <lanecull/export.hpp>
#include <lanecull/light.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/prepared_view.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// In which order a 4x4 matrix's 16 numbers are stored. Whatever the order, vectors are columns: clip = M (x, y, z, 1).
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

/// How to read a clip matrix. Reversed depth, infinite far planes, off-centre and mirrored projections need no word:
/// the inequalities above define the volume whatever the matrix.
struct ClipSpace {
    MatrixLayout layout = MatrixLayout::column_major;
    DepthRange depth = DepthRange::zero_to_one;
    /// The matrix maps (p - origin): clip = M (x - origin[0], y - origin[1], z - origin[2], 1). For camera-relative
    /// rendering, where M holds no eye position, pass the eye, in double precision; else leave it 0.
    double origin[3] = {0, 0, 0};
};

/// What a view may have besides its volume's shape. Read while the view is prepared, not kept.
struct ViewOptions {
    /// Half-spaces that limit the volume further: an oblique near plane, a portal's sides. At most 10.
    std::span<const Plane> clip_planes = {};
    /// >= 0. Widens the volume: all within this distance of it is seen. Exact at edges and corners too.
    double margin = 0;
    /// Objects without a bit in common with it are culled (Attributes::layers).
    std::uint32_t layer_mask = ~std::uint32_t{0};
    /// Where distances and projected sizes are measured from: 3 doubles, world coordinates; or null for the matrix's
    /// own eye (left eye of a stereo pair). Orthographic matrices, corners and planes have none of their own.
    const double* eye = nullptr;
    /// Projected size of a ball: radius * size_scale / distance, the distance left out for orthographic matrices. 0 for
    /// the matrix's own, by which the view's height is 1; corners and planes have none of their own. At most 1e10.
    double size_scale = 0;
    /// One of the two, or none: the view's volume is then that of the casters whose shadow can be seen (light.hpp).
    /// Distances and sizes stay those from the eye. Objects are never reported wholly inside.
    const Sun* sun = nullptr;
    const Lamp* lamp = nullptr;
};

/// A view volume, ready for the kernels. Some 2.7 KB, immutable once prepared; any number of culls may share one. Cheap
/// to copy.
class View {
public:
    /// Not prepared: culling with it is an error.
    View() noexcept = default;

    [[nodiscard]] bool prepared() const noexcept { return prepared_.plane_count != 0; }

    /// Whether culls by it are exact: what is apart from the volume by more than the error bound can be told to be.
    /// Else its planes alone decide, or it is of a lamp with a range: more is kept.
    [[nodiscard]] bool exact() const noexcept {
        return prepared_.volume != VolumeKind::planes_only && prepared_.light_range == 0;
    }

    /// What the kernels read, for tools and tests. Its layout is not part of the interface.
    [[nodiscard]] const PreparedView& contents() const noexcept { return prepared_; }

private:
    friend struct ViewAccess;
    PreparedView prepared_;
};

/// Prepares the volume of a perspective or orthographic clip matrix (16 numbers). The volume is the set of points that
/// the numbers as given define exactly; everything derived from it is rounded outward.
///
/// With clip planes, or depth planes tilted so far that they miss some of the four edges, the volume's corners are
/// enumerated; where they cannot be enclosed well (planes close to parallel), the planes alone decide, which culls less
/// but is as safe.
///
/// Fails, leaving `view` untouched, when the matrix or the origin is not finite, when the matrix is singular (its
/// volume has no inside, or its planes meet in no one point and no box), when the volume is empty, when an orthographic
/// one has no depth limit, when a coordinate of it exceeds 1e30, or when an option breaks its rule.
///
/// Thread-safe. Some microseconds, tens with clip planes or lights; allocates nothing.
LANECULL_API Status prepare_view(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, View& view,
                                 const ViewOptions& options = {}) noexcept;
LANECULL_API Status prepare_view(std::span<const float, 16> clip_from_world, const ClipSpace& clip_space, View& view,
                                 const ViewOptions& options = {}) noexcept;

/// One view for both eyes of a stereo pair: the convex hull of the two perspective volumes, each limited by the clip
/// planes. What either eye sees is visible, and a little between them. (Two views in one call tell the eyes apart.)
/// Layout, depth range and origin are the same for both. Objects are never reported wholly inside.
///
/// Fails as prepare_view() does, and when an eye's corners cannot be enclosed.
LANECULL_API Status prepare_stereo_view(std::span<const double, 16> left, std::span<const double, 16> right,
                                        const ClipSpace& clip_space, View& view,
                                        const ViewOptions& options = {}) noexcept;

/// The convex hull of eight corners, x y z of one after the other, in world coordinates and any order; they may
/// coincide or lie in a plane. Usual orders help nothing and cost nothing. Objects are never reported wholly inside.
///
/// Fails when a number is not finite or beyond 1e30, or when an option breaks its rule.
LANECULL_API Status prepare_view_from_corners(std::span<const double, 24> corners, View& view,
                                              const ViewOptions& options = {}) noexcept;

/// The intersection of half-spaces, bounded or not; clip planes of the options add to them, at most 16 together. A
/// volume without corners (a slab, a wedge), or one whose corners cannot be enclosed, is told by its planes alone.
///
/// Fails when there are none or too many, when a number is not finite, when a normal is zero, or when the volume is
/// empty for certain.
LANECULL_API Status prepare_view_from_planes(std::span<const Plane> planes, View& view,
                                             const ViewOptions& options = {}) noexcept;

}  // namespace lanecull
