#include "properties/views/checker.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace properties {
namespace {

using exact::Point;
using exact::Rational;
using Vec3 = std::array<double, 3>;

/// Every number here is a sum of at most some hundred products of doubles, each rounded a handful of times: off by less
/// than this share of the sum of their sizes.
constexpr double share = 0x1p-44;

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double size_of_dot(const Vec3& a, const Vec3& b) {
    return std::fabs(a[0] * b[0]) + std::fabs(a[1] * b[1]) + std::fabs(a[2] * b[2]);
}
double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
double one_norm(const Vec3& a) { return std::fabs(a[0]) + std::fabs(a[1]) + std::fabs(a[2]); }
Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vec3 plus(const Vec3& a, double s, const Vec3& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }
Vec3 vector(const exact::Vec<double>& v) { return {v.x, v.y, v.z}; }
Vec3 vector(const float* v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
Point rational(const Vec3& v) { return exact::point(v[0], v[1], v[2]); }

/// Sum of terms and of their sizes.
struct Sum {
    double value = 0, size = 0;
    void add(double term) { value += term, size += std::fabs(term); }
    void add_dot(const Vec3& a, const Vec3& b) { value += dot(a, b), size += size_of_dot(a, b); }
    /// The larger of s and -s.
    void add_size_of_dot(double factor, const Vec3& a, const Vec3& b) {
        value += factor * std::fabs(dot(a, b)), size += factor * size_of_dot(a, b);
    }
};

/// The columns of q's rotation matrix, each entry within 2^-48.
std::array<Vec3, 3> axes_of(const float* quaternion) {
    const double x = static_cast<double>(quaternion[0]), y = static_cast<double>(quaternion[1]),
                 z = static_cast<double>(quaternion[2]), w = static_cast<double>(quaternion[3]);
    const double s = 2 / (x * x + y * y + z * z + w * w);
    return {{{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
             {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
             {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}}};
}

/// w . A v over the hull's vertices v, A from the rows of a 3x4 matrix.
void add_highest_vertex(const Vec3& w, const float* transform, const Vertices& vertices, Sum& sum) {
    Vec3 along{}, size{};
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) {
            const double term = w[j] * static_cast<double>(transform[4 * j + k]);
            along[k] += term, size[k] += std::fabs(term);
        }
    }
    double best = -HUGE_VAL, most = 0;
    for (const auto& vertex : vertices) {
        const Vec3 v = vector(vertex.data());
        best = std::max(best, dot(along, v));
        most = std::max(most, size_of_dot(size, v));
    }
    sum.value += best, sum.size += most;
}

/// |v| or a little more.
Rational length_up(const Point& v) {
    const double square = exact::to_double({exact::dot(v, v), 0, 0}).x;
    return exact::rational(std::nextafter(std::sqrt(square * (1 + 0x1p-50)), HUGE_VAL));
}

Rational highest(const Point& w, const exact::Solid& solid) {
    Rational best = exact::dot(w, solid.points[0]);
    for (const Point& p : solid.points) best = std::max<Rational>(best, exact::dot(w, p));
    return best;
}

/// The half-spaces of a hull: through three of its points, or two and a ray, or one and two rays, all else on one side.
exact::HalfSpaces facets(const exact::Volume& volume) {
    exact::HalfSpaces result;
    const auto points = volume.points(), rays = volume.rays();
    const std::size_t count = points.size() + rays.size();
    const auto along = [&](std::size_t i, const Point& from) {
        return i < points.size() ? points[i] - from : rays[i - points.size()];
    };
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            for (std::size_t c = b + 1; c < count; ++c) {
                const Point normal = exact::cross(along(b, points[a]), along(c, points[a]));
                if (normal == Point{}) continue;
                int above = 0, below = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    const int side = exact::dot(normal, along(i, points[a])).sign();
                    above += side > 0, below += side < 0;
                }
                for (const int side : {1, -1}) {
                    if ((side > 0 ? below : above) > 0) continue;
                    const Point inward = Rational(side) * normal;
                    result.push_back({inward, -exact::dot(inward, points[a])});
                }
            }
        }
    }
    return result;
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
    // Of more, finding facets takes longer than asking the oracle now and then.
    constexpr std::size_t most = 28;
    if (half_spaces_.empty() && points_.size() + rays_.size() <= most) half_spaces_ = facets(volume);
    for (const exact::HalfSpace& h : half_spaces_) {
        const Rational largest =
            std::max({Rational(abs(h.normal.x)), Rational(abs(h.normal.y)), Rational(abs(h.normal.z))});
        const Rational offset = (exact::dot(h.normal, reference) + h.offset) / largest;
        const double rounded = exact::to_double({offset, 0, 0}).x;
        planes_.push_back(
            {vector(exact::to_double(Rational(1 / largest) * h.normal)), rounded, std::fabs(rounded) * share});
    }
}

/// The largest w . (x - reference) over the object, grown by its own and the volume's margin.
Checker::Estimate Checker::highest(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const {
    const float* f = object.fields.data();
    const auto place = [&](const float* p) { return plus(vector(p), -1, reference_); };
    Sum sum;
    double radius = static_cast<double>(object.margin) + margin_;
    switch (kind) {
        case Kind::sphere:
            sum.add_dot(w, place(f));
            radius += static_cast<double>(f[3]);
            break;
        case Kind::box: {
            const Vec3 low = place(f), high = place(f + 3);
            for (std::size_t k = 0; k < 3; ++k) sum.add(std::max(w[k] * low[k], w[k] * high[k]));
            break;
        }
        case Kind::centered_box:
            sum.add_dot(w, place(f));
            for (std::size_t k = 0; k < 3; ++k) sum.add(std::fabs(w[k] * static_cast<double>(f[3 + k])));
            break;
        case Kind::oriented_box:
            sum.add_dot(w, place(f));
            for (std::size_t k = 0; k < 3; ++k)
                sum.add_size_of_dot(static_cast<double>(f[12 + k]), w, vector(f + 3 + 3 * k));
            break;
        case Kind::capsule:
            sum.add(std::max(dot(w, place(f)), dot(w, place(f + 3))));
            sum.size += size_of_dot(w, place(f)) + size_of_dot(w, place(f + 3));
            radius += static_cast<double>(f[6]);
            break;
        case Kind::hull:
        case Kind::box_instance:
            sum.add_dot(w, plus({static_cast<double>(f[3]), static_cast<double>(f[7]), static_cast<double>(f[11])}, -1,
                                reference_));
            add_highest_vertex(w, f, local_points(kind, object, hulls), sum);
            break;
        case Kind::quaternion_box: {
            sum.add_dot(w, place(f));
            const std::array<Vec3, 3> axes = axes_of(f + 3);
            for (std::size_t k = 0; k < 3; ++k) {
                sum.add_size_of_dot(static_cast<double>(f[7 + k]), w, axes[k]);
                sum.size += static_cast<double>(f[7 + k]) * one_norm(w);
            }
            break;
        }
    }
    sum.add(std::max(0.0, dot(w, vector(object.sweep.data()))));
    sum.size += size_of_dot(w, vector(object.sweep.data()));
    sum.add(radius * length(w));
    return {sum.value, sum.size * share};
}

/// Whether w . q > level all over the volume, for sure.
bool Checker::lowest_above(const Vec3& w, double level) const {
    for (const Vec3& ray : rays_) {
        if (!(dot(w, ray) >= share * size_of_dot(w, ray))) return false;
    }
    return std::all_of(points_.begin(), points_.end(),
                       [&](const Vec3& p) { return dot(w, p) - share * size_of_dot(w, p) > level; });
}

bool Checker::separates(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const {
    const Estimate top = highest(w, kind, object, hulls);
    return lowest_above(w, top.value + top.error);
}

/// w + f z, with the factor at which a ray, or the way from a point to a deeper one, no longer leads down.
bool Checker::separates_deeper(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const {
    const Vec3& z = axis_[2];
    const auto separates_with = [&](const Vec3& way) {
        const double deeper = dot(z, way);
        if (!(deeper > 0)) return false;
        const double factor = (-dot(w, way) + 0x1p-42 * size_of_dot(w, way)) / deeper;
        return factor > 0 && separates(plus(w, factor, z), kind, object, hulls);
    };
    if (!rays_.empty()) {
        // All rays' factors at once: the largest.
        double largest = 0;
        for (const Vec3& ray : rays_) {
            const double deeper = dot(z, ray);
            if (deeper > 0) {
                largest = std::max(largest, (-dot(w, ray) + 0x1p-42 * (one_norm(w) * one_norm(ray))) / deeper);
            }
        }
        if (largest > 0 && separates(plus(w, largest, z), kind, object, hulls)) return true;
    }
    for (const Vec3& a : points_) {
        for (const Vec3& b : points_) {
            if (&a != &b && separates_with(plus(b, -1, a))) return true;
        }
    }
    return false;
}

/// w plus such multiples of some of the axes that none of these axes' edges of an orthographic volume leads anywhere.
bool Checker::separates_aside(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const {
    // Edges of the box: along two planes each. The planes come in pairs.
    if (volume_.half_spaces().size() < 6) return false;
    const Vec3 normals[3] = {planes_[0].normal, planes_[2].normal, planes_[4].normal};
    const Vec3 edge[3] = {cross(normals[1], normals[2]), cross(normals[2], normals[0]), cross(normals[0], normals[1])};
    for (unsigned chosen = 1; chosen < 8; ++chosen) {
        Vec3 turned = w;
        // The axes are as good as perpendicular to the other edges: a few rounds settle all.
        for (int round = 0; round < 8; ++round) {
            for (std::size_t k = 0; k < 3; ++k) {
                if ((chosen >> k & 1) == 0) continue;
                turned = plus(turned, -dot(turned, edge[k]) / dot(axis_[k], edge[k]), axis_[k]);
            }
        }
        if (separates(turned, kind, object, hulls)) return true;
    }
    return false;
}

bool Checker::behind_plane(Kind kind, const Object& object, const HullSet& hulls) const {
    for (const Plane& plane : planes_) {
        const Estimate top = highest(plane.normal, kind, object, hulls);
        if (top.value + top.error + plane.offset + plane.offset_error < 0) return true;
    }
    return std::any_of(directions_.begin(), directions_.end(),
                       [&](const Vec3& w) { return separates(w, kind, object, hulls); });
}

bool Checker::exactly_separates(const Point& w, const exact::Solid& solid) const {
    for (const Point& ray : volume_.rays()) {
        if (exact::dot(w, ray) < 0) return false;
    }
    const Rational top = properties::highest(w, solid), reach = solid.radius + volume_.margin();
    return std::all_of(volume_.points().begin(), volume_.points().end(), [&](const Point& p) {
        const Rational gap = exact::dot(w, p) - top;
        return gap > 0 && gap * gap > reach * reach * exact::dot(w, w);
    });
}

bool Checker::exactly_behind_plane(const exact::Solid& solid) const {
    const Rational reach = solid.radius + volume_.margin();
    for (const exact::HalfSpace& h : half_spaces_) {
        const Rational inside = properties::highest(h.normal, solid) + h.offset;
        if (inside < 0 && inside * inside > reach * reach * exact::dot(h.normal, h.normal)) return true;
    }
    // A view around a hull knows its own planes better than their float normals tell.
    return volume_.half_spaces().empty() && decide(solid, volume_).verdict == exact::Verdict::apart;
}

/// The claim by its definition: over the volume cut to where the object is.
bool Checker::exactly_separates_where_cut(const Point& w, const exact::Solid& solid) const {
    const Rational reach = solid.radius + volume_.margin(), gap_needed = reach * length_up(w);
    const auto cut = [&](const Vec3& axis, int side) -> exact::HalfSpace {
        const Point towards = Rational(side) * rational(axis);
        return {Rational(-1) * towards, properties::highest(towards, solid) + reach * length_up(towards)};
    };
    const bool on_all_sides = view_.volume == lanecull::VolumeKind::box;
    if (volume_.half_spaces().empty()) {
        // A hull: some factor of the depth axis, one at which two points or a ray say so.
        const Point z = rational(axis_[2]);
        const auto separates_with = [&](const Point& way) {
            const Rational deeper = exact::dot(z, way);
            if (deeper <= 0) return false;
            const Rational factor = -exact::dot(w, way) / deeper;
            return factor > 0 && exactly_separates(w + factor * z, solid);
        };
        for (const Point& ray : volume_.rays()) {
            if (separates_with(ray)) return true;
        }
        for (const Point& a : volume_.points()) {
            for (const Point& b : volume_.points()) {
                if (separates_with(b - a)) return true;
            }
        }
        return false;
    }
    exact::HalfSpaces sides(volume_.half_spaces().begin(), volume_.half_spaces().end());
    for (std::size_t k = on_all_sides ? 0 : 2; k < 3; ++k) {
        sides.push_back(cut(axis_[k], 1));
        if (on_all_sides) sides.push_back(cut(axis_[k], -1));
    }
    const exact::Volume part(sides);
    if (part.empty()) return true;
    const Rational level = properties::highest(w, solid) + gap_needed;
    return std::all_of(part.rays().begin(), part.rays().end(),
                       [&](const Point& ray) { return exact::dot(w, ray) >= 0; }) &&
           std::all_of(part.points().begin(), part.points().end(),
                       [&](const Point& p) { return exact::dot(w, p) > level; });
}

bool Checker::no_deeper(double far, Kind kind, const Object& object, const HullSet& hulls) {
    const Estimate depth = highest(axis_[2], kind, object, hulls);
    if (depth.value + depth.error <= far) return true;
    ++exact_checks_;
    const exact::Solid solid = exact_solid_of(kind, object, hulls);
    const Point z = rational(axis_[2]);
    const Rational below = exact::rational(far) - properties::highest(z, solid) + exact::dot(z, rational(reference_));
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
    if (certificate.reason == Reason::culled_plane) {
        if (behind_plane(kind, object, hulls)) return true;
        ++exact_checks_;
        return exactly_behind_plane(exact_solid_of(kind, object, hulls));
    }
    if (certificate.reason != Reason::culled_gjk) throw std::logic_error("prove: no certificate of a cull by shape");
    const Vec3 w = {certificate.direction[0], certificate.direction[1], certificate.direction[2]};
    if (!(one_norm(w) > 0)) return false;
    const double far = static_cast<double>(certificate.far_depth);
    if (!std::isinf(far) && !no_deeper(far, kind, object, hulls)) return false;
    if (separates(w, kind, object, hulls) || separates_deeper(w, kind, object, hulls)) return true;
    if (view_.volume == lanecull::VolumeKind::box && separates_aside(w, kind, object, hulls)) return true;
    ++exact_checks_;
    const exact::Solid solid = exact_solid_of(kind, object, hulls);
    return exactly_separates(rational(w), solid) || exactly_separates_where_cut(rational(w), solid);
}

}  // namespace properties
