#pragma once

#include <array>
#include <boost/multiprecision/gmp.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <lanecull/view.h>

#include "oracle/solids.hpp"

namespace exact {

using solids::cross;
using solids::dot;
using solids::Vec;

/// A solid, the hull of points, and a volume, the hull of points plus all sums of rays.
template <class T>
struct Generators {
    std::span<const Vec<T>> solid, volume, rays;
};

/// A generator of the Minkowski difference { s - p : s in the solid, p in the volume }: a difference of two points, or
/// a ray.
struct Generator {
    bool is_ray = false;
    std::size_t solid = 0;   ///< index of the point; for differences only
    std::size_t volume = 0;  ///< index of the point or ray
};

/// Finds the point of the Minkowski difference that is nearest to the origin, by Wolfe's method. It keeps a few
/// generators, the corral, and the point x of their affine hull that is nearest to the origin; all factors of x are >
/// 0. A generator on the origin's side of the plane through x perpendicular to x brings x nearer. It enters the corral,
/// and generators whose factors would become negative leave. With rationals x gets nearer in every step, no corral
/// recurs, and the search ends at the nearest point. With doubles it ends at a good guess.
template <class T>
class Nearest {
public:
    /// Starts at one difference of points.
    Nearest(const Generators<T>& generators, const Generator& first)
        : generators_(generators), corral_{first}, factors_{T(1)}, point_(vector(first)) {}

    [[nodiscard]] const Vec<T>& point() const { return point_; }
    [[nodiscard]] const std::vector<Generator>& corral() const { return corral_; }
    [[nodiscard]] const std::vector<T>& factors() const { return factors_; }

    /// Adds the generator to the corral if that brings the point nearer. Returns whether it did.
    bool take(const Generator& generator) {
        const T before = dot(point_, point_);
        if (!(dot(point_, vector(generator)) < (generator.is_ray ? T(0) : before))) return false;
        corral_.push_back(generator);
        factors_.push_back(T(0));
        for (;;) {
            const std::optional<std::vector<T>> best = nearest_combination();
            if (!best) return false;
            const std::optional<std::size_t> leaves = walk_towards(*best);
            if (!leaves) break;
            corral_.erase(corral_.begin() + static_cast<std::ptrdiff_t>(*leaves));
            factors_.erase(factors_.begin() + static_cast<std::ptrdiff_t>(*leaves));
        }
        point_ = combination();
        return dot(point_, point_) < before;
    }

    /// The generator farthest on the origin's side of that plane. None: the point is the nearest.
    [[nodiscard]] std::optional<Generator> better() const {
        Generator best;
        T lowest = dot(point_, generators_.solid[0]), highest = dot(point_, generators_.volume[0]), steepest = T(0);
        for (std::size_t i = 1; i < generators_.solid.size(); ++i) {
            const T value = dot(point_, generators_.solid[i]);
            if (value < lowest) lowest = value, best.solid = i;
        }
        for (std::size_t i = 1; i < generators_.volume.size(); ++i) {
            const T value = dot(point_, generators_.volume[i]);
            if (value > highest) highest = value, best.volume = i;
        }
        if (lowest - highest < dot(point_, point_)) return best;
        for (std::size_t i = 0; i < generators_.rays.size(); ++i) {
            const T value = -dot(point_, generators_.rays[i]);
            if (value < steepest) steepest = value, best = {true, 0, i};
        }
        if (best.is_ray) return best;
        return std::nullopt;
    }

private:
    [[nodiscard]] Vec<T> vector(const Generator& generator) const {
        if (generator.is_ray) return T(-1) * generators_.rays[generator.volume];
        return generators_.solid[generator.solid] - generators_.volume[generator.volume];
    }

    [[nodiscard]] Vec<T> combination() const {
        Vec<T> sum;
        for (std::size_t k = 0; k < corral_.size(); ++k) sum = sum + factors_[k] * vector(corral_[k]);
        return sum;
    }

    /// The factors of the point of the corral's affine hull that is nearest to the origin. The hull is spanned from a
    /// base, the first generator that is no ray, by the rays and by the other generators' differences from the base.
    /// None if these are linearly dependent, which only rounding can cause.
    [[nodiscard]] std::optional<std::vector<T>> nearest_combination() const {
        std::size_t base = 0;
        while (corral_[base].is_ray) ++base;
        const Vec<T> start = vector(corral_[base]);
        std::array<Vec<T>, 3> u;
        std::size_t count = 0;
        for (std::size_t k = 0; k < corral_.size(); ++k) {
            if (k == base) continue;
            if (count == u.size()) return std::nullopt;
            u[count++] = corral_[k].is_ray ? vector(corral_[k]) : vector(corral_[k]) - start;
        }
        const std::optional<std::array<T, 3>> along = project(start, u, count);
        if (!along) return std::nullopt;
        std::vector<T> result(corral_.size());
        result[base] = T(1);
        for (std::size_t k = 0, i = 0; k < corral_.size(); ++k) {
            if (k == base) continue;
            result[k] = (*along)[i++];
            if (!corral_[k].is_ray) result[base] = result[base] - result[k];
        }
        return result;
    }

    /// The a for which start + sum a_i u_i is nearest to the origin.
    [[nodiscard]] static std::optional<std::array<T, 3>> project(const Vec<T>& start, const std::array<Vec<T>, 3>& u,
                                                                 std::size_t count) {
        std::array<T, 3> a{};
        if (count == 0) return a;
        if (count == 1) {
            const T size = dot(u[0], u[0]);
            if (size == T(0)) return std::nullopt;
            a[0] = -dot(start, u[0]) / size;
            return a;
        }
        const Vec<T> n = cross(u[0], u[1]);
        // With two vectors the plane's normal replaces the third, for the result is a multiple of that normal.
        const Vec<T>& third = count == 2 ? n : u[2];
        const T size = dot(n, third);
        if (size == T(0)) return std::nullopt;
        a[0] = -dot(start, cross(u[1], third)) / size;
        a[1] = -dot(start, cross(third, u[0])) / size;
        if (count == 3) a[2] = -dot(start, n) / size;
        return a;
    }

    /// Moves the factors towards `best` until one would become negative, and returns that one's index. None: all of
    /// `best` are > 0 and the factors are now `best`.
    std::optional<std::size_t> walk_towards(const std::vector<T>& best) {
        std::optional<std::size_t> first;
        T way = T(1);
        for (std::size_t k = 0; k < best.size(); ++k) {
            if (best[k] > T(0)) continue;
            const T share = factors_[k] > T(0) ? factors_[k] / (factors_[k] - best[k]) : T(0);
            if (!first || share < way) first = k, way = share;
        }
        for (std::size_t k = 0; k < best.size(); ++k) factors_[k] = factors_[k] + way * (best[k] - factors_[k]);
        return first;
    }

    Generators<T> generators_;
    std::vector<Generator> corral_;
    std::vector<T> factors_;
    Vec<T> point_;
};

// An oracle without rounding: do a convex solid and a view volume share a point?
//
// Every float and every double is a rational number, and so is everything computed from them here. Touching in a
// single point counts as sharing it. Solids are convex hulls of points, expanded by a radius. Volumes are
// intersections of half-spaces, hulls of points, or the hull of several intersections, and may be expanded too.
//
// The search (Nearest, in doubles first) is not trusted. An answer counts only with a certificate, which is
// verified on its own, in rationals, against the numbers that were given:
//
//   visible  x = sum lambda_i s_i and y = sum mu_j p_j + sum rho_k r_k, all factors >= 0, sum lambda = sum mu = 1,
//            with |x - y| <= the sum of the radii; s_i are the solid's points, p_j points of the volume and r_k its
//            rays, each of which was checked against the half-spaces' inequalities when the volume was made;
//   apart    a direction v with max v . s over the solid + the sum of the radii times |v| < min v . y over the volume;
//            over half-spaces n_i . y + d_i >= 0 that minimum is proved by multipliers w >= 0 with v = sum w_i n_i, on
//            planes that meet in one point (Farkas' lemma); over a hull of several volumes, by the lowest of their
//            minima; over a swept volume by the sum of two minima, over one joined with a point by the lower of two.
//
// There always is such a certificate, because the nearest points of polyhedra with rational coordinates are rational.
// `unclear` would be a bug of the search.

/// Without expression templates: functions may return `auto`.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;
using Point = Vec<Rational>;

/// No less than the square root, and more by at most 2^-70 of it.
[[nodiscard]] Rational root_up(const Rational& square);
/// A number of 72 bits, and a power of two: nearer to 0 by at most 2^-71 of it.
[[nodiscard]] Rational shortened(const Rational& number);

}  // namespace exact

template <>
struct solids::Root<exact::Rational> {
    [[nodiscard]] static exact::Rational of(const exact::Rational& square) { return exact::root_up(square); }
    [[nodiscard]] static exact::Rational shortened(const exact::Rational& x) { return exact::shortened(x); }
    [[nodiscard]] static const exact::Rational& alone(const exact::Rational& x) { return x; }
};

namespace exact {

/// The exact value. Throws std::domain_error if `number` is not finite.
[[nodiscard]] Rational rational(double number);
/// Each coordinate becomes the nearest double or a neighbour of it.
[[nodiscard]] Vec<double> to_double(const Point& point);
/// Nearly the same way, its components doubles, the largest of them 1.
[[nodiscard]] Point in_doubles(const Point& way);
[[nodiscard]] Point point(double x, double y, double z);

using Solid = solids::Solid<Rational>;

// What oracle/solids.hpp makes; `sphere` and so on throw std::domain_error as rational() does.
inline constexpr auto& sphere = solids::sphere<Rational>;
inline constexpr auto& box = solids::box<Rational>;
inline constexpr auto& centered_box = solids::centered_box<Rational>;
inline constexpr auto& oriented_box = solids::oriented_box<Rational>;
inline constexpr auto& rotated_box = solids::rotated_box<Rational>;
inline constexpr auto& capsule = solids::capsule<Rational>;
inline constexpr auto& cylinder = solids::cylinder<Rational>;
inline constexpr auto& cone = solids::cone<Rational>;
inline constexpr auto& round_cone = solids::round_cone<Rational>;
inline constexpr auto& ellipsoid = solids::ellipsoid<Rational>;
inline constexpr auto& hull = solids::hull<Rational>;
inline constexpr auto& swept = solids::swept<Rational>;
inline constexpr auto& grown = solids::grown<Rational>;

using HalfSpace = solids::HalfSpace<Rational>;
using HalfSpaces = std::vector<HalfSpace>;

[[nodiscard]] HalfSpace half_space(double normal_x, double normal_y, double normal_z, double offset);
/// w + x, w - x, w + y, w - y, z (or w + z) and w - z of the matrix, read as lanecull::prepare_view() documents it.
[[nodiscard]] HalfSpaces half_spaces(std::span<const double, 16> clip_from_world,
                                     const lanecull::ClipSpace& clip_space);

/// A closed convex set, bounded or not, flat or not.
class Volume {
public:
    /// The intersection of the half-spaces; all of space if there are none.
    explicit Volume(const HalfSpaces& half_spaces);
    /// The convex hull of at least one point.
    [[nodiscard]] static Volume hull(std::span<const Point> points);
    /// The smallest closed convex set that contains each of the intersections.
    [[nodiscard]] static Volume hull(std::span<const HalfSpaces> intersections);

    /// Everything within `margin` >= 0 of the volume.
    [[nodiscard]] Volume widened(const Rational& margin) const;
    /// The volume of what casts shadows into this one: the volume translated by s way, 0 <= s <= 1, or by any s >= 0;
    /// or its hull with one point. Only one of the three may be applied, once. Nothing casts shadows into the empty
    /// volume.
    [[nodiscard]] Volume swept(const Point& way) const;
    [[nodiscard]] Volume swept_endlessly(const Point& way) const;
    [[nodiscard]] Volume joined(const Point& point) const;
    /// The volume has no point, so nothing shares one with it.
    [[nodiscard]] bool empty() const { return parts_.empty(); }

    /// The volume is the hull of these points plus all sums of these rays, expanded by the margin.
    [[nodiscard]] std::span<const Point> points() const { return points_; }
    [[nodiscard]] std::span<const Point> rays() const { return rays_; }
    [[nodiscard]] const Rational& margin() const { return margin_; }
    /// The half-spaces whose intersection it is, without the margin. None if it is a hull, swept or joined.
    [[nodiscard]] std::span<const HalfSpace> half_spaces() const;
    /// The smallest direction . y over the volume without its margin, proved; none where there is no such or the proof
    /// fails.
    [[nodiscard]] std::optional<Rational> lowest(const Point& direction) const;

private:
    struct Vertex {
        Point at;
        std::vector<std::size_t> on;  ///< indices of the half-spaces whose planes it lies on, ascending
    };
    /// An intersection of half-spaces with its vertices and rays, or points alone.
    struct Part {
        HalfSpaces half_spaces;         ///< with integer coefficients
        std::size_t given = 0;          ///< the first so many were given; the rest were added to make vertices
        std::vector<Vertex> vertices;   ///< at least one
        std::vector<Point> directions;  ///< the directions in which it is unbounded
    };

    Volume() = default;
    [[nodiscard]] static std::optional<Part> intersection(const HalfSpaces& half_spaces);
    static void add_vertices(Part& part);
    static void add_rays(Part& part);
    void add(Part part);
    void add_point(const Point& point);
    void add_ray(const Point& ray);
    [[nodiscard]] Volume lit() const;
    [[nodiscard]] static bool proves_lowest(const Part& part, const Vertex& vertex, const Point& direction);
    [[nodiscard]] bool contains(const Point& point) const;

    friend class Decision;
    std::vector<Part> parts_;
    std::optional<Point> sweep_, endless_sweep_, joined_;
    Rational margin_ = 0;

    // Of all parts together, for the searches.
    std::vector<Point> points_, rays_;
    Point reference_;  ///< the rounded points are relative to it
    std::vector<Vec<double>> rounded_points_, rounded_rays_;
};

enum class Verdict { visible, apart, unclear };

struct Answer {
    Verdict verdict = Verdict::unclear;
    /// visible: points of the solid and of the volume, radii excluded, no farther apart than the sum of the radii.
    Point from, to;
    Point direction;  ///< apart: the volume lies higher along it than the solid; 0 if the volume is empty
};

/// Decides whether the solid, expanded by `grow` >= 0, and the volume share a point. Takes some 100 microseconds, and
/// several times that close to a touch. Of a solid with ovals a polytope within it is decided, which gets a vertex
/// nearer to the volume until one of the two proofs holds for the solid; `unclear` within 2^-50 or so of a touch.
[[nodiscard]] Answer decide(const Solid& solid, const Volume& volume, const Rational& grow = 0);

// What a convex solid hides, without rounding, in two ways that know nothing of each other.

/// Where a solid is seen from: from each of the eyes or, if there are none, along a direction.
struct Sight {
    std::vector<Point> eyes;
    Point direction;
};

/// The facets of min <= p <= max.
[[nodiscard]] HalfSpaces facets_of_box(const float min[3], const float max[3]);
/// The facets of centre + sum of s_k half[k] axes[k], |s_k| <= 1. axes: three vectors.
[[nodiscard]] HalfSpaces facets_of_oriented_box(const float centre[3], const float half[3], const float axes[9]);

/// The half-spaces through three of the points, or two and a ray, or one and two rays, that have all of them; each
/// once, and of points in one plane both.
[[nodiscard]] HalfSpaces sides_of_hull(std::span<const Point> points, std::span<const Point> rays);
/// The facets of the convex hull of points; none if they lie in a plane.
[[nodiscard]] HalfSpaces facets_of_hull(std::span<const Point> points);

/// Whether the solid { all facets >= 0 } meets the way from p to each eye, or the endless way from p against the
/// direction. It clips the way by one facet after the other.
[[nodiscard]] bool is_hidden(const Point& p, const Sight& sight, const HalfSpaces& facets);

/// The half-spaces whose intersection is what the solid hides from all eyes: with facets h_i facing an eye e and h_j
/// not facing it, h_i >= 0 and h_j(e) h_i - h_i(e) h_j >= 0. None if an eye is inside the solid.
[[nodiscard]] std::optional<HalfSpaces> hidden_by(const HalfSpaces& facets, const Sight& sight);

/// Whether all half-spaces contain the solid, expanded by `grow` >= 0.
[[nodiscard]] bool contain(const HalfSpaces& half_spaces, const Solid& solid, const Rational& grow = 0);

}  // namespace exact
