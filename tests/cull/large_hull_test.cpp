#include <gtest/gtest.h>

#include <cmath>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// Hulls with the smallest and the largest number of vertices, and flat hulls, mirrored, sheared and scaled at random.
/// Every vertex counts, also the last.

namespace {

using lanecull::Isa;
using lanecull::Method;

constexpr std::size_t most_vertices = 65'535;

/// Points on a sphere, but for the last, which stands out.
Vertices round_with_a_spike(Random& random, std::size_t count, bool flat) {
    Vertices vertices(count);
    for (auto& vertex : vertices) {
        const double height = flat ? 0 : random.range(-1, 1), turn = random.range(0, 6.283185307179586);
        const double across = std::sqrt(1 - height * height);
        vertex = {static_cast<float>(across * std::cos(turn)), static_cast<float>(across * std::sin(turn)),
                  static_cast<float>(height)};
    }
    vertices.back() = {0.5f, flat ? 4.0f : 1.0f, flat ? 0.0f : 3.0f};
    return vertices;
}

TEST(LargeHulls, AreDecidedByEveryVertex) {
    Random random(65'535);
    const HullSet hulls = {round_with_a_spike(random, most_vertices, false),
                           round_with_a_spike(random, most_vertices, true), Vertices{{0.25f, -0.5f, 1.0f}}};
    int visible = 0, apart = 0, kept = 0, by_the_spike = 0;
    for (int round = 0; round < scaled(12); ++round) {
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[round % 9]);
        const oracle::Volume volume = prepared.camera.volume();
        const auto objects = random_objects(random, Kind::hull, prepared.camera, 30, hulls);
        HullSet blunt = hulls;
        for (Vertices& vertices : blunt) vertices.back() = vertices.front();
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(Kind::hull, objects, hulls, memory, {.bounds = round % 2 == 0});
        std::vector<oracle::Verdict> verdicts;
        for (const Object& object : objects) {
            const oracle::Solid solid = solid_of(Kind::hull, object, hulls);
            const oracle::Real slack = 0x1p-14L * (volume.extent_from_eye(solid));
            oracle::Verdict verdict = volume.decide(solid).verdict;
            if (verdict == oracle::Verdict::apart && volume.decide(solid, slack).verdict != oracle::Verdict::apart) {
                verdict = oracle::Verdict::unclear;
            }
            verdicts.push_back(verdict);
            visible += verdict == oracle::Verdict::visible;
            apart += verdict == oracle::Verdict::apart;
            by_the_spike += verdict == oracle::Verdict::visible &&
                            volume.decide(solid_of(Kind::hull, object, blunt)).verdict == oracle::Verdict::apart;
        }
        for (const Isa isa : runnable_isas()) {
            for (const Method method : {Method::automatic, lanecull::gjk_alone}) {
                const ViewResult result = run_cull(batch, prepared.view, {.method = method, .isa = isa});
                for (std::size_t i = 0; i < objects.size(); ++i) {
                    ASSERT_TRUE(verdicts[i] != oracle::Verdict::visible || result.visible(i))
                        << lanecull::isa_name(isa) << " " << method_name(method) << "\n"
                        << prepared.camera.describe();
                    kept += verdicts[i] == oracle::Verdict::apart && result.visible(i);
                }
            }
        }
    }
    EXPECT_GT(visible, scaled(20));
    EXPECT_GT(apart, scaled(20));
    if (test_scale() >= 1) {
        EXPECT_GT(by_the_spike, 1);
    }
    EXPECT_LE(kept, apart / 100) << "of " << apart << " well apart, by " << runnable_isas().size()
                                 << " sets, 2 methods";
}

}  // namespace
