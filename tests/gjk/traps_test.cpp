#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanecull/gjk.hpp>

/// Inputs constructed after known failures of GJK. Their answers are known in advance.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;

template <class T>
class Traps : public testing::Test {
protected:
    /// distance < 0: so deep that they certainly share points; 0: they touch, and are not to be called separated.
    template <class A, class B>
    void expect(const A& a, const B& b, double distance) {
        const double size = double{gjk::magnitude(a)} + double{gjk::magnitude(b)};
        const double relative = double{gjk::DistanceOptions<gjk::VectorOf<A>>().relative};
        const double slack = 64 * double{gjk::unit_roundoff<T>} * size + std::max(0.0, relative * distance);
        check(gjk::distance(a, b), gjk::intersect(a, b), distance, slack);
        check(gjk::distance(b, a), gjk::intersect(b, a), distance, slack);
    }

    static gjk::Matrix<T, 3> turn(double angle) {
        const T c = static_cast<T>(std::cos(angle)), s = static_cast<T>(std::sin(angle));
        return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    }

private:
    template <class Found, class Answer>
    static void check(const Found& found, const Answer& answer, double distance, double slack) {
        EXPECT_NEAR(found.distance, distance < 0 ? 0 : distance, slack);
        if (distance < 0) {
            EXPECT_EQ(found.verdict, Verdict::intersecting);
            EXPECT_EQ(answer.verdict, Verdict::intersecting);
        } else if (distance > 4 * slack) {
            EXPECT_EQ(found.verdict, Verdict::separated);
            EXPECT_EQ(answer.verdict, Verdict::separated);
        } else if (distance == 0) {
            EXPECT_NE(found.verdict, Verdict::separated);
            EXPECT_NE(answer.verdict, Verdict::separated);
        }
    }
};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Traps, Numbers);

TYPED_TEST(Traps, KissingFacesEdgesAndCorners) {
    using Box = gjk::Box<TypeParam>;
    const Box cube{{0, 0, 0}, {1, 1, 1}};
    for (const TypeParam shift : {TypeParam(0), TypeParam(0.5), TypeParam(2)}) {
        this->expect(cube, Box{{2, 0, shift}, {1, 1, 1}}, 0);
        this->expect(cube, Box{{shift, -2, shift}, {1, 1, 1}}, 0);
        this->expect(cube, Box{{2, 2, shift}, {1, 1, 1}}, 0);
    }
    this->expect(cube, Box{{2, 2, 2}, {1, 1, 1}}, 0);
    // And apart by little, along a face.
    for (const double gap : {1e-1, 1e-2, 1e-3}) {
        this->expect(cube, Box{{static_cast<TypeParam>(2 + gap), 0.3f, 0.4f}, {1, 1, 1}},
                     static_cast<double>(static_cast<TypeParam>(2 + gap)) - 2);
    }
}

TYPED_TEST(Traps, BoxesTurnedAlike) {
    using T = TypeParam;
    for (const double angle : {0.1, 0.7853981633974483, 1.2, 3.1}) {
        const auto axes = this->turn(angle);
        const gjk::OrientedBox<T> a{{0, 0, 0}, axes, {1, 2, 3}};
        for (const double along : {2.5, 2.001, 1.9, 1.0, 0.0}) {
            const gjk::Vec3<T> center = static_cast<T>(along) * axes.column[0];
            this->expect(a, gjk::OrientedBox<T>{center, axes, {1, 2, 3}}, along > 2 ? along - 2 : -1);
        }
        const gjk::Vec3<T> beside = T(3) * axes.column[0] + T(4.5) * axes.column[1];
        this->expect(a, gjk::OrientedBox<T>{beside, axes, {1, 2, 3}}, std::sqrt(1 + 0.25));
    }
}

TYPED_TEST(Traps, ACylinderAlongABox) {
    using T = TypeParam;
    const gjk::Box<T> box{{0, 0, 0}, {1, 2, 3}};
    for (const T x : {T(2.5), T(2.0625), T(1.5), T(1)}) {
        this->expect(box, gjk::Cylinder<T>{{x, 0, -1}, {x, 0, 1}, 1}, x > 2 ? static_cast<double>(x) - 2 : -1);
        this->expect(box, gjk::Cylinder<T>{{x, -5, 0}, {x, 5, 0}, 1}, x > 2 ? static_cast<double>(x) - 2 : -1);
    }
    this->expect(box, gjk::Cylinder<T>{{2, 0, -1}, {2, 0, 1}, 1}, 0);
    this->expect(box, gjk::Cylinder<T>{{0, 0, 3}, {0, 0, 5}, 1}, 0);
    this->expect(box, gjk::Cylinder<T>{{0, 0, 3.5}, {0, 0, 5}, 1}, 0.5);
    this->expect(box, gjk::Cone<T>{{0, 0, 4}, {0, 0, 9}, 1}, 1);
    this->expect(box, gjk::Cone<T>{{0, 0, 9}, {0, 0, 4}, 1}, 1);
}

/// Of range 5: its apex, its cap, its rim and its side come nearest.
TYPED_TEST(Traps, ASphericalSectorAtABox) {
    using T = TypeParam;
    const gjk::Box<T> box{{0, 0, 0}, {1, 2, 3}};
    const auto sector = [](const gjk::Vec3<T>& apex, const gjk::Vec3<T>& way) {
        return gjk::SphericalSector<T>{apex + way, apex, 3};
    };
    for (const T gap : {T(1), T(0), T(-0.5)}) {
        const auto distance = static_cast<double>(gap);
        this->expect(box, sector({0, 0, 3 + gap}, {0, 0, 4}), distance);
        this->expect(box, sector({T(0.5), 1, 8 + gap}, {0, 0, -4}), distance);
        this->expect(box, sector({4 + gap, -4, 0}, {0, 4, 0}), distance);
        // The middle of its side, at right angles to (4, 3), at the edge (1, 2).
        this->expect(box, sector({T(2.5) + T(0.8) * gap, T(0.6) * gap, 0}, {0, 4, 0}), distance);
    }
}

TYPED_TEST(Traps, ABallOnACorner) {
    using T = TypeParam;
    const gjk::Box<T> box{{0, 0, 0}, {1, 1, 1}};
    for (const T x : {T(-1), T(1)}) {
        for (const T y : {T(-1), T(1), T(0)}) {
            for (const T z : {T(-1), T(1), T(0)}) {
                this->expect(box, gjk::Sphere<T>{{x, y, z}, T(0.5)}, -1);
                this->expect(box, gjk::Sphere<T>{{x, y, z}, T(1e-3)}, -1);
                this->expect(box, gjk::Sphere<T>{{x, y, z}, 0}, 0);
            }
        }
    }
}

/// In floats the grid is 1/128 there; what lies on it is answered as at the origin.
TYPED_TEST(Traps, FarFromTheOrigin) {
    using T = TypeParam;
    const gjk::Vec3<T> at{100000, -120000, 90000};
    const auto there = [&](T x, T y, T z) { return at + gjk::Vec3<T>{x, y, z}; };
    const gjk::Box<T> box{there(0, 0, 0), {1, 1, 1}};
    this->expect(box, gjk::Box<T>{there(8, 0, 0), {1, 1, 1}}, 6);
    this->expect(box, gjk::Box<T>{there(T(1.5), 1, 0), {1, 1, 1}}, -1);
    this->expect(box, gjk::Sphere<T>{there(6, 0, 0), 1}, 4);
    this->expect(box, gjk::Sphere<T>{there(1, 1, 1), 1}, -1);
    this->expect(gjk::Capsule<T>{there(0, 0, 0), there(0, 0, 4), 1},
                 gjk::Capsule<T>{there(8, 0, 2), there(16, 0, 2), 1}, 6);
    this->expect(gjk::OrientedBox<T>{there(0, 0, 0), this->turn(0.3), {1, 1, 1}},
                 gjk::OrientedBox<T>{there(1, 1, 1), this->turn(1.1), {1, 1, 1}}, -1);
}

TYPED_TEST(Traps, DisksOnVeryShortAxes) {
    using T = TypeParam;
    for (const T axis : {T(1e-22), sizeof(T) == 4 ? T(1e-38) : T(1e-165), std::numeric_limits<T>::denorm_min()}) {
        const gjk::Cylinder<T> disk{{0, 0, 0}, {0, 0, axis}, 1};
        const gjk::Cone<T> cone{{0, 0, 0}, {0, 0, axis}, 1};
        const gjk::SphericalSector<T> half_ball{{0, 0, 0}, {0, 0, axis}, 1};
        const gjk::Point<T> inside{{T(0.5), 0, 0}}, outside{{3, 0, 0}};
        EXPECT_NE(gjk::intersect(disk, inside).verdict, Verdict::separated) << axis;
        EXPECT_NE(gjk::intersect(cone, inside).verdict, Verdict::separated) << axis;
        EXPECT_NE(gjk::intersect(half_ball, inside).verdict, Verdict::separated) << axis;
        EXPECT_NEAR(gjk::distance(disk, outside).distance, 2, 1e-5) << axis;
        EXPECT_NEAR(gjk::distance(cone, outside).distance, 2, 1e-5) << axis;
        EXPECT_NEAR(gjk::distance(half_ball, outside).distance, 2, 1e-5) << axis;
        EXPECT_NEAR(gjk::distance(half_ball, gjk::Point<T>{{0, 0, -3}}).distance, 2, 1e-5) << axis;
        const auto contact = gjk::cast(outside, {-4, 0, 0}, disk);
        EXPECT_LE(contact.earliest, T(0.5));
        EXPECT_GT(contact.earliest, T(0.499));
    }
}

TEST(Overflow, CrossProductsThatNearlyOverflowSeparateNothing) {
    constexpr float u = 0x1p26f;
    const gjk::Capsule<float> capsule{{44247 * u, -15495 * u, 35405 * u}, {44223 * u, -15518 * u, 35262 * u}, 0};
    const gjk::Box<float> box{{44246 * u, -15491 * u, 35407 * u}, {1 * u, 4 * u, 2 * u}};
    EXPECT_NE(gjk::intersect(capsule, box).verdict, Verdict::separated);
    EXPECT_EQ(gjk::distance(capsule, box).lower, 0);
}

TEST(Overflow, NothingIsKnownOfTheDistanceOfWhatIsTooLarge) {
    constexpr float u = 0x1p120f;
    const gjk::Box<float> a{{-3 * u, 0, 0}, {u, u, u}}, b{{3 * u, 0, 0}, {u, u, u}};
    const auto found = gjk::distance(a, b);
    EXPECT_EQ(found.verdict, Verdict::undecided);
    EXPECT_EQ(found.lower, 0);
    EXPECT_EQ(found.upper, std::numeric_limits<float>::infinity());
}

TEST(Simplex, ASliverAroundTheOriginHasItForItsMixture) {
    // Of two balls whose centres are in the plane of all directions that were kept.
    gjk::Simplex<gjk::Vec3<double>> simplex;
    for (const gjk::Vec3<double>& w : {gjk::Vec3<double>{-0x1.99caf787f295p-5, -0x1.85059b0da4p-18, -0x1.5f344d103p-18},
                                       {0x1.249124fed244ep+0, 0x1.cd4854b08ba6p-9, 0x1.a070ba64de58p-9},
                                       {0x1.19702d08b5125p-1, -0x1.37cda9bd37414p-1, -0x1.197e0a236956ep-1},
                                       {0x1.188491919aa08p-3, -0x1.fb9a4bb91a36fp-2, -0x1.ca41f4e3312dcp-2}}) {
        simplex.add({.w = w, .a = w, .b = {}, .direction = w});
    }
    const auto nearest = gjk::nearest_on(simplex);
    EXPECT_EQ(nearest.square, 0);
    EXPECT_LT(gjk::length(gjk::mixture(simplex, nearest, &gjk::SupportPoint<gjk::Vec3<double>>::a)), 1e-14);
}

TEST(Penetration, OfFlatAndSmallShapes) {
    using gjk::Capsule;
    using gjk::Point;
    using gjk::Segment;
    const auto depth = [](const auto& a, const auto& b) {
        const auto found = gjk::penetration(a, b);
        EXPECT_EQ(found.verdict, Verdict::intersecting);
        return found.depth;
    };
    const Segment<double> along_x{{-1, 0, 0}, {1, 0, 0}}, along_y{{0, -1, 0}, {0, 1, 0}};
    const gjk::Triangle<double> triangle{{-1, -1, 0}, {2, 0, 0}, {-1, 1, 0}};
    EXPECT_EQ(depth(Point<double>{{1, 2, 3}}, Point<double>{{1, 2, 3}}), 0);
    EXPECT_NEAR(depth(along_x, along_y), 0, 1e-15);
    EXPECT_NEAR(depth(along_x, along_x), 0, 1e-15);
    EXPECT_NEAR(depth(triangle, along_y), 0, 1e-15);
    EXPECT_NEAR(depth(triangle, triangle), 0, 1e-15);
    EXPECT_NEAR(depth(Point<double>{{0, 0, 0}}, triangle), 0, 1e-15);
    EXPECT_NEAR(depth(Segment<double>{{0, 0, -1}, {0, 0, 3}}, triangle), 2 / std::sqrt(10.0), 1e-12) << "past an edge";
    EXPECT_NEAR(depth(Capsule<double>{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule<double>{{0, -1, 0}, {0, 1, 0}, 0.25}), 0.75,
                1e-12);
    EXPECT_NEAR(depth(Capsule<double>{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule<double>{{-1, 0, 0}, {1, 0, 0}, 0.5}), 1,
                1e-12);
    EXPECT_NEAR(depth(gjk::Circle<double>{{0, 0}, 1}, gjk::Circle<double>{{0, 0}, 0.5}), 1.5, 1e-12);
    EXPECT_NEAR(depth(Segment<double, 2>{{-1, 0}, {1, 0}}, Segment<double, 2>{{0, -2}, {0, 2}}), 1, 1e-12);
    EXPECT_NEAR(depth(Segment<double, 2>{{-1, 0}, {1, 0}}, Segment<double, 2>{{0, 0}, {3, 0}}), 0, 1e-15);
    // Kissing, one above the other, at one pose, and equally turned.
    const gjk::Box<double> cube{{0, 0, 0}, {1, 1, 1}};
    EXPECT_NEAR(gjk::penetration(cube, gjk::Box<double>{{2, 0.5, 0}, {1, 1, 1}}).depth, 0, 1e-14);
    EXPECT_NEAR(depth(cube, gjk::Box<double>{{1.9, 0, 0}, {1, 1, 1}}), 0.1, 1e-12);
    EXPECT_NEAR(depth(cube, cube), 2, 1e-12);
    const double c = std::cos(0.7), s = std::sin(0.7);
    const gjk::Matrix<double, 3> turn = {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    EXPECT_NEAR(depth(gjk::OrientedBox<double>{{0, 0, 0}, turn, {1, 1, 1}},
                      gjk::OrientedBox<double>{1.9 * turn.column[1], turn, {1, 1, 1}}),
                0.1, 1e-12);
}

}  // namespace
