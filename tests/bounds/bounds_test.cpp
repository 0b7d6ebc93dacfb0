#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/bounds.h>

#include "properties/bounds/containment.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

/// How small bounds of vertices are, bounds by hand, and what is refused. properties/bounds and properties/world have
/// the rest.

namespace {

using lanecull::BoxBounds;
using lanecull::Isa;
using lanecull::OrientedBoxBounds;
using lanecull::SphereBounds;
using lanecull::TransformLayout;
using lanecull::Vertices;
using Points = properties::Cloud;

TEST(Bounds, OfBoxesThatAreNoneAreNaN) {
    const float low[] = {-1, 2}, high[] = {1, 1};
    std::vector<float> matrices;
    for (int i = 0; i < 3; ++i) matrices.insert(matrices.end(), {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0});
    const std::uint32_t index[] = {0, 1, 2};  // there is no box 2, and box 1 goes from 2 to 1
    const lanecull::BoxInstances instances{{.first = matrices.data(), .layout = lanecull::TransformLayout::rows_3x4},
                                           {{low, low, low, high, high, high, 2}, index},
                                           3};
    float x[3], y[3], z[3], radius[3];
    ASSERT_TRUE(lanecull::bounding_spheres(instances, x, y, z, radius));
    EXPECT_EQ(x[0], 5);
    EXPECT_NEAR(radius[0], std::sqrt(3.0f), 1e-6f);
    EXPECT_TRUE(std::isnan(radius[1]));
    EXPECT_TRUE(std::isnan(radius[2]));
}

/// How far the mean vertex is from the nearest facet, in doubles.
double nearest_facet(const Points& points, const float* mean) {
    properties::Judge judge;
    double nearest = HUGE_VAL;
    for_each_facet(points, judge, [&](const properties::Facet& facet) {
        const properties::InDoubles exactly;
        const double depth = -facet.height(mean, exactly).value;
        nearest = std::min(nearest, depth / std::sqrt(facet.square_of_normal(exactly).value));
        return true;
    });
    return nearest;
}

TEST(HullBalls, OfRoundHullsAreWorthHaving) {
    Random random(4712);
    double found = 0, possible = 0;
    for (int round = 0; round < scaled(40); ++round) {
        Points points(32);
        std::vector<float> stream[3];
        for (properties::Vertex& p : points) {
            const Double3 direction = random_direction(random);
            for (std::size_t k = 0; k < 3; ++k) stream[k].push_back(p[k] = static_cast<float>(direction[k]));
        }
        lanecull::Hull hull;
        ASSERT_TRUE(lanecull::prepare_hull(stream[0].data(), stream[1].data(), stream[2].data(), 32, hull));
        found += static_cast<double>(hull.inner);
        possible += nearest_facet(points, hull.mean);
    }
    EXPECT_GT(found, 0.5 * possible);
    EXPECT_LE(found, possible);
}

TEST(Containment, IsTold) {
    properties::Judge judge;
    const SphereBounds sphere{{1, 2, 3}, 5};
    EXPECT_TRUE(contains(sphere, {1, 5, 7}, judge));
    EXPECT_FALSE(contains(sphere, {1, 5, 7.000001f}, judge));
    const OrientedBoxBounds oriented{{1, 0, 0}, {0, 2, 0, -1, 0, 0, 0, 0, 1}, {1, 1, 0}};
    EXPECT_TRUE(contains(oriented, {0, 2, 0}, judge));
    EXPECT_FALSE(contains(oriented, {0, 2.0000002f, 0}, judge));
    EXPECT_FALSE(contains(oriented, {0, 2, 1e-45f}, judge));
    EXPECT_GT(judge.exact_checks(), 0u);
}

/// All three bounds of some points.
struct AllBounds {
    BoxBounds box;
    SphereBounds sphere;
    OrientedBoxBounds oriented_box;
};

AllBounds bounds_of(const Points& points) {
    const Vertices vertices{&points[0][0], &points[0][1], &points[0][2], static_cast<std::uint32_t>(points.size()),
                            sizeof points[0]};
    AllBounds bounds;
    EXPECT_TRUE(bounding_box(vertices, bounds.box));
    EXPECT_TRUE(bounding_sphere(vertices, bounds.sphere));
    EXPECT_TRUE(bounding_oriented_box(vertices, bounds.oriented_box));
    return bounds;
}

/// Points of the box |p_k| <= size_k, turned and moved; the first eight are its corners if requested.
Points box_points(Random& random, std::size_t count, const Double3& size, double offset, bool corners) {
    const Double3 z = random_direction(random), aside = cross(z, random_direction(random));
    const Double3 x = (1 / length(aside)) * aside, y = cross(z, x);
    const Double3 center = {random.sign() * offset, random.sign() * offset, random.sign() * offset};
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
        double p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            p[k] = corners && i < 8 ? ((i >> k & 1) != 0 ? size[k] : -size[k]) : random.range(-size[k], size[k]);
        }
        const Double3 at = center + p[0] * x + p[1] * y + p[2] * z;
        points.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
    return points;
}

/// At most the squared radius of any ball around the points: for weights w that add up to 1,
/// sum of w_i |p_i|^2 - |sum of w_i p_i|^2. The weights are those of Badoiu and Clarkson's algorithm.
double least_radius(const Points& points) {
    const auto in_doubles = [](const properties::Vertex& p) -> Double3 {
        return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
    };
    Double3 center = in_doubles(points[0]);
    double squares = dot(center, center), best = 0;
    for (int step = 1; step <= 3'000; ++step) {
        const Double3 p = in_doubles(std::ranges::max(points, {}, [&](const properties::Vertex& of) {
            const Double3 away = in_doubles(of) - center;
            return dot(away, away);
        }));
        const double weight = 1.0 / (step + 1);
        center = center + weight * (p - center);
        squares += weight * (dot(p, p) - squares);
        best = std::max(best, squares - dot(center, center));
    }
    return std::sqrt(best);
}

TEST(BoundingSphere, IsTheSmallestButForRounding) {
    Random random(53);
    const int rounds = scaled(60);
    for (int round = 0; round < rounds; ++round) {
        const Double3 size = {1, random.range(0, 1), random.range(0, 1)};
        const auto count = static_cast<std::size_t>(2 + random.below(300));
        const Points points = box_points(random, count, size, random.range(0, 2), random.chance(0.5));
        const SphereBounds sphere = bounds_of(points).sphere;
        const double least = least_radius(points);
        EXPECT_LE(static_cast<double>(sphere.radius), 1.002 * least + 1e-6) << count << " points";
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
        const Double3 size = {random.range(0.2, 1), random.range(0.2, 1), random.range(0.2, 1)};
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

class VertexBoundsOfSets : public testing::TestWithParam<Isa> {};
INSTANTIATE_TEST_SUITE_P(All, VertexBoundsOfSets, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& parameter) { return isa_label(parameter.param); });

/// Streams, and more vertices than one block of streams holds.
TEST_P(VertexBoundsOfSets, AreOfAllBlocks) {
    std::vector<float> stream[3];
    for (std::size_t k = 0; k < 3; ++k) stream[k].assign(1'100'000, std::ldexp(0.5f, -static_cast<int>(k)));
    stream[0][0] = -9, stream[1][1'048'576] = 8, stream[2].back() = -7;
    const Vertices vertices{stream[0].data(), stream[1].data(), stream[2].data(), 1'100'000};
    BoxBounds box;
    ASSERT_TRUE(lanecull::bounding_box(vertices, box, GetParam()));
    EXPECT_EQ(box.lower[0], -9);
    EXPECT_EQ(box.upper[1], 8);
    EXPECT_EQ(box.lower[2], -7);
    SphereBounds sphere;
    ASSERT_TRUE(lanecull::bounding_sphere(vertices, sphere, GetParam()));
    properties::Judge judge;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1'048'576}, stream[0].size() - 1}) {
        EXPECT_TRUE(contains(sphere, {stream[0][i], stream[1][i], stream[2][i]}, judge));
    }
}

/// Where A shears, the box goes along the longest edge: so it is no longer than the parallelepiped is.
TEST(WorldBounds, OrientedBoxesGoAlongTheLongestEdge) {
    constexpr float low = -1, high = 1, matrix[12] = {1, 5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  // (x + 5 y, y, z)
    float center[3], axes[9], found[3];
    ASSERT_TRUE(lanecull::world_oriented_boxes(
        {{&low, &low, &low, &high, &high, &high, 1}}, {.first = matrix, .layout = TransformLayout::rows_3x4}, 1,
        {.x = center, .y = center + 1, .z = center + 2, .axes = {axes}, .half_extents = {found}}));
    const float length = std::sqrt(26.0f);
    const float half[3] = {1 / length, length + 5 / length, 1};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], half[k], 1e-4f) << k;
    EXPECT_NEAR(std::fabs(axes[3]), 5 / length, 1e-6f);
    EXPECT_NEAR(std::fabs(axes[4]), 1 / length, 1e-6f);
}

TEST(JoinedBoxes, AreAroundEachRun) {
    const std::vector<float> lower = {0, -2, 5, 1, 7}, upper = {1, 3, 6, 2, 8};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> broken = upper;
    broken[4] = nan;
    const std::uint32_t first[] = {0, 2, 2, 4, 5};
    float out[6][4];
    const lanecull::BoxStreams streams{out[0], out[1], out[2], out[3], out[4], out[5]};
    ASSERT_TRUE(lanecull::join_boxes(
        {lower.data(), lower.data(), lower.data(), upper.data(), upper.data(), broken.data(), 5}, first, 4, streams));
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(out[k][0], -2);
        EXPECT_EQ(out[3 + k][0], 3);
        EXPECT_TRUE(std::isnan(out[k][1]) && std::isnan(out[3 + k][1]));  // no box
        EXPECT_EQ(out[k][2], 1);
        EXPECT_EQ(out[3 + k][2], 6);
        EXPECT_EQ(std::isnan(out[k][3]), k == 2);
    }
    const std::uint32_t descending[] = {0, 2, 1}, beyond[] = {0, 6};
    const lanecull::Boxes boxes{lower.data(), lower.data(), lower.data(), upper.data(), upper.data(), upper.data(), 5};
    EXPECT_STREQ(lanecull::join_boxes(boxes, descending, 2, streams).message(), "first[1]: 2, and then 1");
    EXPECT_STREQ(lanecull::join_boxes(boxes, beyond, 1, streams).message(), "first[1]: 6, of 5 boxes");
}

/// What the functions read and write.
struct Call {
    Vertices vertices;
    lanecull::LocalBoxes local;
    lanecull::Transforms transforms;
    lanecull::BoxStreams boxes;
    lanecull::OrientedBoxStreams oriented;
    lanecull::Records records;
    std::vector<float*> streams;
    lanecull::DoubleRecords positions;
    double origin[3] = {};
    std::array<float*, 4> sphere;
    Isa isa = Isa::automatic;
};

std::string of_boxes(const Call& c) { return lanecull::world_boxes(c.local, c.transforms, 8, c.boxes).message().text; }
std::string of_oriented(const Call& c) {
    return lanecull::world_oriented_boxes(c.local, c.transforms, 8, c.oriented).message().text;
}
std::string of_records(const Call& c) { return lanecull::unpack_floats(c.records, 4, c.streams, c.isa).message().text; }
std::string of_positions(const Call& c) {
    const auto& [x, y, z, radius] = c.sphere;
    return lanecull::relative_spheres(c.positions, nullptr, 1, c.origin, x, y, z, radius).message().text;
}
/// By all three functions, which say the same.
std::string of_vertices(const Call& c) {
    AllBounds bounds{};
    bounds.box.lower[0] = bounds.sphere.radius = bounds.oriented_box.center[2] = 7;
    const AllBounds before = bounds;
    const std::string message = bounding_box(c.vertices, bounds.box, c.isa).message().text;
    EXPECT_EQ(bounding_sphere(c.vertices, bounds.sphere, c.isa).message().text, message);
    EXPECT_EQ(bounding_oriented_box(c.vertices, bounds.oriented_box, c.isa).message().text, message);
    EXPECT_TRUE(std::memcmp(&bounds, &before, sizeof before) == 0) << message;
    return message;
}

constexpr std::uint32_t index_of_8[8] = {};

template <int layout>
void set_layout(Call& call) {
    call.transforms.layout = static_cast<TransformLayout>(layout);
}
template <std::size_t stride>
void set_record_stride(Call& call) {
    call.records.stride_bytes = stride;
}
template <std::size_t stride>
void set_position_stride(Call& call) {
    call.positions.stride_bytes = stride;
}

constexpr const char* one_of_two = "boxes.axes.first, quaternions.first: one of the two must be null, the other not";

/// With how each sentence begins. Families bounds_any_... (properties/bounds) have strides and numbers of vertices.
constexpr struct {
    std::string (*message)(const Call&);
    void (*change)(Call&);
    const char* sentence;
} refusals[] = {
    {of_vertices, [](Call& c) { c.vertices.x = nullptr; }, "vertices.x: "},
    {of_vertices, [](Call& c) { c.vertices.y = nullptr; }, "vertices.y: "},
    {of_vertices, [](Call& c) { c.vertices.z = nullptr; }, "vertices.z: "},
    {of_vertices, [](Call& c) { c.vertices.count = 0; }, "vertices.count: "},
    {of_vertices, [](Call& c) { c.isa = static_cast<Isa>(9); }, "isa: "},
    {of_records, [](Call& c) { c.records.first = nullptr; }, "records.first: "},
    {of_records, set_record_stride<1>, "records.stride_bytes: "},
    {of_records, set_record_stride<8>, "records.stride_bytes: "},
    {of_records, set_record_stride<13>, "records.stride_bytes: "},
    {of_records, set_record_stride<65'540>, "records.stride_bytes: "},
    {of_records, [](Call& c) { c.streams.clear(); }, "streams: "},
    {of_records, [](Call& c) { c.streams.resize(16'385); }, "streams: "},
    {of_records, [](Call& c) { c.isa = static_cast<Isa>(9); }, "isa: "},
    {of_positions, [](Call& c) { c.positions.first = nullptr; }, "positions.first: "},
    {of_positions, set_position_stride<16>, "positions.stride_bytes: "},
    {of_positions, set_position_stride<28>, "positions.stride_bytes: "},
    {of_positions, set_position_stride<65'544>, "positions.stride_bytes: "},
    {of_positions, [](Call& c) { c.origin[1] = HUGE_VAL; }, "origin[1]: "},
    {of_positions, [](Call& c) { c.sphere[0] = nullptr; }, "x: "},
    {of_positions, [](Call& c) { c.sphere[2] = nullptr; }, "z: "},
    {of_positions, [](Call& c) { c.sphere[3] = nullptr; }, "sphere_radius: "},
    {of_boxes, [](Call& c) { c.local.boxes.count = 7; },
     "local.boxes.count: 7, but there are 8 objects and no box_index"},
    {of_boxes, [](Call& c) { c.local.box_index = index_of_8, c.local.boxes.count = 0x80000000; },
     "local.boxes.count: 2147483648, with box_index there must be 1 to 2147483647"},
    {of_boxes, [](Call& c) { c.local.boxes.max_y = nullptr; }, "local.boxes.max_y: must not be null"},
    {of_oriented, [](Call& c) { c.local.boxes.min_z = nullptr; }, "local.boxes.min_z: must not be null"},
    {of_boxes, [](Call& c) { c.transforms.first = nullptr; }, "transforms.first: must not be null"},
    {of_boxes, set_layout<0>, "transforms.layout: 0 is not a known value (TransformLayout)"},
    {of_boxes, set_layout<5>, "transforms.layout: 5 is not a known value (TransformLayout)"},
    {of_boxes, set_layout<255>, "transforms.layout: 255 is not a known value (TransformLayout)"},
    {of_boxes, [](Call& c) { c.transforms.stride_bytes = 44; },
     "transforms.stride_bytes: 44 is not a multiple of 4 from 48 to 65536, nor packed"},
    {of_boxes, [](Call& c) { c.transforms.positions.stride_bytes = 12; },
     "transforms.positions.stride_bytes: 12 is not a multiple of 8 from 24 to 65536, nor packed"},
    {of_boxes, [](Call& c) { c.transforms.origin[1] = HUGE_VAL; }, "transforms.origin[1]: not finite"},
    {of_boxes, [](Call& c) { c.boxes.max_y = nullptr; }, "boxes.max_y: must not be null"},
    {of_oriented, [](Call& c) { c.oriented.y = nullptr; }, "boxes.y: must not be null"},
    {of_oriented, [](Call& c) { c.oriented.axes.first = c.oriented.x; }, one_of_two},
    {of_oriented, [](Call& c) { c.oriented.quaternions.first = nullptr; }, one_of_two},
    {of_oriented, [](Call& c) { c.oriented.quaternions.stride_bytes = 12; },
     "boxes.quaternions.stride_bytes: 12 is not a multiple of 4 from 16 to 65536, nor packed"},
    {of_oriented,
     [](Call& c) {
         c.oriented.quaternions = {}, c.oriented.axes = {c.oriented.x, 38};
     },
     "boxes.axes.stride_bytes: 38 is not a multiple of 4 from 36 to 65536, nor packed"},
    {of_oriented, [](Call& c) { c.oriented.half_extents.first = nullptr; },
     "boxes.half_extents.first: must not be null"},
};

TEST(Bounds, RefuseBrokenArguments) {
    std::vector<float> numbers(8 * 12, 1), to(72, -1);
    const std::vector<double> positions(24);
    float *const n = numbers.data(), *const s = to.data();
    const Call good{.vertices = {n, n, n, 4},
                    .local = {{n, n, n, n, n, n, 8}},
                    .transforms = {.first = n, .layout = TransformLayout::rows_3x4, .positions = {positions.data()}},
                    .boxes = {s, s, s, s, s, s},
                    .oriented = {.x = s, .y = s, .z = s, .quaternions = {s}, .half_extents = {s}},
                    .records = {n},
                    .streams = {s, s, s},
                    .positions = {positions.data()},
                    .sphere = {s, s, s, s}};
    for (const auto& refusal : refusals) {
        Call call = good;
        refusal.change(call);
        EXPECT_EQ(refusal.message(call).substr(0, std::strlen(refusal.sentence)), refusal.sentence);
    }
    EXPECT_TRUE(lanecull::world_boxes({}, {}, 0, {}));
    EXPECT_TRUE(lanecull::world_oriented_boxes({}, {}, 0, {}));
    EXPECT_TRUE(lanecull::unpack_floats({}, 0, good.streams)) << "nothing is read";
    EXPECT_TRUE(lanecull::relative_spheres({}, nullptr, 0, good.origin, nullptr, nullptr, nullptr, nullptr));
    for (const float x : to) EXPECT_EQ(x, -1);
}

}  // namespace
