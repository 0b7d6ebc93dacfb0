#include <gtest/gtest.h>

#include <optional>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// Objects that overlap the volume by as little as floats allow. There rounding errors matter most, and a bound that is
/// a little too small would cull what is visible. Each object is moved into the volume, by bisection against the
/// oracle, until it just touches.

namespace {

using oracle::Verdict;

constexpr int bisections = 40;  // more than a float has bits: ends at neighbouring positions

Double3 scaled_difference(const Double3& to, const Double3& from, double by) {
    return {by * (to[0] - from[0]), by * (to[1] - from[1]), by * (to[2] - from[2])};
}

Double3 middle(const oracle::Solid& solid) {
    oracle::Vec sum;
    for (const oracle::Vec point : solid.points) sum = sum + point;
    const oracle::Vec mean = (1 / static_cast<oracle::Real>(solid.points.size())) * sum;
    return {static_cast<double>(mean.x), static_cast<double>(mean.y), static_cast<double>(mean.z)};
}

/// The object where it is certainly visible, though a step or so of a float's from not being so. None when it is
/// visible to begin with, or not even where it is pushed to.
std::optional<Object> graze(Kind kind, const Object& object, const HullSet& hulls, const oracle::Volume& volume,
                            double view_margin, const Double3& inside) {
    const auto visible = [&](const Object& candidate) {
        return volume.decide(solid_of(kind, candidate, hulls), view_margin).verdict == Verdict::visible;
    };
    const Double3 start = middle(solid_of(kind, object, hulls));
    const auto pushed = [&](double share) { return moved(kind, object, scaled_difference(inside, start, share)); };
    double low = 0, high = 1;
    if (visible(pushed(low)) || !visible(pushed(high))) return std::nullopt;
    for (int i = 0; i < bisections; ++i) {
        const double share = (low + high) / 2;
        (visible(pushed(share)) ? high : low) = share;
    }
    return pushed(high);
}

/// Somewhere well inside.
Double3 inner_point(Random& random, const Camera& camera) {
    const double far = std::min(camera.depth[1], 1000 * std::fabs(camera.depth[0]) + 1);
    const double depth = camera.projection == Projection::orthographic
                             ? random.range(camera.depth[0], camera.depth[1])
                             : camera.depth[0] + random.range(0.2, 0.8) * (far - camera.depth[0]);
    const auto within = [&](const double(&range)[2]) {
        return range[0] + random.range(0.2, 0.8) * (range[1] - range[0]);
    };
    return camera.point(within(camera.x), within(camera.y), depth);
}

std::vector<Object> grazing_objects(Random& random, Kind kind, const Camera& camera, const HullSet& hulls,
                                    const Streams& streams, double view_margin) {
    const oracle::Volume volume = camera.volume();
    std::vector<Object> objects;
    for (Object object : random_objects(random, kind, camera, 96, hulls)) {
        if (streams.margin || streams.sweep) grow(random, kind, hulls, streams, object);
        const auto grazing = graze(kind, object, hulls, volume, view_margin, inner_point(random, camera));
        if (grazing) objects.push_back(*grazing);
    }
    return objects;
}

class GrazingObjects : public testing::TestWithParam<Kind> {
protected:
    /// With these streams, and a margin of the view now and then.
    static void expect_visible(std::uint64_t first_seed, int cameras, const Streams& streams, bool view_margins);
};

void GrazingObjects::expect_visible(std::uint64_t first_seed, int cameras, const Streams& streams, bool view_margins) {
    const Kind kind = GetParam();
    std::uint64_t objects_seen = 0, too_close = 0;
    for (const Projection projection : all_projections) {
        for (int c = 0; c < scaled(cameras); ++c) {
            const std::uint64_t seed =
                first_seed + 1000 * (10 * static_cast<std::uint64_t>(projection) + static_cast<std::uint64_t>(kind)) +
                static_cast<std::uint64_t>(c);
            Random random(seed);
            PreparedCamera prepared = random_prepared_camera(random, projection);
            const HullSet hulls = random_hulls(random, 5);
            const double view_margin = view_margins && c % 3 == 0 ? random.log_range(1e-3, 10) : 0;
            ASSERT_TRUE(prepared.camera.prepare(prepared.view, {.margin = view_margin}));
            const std::vector<Object> objects =
                grazing_objects(random, kind, prepared.camera, hulls, streams, view_margin);
            HeapMemory memory;
            const lanecull::Batch batch =
                make_batch(kind, objects, hulls, memory, {.bounds = c % 2 == 0, .streams = streams});
            for (const lanecull::Isa isa : runnable_isas()) {
                for (const lanecull::Method method : all_methods) {
                    const ViewResult result = run_cull(batch, prepared.view, {.method = method, .isa = isa});
                    for (std::size_t i = 0; i < objects.size(); ++i) {
                        ASSERT_TRUE(result.visible(i))
                            << "culled by " << method_name(method) << " on " << lanecull::isa_name(isa) << ", seed "
                            << seed << ", object " << i << "\n"
                            << prepared.camera.describe() << "\n"
                            << describe(kind, objects[i], hulls);
                    }
                    if (method != lanecull::gjk_alone) continue;
                    objects_seen += objects.size();
                    too_close += result.counts[lanecull::Reason::visible_touching] +
                                 result.counts[lanecull::Reason::visible_cap];
                }
            }
        }
    }
    EXPECT_GT(objects_seen, static_cast<std::uint64_t>(scaled(160 * cameras)));
    EXPECT_GT(too_close, objects_seen / 400) << "objects that graze are now and then too close to call";
}

TEST_P(GrazingObjects, AreVisible) { expect_visible(100'000, 60, {}, false); }

TEST_P(GrazingObjects, GrownAreVisible) {
    expect_visible(200'000, 8, {.margin = true}, false);
    expect_visible(300'000, 8, {.sweep = true}, false);
    expect_visible(400'000, 8, {.margin = true, .sweep = true}, true);
    expect_visible(500'000, 6, {}, true);
}

INSTANTIATE_TEST_SUITE_P(All, GrazingObjects, testing::ValuesIn(all_kinds),
                         [](const auto& parameter) { return std::string(kind_name(parameter.param)); });

}  // namespace
