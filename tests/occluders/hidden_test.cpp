#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include <lanecull/cull.h>

#include "occluders/solids.hpp"
#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"
#include "view/prepared_occluder.hpp"

/// The promises for occluders, against exact arithmetic: what is culled as hidden is hidden, all of it, by the solid
/// that the certificate names; and what is hidden with 2^-14 of the coordinates to spare is culled.

namespace {

using lanecull::Isa;
using lanecull::Method;
using lanecull::Reason;

struct Scene {
    TestViewpoint from;
    std::vector<TestSolid> solids;
    std::vector<lanecull::Occluder> occluders;
    std::vector<exact::HalfSpaces> hidden;       ///< by the solid that the caller means
    std::vector<exact::HalfSpaces> well_hidden;  ///< by what is left of it in floats
    HullSet hulls;
};

/// Solids that can hide, of any form or of one; perhaps none.
Scene make_scene(Random& random, const Camera& camera, bool cell, std::optional<SolidForm> form = {}) {
    Scene scene;
    const auto from = cell ? cell_about(random, camera, 3 * std::fabs(camera.depth[0])) : viewpoint_of(camera);
    if (!from) return scene;
    scene.from = *from;
    for (TestSolid& solid : random_solids(random, camera, from->eye, 6, form)) {
        lanecull::Occluder occluder;
        if (solid.prepare(from->viewpoint, occluder) != lanecull::OccluderRefusal::none) continue;
        const auto hidden = hidden_by(solid.facets, from->sight);
        EXPECT_TRUE(hidden.has_value()) << "an eye is inside " << solid.text;
        if (!hidden) continue;
        scene.hidden.push_back(*hidden);
        scene.well_hidden.push_back(solid.left ? hidden_by(*solid.left, from->sight).value() : *hidden);
        scene.occluders.push_back(occluder);
        scene.solids.push_back(std::move(solid));
    }
    scene.hulls = random_hulls(random, 4);
    return scene;
}

/// A point about a solid, seen from the eye, and moved away from it.
Object object_behind(Random& random, Kind kind, const Scene& scene) {
    const lanecull::SolidBox& box = scene.solids[random.bits() % scene.solids.size()].drawn;
    Double3 at;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto low = static_cast<double>(box.min[k]), high = static_cast<double>(box.max[k]);
        at[k] = random.range(low - 0.1 * (high - low), high + 0.1 * (high - low));
    }
    const Double3 way = at - scene.from.eye;
    at = at + random.log_range(1e-3, 3) * way;
    return object_at(random, kind, at, length(way) * random.log_range(1e-5, 0.05), scene.hulls);
}

struct Counts {
    std::uint64_t objects = 0, hidden = 0, visible = 0, well_hidden = 0, kept = 0;
};

/// What the exact oracle says of one object.
struct Truth {
    std::uint64_t hidden_by = 0;  ///< bits of solids
    bool well_hidden = false;
};

Truth truth_of(const Scene& scene, const exact::Solid& solid) {
    Truth truth;
    const exact::Rational spare =
        exact::rational(0x1p-14 * largest_coordinate(solid, contents_of(scene.from.viewpoint).origin));
    for (std::size_t k = 0; k < scene.hidden.size(); ++k) {
        const bool hides = contain(scene.hidden[k], solid);
        truth.hidden_by |= std::uint64_t{hides} << k;
        truth.well_hidden = truth.well_hidden || (hides && contain(scene.well_hidden[k], solid, spare));
        if (solid.radius != 0) continue;
        // The two oracles know nothing of each other.
        EXPECT_EQ(hides, std::all_of(solid.points.begin(), solid.points.end(), [&](const exact::Point& p) {
                      return is_hidden(p, scene.from.sight, scene.solids[k].facets);
                  }));
    }
    return truth;
}

void check_scene(const Scene& scene, Kind kind, const lanecull::View& view, Random& random, std::size_t count,
                 std::uint64_t seed, Counts& counts) {
    std::vector<Object> objects;
    std::vector<Truth> truths;
    while (objects.size() < count) {
        objects.push_back(object_behind(random, kind, scene));
        if (random.chance(0.2)) grow(random, kind, scene.hulls, {.margin = true, .sweep = true}, objects.back());
        truths.push_back(truth_of(scene, exact_solid_of(kind, objects.back(), scene.hulls)));
        ++counts.objects;
        counts.hidden += truths.back().hidden_by != 0;
        counts.visible += truths.back().hidden_by == 0;
        counts.well_hidden += truths.back().well_hidden;
    }
    HeapMemory memory;
    const lanecull::Batch batch =
        make_batch(kind, objects, scene.hulls, memory, {.streams = {.margin = true, .sweep = true}});
    for (const Isa isa : runnable_isas()) {
        for (const Method method : all_methods) {
            std::vector<std::uint64_t> words((count + 63) / 64);
            std::vector<lanecull::Certificate> certificates(count);
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::Explanation why{.certificates = certificates};
            lanecull::Output output{.visible = words, .occluders = scene.occluders, .explanation = &why};
            const auto status =
                lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.method = method, .isa = isa});
            ASSERT_TRUE(status.ok()) << status.message();
            for (std::size_t i = 0; i < count; ++i) {
                const lanecull::Certificate& c = certificates[i];
                const bool visible = (words[i / 64] >> i % 64 & 1) != 0;
                ASSERT_EQ(visible, !is_culled(c.reason));
                if (c.reason == Reason::culled_occluded) {
                    ASSERT_NE(truths[i].hidden_by >> c.occluder & 1, 0u)
                        << "seed " << seed << " " << lanecull::isa_name(isa) << " " << method_name(method) << "\n"
                        << scene.from.text << "\n"
                        << scene.solids[c.occluder].text << "\n"
                        << describe(kind, objects[i], scene.hulls);
                }
                counts.kept +=
                    truths[i].well_hidden && visible && isa == runnable_isas().back() && method == Method::automatic;
            }
        }
    }
}

void expect_few_kept(const Counts& counts, const char* name) {
    std::printf("[ figures  ] %s: objects %llu hidden %llu well hidden %llu of which kept %llu\n", name,
                static_cast<unsigned long long>(counts.objects), static_cast<unsigned long long>(counts.hidden),
                static_cast<unsigned long long>(counts.well_hidden), static_cast<unsigned long long>(counts.kept));
    EXPECT_GT(counts.well_hidden * 10, counts.objects);
    EXPECT_GT(counts.visible * 10, counts.objects);
    EXPECT_LE(counts.kept * 1000, counts.well_hidden);
}

/// Scenes of random cameras, projections and cells. kind_of: the kind of objects that are asked about, by seed.
template <class KindOf>
void check_scenes(std::uint64_t base, std::optional<SolidForm> form, const char* name, const KindOf& kind_of) {
    const lanecull::View view = view_of_all();
    Counts counts;
    const auto seeds = static_cast<std::uint64_t>(scaled(45));
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random(seed * 8 + base);
        const Camera camera = random_camera(random, all_projections[seed % std::size(all_projections)]);
        const Scene scene = make_scene(random, camera, seed % 5 == 0, form);
        if (scene.occluders.empty()) continue;
        check_scene(scene, kind_of(seed), view, random, 70, seed, counts);
    }
    expect_few_kept(counts, name);
}

class HiddenObjects : public testing::TestWithParam<Kind> {};

TEST_P(HiddenObjects, AreHiddenAndWhatIsWellHiddenIsCulled) {
    check_scenes(static_cast<std::uint64_t>(GetParam()), {}, kind_name(GetParam()),
                 [](std::uint64_t) { return GetParam(); });
}

INSTANTIATE_TEST_SUITE_P(Kinds, HiddenObjects, testing::ValuesIn(all_kinds),
                         [](const auto& kind) { return std::string(kind_name(kind.param)); });

class HiddenByForm : public testing::TestWithParam<SolidForm> {};

/// The same of solids of one form, among objects of all kinds in turn.
TEST_P(HiddenByForm, AreHiddenAndWhatIsWellHiddenIsCulled) {
    check_scenes(1000 + static_cast<std::uint64_t>(GetParam()), GetParam(), form_name(GetParam()),
                 [](std::uint64_t seed) { return all_kinds[seed % std::size(all_kinds)]; });
}

INSTANTIATE_TEST_SUITE_P(Forms, HiddenByForm, testing::ValuesIn(all_forms),
                         [](const auto& form) { return std::string(form_name(form.param)); });

}  // namespace
