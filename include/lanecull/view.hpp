#pragma once

#include <span>

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

/// A view volume, ready for the kernels. Cheap to copy, immutable once prepared; any number of culls may share one.
class View {
public:
    /// Not prepared: culling with it is an error.
    View() noexcept = default;

    [[nodiscard]] bool prepared() const noexcept { return prepared_.plane_count != 0; }

    /// What the kernels read, for tools and tests. Its layout is not part of the interface.
    [[nodiscard]] const PreparedView& contents() const noexcept { return prepared_; }

private:
    friend Status prepare_view(std::span<const double, 16>, const ClipSpace&, View&) noexcept;
    PreparedView prepared_;
};

/// Prepares the volume of a perspective or orthographic clip matrix (16 numbers). The volume is the set of points that
/// the numbers as given define exactly; everything derived from it is rounded outward.
///
/// Fails, leaving `view` untouched, when the matrix or the origin is not finite, when the matrix is singular (its
/// volume has no inside, or its planes meet in no one point and no box), when the volume is empty, when an orthographic
/// one has no depth limit, or when a coordinate of it exceeds 1e30.
///
/// Thread-safe. Some microseconds; allocates nothing.
Status prepare_view(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, View& view) noexcept;
Status prepare_view(std::span<const float, 16> clip_from_world, const ClipSpace& clip_space, View& view) noexcept;

}  // namespace lanecull
