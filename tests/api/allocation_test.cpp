#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <new>

#include <lanecull/bounds.h>
#include <lanecull/pairs.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/generate.hpp"

/// cull() and everything else that a frame may call allocate nothing, by any method on any instruction set.
///
/// The functions at the bottom count: this program's own malloc(), calloc(), realloc() and aligned variants replace the
/// C library's for everything that is linked to it, operator new included. So the test is a program of its own. It is
/// not built with the sanitizers, because they replace the same functions.

namespace {

std::atomic<std::uint64_t> allocations{0};

/// The C library's function of that name. dlsym() may itself allocate: it is served from a small buffer until it has
/// returned.
template <class Function>
Function* library_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

alignas(64) std::byte early_memory[16'384];
std::atomic<std::size_t> early_bytes{0};
std::atomic<bool> looking_up{false};

void* early_allocate(std::size_t bytes) {
    const std::size_t at = early_bytes.fetch_add((bytes + 63) / 64 * 64);
    return at + bytes <= sizeof early_memory ? early_memory + at : nullptr;
}
bool is_early(const void* memory) {
    const std::less<const void*> before;
    return !before(memory, early_memory) && before(memory, early_memory + sizeof early_memory);
}

struct Library {
    void* (*malloc)(std::size_t) = nullptr;
    void* (*calloc)(std::size_t, std::size_t) = nullptr;
    void* (*realloc)(void*, std::size_t) = nullptr;
    void* (*aligned_alloc)(std::size_t, std::size_t) = nullptr;
    void (*free)(void*) = nullptr;
};

/// Null while it is being filled.
const Library* library() {
    static std::atomic<bool> ready{false};
    static Library functions;
    if (ready) return &functions;
    if (looking_up.exchange(true)) return nullptr;
    functions.malloc = library_function<void*(std::size_t)>("malloc");
    functions.calloc = library_function<void*(std::size_t, std::size_t)>("calloc");
    functions.realloc = library_function<void*(void*, std::size_t)>("realloc");
    functions.aligned_alloc = library_function<void*(std::size_t, std::size_t)>("aligned_alloc");
    functions.free = library_function<void(void*)>("free");
    ready = true;
    return &functions;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
    ++allocations;
    const Library* of = library();
    return of != nullptr ? of->malloc(bytes) : early_allocate(bytes);
}

void* calloc(std::size_t count, std::size_t size) {
    ++allocations;
    const Library* of = library();
    return of != nullptr ? of->calloc(count, size) : early_allocate(count * size);  // zeros, never used before
}

void* realloc(void* memory, std::size_t bytes) {
    ++allocations;
    const Library* of = library();
    if (of == nullptr || is_early(memory)) std::abort();  // nothing so early does
    return of->realloc(memory, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    ++allocations;
    const Library* of = library();
    if (of == nullptr) std::abort();
    return of->aligned_alloc(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
    *memory = aligned_alloc(alignment, bytes);
    return *memory != nullptr ? 0 : ENOMEM;
}

void free(void* memory) {
    const Library* of = library();
    if (of != nullptr && memory != nullptr && !is_early(memory)) of->free(memory);
}

}  // extern "C"

namespace {

template <class Call>
std::uint64_t allocations_of(Call call) {
    const std::uint64_t before = allocations;
    call();
    return allocations - before;
}

TEST(AllocationCount, SeesThemAll) {
    void* volatile memory = nullptr;
    EXPECT_EQ(allocations_of([&] { memory = ::operator new(64); }), 1u);
    ::operator delete(memory);
    EXPECT_EQ(allocations_of([&] { memory = ::operator new(64, std::align_val_t(64)); }), 1u);
    ::operator delete(memory, std::align_val_t(64));
    EXPECT_EQ(allocations_of([&] { memory = std::malloc(10); }), 1u);
    EXPECT_EQ(allocations_of([&] { memory = std::realloc(memory, 100'000); }), 1u);
    std::free(memory);
    EXPECT_EQ(allocations_of([&] { memory = std::calloc(10, 10); }), 1u);
    std::free(memory);
    EXPECT_EQ(allocations_of([] {}), 0u);
}

class Allocations : public testing::TestWithParam<lanecull::Isa> {};

TEST_P(Allocations, OfPairsAreNone) {
    const std::vector<float> numbers(1000, 1.0f);
    const float* n = numbers.data();
    const lanecull::Spheres balls{n, n, n, n, 1000};
    const lanecull::Boxes boxes{n, n, n, n, n, n, 1000};
    std::vector<std::uint32_t> index(1000);
    const lanecull::PairIndices pairs{index.data(), index.data(), index.size()};
    std::vector<std::uint64_t> words(16);
    std::vector<float> lower(1000), upper(1000);
    lanecull::PairDistanceOptions options;
    lanecull::PairCastOptions cast_options;
    options.isa = cast_options.isa = GetParam();
    bool done = false;
    EXPECT_EQ(allocations_of([&] {
                  done = lanecull::separate_pairs(balls, boxes, pairs, words, {GetParam()}).ok() &&
                         lanecull::pair_distances(balls, boxes, pairs, {lower.data(), upper.data()}, options).ok() &&
                         lanecull::cast_pairs(balls, boxes, pairs, {n, n, n}, {lower.data()}, cast_options).ok();
              }),
              0u);
    EXPECT_TRUE(done);
}

TEST_P(Allocations, OfACullAreNone) {
    Random random(61);
    const HullSet hulls = random_hulls(random, 3);
    std::vector<lanecull::View> views;
    std::vector<Camera> cameras;
    for (const Projection projection : {Projection::perspective, Projection::infinite, Projection::orthographic}) {
        const PreparedCamera prepared = random_prepared_camera(random, projection);
        cameras.push_back(prepared.camera);
        views.push_back(prepared.view);
    }
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    for (const Kind kind : all_kinds) {
        batches.push_back(make_batch(kind, random_objects(random, kind, cameras[0], 9'000, hulls), hulls, memory));
    }
    const std::size_t words = lanecull::visibility_words(batches);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, views.size()));
    std::vector<std::uint64_t> bits(words * views.size());
    std::vector<std::uint32_t> indices(60'000 * views.size());
    std::vector<lanecull::Output> outputs(views.size());
    std::vector<lanecull::Explanation> whys(views.size());
    for (std::size_t v = 0; v < views.size(); ++v) {
        outputs[v].explanation = &whys[v];
        outputs[v].visible = std::span(bits).subspan(v * words, words);
        outputs[v].indices = std::span(indices).subspan(v * 60'000, 60'000);
    }
    for (const lanecull::Method method : all_methods) {
        // The first call counts as well.
        for (int call = 0; call < 2; ++call) {
            lanecull::Status status;
            EXPECT_EQ(allocations_of([&] {
                          status =
                              lanecull::cull(batches, views, outputs, scratch, {.method = method, .isa = GetParam()});
                      }),
                      0u)
                << method_name(method);
            ASSERT_TRUE(status.ok()) << status.message();
        }
        EXPECT_GT(outputs[0].visible_count, 0u);
        EXPECT_GT(whys[0].counts.culled(), 0u);
    }
    scratch.pop_back();
    EXPECT_EQ(
        allocations_of([&] { EXPECT_FALSE(lanecull::cull(batches, views, outputs, scratch, {.isa = GetParam()})); }),
        0u)
        << "a failure's text is its own";
}

TEST_P(Allocations, OfASceneThatIsMovedAndCulledAreNone) {
    Random random(6);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    HeapMemory memory;
    const lanecull::Batch batch =
        make_batch(Kind::box, random_objects(random, Kind::box, prepared.camera, 9'000, {}), {}, memory);
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(9'000), visible(9'000);
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    const std::vector<float> by(9'000, 0.5f);
    lanecull::SceneOutput of_scene{.handles = visible};
    lanecull::Output output{.scene = &of_scene};
    bool all = true;
    EXPECT_EQ(
        allocations_of([&] {
            all = scene.move(handles, by.data(), by.data(), by.data()).ok();
            scene.refit();
            all = all && lanecull::cull(scene, {&prepared.view, 1}, {&output, 1}, scratch, {.isa = GetParam()}).ok();
        }),
        0u);
    EXPECT_TRUE(all);
    EXPECT_GT(output.visible_count, 0u);
}

/// Nor does a frame of a pass, with point lights, over batches and over a scene; nor one that fails.
TEST_P(Allocations, OfAFrameAreNone) {
    Random random(7);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    HeapMemory memory;
    const lanecull::Batch batch =
        make_batch(Kind::box, random_objects(random, Kind::box, prepared.camera, 9'000, {}), {}, memory);
    const std::span<const lanecull::Batch> batches(&batch, 1);
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(9'000);
    ASSERT_TRUE(scene.add(batches, handles).ok());

    lanecull::PassDirectionalLight directional_light;
    directional_light.directional_light.toward[1] = 1;
    directional_light.map.up[0] = 1, directional_light.map.up[1] = 0;
    directional_light.near_depth = 0.1, directional_light.far_depth = 9;
    lanecull::PassCamera camera{.clip_from_world = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.01, -1, 0, 0, -0.101, 0}};
    const Double3 eye = prepared.camera.eye;
    std::copy(eye.begin(), eye.end(), camera.clip_space.origin);
    camera.directional_light = &directional_light;
    lanecull::PassPointLight point_lights[20];
    for (lanecull::PassPointLight& point_light : point_lights) {
        for (std::size_t k = 0; k < 3; ++k) point_light.at[k] = eye[k] + random.range(-5, 5);
        point_light.range = 4, point_light.near_depth = 0.1;
    }
    const lanecull::PassFrame frame{{&camera, 1}, point_lights};
    std::vector<lanecull::Output> outputs(lanecull::view_count(frame));
    std::vector<lanecull::Output> scene_outputs(outputs.size());
    lanecull::CullPass pass;
    ASSERT_TRUE(pass.reserve({1, 4, 20}, batches).ok());
    ASSERT_TRUE(pass.reserve({1, 4, 20}, scene).ok());
    lanecull::Status flat, ordered, failed;
    EXPECT_EQ(allocations_of([&] {
                  flat = pass.run(frame, batches, outputs, lanecull::Casters::volume, {.isa = GetParam()});
                  ordered = pass.run(frame, scene, scene_outputs, lanecull::Casters::volume, {.isa = GetParam()});
                  failed = pass.run(frame, scene, {});
              }),
              0u);
    EXPECT_TRUE(flat.ok()) << flat.message();
    EXPECT_TRUE(ordered.ok()) << ordered.message();
    EXPECT_FALSE(failed.ok());
    EXPECT_EQ(outputs[0].visible_count, scene_outputs[0].visible_count);
}

TEST_P(Allocations, OfWhatGoesBeforeACullAreNone) {
    std::vector<float> records(12 * 5'000, 1.0f), radius(5'000), x(5'000), y(5'000), z(5'000);
    const float* first = records.data();
    const auto count = static_cast<std::uint32_t>(radius.size());
    const std::array<float*, 4> streams = {x.data(), y.data(), z.data(), radius.data()};
    const double position[3] = {1, 2, 3}, origin[3] = {};
    const std::array<double, 16> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const lanecull::Vertices vertices{first, first + 1, first + 2, count, 48};
    const lanecull::OrientedBoxes boxes{
        .x = first, .y = first, .z = first, .axes = {first}, .half_extents = {first}, .count = count};
    lanecull::View view;
    lanecull::Hull hull;
    lanecull::BoxBounds box;
    lanecull::SphereBounds sphere;
    lanecull::OrientedBoxBounds oriented_box;
    bool all = true;
    const auto calls = [&] {
        const auto ok = [&](const lanecull::Status& status) { all = all && status.ok(); };
        ok(lanecull::prepare_view(identity, {}, view));
        ok(lanecull::prepare_hull(first, first, first, 1'000, hull));
        ok(lanecull::unpack_floats({first, 48}, count, streams, GetParam()));
        ok(lanecull::relative_spheres({position}, nullptr, 1, origin, x.data(), y.data(), z.data(), radius.data()));
        ok(lanecull::bounding_box(vertices, box, GetParam()));
        ok(lanecull::bounding_sphere(vertices, sphere, GetParam()));
        ok(lanecull::bounding_oriented_box(vertices, oriented_box, GetParam()));
        ok(lanecull::bounding_radii(boxes, radius.data()));
        const lanecull::Transforms transforms{.first = first, .layout = lanecull::TransformLayout::rows_3x4};
        const lanecull::HullInstances instances{
            .transforms = transforms, .hulls = &hull, .hull_count = 1, .count = count};
        ok(lanecull::bounding_spheres(instances, x.data(), y.data(), z.data(), radius.data()));
        const lanecull::Boxes local{first, first, first, first, first, first, 8};
        float out[6][8];
        const lanecull::BoxStreams to{out[0], out[1], out[2], out[3], out[4], out[5]};
        ok(lanecull::world_boxes({local}, transforms, 8, to, {GetParam()}));
        float rotations[8][4], halves[8][3];
        ok(lanecull::world_oriented_boxes(
            {local}, transforms, 8,
            {.x = out[0], .y = out[1], .z = out[2], .quaternions = {rotations[0]}, .half_extents = {halves[0]}},
            {GetParam()}));
        ok(lanecull::world_spheres({local}, transforms, 8, {out[0], out[1], out[2], out[3]}, {GetParam()}));
    };
    EXPECT_EQ(allocations_of(calls), 0u);
    EXPECT_TRUE(all);
}

INSTANTIATE_TEST_SUITE_P(All, Allocations, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& parameter) { return isa_label(parameter.param); });

}  // namespace
