#include "properties/pairs/body.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "oracle/exact_objects.hpp"

namespace properties {
namespace {

using V = exact::Vec<double>;

/// Coordinates are sums of at most five terms. A term is a product of at most two floats, which doubles hold exactly;
/// only the place's difference from the origin is rounded once itself. So a coordinate is off by 6 * 2^-53 of its
/// terms.
constexpr double share = 0x1p-50;
/// Entries of a rotation matrix are off by less (some ten roundings of numbers of at most 2), for each of three axes.
constexpr double rotation_error = 0x1p-47;

V vector(const float* v) { return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}; }
double largest(const V& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }
double one_norm(const V& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }
double length(const V& v) { return std::sqrt(exact::dot(v, v)); }

/// The columns of q's rotation matrix.
std::array<V, 3> axes_of(const float* quaternion) {
    const V v = vector(quaternion);
    const auto w = static_cast<double>(quaternion[3]);
    const double s = 2 / (exact::dot(v, v) + w * w);
    return {{{1 - s * (v.y * v.y + v.z * v.z), s * (v.x * v.y + w * v.z), s * (v.x * v.z - w * v.y)},
             {s * (v.x * v.y - w * v.z), 1 - s * (v.x * v.x + v.z * v.z), s * (v.y * v.z + w * v.x)},
             {s * (v.x * v.z + w * v.y), s * (v.y * v.z - w * v.x), 1 - s * (v.x * v.x + v.y * v.y)}}};
}

/// Makes bodies, relative to an origin.
class Maker {
public:
    explicit Maker(const Place& origin) : origin_{origin[0], origin[1], origin[2]} {}

    void add_point(const float* p) {
        const V at = vector(p) - origin_;
        body_.points.push_back(at);
        body_.size = std::max(body_.size, largest(at));
        body_.magnitude += one_norm(at);
    }
    void add_box(const V& low, const V& high) {
        for (unsigned k = 0; k < 8; ++k) {
            const V corner = {(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y,
                              (k & 4) != 0 ? high.z : low.z};
            body_.points.push_back(corner - origin_);
            body_.size = std::max(body_.size, largest(body_.points.back()));
        }
        body_.magnitude += one_norm(low - origin_) + one_norm(high - origin_);
    }
    /// The parallelepiped of these half-axes around the centre.
    void add_axes(const float* center, const std::array<V, 3>& axes) {
        const V at = place(center);
        for (unsigned k = 0; k < 8; ++k) {
            V corner = at;
            for (unsigned j = 0; j < 3; ++j) corner = corner + ((k >> j & 1) != 0 ? 1.0 : -1.0) * axes[j];
            body_.points.push_back(corner);
        }
        for (const V& axis : axes) add_term(axis);
    }
    void add_vertices(const float* rows, const Vertices& vertices) {
        const float translation[3] = {rows[3], rows[7], rows[11]};
        const V at = place(translation);
        V most{};
        std::array<V, 3> column;
        for (std::size_t k = 0; k < 3; ++k) {
            const float of[3] = {rows[k], rows[4 + k], rows[8 + k]};
            column[k] = vector(of);
        }
        for (const auto& vertex : vertices) {
            const V v = vector(vertex.data());
            body_.points.push_back(at + (v.x * column[0] + v.y * column[1] + v.z * column[2]));
            most = {std::max(most.x, std::fabs(v.x)), std::max(most.y, std::fabs(v.y)),
                    std::max(most.z, std::fabs(v.z))};
        }
        add_term(most.x * column[0]);
        add_term(most.y * column[1]);
        add_term(most.z * column[2]);
        body_.vertices = one_norm(most);
    }
    void add_radius(float radius) {
        body_.radius = static_cast<double>(radius);
        body_.magnitude += body_.radius;
    }
    [[nodiscard]] Body made(double more_error = 0) {
        body_.error = share * body_.size + more_error;
        return body_;
    }

private:
    V place(const float* p) {
        const V at = vector(p) - origin_;
        add_term(at);
        return at;
    }
    void add_term(const V& term) {
        body_.size += largest(term);
        body_.magnitude += one_norm(term);
    }

    V origin_;
    Body body_;
};

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

Body body_of(Kind kind, const Object& object, const HullSet& hulls, const Place& origin) {
    const float* f = object.fields.data();
    Maker maker(origin);
    switch (kind) {
        case Kind::sphere:
            maker.add_point(f);
            maker.add_radius(f[3]);
            break;
        case Kind::box:
            maker.add_box(vector(f), vector(f + 3));
            break;
        case Kind::centered_box: {
            const V half = vector(f + 3);
            maker.add_axes(f, {{{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}}});
            break;
        }
        case Kind::oriented_box: {
            const V half = vector(f + 12);
            maker.add_axes(f, {{half.x * vector(f + 3), half.y * vector(f + 6), half.z * vector(f + 9)}});
            break;
        }
        case Kind::capsule:
            maker.add_point(f);
            maker.add_point(f + 3);
            maker.add_radius(f[6]);
            break;
        case Kind::hull:
        case Kind::box_instance:
            maker.add_vertices(f, local_points(kind, object, hulls));
            break;
        case Kind::quaternion_box: {
            const V half = vector(f + 7);
            const std::array<V, 3> axes = axes_of(f + 3);
            maker.add_axes(f, {{half.x * axes[0], half.y * axes[1], half.z * axes[2]}});
            return maker.made(rotation_error * largest(half));
        }
    }
    return maker.made();
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
