#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// Balls as views: no object that reaches into the ball, and to the inner side of a clip plane, is culled. What is
/// farther away than the radius by more than 2^-14 of the coordinates involved is culled, except hulls, whose boxes may
/// reach farther than they do, and sheared boxes. In rationals, on every instruction set, by every method.

namespace {

using lanecull::Isa;
using lanecull::Method;
using lanecull::Plane;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

constexpr double well_apart = 0x1p-14;

/// Whose distance from the ball is found exactly.
bool is_measured(Kind kind) {
    return kind == Kind::sphere || kind == Kind::box || kind == Kind::centered_box || kind == Kind::capsule ||
           kind == Kind::quaternion_box;
}

struct Ball {
    Double3 center{};
    double radius = 0, margin = 0;

    explicit Ball(Random& random)
        : center((random.chance(0.2) ? 0 : random.log_range(1, 1e5)) * random_direction(random)),
          radius(random.log_range(1e-2, 1e3)),
          margin(random.chance(0.3) ? radius * random.log_range(1e-3, 1) : 0) {}

    /// Whether the solid has a point no farther from the ball, with its margin, than `distance`.
    [[nodiscard]] bool is_near(const exact::Solid& solid, double distance) const {
        const exact::Point at = exact::point(center[0], center[1], center[2]);
        return decide(solid, exact::Volume::hull({&at, 1}),
                      exact::rational(radius) + exact::rational(margin) + exact::rational(distance))
                   .verdict == exact::Verdict::visible;
    }
    [[nodiscard]] std::string text() const {
        char text[200];
        std::snprintf(text, sizeof text, "ball %a %a %a radius %a margin %a", center[0], center[1], center[2], radius,
                      margin);
        return text;
    }
};

struct Counts {
    std::uint64_t visible = 0, apart = 0, well_apart = 0, kept = 0, wrong = 0;
};

void cull_around(Random& random, const Ball& ball, Kind kind, std::uint64_t seed, Counts& counts) {
    View view;
    const Status status = lanecull::prepare_view_from_ball(ball.center, ball.radius, view, {.margin = ball.margin});
    ASSERT_TRUE(status) << status.message();
    EXPECT_FALSE(view.exact());
    const HullSet hulls = random_hulls(random, 3);
    std::vector<Object> objects;
    std::vector<char> visible, far;
    for (int i = 0; i < 24; ++i) {
        const double size = ball.radius * random.log_range(1e-3, 3), reach = ball.radius + ball.margin + size;
        objects.push_back(object_at(random, kind, ball.center + random.range(0, 1.5) * reach * random_direction(random),
                                    size, hulls));
        const exact::Solid solid = exact_solid_of(kind, objects.back(), hulls);
        visible.push_back(ball.is_near(solid, 0) ? 1 : 0);
        const double around = well_apart * (length(ball.center) + 4 * reach);
        far.push_back(ball.is_near(solid, around) ? 0 : 1);
        counts.visible += visible.back() != 0;
        counts.apart += visible.back() == 0;
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.bounds = random.chance(0.5)});
    for (const Isa isa : runnable_isas()) {
        for (const Method method : all_methods) {
            const ViewResult result = run_cull(batch, view, {.method = method, .isa = isa});
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if (visible[i] != 0 && !result.visible(i) && ++counts.wrong <= 3) {
                    ADD_FAILURE() << "culled by " << method_name(method) << " on " << lanecull::isa_name(isa)
                                  << ", seed " << seed << "\n"
                                  << ball.text() << "\n"
                                  << describe(kind, objects[i], hulls);
                }
                counts.well_apart += far[i] != 0;
                counts.kept += far[i] != 0 && result.visible(i);
            }
        }
    }
}

class Balls : public testing::TestWithParam<Kind> {};

TEST_P(Balls, KeepWhatTheyReachAndLittleElse) {
    const Kind kind = GetParam();
    Counts counts;
    for (int v = 0; v < scaled(120); ++v) {
        const std::uint64_t seed = 8'100'000 + static_cast<std::uint64_t>(v);
        Random random(seed);
        const Ball ball(random);
        cull_around(random, ball, kind, seed, counts);
    }
    const double all = static_cast<double>(counts.visible + counts.apart);
    EXPECT_GT(static_cast<double>(counts.visible), 0.1 * all);
    EXPECT_GT(static_cast<double>(counts.apart), 0.1 * all);
    EXPECT_EQ(counts.wrong, 0u);
    if (is_measured(kind)) {
        EXPECT_EQ(counts.kept, 0u);
    }
    EXPECT_LE(static_cast<double>(counts.kept), 0.03 * static_cast<double>(counts.well_apart));
    std::printf("[ figures  ] %-14s visible %llu apart %llu, well apart %llu, kept %llu\n", kind_name(kind),
                static_cast<unsigned long long>(counts.visible), static_cast<unsigned long long>(counts.apart),
                static_cast<unsigned long long>(counts.well_apart), static_cast<unsigned long long>(counts.kept));
}

INSTANTIATE_TEST_SUITE_P(All, Balls, testing::ValuesIn(all_kinds),
                         [](const auto& kind) { return std::string(kind_name(kind.param)); });

/// A ball of radius 2 around (1, 0, 0), and balls of radius 1 along x.
TEST(Ball, AnswersAsAnyoneWould) {
    const float x[] = {1, 3.9f, 4.1f, -1.9f, -2.1f, 2.5f}, zero[6] = {}, one[] = {1, 1, 1, 1, 1, 1};
    const lanecull::Batch batch = lanecull::Spheres{x, zero, zero, one, 6};
    constexpr double center[] = {1, 0, 0};
    const auto seen = [&](const ViewOptions& options) {
        View view;
        const Status status = lanecull::prepare_view_from_ball(center, 2, view, options);
        EXPECT_TRUE(status) << status.message();
        const ViewResult result = run_cull(batch, view);
        expect_complete(result.counts, 6);
        return result.words[0];
    };
    EXPECT_EQ(seen({}), 0b101011u);
    EXPECT_EQ(seen({.margin = 0.2}), 0b111111u);
    const Plane clip = {{1, 0, 0}, -2.95};  // x >= 2.95
    EXPECT_EQ(seen({.clip_planes = {&clip, 1}}), 0b100010u);
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_ball(center, 2, view));
    const ViewResult result = run_cull(batch, view);
    EXPECT_EQ(result.counts[lanecull::Reason::culled_distance] + result.counts[lanecull::Reason::culled_plane], 2u);
}

TEST(Ball, RefusesWhatIsNone) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const auto message = [](std::array<double, 3> center, double radius, const ViewOptions& options) {
        View view;
        const Status status = lanecull::prepare_view_from_ball(center, radius, view, options);
        EXPECT_EQ(view.prepared(), status.ok());
        return std::string(status.message());
    };
    EXPECT_EQ(message({0, 0, 0}, 1, {}), "");
    EXPECT_EQ(message({1e30, -1e30, 0}, 1e-30, {}), "");
    EXPECT_EQ(message({0, nan, 0}, 1, {}), "center: number 1 is not a finite one up to 1e30");
    EXPECT_EQ(message({0, 0, -2e30}, 1, {}), "center: number 2 is not a finite one up to 1e30");
    EXPECT_EQ(message({infinity, 0, 0}, 1, {}), "center: number 0 is not a finite one up to 1e30");
    for (const double radius : {0.0, -1.0, nan, infinity, 2e30}) {
        EXPECT_NE(message({0, 0, 0}, radius, {}).find("radius: "), std::string::npos) << radius;
    }
    const lanecull::Sun sun{{0, 0, 1}};
    const lanecull::Lamp lamp;
    EXPECT_EQ(message({0, 0, 0}, 1, {.sun = &sun}), "options: a ball has no light");
    EXPECT_EQ(message({0, 0, 0}, 1, {.lamp = &lamp}), "options: a ball has no light");
    const Plane none = {{0, 0, 0}, 1};
    EXPECT_NE(message({0, 0, 0}, 1, {.clip_planes = {&none, 1}}).find("options.clip_planes[0]: "), std::string::npos);
    EXPECT_NE(message({0, 0, 0}, 1, {.margin = -1}).find("options.margin: "), std::string::npos);
}

}  // namespace
