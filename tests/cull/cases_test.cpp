#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <lanecull/view.h>

#include "properties/views/company.hpp"
#include "support/culling.hpp"
#include "support/queries.hpp"

/// Cases by their numbers: those that were judged wrongly once, those of the edges of floats, and those of tests/data
/// with exact labels.

namespace {

using lanecull::Batch;
using lanecull::Plane;
using lanecull::View;
using properties::Company;

struct Counts {
    int culled = 0, kept = 0;
};

Counts judge(Kind kind, std::span<const Object> objects, const HullSet& hulls, const View& view) {
    Counts counts;
    const Company company(kind, objects, hulls, {});
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            const std::vector<std::string> verdicts = company.verdicts(view, {.method = method, .isa = isa});
            for (std::size_t i = 0; i < objects.size(); ++i) {
                EXPECT_TRUE(Company::agree(verdicts[i]))
                    << verdicts[i] << ' ' << lanecull::isa_name(isa) << ' ' << method_name(method) << ' '
                    << describe(kind, objects[i], hulls);
                ++(verdicts[i].front() == '1' ? counts.kept : counts.culled);
            }
        }
    }
    return counts;
}

View prepared(const std::array<double, 16>& rows, const std::array<double, 3>& origin = {}) {
    View view;
    const lanecull::Status status = lanecull::prepare_view(rows,
                                                           {.layout = lanecull::MatrixLayout::row_major,
                                                            .depth = lanecull::DepthRange::zero_to_one,
                                                            .origin = {origin[0], origin[1], origin[2]}},
                                                           view);
    EXPECT_TRUE(status) << status.message();
    return view;
}

/// GJK counts a polytope's magnitude in its bound; the plane that parts these from it was not tested.
TEST(Company, BoxesThatOneOfManyPlanesParts) {
    constexpr Plane planes[] = {
        {{-0x1.2feb5b97acf04p+4, 0x1.6b08fde78a39ep-2, 0x1.37ae82a38ae1cp+4}, 0x1.c2fee20a5d749p+20},
        {{-0x1.2ed6a1a8b4ed9p+8, 0x1.cbade9c596a42p+2, -0x1.33aabf26630e4p+7}, -0x1.7b16cdfa39298p+23},
        {{-0x1.2c95dbc98f6fcp+5, 0x1.c8426d811e522p-1, -0x1.3160c706d5c3cp+4}, -0x1.543a3973c0ea8p+20},
        {{-0x1.073684aae7121p-12, 0x1.64849038db68ep-9, 0x1.e9ec1082e788ap-12}, -0x1.41738528454fcp+6},
        {{0x1.2fd20241a1cf9p-7, -0x1.a626c1feccd1dp-4, -0x1.357358a0d9d5fp-6}, 0x1.b6e59a453da98p+11},
        {{-0x1.a6a44e43e4b23p+0, 0x1.40c3c0d0b3283p-5, -0x1.ad616e28bfaa1p-1}, -0x1.05cf76a7e831bp+16},
        {{-0x1.d5077edbd3362p-5, -0x1.881a43286230ep-6, 0x1.0f0c3289ad21dp-4}, 0x1.cf503b03c3bfap+12},
        {{0x1.274d1101a1e0dp-5, 0x1.0c9ea9f9af33ap-5, 0x1.1071fc0d1f024p-8}, -0x1.22d820e284704p+10},
        {{-0x1.82d7bb183f193p-2, -0x1.43654884a938bp-3, 0x1.bf1b06f95ed38p-2}, 0x1.7e34e999b00ap+15},
        {{-0x1.ab42725ae514fp-10, -0x1.469e279d68993p-13, 0x1.1b4671aa9d9a6p-8}, 0x1.a04f1d737b7dp+8},
        {{0x1.4626f63fa6447p-7, 0x1.71211bb833b66p-4, 0x1.7830e6c0c0f56p-10}, -0x1.f57b747b07823p+11},
        {{0x1.93144c458264ep-11, 0x1.5e34b383d1323p-8, 0x1.751ed8cfee046p-7}, 0x1.9c7070522e716p+9},
        {{-0x1.c402475533138p+7, -0x1.6e06976b55b9dp+2, -0x1.c723b1fe528c2p+4}, -0x1.f419c5dfd92d4p+20},
        {{-0x1.eb5e69ec73a4ep+7, 0x1.2a097e2a40278p+8, -0x1.370f21cd38b45p+8}, -0x1.4417986aad834p+25}};
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_planes(planes, view));
    std::vector<Object> boxes(4);
    boxes[0].fields = {0x1.a1752ep+10, 0x1.663242p+15, -0x1.6f6a6ep+16, 0x1.19b0bap+6, 0x1.0d60aap-3, 0x1.70b3cp-2};
    boxes[2].fields = {0x1.8b7ea6p+10, 0x1.66291ap+15, -0x1.6f7672p+16, 0x1.d37774p-1, 0x1.111c8ap+2, 0x1.4634cep+2};
    for (const std::size_t i : {1u, 3u}) {  // neighbours that reach all planes, but not by their centres
        boxes[i] = boxes[i - 1];
        for (std::size_t k = 3; k < 6; ++k) boxes[i].fields[k] = 1e7f;
    }
    EXPECT_GT(judge(Kind::centered_box, boxes, {}, view).culled, 0);
}

/// A hull's magnitude may be many times that of the ball around it: here the hull is one point, the image of a vertex
/// by a large matrix.
TEST(Company, HullsThatAreSmallForTheirMatrix) {
    View view;
    constexpr float matrix[] = {0x1.f74cd2p+1, 0, 0, 0, 0, 0x1.234b6ep+1, 0, 0, 0, 0, 0x1.38556ep-14, -1.0f, 0, 0,
                                0x1.1f62fp-4,  0};
    ASSERT_TRUE(lanecull::prepare_view(matrix,
                                       {.layout = lanecull::MatrixLayout::column_major,
                                        .depth = lanecull::DepthRange::zero_to_one,
                                        .origin = {-0x1.651abf0e22f8p+3, 0x1.be5ca0bd4f47ap+3, 0x1.e27e445eed188p+1}},
                                       view));
    Object hull;
    hull.fields = {0x1.6b2556p+2,  -0.0f,        -0x1.0faaecp+3, -0x1.0484a2p+2, -0x1.5e33cp+3, 0.0f,
                   -0x1.8b65e4p+0, 0x1.232cep+4, 0x1.caa0fcp+2,  0.0f,           0x1.c74af6p+1, -0x1.a63026p+0};
    EXPECT_GT(judge(Kind::hull, {&hull, 1}, {Vertices(7, {0.25f, -0.5f, 1})}, view).culled, 0);
}

/// A hull that is one point, the image of a vertex by a matrix of 2^20, which is larger than its place: rounded so, the
/// point may lie on the other side of a plane than the ball that stage 1 sees. It counted as a point in the volume.
TEST(Company, HullsWhosePlacedVertexIsInDoubt) {
    View view;
    constexpr double matrix[] = {0x1.e8275aaab493cp-1,
                                 -0x1.3faf50825d058p-4,
                                 0x1.83dbceb3d4946p-2,
                                 0x1.83c09d1a28ed6p-2,
                                 0x1.9af4e43005e3fp+0,
                                 0x1.908166d6a6c91p+0,
                                 0x1.ca2fb700521d6p-1,
                                 0x1.ca0f9719f52d4p-1,
                                 -0x1.134f7adbb3e9p-5,
                                 0x1.78687ddbb3764p-4,
                                 -0x1.e5b45dc84a62cp-3,
                                 -0x1.e5924ff6d31bfp-3,
                                 0,
                                 0,
                                 -0x1.bcde600fc79e2p-7,
                                 0};
    ASSERT_TRUE(lanecull::prepare_view(
        matrix, {.layout = lanecull::MatrixLayout::column_major, .depth = lanecull::DepthRange::zero_to_one}, view));
    Object hull;
    hull.fields = {0x1.fd39ecp+14, 0x1.96a208p+20, 0x1.464524p+14,  0x1.8873d8p+19, 0x1.1f6b18p+18, 0x1.461478p+18,
                   0x1.45be5ep+16, 0x1.391f46p+13, -0x1.6ae4eep+15, 0x1.fc1f68p+20, 0x1.068e7ap+11, 0x1.005c7cp+20};
    EXPECT_GT(judge(Kind::hull, {&hull, 1}, {Vertices(7, {0.25f, -0.5f, 1})}, view).culled, 0);
}

/// A far plane that is tilted by 2^-17 of its depth: the volume counts as a frustum with a far plane behind all of it.
/// Balls beyond the plane itself and before that one.
TEST(Company, BallsBehindAPlaneThatIsTiltedALittle) {
    constexpr double tilt = 0x1p-16;
    const View view = prepared({4, 0, 0, 0, 0, 4, 0, 0, tilt, 0, 2, -2, 0, 0, 1, 0});
    for (const Kind kind : {Kind::sphere, Kind::capsule}) {
        std::vector<Object> objects(64);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const auto depth = static_cast<float>(2 - 0.49 * tilt + 0x1p-22 * static_cast<double>(i));
            if (kind == Kind::sphere) {
                objects[i].fields = {0.49f, 0, depth, 0x1p-24f};
            } else {
                objects[i].fields = {0.49f, 0, depth, 0.49f, 0x1p-20f, depth, 0x1p-24f};
            }
        }
        const Counts counts = judge(kind, objects, {}, view);
        EXPECT_GT(counts.culled, 0);
        EXPECT_GT(counts.kept, 0);
    }
}

/// A thin orthographic volume far from the world's origin, along an axis that it is wide along. Its place is known less
/// well than its broad sides, whose normals have no part along that axis.
TEST(Company, BallsAboutAThinVolumeFarAway) {
    const View view = prepared({0x1p-6, 0, 0, 0, 0, 0x1p10, 0, 0, 0, 0, 0x1p10, 0.5, 0, 0, 0, 1}, {3e8 + 7, 0, 0});
    for (const Kind kind : {Kind::sphere, Kind::capsule}) {
        std::vector<Object> objects;
        for (int i = 0; i < 128; ++i) {
            const auto beyond = static_cast<float>(0x1p-10 + 0x1p-34 * std::exp2(0.25 * i));
            Object object;
            if (kind == Kind::sphere) {
                object.fields = {3e8f, beyond, 0, 0x1p-30f};
            } else {
                object.fields = {3e8f, beyond, 0, 3e8f, beyond + 0x1p-20f, 0, 0x1p-30f};
            }
            objects.push_back(object);
        }
        const Counts counts = judge(kind, objects, {}, view);
        EXPECT_GT(counts.culled, 0);
        EXPECT_GT(counts.kept, 0);
    }
}

// Numbers so small or so large that products underflow or overflow, and invalid objects whose bounds were computed.

/// from <= x <= to, |y| <= to, |z| <= to.
lanecull::View slab(double from, double to) {
    const lanecull::Plane planes[] = {{{1, 0, 0}, -from}, {{-1, 0, 0}, to}, {{0, 1, 0}, to},
                                      {{0, -1, 0}, to},   {{0, 0, 1}, to},  {{0, 0, -1}, to}};
    lanecull::View view;
    EXPECT_TRUE(lanecull::prepare_view_from_planes(planes, view));
    return view;
}

/// Halving 2^-149 gives 0, which a column of 2^127 would make 2^-22 too little.
TEST(HullExtremes, DenormalVerticesUnderLargeColumns) {
    constexpr float tiny = 0x1p-149f, large = 0x1p127f;
    const float x[] = {tiny, -tiny, 0, 0, 0, 0}, y[] = {0, 0, tiny, -tiny, 0, 0}, z[] = {0, 0, 0, 0, tiny, -tiny};
    lanecull::Hull hull;
    ASSERT_TRUE(lanecull::prepare_hull(x, y, z, 6, hull));
    const float transform[12] = {large, 0, 0, 0, 0, large, 0, 0, 0, 0, large, 0};
    lanecull::HullInstances instances;
    instances.transforms = {.first = transform, .layout = lanecull::TransformLayout::rows_3x4};
    instances.hulls = &hull;
    instances.hull_count = 1;
    instances.count = 1;
    const Batch batch = instances;
    const lanecull::View view = slab(0x1p-23, 0x1p-20);
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            EXPECT_TRUE(run_cull(batch, view, {.method = method, .isa = isa}).visible(0))
                << lanecull::isa_name(isa) << ' ' << method_name(method);
        }
    }
}

/// A quaternion whose square is no normal float makes a box invalid, wherever its bounds come from.
TEST(InvalidBoxes, AreVisibleWithComputedRadii) {
    const float x = 100, zero = 0;
    const lanecull::View view = slab(-1, 1);
    for (const float w : {1e-19f, 1e-18f, 0.9e-18f, 0.0f, 1e18f, 1.1e18f, 1e19f, 1e30f}) {
        const float quaternion[4] = {0, 0, 0, w}, half[3] = {1, 1, 1};
        lanecull::OrientedBoxes boxes;
        boxes.x = &x, boxes.y = &zero, boxes.z = &zero;
        boxes.quaternions = {quaternion};
        boxes.half_extents = {half};
        boxes.count = 1;
        float radius = 0;
        ASSERT_TRUE(lanecull::bounding_radii(boxes, &radius));
        EXPECT_TRUE(std::isnan(radius)) << w;
        for (const bool bounded : {false, true}) {
            boxes.bounding_radius = bounded ? &radius : nullptr;
            const Batch batch = boxes;
            for (const lanecull::Isa isa : runnable_isas()) {
                for (const lanecull::Method method : all_methods) {
                    const bool is_invalid = w < 0.95e-18f || w > 1.05e18f;
                    const bool visible = run_cull(batch, view, {.method = method, .isa = isa}).visible(0);
                    EXPECT_TRUE(visible || !is_invalid) << w << ' ' << lanecull::isa_name(isa) << ' ' << bounded;
                }
            }
            lanecull::Scene scene;
            lanecull::Handle name;
            ASSERT_TRUE(scene.add({&batch, 1}, {&name, 1}));
            scene.refit();
            std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
            lanecull::Output output;
            ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
            EXPECT_TRUE(output.visible_count == 1 || (w >= 0.95e-18f && w <= 1.05e18f)) << w << ' ' << bounded;
        }
    }
}

/// An endless view along the axes: all but one component of each row is 0, and nothing lies too deep. Balls infinitely
/// far away, or too far for floats, are taken for none all the same.
TEST(InvalidPlaces, InEndlessViewsAlongTheAxes) {
    for (const double forward : {1.8, -1.8}) {
        for (const double origin : {0.0, 180.0}) {
            const double rows[16] = {14, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 18, 0, 0, forward, 0};
            const lanecull::ClipSpace clip_space{.layout = lanecull::MatrixLayout::row_major,
                                                 .origin = {origin, origin, origin}};
            lanecull::View view;
            ASSERT_TRUE(lanecull::prepare_view(rows, clip_space, view).ok());
            for (const float far : {HUGE_VALF, -HUGE_VALF, 1e38f, -1e38f}) {
                for (std::size_t axis = 0; axis < 4; ++axis) {
                    if (axis == 3 && far != HUGE_VALF) continue;  // a negative radius, or one that may be
                    std::vector<float> numbers[4];
                    for (std::size_t k = 0; k < 4; ++k) {
                        const auto place = static_cast<float>(k == 2 ? origin + 30 / forward : origin);
                        numbers[k].assign(129, k == axis ? far : k == 3 ? 1.0f : place);
                    }
                    const lanecull::Spheres spheres{numbers[0].data(), numbers[1].data(), numbers[2].data(),
                                                    numbers[3].data(), 129};
                    for (const lanecull::Isa isa : runnable_isas()) {
                        const ViewResult result = run_cull(spheres, view, {.isa = isa});
                        EXPECT_EQ(result.visible_count, 129u) << far << " as number " << axis;
                        EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 129u)
                            << far << " as number " << axis;
                    }
                }
            }
        }
    }
}

// Labelled cases, on every instruction set: `visible` must be kept, `culled` must go, `either` may do both.

bool is_visible(const Query& query, const lanecull::Batch& batch, const lanecull::View& view,
                const lanecull::CullOptions& options) {
    if (query.boxes.empty()) return run_cull(batch, view, options).visible(0);
    const std::vector<lanecull::Occluder> occluders = query.occluders();
    std::uint64_t word = 0;
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output{.visible = {&word, 1}, .occluders = occluders};
    const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return word == 1;
}

void expect_labels(const std::vector<Query>& queries) {
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::gjk_alone}) {
            SCOPED_TRACE(std::string(lanecull::isa_name(isa)) + " " + method_name(method));
            for (const Query& query : queries) {
                lanecull::View view;
                const lanecull::Status status = query.prepare(view);
                ASSERT_TRUE(status.ok()) << query.id << ": " << status.message();
                HeapMemory memory;
                const bool visible = is_visible(query, query.batch(memory), view, {.method = method, .isa = isa});
                if (query.expect == Query::Expect::visible) {
                    EXPECT_TRUE(visible) << "culled wrongly: " << query.id << " " << query.category;
                } else if (query.expect == Query::Expect::culled) {
                    EXPECT_FALSE(visible) << "kept for nothing: " << query.id << " " << query.category;
                }
            }
        }
    }
}

TEST(Queries, AreAnsweredAsLabelled) {
    const std::vector<Query> queries = read_queries();
    ASSERT_GT(queries.size(), 2000u);
    expect_labels(queries);
}

/// What others' users reported of their own libraries: cameras, planes, eyes, casters, occluders, gaps between them.
TEST(Queries, OfTheFieldAreAnsweredAsLabelled) {
    const std::vector<Query> queries = read_queries("field.jsonl");
    ASSERT_EQ(queries.size(), 25u);
    expect_labels(queries);
}

}  // namespace
