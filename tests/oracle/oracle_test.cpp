#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "oracle/exact_objects.hpp"
#include "oracle/oracle.hpp"
#include "support/queries.hpp"
#include "support/random.hpp"

/// The other tests rely on the oracles. So these are compared with cases worked out by hand, down to touches in one
/// point; with each other; with labels computed by others; and with themselves where one volume has several forms. The
/// exact one is never unclear.

namespace {

using exact::half_space;
using exact::half_spaces;
using exact::HalfSpace;
using exact::HalfSpaces;
using exact::Point;
using exact::point;
using exact::Rational;
using exact::Solid;
using exact::Verdict;
using exact::Volume;

/// Far below any rounding.
const Rational tiny(Rational(1) / pow(boost::multiprecision::mpz_int(2), 300));

Verdict verdict(const Solid& solid, const Volume& volume) { return decide(solid, volume).verdict; }

Solid ball(const Point& centre, const Rational& radius) { return {{centre}, radius}; }

template <class Solid, class Vector>
Solid moved(Solid solid, const Vector& by) {
    for (auto& p : solid.points) p = p + by;
    return solid;
}

/// They touch: they share a point, and no longer do when the solid moves the least bit along `away`.
void expect_touch(const Solid& solid, const Volume& volume, const Point& away) {
    EXPECT_EQ(verdict(solid, volume), Verdict::visible);
    EXPECT_EQ(verdict(moved(solid, tiny * away), volume), Verdict::apart);
    EXPECT_EQ(verdict(moved(solid, -tiny * away), volume), Verdict::visible);
}
/// The same, and what rounding leaves unclear. A proved gap is never more than the distance.
void expect_touch(const oracle::Solid& solid, const oracle::Volume& volume, const oracle::Vec& away) {
    constexpr oracle::Real hair = 1e-4L;
    EXPECT_EQ(volume.decide(solid).verdict, oracle::Verdict::unclear);
    EXPECT_EQ(volume.decide(moved(solid, -hair * away)).verdict, oracle::Verdict::visible);
    const oracle::Answer apart = volume.decide(moved(solid, hair * away));
    EXPECT_EQ(apart.verdict, oracle::Verdict::apart);
    EXPECT_GT(apart.gap, 0);
    EXPECT_LE(apart.gap, hair * length(away) * (1 + 1e-9L));
    EXPECT_EQ(volume.decide(moved(solid, hair * away), 1.001L * hair * length(away)).verdict, oracle::Verdict::visible);
}

/// Looks along -z from the origin: |x| <= 3/4 (-z), |y| <= 3/4 (-z), 1 <= -z <= 9.
constexpr std::array<double, 16> camera_matrix = {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, -27.0 / 8, -27.0 / 8, 0, 0, -3, 0};
constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};

HalfSpaces camera() { return half_spaces(camera_matrix, by_rows); }
/// The same without an end.
HalfSpaces endless_camera() {
    std::array<double, 16> matrix = camera_matrix;
    matrix[10] = matrix[11] = -3;
    return half_spaces(matrix, by_rows);
}

HalfSpaces box_planes(double x0, double x1, double y0, double y1, double z0, double z1) {
    return {half_space(1, 0, 0, -x0), half_space(-1, 0, 0, x1), half_space(0, 1, 0, -y0),
            half_space(0, -1, 0, y1), half_space(0, 0, 1, -z0), half_space(0, 0, -1, z1)};
}

std::vector<Point> corners(double x0, double x1, double y0, double y1, double z0, double z1) {
    std::vector<Point> points;
    for (int i = 0; i < 8; ++i) {
        points.push_back(point((i & 1) != 0 ? x1 : x0, (i & 2) != 0 ? y1 : y0, (i & 4) != 0 ? z1 : z0));
    }
    return points;
}

TEST(Oracles, KnowBallsAtACamera) {
    const struct {
        float center[3], radius, away[3];
    } cases[] = {{{0, 0, -0.25f}, 0.75f, {0, 0, 1}},        // the near plane
                 {{0, 2, -12}, 3, {0, 0, -1}},              // the far plane
                 {{7, 0, -1}, 5, {4, 0, 3}},                // the right side, at (3, 0, -4)
                 {{3, 0, -4}, 0, {1, 0, 0}},                // a point on it
                 {{9.75f, 2, -13}, 5, {3, 0, -4}},          // the edge (27/4, y, -9)
                 {{9.75f, 10.75f, -21}, 13, {3, 4, -12}}};  // the corner (27/4, 27/4, -9)
    for (const auto& [center, radius, away] : cases) {
        SCOPED_TRACE(center[0]);
        expect_touch(exact::sphere(center, radius), Volume(camera()), solids::vector<Rational>(away));
        expect_touch(oracle::Solid(solids::sphere<oracle::Terms>(center, radius)),
                     oracle::Volume(camera_matrix, by_rows), solids::vector<oracle::Real>(away));
    }
    EXPECT_EQ(verdict(ball({0, 0, -5}, 0), Volume(camera())), Verdict::visible);
}

TEST(Exact, KnowsEveryReadingOfAMatrix) {
    const Volume infinite(endless_camera());
    EXPECT_EQ(verdict(ball({0, 0, -1e30}, 0), infinite), Verdict::visible);
    EXPECT_EQ(verdict(ball({0, 0, 1e30}, 1), infinite), Verdict::apart);
    expect_touch(ball({7e6, 1e6, -1e6}, 5e6), infinite, {4, 0, 3});
    expect_touch({{point(3e9, 0, -4e9), point(11e9, 0, 2e9)}, 0}, infinite, {1, 0, 0});

    std::array<double, 16> matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const Volume cube(half_spaces(matrix, {.depth = lanecull::DepthRange::minus_one_to_one}));
    expect_touch(ball({0, 0, -2}, 1), cube, {0, 0, -1});
    expect_touch(ball({0, 0, -1}, 1), Volume(half_spaces(matrix, {})), {0, 0, -1});

    matrix[3] = 5;  // by columns w = 5 x + 1, by rows x + 5
    const Solid dot = ball({3, 12, 0.5}, 0);
    EXPECT_EQ(verdict(dot, Volume(half_spaces(matrix, {}))), Verdict::visible);
    const lanecull::ClipSpace elsewhere = {.layout = lanecull::MatrixLayout::row_major, .origin = {100, 1e-30, 0}};
    EXPECT_EQ(verdict(dot, Volume(half_spaces(matrix, elsewhere))), Verdict::apart);
    expect_touch(ball({94, 0, 0.5}, 0), Volume(half_spaces(matrix, elsewhere)), {-1, 0, 0});
    const Rational less_than_one = 1 - exact::rational(1e-30);
    expect_touch(ball({95, 2, 0.5}, less_than_one), Volume(half_spaces(matrix, elsewhere)), {0, 1, 0});
}

TEST(Exact, KnowsEverySolid) {
    const Volume by_planes(box_planes(-1, 1, -1, 1, -1, 1));
    const Volume by_corners = Volume::hull(corners(-1, 1, -1, 1, -1, 1));
    constexpr float origin[] = {0, 0, 0}, unit[] = {1, 1, 1};
    for (const Volume& cube : {by_planes, by_corners}) {
        constexpr float right[] = {3, 0, 0}, far_right[] = {3, 0, 5}, near_right[] = {3, 0, -5};
        expect_touch(exact::sphere(right, 2), cube, {1, 0, 0});
        expect_touch(exact::capsule(near_right, far_right, 2), cube, {1, 0, 0});
        constexpr float low[] = {4, 5, -9}, high[] = {4, 5, 9};
        expect_touch(exact::capsule(low, high, 5), cube, {3, 4, 0});

        constexpr float wall_min[] = {1, -5, -5}, wall_max[] = {2, 5, 5}, diagonal[] = {3, 3, 3}, two[] = {2, 2, 2};
        expect_touch(exact::box(wall_min, wall_max), cube, {1, 0, 0});
        expect_touch(exact::box(unit, diagonal), cube, {1, 1, 1});
        expect_touch(exact::centered_box(diagonal, two), cube, {1, 1, 1});

        // Turned by the angle of 3, 4, 5: the edge to the left is at centre - (7, 1).
        constexpr float turned_centre[] = {8, 1, 0}, turned_half[] = {5, 5, 1};
        constexpr float turned[] = {3, 4, 0, -4, 3, 0, 0, 0, 1}, quaternion[] = {0, 0, 0.5f, 1};
        expect_touch(exact::oriented_box(turned_centre, turned, unit), cube, {1, 0, 0});
        expect_touch(exact::rotated_box(turned_centre, quaternion, turned_half), cube, {1, 0, 0});
        // Sheared: the face to the left runs from (-2, -3) to (-2, 1) about the centre; its corner touches in one
        // point.
        constexpr float sheared[] = {1, 0.5f, 0, 0, 1, 0, 0, 0, 1}, sheared_half[] = {2, 2, 1};
        constexpr float sheared_centre[] = {3, -2, 2};
        expect_touch(exact::oriented_box(sheared_centre, sheared, sheared_half), cube, {1, 0, 1});

        constexpr std::array<float, 3> vertices[] = {{0, 0, 0}, {5, 1, 0}, {5, 0, 1}};
        constexpr float transform[] = {0, 3, 0, 1, 0, 0, 2, 0, 0.25f, 0, 0, 0};  // (1 + 3 y, 2 z, x / 4)
        expect_touch(exact::hull(transform, std::span(vertices)), cube, {1, 0, 0});

        constexpr float above[] = {3, 10, 0};
        expect_touch(swept(exact::sphere(above, 2), point(0, -20, 0)), cube, {1, 0, 0});
        constexpr float corner_min[] = {3, 3, 2}, corner_max[] = {4, 4, 4};
        expect_touch(grown(exact::box(corner_min, corner_max), 3), cube, {2, 2, 1});
        EXPECT_EQ(verdict(exact::sphere(origin, 0), cube), Verdict::visible);
        EXPECT_EQ(decide(exact::sphere(right, 1), cube, 1).verdict, Verdict::visible);
        EXPECT_EQ(decide(exact::sphere(right, 1), cube, 1 - tiny).verdict, Verdict::apart);
    }
}

TEST(Exact, KnowsHalfSpacesBoundedOrNot) {
    const HalfSpace above = half_space(0, 0, 1, 0), below = half_space(0, 0, -1, 0);
    expect_touch(ball({5, 5, -2}, 2), Volume({above}), {0, 0, -1});
    expect_touch(ball({-3, -4, 1e9}, 5), Volume({half_space(2, 0, 0, 0), half_space(0, 3, 0, 0)}), point(-3, -4, 0));
    expect_touch(ball({1e9, 7, 3}, 2), Volume({above, half_space(0, 0, -1, 1)}), {0, 0, 1});
    EXPECT_EQ(verdict(ball({1, 2, 3}, 0), Volume(HalfSpaces{})), Verdict::visible);
    EXPECT_EQ(verdict(ball({1, 2, 3}, 0), Volume({half_space(0, 0, 0, 1)})), Verdict::visible);
    // A wedge along (2, 3, 6), which doubles know roughly, touched far out.
    const Volume wedge({half_space(3, -6, 2, 0), half_space(6, 2, -3, 0)});
    for (int i = 1; i <= 20; ++i) {
        const Rational out = 1'000'003 * i, size = Rational(i) / 64;
        const Point centre = out * point(2, 3, 6) - size * point(3, -6, 2);
        expect_touch(ball(centre, 7 * size), wedge, {-3, 6, -2});
    }
    // Flat: a plane, a line, a point.
    const Volume plane({above, below});
    expect_touch(ball({3, 4, 1}, 1), plane, {0, 0, 1});
    EXPECT_EQ(verdict(ball({3, 4, 0}, 0), plane), Verdict::visible);
    EXPECT_EQ(verdict(ball({3, 4, tiny}, 0), plane), Verdict::apart);
    const Volume line({above, below, half_space(0, 1, 0, 0), half_space(0, -1, 0, 0)});
    expect_touch(ball({1e30, 3, 4}, 5), line, {0, 3, 4});
    expect_touch(ball({2, 6, 9}, 7), Volume(box_planes(0, 0, 3, 3, 3, 3)), {2, 3, 6});

    HalfSpaces clipped = camera();
    clipped.push_back(half_space(0, -1, 0, 0));
    expect_touch(ball({0, 1, -5}, 1), Volume(clipped), {0, 1, 0});
}

TEST(Exact, KnowsEmptyVolumes) {
    const HalfSpace x = half_space(1, 0, 0, 0), y = half_space(0, 1, 0, 0), z = half_space(0, 0, 1, 0);
    for (const HalfSpaces& none : {HalfSpaces{half_space(0, 0, 0, -1)},
                                   {z, half_space(0, 0, -1, -1e-30)},
                                   {x, y, half_space(-1, -2, 0, -1)},
                                   {x, y, z, half_space(-1, -1, -1, -1)},
                                   box_planes(0, 1, 0, 1, 2, 1)}) {
        EXPECT_TRUE(Volume(none).empty());
        EXPECT_EQ(verdict(ball({0, 0, 0}, 1e30), Volume(none).widened(1e30)), Verdict::apart);
    }
    EXPECT_FALSE(Volume({x, y, z, half_space(-1, -1, -1, 0)}).empty());
}

TEST(Exact, KnowsHullsOfPoints) {
    // A pyramid: the four near corners are one. |x|, |y| <= 3/4 z up to z = 4.
    std::vector<Point> pyramid = corners(-3, 3, -3, 3, 0, 4);
    for (std::size_t i = 0; i < 4; ++i) pyramid[i] = point(0, 0, 0);
    expect_touch(ball({0, 0, -2}, 2), Volume::hull(pyramid), {0, 0, -1});
    expect_touch(ball({5.5, 0, -1}, 5), Volume::hull(pyramid), {4, 0, -3});
    EXPECT_EQ(verdict(ball({0.5, -0.5, 1}, 0), Volume::hull(pyramid)), Verdict::visible);

    const Volume flat = Volume::hull(corners(-1, 1, -1, 1, 0, 0));
    expect_touch(ball({0, 0, 3}, 3), flat, {0, 0, 1});
    expect_touch(ball({4, 5, 0}, 5), flat, {3, 4, 0});
    expect_touch({{point(1, 1, 0), point(2, 1, 1)}, 0}, flat, {1, 0, 0});
    EXPECT_EQ(verdict({{point(0, 0, -1), point(0, 0, 1)}, 0}, flat), Verdict::visible);
    const Volume segment = Volume::hull(std::vector{point(0, 0, 0), point(0, 0, 9), point(0, 0, 3)});
    expect_touch(ball({3, 4, 5}, 5), segment, {3, 4, 0});
    EXPECT_EQ(verdict({{point(-1, -1, 5), point(2, 2, 5)}, 0}, segment), Verdict::visible);
    expect_touch(ball({3, 4, 12}, 13), Volume::hull(std::vector{point(0, 0, 0)}), {3, 4, 12});
}

TEST(Exact, KnowsWidenedVolumes) {
    expect_touch(ball({0, 0, 2}, 1), Volume(camera()).widened(2), {0, 0, 1});
    expect_touch(ball({9.75, 2, -13}, 2), Volume(camera()).widened(1).widened(2), {3, 0, -4});
    expect_touch(ball({4, 5, 0}, 0), Volume::hull(corners(-1, 1, -1, 1, -1, 1)).widened(5), {3, 4, 0});
}

TEST(Exact, KnowsHullsOfSeveralVolumes) {
    const std::vector<HalfSpaces> boxes = {box_planes(-3, -1, -1, 1, -1, 1), box_planes(1, 3, -1, 1, -1, 1)};
    for (const HalfSpaces& one : boxes) EXPECT_EQ(verdict(ball({0, 0, 0}, 0), Volume(one)), Verdict::apart);
    EXPECT_EQ(verdict(ball({0, 0, 0}, 0), Volume::hull(boxes)), Verdict::visible);
    expect_touch(ball({0, 3, 0}, 2), Volume::hull(boxes), {0, 1, 0});
    expect_touch(ball({0, 3, 0}, 1), Volume::hull(boxes).widened(1), {0, 1, 0});

    // Two eyes 10 apart, neither of which sees what is straight ahead and near.
    std::vector<HalfSpaces> eyes = {endless_camera(), endless_camera()};
    for (HalfSpace& h : eyes[0]) h.offset += 5 * h.normal.x;
    for (HalfSpace& h : eyes[1]) h.offset -= 5 * h.normal.x;
    for (const HalfSpaces& eye : eyes) EXPECT_EQ(verdict(ball({0, 0, -2}, 0), Volume(eye)), Verdict::apart);
    EXPECT_EQ(verdict(ball({0, 0, -2}, 0), Volume::hull(eyes)), Verdict::visible);
    EXPECT_EQ(verdict(ball({0, 0, -1e30}, 0), Volume::hull(eyes)), Verdict::visible);
    expect_touch(ball({0, 0, 1}, 2), Volume::hull(eyes), {0, 0, 1});
    expect_touch(ball({0, 7, -1}, 5), Volume::hull(eyes), {0, 4, 3});
    expect_touch(ball({5 + 7e9, 0, -1e9}, 5e9), Volume::hull(eyes), {4, 0, 3});
    for (HalfSpaces& eye : eyes) eye.push_back(half_space(0, -1, 0, 0));
    expect_touch(ball({0, 2, -5}, 2), Volume::hull(eyes), {0, 1, 0});

    // The hull of a line and a point is half open; it counts with its boundary.
    const std::vector<HalfSpaces> open = {
        {half_space(0, 1, 0, 0), half_space(0, -1, 0, 0), half_space(0, 0, 1, 0), half_space(0, 0, -1, 0)},
        box_planes(0, 0, 1, 1, 0, 0)};
    expect_touch(ball({1e9, 2, 0}, 1), Volume::hull(open), {0, 1, 0});

    const HalfSpaces none = {half_space(0, 0, 0, -1)};
    expect_touch(ball({4, 0, 0}, 1), Volume::hull(std::vector{none, boxes[1]}), {1, 0, 0});
    EXPECT_EQ(verdict(ball({0, 0, 0}, 0), Volume::hull(std::vector{none, boxes[1]})), Verdict::apart);
    EXPECT_TRUE(Volume::hull(std::vector{none, none}).empty());
}

TEST(Exact, RefusesWhatIsNoSolidOrVolume) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    constexpr float zero[] = {0, 0, 0, 0}, bad[] = {0, 0, nan}, far[] = {infinity, 0, 0};
    EXPECT_THROW((void)exact::sphere(bad, 1), std::domain_error);
    EXPECT_THROW((void)exact::box(zero, far), std::domain_error);
    EXPECT_THROW((void)exact::sphere(zero, -1), std::domain_error);
    EXPECT_THROW((void)exact::sphere(zero, nan), std::domain_error);
    EXPECT_THROW((void)exact::rotated_box(zero, zero, zero), std::domain_error);
    EXPECT_THROW((void)Volume::hull(std::span<const Point>{}), std::invalid_argument);
    EXPECT_THROW((void)Volume(camera()).widened(-1), std::domain_error);
    EXPECT_THROW((void)decide({}, Volume(camera())), std::invalid_argument);
    EXPECT_THROW((void)decide(exact::sphere(zero, 1), Volume(camera()), -1), std::domain_error);
}

/// What an answer says of itself, checked by a few lines that share nothing with the oracle's own check.
void expect_consistent(const exact::Answer& answer, const Solid& solid, const Rational& grow, const HalfSpaces& sides,
                       const Volume& volume) {
    const Rational radius = solid.radius + grow;
    const Point& v = answer.direction;
    if (answer.verdict == Verdict::visible) {
        for (const HalfSpace& h : sides) EXPECT_GE(dot(h.normal, answer.to) + h.offset, 0);
        const Point way = answer.to - answer.from;
        EXPECT_LE(dot(way, way), radius * radius);
        return;
    }
    EXPECT_EQ(answer.verdict, Verdict::apart);
    for (const Point& ray : volume.rays()) EXPECT_GE(dot(v, ray), 0);
    const auto along = [&](const Point& p) { return dot(v, p); };
    const Rational gap =
        along(std::ranges::min(volume.points(), {}, along)) - along(std::ranges::max(solid.points, {}, along));
    const Rational square = radius * radius * dot(v, v);
    EXPECT_TRUE(gap > 0 && gap * gap > square);
    // An oval's centre is farther away than two roots' sum.
    for (const auto& oval : solid.ovals) {
        Rational reach = 0;
        for (const Point& axis : oval.axes) reach += dot(v, axis) * dot(v, axis);
        if (oval.sine != 0) reach = solids::reach(oval, v) * solids::reach(oval, v);
        const Rational away = along(std::ranges::min(volume.points(), {}, along)) - dot(v, oval.centre);
        const Rational rest = away * away - reach - square;
        EXPECT_TRUE(away > 0 && rest > 0 && rest * rest > 4 * reach * square);
    }
}

/// Cylinders, cones and ellipsoids whose sizes and ways are whole: roots are rounded to 70 bits.
TEST(Exact, MeasuresOvals) {
    constexpr float centre[] = {0, 0, -2}, a[] = {0, 0, -1}, b[] = {0, 0, -3}, turned[] = {0, 0, 1, 1};
    constexpr float half[] = {2, 5, 3};
    const auto is_nearly = [](const Rational& found, const Rational& expected) {
        return abs(found - expected) <= expected * exact::rational(0x1p-64);
    };
    // Half-axes 2 and 5 change places by a quarter of a turn around z.
    const Solid egg = exact::ellipsoid(centre, turned, half), can = exact::cylinder(a, b, 5);
    EXPECT_TRUE(is_nearly(highest(egg, {1, 0, 0}), 5) && is_nearly(highest(egg, {0, -1, 0}), 2));
    EXPECT_TRUE(is_nearly(highest(egg, {0, 0, 1}) + 2, 3) && is_nearly(highest(egg, {3, 10, 0}), 25));
    EXPECT_TRUE(is_nearly(highest(can, {3, 4, 0}), 25) && is_nearly(highest(can, {3, 4, 1}) + 1, 25));
    EXPECT_TRUE(is_nearly(-highest(can, {0, 0, -1}) + 4, 1));
    const Solid top = exact::cone(a, b, 5);
    EXPECT_TRUE(is_nearly(highest(top, {3, 4, 0}), 25) && is_nearly(highest(top, {3, 4, 4}) + 12, 25));
    EXPECT_TRUE(highest(top, {0, 0, 1}) == -1 && highest(top, {1, 0, 3}) == -3);  // the apex
    EXPECT_TRUE(is_nearly(highest(top, {1, 0, 1}) + 3, 5) && is_nearly(highest(top, {0, 0, -1}), 3));
    // Its range is 5, of which its rim has 4 along the axis and 3 across.
    constexpr float below[] = {0, 0, -5};
    const Solid lamp = exact::round_cone(a, below, 3);
    EXPECT_TRUE(is_nearly(highest(lamp, {0, 0, -1}), 6) && is_nearly(highest(lamp, {0, 7, -24}), 149));
    EXPECT_TRUE(is_nearly(highest(lamp, {1, 0, 0}), 3) && is_nearly(highest(lamp, {4, 0, -3}), 27));
    EXPECT_TRUE(highest(lamp, {0, 0, 1}) == -1 && highest(lamp, {3, 0, 5}) == -5);
    const auto beyond = [](const Rational& x) { return Volume(HalfSpaces{{{3, 4, 0}, Rational(-5) * x}}); };
    EXPECT_EQ(verdict(can, beyond(exact::rational(5 - 0x1p-40))), Verdict::visible);
    EXPECT_EQ(verdict(can, beyond(exact::rational(5 + 0x1p-40))), Verdict::apart);
    EXPECT_EQ(decide(can, beyond(exact::rational(6 + 0x1p-40)), 1).verdict, Verdict::apart);
    EXPECT_EQ(decide(can, beyond(exact::rational(6 - 0x1p-40)), 1).verdict, Verdict::visible);
    EXPECT_THROW((void)exact::cylinder(a, a, 1), std::domain_error);
    EXPECT_THROW((void)exact::cone(a, a, 1), std::domain_error);
    EXPECT_THROW((void)exact::round_cone(a, a, 1), std::domain_error);
}

/// Objects of every kind, some of them swept and rounded, against cameras of every projection.
TEST(Oracles, AgreeWithEachOther) {
    int visible = 0, apart = 0, unclear = 0, total = 0;
    for (const Projection projection : all_projections) {
        const std::uint64_t seed = 100 + static_cast<std::uint64_t>(projection);
        Random random(seed);
        for (int c = 0; c < scaled(40); ++c) {
            const Camera camera = random_camera(random, projection);
            const oracle::Volume rounded_volume = camera.volume();
            const HalfSpaces planes = exact_half_spaces_of(camera);
            const Volume volume(planes);
            if (volume.empty()) continue;  // as an oblique camera's may be
            const HullSet hulls = random_hulls(random, 5);
            for (const Kind kind : all_kinds) {
                for (Object object : random_objects(random, kind, camera, 12, hulls)) {
                    const Streams growth{.margin = random.chance(0.2), .sweep = random.chance(0.2)};
                    grow(random, kind, hulls, growth, object);
                    const oracle::Solid rounded = solid_of(kind, object, hulls);
                    const Solid solid = exact_solid_of(kind, object, hulls);
                    const auto size = static_cast<double>(rounded_volume.extent_from_eye(rounded));
                    const double more = random.chance(0.5) ? 0 : size * random.log_range(1e-6, 1);
                    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + camera.describe() + "\n" +
                                 describe(kind, object, hulls));
                    const exact::Answer answer = decide(solid, volume, more);
                    const oracle::Verdict other = rounded_volume.decide(rounded, more).verdict;
                    ++total;
                    visible += answer.verdict == Verdict::visible;
                    apart += answer.verdict == Verdict::apart;
                    unclear += other == oracle::Verdict::unclear;
                    EXPECT_TRUE(other == oracle::Verdict::unclear ||
                                (other == oracle::Verdict::visible) == (answer.verdict == Verdict::visible));
                    expect_consistent(answer, solid, more, planes, volume);
                }
            }
        }
    }
    EXPECT_GT(visible, total / 5);
    EXPECT_GT(apart, total / 5);
    EXPECT_LT(unclear, 1 + total / 10'000);
    std::printf("%d cases, %d visible, %d apart, %d unclear to the other\n", total, visible, apart, unclear);
}

/// Labels made by others in rational arithmetic, an independent implementation of an independent method.
TEST(Oracles, AgreeWithLabels) {
    int visible = 0, apart = 0, by_both = 0;
    for (const Query& query : read_queries()) {
        SCOPED_TRACE(query.id);
        const Verdict is = verdict(query.exact_solid(), query.exact_volume());
        EXPECT_NE(is, Verdict::unclear);
        const bool is_visible = query.expect == Query::Expect::visible,
                   is_apart = query.expect == Query::Expect::culled;
        visible += is_visible;
        apart += is_apart;
        if (is_visible || is_apart) {
            EXPECT_EQ(is, is_visible ? Verdict::visible : Verdict::apart);
        }
        if (query.by_corners() || query.directional_light || query.point_light || query.swept()) {
            continue;  // the exact oracle's business
        }
        const oracle::Volume volume(query.matrix, query.clip_space);
        const oracle::Verdict other = volume.decide(solid_of(query.kind, query.object, query.hulls)).verdict;
        if (!is_visible && !is_apart) continue;
        ++by_both;
        EXPECT_EQ(other, is_visible ? oracle::Verdict::visible : oracle::Verdict::apart);
    }
    EXPECT_GT(visible, 800);
    EXPECT_GT(apart, 700);
    EXPECT_GT(by_both, 900);
}

TEST(Oracles, FindTheEye) {
    Random random(7);
    for (const Projection projection : all_projections) {
        if (projection == Projection::orthographic) continue;
        for (int i = 0; i < 20; ++i) {
            const Camera camera = random_camera(random, projection);
            const oracle::Vec eye = camera.volume().eye();
            const double tolerance = camera.single ? 1e-3 : 1e-9;
            const double reach = 1 + std::fabs(camera.eye[0]) + std::fabs(camera.eye[1]) + std::fabs(camera.eye[2]);
            EXPECT_NEAR(static_cast<double>(eye.x), camera.eye[0], tolerance * reach) << camera.describe();
            EXPECT_NEAR(static_cast<double>(eye.y), camera.eye[1], tolerance * reach) << camera.describe();
            EXPECT_NEAR(static_cast<double>(eye.z), camera.eye[2], tolerance * reach) << camera.describe();
        }
    }
}

Point random_point(Random& random, double reach) {
    return point(random.range(-reach, reach), random.range(-reach, reach), random.range(-reach, reach));
}

/// Of a length that is rational too.
struct Direction {
    Point along;
    Rational length;
};

Direction any_direction(Random& random) {
    const Rational a = random.below(10), b = random.below(10), c = random.below(10), d = 1 + random.below(10);
    return {{a * a + b * b - c * c - d * d, 2 * (a * d + b * c), 2 * (b * d - a * c)}, a * a + b * b + c * c + d * d};
}

std::vector<Point> random_points(Random& random, int most) {
    std::vector<Point> points;
    const double flat = random.chance(0.3) ? 0 : 1, thin = random.chance(0.2) ? 0 : 1;
    for (int i = 1 + random.below(most); i > 0; --i) {
        points.push_back(point(random.range(-9, 9), thin * random.range(-9, 9), flat * random.range(-9, 9)));
    }
    return points;
}

/// Moved so that the solid's farthest point along the direction meets the lowest of `points`, where they touch.
Solid touching(Solid solid, const std::vector<Point>& points, const Direction& direction) {
    const auto lower = [&](const Point& a, const Point& b) {
        return dot(direction.along, a) < dot(direction.along, b);
    };
    const Point highest = *std::max_element(solid.points.begin(), solid.points.end(), lower);
    const Point lowest = *std::min_element(points.begin(), points.end(), lower);
    return moved(solid, lowest - highest - Rational(solid.radius / direction.length) * direction.along);
}

/// One parallelepiped as half-spaces, as its corners and as the hull of the two parts that a plane cuts it into; and as
/// the solid, with the other for the volume.
TEST(Exact, TellsTheSameOfTheSameVolume) {
    Random random(21);
    for (int i = 0; i < scaled(300); ++i) {
        const Point centre = random_point(random, 100);
        const std::array<Point, 3> edge = {random_point(random, 10), random_point(random, 10),
                                           random_point(random, 10)};
        std::vector<Point> points = {centre};
        HalfSpaces planes;
        for (std::size_t k = 0; k < 3; ++k) {
            const Point normal = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
            const Rational middle = dot(normal, centre), half = abs(dot(normal, edge[k]));
            planes.push_back({normal, half - middle});
            planes.push_back({Rational(-1) * normal, half + middle});
            points = swept({points, 0}, edge[k]).points;
        }
        for (Point& p : points) p = Rational(2) * p - centre;  // 2 (centre + sum of some edges) - centre
        for (Point& p : points) p = p - edge[0] - edge[1] - edge[2];
        const Point cut = random_point(random, 1);
        std::vector<HalfSpaces> parts = {planes, planes};
        parts[0].push_back({cut, -dot(cut, centre)});
        parts[1].push_back({Rational(-1) * cut, dot(cut, centre)});
        const Volume forms[] = {Volume(planes), Volume::hull(points), Volume::hull(parts)};

        for (int k = 0; k < 5; ++k) {
            const Direction direction = any_direction(random);
            const Rational radius = random.chance(0.5) ? 0 : random.log_range(0.01, 10);
            const Solid solid = touching({random_points(random, 9), radius}, points, direction);
            const Solid inner = moved(solid, exact::rational(random.unit()) * (centre - solid.points[0]));
            const Solid outer = moved(solid, -tiny * direction.along);
            const Verdict expected = verdict(inner, forms[1]);
            for (const Volume& form : forms) {
                EXPECT_EQ(verdict(solid, form), Verdict::visible) << i;
                EXPECT_EQ(verdict(outer, form), Verdict::apart) << i;
                EXPECT_EQ(verdict(inner, form), expected) << i;
            }
            for (const auto& [other, is] :
                 {std::pair(&solid, Verdict::visible), {&outer, Verdict::apart}, {&inner, expected}}) {
                const Volume around = Volume::hull(other->points);
                EXPECT_EQ(verdict({points, radius}, around), is) << i;
                EXPECT_EQ(verdict({points, 0}, around.widened(radius)), is) << i;
            }
        }
    }
}

}  // namespace
