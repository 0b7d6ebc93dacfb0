#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/affine.hpp"
#include "oracle/exact.hpp"
#include "properties/family.hpp"
#include "properties/views/families.hpp"
#include "support/random.hpp"
#include "view/double_description.hpp"

/// What views are computed with contains the exact result: vectors with one error (base/interval3.hpp), and the corners
/// that half-spaces leave (view/double_description.cpp). The oracle computes in rationals, with numbers from anywhere
/// within the given errors.
namespace properties {
namespace {

using exact::Point;
using exact::Rational;
using exact::rational;
using lanecull::Affine;
using lanecull::Enclosed;
using lanecull::Generator;
using lanecull::Generators;
using lanecull::Interval;
using lanecull::Interval3;

bool contains(Interval i, const Rational& x) { return rational(i.lo) <= x && x <= rational(i.hi); }
bool contains(const Interval3& v, const Point& p) {
    const Rational off = rational(v.off);
    const auto near = [&](double at, const Rational& x) { return abs(x - rational(at)) <= off; };
    return near(v.x, p.x) && near(v.y, p.y) && near(v.z, p.z) && contains(v.in_x(), p.x) && contains(v.in_y(), p.y) &&
           contains(v.in_z(), p.z);
}

/// Numbers of all sizes and of one, small whole ones, zeros; so small that products underflow.
class Numbers {
public:
    explicit Numbers(Random& random) : random_(random), kind_(random_.below(5)) {}

    double number() {
        switch (kind_) {
            case 0:
                return random_.range(-1, 1);
            case 1:
                return random_.sign() * random_.log_range(1e-12, 1e12);
            case 2:
                return random_.below(7) - 3;
            case 3:
                return random_.sign() * random_.log_range(1e-170, 1e-140);
            default:
                return random_.chance(0.5) ? 0 : random_.range(-1e3, 1e3);
        }
    }
    Interval3 vector() {
        Interval3 v(number(), number(), number());
        // As results have it: at least twice what a component may have been rounded by.
        if (random_.chance(0.6)) v.off = std::ldexp(v.largest(), -52) * random_.log_range(1, 1e9) + 0x1p-1000;
        return v;
    }
    Interval interval() {
        const double low = number();
        return random_.chance(0.5) ? Interval(low) : Interval(low, low + std::fabs(low) * random_.log_range(1e-15, 1));
    }
    /// Anywhere within the error, most often at its end; less the part of the error that pays for at - off and at + off
    /// as computed.
    Point truth(const Interval3& v) {
        const auto near = [&](double at) {
            const Rational share = random_.chance(0.8) ? Rational(random_.sign()) : rational(random_.range(-1, 1));
            const Rational error = rational(v.off) * (1 - rational(0x1p-48)) - abs(rational(at)) * rational(0x1p-53);
            return rational(at) + share * (v.off > 0 ? error : Rational(0));
        };
        return {near(v.x), near(v.y), near(v.z)};
    }
    Rational truth(Interval i) { return rational(random_.chance(0.5) ? i.lo : i.hi); }

private:
    Random& random_;
    int kind_;
};

/// A claim about the first three vectors, whose numbers describe it.
struct Vectors {
    Trial& trial;
    Numbers numbers;
    Interval3 a, b, c;

    explicit Vectors(Trial& of)
        : trial(of), numbers(of.random), a(numbers.vector()), b(numbers.vector()), c(numbers.vector()) {}

    void expect(bool holds, const char* what) const {
        if (holds) return;
        trial.fail(Tally::unproved, what, [&] {
            std::string text;
            for (const Interval3& v : {a, b, c}) text += written(std::array{v.x, v.y, v.z, v.off}) + ";";
            return text;
        });
    }
};

/// By Cramer's rule.
void check_solutions(Vectors& of, const Point& p, const Point& q, const Point& r) {
    const lanecull::Inverse inverse(lanecull::Interval3x3{{of.a, of.b, of.c}});
    ++of.trial.at(Tally::cases);
    if (!inverse.exists()) return;
    Numbers& numbers = of.numbers;
    const Interval3 x = numbers.vector();
    const Point within = numbers.truth(x);
    const Interval sides[3] = {numbers.interval(), numbers.interval(), numbers.interval()};
    const Rational side[3] = {numbers.truth(sides[0]), numbers.truth(sides[1]), numbers.truth(sides[2])};
    const Point columns[3] = {cross(q, r), cross(r, p), cross(p, q)};
    const Rational determinant = dot(p, columns[0]);
    of.expect(determinant != 0, "what has no inverse is inverted");
    if (determinant == 0) return;
    const Point found =
        Rational(1 / determinant) * (side[0] * columns[0] + side[1] * columns[1] + side[2] * columns[2]);
    const Interval3 times = inverse.times(sides[0], sides[1], sides[2]);
    Interval box[3];
    inverse.times(sides, box);
    if (times.finite()) {
        ++of.trial.at(Tally::reached);
        of.expect(contains(times, found) && contains(box[0], found.x) && contains(box[1], found.y) &&
                      contains(box[2], found.z),
                  "a solution is elsewhere");
    }
    const Interval3 rows = inverse.transposed_times(x);
    if (!rows.finite()) return;
    const Point sums = {dot(columns[0], within), dot(columns[1], within), dot(columns[2], within)};
    of.expect(contains(rows, Rational(1 / determinant) * sums), "a product with the inverse is elsewhere");
}

void check_vectors(Trial& trial) {
    Vectors of(trial);
    const auto& [a, b, c] = std::tie(of.a, of.b, of.c);
    Numbers& numbers = of.numbers;
    const Point p = numbers.truth(a), q = numbers.truth(b), r = numbers.truth(c);
    const Interval s = numbers.interval();
    const Rational factor = numbers.truth(s);
    const double exactly = numbers.number();
    of.expect(contains(a + b, p + q), "a sum");
    of.expect(contains(-a, Rational(-1) * p), "a negative");
    of.expect(contains(a * exactly, rational(exactly) * p), "a product with a number");
    of.expect(contains(a * s, factor * p), "a product with an interval");
    of.expect(contains(lanecull::dot(a, b), dot(p, q)), "a scalar product");
    of.expect(contains(lanecull::cross(a, b), cross(p, q)), "a vector product");
    of.expect(contains(Affine{a, s}.at(b), dot(p, q) + factor), "an affine function");
    const lanecull::Double3 n = middle(a);
    of.expect(rational(lanecull::dot_down(n, b)) <= dot(exact::point(n.x, n.y, n.z), q), "a least scalar product");
    of.expect(contains(lanecull::Turning(lanecull::Interval3x3{{a, b, c}})(c), Point{dot(p, r), dot(q, r), dot(r, r)}),
              "a turned vector");
    of.expect(a.off > 0 || exactly_zero(a + -Interval3(a.x, a.y, a.z)), "a vector that vanishes is not found to");
    check_solutions(of, p, q, r);
}

// Corners.

bool all_rays_lead_along(const Point& n, std::span<const Generator> generators) {
    return std::ranges::all_of(
        generators, [&](const Generator& g) { return !g.is_ray() || dot(n, exact::point(g.p.x, g.p.y, g.p.z)) >= 0; });
}

/// What n . p is at least, over all points, wherever within their errors they are.
std::optional<Rational> least_along(const Point& n, std::span<const Generator> generators) {
    std::optional<Rational> least;
    for (const Generator& g : generators) {
        if (g.is_ray()) continue;
        const Rational reach = (abs(n.x) + abs(n.y) + abs(n.z)) * rational(g.p.off);
        const Rational along = dot(n, exact::point(g.p.x, g.p.y, g.p.z)) - reach;
        if (!least || along < *least) least = along;
    }
    return least;
}

/// Half-spaces around a box, or around a pyramid whose four sides meet in one point but for rounding; some nearly
/// through corners of others.
std::vector<Affine> half_spaces_around(Random& random) {
    std::vector<Affine> planes;
    const double far = random.log_range(0.1, 1e4), offset = random.log_range(1e-3, 1e3);
    const auto add = [&](double x, double y, double z, double d) {
        planes.push_back(normalized(Affine{{x, y, z}, Interval(d)}));
    };
    if (random.chance(0.5)) {  // a pyramid around z, then across it
        const double tan_x = random.log_range(0.1, 10), tan_y = random.log_range(0.1, 10);
        for (const double side : {1.0, -1.0}) add(side, 0, tan_x, 0), add(0, side, tan_y, 0);
        add(0, 0, -1, far);
        if (random.chance(0.5)) add(0, 0, 1, -0.1 * far);
    } else {
        for (const double side : {1.0, -1.0}) add(side, 0, 0, far), add(0, side, 0, far), add(0, 0, side, offset);
    }
    for (int more = random.below(5); more > 0; --more) {
        const double x = random.range(-1, 1), y = random.range(-1, 1), z = random.range(-1, 1);
        add(x, y, z, random.chance(0.2) ? 0 : far * random.range(-0.3, 1));
    }
    if (random.chance(0.3)) planes.push_back(planes[static_cast<std::size_t>(random.below(4))]);
    if (random.chance(0.3)) {
        Affine tilted = planes[static_cast<std::size_t>(random.below(4))];
        tilted.linear.x += random.range(-1, 1) * random.log_range(1e-16, 1e-3);
        planes.push_back(tilted);
    }
    if (random.chance(0.5)) {  // known less well than doubles tell
        const double blur = random.log_range(1e-13, 1e-7);
        for (Affine& f : planes) f.linear.off += blur, f.constant = {f.constant.lo - blur, f.constant.hi + blur};
    }
    return planes;
}

std::string described(std::span<const Affine> planes) {
    std::string text;
    for (const Affine& f : planes) {
        text += "\n  " +
                written(std::array{f.linear.x, f.linear.y, f.linear.z, f.linear.off, f.constant.lo, f.constant.hi});
    }
    return text;
}

/// What the numbers say exactly. Their errors are part of the half-spaces; one from within them is taken.
exact::HalfSpaces truth_of(Random& random, std::span<const Affine> planes) {
    exact::HalfSpaces truth;
    for (const Affine& f : planes) {
        const auto near = [&](double at) { return rational(at) + rational(random.sign() * 0.99 * f.linear.off); };
        const Rational offset = rational(random.chance(0.5) ? f.constant.lo : f.constant.hi);
        truth.push_back({{near(f.linear.x), near(f.linear.y), near(f.linear.z)}, offset});
    }
    return truth;
}

void check_corners(Trial& trial) {
    Random& random = trial.random;
    const std::vector<Affine> planes = half_spaces_around(random);
    const exact::HalfSpaces truth = truth_of(random, planes);
    Generators generators;
    const Enclosed enclosed = enclose(planes, generators);
    ++trial.at(Tally::verdicts);
    const exact::Volume volume(truth);
    const auto fail = [&](const char* what) { trial.fail(Tally::unproved, what, [&] { return described(planes); }); };
    if (enclosed == Enclosed::empty) {
        ++trial.at(Tally::culled_plane);
        if (!volume.empty()) fail("what has a point is called empty");
    }
    if (enclosed != Enclosed::whole) return;
    ++trial.at(Tally::cases);
    // The hull holds a point exactly if it reaches as far as the point does, in all directions.
    std::vector<Point> directions;
    for (const exact::HalfSpace& f : truth) directions.push_back(f.normal);
    for (int k = 0; k < 12; ++k) {
        directions.push_back(exact::point(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)));
    }
    for (const Point& n : directions) {
        const std::optional<Rational> least = least_along(n, generators.all());
        if (!least || !all_rays_lead_along(n, generators.all())) continue;
        ++trial.at(Tally::exact_checks);
        const auto holds = [&](const Point& corner) { return *least <= dot(n, corner); };
        if (!std::ranges::all_of(volume.points(), holds)) fail("a corner is outside of the hull");
    }
    trial.at(Tally::reached) += lanecull::blur(generators.all()) <= 1e-3 * lanecull::extent(generators.all());
}

// Rays.

/// Half-spaces of a pyramid around a direction: planes through the origin that touch a cone, in order around it.
std::vector<Affine> sides_of_pyramid(Random& random, int count) {
    const double slope = random.range(0.3, 2), turned = random.range(0, 6);
    const double a = random.range(0, 6), b = random.range(0, 6);
    std::vector<Affine> sides;
    for (int k = 0; k < count; ++k) {
        const double angle = turned + 6.283185307179586 * (k + random.range(-0.2, 0.2)) / count;
        const double x = -std::cos(angle), y = -std::sin(angle), z = slope, size = std::sqrt(1 + slope * slope);
        const double y_turned = std::cos(a) * y - std::sin(a) * z, z_turned = std::sin(a) * y + std::cos(a) * z;
        const double x_turned = std::cos(b) * x - std::sin(b) * z_turned;
        sides.push_back(
            {{x_turned / size, y_turned / size, (std::sin(b) * x + std::cos(b) * z_turned) / size}, Interval(0.0)});
    }
    return sides;
}

/// The sides in any order, after four of them all around, which make a pyramid that the others cut.
std::vector<Affine> four_first(Random& random, const std::vector<Affine>& sides) {
    std::vector<Affine> planes, others;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const bool is_first = planes.size() < 4 && k == planes.size() * sides.size() / 4;
        (is_first ? planes : others).push_back(sides[k]);
    }
    for (std::size_t k = others.size(); k > 1; --k) {
        std::swap(others[k - 1], others[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    }
    planes.insert(planes.end(), others.begin(), others.end());
    return planes;
}

/// The ray is where the two sides that it lies on for certain meet, within its error and what that changes of its
/// length; and inside of all sides.
bool is_true_ray(const Generator& g, std::span<const Affine> planes) {
    std::vector<Point> normals;
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const Interval3& n = planes[k].linear;
        if ((g.sure >> k & 1) != 0) normals.push_back(exact::point(n.x, n.y, n.z));
    }
    if (normals.size() != 2 || g.p.off > 0x1p-35 * g.p.largest()) return false;
    const Point line = cross(normals[0], normals[1]), middle = exact::point(g.p.x, g.p.y, g.p.z);
    const Rational share = dot(middle, middle) / dot(line, middle), off = 4 * rational(g.p.off);
    const auto at = [&](double x, const Rational& d) { return abs(rational(x) - share * d) <= off; };
    return at(g.p.x, line.x) && at(g.p.y, line.y) && at(g.p.z, line.z) &&
           std::ranges::all_of(planes, [&](const Affine& f) {
               return dot(exact::point(f.linear.x, f.linear.y, f.linear.z), line) * share >= 0;
           });
}

/// Each side is cut after the ones before it, in any order, so a ray has been found by way of many others.
void check_rays(Trial& trial) {
    const int count = 5 + trial.random.below(20);
    const std::vector<Affine> planes = four_first(trial.random, sides_of_pyramid(trial.random, count));
    Generators generators;
    bool holds = enclose(std::span(planes).first(4), generators) == Enclosed::whole &&
                 clip_all(planes, 4, static_cast<std::uint32_t>(planes.size()), generators) == Enclosed::whole;
    int rays = 0;
    for (const Generator& g : generators.all()) {
        if (!g.is_ray()) continue;
        ++rays;
        ++trial.at(Tally::exact_checks);
        holds = holds && is_true_ray(g, planes);
    }
    if (!holds || rays != count) {
        trial.fail(Tally::unproved, "a pyramid's rays are not known", [&] { return described(planes); });
    }
}

}  // namespace

void enclosing_vectors(Trial& trial) { run_cases<check_vectors>(trial); }
void enclosing_corners(Trial& trial) { run_cases<check_corners>(trial); }
void enclosing_rays(Trial& trial) { run_cases<check_rays>(trial); }

}  // namespace properties
