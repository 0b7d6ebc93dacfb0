#include <gtest/gtest.h>

#include <cmath>

#include "gjk/specimens.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

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

TYPED_TEST(Traps, CubesThatOverlapByATwentieth) {
    using Box = gjk::Box<TypeParam>;
    const Box cube{{0, 0, 0}, {1, 1, 1}};
    for (const TypeParam by : {TypeParam(1.95), TypeParam(1.9999), TypeParam(1)}) {
        this->expect(cube, Box{{by, 0, 0}, {1, 1, 1}}, -1);
        this->expect(cube, Box{{0, -by, 0}, {1, 1, 1}}, -1);
        this->expect(cube, Box{{by, by, 0}, {1, 1, 1}}, -1);
        this->expect(cube, Box{{by, -by, by}, {1, 1, 1}}, -1);
    }
}

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

TYPED_TEST(Traps, PolygonsInOnePlane) {
    using T = TypeParam;
    using V = gjk::Vec3<T>;
    // In a plane askew; coordinates within it are dyadic, so that the points are in the plane to the last bit.
    const auto at = [](double s, double t) {
        return V{static_cast<T>(s), static_cast<T>(t), static_cast<T>(0.5 * s - 0.25 * t)};
    };
    const std::vector<V> pentagon = {at(0, 0), at(2, 0), at(3, 2), at(1, 3), at(-1, 2)};
    const auto moved = [&](double s, double t) {
        std::vector<V> points = pentagon;
        for (V& p : points) p += at(s, t);
        return points;
    };
    const std::vector<V> over = moved(1, 1), corner = moved(4, 0), edge = moved(0.5, -3), apart = moved(8, 0);
    const gjk::Hull<T> a(pentagon);
    this->expect(a, gjk::Hull<T>(over), 0);
    this->expect(a, gjk::Hull<T>(corner), 0);
    this->expect(a, gjk::Hull<T>(edge), 0);
    // Corner to corner along s: (3, 2) and (7, 2).
    this->expect(a, gjk::Hull<T>(apart), 4 * std::sqrt(1.25));
    this->expect(a, a, 0);
    // Above each other by a little more than nothing.
    std::vector<V> above = pentagon;
    for (V& p : above) p.z += T(0.125);
    this->expect(a, gjk::Hull<T>(above), 0.125 / std::sqrt(1 + 0.25 + 0.0625));
}

TYPED_TEST(Traps, Slivers) {
    using T = TypeParam;
    using V = gjk::Vec3<T>;
    for (const double thin : {1e-2, 1e-4, 1e-6}) {
        const T t = static_cast<T>(thin);
        const gjk::Triangle<T> blade{V{-1, 0, 0}, V{1, 0, 0}, V{0, t, 0}};
        this->expect(blade, gjk::Triangle<T>{V{-1, 2 * t, 0}, V{1, 2 * t, 0}, V{0, 3 * t, 0}}, static_cast<double>(t));
        this->expect(blade, gjk::Triangle<T>{V{0, -1, 1}, V{0, 1, 1}, V{0, 0, -1}}, 0);
        this->expect(blade, gjk::Point<T>{{0, 0, 1}}, 1);
        this->expect(blade, gjk::Box<T>{{0, 0, 0}, {1, t, 1}}, 0);
        this->expect(gjk::Box<T>{{0, 0, 0}, {1, 1, t}}, gjk::Box<T>{{0.5f, 0.5f, 0}, {1, 1, t}}, -1);
        this->expect(gjk::Box<T>{{0, 0, 0}, {1, 1, t}}, gjk::Box<T>{{0, 0, 4 * t}, {1, 1, t}},
                     2 * static_cast<double>(t));
    }
}

TYPED_TEST(Traps, OneShapeTwice) {
    using T = TypeParam;
    Random random(51);
    specimens::Maker<T, 3> maker(random);
    for (int kind = 0; kind < specimens::kinds<T, 3>; ++kind) {
        for (int i = 0; i < scaled(50); ++i) {
            SCOPED_TRACE(kind);
            const specimens::Any<T, 3> shape{maker(kind, maker.vector(2))};
            this->expect(shape, shape, 0);
        }
    }
    const gjk::Box<T> box{{3, 2, 1}, {1, 1, 1}};
    this->expect(box, box, -1);
    const gjk::Sphere<T> ball{{3, 2, 1}, 1};
    this->expect(ball, ball, -1);
    const gjk::Point<T> point{{3, 2, 1}};
    this->expect(point, point, 0);
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

TYPED_TEST(Traps, Millimetres) {
    using T = TypeParam;
    for (const double unit : {1e-3, 1e-6, 1e-9}) {
        const T mm = static_cast<T>(unit);
        const gjk::Box<T> box{{0, 0, 0}, {mm, mm, mm}};
        this->expect(box, gjk::Box<T>{{T(2.5) * mm, 0, 0}, {mm, mm, mm}}, 0.5 * static_cast<double>(mm));
        this->expect(box, gjk::Box<T>{{T(1.9) * mm, T(0.5) * mm, 0}, {mm, mm, mm}}, -1);
        this->expect(box, gjk::Sphere<T>{{T(3) * mm, 0, 0}, mm}, static_cast<double>(mm));
        this->expect(box, gjk::OrientedBox<T>{{T(1.5) * mm, T(1.5) * mm, 0}, this->turn(0.5), {mm, mm, mm}}, -1);
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

}  // namespace
