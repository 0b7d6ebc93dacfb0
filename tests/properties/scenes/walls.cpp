#include "properties/scenes/walls.hpp"

#include <algorithm>
#include <cmath>

namespace properties {
namespace {

using exact::Point;
using exact::Rational;
using oracle::Real;

constexpr std::size_t most_learned = 40;

/// Every number here is a sum of at most some twenty products. Normals, offsets and margins are rounded to doubles, by
/// 2^-52 of themselves; points are off by less than 2^-58 of their solid's magnitude. So a distance is off by less than
/// this share of all that was added up.
constexpr Real share = 0x1p-47L;

Real real(const Rational& number) { return static_cast<Real>(exact::to_double({number, 0, 0}).x); }
oracle::Vec vector(const Point& p) {
    const exact::Vec<double> v = exact::to_double(p);
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

/// The normal with its largest component 1 or -1.
exact::HalfSpace scaled(const exact::HalfSpace& h) {
    const Rational largest =
        std::max({Rational(abs(h.normal.x)), Rational(abs(h.normal.y)), Rational(abs(h.normal.z))});
    return {Rational(1 / largest) * h.normal, h.offset / largest};
}

Real size_of(const oracle::Solid& solid) {
    Real most = 0;
    for (const oracle::Vec p : solid.points) most = std::max(most, oracle::largest_component(p));
    return most + solid.magnitude;
}

}  // namespace

Walls::Walls(const exact::Volume& volume) : volume_(volume), margin_(real(volume.margin()) * (1 + 0x1p-50L)) {
    for (const exact::HalfSpace& h : volume.half_spaces()) walls_.push_back(scaled(h));
    given_ = walls_.size();
}

/// Adds the plane across the direction that the volume, without its margin, touches.
void Walls::learn(const Point& direction) {
    if (walls_.size() >= given_ + most_learned || direction == Point{}) return;
    // Rounded to doubles first: then it is the same number everywhere.
    const Rational largest =
        std::max({Rational(abs(direction.x)), Rational(abs(direction.y)), Rational(abs(direction.z))});
    const exact::Vec<double> rounded = exact::to_double(Rational(1 / largest) * direction);
    const Point normal = exact::point(rounded.x, rounded.y, rounded.z);
    for (const Point& ray : volume_.rays()) {
        if (exact::dot(normal, ray) < 0) return;
    }
    Rational lowest = exact::dot(normal, volume_.points()[0]);
    for (const Point& p : volume_.points()) lowest = std::min<Rational>(lowest, exact::dot(normal, p));
    walls_.push_back({normal, -lowest});
}

Walls::Seen::Seen(Walls& walls, const Double3& origin)
    : walls_(walls), origin_(exact::point(origin[0], origin[1], origin[2])) {
    see_new_walls();
}

void Walls::Seen::see_new_walls() {
    for (std::size_t k = planes_.size(); k < walls_.walls_.size(); ++k) {
        const exact::HalfSpace& wall = walls_.walls_[k];
        const oracle::Vec normal = vector(wall.normal);
        planes_.push_back({normal, oracle::length(normal), real(wall.offset + exact::dot(wall.normal, origin_))});
    }
}

bool Walls::Seen::behind_a_wall(const oracle::Solid& solid) {
    see_new_walls();
    const Real size = size_of(solid), reach = solid.radius + walls_.margin_;
    for (const Plane& plane : planes_) {
        Real highest = oracle::dot(plane.normal, solid.points[0]);
        for (const oracle::Vec p : solid.points) highest = std::max(highest, oracle::dot(plane.normal, p));
        const Real error = share * (3 * size + std::fabs(plane.offset) + 2 * reach);
        if (highest + plane.offset + reach * plane.length + error < 0) return true;
    }
    return false;
}

exact::Solid Walls::Seen::in_world(exact::Solid solid) const {
    for (Point& p : solid.points) p = p + origin_;
    return solid;
}

exact::Answer Walls::Seen::decide(const exact::Solid& solid, const Rational& grow) const {
    return exact::decide(in_world(solid), walls_.volume_, grow);
}

bool Walls::Seen::exactly_apart(const exact::Solid& solid) {
    ++walls_.exact_checks_;
    const exact::Answer answer = decide(solid);
    if (answer.verdict != exact::Verdict::apart) return false;
    if (!walls_.volume_.empty()) walls_.learn(answer.direction);
    return true;
}

bool Walls::Seen::within_half_spaces(const oracle::Solid& solid) const {
    if (walls_.given_ == 0) return false;
    const Real size = size_of(solid);
    return std::all_of(planes_.begin(), planes_.begin() + static_cast<std::ptrdiff_t>(walls_.given_),
                       [&](const Plane& plane) {
                           Real lowest = oracle::dot(plane.normal, solid.points[0]);
                           for (const oracle::Vec p : solid.points) {
                               lowest = std::min(lowest, oracle::dot(plane.normal, p));
                           }
                           const Real error = share * (3 * size + std::fabs(plane.offset) + 2 * solid.radius);
                           return lowest + plane.offset - solid.radius * plane.length - error >= 0;
                       });
}

/// A solid of radius r lies in P widened by m if its points lie in P widened by m - r; or, if r > m, at least r - m
/// within each of P's half-spaces.
bool Walls::Seen::exactly_inside(const exact::Solid& relative) const {
    if (walls_.given_ == 0) return false;
    ++walls_.exact_checks_;
    const exact::Solid solid = in_world(relative);
    const Rational spare = walls_.volume_.margin() - solid.radius;
    if (spare > 0) {
        const auto own = walls_.volume_.half_spaces();
        const exact::Volume narrow(exact::HalfSpaces(own.begin(), own.end()));
        return std::all_of(solid.points.begin(), solid.points.end(), [&](const Point& p) {
            return exact::decide({{p}, 0}, narrow, spare).verdict == exact::Verdict::visible;
        });
    }
    for (const exact::HalfSpace& h : walls_.volume_.half_spaces()) {
        const Rational square = spare * spare * exact::dot(h.normal, h.normal);
        for (const Point& p : solid.points) {
            const Rational distance = exact::dot(h.normal, p) + h.offset;
            if (distance < 0 || distance * distance < square) return false;
        }
    }
    return true;
}

}  // namespace properties
