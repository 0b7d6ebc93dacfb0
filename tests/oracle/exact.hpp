#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <lanecull/view.h>

#include "oracle/exact_nearest.hpp"
#include "oracle/solids.hpp"

/// An oracle without rounding: do a convex solid and a view volume share a point?
///
/// Every float and every double is a rational number, and so is everything computed from them here. Touching in a
/// single point counts as sharing it. Solids are convex hulls of points, expanded by a radius. Volumes are
/// intersections of half-spaces, hulls of points, or the hull of several intersections, and may be expanded too.
///
/// The search (exact_nearest.hpp, in doubles first) is not trusted. An answer counts only with a certificate, which is
/// verified on its own, in rationals, against the numbers that were given:
///
///   visible  x = sum lambda_i s_i and y = sum mu_j p_j + sum rho_k r_k, all factors >= 0, sum lambda = sum mu = 1,
///            with |x - y| <= the sum of the radii; s_i are the solid's points, p_j points of the volume and r_k its
///            rays, each of which was checked against the half-spaces' inequalities when the volume was made;
///   apart    a direction v with max v . s over the solid + the sum of the radii times |v| < min v . y over the volume;
///            over half-spaces n_i . y + d_i >= 0 that minimum is proved by multipliers w >= 0 with v = sum w_i n_i, on
///            planes that meet in one point (Farkas' lemma); over a hull of several volumes, by the lowest of their
///            minima; over a swept volume by the sum of two minima, over one joined with a point by the lower of two.
///
/// There always is such a certificate, because the nearest points of polyhedra with rational coordinates are rational.
/// `unclear` would be a bug of the search.
namespace exact {

/// Without expression templates: functions may return `auto`.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;
using Point = Vec<Rational>;

/// The exact value. Throws std::domain_error if `number` is not finite.
[[nodiscard]] Rational rational(double number);
/// Each coordinate becomes the nearest double or a neighbour of it.
[[nodiscard]] Vec<double> to_double(const Point& point);
[[nodiscard]] Point point(double x, double y, double z);

using Solid = solids::Solid<Rational>;

// What oracle/solids.hpp makes; `sphere` and so on throw std::domain_error as rational() does.
inline constexpr auto& sphere = solids::sphere<Rational>;
inline constexpr auto& box = solids::box<Rational>;
inline constexpr auto& centered_box = solids::centered_box<Rational>;
inline constexpr auto& oriented_box = solids::oriented_box<Rational>;
inline constexpr auto& rotated_box = solids::rotated_box<Rational>;
inline constexpr auto& capsule = solids::capsule<Rational>;
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
    [[nodiscard]] std::optional<Rational> lowest(const Point& direction) const;

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
/// several times that close to a touch.
[[nodiscard]] Answer decide(const Solid& solid, const Volume& volume, const Rational& grow = 0);

}  // namespace exact
