#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/affine.hpp"
#include "oracle/exact.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"
#include "view/double_description.hpp"

/// What views are computed with contains the exact result: vectors with one error (base/interval3.hpp), and the corners
/// that half-spaces leave (view/double_description.cpp). The oracle computes in rationals, with numbers from anywhere
/// within the given errors.

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

Rational dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
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
    explicit Numbers(std::uint64_t seed) : random_(seed), kind_(random_.below(5)) {}

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
    Random random_;
    int kind_;
};

TEST(Enclosing, VectorsContainExactResults) {
    std::size_t solved = 0, exact_zeros = 0;
    const int count = scaled(20'000);
    for (int seed = 0; seed < count; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Numbers numbers(static_cast<std::uint64_t>(seed));
        const Interval3 a = numbers.vector(), b = numbers.vector(), c = numbers.vector();
        const Point p = numbers.truth(a), q = numbers.truth(b), r = numbers.truth(c);
        const Interval s = numbers.interval();
        const Rational factor = numbers.truth(s);
        ASSERT_TRUE(contains(a + b, Point{p.x + q.x, p.y + q.y, p.z + q.z}));
        ASSERT_TRUE(contains(-a, Point{-p.x, -p.y, -p.z}));
        const double exactly = numbers.number();
        const Rational of = rational(exactly);
        ASSERT_TRUE(contains(a * exactly, Point{p.x * of, p.y * of, p.z * of}));
        ASSERT_TRUE(contains(a * s, Point{p.x * factor, p.y * factor, p.z * factor}));
        ASSERT_TRUE(contains(lanecull::dot(a, b), dot(p, q)));
        ASSERT_TRUE(contains(lanecull::cross(a, b), cross(p, q)));
        const Affine f = {a, s};
        ASSERT_TRUE(contains(f.at(b), dot(p, q) + factor));
        const lanecull::Double3 n = middle(a);
        ASSERT_LE(rational(lanecull::dot_down(n, b)), dot(exact::point(n.x, n.y, n.z), q));
        const Point turned = {dot(p, r), dot(q, r), dot(r, r)};
        ASSERT_TRUE(contains(lanecull::Turning(lanecull::Interval3x3{{a, b, c}})(c), turned));
        const lanecull::Inverse inverse(lanecull::Interval3x3{{a, b, c}});
        if (inverse.exists()) {
            const Interval3 x = numbers.vector();
            const Point solution = numbers.truth(x);
            const Interval sides[3] = {numbers.interval(), numbers.interval(), numbers.interval()};
            const Rational side[3] = {numbers.truth(sides[0]), numbers.truth(sides[1]), numbers.truth(sides[2])};
            // Cramer's rule: x = sum of side_k (column k of the adjugate) / determinant.
            const Point columns[3] = {cross(q, r), cross(r, p), cross(p, q)};
            const Rational determinant = dot(p, columns[0]);
            ASSERT_NE(determinant, 0);
            const auto along = [&](auto component) {
                return Rational((component(columns[0]) * side[0] + component(columns[1]) * side[1] +
                                 component(columns[2]) * side[2]) /
                                determinant);
            };
            const Point found = {along([](const Point& v) { return v.x; }), along([](const Point& v) { return v.y; }),
                                 along([](const Point& v) { return v.z; })};
            const Interval3 times = inverse.times(sides[0], sides[1], sides[2]);
            Interval box[3];
            inverse.times(sides, box);
            if (times.finite()) {
                ASSERT_TRUE(contains(times, found));
                ASSERT_TRUE(contains(box[0], found.x) && contains(box[1], found.y) && contains(box[2], found.z));
                ++solved;
            }
            const Interval3 rows = inverse.transposed_times(x);
            if (rows.finite()) {
                const Point sums = {Rational(dot(columns[0], solution) / determinant),
                                    Rational(dot(columns[1], solution) / determinant),
                                    Rational(dot(columns[2], solution) / determinant)};
                ASSERT_TRUE(contains(rows, sums));
            }
        }
        exact_zeros += exactly_zero(a + -Interval3(a.x, a.y, a.z)) ? 1 : 0;
    }
    EXPECT_GT(solved, static_cast<std::size_t>(count) / 4);
    EXPECT_GT(exact_zeros, static_cast<std::size_t>(count) / 4);  // vectors that vanish are found to vanish
}

struct Exact {
    Point normal;
    Rational offset;
};

/// All corners of the half-spaces' intersection: the points of three planes that lie in all of them.
std::vector<Point> corners_of(const std::vector<Exact>& planes) {
    std::vector<Point> corners;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        for (std::size_t j = i + 1; j < planes.size(); ++j) {
            const Point line = cross(planes[i].normal, planes[j].normal);
            for (std::size_t k = j + 1; k < planes.size(); ++k) {
                const Rational determinant = dot(line, planes[k].normal);
                if (determinant == 0) continue;
                const Point a = cross(planes[j].normal, planes[k].normal),
                            b = cross(planes[k].normal, planes[i].normal);
                const auto along = [&](auto of) {
                    return Rational(
                        -(planes[i].offset * of(a) + planes[j].offset * of(b) + planes[k].offset * of(line)) /
                        determinant);
                };
                const Point p = {along([](const Point& v) { return v.x; }), along([](const Point& v) { return v.y; }),
                                 along([](const Point& v) { return v.z; })};
                const bool inside = std::all_of(planes.begin(), planes.end(),
                                                [&](const Exact& f) { return dot(f.normal, p) + f.offset >= 0; });
                if (inside) corners.push_back(p);
            }
        }
    }
    return corners;
}

bool all_rays_lead_along(const Point& n, std::span<const Generator> generators) {
    return std::all_of(generators.begin(), generators.end(), [&](const Generator& g) {
        return !g.is_ray() || dot(n, exact::point(g.p.x, g.p.y, g.p.z)) >= 0;
    });
}

/// What n . p is at least, over all points, wherever within their errors they are.
Rational least_along(const Point& n, std::span<const Generator> generators) {
    bool any = false;
    Rational least = 0;
    for (const Generator& g : generators) {
        if (g.is_ray()) continue;
        const Rational reach = (abs(n.x) + abs(n.y) + abs(n.z)) * rational(g.p.off);
        const Rational along = dot(n, exact::point(g.p.x, g.p.y, g.p.z)) - reach;
        if (!any || along < least) least = along;
        any = true;
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

TEST(Enclosing, CornersContainExactCorners) {
    std::size_t whole = 0, empty = 0, asked = 0, tight = 0;
    const int count = scaled(1'500);
    for (int seed = 0; seed < count; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(static_cast<std::uint64_t>(seed));
        const std::vector<Affine> planes = half_spaces_around(random);
        // What the numbers say exactly. Their errors are part of the half-spaces; one from within them is taken.
        std::vector<Exact> truth;
        for (const Affine& f : planes) {
            const auto near = [&](double at) { return rational(at) + rational(random.sign() * 0.99 * f.linear.off); };
            const Rational offset = rational(random.chance(0.5) ? f.constant.lo : f.constant.hi);
            truth.push_back({{near(f.linear.x), near(f.linear.y), near(f.linear.z)}, offset});
        }
        Generators generators;
        const Enclosed enclosed = enclose(planes, generators);
        const std::vector<Point> corners = corners_of(truth);
        if (enclosed == Enclosed::empty) {
            ++empty;
            ASSERT_TRUE(corners.empty());
        }
        if (enclosed != Enclosed::whole) continue;
        ++whole;
        // The hull holds a point exactly if it reaches as far as the point does, in all directions.
        std::vector<Point> directions;
        for (const Exact& f : truth) directions.push_back(f.normal);
        for (int k = 0; k < 12; ++k) {
            directions.push_back(exact::point(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)));
        }
        double blur = 0;
        for (const Generator& g : generators.all()) blur = std::max(blur, g.is_ray() ? 0 : g.p.off);
        for (const Point& n : directions) {
            if (!all_rays_lead_along(n, generators.all())) continue;
            ++asked;
            const Rational least = least_along(n, generators.all());
            for (const Point& corner : corners) ASSERT_LE(least, dot(n, corner));
        }
        tight += blur <= 1e-3 * lanecull::extent(generators.all()) ? 1 : 0;
    }
    EXPECT_GT(whole, static_cast<std::size_t>(count) / 2);
    EXPECT_GT(empty, static_cast<std::size_t>(count) / 100);
    EXPECT_GT(asked, 5 * whole);
    EXPECT_GT(tight, whole * 8 / 10);
}

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
    for (const Affine& side : sides) {
        const auto k = static_cast<std::size_t>(&side - sides.data());
        const bool is_first = planes.size() < 4 && k == planes.size() * sides.size() / 4;
        (is_first ? planes : others).push_back(side);
    }
    for (std::size_t k = others.size(); k > 1; --k) {
        std::swap(others[k - 1], others[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    }
    planes.insert(planes.end(), others.begin(), others.end());
    return planes;
}

/// Each side is cut after the ones before it, in any order, so a ray has been found by way of many others.
TEST(Enclosing, RaysOfManySidesStayKnown) {
    const int count = scaled(200);
    for (int seed = 0; seed < count; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(static_cast<std::uint64_t>(seed));
        const int m = 5 + random.below(20);
        const std::vector<Affine> sides = sides_of_pyramid(random, m);
        const std::vector<Affine> planes = four_first(random, sides);
        Generators generators;
        ASSERT_EQ(enclose(std::span(planes).first(4), generators), Enclosed::whole);
        ASSERT_EQ(clip_all(planes, 4, static_cast<std::uint32_t>(planes.size()), generators), Enclosed::whole);

        std::size_t rays = 0;
        for (const Generator& g : generators.all()) {
            if (!g.is_ray()) continue;
            ++rays;
            EXPECT_LE(g.p.off, 0x1p-35 * g.p.largest());
            std::vector<Point> normals;
            for (std::size_t k = 0; k < planes.size(); ++k) {
                const Interval3& n = planes[k].linear;
                if ((g.sure >> k & 1) != 0) normals.push_back(exact::point(n.x, n.y, n.z));
            }
            ASSERT_EQ(normals.size(), 2u);
            // The true ray, as long as this one in its middle's direction: within the error and what that changes.
            const Point line = cross(normals[0], normals[1]), middle = exact::point(g.p.x, g.p.y, g.p.z);
            const Rational share = dot(middle, middle) / dot(line, middle), off = 4 * rational(g.p.off);
            const auto at = [&](double x, const Rational& d) { return abs(rational(x) - share * d) <= off; };
            EXPECT_TRUE(at(g.p.x, line.x) && at(g.p.y, line.y) && at(g.p.z, line.z));
            for (const Affine& f : planes) {
                const Point n = exact::point(f.linear.x, f.linear.y, f.linear.z);
                EXPECT_GE(dot(n, line) * share, 0) << "the ray goes the other way, or is outside";
            }
        }
        EXPECT_EQ(rays, sides.size());
    }
}

}  // namespace
