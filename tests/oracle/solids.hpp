#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <lanecull/view.h>

/// The tests' solids as points and a radius, for both oracles: T is the number that an oracle computes with.
namespace solids {

template <class T>
struct Vec {
    T x{}, y{}, z{};
    bool operator==(const Vec&) const = default;
};

template <class T>
[[nodiscard]] Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[nodiscard]] Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
[[nodiscard]] Vec<T> operator*(const T& s, const Vec<T>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
[[nodiscard]] T dot(const Vec<T>& a, const Vec<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
[[nodiscard]] Vec<T> cross(const Vec<T>& a, const Vec<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <std::floating_point T>
[[nodiscard]] T length(const Vec<T>& a) {
    return std::sqrt(dot(a, a));
}
template <std::floating_point T>
[[nodiscard]] T largest_component(const Vec<T>& a) {
    return std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)});
}

/// The square root of a T, and what quotients by it are rounded to, for ovals. Of Terms both are terms of their own.
template <class T>
struct Root;
template <std::floating_point T>
struct Root<T> {
    [[nodiscard]] static T of(T x) { return std::sqrt(x); }
    [[nodiscard]] static T shortened(T x) { return x; }
    [[nodiscard]] static T alone(T x) { return x; }
};

/// centre + sum of t_k axes[k] with |t| <= 1; with a sine other than 0 only t up to a half-angle from the first axis,
/// whose cosine and sine these are.
template <class T>
struct Oval {
    Vec<T> centre;
    std::array<Vec<T>, 3> axes;
    T cosine{0}, sine{0};
};

/// Every point within `radius` of the convex hull of `points` and `ovals`. With ovals the points are some of theirs:
/// enough for sizes, and for what is claimed of any point.
template <class T>
struct Solid {
    std::vector<Vec<T>> points;
    T radius{0};
    std::vector<Oval<T>> ovals{};
};

/// The squared length of w as the oval's axes have it: the oval reaches its root farther along w than its centre does.
template <class T>
[[nodiscard]] T squared_reach(const Oval<T>& oval, const Vec<T>& w) {
    T sum{0};
    for (const Vec<T>& axis : oval.axes) {
        const T along = dot(w, axis);
        sum = sum + along * along;
    }
    return sum;
}

/// How far the rim of a sector's cap, or its apex, reaches along w; nothing where a point within the cap does, or where
/// the oval is whole.
template <class T>
[[nodiscard]] std::optional<T> reach_of_rim(const Oval<T>& oval, const Vec<T>& w) {
    if (oval.sine == T(0)) return {};
    const T along = dot(w, oval.axes[0]);
    const T across = Root<T>::of(squared_reach<T>({{}, {Vec<T>{}, oval.axes[1], oval.axes[2]}}, w));
    if (oval.sine * along > oval.cosine * across) return {};
    return std::max<T>(T(0), oval.cosine * along + oval.sine * across);
}

/// How far the oval reaches along w from its centre; perhaps a little more.
template <class T>
[[nodiscard]] T reach(const Oval<T>& oval, const Vec<T>& w) {
    if (const std::optional<T> of_rim = reach_of_rim(oval, w)) return *of_rim;
    return Root<T>::of(squared_reach(oval, w));
}

/// The oval's point farthest along w, or one of its points near that.
template <class T>
[[nodiscard]] Vec<T> farthest(const Oval<T>& oval, const Vec<T>& w) {
    Vec<T> p = oval.centre;
    std::array<Vec<T>, 3> axes = oval.axes;
    if (const std::optional<T> of_rim = reach_of_rim(oval, w)) {
        if (*of_rim == T(0)) return p;
        p = p + oval.cosine * axes[0];
        axes = {Vec<T>{}, oval.sine * axes[1], oval.sine * axes[2]};
    }
    const T square = squared_reach<T>({{}, axes}, w);
    if (square == T(0)) return p;
    const T length = Root<T>::of(square);
    for (const Vec<T>& axis : axes) p = p + Root<T>::shortened(dot(w, axis) / length) * axis;
    return p;
}

/// The largest w . p over the solid without its radius; of ovals it may be a little more.
template <class T>
[[nodiscard]] T highest(const Solid<T>& solid, const Vec<T>& w) {
    T best = dot(w, solid.points[0]);
    for (const Vec<T>& p : solid.points) best = std::max<T>(best, dot(w, p));
    for (const Oval<T>& oval : solid.ovals) {
        best = std::max<T>(best, dot(w, oval.centre) + reach(oval, w));
    }
    return best;
}

/// Adds the ovals' points farthest along w. Whether they reach farther than the points did.
template <class T>
bool add_farthest(const std::vector<Oval<T>>& ovals, const Vec<T>& w, std::vector<Vec<T>>& points) {
    T best = dot(w, points[0]);
    for (const Vec<T>& p : points) best = std::max<T>(best, dot(w, p));
    bool farther = false;
    for (const Oval<T>& oval : ovals) {
        const Vec<T> p = farthest(oval, w);
        if (!(dot(w, p) > best)) continue;
        points.push_back(p);
        farther = true;
    }
    return farther;
}

template <class T>
[[nodiscard]] Solid<T> translated(Solid<T> solid, const Vec<T>& by) {
    for (Vec<T>& p : solid.points) p = p + by;
    for (Oval<T>& oval : solid.ovals) oval.centre = oval.centre + by;
    return solid;
}

/// Exact numbers have no infinity. So their makers refuse what is no solid, by std::domain_error; others compute with
/// it.
template <class T>
constexpr bool refuses = std::numeric_limits<T>::is_exact;

template <class T>
[[nodiscard]] T number(double value) {
    if (refuses<T> && !std::isfinite(value)) throw std::domain_error("oracle: a number is not finite");
    return T(value);
}
template <class T>
[[nodiscard]] Vec<T> vector(const float v[3]) {
    return {number<T>(v[0]), number<T>(v[1]), number<T>(v[2])};
}
template <class T>
[[nodiscard]] T radius(float value) {
    if (refuses<T> && value < 0) throw std::domain_error("oracle: a radius is negative");
    return number<T>(value);
}

/// The union of the solid translated by s v, 0 <= s <= 1.
template <class T>
[[nodiscard]] Solid<T> swept(Solid<T> solid, const Vec<T>& v) {
    if (v == Vec<T>{}) return solid;
    const std::size_t count = solid.points.size();
    for (std::size_t i = 0; i < count; ++i) solid.points.push_back(solid.points[i] + v);
    const std::size_t ovals = solid.ovals.size();
    for (std::size_t i = 0; i < ovals; ++i) {
        solid.ovals.push_back(solid.ovals[i]);
        solid.ovals.back().centre = solid.ovals[i].centre + v;
    }
    return solid;
}

/// Everything within `margin` >= 0 of the solid.
template <class T>
[[nodiscard]] Solid<T> grown(Solid<T> solid, const std::type_identity_t<T>& margin) {
    solid.radius = solid.radius + margin;
    return solid;
}

/// The sums of centre and, for each k, one of low[k] and high[k].
template <class T>
[[nodiscard]] Solid<T> corners(const Vec<T>& centre, const std::array<Vec<T>, 3>& low,
                               const std::array<Vec<T>, 3>& high) {
    std::vector<Vec<T>> points{centre};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t count = points.size();
        for (std::size_t i = 0; low[k] != high[k] && i < count; ++i) points.push_back(points[i] + high[k]);
        for (std::size_t i = 0; i < count; ++i) points[i] = points[i] + low[k];
    }
    return {points};
}

/// centre + sum of s_k half[k] axes[k], |s_k| <= 1.
template <class T>
[[nodiscard]] Solid<T> box_along(const Vec<T>& centre, const std::array<Vec<T>, 3>& axes, const float half[3]) {
    std::array<Vec<T>, 3> low, high;
    for (std::size_t k = 0; k < 3; ++k) {
        high[k] = number<T>(half[k]) * axes[k];
        low[k] = Vec<T>{} - high[k];
    }
    return corners(centre, low, high);
}

template <class T>
[[nodiscard]] Solid<T> sphere(const float centre[3], float radius) {
    return {{vector<T>(centre)}, solids::radius<T>(radius)};
}

template <class T>
[[nodiscard]] Solid<T> box(const float min[3], const float max[3]) {
    const Vec<T> a = vector<T>(min), b = vector<T>(max);
    const T zero{0};
    return corners<T>({}, {{{a.x, zero, zero}, {zero, a.y, zero}, {zero, zero, a.z}}},
                      {{{b.x, zero, zero}, {zero, b.y, zero}, {zero, zero, b.z}}});
}

template <class T>
inline const std::array<Vec<T>, 3> along_the_world{{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}};

template <class T>
[[nodiscard]] Solid<T> centered_box(const float centre[3], const float half[3]) {
    return box_along(vector<T>(centre), along_the_world<T>, half);
}

/// axes: three vectors of any lengths, at any angles.
template <class T>
[[nodiscard]] Solid<T> oriented_box(const float centre[3], const float axes[9], const float half[3]) {
    return box_along(vector<T>(centre), {vector<T>(axes), vector<T>(axes + 3), vector<T>(axes + 6)}, half);
}

/// The axes of the rotation by quaternion / |quaternion|: x, y, z, w of any length but 0.
template <class T>
[[nodiscard]] std::array<Vec<T>, 3> rotated_axes(const float quaternion[4]) {
    const Vec<T> v = vector<T>(quaternion);
    const T w = number<T>(quaternion[3]), square = dot(v, v) + w * w;
    if (refuses<T> && square == T(0)) throw std::domain_error("oracle: a quaternion of length 0");
    std::array<Vec<T>, 3> axes = along_the_world<T>;
    for (Vec<T>& axis : axes) {  // q axis q^-1
        const Vec<T> twice = T(2) * cross(v, axis);
        axis = axis + T(T(1) / square) * (w * twice + cross(v, twice));
    }
    return axes;
}
template <class T>
[[nodiscard]] Solid<T> rotated_box(const float centre[3], const float quaternion[4], const float half[3]) {
    return box_along(vector<T>(centre), rotated_axes<T>(quaternion), half);
}

template <class T>
[[nodiscard]] Solid<T> ellipsoid(const float centre[3], const float quaternion[4], const float half[3]) {
    Oval<T> oval{vector<T>(centre), rotated_axes<T>(quaternion)};
    for (std::size_t k = 0; k < 3; ++k) oval.axes[k] = radius<T>(half[k]) * oval.axes[k];
    const auto& [a, b, c] = oval.axes;
    Solid<T> solid{{oval.centre}};
    const T part = T(T(4) / T(7));  // its square three times is less than 1
    for (const Vec<T>& way :
         {a, b, c, part * (a + b + c), part * (a + b - c), part * (a - b + c), part * (b + c - a)}) {
        solid.points.push_back(oval.centre + way);
        solid.points.push_back(oval.centre - way);
    }
    solid.ovals = {oval};
    return solid;
}

/// Of differences of two numbers, and of sums of products of one sign: they are off by their own rounding alone.
template <class T>
[[nodiscard]] Vec<T> alone(const Vec<T>& v) {
    return {Root<T>::alone(v.x), Root<T>::alone(v.y), Root<T>::alone(v.z)};
}

/// The hull of the points a and b and of discs across the way from a to b: at b, and at a as well if `both`. Roots are
/// rounded to some 70 bits: the discs are off by less than that share of the radius.
template <class T>
[[nodiscard]] Solid<T> between_discs(const float a[3], const float b[3], float given, bool both) {
    const Vec<T> from = vector<T>(a), to = vector<T>(b), d = alone<T>(to - from);
    if (refuses<T> && d == Vec<T>{}) throw std::domain_error("oracle: a cylinder or cone without an axis");
    const auto size = [&](std::size_t k) { return std::fabs(static_cast<double>(b[k]) - static_cast<double>(a[k])); };
    const T zero{0}, r = radius<T>(given);
    const Vec<T> side = size(0) > size(2) ? Vec<T>{zero - d.y, d.x, zero} : Vec<T>{zero, zero - d.z, d.y};
    const Vec<T> other = alone<T>(cross(d, side));
    const auto radial = [&](const Vec<T>& way) -> Vec<T> {
        return Root<T>::shortened(r / Root<T>::of(dot(way, way))) * way;
    };
    const Vec<T> u = radial(side), v = radial(other);
    Solid<T> solid{{from, to}};
    const T part = T(T(12) / T(17));  // its square twice is less than 1
    for (const Vec<T>& end : {from, to}) {
        if (!both && end == from) continue;
        for (const Vec<T>& way : {u, v, part * (u + v), part * (u - v)}) {
            solid.points.push_back(end + way);
            solid.points.push_back(end - way);
        }
        solid.ovals.push_back({end, {u, v, Vec<T>{}}});
    }
    return solid;
}

/// The hull of a cone's apex and of the cap that its rim cuts off the ball around the apex. Roots are rounded as above.
template <class T>
[[nodiscard]] Solid<T> round_cone(const float apex[3], const float base[3], float given) {
    Solid<T> solid = between_discs<T>(apex, base, given, false);
    if (solid.ovals.empty() || !(given > 0)) return solid;
    const Oval<T> disc = solid.ovals[0];
    const T r = radius<T>(given);
    const Vec<T> d = alone<T>(disc.centre - solid.points[0]);
    const T height = Root<T>::of(dot(d, d)), range = Root<T>::of(dot(d, d) + r * r);
    const auto of = [](const T& x, const T& y) -> T { return Root<T>::shortened(x / y); };
    const T longer = of(range, height), wider = of(range, r);
    solid.points.push_back(solid.points[0] + longer * d);
    solid.ovals = {
        {solid.points[0], {longer * d, wider * disc.axes[0], wider * disc.axes[1]}, of(height, range), of(r, range)}};
    return solid;
}

template <class T>
[[nodiscard]] Solid<T> cylinder(const float a[3], const float b[3], float radius) {
    return between_discs<T>(a, b, radius, true);
}
template <class T>
[[nodiscard]] Solid<T> cone(const float apex[3], const float base[3], float radius) {
    return between_discs<T>(apex, base, radius, false);
}

template <class T>
[[nodiscard]] Solid<T> capsule(const float a[3], const float b[3], float radius) {
    return {{vector<T>(a), vector<T>(b)}, solids::radius<T>(radius)};
}

/// transform: 3x4, row by row.
template <class T>
[[nodiscard]] Solid<T> hull(const float transform[12], std::span<const std::array<float, 3>> vertices) {
    Solid<T> solid;
    for (const auto& vertex : vertices) {
        const Vec<T> p = vector<T>(vertex.data());
        const auto row = [&](const float* m) -> T { return dot(vector<T>(m), p) + number<T>(m[3]); };
        solid.points.push_back({row(transform), row(transform + 4), row(transform + 8)});
    }
    return solid;
}

/// normal . p + offset >= 0.
template <class T>
struct HalfSpace {
    Vec<T> normal;
    T offset{};
};

/// x, y, z and w of the matrix, read as lanecull::prepare_view() documents it; of points relative to the clip space's
/// origin.
template <class T>
[[nodiscard]] std::array<HalfSpace<T>, 4> clip_coordinates(std::span<const double, 16> clip_from_world,
                                                           const lanecull::ClipSpace& clip_space) {
    const bool by_rows = clip_space.layout == lanecull::MatrixLayout::row_major;
    std::array<HalfSpace<T>, 4> rows;
    for (std::size_t r = 0; r < 4; ++r) {
        const auto element = [&](std::size_t c) { return number<T>(clip_from_world[by_rows ? 4 * r + c : 4 * c + r]); };
        rows[r] = {{element(0), element(1), element(2)}, element(3)};
    }
    return rows;
}

/// w + x, w - x, w + y, w - y, z (or w + z) and w - z.
template <class T>
[[nodiscard]] std::array<HalfSpace<T>, 6> half_spaces(const std::array<HalfSpace<T>, 4>& clip,
                                                      lanecull::DepthRange depth) {
    const auto& w = clip[3];
    const auto combined = [&](int s, const HalfSpace<T>& a, int t) -> HalfSpace<T> {
        return {T(s) * w.normal + T(t) * a.normal, T(T(s) * w.offset + T(t) * a.offset)};
    };
    const int from_zero = depth == lanecull::DepthRange::zero_to_one ? 0 : 1;
    return {combined(1, clip[0], 1),  combined(1, clip[0], -1),        combined(1, clip[1], 1),
            combined(1, clip[1], -1), combined(from_zero, clip[2], 1), combined(1, clip[2], -1)};
}

}  // namespace solids
