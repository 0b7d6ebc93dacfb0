/// Polytopes inscribed in capsules and cylinders. occluders/PROOF.md says why each lies in its shape ("Inscribed in a
/// capsule", "Inscribed in a cylinder").

#include <lanecull/solids.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/affine.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/interval3.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

/// A corner on a circle of radius 1, of so many, around the origin. u and v are at right angles, of length 1.
Double3 on_circle(const Double3& u, const Double3& v, std::uint32_t i, std::uint32_t corners) {
    const double angle = 2 * 3.141592653589793 * i / corners;
    return u * std::cos(angle) + v * std::sin(angle);
}

/// A direction across another.
Double3 across(const Double3& along) {
    const double x = std::fabs(along.x), y = std::fabs(along.y), z = std::fabs(along.z);
    const Double3 least = x <= y && x <= z ? Double3{1, 0, 0} : y <= z ? Double3{0, 1, 0} : Double3{0, 0, 1};
    return normalized(cross(along, least));
}

Interval3 difference(const float (&p)[3], const float (&q)[3]) {
    return {Interval(p[0]) - Interval(q[0]), Interval(p[1]) - Interval(q[1]), Interval(p[2]) - Interval(q[2])};
}

Double3 way_between(const float* a, const float* b) {
    return {double{b[0]} - double{a[0]}, double{b[1]} - double{a[1]}, double{b[2]} - double{a[2]}};
}

Interval square_of(float number) { return Interval(number) * Interval(number); }

/// What rounding moves a corner by, at most, whose place is no farther than the radius from `at`.
double moved_by_rounding(const float (&at)[3], float radius) {
    const double largest = std::max({std::fabs(double{at[0]}), std::fabs(double{at[1]}), std::fabs(double{at[2]})});
    return 0x1p-23 * (largest + double{radius});
}

void round_to(const float (&at)[3], const Double3& offset, float (&corner)[3]) {
    const double by[3] = {offset.x, offset.y, offset.z};
    for (std::size_t k = 0; k < 3; ++k) corner[k] = static_cast<float>(double{at[k]} + by[k]);
}

/// The box around both ends, each with what reaches so far along coordinate k.
void set_drawn(const float (&a)[3], const float (&b)[3], std::size_t k, Interval reach, SolidHull& hull) {
    hull.drawn.lower[k] = float_down((Interval(std::min(a[k], b[k])) - reach).lo);
    hull.drawn.upper[k] = float_up((Interval(std::max(a[k], b[k])) + reach).hi);
}

/// Triangles of a surface, added one by one.
class Triangles {
public:
    explicit Triangles(SolidHull& hull) : hull_(hull) { hull_.triangle_count = 0; }
    void add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::uint8_t(&triangle)[3] = hull_.triangle[hull_.triangle_count++];
        const std::uint32_t corner[3] = {a, b, c};
        for (std::size_t k = 0; k < 3; ++k) triangle[k] = static_cast<std::uint8_t>(corner[k]);
    }
    /// Between two rings of `sides` corners each, the first of them at corner `first`; anticlockwise from outside.
    void add_mantle(std::uint32_t first, std::uint32_t sides) {
        for (std::uint32_t i = 0; i < sides; ++i) {
            const std::uint32_t here = first + i, next = first + (i + 1) % sides;
            add(here, next, next + sides);
            add(here, next + sides, here + sides);
        }
    }

private:
    SolidHull& hull_;
};

namespace capsule {

constexpr std::uint32_t sides = 7, corners = 2 + 2 * sides, triangles = 4 * sides;
static_assert(corners <= SolidHull::max_corners && triangles <= SolidHull::max_triangles);

/// How far beyond the ends of a segment of this length the rings lie where the volume is greatest. The radius is 1. A
/// ring at h has the radius sqrt(1 - h^2), so the volume is as (1 - h^2) (length + 2 h + 2/3 (1 - h)), which is
/// greatest where 4 h^2 + 2 h (length + 2/3) = 4/3.
double ring_beyond(double length) {
    const double half = 0.25 * (length + 2.0 / 3);
    return std::sqrt(half * half + 1.0 / 3) - half;
}

/// Whether the point is in the ball, for certain.
bool is_in_ball(const float (&point)[3], const float (&center)[3], float radius) {
    const Interval3 apart = difference(point, center);
    return dot(apart, apart).hi <= square_of(radius).lo;
}

/// An end of the segment, and the direction outward from it.
class End {
public:
    End(const float (&at)[3], float radius, const Double3& outward) : at_(at), radius_(radius), outward_(outward) {}

    /// Sets its apex and its ring. False if a corner is not in the ball around it, for certain.
    bool set(const Double3& u, const Double3& v, double beyond, float (&apex)[3], float (*ring)[3]) const {
        bool sound = put(outward_, apex);
        const double aside = std::sqrt(1 - beyond * beyond);
        for (std::uint32_t i = 0; i < sides; ++i) {
            sound = put(outward_ * beyond + on_circle(u, v, i, sides) * aside, ring[i]) && sound;
        }
        return sound;
    }

private:
    bool put(const Double3& direction, float (&corner)[3]) const {
        const double reach = radius_ - moved_by_rounding(at_, radius_);
        round_to(at_, direction * reach, corner);
        return reach > 0 && is_in_ball(corner, at_, radius_);
    }

    const float (&at_)[3];
    float radius_;
    Double3 outward_;
};

/// Apexes are 0 and 1; the rings of `sides` corners each follow.
void set_triangles(SolidHull& hull) {
    Triangles to(hull);
    to.add_mantle(2, sides);
    for (std::uint32_t i = 0; i < sides; ++i) {
        const std::uint32_t here = 2 + i, next = 2 + (i + 1) % sides;
        to.add(0, next, here);
        to.add(1, here + sides, next + sides);
    }
}

bool inscribe(const float (&a)[3], const float (&b)[3], float radius, const Double3& way, SolidHull& hull) {
    const double size = length(way);
    const Double3 along = size > 0 ? normalized(way) : Double3{0, 0, 1};
    const Double3 u = across(along), v = cross(along, u);
    const double beyond = ring_beyond(size / double{radius});
    hull.corner_count = corners;
    set_triangles(hull);
    for (std::size_t k = 0; k < 3; ++k) set_drawn(a, b, k, Interval(radius), hull);
    return End(a, radius, along * -1).set(u, v, beyond, hull.corner[0], hull.corner + 2) &&
           End(b, radius, along).set(u, v, beyond, hull.corner[1], hull.corner + 2 + sides);
}

}  // namespace capsule

namespace cylinder {

constexpr std::uint32_t sides = 8, corners = 2 * sides, triangles = 4 * sides - 4;
static_assert(corners <= SolidHull::max_corners && triangles <= SolidHull::max_triangles);

/// An end of the axis, and the axis from there to the other end.
class End {
public:
    End(const float (&at)[3], const float (&other)[3], float radius)
        : at_(at), radius_(radius), inward_(difference(other, at)) {}

    /// Sets its ring. False if a corner is not in the cylinder, for certain.
    bool set(const Double3& u, const Double3& v, float (*ring)[3]) const {
        const double moved = moved_by_rounding(at_, radius_), reach = radius_ - moved;
        const Double3 base = normalized({inward_.x, inward_.y, inward_.z}) * moved;
        bool sound = reach > 0;
        for (std::uint32_t i = 0; i < sides; ++i) {
            round_to(at_, base + on_circle(u, v, i, sides) * reach, ring[i]);
            sound = sound && is_in_cylinder(ring[i]);
        }
        return sound;
    }

private:
    /// Whether the point is between the ends' planes and within the radius of the axis, for certain.
    bool is_in_cylinder(const float (&point)[3]) const {
        const Interval3 from_end = difference(point, at_), aside = cross(from_end, inward_);
        const Interval depth = dot(from_end, inward_), square = dot(inward_, inward_);
        return depth.lo >= 0 && depth.hi <= square.lo && dot(aside, aside).hi <= (square_of(radius_) * square).lo;
    }

    const float (&at_)[3];
    float radius_;
    Interval3 inward_;
};

/// Two rings of `sides` corners each, and fans over the ends.
void set_triangles(SolidHull& hull) {
    Triangles to(hull);
    to.add_mantle(0, sides);
    for (std::uint32_t i = 1; i + 1 < sides; ++i) {
        to.add(0, i + 1, i);
        to.add(sides, sides + i, sides + i + 1);
    }
}

/// How far a disc of radius 1 at right angles to the axis reaches along coordinate k, at most: sqrt(1 - n_k^2), where n
/// is the axis' direction.
double disc_reach(const float (&a)[3], const float (&b)[3], std::size_t k) {
    const Interval3 axis = difference(b, a);
    const Interval along[3] = {axis.in_x(), axis.in_y(), axis.in_z()};
    const Interval square = dot(axis, axis), aside = square - along[k] * along[k];
    return std::min(1.0, next_up(std::sqrt(next_up(std::max(0.0, aside.hi) / square.lo))));
}

bool inscribe(const float (&a)[3], const float (&b)[3], float radius, const Double3& way, SolidHull& hull) {
    const Double3 along = normalized(way), u = across(along), v = cross(along, u);
    hull.corner_count = corners;
    set_triangles(hull);
    for (std::size_t k = 0; k < 3; ++k) set_drawn(a, b, k, Interval(radius) * Interval(disc_reach(a, b, k)), hull);
    return End(a, b, radius).set(u, v, hull.corner) && End(b, a, radius).set(u, v, hull.corner + sides);
}

}  // namespace cylinder

Status check_axis(const float* a, const float* b, float radius, const SolidHull* hull) {
    if (Status status = check_not_null(a, "a"); !status) return status;
    if (Status status = check_not_null(b, "b"); !status) return status;
    if (Status status = check_not_null(hull, "hull"); !status) return status;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!is_coordinate(a[k])) return failure("a: a coordinate is not finite or is beyond 1e30");
        if (!is_coordinate(b[k])) return failure("b: a coordinate is not finite or is beyond 1e30");
    }
    if (!(radius > 0) || !is_coordinate(radius)) return failure("radius: must be above 0 and at most 1e30");
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_inscribe_capsule(const float* a, const float* b, float radius,
                                          lanecull_solid_hull* hull) noexcept {
    const FloatModes modes;
    if (Status status = check_axis(a, b, radius, hull); !status) return status;
    SolidHull found;
    if (!capsule::inscribe({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, radius, way_between(a, b), found)) {
        return failure("radius: is too small beside the coordinates, whose floats are too far apart");
    }
    *hull = found;
    return {};
}

lanecull_status lanecull_inscribe_cylinder(const float* a, const float* b, float radius,
                                           lanecull_solid_hull* hull) noexcept {
    const FloatModes modes;
    if (Status status = check_axis(a, b, radius, hull); !status) return status;
    const Double3 way = way_between(a, b);
    if (way.x == 0 && way.y == 0 && way.z == 0) return failure("b: is a, and a cylinder needs an axis");
    SolidHull found;
    if (!cylinder::inscribe({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, radius, way, found)) {
        return failure("radius, b - a: one is too small beside the coordinates, whose floats are too far apart");
    }
    *hull = found;
    return {};
}
