#include "properties/pairs/body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "oracle/exact_objects.hpp"

namespace properties {
namespace {

using V = exact::Vec<double>;

/// A few roundings of long doubles for each number, and one of doubles.
constexpr double long_share = 64 * static_cast<double>(std::numeric_limits<oracle::Real>::epsilon());
constexpr double share = 0x1p-52;

double largest(const V& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }
double one_norm(const V& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }
double length(const V& v) { return std::sqrt(exact::dot(v, v)); }
V to_double(const oracle::Vec& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// The largest coordinates along each axis of what is transformed.
std::array<float, 3> largest_of(const Vertices& vertices) {
    std::array<float, 3> most{};
    for (const auto& vertex : vertices) {
        for (std::size_t k = 0; k < 3; ++k) most[k] = std::max(most[k], std::fabs(vertex[k]));
    }
    return most;
}

V nearest_of(const exact::Nearest<double>& nearest, const Body& a, const Body& b) {
    V sum{};
    double factors = 0;
    for (std::size_t k = 0; k < nearest.corral().size(); ++k) {
        const double factor = std::fmax(0.0, nearest.factors()[k]);  // 0 for NaN
        const exact::Generator& of = nearest.corral()[k];
        sum = sum + factor * (a.points[of.solid] - b.points[of.volume]);
        factors += factor;
    }
    return factors > 0 ? (1 / factors) * sum : a.points[0] - b.points[0];
}

}  // namespace

Place place_of(Kind kind, const Object& object) {
    const auto& f = object.fields;
    const std::size_t first = place_field(kind, 0), stride = place_field(kind, 1) - first;
    return {static_cast<double>(f[first]), static_cast<double>(f[first + stride]),
            static_cast<double>(f[first + 2 * stride])};
}

/// In long doubles, and then relative to the origin in doubles.
Body body_of(Kind kind, const Object& object, const HullSet& hulls, const Place& origin) {
    const oracle::Solid solid(solids::shape_of<oracle::Terms>(kind, object, hulls));
    const oracle::Vec from{origin[0], origin[1], origin[2]};
    const auto [x, y, z] = place_of(kind, object);
    const oracle::Vec place{x, y, z};
    Body body;
    body.radius = static_cast<double>(solid.radius);
    V reach{};  // from the place, along each axis
    for (const oracle::Vec& p : solid.points) {
        body.points.push_back(to_double(p - from));
        body.size = std::max(body.size, largest(body.points.back()));
        const V way = to_double(p - place);
        reach = {std::max(reach.x, std::fabs(way.x)), std::max(reach.y, std::fabs(way.y)),
                 std::max(reach.z, std::fabs(way.z))};
    }
    body.error = long_share * (static_cast<double>(solid.magnitude) + largest(to_double(from))) + share * body.size;
    const V middle = to_double(place - from);
    if (has_transform(kind)) {
        const std::array<float, 3> most = largest_of(local_points(kind, object, hulls));
        body.vertices = one_norm({most[0], most[1], most[2]});
        std::array<float, 12> matrix{};  // without signs and translation
        for (std::size_t k = 0; k < 12; ++k) matrix[k] = k % 4 == 3 ? 0 : std::fabs(object.fields[k]);
        reach = to_double(oracle::Solid(solids::hull<oracle::Terms>(matrix.data(), {&most, 1})).points[0]);
    }
    body.magnitude = body.radius + one_norm(middle) + one_norm(reach);
    if (kind == Kind::box || kind == Kind::capsule) {
        body.magnitude = body.radius + one_norm(body.points.front()) + one_norm(body.points.back());
    }
    return body;
}

Body times_power(Body body, int exponent) {
    const double factor = std::ldexp(1.0, exponent);
    for (V& p : body.points) p = factor * p;
    for (double* number : {&body.radius, &body.size, &body.error, &body.magnitude}) *number *= factor;
    return body;
}

Body moved(const Body& body, const V& way, bool swept) {
    Body result = body;
    if (!swept) result.points.clear();
    for (const V& p : body.points) result.points.push_back(p + way);
    result.size += largest(way);
    result.error += share * result.size;
    result.magnitude += one_norm(way);
    return result;
}

Proof measure(const Body& a, const Body& b) {
    exact::Nearest<double> nearest({a.points, b.points, {}}, {});
    constexpr int most_steps = 100;
    for (int step = 0; step < most_steps; ++step) {
        const std::optional<exact::Generator> generator = nearest.better();
        if (!generator || !nearest.take(*generator)) break;
    }
    // Sums of points, with factors, and their lengths pass some ten roundings: 2^-49. Components' errors make up
    // sqrt(3) of a length's.
    const double radius = a.radius + b.radius, size = a.size + b.size, error = a.error + b.error;
    const V x = nearest_of(nearest, a, b);
    Proof proof;
    proof.most = std::fmax(0.0, length(x) * (1 + 0x1p-48) + 2 * (error + 0x1p-48 * size) - radius * (1 - 0x1p-48));

    // Any direction will do, so no component is too small or too large.
    const double scale = largest(x);
    if (!(scale > 0)) return proof;
    const V w = (1 / scale) * x;
    double lowest = exact::dot(w, a.points[0]), highest = exact::dot(w, b.points[0]);
    for (const V& p : a.points) lowest = std::min(lowest, exact::dot(w, p));
    for (const V& p : b.points) highest = std::max(highest, exact::dot(w, p));
    const double reach = radius * length(w);
    const double rounding = one_norm(w) * (error + 0x1p-48 * size) + 0x1p-48 * reach;
    const double gap = lowest - highest - reach - rounding;
    proof.direction = (1 / length(w)) * w;
    proof.least = gap > 0 ? gap / length(w) * (1 - 0x1p-48) : 0;
    return proof;
}

ExactPair::ExactPair(Kind kind_a, const Object& a, Kind kind_b, const Object& b, const HullSet& hulls,
                     const std::array<float, 3>& motion)
    : a_(exact_solid_of(kind_a, a, hulls)),
      b_(exact_solid_of(kind_b, b, hulls)),
      motion_(exact::point(motion[0], motion[1], motion[2])) {
    const exact::Point back = exact::Rational(-1) * b_.points[0];
    for (exact::Solid* solid : {&a_, &b_}) {
        for (exact::Point& p : solid->points) p = p + back;
    }
}

bool ExactPair::meet(const exact::Rational& grow) const {
    const exact::Verdict verdict = exact::decide(a_, exact::Volume::hull(b_.points).widened(b_.radius), grow).verdict;
    if (verdict == exact::Verdict::unclear) throw std::runtime_error("rationals leave a pair unclear");
    return verdict != exact::Verdict::apart;
}

bool ExactPair::meet_by(const exact::Rational& time) const {
    const exact::Volume volume = exact::Volume::hull(b_.points).widened(b_.radius);
    return exact::decide(exact::swept(a_, time * motion_), volume, 0).verdict != exact::Verdict::apart;
}

}  // namespace properties
