/// Polytopes inscribed in capsules. occluders/PROOF.md says why each lies in its capsule ("Inscribed in a capsule").

#include <lanecull/solids.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/affine.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t sides = 7, rings = 2;
constexpr std::uint32_t corners = 2 + rings * sides, triangles = 4 * sides;
static_assert(corners <= SolidHull::max_corners && triangles <= SolidHull::max_triangles);

/// How far beyond the ends of a segment of this length the rings lie where the volume is greatest. The radius is 1. A
/// ring at h has the radius sqrt(1 - h^2), so the volume is as (1 - h^2) (length + 2 h + 2/3 (1 - h)), which is
/// greatest where 4 h^2 + 2 h (length + 2/3) = 4/3.
double ring_beyond(double length) {
    const double half = 0.25 * (length + 2.0 / 3);
    return std::sqrt(half * half + 1.0 / 3) - half;
}

/// A direction across another.
Double3 across(const Double3& along) {
    const double x = std::fabs(along.x), y = std::fabs(along.y), z = std::fabs(along.z);
    const Double3 least = x <= y && x <= z ? Double3{1, 0, 0} : y <= z ? Double3{0, 1, 0} : Double3{0, 0, 1};
    return normalized(cross(along, least));
}

/// Whether the point is in the ball, for certain.
bool is_in_ball(const float (&point)[3], const float (&center)[3], float radius) {
    Interval square(0);
    for (std::size_t k = 0; k < 3; ++k) {
        const Interval apart = Interval(point[k]) - Interval(center[k]);
        square = square + apart * apart;
    }
    return square.hi <= (Interval(radius) * Interval(radius)).lo;
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
            const double angle = 2 * 3.141592653589793 * i / sides;
            const Double3 around = u * (aside * std::cos(angle)) + v * (aside * std::sin(angle));
            sound = put(outward_ * beyond + around, ring[i]) && sound;
        }
        return sound;
    }

private:
    /// What rounding moves a corner by is taken off the radius.
    bool put(const Double3& direction, float (&corner)[3]) const {
        const double place[3] = {at_[0], at_[1], at_[2]}, towards[3] = {direction.x, direction.y, direction.z};
        const double largest = std::max({std::fabs(place[0]), std::fabs(place[1]), std::fabs(place[2])});
        const double reach = radius_ - 0x1p-23 * (largest + radius_);
        for (std::size_t k = 0; k < 3; ++k) corner[k] = static_cast<float>(place[k] + reach * towards[k]);
        return reach > 0 && is_in_ball(corner, at_, radius_);
    }

    const float (&at_)[3];
    float radius_;
    Double3 outward_;
};

/// Apexes are 0 and 1; the rings of `sides` corners each follow. Anticlockwise, seen from outside.
void set_triangles(SolidHull& hull) {
    std::uint32_t count = 0;
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint32_t corner[3] = {a, b, c};
        for (std::size_t k = 0; k < 3; ++k) hull.triangle[count][k] = static_cast<std::uint8_t>(corner[k]);
        ++count;
    };
    for (std::uint32_t i = 0; i < sides; ++i) {
        const std::uint32_t here = 2 + i, next = 2 + (i + 1) % sides;
        add(0, next, here);
        add(1, here + sides, next + sides);
        add(here, next, next + sides);
        add(here, next + sides, here + sides);
    }
    hull.triangle_count = count;
}

Status check_capsule(const float (&a)[3], const float (&b)[3], float radius) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!is_coordinate(a[k])) return failure("a: a coordinate is not finite or is beyond 1e30");
        if (!is_coordinate(b[k])) return failure("b: a coordinate is not finite or is beyond 1e30");
    }
    if (!(radius > 0) || !is_coordinate(radius)) return failure("radius: must be above 0 and at most 1e30");
    return {};
}

Status inscribe(const float (&a)[3], const float (&b)[3], float radius, SolidHull& hull) {
    if (Status status = check_capsule(a, b, radius); !status) return status;
    const Double3 way = {double{b[0]} - double{a[0]}, double{b[1]} - double{a[1]}, double{b[2]} - double{a[2]}};
    const double size = length(way);
    const Double3 along = size > 0 ? normalized(way) : Double3{0, 0, 1};
    const Double3 u = across(along), v = cross(along, u);
    const double beyond = ring_beyond(size / double{radius});
    SolidHull found;
    found.corner_count = corners;
    if (!End(a, radius, along * -1).set(u, v, beyond, found.corner[0], found.corner + 2) ||
        !End(b, radius, along).set(u, v, beyond, found.corner[1], found.corner + 2 + sides)) {
        return failure("radius: is too small beside the coordinates, whose floats are too far apart");
    }
    set_triangles(found);
    for (std::size_t k = 0; k < 3; ++k) {
        found.drawn.lower[k] = float_down((Interval(std::min(a[k], b[k])) - Interval(radius)).lo);
        found.drawn.upper[k] = float_up((Interval(std::max(a[k], b[k])) + Interval(radius)).hi);
    }
    hull = found;
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_inscribe_capsule(const float* a, const float* b, float radius,
                                          lanecull_solid_hull* hull) noexcept {
    const FloatModes modes;
    Status status = check_not_null(a, "a");
    if (status) status = check_not_null(b, "b");
    if (status) status = check_not_null(hull, "hull");
    if (!status) return status;
    return inscribe({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, radius, *hull);
}
