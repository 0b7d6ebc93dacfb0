#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/view.h>

#include "properties/views/calls.hpp"
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

/// The setting that was judged wrongly, its matrix by columns, and one hull that is the image of one vertex.
void judge_point(const std::array<double, 16>& columns, const std::array<double, 3>& origin,
                 const std::array<float, 12>& transform) {
    View view;
    ASSERT_TRUE(lanecull::prepare_view(columns, {.origin = {origin[0], origin[1], origin[2]}}, view));
    Object hull;
    std::ranges::copy(transform, hull.fields.begin());
    EXPECT_GT(judge(Kind::hull, {&hull, 1}, {Vertices(7, {0.25f, -0.5f, 1})}, view).culled, 0);
}

/// A hull's magnitude may be many times that of the ball around it: here the hull is one point, the image of a vertex
/// by a large matrix.
TEST(Company, HullsThatAreSmallForTheirMatrix) {
    judge_point({0x1.f74cd2p+1, 0, 0, 0, 0, 0x1.234b6ep+1, 0, 0, 0, 0, 0x1.38556ep-14, -1.0f, 0, 0, 0x1.1f62fp-4, 0},
                {-0x1.651abf0e22f8p+3, 0x1.be5ca0bd4f47ap+3, 0x1.e27e445eed188p+1},
                {0x1.6b2556p+2, -0.0f, -0x1.0faaecp+3, -0x1.0484a2p+2, -0x1.5e33cp+3, 0.0f, -0x1.8b65e4p+0,
                 0x1.232cep+4, 0x1.caa0fcp+2, 0.0f, 0x1.c74af6p+1, -0x1.a63026p+0});
}

/// A hull that is one point, the image of a vertex by a matrix of 2^20, which is larger than its place: rounded so, the
/// point may lie on the other side of a plane than the ball that stage 1 sees. It counted as a point in the volume.
TEST(Company, HullsWhosePlacedVertexIsInDoubt) {
    judge_point(
        {0x1.e8275aaab493cp-1, -0x1.3faf50825d058p-4, 0x1.83dbceb3d4946p-2, 0x1.83c09d1a28ed6p-2, 0x1.9af4e43005e3fp+0,
         0x1.908166d6a6c91p+0, 0x1.ca2fb700521d6p-1, 0x1.ca0f9719f52d4p-1, -0x1.134f7adbb3e9p-5, 0x1.78687ddbb3764p-4,
         -0x1.e5b45dc84a62cp-3, -0x1.e5924ff6d31bfp-3, 0, 0, -0x1.bcde600fc79e2p-7, 0},
        {},
        {0x1.fd39ecp+14, 0x1.96a208p+20, 0x1.464524p+14, 0x1.8873d8p+19, 0x1.1f6b18p+18, 0x1.461478p+18, 0x1.45be5ep+16,
         0x1.391f46p+13, -0x1.6ae4eep+15, 0x1.fc1f68p+20, 0x1.068e7ap+11, 0x1.005c7cp+20});
}

/// Balls and short capsules at places that change from one to the next: some are culled, some kept.
void judge_row(const View& view, int count, const std::array<double, 3>& along, double radius,
               const std::function<std::array<double, 3>(int)>& place) {
    for (const Kind kind : {Kind::sphere, Kind::capsule}) {
        std::vector<Object> objects(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
            const std::array<double, 3> at = place(i);
            auto& fields = objects[static_cast<std::size_t>(i)].fields;
            for (std::size_t k = 0; k < 3; ++k) {
                fields[k] = static_cast<float>(at[k]), fields[3 + k] = static_cast<float>(at[k] + along[k]);
            }
            fields[kind == Kind::sphere ? 3 : 6] = static_cast<float>(radius);
        }
        const Counts counts = judge(kind, objects, {}, view);
        EXPECT_GT(counts.culled, 0);
        EXPECT_GT(counts.kept, 0);
    }
}

/// A far plane that is tilted by 2^-17 of its depth: the volume counts as a frustum with a far plane behind all of it.
/// Balls beyond the plane itself and before that one.
TEST(Company, BallsBehindAPlaneThatIsTiltedALittle) {
    constexpr double tilt = 0x1p-16;
    judge_row(prepared({4, 0, 0, 0, 0, 4, 0, 0, tilt, 0, 2, -2, 0, 0, 1, 0}), 64, {0, 0x1p-20, 0}, 0x1p-24, [](int i) {
        return std::array<double, 3>{0.49f, 0, 2 - 0.49 * tilt + 0x1p-22 * i};
    });
}

/// A thin orthographic volume far from the world's origin, along an axis that it is wide along. Its place is known less
/// well than its broad sides, whose normals have no part along that axis.
TEST(Company, BallsAboutAThinVolumeFarAway) {
    judge_row(prepared({0x1p-6, 0, 0, 0, 0, 0x1p10, 0, 0, 0, 0, 0x1p10, 0.5, 0, 0, 0, 1}, {3e8 + 7, 0, 0}), 128,
              {0, 0x1p-20, 0}, 0x1p-30, [](int i) {
                  return std::array<double, 3>{3e8, 0x1p-10 + 0x1p-34 * std::exp2(0.25 * i), 0};
              });
}

/// Halving 2^-149 gives 0, which a column of 2^127 would make 2^-22 too little.
TEST(HullExtremes, DenormalVerticesUnderLargeColumns) {
    constexpr float tiny = 0x1p-149f, large = 0x1p127f;
    constexpr double to = 0x1p-20;
    constexpr Plane slab[] = {{{1, 0, 0}, -0x1p-23}, {{-1, 0, 0}, to}, {{0, 1, 0}, to},
                              {{0, -1, 0}, to},      {{0, 0, 1}, to},  {{0, 0, -1}, to}};
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_planes(slab, view));
    Object hull;
    hull.fields = {large, 0, 0, 0, 0, large, 0, 0, 0, 0, large, 0};
    const Vertices vertices = {{tiny, 0, 0}, {-tiny, 0, 0}, {0, tiny, 0}, {0, -tiny, 0}, {0, 0, tiny}, {0, 0, -tiny}};
    EXPECT_EQ(judge(Kind::hull, {&hull, 1}, {vertices}, view).culled, 0);
}

/// An endless view along the axes: all but one component of each row is 0, and nothing lies too deep. Balls infinitely
/// far away, or too far for floats, are taken for none all the same.
TEST(InvalidPlaces, InEndlessViewsAlongTheAxes) {
    for (const double forward : {1.8, -1.8}) {
        for (const double origin : {0.0, 180.0}) {
            const View view =
                prepared({14, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 18, 0, 0, forward, 0}, {origin, origin, origin});
            for (const float far : {HUGE_VALF, -HUGE_VALF, 1e38f, -1e38f}) {
                for (std::size_t axis = 0; axis < (far == HUGE_VALF ? 4 : 3); ++axis) {
                    SCOPED_TRACE(testing::Message() << far << " as number " << axis);
                    const auto place = static_cast<float>(origin);
                    std::array<float, 4> ball = {place, place, static_cast<float>(origin + 30 / forward), 1};
                    ball[axis] = far;
                    std::vector<float> numbers[4];
                    for (std::size_t k = 0; k < 4; ++k) numbers[k].assign(129, ball[k]);
                    const lanecull::Spheres spheres{numbers[0].data(), numbers[1].data(), numbers[2].data(),
                                                    numbers[3].data(), 129};
                    for (const lanecull::Isa isa : runnable_isas()) {
                        const ViewResult result = run_cull(spheres, view, {.isa = isa});
                        EXPECT_EQ(result.visible_count, 129u);
                        EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 129u);
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
