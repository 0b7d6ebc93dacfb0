#include <algorithm>
#include <array>
#include <stdexcept>

#include "oracle/exact.hpp"

namespace exact {
namespace {

/// The same half-space in integers: their products need no greatest common divisors.
HalfSpace in_integers(const HalfSpace& half_space) {
    using Integer = boost::multiprecision::mpz_int;
    Integer factor = 1;
    const Point& n = half_space.normal;
    for (const Rational* number : {&n.x, &n.y, &n.z, &half_space.offset})
        factor = lcm(factor, Integer(denominator(*number)));
    const Rational scale(factor);
    return {scale * n, scale * half_space.offset};
}

/// Its largest component 1 or -1: the same ray has the same numbers.
Point normalised(const Point& ray) {
    const Rational largest = std::max({Rational(abs(ray.x)), Rational(abs(ray.y)), Rational(abs(ray.z))});
    return Rational(1 / largest) * ray;
}

/// Directions that all normals are perpendicular to, themselves perpendicular to one another: 0 to 3.
std::vector<Point> free_directions(const HalfSpaces& half_spaces) {
    std::vector<Point> normals;  // independent ones
    for (const HalfSpace& h : half_spaces) {
        if (normals.empty()) {
            normals = {h.normal};
        } else if (normals.size() == 1) {
            if (cross(normals[0], h.normal) != Point{}) normals.push_back(h.normal);
        } else if (dot(cross(normals[0], normals[1]), h.normal) != 0) {
            return {};
        }
    }
    if (normals.empty()) return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (normals.size() == 2) return {normalised(cross(normals[0], normals[1]))};
    const Point& n = normals[0];
    const Point across = n.x == 0 ? Point{1, 0, 0} : Point{-n.y, n.x, 0};
    return {normalised(across), normalised(cross(n, across))};
}

/// Calls visit(i, j, k, determinant, sums) for all i < j < k with independent normals, where the planes meet in
/// sums / determinant.
template <class Visit>
void for_each_corner(const HalfSpaces& h, const Visit& visit) {
    for (std::size_t i = 0; i < h.size(); ++i) {
        for (std::size_t j = i + 1; j < h.size(); ++j) {
            const Point ij = cross(h[i].normal, h[j].normal);
            for (std::size_t k = j + 1; k < h.size(); ++k) {
                const Rational determinant = dot(ij, h[k].normal);
                if (determinant == 0) continue;
                const Point jk = cross(h[j].normal, h[k].normal), ki = cross(h[k].normal, h[i].normal);
                const Point sums = h[i].offset * jk + h[j].offset * ki + h[k].offset * ij;
                visit(std::array{i, j, k}, determinant, Rational(-1) * sums);
            }
        }
    }
}

/// Is v = sum w_m n_m over these three, w >= 0? The weights times |determinant|, if so.
std::optional<std::array<Rational, 3>> weights(const HalfSpaces& h, const std::array<std::size_t, 3>& three,
                                               const Point& v) {
    const Point &a = h[three[0]].normal, &b = h[three[1]].normal, &c = h[three[2]].normal;
    const Point bc = cross(b, c);
    const Rational determinant = dot(a, bc);
    if (determinant == 0) return std::nullopt;
    std::array<Rational, 3> w = {dot(v, bc), dot(v, cross(c, a)), dot(v, cross(a, b))};
    for (Rational& weight : w) {
        if (determinant < 0) weight = -weight;
        if (weight < 0) return std::nullopt;
    }
    return w;
}

/// Farkas' lemma, with at most four of them: sum w_i n_i = 0 and sum w_i d_i < 0, w >= 0.
bool proves_empty(const HalfSpaces& h) {
    bool found = false;
    for_each_corner(h, [&](const std::array<std::size_t, 3>& three, const Rational& determinant, const Point&) {
        const Rational unit = abs(determinant);
        for (std::size_t l = 0; l < h.size() && !found; ++l) {
            const auto w = weights(h, three, Rational(-1) * h[l].normal);
            if (!w) continue;
            Rational sum = unit * h[l].offset;
            for (std::size_t m = 0; m < 3; ++m) sum += (*w)[m] * h[three[m]].offset;
            found = sum < 0;
        }
    });
    return found;
}

}  // namespace

HalfSpace half_space(double normal_x, double normal_y, double normal_z, double offset) {
    return {point(normal_x, normal_y, normal_z), rational(offset)};
}

HalfSpaces half_spaces(std::span<const double, 16> clip_from_world, const lanecull::ClipSpace& clip_space) {
    const Point origin = point(clip_space.origin[0], clip_space.origin[1], clip_space.origin[2]);
    const auto made =
        solids::half_spaces(solids::clip_coordinates<Rational>(clip_from_world, clip_space), clip_space.depth);
    HalfSpaces result(made.begin(), made.end());
    for (HalfSpace& h : result) h.offset -= dot(h.normal, origin);
    return result;
}

Volume::Volume(const HalfSpaces& half_spaces) : Volume(hull(std::span(&half_spaces, 1))) {}

Volume Volume::hull(std::span<const Point> points) {
    if (points.empty()) throw std::invalid_argument("exact: the hull of no points");
    Part part;
    for (const Point& p : points) part.vertices.push_back({p, {}});
    Volume volume;
    volume.add(std::move(part));
    return volume;
}

Volume Volume::hull(std::span<const HalfSpaces> intersections) {
    Volume volume;
    for (const HalfSpaces& half_spaces : intersections) {
        if (std::optional<Part> part = intersection(half_spaces)) volume.add(std::move(*part));
    }
    return volume;
}

Volume Volume::widened(const Rational& margin) const {
    if (margin < 0) throw std::domain_error("exact: a margin is negative");
    Volume result = *this;
    result.margin_ += margin;
    return result;
}

/// A copy that a light may be given.
Volume Volume::lit() const {
    if (sweep_ || endless_sweep_ || joined_) throw std::logic_error("exact: a volume takes one light");
    return *this;
}

Volume Volume::swept(const Point& way) const {
    Volume result = lit();
    result.sweep_ = way;
    for (const Point& p : points_) result.add_point(p + way);
    return result;
}

Volume Volume::swept_endlessly(const Point& way) const {
    Volume result = lit();
    result.endless_sweep_ = way;
    if (!empty()) result.add_ray(normalised(way));
    return result;
}

Volume Volume::joined(const Point& point) const {
    Volume result = lit();
    result.joined_ = point;
    if (!empty()) result.add_point(point);
    return result;
}

std::span<const HalfSpace> Volume::half_spaces() const {
    if (parts_.size() != 1 || sweep_ || endless_sweep_ || joined_) return {};
    return std::span(parts_[0].half_spaces).first(parts_[0].given);
}

/// None if it is empty. Where the volume goes on for ever both ways in some direction it has no vertex; it is then all
/// shifts of its section across such directions, which has.
std::optional<Volume::Part> Volume::intersection(const HalfSpaces& half_spaces) {
    Part part;
    for (const HalfSpace& h : half_spaces) {
        if (h.normal != Point{}) {
            part.half_spaces.push_back(in_integers(h));
        } else if (h.offset < 0) {
            return std::nullopt;
        }
    }
    part.given = part.half_spaces.size();
    for (const Point& direction : free_directions(part.half_spaces)) {
        for (const int side : {1, -1}) {
            part.directions.push_back(Rational(side) * direction);
            part.half_spaces.push_back(in_integers({part.directions.back(), 0}));
        }
    }
    add_vertices(part);
    if (part.vertices.empty()) {
        if (!proves_empty(part.half_spaces)) throw std::logic_error("exact: neither a point nor a proof of none");
        return std::nullopt;
    }
    add_rays(part);
    return part;
}

void Volume::add_vertices(Part& part) {
    const HalfSpaces& h = part.half_spaces;
    for_each_corner(h, [&](const std::array<std::size_t, 3>& three, const Rational& determinant, const Point& sums) {
        const auto known = [&](const Vertex& vertex) {
            return std::includes(vertex.on.begin(), vertex.on.end(), three.begin(), three.end());
        };
        if (std::any_of(part.vertices.begin(), part.vertices.end(), known)) return;
        Vertex vertex{Rational(1 / determinant) * sums, {}};
        for (std::size_t i = 0; i < h.size(); ++i) {
            const int side = (dot(h[i].normal, vertex.at) + h[i].offset).sign();
            if (side < 0) return;
            if (side == 0) vertex.on.push_back(i);
        }
        part.vertices.push_back(std::move(vertex));
    });
}

/// The edges that do not end.
void Volume::add_rays(Part& part) {
    const HalfSpaces& h = part.half_spaces;
    std::vector<Point> rays;
    for (std::size_t i = 0; i < h.size(); ++i) {
        for (std::size_t j = i + 1; j < h.size(); ++j) {
            const Point along = cross(h[i].normal, h[j].normal);
            if (along == Point{}) continue;
            for (const int side : {1, -1}) {
                const Point ray = normalised(Rational(side) * along);
                const bool inside = std::all_of(h.begin(), h.end(),
                                                [&](const HalfSpace& other) { return dot(other.normal, ray) >= 0; });
                if (inside && std::find(rays.begin(), rays.end(), ray) == rays.end()) rays.push_back(ray);
            }
        }
    }
    part.directions.insert(part.directions.end(), rays.begin(), rays.end());
}

void Volume::add(Part part) {
    if (parts_.empty()) reference_ = part.vertices[0].at;
    for (const Vertex& vertex : part.vertices) add_point(vertex.at);
    for (const Point& direction : part.directions) add_ray(direction);
    parts_.push_back(std::move(part));
}

void Volume::add_point(const Point& point) {
    points_.push_back(point);
    rounded_points_.push_back(to_double(point - reference_));
}

void Volume::add_ray(const Point& ray) {
    rays_.push_back(ray);
    rounded_rays_.push_back(to_double(ray));
}

/// By the half-spaces of a part; hulls of points may contain it unnoticed, and so may what is swept or joined.
bool Volume::contains(const Point& point) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.given > 0 &&
               std::all_of(part.half_spaces.begin(), part.half_spaces.begin() + static_cast<std::ptrdiff_t>(part.given),
                           [&](const HalfSpace& h) { return dot(h.normal, point) + h.offset >= 0; });
    });
}

std::optional<Rational> Volume::lowest(const Point& direction) const {
    std::optional<Rational> result;
    for (const Part& part : parts_) {
        const Vertex* best = nullptr;
        Rational smallest;
        for (const Vertex& vertex : part.vertices) {
            Rational value = dot(direction, vertex.at);
            if (best == nullptr || value < smallest) best = &vertex, smallest = std::move(value);
        }
        if (!proves_lowest(part, *best, direction)) return std::nullopt;
        if (!result || smallest < *result) result = smallest;
    }
    if (!result) return std::nullopt;
    if (sweep_) *result += std::min<Rational>(0, dot(direction, *sweep_));
    if (endless_sweep_ && dot(direction, *endless_sweep_) < 0) return std::nullopt;
    if (joined_) result = std::min<Rational>(*result, dot(direction, *joined_));
    return result;
}

/// Is the direction a sum of given inward normals on whose planes the vertex lies, none of them taken negatively?
bool Volume::proves_lowest(const Part& part, const Vertex& vertex, const Point& direction) {
    if (part.half_spaces.empty()) return true;  // the hull of its points: each of them was asked
    const std::vector<std::size_t>& on = vertex.on;
    for (std::size_t a = 0; a < on.size(); ++a) {
        for (std::size_t b = a + 1; b < on.size(); ++b) {
            for (std::size_t c = b + 1; c < on.size(); ++c) {
                const std::array three = {on[a], on[b], on[c]};
                const auto w = weights(part.half_spaces, three, direction);
                if (!w) continue;
                bool given = true;
                for (std::size_t m = 0; m < 3; ++m) given = given && (three[m] < part.given || (*w)[m] == 0);
                if (given) return true;
            }
        }
    }
    return false;
}

}  // namespace exact
