#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#define GLM_FORCE_RADIANS
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include <lanecull/bounds.h>

#include "support/culling.hpp"
#include "support/double3.hpp"

/// The table of conventions in include/guide/first-frame.md. Matrices are built and stored as graphics interfaces,
/// engines and libraries do it. Read with the setting in the table, they give the verdicts of their camera. Where the
/// wrong setting is an easy mistake, the test shows that it gives other verdicts.

namespace {

using lanecull::ClipSpace;
using lanecull::DepthRange;
using lanecull::MatrixLayout;
using ::operator*;
using Vec = Double3;
using Matrix = std::array<std::array<double, 4>, 4>;  // [row][column], as formulas write it

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t k = 0; k < 4; ++k) product[r][c] += a[r][k] * b[k][c];
        }
    }
    return product;
}

Matrix transposed(const Matrix& m) {
    Matrix result;
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) result[c][r] = m[r][c];
    }
    return result;
}

/// The 16 numbers row by row: the memory of a row-major type, such as XMFLOAT4X4, FMatrix or float[4][4].
std::array<double, 16> rows_of(const Matrix& m) {
    std::array<double, 16> numbers;
    for (std::size_t k = 0; k < 16; ++k) numbers[k] = m[k / 4][k % 4];
    return numbers;
}

/// Column by column: Eigen's default, Unity's Matrix4x4, Godot's Projection.
std::array<double, 16> columns_of(const Matrix& m) { return rows_of(transposed(m)); }

std::array<float, 16> floats(const std::array<double, 16>& numbers) {
    std::array<float, 16> result;
    for (std::size_t k = 0; k < 16; ++k) result[k] = static_cast<float>(numbers[k]);
    return result;
}

// The camera that all of them describe: 90 degrees high, twice as wide, depths 1 to 100; turned, and off the origin.
constexpr double near_depth = 1, far_depth = 100, aspect = 2;
constexpr Vec eye = {3, -2, 7};
constexpr Vec right = {0.6, 0, -0.8}, up = {0.48, 0.8, 0.36}, forward = {0.64, -0.6, 0.48};

/// A view matrix for column vectors: rows x, y, z, the eye moved to the origin.
Matrix view_matrix(const Vec& x, const Vec& y, const Vec& z, const Vec& from = eye) {
    Matrix m{};
    const Vec* const axes[3] = {&x, &y, &z};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) m[r][c] = (*axes[r])[c];
        m[r][3] = -dot(*axes[r], from);
    }
    m[3][3] = 1;
    return m;
}
constexpr Vec negated(const Vec& a) { return {-a[0], -a[1], -a[2]}; }

/// Column vectors; z_row: the third row's last two numbers; w = sign z.
Matrix projection_matrix(double z_scale, double z_offset, double w_sign) {
    return {{{1 / aspect, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, z_scale, z_offset}, {0, 0, w_sign, 0}}};
}

/// A small sphere at so much right, up and forward of the eye.
struct Probe {
    double right, up, forward;
    bool visible;
};
constexpr Probe probes[] = {
    {0, 0, 10, true},
    {18, 0, 10, true},
    {22, 0, 10, false},
    {-18, 0, 10, true},
    {-22, 0, 10, false},
    {0, 9, 10, true},
    {0, 12, 10, false},
    {0, -9, 10, true},
    {0, -12, 10, false},
    {0, 0, -10, false},
    {0, 0, 0.5, false},  // before the near plane; a depth range -w to w would
                         // take it in where 0 to w is meant
    {0, 0, 1.5, true},   // just behind it; 0 to w would leave it out where -w to w is meant
    {0, 0, 95, true},
    {0, 0, 110, false},
};
constexpr std::uint64_t beyond_far = std::uint64_t{1} << 13;

std::uint64_t expected_bits() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < std::size(probes); ++i) bits |= std::uint64_t{probes[i].visible} << i;
    return bits;
}

Vec position_of(const Probe& probe, const Vec& from) {
    return from + probe.right * right + probe.up * up + probe.forward * forward;
}

/// The probes' verdicts; positions relative to `origin`, the camera at `from`.
template <class Number>
std::uint64_t verdicts(const std::array<Number, 16>& matrix, const ClipSpace& clip_space, const Vec& from = eye,
                       const Vec& origin = {}) {
    constexpr std::size_t count = std::size(probes);
    std::array<double, 3 * count> positions;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec p = position_of(probes[i], from);
        std::copy(p.begin(), p.end(), positions.begin() + static_cast<std::ptrdiff_t>(3 * i));
    }
    std::array<float, count> x, y, z, radius;
    radius.fill(0.1f);
    EXPECT_TRUE(lanecull::relative_spheres({positions.data()}, radius.data(), count, origin, x.data(), y.data(),
                                           z.data(), radius.data()));
    lanecull::View view;
    const lanecull::Status status = lanecull::prepare_view(matrix, clip_space, view);
    EXPECT_TRUE(status.ok()) << status.message();
    if (!status) return 0;
    const lanecull::Batch batch = lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), count};
    return run_cull(batch, view).words[0];
}

constexpr ClipSpace columns_zero_to_one = ClipSpace::vulkan();
constexpr ClipSpace columns_minus_one = ClipSpace::opengl();
constexpr ClipSpace rows_zero_to_one = {.layout = MatrixLayout::row_major, .depth = DepthRange::zero_to_one};

glm::vec3 to_glm(const Vec& a) { return glm::vec3(a[0], a[1], a[2]); }

std::array<float, 16> memory_of(const glm::mat4& m) {
    std::array<float, 16> numbers;
    std::copy_n(glm::value_ptr(m), 16, numbers.begin());
    return numbers;
}

constexpr float quarter_turn = 1.57079632679f;
constexpr float near_float = near_depth, far_float = far_depth, aspect_float = aspect;

glm::mat4 glm_view_rh() { return glm::lookAtRH(to_glm(eye), to_glm(eye) + to_glm(forward), to_glm(up)); }

TEST(Conventions, GlmForOpenGl) {
    const auto m = memory_of(glm::perspectiveRH_NO(quarter_turn, aspect_float, near_float, far_float) * glm_view_rh());
    EXPECT_EQ(verdicts(m, ClipSpace::opengl()), expected_bits());
    EXPECT_NE(verdicts(m, ClipSpace::vulkan()), expected_bits());
}

TEST(Conventions, GlmForVulkan) {
    glm::mat4 projection = glm::perspectiveRH_ZO(quarter_turn, aspect_float, near_float, far_float);
    projection[1][1] = -projection[1][1];  // y points down
    const auto m = memory_of(projection * glm_view_rh());
    EXPECT_EQ(verdicts(m, ClipSpace::vulkan()), expected_bits());
    EXPECT_NE(verdicts(m, ClipSpace::opengl()), expected_bits());
}

TEST(Conventions, GlmLeftHandedForMetalAndDirect3D) {
    const auto m = memory_of(glm::perspectiveLH_ZO(quarter_turn, aspect_float, near_float, far_float) *
                             glm::lookAtLH(to_glm(eye), to_glm(eye) + to_glm(forward), to_glm(up)));
    // lookAtLH's x axis is up x forward, the other side of this camera's: the picture is mirrored, the volume is not.
    EXPECT_EQ(verdicts(m, ClipSpace::metal()), expected_bits());
}

TEST(Conventions, EigenByColumnsAndByRows) {
    const Matrix clip =
        projection_matrix(far_depth / (near_depth - far_depth), far_depth * near_depth / (near_depth - far_depth), -1) *
        view_matrix(right, up, negated(forward));
    EXPECT_EQ(verdicts(columns_of(clip), columns_zero_to_one), expected_bits()) << "Matrix4d";
    EXPECT_EQ(verdicts(rows_of(clip), rows_zero_to_one), expected_bits()) << "Matrix<double, 4, 4, RowMajor>";
    EXPECT_EQ(verdicts(floats(columns_of(clip)), columns_zero_to_one), expected_bits()) << "Matrix4f";
}

/// DirectXMath multiplies row vectors: what is here the transpose is there the matrix.
TEST(Conventions, DirectXMath) {
    const Matrix view = transposed(view_matrix(right, up, forward));
    const Matrix projection = transposed(
        projection_matrix(far_depth / (far_depth - near_depth), -far_depth * near_depth / (far_depth - near_depth), 1));
    const Matrix view_projection = view * projection;      // XMMatrixMultiply(view, projection)
    const auto stored = floats(rows_of(view_projection));  // XMStoreFloat4x4
    EXPECT_EQ(verdicts(stored, ClipSpace::direct3d()), expected_bits());
    const auto for_shader = floats(rows_of(transposed(view_projection)));  // XMMatrixTranspose, for a constant buffer
    EXPECT_EQ(verdicts(for_shader, rows_zero_to_one), expected_bits());
    lanecull::View view_of_wrong_layout;
    EXPECT_TRUE(!lanecull::prepare_view(stored, rows_zero_to_one, view_of_wrong_layout) ||
                verdicts(stored, rows_zero_to_one) != expected_bits());
}

/// Row vectors, doubles, reversed depth with an infinite far plane; the view matrix without its translation, and the
/// camera, far from the world's origin, apart. Objects come relative to a tile's corner.
TEST(Conventions, Unreal) {
    const Matrix view_rotation = transposed(view_matrix(right, up, forward, {}));
    const Matrix projection = transposed(projection_matrix(0, near_depth, 1));
    const auto translated_view_projection = rows_of(view_rotation * projection);
    const Vec view_origin = {4'000'003.25, -7'999'998.5, 1'234.125}, tile = {4'000'000, -8'000'000, 0};
    EXPECT_EQ(verdicts(translated_view_projection, ClipSpace::unreal(view_origin - tile), view_origin, tile),
              expected_bits() | beyond_far);
}

/// Camera.projectionMatrix * Camera.worldToCameraMatrix follows OpenGL's conventions whatever the device; what
/// GL.GetGPUProjectionMatrix makes of it is the device's, on most of them reversed, 0 to 1 and perhaps upside down.
TEST(Conventions, Unity) {
    const Matrix world_to_camera = view_matrix(right, up, negated(forward));
    const Matrix projection = projection_matrix((far_depth + near_depth) / (near_depth - far_depth),
                                                2 * far_depth * near_depth / (near_depth - far_depth), -1);
    EXPECT_EQ(verdicts(floats(columns_of(projection * world_to_camera)), ClipSpace::unity()), expected_bits());
    Matrix gpu_projection = projection;
    for (std::size_t c = 0; c < 4; ++c) {
        gpu_projection[1][c] = -projection[1][c];
        gpu_projection[2][c] = (projection[3][c] - projection[2][c]) / 2;  // z from -w .. w to w .. 0
    }
    const auto on_device = floats(columns_of(gpu_projection * world_to_camera));
    EXPECT_EQ(verdicts(on_device, columns_zero_to_one), expected_bits());
    EXPECT_NE(verdicts(on_device, columns_minus_one), expected_bits());
}

/// Camera3D.get_camera_projection() * Projection(get_camera_transform().affine_inverse()): OpenGL's conventions; the
/// renderer's own correction (reversed depth from 4.3 on) comes after.
TEST(Conventions, Godot) {
    const Matrix camera_transform = [] {
        Matrix m{};
        const Vec columns[4] = {right, up, negated(forward), eye};
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t r = 0; r < 3; ++r) m[r][c] = columns[c][r];
        }
        m[3][3] = 1;
        return m;
    }();
    Matrix affine_inverse{};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            affine_inverse[r][c] = camera_transform[c][r];
            affine_inverse[r][3] -= camera_transform[c][r] * camera_transform[c][3];
        }
    }
    affine_inverse[3][3] = 1;
    const Matrix projection = projection_matrix(-(far_depth + near_depth) / (far_depth - near_depth),
                                                -2 * far_depth * near_depth / (far_depth - near_depth), -1);
    const auto m = floats(columns_of(projection * affine_inverse));
    EXPECT_EQ(verdicts(m, ClipSpace::godot()), expected_bits());
    EXPECT_NE(verdicts(m, columns_zero_to_one), expected_bits());
}

/// Frustum::getProjectionMatrix() * getViewMatrix(): columns are vectors, Matrix4 stores rows of floats, and depths are
/// OpenGL's whatever draws; getProjectionMatrixWithRSDepth() has those of the render system.
TEST(Conventions, Ogre) {
    const Matrix view = view_matrix(right, up, negated(forward));
    const Matrix projection = projection_matrix(-(far_depth + near_depth) / (far_depth - near_depth),
                                                -2 * far_depth * near_depth / (far_depth - near_depth), -1);
    const auto stored = floats(rows_of(projection * view));
    EXPECT_EQ(verdicts(stored, ClipSpace::ogre()), expected_bits());
    EXPECT_NE(verdicts(stored, rows_zero_to_one), expected_bits());
    lanecull::View view_of_wrong_layout;
    EXPECT_TRUE(!lanecull::prepare_view(stored, ClipSpace::opengl(), view_of_wrong_layout) ||
                verdicts(stored, ClipSpace::opengl()) != expected_bits());
}

TEST(Conventions, ReversedAndInfiniteDepthNeedNoWord) {
    const Matrix view = view_matrix(right, up, negated(forward));
    const Matrix reversed =
        projection_matrix(near_depth / (far_depth - near_depth), far_depth * near_depth / (far_depth - near_depth), -1);
    EXPECT_EQ(verdicts(columns_of(reversed * view), columns_zero_to_one), expected_bits());
    const Matrix infinite = projection_matrix(-1, -near_depth, -1);
    EXPECT_EQ(verdicts(columns_of(infinite * view), columns_zero_to_one), expected_bits() | beyond_far);
    const Matrix reversed_infinite = projection_matrix(0, near_depth, -1);
    EXPECT_EQ(verdicts(columns_of(reversed_infinite * view), columns_zero_to_one), expected_bits() | beyond_far);
}

}  // namespace
