#pragma once

#if __cplusplus <= 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG > 201703L)
#error "lanecull/gjk.hpp needs C++20: compile with -std=c++20, or in CMake with target_compile_features(... cxx_std_20)"
#endif

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Vectors of two or three floats or doubles, and affine maps between them, which the pairwise algorithms calculate
/// with. They are aggregates, not initialized unless braces say so. v.x, v.y, v.z are public, so engines convert by
/// naming them.
namespace lanecull::gjk {

template <std::floating_point T, int N>
requires(N == 2 || N == 3) struct Vec;

template <std::floating_point T>
struct Vec<T, 2> {
    T x, y;
    bool operator==(const Vec&) const = default;
};

template <std::floating_point T>
struct Vec<T, 3> {
    T x, y, z;
    bool operator==(const Vec&) const = default;
};

template <class T>
using Vec2 = Vec<T, 2>;
template <class T>
using Vec3 = Vec<T, 3>;

/// (1, 0, 0): some direction.
template <class V>
[[nodiscard]] constexpr V some_axis() noexcept {
    V axis{};
    axis.x = 1;
    return axis;
}

template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> operator+(const Vec<T, N>& a, const Vec<T, N>& b) noexcept {
    if constexpr (N == 3)
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    else
        return {a.x + b.x, a.y + b.y};
}

template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> operator-(const Vec<T, N>& a, const Vec<T, N>& b) noexcept {
    if constexpr (N == 3)
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    else
        return {a.x - b.x, a.y - b.y};
}

template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> operator-(const Vec<T, N>& a) noexcept {
    if constexpr (N == 3)
        return {-a.x, -a.y, -a.z};
    else
        return {-a.x, -a.y};
}

template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> operator*(std::type_identity_t<T> s, const Vec<T, N>& a) noexcept {
    if constexpr (N == 3)
        return {s * a.x, s * a.y, s * a.z};
    else
        return {s * a.x, s * a.y};
}

template <class T, int N>
constexpr Vec<T, N>& operator+=(Vec<T, N>& a, const Vec<T, N>& b) noexcept {
    return a = a + b;
}

template <class T, int N>
[[nodiscard]] constexpr T dot(const Vec<T, N>& a, const Vec<T, N>& b) noexcept {
    if constexpr (N == 3)
        return a.x * b.x + a.y * b.y + a.z * b.z;
    else
        return a.x * b.x + a.y * b.y;
}

template <class T>
[[nodiscard]] constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// In the plane, the cross product's one component: positive when b is to the left of a.
template <class T>
[[nodiscard]] constexpr T cross(const Vec2<T>& a, const Vec2<T>& b) noexcept {
    return a.x * b.y - a.y * b.x;
}

/// a turned to the left by a right angle.
template <class T>
[[nodiscard]] constexpr Vec2<T> perpendicular(const Vec2<T>& a) noexcept {
    return {-a.y, a.x};
}

/// |s|. Written as a comparison, compilers make a branch of it, which is predicted badly and took a third of a query's
/// time.
template <std::floating_point T>
[[nodiscard]] constexpr T abs(T s) noexcept {
    if (std::is_constant_evaluated()) return s < 0 ? -s : s;
    return std::fabs(s);
}

/// `size` >= 0 with the sign of `sign`, without a branch too. -0 counts as +0, so that equal directions give equal
/// points.
template <std::floating_point T>
[[nodiscard]] constexpr T signed_as(T size, T sign) noexcept {
    if (std::is_constant_evaluated()) return sign < 0 ? -size : size;
    return std::copysign(size, sign + 0);
}

template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> abs(const Vec<T, N>& a) noexcept {
    if constexpr (N == 3)
        return {abs(a.x), abs(a.y), abs(a.z)};
    else
        return {abs(a.x), abs(a.y)};
}

/// Component by component.
template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> divided(const Vec<T, N>& a, const Vec<T, N>& b) noexcept {
    if constexpr (N == 3)
        return {a.x / b.x, a.y / b.y, a.z / b.z};
    else
        return {a.x / b.x, a.y / b.y};
}

/// The largest component's magnitude. Any number for a vector with a NaN.
template <class T, int N>
[[nodiscard]] constexpr T max_norm(const Vec<T, N>& a) noexcept {
    const Vec<T, N> m = abs(a);
    T most = m.x > m.y ? m.x : m.y;
    if constexpr (N == 3) most = most > m.z ? most : m.z;
    return most;
}

/// The sum of the components' magnitudes.
template <class T, int N>
[[nodiscard]] constexpr T sum_norm(const Vec<T, N>& a) noexcept {
    const Vec<T, N> m = abs(a);
    if constexpr (N == 3)
        return m.x + m.y + m.z;
    else
        return m.x + m.y;
}

/// The largest component's magnitude, for bounds: NaN when a component is NaN or infinite.
template <class T, int N>
[[nodiscard]] constexpr T reach(const Vec<T, N>& a) noexcept {
    const T sum = sum_norm(a);
    return max_norm(a) + (sum - sum);
}

template <class T, int N>
[[nodiscard]] T length(const Vec<T, N>& a) noexcept {
    return std::sqrt(dot(a, a));
}

template <class T, int N>
[[nodiscard]] constexpr bool is_zero(const Vec<T, N>& a) noexcept {
    return a == Vec<T, N>{};
}

/// The power of two that brings `size` > 0 into [1, 2), at most the inverse of the smallest normal number; 1 for zero.
/// Anything finite for NaN and infinity.
template <std::floating_point T>
[[nodiscard, gnu::always_inline]] inline constexpr T scale_to_one(T size) noexcept {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
    constexpr Bits bias = std::numeric_limits<T>::max_exponent - 1;
    // The compiler's own: libc++ has no std::bit_cast before its version 14.
    const Bits exponent = __builtin_bit_cast(Bits, size) >> fraction_bits;
    const Bits inverse = exponent < 2 * bias ? 2 * bias - (exponent > 0 ? exponent : 1) : 1;
    return size == 0 ? T(1) : __builtin_bit_cast(T, inverse << fraction_bits);
}

/// a times the power of two that brings its largest component into [1, 2). That is exact, and squares neither overflow
/// nor underflow afterwards. Zero, NaN and infinity stay what they are. A vector below 2^-126 (2^-1022) is
/// enlarged by the inverse of that.
template <class T, int N>
[[nodiscard, gnu::always_inline]] inline constexpr Vec<T, N> rescaled(const Vec<T, N>& a) noexcept {
    return scale_to_one(max_norm(a)) * a;
}

namespace detail {

/// unit() for any length. A function of its own, so that unit() is short enough to be inlined: a call passes vectors
/// through memory.
template <class T, int N>
[[nodiscard, gnu::noinline, gnu::cold]] Vec<T, N> unit_of_extreme(const Vec<T, N>& a) noexcept {
    if (is_zero(a)) return a;
    const Vec<T, N> scaled = rescaled(rescaled(a));
    return (1 / length(scaled)) * scaled;
}

}  // namespace detail

/// a / |a|; zero stays zero.
template <class T, int N>
[[nodiscard, gnu::always_inline]] inline Vec<T, N> unit(const Vec<T, N>& a) noexcept {
    // Vectors whose squares lie between these are far from underflow and overflow.
    constexpr T least = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
    constexpr T most = 1 / least;
    const T square = dot(a, a);
    if (square > least && square < most) [[likely]]
        return (1 / std::sqrt(square)) * a;
    return detail::unit_of_extreme(a);
}

/// Each number rounded to a To.
template <class To, class T, int N>
[[nodiscard]] constexpr Vec<To, N> cast(const Vec<T, N>& a) noexcept {
    if constexpr (N == 3)
        return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
    else
        return {static_cast<To>(a.x), static_cast<To>(a.y)};
}

/// N columns of N numbers: M v = sum over k of v_k column_k.
template <class T, int N>
struct Matrix {
    Vec<T, N> column[N];
};

template <class T, int N>
[[nodiscard]] constexpr Matrix<T, N> identity() noexcept {
    if constexpr (N == 3)
        return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    else
        return {{{1, 0}, {0, 1}}};
}

template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> operator*(const Matrix<T, N>& m, const Vec<T, N>& v) noexcept {
    if constexpr (N == 3)
        return v.x * m.column[0] + v.y * m.column[1] + v.z * m.column[2];
    else
        return v.x * m.column[0] + v.y * m.column[1];
}

template <class T, int N>
[[nodiscard]] constexpr Matrix<T, N> operator*(std::type_identity_t<T> s, const Matrix<T, N>& m) noexcept {
    Matrix<T, N> result;
    for (int k = 0; k < N; ++k) result.column[k] = s * m.column[k];
    return result;
}

template <class T, int N>
[[nodiscard]] constexpr Matrix<T, N> operator+(const Matrix<T, N>& m, const Matrix<T, N>& n) noexcept {
    Matrix<T, N> result;
    for (int k = 0; k < N; ++k) result.column[k] = m.column[k] + n.column[k];
    return result;
}

/// The transpose of m, times v.
template <class T, int N>
[[nodiscard]] constexpr Vec<T, N> transposed_times(const Matrix<T, N>& m, const Vec<T, N>& v) noexcept {
    if constexpr (N == 3)
        return {dot(m.column[0], v), dot(m.column[1], v), dot(m.column[2], v)};
    else
        return {dot(m.column[0], v), dot(m.column[1], v)};
}

/// m part = v up to rounding, as transposed_times(m, v) is if m's columns have length 1 and are at right angles.
template <class T, int N>
[[nodiscard]] constexpr bool is_made_of(const Vec<T, N>& v, const Matrix<T, N>& m, const Vec<T, N>& part) noexcept {
    return sum_norm(m * part - v) <= 8 * std::numeric_limits<T>::epsilon() * sum_norm(v);
}

/// The largest sum of magnitudes in a row: no component of m v is larger than this times v's largest. NaN as in
/// reach().
template <class T, int N>
[[nodiscard]] constexpr T growth(const Matrix<T, N>& m) noexcept {
    Vec<T, N> sum = abs(m.column[0]);
    for (int k = 1; k < N; ++k) sum += abs(m.column[k]);
    return reach(sum);
}

/// Times u, this is far above what one underflow loses, and far below the size of anything in a scene.
template <class T>
inline constexpr T tiny_factor = 8 * std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();

/// An addition to the magnitude of a shape that m maps, for numbers of extreme size. Products of m and a direction that
/// underflow turn the direction, which moves a support point by a part of the mapped shape's `size`; a support point
/// that underflows is off by a part of m. NaN where a product may overflow, so that nothing is proved.
template <class T, int N>
[[nodiscard]] constexpr T extremes(const Matrix<T, N>& m, T size) noexcept {
    const T most = growth(m), large = 16 * most;
    return tiny_factor<T> * (size + most) + (large - large);
}

/// p -> linear p + translation. Any numbers are allowed; the map may flatten and mirror.
template <class T, int N>
struct Affine {
    Matrix<T, N> linear = identity<T, N>();
    Vec<T, N> translation{};
};

/// p -> rotation p + translation. The rotation's columns have length 1 and are at right angles, up to rounding; it may
/// mirror.
template <class T, int N>
struct Pose {
    Matrix<T, N> rotation = identity<T, N>();
    Vec<T, N> translation{};
};

/// The map from b's coordinates to a's, given the poses of both in the world. Positions are subtracted before anything
/// is multiplied, so that a pair far from the origin loses no more than its own coordinates have lost already.
template <class T, int N>
[[nodiscard]] constexpr Pose<T, N> relative(const Pose<T, N>& a, const Pose<T, N>& b) noexcept {
    Pose<T, N> result;
    for (int k = 0; k < N; ++k) result.rotation.column[k] = transposed_times(a.rotation, b.rotation.column[k]);
    result.translation = transposed_times(a.rotation, b.translation - a.translation);
    return result;
}

template <class To, class T, int N>
[[nodiscard]] constexpr Pose<To, N> cast(const Pose<T, N>& a) noexcept {
    Pose<To, N> result;
    for (int k = 0; k < N; ++k) result.rotation.column[k] = cast<To>(a.rotation.column[k]);
    result.translation = cast<To>(a.translation);
    return result;
}

}  // namespace lanecull::gjk
