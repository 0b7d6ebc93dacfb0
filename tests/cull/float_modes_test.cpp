#include <gtest/gtest.h>

#if defined(__SSE2__)

#include <xmmintrin.h>

#include <cstring>
#include <span>

#include <lanecull/flat/batch.hpp>
#include <lanecull/flat/view.hpp>

#include "support/culling.hpp"
#include "support/generate.hpp"

/// The caller's floating-point modes change no result, and no call changes these modes.

namespace {

constexpr unsigned default_modes = 0x1f80;
constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
constexpr unsigned round_down = 0x2000, round_up = 0x4000, round_to_zero = 0x6000;
constexpr unsigned trap_mask = 0x1f80;  // cleared: operations trap

/// Runs `call` under the modes and expects to find them afterwards.
template <class Call>
void with_modes(unsigned modes, const Call& call) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(modes);
    call();
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    constexpr unsigned exception_flags = 0x3f;
    EXPECT_EQ(after & ~exception_flags, modes & ~exception_flags);
}

class FloatModes : public testing::TestWithParam<unsigned> {};

TEST_P(FloatModes, ChangeNoViewAndNoVerdict) {
    const unsigned modes = GetParam();
    Random random(8);
    for (const Projection projection : all_projections) {
        const PreparedCamera prepared = random_prepared_camera(random, projection);
        lanecull::View view;
        lanecull::Status status;
        with_modes(modes, [&] { status = prepared.camera.prepare(view); });
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_EQ(std::memcmp(&view.contents(), &prepared.view.contents(), sizeof(lanecull::PreparedView)), 0)
            << prepared.camera.describe();

        const HullSet hulls = random_hulls(random, 3);
        for (const Kind kind : all_kinds) {
            std::vector<Object> objects = random_objects(random, kind, prepared.camera, 600, hulls);
            for (std::size_t i = 0; i < objects.size(); i += 7) {
                for (float& field : objects[i].fields) field *= 0x1p-140f;  // subnormal numbers
            }
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects, hulls, memory);
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            for (const lanecull::Isa isa : runnable_isas()) {
                const ViewResult expected = run_cull(batch, prepared.view, {.isa = isa});
                std::vector<std::uint64_t> words(expected.words.size());
                lanecull::ViewOutput output = make_output(words);
                with_modes(modes, [&] {
                    status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
                });
                ASSERT_TRUE(status.ok()) << status.message();
                EXPECT_EQ(words, expected.words);
                EXPECT_EQ(output.statistics, expected.statistics);
            }
        }
    }
}

TEST_P(FloatModes, ChangeNoBounds) {
    Random random(9);
    const HullSet hulls = random_hulls(random, 3);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    for (const Kind kind : {Kind::oriented_box, Kind::hull}) {
        const auto objects = random_objects(random, kind, prepared.camera, 600, hulls);
        HeapMemory usual_memory, memory;
        const lanecull::Batch usual = make_batch(kind, objects, hulls, usual_memory);
        const auto streams = [&](const lanecull::Batch& batch) {
            std::vector<const float*> all;
            if (kind == Kind::oriented_box) {
                all = {std::get<lanecull::OrientedBoxes>(batch.shapes).bounding_radius};
            } else {
                const auto& instances = std::get<lanecull::HullInstances>(batch.shapes);
                all = {instances.bounding_x, instances.bounding_y, instances.bounding_z, instances.bounding_radius};
            }
            return all;
        };
        with_modes(GetParam(), [&] {
            const lanecull::Batch odd = make_batch(kind, objects, hulls, memory);
            for (std::size_t k = 0; k < streams(odd).size(); ++k) {
                EXPECT_EQ(std::memcmp(streams(odd)[k], streams(usual)[k], objects.size() * sizeof(float)), 0);
            }
        });
    }
}

/// Numbers of denormal size, which foreign modes flush as they are converted.
TEST_P(FloatModes, ChangeNoViewOfFloatsAndNoneInThePlane) {
    Random random(10);
    for (int i = 0; i < 200; ++i) {
        float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1f, 0};
        for (float& number : matrix) {
            if (random.chance(0.3)) number += static_cast<float>(random.range(-1, 1)) * 0x1p-130f;
        }
        const auto near_one = [&] { return static_cast<float>(random.range(0.5, 1.5)); };
        const lanecull::flat::TurnedRectangle rectangle{near_one(), near_one(), near_one(),
                                                        near_one(), near_one(), near_one()};
        const double points[] = {0, 0, near_one(), 0, 0, near_one()};
        const float x[] = {0, near_one(), 0x1p-140f}, y[] = {0x1p-140f, near_one(), -near_one()};
        struct All {
            lanecull::View view;
            lanecull::flat::View upright, turned, triangle;
            lanecull::flat::Polygon polygon;
        };
        const auto prepare = [&](All& all) {
            lanecull::Status status = lanecull::prepare_view(std::span<const float, 16>(matrix), {}, all.view);
            if (status) status = lanecull::flat::prepare_view(lanecull::flat::Rectangle{0, 0, x[1], y[1]}, all.upright);
            if (status) status = lanecull::flat::prepare_view(rectangle, all.turned);
            if (status) status = lanecull::flat::prepare_view_from_points(points, all.triangle);
            if (status) status = lanecull::flat::prepare_polygon(x, y, 3, all.polygon);
            return status;
        };
        All usual, foreign;
        lanecull::Status status = prepare(usual);
        ASSERT_TRUE(status.ok()) << status.message();
        with_modes(GetParam(), [&] { status = prepare(foreign); });
        ASSERT_TRUE(status.ok()) << status.message();
        const auto same = [](const auto& a, const auto& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
        EXPECT_TRUE(same(usual.view.contents(), foreign.view.contents()));
        EXPECT_TRUE(same(usual.upright.contents(), foreign.upright.contents()));
        EXPECT_TRUE(same(usual.turned.contents(), foreign.turned.contents()));
        EXPECT_TRUE(same(usual.triangle.contents(), foreign.triangle.contents()));
        EXPECT_TRUE(same(usual.polygon, foreign.polygon));
    }
}

INSTANTIATE_TEST_SUITE_P(All, FloatModes,
                         testing::Values(default_modes | flush_to_zero | denormals_are_zero, default_modes | round_down,
                                         default_modes | round_up, default_modes | round_to_zero | flush_to_zero,
                                         default_modes & ~trap_mask));

}  // namespace

#endif
