#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/bounds.h>

#include "support/culling.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// bounding_box(), bounding_sphere() and bounding_oriented_box() contain every vertex, by integer arithmetic. They are
/// about as small as possible, and read nothing but the vertices.

namespace {

using lanecull::BoxBounds;
using lanecull::Isa;
using lanecull::OrientedBoxBounds;
using lanecull::SphereBounds;
using lanecull::Status;
using lanecull::Vertices;
using Integer = boost::multiprecision::cpp_int;

using Points = std::vector<std::array<float, 3>>;

/// A finite float in units of 2^-149, in which every float is whole.
Integer units(float value) {
    int exponent = 0;
    const float mantissa = std::frexp(value, &exponent);  // value = mantissa 2^exponent, mantissa 2^24 is whole
    const Integer whole = static_cast<std::int64_t>(std::ldexp(mantissa, 24));
    const int shift = exponent - 24 + 149;
    return shift >= 0 ? Integer(whole * (Integer(1) << shift)) : Integer(whole / (Integer(1) << -shift));
}

using Integer3 = std::array<Integer, 3>;
Integer3 units(const float* v) { return {units(v[0]), units(v[1]), units(v[2])}; }
Integer3 operator-(const Integer3& a, const Integer3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Integer dot(const Integer3& a, const Integer3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Integer3 cross(const Integer3& a, const Integer3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

bool contains(const BoxBounds& box, const std::array<float, 3>& p) {
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) inside = inside && box.lower[k] <= p[k] && p[k] <= box.upper[k];
    return inside;
}

bool contains(const SphereBounds& sphere, const std::array<float, 3>& p) {
    if (std::isinf(sphere.radius)) return true;
    const Integer3 d = units(p.data()) - units(sphere.center);
    const Integer radius = units(sphere.radius);
    return dot(d, d) <= radius * radius;
}

/// Cramer's rule: p = center + sum of t_k axes[k] with t_k = (p - center) . (a_i x a_j) / det.
bool contains(const OrientedBoxBounds& box, const std::array<float, 3>& p) {
    // What floats cannot hold is infinite, and such an object stays visible wherever it is.
    if (std::any_of(box.center, box.center + 3, [](float c) { return std::isinf(c); })) return true;
    const Integer3 d = units(p.data()) - units(box.center);
    const Integer3 a[3] = {units(box.axes), units(box.axes + 3), units(box.axes + 6)};
    const Integer determinant = abs(dot(a[0], cross(a[1], a[2])));
    if (determinant == 0) return false;
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
        if (std::isinf(box.half_extents[k])) continue;
        const Integer t = abs(dot(d, cross(a[(k + 1) % 3], a[(k + 2) % 3]))) << 149;
        inside = inside && t <= units(box.half_extents[k]) * determinant;
    }
    return inside;
}

TEST(Containment, IsTold) {
    EXPECT_EQ(units(1), Integer(1) << 149);
    EXPECT_EQ(units(-3e-45f), -2);
    const SphereBounds sphere{{1, 2, 3}, 5};
    EXPECT_TRUE(contains(sphere, {1, 5, 7}));
    EXPECT_FALSE(contains(sphere, {1, 5, 7.000001f}));
    const OrientedBoxBounds box{{1, 0, 0}, {0, 2, 0, -1, 0, 0, 0, 0, 1}, {1, 1, 0}};
    EXPECT_TRUE(contains(box, {0, 2, 0}));
    EXPECT_FALSE(contains(box, {0, 2.0000002f, 0}));
    EXPECT_FALSE(contains(box, {0, 2, 1e-45f}));
}

/// All three bounds of some points.
struct AllBounds {
    BoxBounds box;
    SphereBounds sphere;
    OrientedBoxBounds oriented_box;
};

Status bound(const Vertices& vertices, AllBounds& bounds, Isa isa) {
    if (Status status = lanecull::bounding_box(vertices, bounds.box, isa); !status) return status;
    if (Status status = lanecull::bounding_sphere(vertices, bounds.sphere, isa); !status) return status;
    return lanecull::bounding_oriented_box(vertices, bounds.oriented_box, isa);
}

/// Three streams or, with a stride in floats, records of x, y, z.
Vertices lay_out(const Points& points, Memory& memory, std::size_t stride = 1) {
    const std::size_t count = points.size();
    float* of[3];
    if (stride == 1) {
        for (float*& stream : of) stream = memory.array<float>(count);
    } else {
        of[0] = memory.array<float>((count - 1) * stride + 3);
        of[1] = of[0] + 1;
        of[2] = of[0] + 2;
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) of[k][i * stride] = points[i][k];
    }
    // Three streams have a stride of 4 bytes, or of 0.
    const std::size_t bytes = stride == 1 && count % 2 == 0 ? 0 : stride * sizeof(float);
    return {of[0], of[1], of[2], static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(bytes)};
}

AllBounds bounds_of(const Points& points, Isa isa = Isa::automatic) {
    HeapMemory memory;
    AllBounds bounds;
    const Status status = bound(lay_out(points, memory), bounds, isa);
    EXPECT_TRUE(status.ok()) << status.message();
    return bounds;
}

using Rotation = std::array<std::array<double, 3>, 3>;

/// From a random quaternion.
Rotation random_rotation(Random& random) {
    double q[4], squared = 0;
    do {
        squared = 0;
        for (double& component : q) component = random.range(-1, 1), squared += component * component;
    } while (squared > 1 || squared < 0.01);
    const double s = 2 / squared, w = q[0], x = q[1], y = q[2], z = q[3];
    return {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
             {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
             {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
}

/// Points of the box |p_k| <= size_k, turned and moved; the first eight are its corners if asked for.
Points box_points(Random& random, std::size_t count, const std::array<double, 3>& size, double offset, bool corners,
                  double scale = 1) {
    const Rotation rotation = random_rotation(random);
    const double center[3] = {random.sign() * offset, random.sign() * offset, random.sign() * offset};
    Points points(count);
    for (std::size_t i = 0; i < count; ++i) {
        double p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            p[k] = corners && i < 8 ? ((i >> k & 1) != 0 ? size[k] : -size[k]) : random.range(-size[k], size[k]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const double turned = rotation[k][0] * p[0] + rotation[k][1] * p[1] + rotation[k][2] * p[2];
            points[i][k] = static_cast<float>(scale * (center[k] + turned));
        }
    }
    return points;
}

struct CloudKind {
    const char* name;
    std::array<double, 3> size;
    double offset, scale;
};
constexpr CloudKind cloud_kinds[] = {
    {"ball-like", {1, 1, 1}, 0, 1},     {"long", {100, 1, 3}, 10, 1},
    {"all equal", {0, 0, 0}, 3, 1},     {"collinear", {2, 0, 0}, 1, 1},
    {"coplanar", {2, 1, 0}, 1, 1},      {"needle", {1, 1e-6, 1e-9}, 0.5, 1},
    {"huge", {1, 2, 3}, 1, 1e30},       {"beyond floats' squares", {1, 2, 3}, 0, 6e37},
    {"subnormal", {1, 2, 3}, 1, 1e-42}, {"tiny", {1, 2, 3}, 1, 1e-30},
    {"far away", {1, 2, 3}, 1e7, 1},    {"far away and small", {1e-3, 2e-3, 3e-3}, 1e4, 1},
};

TEST(VertexBounds, ContainEveryVertex) {
    Random random(51);
    const int rounds = scaled(40);
    for (const CloudKind& kind : cloud_kinds) {
        for (int round = 0; round < rounds; ++round) {
            const auto count = static_cast<std::size_t>(1 + random.below(60));
            const Points points = box_points(random, count, kind.size, kind.offset, random.chance(0.5), kind.scale);
            const AllBounds bounds = bounds_of(points);
            for (const auto& p : points) {
                ASSERT_TRUE(contains(bounds.box, p)) << kind.name << " round " << round;
                ASSERT_TRUE(contains(bounds.sphere, p)) << kind.name << " round " << round;
                ASSERT_TRUE(contains(bounds.oriented_box, p)) << kind.name << " round " << round;
            }
        }
    }
}

TEST(VertexBounds, ContainTheCornersOfFloats) {
    constexpr float big = std::numeric_limits<float>::max(), small = std::numeric_limits<float>::denorm_min();
    Random random(52);
    for (int round = 0; round < 300; ++round) {
        Points points(static_cast<std::size_t>(1 + random.below(9)));
        for (auto& p : points) {
            constexpr float values[] = {big, -big, small, -small, 0, 1, -1, 3e19f, 1e-19f};
            for (float& coordinate : p) coordinate = values[random.below(9)];
        }
        const AllBounds bounds = bounds_of(points);
        for (const auto& p : points) {
            ASSERT_TRUE(contains(bounds.box, p)) << round;
            ASSERT_TRUE(contains(bounds.sphere, p)) << round;
            ASSERT_TRUE(contains(bounds.oriented_box, p)) << round;
        }
    }
}

/// At most the squared radius of any ball around the points: for weights w that add up to 1,
/// sum of w_i |p_i|^2 - |sum of w_i p_i|^2. The weights are those of Badoiu and Clarkson's algorithm.
double least_radius(const Points& points) {
    double center[3] = {points[0][0], points[0][1], points[0][2]}, squares = 0;
    for (const float c : points[0]) squares += static_cast<double>(c) * static_cast<double>(c);
    double best = 0;
    for (int step = 1; step <= 3'000; ++step) {
        double farthest = -1;
        const std::array<float, 3>* found = nullptr;
        for (const auto& p : points) {
            double squared = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                squared += (static_cast<double>(p[k]) - center[k]) * (static_cast<double>(p[k]) - center[k]);
            }
            if (squared > farthest) farthest = squared, found = &p;
        }
        const double weight = 1.0 / (step + 1);
        double added = 0, mean = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto coordinate = static_cast<double>((*found)[k]);
            center[k] += weight * (coordinate - center[k]);
            added += coordinate * coordinate;
            mean += center[k] * center[k];
        }
        squares += weight * (added - squares);
        best = std::max(best, squares - mean);
    }
    return std::sqrt(best);
}

TEST(BoundingSphere, IsTheSmallestButForRounding) {
    Random random(53);
    const int rounds = scaled(60);
    for (int round = 0; round < rounds; ++round) {
        const std::array<double, 3> size = {1, random.range(0, 1), random.range(0, 1)};
        const auto count = static_cast<std::size_t>(2 + random.below(300));
        const Points points = box_points(random, count, size, random.range(0, 2), random.chance(0.5));
        const SphereBounds sphere = bounds_of(points).sphere;
        const double least = least_radius(points);
        EXPECT_LE(static_cast<double>(sphere.radius), 1.002 * least + 1e-6) << count << " points";
    }
    for (const auto& point : {std::array{0.0f, 0.0f, 0.0f}, std::array{1.5f, -3.25f, 1e-45f}}) {
        const SphereBounds sphere = bounds_of(Points(20, point)).sphere;
        EXPECT_EQ(sphere.radius, 0) << "equal vertices need no radius";
    }
}

double volume(const OrientedBoxBounds& box) {
    return 8 * static_cast<double>(box.half_extents[0]) * static_cast<double>(box.half_extents[1]) *
           static_cast<double>(box.half_extents[2]);
}
double volume(const BoxBounds& box) {
    double product = 1;
    for (std::size_t k = 0; k < 3; ++k) product *= static_cast<double>(box.upper[k] - box.lower[k]);
    return product;
}

TEST(BoundingOrientedBox, FindsTheBoxThatVerticesFill) {
    Random random(54);
    const int rounds = scaled(200);
    double sum_of_ratios = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::array<double, 3> size = {random.range(0.2, 1), random.range(0.2, 1), random.range(0.2, 1)};
        const double full = 8 * size[0] * size[1] * size[2];
        const AllBounds corners = bounds_of(box_points(random, 100, size, 1, true));
        EXPECT_LE(volume(corners.oriented_box), 1.001 * full) << "a box's corners are among the vertices";
        const AllBounds filled = bounds_of(box_points(random, 1'000, size, 1, false));
        EXPECT_LE(volume(filled.oriented_box), 1.25 * full);
        EXPECT_LE(volume(filled.oriented_box), 1.00001 * volume(filled.box)) << "never larger than the aligned box";
        sum_of_ratios += volume(filled.oriented_box) / volume(filled.box);
    }
    EXPECT_LE(sum_of_ratios / rounds, 0.6) << "and mostly much smaller";
}

TEST(BoundingOrientedBox, IsFlatAroundFlatVertices) {
    Random random(55);
    for (int round = 0; round < 100; ++round) {
        OrientedBoxBounds box = bounds_of(box_points(random, 50, {2, 1, 0}, 0, round % 2 == 0)).oriented_box;
        std::sort(std::begin(box.half_extents), std::end(box.half_extents));
        EXPECT_LE(box.half_extents[0], 2e-6f);
        EXPECT_LE(box.half_extents[1] * box.half_extents[2], round % 2 == 0 ? 2.01f : 2.3f);
        box = bounds_of(box_points(random, 50, {2, 0, 0}, 0, true)).oriented_box;
        std::sort(std::begin(box.half_extents), std::end(box.half_extents));
        EXPECT_LE(box.half_extents[1], 2e-6f);
        EXPECT_LE(box.half_extents[2], 2.001f);
    }
}

TEST(BoundingOrientedBox, HasOrthonormalRightHandedAxes) {
    Random random(56);
    for (const CloudKind& kind : cloud_kinds) {
        for (int round = 0; round < 20; ++round) {
            const auto count = static_cast<std::size_t>(1 + random.below(20));
            const float(&a)[9] =
                bounds_of(box_points(random, count, kind.size, kind.offset, true, kind.scale)).oriented_box.axes;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t i = 3 * ((k + 1) % 3), j = 3 * ((k + 2) % 3), x = (k + 1) % 3, y = (k + 2) % 3;
                EXPECT_NEAR(a[3 * k] * a[3 * k] + a[3 * k + 1] * a[3 * k + 1] + a[3 * k + 2] * a[3 * k + 2], 1, 1e-6);
                for (std::size_t c = 0; c < 3; ++c) {
                    const std::size_t p = (c + 1) % 3, q = (c + 2) % 3;
                    EXPECT_NEAR(a[i + p] * a[j + q] - a[i + q] * a[j + p], a[3 * k + c], 1e-6) << kind.name << x << y;
                }
            }
        }
    }
}

class VertexBoundsOfSets : public testing::TestWithParam<Isa> {};

bool same_bytes(const AllBounds& a, const AllBounds& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST_P(VertexBoundsOfSets, AreTheSameAndStayWithinGuardPages) {
    Random random(57);
    const std::uint32_t most = 4 * lanecull::isa_lanes(GetParam()) + 1;
    for (std::uint32_t count = 1; count <= most; ++count) {
        const Points points = box_points(random, count, {3, 2, 1}, 1, false);
        const AllBounds expected = bounds_of(points, Isa::scalar);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                         [k](const auto& a, const auto& b) { return a[k] < b[k]; });
            EXPECT_EQ(expected.box.lower[k], (*low)[k]);
            EXPECT_EQ(expected.box.upper[k], (*high)[k]);
        }
        for (const std::size_t stride : {1u, 3u, 4u, 11u}) {
            GuardedMemory at_end(GuardedMemory::Against::end), at_start(GuardedMemory::Against::start);
            HeapMemory misaligned(1);
            for (Memory* memory :
                 {static_cast<Memory*>(&at_end), static_cast<Memory*>(&at_start), static_cast<Memory*>(&misaligned)}) {
                AllBounds bounds;
                ASSERT_TRUE(bound(lay_out(points, *memory, stride), bounds, GetParam()));
                EXPECT_TRUE(same_bytes(bounds, expected)) << count << " vertices at " << stride << " floats";
            }
        }
    }
}

/// Which of 0 and -0 is the least depends on the order in which they are compared.
TEST_P(VertexBoundsOfSets, AreTheSameForZerosOfEitherSign) {
    Random random(60);
    constexpr float coordinates[] = {0.0f, -0.0f, 0x1p-149f, -0x1p-149f};
    const int most = 4 * static_cast<int>(lanecull::isa_lanes(GetParam())) + 1;
    for (int n = 0; n < 500; ++n) {
        const int kinds = 2 + random.below(3);
        Points points(static_cast<std::size_t>(1 + random.below(most)));
        for (auto& p : points) p = {coordinates[random.below(kinds)], coordinates[random.below(kinds)], 1};
        HeapMemory memory;
        AllBounds bounds;
        ASSERT_TRUE(bound(lay_out(points, memory), bounds, GetParam()));
        ASSERT_TRUE(same_bytes(bounds, bounds_of(points, Isa::scalar))) << points.size() << " vertices";
    }
}

TEST_P(VertexBoundsOfSets, AreTheSameForManyVertices) {
    Random random(58);
    for (const std::size_t count : {1'023u, 1'024u, 1'025u, 5'000u}) {
        const Points points = box_points(random, count, {3, 2, 1}, 1, false);
        const AllBounds expected = bounds_of(points, Isa::scalar);
        for (const std::size_t stride : {1u, 3u, 8u}) {
            HeapMemory memory;
            AllBounds bounds;
            ASSERT_TRUE(bound(lay_out(points, memory, stride), bounds, GetParam()));
            EXPECT_TRUE(same_bytes(bounds, expected)) << count << " vertices at " << stride << " floats";
        }
    }
    // Separate records, one a coordinate, and more vertices than one block of streams holds.
    const Points corner = {{-9, 0, 0}, {0, 8, 0}, {0, 0, -7}};
    Points many(1'100'000, {0.5f, 0.25f, 0.125f});
    many[0] = corner[0], many[1'048'576] = corner[1], many.back() = corner[2];
    HeapMemory memory;
    BoxBounds box;
    ASSERT_TRUE(lanecull::bounding_box(lay_out(many, memory), box, GetParam()));
    EXPECT_EQ(box.lower[0], -9);
    EXPECT_EQ(box.upper[1], 8);
    EXPECT_EQ(box.lower[2], -7);
    SphereBounds sphere;
    ASSERT_TRUE(lanecull::bounding_sphere(lay_out(many, memory), sphere, GetParam()));
    for (const auto& p : corner) EXPECT_TRUE(contains(sphere, p));
}

TEST_P(VertexBoundsOfSets, NameTheCoordinateThatIsNotFinite) {
    Random random(59);
    const std::uint32_t count = 4 * lanecull::isa_lanes(GetParam()) + 1;
    const Points good = box_points(random, count, {3, 2, 1}, 1, false);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                Points points = good;
                points[i][k] = bad;
                HeapMemory memory;
                const Vertices vertices = lay_out(points, memory);
                const std::string named = "vertices." + std::string(1, "xyz"[k]) + "[" + std::to_string(i) + "]";
                AllBounds bounds{};
                bounds.sphere.radius = 7;
                const AllBounds before = bounds;
                for (const Status& status :
                     {lanecull::bounding_box(vertices, bounds.box, GetParam()),
                      lanecull::bounding_sphere(vertices, bounds.sphere, GetParam()),
                      lanecull::bounding_oriented_box(vertices, bounds.oriented_box, GetParam())}) {
                    EXPECT_FALSE(status.ok());
                    EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
                }
                EXPECT_TRUE(same_bytes(bounds, before));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, VertexBoundsOfSets, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& parameter) { return isa_label(parameter.param); });

TEST(VertexBounds, RefuseBrokenArguments) {
    const float numbers[12] = {};
    const Vertices good{numbers, numbers + 4, numbers + 8, 4};
    const auto expect_failure = [&](auto change, const char* named, Isa isa = Isa::automatic) {
        Vertices vertices = good;
        change(vertices);
        AllBounds bounds{};
        bounds.box.lower[0] = bounds.sphere.radius = bounds.oriented_box.center[2] = 7;
        const AllBounds before = bounds;
        for (const Status& status : {lanecull::bounding_box(vertices, bounds.box, isa),
                                     lanecull::bounding_sphere(vertices, bounds.sphere, isa),
                                     lanecull::bounding_oriented_box(vertices, bounds.oriented_box, isa)}) {
            EXPECT_FALSE(status.ok()) << named;
            EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        }
        EXPECT_TRUE(same_bytes(bounds, before)) << named;
    };
    expect_failure([](Vertices& v) { v.x = nullptr; }, "vertices.x");
    expect_failure([](Vertices& v) { v.y = nullptr; }, "vertices.y");
    expect_failure([](Vertices& v) { v.z = nullptr; }, "vertices.z");
    expect_failure([](Vertices& v) { v.count = 0; }, "vertices.count");
    for (const std::uint32_t stride : {1u, 2u, 6u, 65'540u}) {
        expect_failure([&](Vertices& v) { v.stride_bytes = stride; }, "vertices.stride_bytes");
    }
    expect_failure([](Vertices&) {}, "isa", static_cast<Isa>(9));
}

}  // namespace
