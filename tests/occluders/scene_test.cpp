#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <lanecull/scene.h>

#include "occluders/solids.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"

/// Scenes with occluders keep what the flat batch keeps, whether blocks are hidden whole or their objects one by one.

namespace {

using lanecull::Handle;
using lanecull::Isa;
using lanecull::Method;
using lanecull::Occluder;

/// A camera's solids, and boxes in clusters behind them, so that whole blocks are hidden.
struct Street {
    lanecull::View view;
    std::vector<Occluder> occluders;
    std::vector<Object> objects;
};

Street random_street(Random& random, std::size_t clusters) {
    Street street;
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    street.view = prepared.view;
    const auto from = viewpoint_of(prepared.camera);
    if (!from) return street;
    std::vector<lanecull::SolidBox> drawn;
    for (const TestSolid& solid : random_solids(random, prepared.camera, from->eye, 6)) {
        Occluder occluder;
        if (solid.prepare(from->viewpoint, occluder) != lanecull::OccluderRefusal::none) continue;
        street.occluders.push_back(occluder);
        drawn.push_back(solid.drawn);
    }
    for (std::size_t c = 0; !drawn.empty() && c < clusters; ++c) {
        const lanecull::SolidBox& box = drawn[random.bits() % drawn.size()];
        Double3 at;
        for (std::size_t k = 0; k < 3; ++k) {
            at[k] = random.range(static_cast<double>(box.min[k]), static_cast<double>(box.max[k]));
        }
        const Double3 way = at - from->eye;
        at = at + random.log_range(0.05, 3) * way;
        const double size = length(way) * random.log_range(1e-4, 0.1);
        for (int i = 0; i < 150; ++i) {
            const Double3 place = at + size * random.unit() * random_direction(random);
            street.objects.push_back(object_at(random, Kind::box, place, 0.02 * size, {}));
        }
    }
    return street;
}

struct Kept {
    std::vector<bool> visible;          ///< [object]
    std::vector<std::uint32_t> hidden;  ///< by each occluder
};

Kept cull_flat(const Street& street, const lanecull::Batch& batch, const lanecull::CullOptions& options) {
    Kept kept{{}, std::vector<std::uint32_t>(street.occluders.size())};
    std::vector<std::uint64_t> words((batch.count() + 63) / 64);
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Explanation why;
    lanecull::Output output{
        .visible = words, .occluders = street.occluders, .hidden_counts = kept.hidden, .explanation = &why};
    const auto status = lanecull::cull({&batch, 1}, {&street.view, 1}, {&output, 1}, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    for (std::size_t i = 0; i < batch.count(); ++i) kept.visible.push_back((words[i / 64] >> i % 64 & 1) != 0);
    EXPECT_EQ(std::accumulate(kept.hidden.begin(), kept.hidden.end(), 0u),
              why.counts[lanecull::Reason::culled_occluded]);
    return kept;
}

struct SceneKept : Kept {
    std::uint64_t hidden_blocks = 0;
};

SceneKept cull_scene(const Street& street, const lanecull::Scene& scene, std::span<const Handle> handles,
                     const lanecull::CullOptions& options) {
    SceneKept kept;
    kept.hidden.resize(street.occluders.size());
    std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::SceneOutput of_scene;
    lanecull::Explanation why;
    lanecull::Output output{.visible = words,
                            .occluders = street.occluders,
                            .hidden_counts = kept.hidden,
                            .scene = &of_scene,
                            .explanation = &why};
    const auto status = lanecull::cull(scene, {&street.view, 1}, {&output, 1}, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    for (const Handle handle : handles) {
        std::uint32_t slot = 0;
        EXPECT_TRUE(scene.slot_of(handle, slot).ok());
        kept.visible.push_back((words[slot / 64] >> slot % 64 & 1) != 0);
    }
    kept.hidden_blocks = of_scene.hidden_blocks;
    const std::uint64_t hidden = std::accumulate(kept.hidden.begin(), kept.hidden.end(), 0u);
    EXPECT_EQ(hidden, of_scene.hidden_objects + why.counts[lanecull::Reason::culled_occluded]);
    EXPECT_EQ(output.visible_count + of_scene.outside_objects + of_scene.hidden_objects + why.counts.culled(),
              handles.size());
    return kept;
}

TEST(ScenesWithOccluders, KeepWhatTheFlatBatchKeeps) {
    std::uint64_t hidden_blocks = 0, hidden = 0, visible = 0;
    const auto seeds = static_cast<std::uint64_t>(scaled(30));
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random(seed);
        const Street street = random_street(random, 20);
        if (street.occluders.empty()) continue;
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(Kind::box, street.objects, {}, memory);
        lanecull::Scene scene;
        std::vector<Handle> handles(street.objects.size());
        ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
        for (const Isa isa : runnable_isas()) {
            for (const Method method : all_methods) {
                const lanecull::CullOptions options{.method = method, .isa = isa};
                const Kept flat = cull_flat(street, batch, options);
                const SceneKept ordered = cull_scene(street, scene, handles, options);
                ASSERT_EQ(flat.visible, ordered.visible) << "seed " << seed << " " << lanecull::isa_name(isa);
                hidden_blocks += ordered.hidden_blocks;
                visible += static_cast<std::uint64_t>(std::count(flat.visible.begin(), flat.visible.end(), true));
                hidden += std::accumulate(flat.hidden.begin(), flat.hidden.end(), std::uint64_t{0});
            }
        }
    }
    EXPECT_GT(hidden_blocks, runnable_isas().size() * seeds);
    EXPECT_GT(hidden, 1000 * seeds);
    EXPECT_GT(visible, 50 * seeds);
}

/// The same with an origin of the objects' own, to which the occluders' is moved.
TEST(ScenesWithOccluders, HideTheSameFromAnyOrigin) {
    const double camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};
    lanecull::ClipSpace clip;
    clip.origin[0] = 1000000.25;
    lanecull::Viewpoint eye;
    lanecull::View view;
    ASSERT_TRUE(lanecull::prepare_viewpoint(camera, clip, eye).ok());
    ASSERT_TRUE(lanecull::prepare_view(camera, clip, view).ok());
    Street street{view, {Occluder{}}, {}};
    ASSERT_EQ(
        lanecull::prepare_occluder(lanecull::SolidBox{{999990, -10, 20}, {1000010, 10, 22}}, eye, street.occluders[0]),
        lanecull::OccluderRefusal::none);
    // Behind the wall, before it, and seen just past its edge.
    const float x[] = {0.25f, 0.25f, 21}, y[] = {0, 0, 0}, z[] = {40, 10, 40}, radius[] = {1, 1, 1};
    const lanecull::Batch batch{lanecull::Spheres{x, y, z, radius, 3}};
    lanecull::Scene scene;
    std::vector<Handle> handles(3);
    ASSERT_TRUE(scene.add({&batch, 1}, handles, {.origin = {1000000, 0, 0}}).ok());
    const auto hidden = [&](const lanecull::Owner& owner) {
        street.occluders[0].owners = {&owner, 1};
        return !cull_scene(street, scene, handles, {}).visible[0];
    };
    EXPECT_EQ(cull_scene(street, scene, handles, {}).visible, (std::vector<bool>{false, true, true}));
    EXPECT_TRUE(hidden({0, handles[1]}));
    std::uint32_t flags[] = {lanecull::object_disabled};
    lanecull::Batch disabled{lanecull::Spheres{x, y, z, radius, 1}};
    disabled.attributes.flags = flags;
    Handle off[1];
    ASSERT_TRUE(scene.add({&disabled, 1}, off, {.origin = {1000000, 0, 0}}).ok());
    scene.refit();
    handles.push_back(off[0]);
    EXPECT_FALSE(hidden({0, off[0]}));
    const lanecull::Owner nobody{0, 4711};
    street.occluders[0].owners = {&nobody, 1};
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.occluders = street.occluders};
    EXPECT_STREQ(lanecull::cull(scene, {&street.view, 1}, {&output, 1}, scratch).message(),
                 "outputs[0].occluders[0].owners: handle 4711 of batch 0 names no object");
}

}  // namespace
