#include "properties/views/checker.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace properties {
namespace {

using exact::Point;
using exact::Rational;

/// Every number here is a sum of at most some hundred products of doubles, each rounded a handful of times: off by less
/// than this share of the sum of their sizes.
constexpr double share = 0x1p-44;

double size_of_dot(const Double3& a, const Double3& b) {
    return std::fabs(a[0] * b[0]) + std::fabs(a[1] * b[1]) + std::fabs(a[2] * b[2]);
}
double one_norm(const Double3& a) { return std::fabs(a[0]) + std::fabs(a[1]) + std::fabs(a[2]); }
Double3 vector(const exact::Vec<double>& v) { return {v.x, v.y, v.z}; }
Double3 vector(const float* v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
Point rational(const Double3& v) { return exact::point(v[0], v[1], v[2]); }

/// |v| or a little more.
Rational length_up(const Point& v) {
    const double square = exact::to_double({exact::dot(v, v), 0, 0}).x;
    return exact::rational(std::nextafter(std::sqrt(square * (1 + 0x1p-50)), HUGE_VAL));
}

}  // namespace

Checker::Checker(const exact::Volume& volume, const lanecull::View& view)
    : volume_(volume), view_(contents_of(view)), margin_(exact::to_double({volume.margin(), 0, 0}).x * (1 + 0x1p-50)) {
    const lanecull::Frame& frame = view_.frame;
    for (std::size_t k = 0; k < 3; ++k) {
        reference_[k] = static_cast<double>(frame.origin_hi[k]) + static_cast<double>(frame.origin_lo[k]);
        axis_[k] = vector(frame.rotation + 3 * k);
    }
    const Point reference = rational(reference_);
    for (const Point& p : volume.points()) points_.push_back(vector(exact::to_double(p - reference)));
    for (const Point& r : volume.rays()) rays_.push_back(vector(exact::to_double(r)));
    for (std::uint32_t k = 0; k < view_.plane_count; ++k) directions_.push_back(vector(view_.normal[k]));
    half_spaces_.assign(volume.half_spaces().begin(), volume.half_spaces().end());
    // Of more, finding facets takes longer than calling the oracle now and then.
    constexpr std::size_t most = 28;
    if (half_spaces_.empty() && points_.size() + rays_.size() <= most)
        half_spaces_ = exact::sides_of_hull(volume.points(), volume.rays());
    for (const exact::HalfSpace& h : half_spaces_) {
        const Rational largest =
            std::max({Rational(abs(h.normal.x)), Rational(abs(h.normal.y)), Rational(abs(h.normal.z))});
        const Rational offset = (exact::dot(h.normal, reference) + h.offset) / largest;
        const double rounded = exact::to_double({offset, 0, 0}).x;
        planes_.push_back(
            {vector(exact::to_double(Rational(1 / largest) * h.normal)), rounded, std::fabs(rounded) * share});
    }
}

/// Of the oracle's long doubles, each rounded a handful of times; infinity and NaN prove nothing.
Checker::Body Checker::body_of(Kind kind, const Object& object, const HullSet& hulls) const {
    const oracle::Solid solid = solid_of(kind, object, hulls);
    Body body{{}, static_cast<double>(solid.radius) + margin_, 0x1p-58 * static_cast<double>(solid.magnitude)};
    body.radius *= 1 + 0x1p-50;
    for (const oracle::Vec& p : solid.points) {
        const oracle::Vec q = p - oracle::Vec{reference_[0], reference_[1], reference_[2]};
        body.points.push_back({static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z)});
    }
    const auto rounded = [](const oracle::Vec& v) -> Double3 {
        return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    };
    for (const auto& oval : solid.ovals) {
        body.ovals.push_back({rounded(oval.centre - oracle::Vec{reference_[0], reference_[1], reference_[2]}),
                              {rounded(oval.axes[0]), rounded(oval.axes[1]), rounded(oval.axes[2])},
                              static_cast<double>(oval.cosine),
                              static_cast<double>(oval.sine)});
    }
    return body;
}

/// The largest w . q over the object.
Checker::Estimate Checker::highest(const Double3& w, const Body& body) {
    double best = -HUGE_VAL, size = 0;
    for (const Double3& p : body.points) {
        best = std::max(best, dot(w, p));
        size = std::max(size, size_of_dot(w, p));
    }
    for (const auto& [centre, axes, cosine, sine] : body.ovals) {
        solids::Oval<double> oval{{}, {}, cosine, sine};
        double sizes = size_of_dot(w, centre);
        for (std::size_t k = 0; k < 3; ++k) {
            oval.axes[k].x = dot(w, axes[k]);
            sizes += size_of_dot(w, axes[k]);
        }
        best = std::max(best, dot(w, centre) + solids::reach(oval, {1, 0, 0}));
        size = std::max(size, sizes);
    }
    const double around = body.radius * length(w);
    return {best + around, share * (size + around) + body.off * one_norm(w)};
}

/// Whether w . q > level all over the volume, for sure.
bool Checker::lowest_above(const Double3& w, double level) const {
    for (const Double3& ray : rays_) {
        if (!(dot(w, ray) >= share * size_of_dot(w, ray))) return false;
    }
    return std::all_of(points_.begin(), points_.end(),
                       [&](const Double3& p) { return dot(w, p) - share * size_of_dot(w, p) > level; });
}

bool Checker::separates(const Double3& w, const Body& body) const {
    const Estimate top = highest(w, body);
    return lowest_above(w, top.value + top.error);
}

/// w + f z, with the factor at which a ray, or the way from a point to a deeper one, no longer leads down.
bool Checker::separates_deeper(const Double3& w, const Body& body) const {
    const Double3& z = axis_[2];
    const auto separates_with = [&](const Double3& way) {
        const double deeper = dot(z, way);
        if (!(deeper > 0)) return false;
        const double factor = (-dot(w, way) + 0x1p-42 * size_of_dot(w, way)) / deeper;
        return factor > 0 && separates(w + factor * z, body);
    };
    if (!rays_.empty()) {
        // All rays' factors at once: the largest.
        double largest = 0;
        for (const Double3& ray : rays_) {
            const double deeper = dot(z, ray);
            if (deeper > 0) {
                largest = std::max(largest, (-dot(w, ray) + 0x1p-42 * (one_norm(w) * one_norm(ray))) / deeper);
            }
        }
        if (largest > 0 && separates(w + largest * z, body)) return true;
    }
    for (const Double3& a : points_) {
        for (const Double3& b : points_) {
            if (&a != &b && separates_with(b - a)) return true;
        }
    }
    return false;
}

/// w plus such multiples of some of the axes that none of these axes' edges of an orthographic volume leads anywhere.
bool Checker::separates_aside(const Double3& w, const Body& body) const {
    // Edges of the box: along two planes each. The planes come in pairs.
    if (volume_.half_spaces().size() < 6) return false;
    const Double3 normals[3] = {planes_[0].normal, planes_[2].normal, planes_[4].normal};
    const Double3 edge[3] = {cross(normals[1], normals[2]), cross(normals[2], normals[0]),
                             cross(normals[0], normals[1])};
    for (unsigned chosen = 1; chosen < 8; ++chosen) {
        Double3 turned = w;
        // The axes are as good as perpendicular to the other edges: a few rounds settle all.
        for (int round = 0; round < 8; ++round) {
            for (std::size_t k = 0; k < 3; ++k) {
                if ((chosen >> k & 1) == 0) continue;
                turned = turned - dot(turned, edge[k]) / dot(axis_[k], edge[k]) * axis_[k];
            }
        }
        if (separates(turned, body)) return true;
    }
    return false;
}

bool Checker::behind_plane(const Body& body) const {
    for (const Plane& plane : planes_) {
        const Estimate top = highest(plane.normal, body);
        if (top.value + top.error + plane.offset + plane.offset_error < 0) return true;
    }
    return std::any_of(directions_.begin(), directions_.end(), [&](const Double3& w) { return separates(w, body); });
}

bool Checker::exactly_separates(const Point& w, const exact::Solid& solid) const {
    for (const Point& ray : volume_.rays()) {
        if (exact::dot(w, ray) < 0) return false;
    }
    const Rational top = solids::highest(solid, w), reach = solid.radius + volume_.margin();
    return std::all_of(volume_.points().begin(), volume_.points().end(), [&](const Point& p) {
        const Rational gap = exact::dot(w, p) - top;
        return gap > 0 && gap * gap > reach * reach * exact::dot(w, w);
    });
}

bool Checker::exactly_behind_plane(const exact::Solid& solid) const {
    const Rational reach = solid.radius + volume_.margin();
    for (const exact::HalfSpace& h : half_spaces_) {
        const Rational inside = solids::highest(solid, h.normal) + h.offset;
        if (inside < 0 && inside * inside > reach * reach * exact::dot(h.normal, h.normal)) return true;
    }
    // A view around a hull knows its own planes better than their float normals tell.
    return volume_.half_spaces().empty() && decide(solid, volume_).verdict == exact::Verdict::apart;
}

/// Of a hull: w plus some factor of the depth axis, one at which two points or a ray say so.
bool Checker::exactly_separates_deeper(const Point& w, const exact::Solid& solid) const {
    const Point z = rational(axis_[2]);
    const auto separates_with = [&](const Point& way) {
        const Rational deeper = exact::dot(z, way);
        if (deeper <= 0) return false;
        const Rational factor = -exact::dot(w, way) / deeper;
        return factor > 0 && exactly_separates(w + factor * z, solid);
    };
    const auto points = volume_.points();
    return std::ranges::any_of(volume_.rays(), separates_with) || std::ranges::any_of(points, [&](const Point& a) {
               return std::ranges::any_of(points, [&](const Point& b) { return separates_with(b - a); });
           });
}

/// The claim by its definition: over the volume cut to where the object is.
bool Checker::exactly_separates_where_cut(const Point& w, const exact::Solid& solid) const {
    const Rational reach = solid.radius + volume_.margin(), gap_needed = reach * length_up(w);
    const auto cut = [&](const Double3& axis, int side) -> exact::HalfSpace {
        const Point towards = Rational(side) * rational(axis);
        return {Rational(-1) * towards, solids::highest(solid, towards) + reach * length_up(towards)};
    };
    const bool on_all_sides = view_.volume == lanecull::VolumeKind::box;
    exact::HalfSpaces sides(volume_.half_spaces().begin(), volume_.half_spaces().end());
    for (std::size_t k = on_all_sides ? 0 : 2; k < 3; ++k) {
        sides.push_back(cut(axis_[k], 1));
        if (on_all_sides) sides.push_back(cut(axis_[k], -1));
    }
    const exact::Volume part(sides);
    if (part.empty()) return true;
    const Rational level = solids::highest(solid, w) + gap_needed;
    return std::all_of(part.rays().begin(), part.rays().end(),
                       [&](const Point& ray) { return exact::dot(w, ray) >= 0; }) &&
           std::all_of(part.points().begin(), part.points().end(),
                       [&](const Point& p) { return exact::dot(w, p) > level; });
}

bool Checker::exactly_no_deeper(double far, const exact::Solid& solid) const {
    const Point z = rational(axis_[2]);
    const Rational below = exact::rational(far) - solids::highest(solid, z) + exact::dot(z, rational(reference_));
    const Rational reach = solid.radius + volume_.margin();
    return below >= 0 && below * below >= reach * reach * exact::dot(z, z);
}

/// Of what was rounded: necessary for containing it, and broken by a number rounded the wrong way.
bool Checker::view_contains_volume() const {
    const Point origin = rational(reference_);
    const Rational error = exact::rational(static_cast<double>(view_.apex_error));
    const auto number = [](float f) { return exact::rational(static_cast<double>(f)); };
    const auto within = [&](const Rational& value, const float(&range)[2], const Rational& scale,
                            const Rational& slack) {
        return value + slack >= number(range[0]) * scale &&
               (std::isinf(range[1]) || value - slack <= number(range[1]) * scale);
    };
    const auto slope_slack = [&](const float(&range)[2]) -> Rational {
        return error * (1 + std::max<Rational>(abs(number(range[0])), abs(number(range[1]))));
    };
    return std::all_of(volume_.points().begin(), volume_.points().end(), [&](const Point& p) {
        const Point q = p - origin;
        const auto along = [&](std::size_t k) -> Rational { return exact::dot(rational(axis_[k]), q); };
        const Rational x = along(0), y = along(1), z = along(2);
        switch (view_.volume) {
            case lanecull::VolumeKind::frustum:
                return within(x, view_.x_range, z, slope_slack(view_.x_range)) &&
                       within(y, view_.y_range, z, slope_slack(view_.y_range)) && within(z, view_.z_range, 1, error);
            case lanecull::VolumeKind::box:
                return within(x, view_.x_range, 1, error) && within(y, view_.y_range, 1, error) &&
                       within(z, view_.z_range, 1, error);
            case lanecull::VolumeKind::polytope:
                return z + error >= number(view_.near_depth);
            default:
                return true;
        }
    });
}

bool Checker::proves(const lanecull::Certificate& certificate, Kind kind, const Object& object, const HullSet& hulls) {
    using lanecull::Reason;
    if (volume_.empty()) return true;
    const Body body = body_of(kind, object, hulls);
    if (certificate.reason == Reason::culled_plane) {
        if (behind_plane(body)) return true;
        ++exact_checks_;
        return exactly_behind_plane(exact_solid_of(kind, object, hulls));
    }
    if (certificate.reason != Reason::culled_gjk) throw std::logic_error("prove: no certificate of a cull by shape");
    const Double3 w = {certificate.direction[0], certificate.direction[1], certificate.direction[2]};
    if (!(one_norm(w) > 0)) return false;
    const double far = static_cast<double>(certificate.far_depth);
    const Estimate depth = highest(axis_[2], body);
    if (!std::isinf(far) && !(depth.value + depth.error <= far)) {
        ++exact_checks_;
        if (!exactly_no_deeper(far, exact_solid_of(kind, object, hulls))) return false;
    }
    if (separates(w, body) || separates_deeper(w, body)) return true;
    if (view_.volume == lanecull::VolumeKind::box && separates_aside(w, body)) return true;
    ++exact_checks_;
    const exact::Solid solid = exact_solid_of(kind, object, hulls);
    if (exactly_separates(rational(w), solid)) return true;
    return volume_.half_spaces().empty() ? exactly_separates_deeper(rational(w), solid)
                                         : exactly_separates_where_cut(rational(w), solid);
}

}  // namespace properties
