#include <lanecull/cull.h>
#include <lanecull/shadow.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/camera.hpp"
#include "workloads/workload.hpp"

/// Several views of the same boxes, in one call and in one call each; and views of what casts shadows into one.

namespace bench {
namespace {

using lanecull::Isa;
using lanecull::View;

constexpr std::size_t view_count = 5;

/// The standard camera, turned about its own up axis by a fifth of a circle each. Each sees as many boxes, but others.
std::vector<View> views_around() {
    std::vector<View> views;
    for (std::size_t v = 0; v < view_count; ++v) {
        Camera camera = standard_camera();
        const double angle = 2 * std::numbers::pi * static_cast<double>(v) / static_cast<double>(view_count);
        const glm::dvec3 right = camera.right(), forward = camera.forward();
        camera.axes[0] = std::cos(angle) * right - std::sin(angle) * forward;
        camera.axes[2] = std::sin(angle) * right + std::cos(angle) * forward;
        views.push_back(prepare(camera));
    }
    return views;
}

enum class Calls { one, one_a_view, one_with_masks };

void measure_views(benchmark::State& state, const Key& key, Isa isa, Calls calls) {
    const Workload& objects = workload(key);
    const std::span<const lanecull::Batch> batches(&objects.batch(), 1);
    const std::vector<View> views = views_around();
    const std::size_t words = lanecull::visibility_words(batches);
    std::vector<std::uint64_t> bits(views.size() * words);
    std::vector<std::uint64_t> masks(calls == Calls::one_with_masks ? objects.count() : 0);
    std::vector<lanecull::Output> outputs(views.size());
    for (std::size_t v = 0; v < views.size(); ++v) outputs[v].visible = std::span(bits).subspan(v * words, words);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, views.size()));
    const auto call = [&](std::size_t first, std::size_t count) {
        const lanecull::Status status =
            lanecull::cull(batches, std::span(views).subspan(first, count), std::span(outputs).subspan(first, count),
                           scratch, {.isa = isa, .view_masks = masks});
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    const auto pass = [&] {
        if (calls != Calls::one_a_view) return call(0, views.size());
        for (std::size_t v = 0; v < views.size(); ++v) {
            if (!call(v, 1)) return false;
        }
        return true;
    };
    measure(state, objects.count(), objects.bytes_per_object(), 1, pass, [&] {
        std::uint64_t kept = 0;
        for (const lanecull::Output& output : outputs) kept += output.visible_count;
        return kept;
    });
}

/// A camera, or what casts shadows into it.
enum class Seen { camera, directional_light, endless_directional_light, point_light, ranged_point_light };
constexpr std::pair<Seen, const char*> all_seen[] = {{Seen::camera, "camera"},
                                                     {Seen::directional_light, "sun"},
                                                     {Seen::endless_directional_light, "endless_sun"},
                                                     {Seen::point_light, "lamp"},
                                                     {Seen::ranged_point_light, "ranged_lamp"}};

/// 40 degrees above the camera's horizon, from the right and behind.
glm::dvec3 way_to_directional_light(const Camera& camera) {
    return glm::normalize(0.6 * camera.right() + 0.64 * camera.up() - 0.45 * camera.forward());
}

View prepare_seen(Seen seen) {
    const Camera camera = standard_camera();
    const glm::dvec3 way = way_to_directional_light(camera);
    lanecull::DirectionalLight directional_light{{way.x, way.y, way.z}};
    if (seen == Seen::directional_light) directional_light.reach = 200;
    const glm::dvec3 at = camera.eye + 40.0 * camera.up() + 60.0 * camera.forward();
    lanecull::PointLight point_light{{at.x, at.y, at.z}};
    if (seen == Seen::ranged_point_light) point_light.range = 100;
    if (seen == Seen::camera) return prepare(camera);
    const bool by_directional_light = seen == Seen::directional_light || seen == Seen::endless_directional_light;
    return prepare(camera, {.directional_light = by_directional_light ? &directional_light : nullptr,
                            .point_light = by_directional_light ? nullptr : &point_light});
}

void measure_casters(benchmark::State& state, const Key& key, Isa isa, Seen seen) {
    const Workload& objects = workload(key);
    const std::span<const lanecull::Batch> batches(&objects.batch(), 1);
    const View view = prepare_seen(seen);
    std::vector<std::uint64_t> bits(lanecull::visibility_words(batches));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output output{.visible = bits};
    const auto pass = [&] {
        const lanecull::Status status = lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, objects.count(), objects.bytes_per_object(), 1, pass, [&] { return output.visible_count; });
}

void measure_preparing(benchmark::State& state, Seen seen) {
    for (auto _ : state) benchmark::DoNotOptimize(prepare_seen(seen));
}

/// What casts shadows into a slice of the standard camera's view, within a box that cuts the slice's ends off.
void measure_preparing_cascade(benchmark::State& state) {
    const Matrix matrix = matrix_of(standard_camera());
    const glm::dvec3 way = way_to_directional_light(standard_camera());
    const lanecull::DirectionalLight directional_light{{way.x, way.y, way.z}, 200};
    const lanecull::Slice slice{matrix.clip_from_world, matrix.clip_space, 20, 120};
    double corners[24];
    if (!lanecull::slice_corners(slice, corners)) return state.SkipWithError("no slice");
    lanecull::WorldBox receivers;
    for (std::size_t j = 0; j < 3; ++j) {
        double low = corners[j], high = corners[j];
        for (std::size_t i = 1; i < 8; ++i) {
            low = std::min(low, corners[3 * i + j]), high = std::max(high, corners[3 * i + j]);
        }
        receivers.lower[j] = low + 0.1 * (high - low);
        receivers.upper[j] = high - 0.1 * (high - low);
    }
    for (auto _ : state) {
        View view;
        const lanecull::Status status = lanecull::prepare_cascade_casters(
            slice, receivers, {.margin = 0.3, .directional_light = &directional_light}, view);
        if (!status) return state.SkipWithError(status.message());
        benchmark::DoNotOptimize(view);
    }
}

/// What casts shadows into the standard camera's view from 64 point lights, in their cube maps' six faces each.
void measure_preparing_faces(benchmark::State& state) {
    constexpr std::size_t point_light_count = 64, face_count = 6 * point_light_count;
    const Camera camera = standard_camera();
    std::vector<lanecull::ShadowMap> maps(face_count);
    std::vector<lanecull::PointLight> point_lights(face_count);
    std::vector<lanecull::ViewOptions> options(face_count);
    for (std::size_t i = 0; i < face_count; ++i) {
        const auto k = static_cast<double>(i / 6);
        const double depth = 10 + 3 * k, across = 0.4 * depth * std::sin(k), above = 0.3 * depth * std::cos(k);
        const glm::dvec3 at = camera.eye + depth * camera.forward() + across * camera.right() + above * camera.up();
        const double place[3] = {at.x, at.y, at.z};
        const double range = 20;
        const auto face = static_cast<std::uint32_t>(i % 6);
        if (!lanecull::cube_map_face(place, face, 0.1, range, 512, maps[i])) return state.SkipWithError("no face");
        point_lights[i] = {{at.x, at.y, at.z}, range, maps[i].sides};
        options[i] = {.margin = 0.05, .point_light = &point_lights[i]};
    }
    const Matrix matrix = matrix_of(camera);
    std::vector<View> views(face_count);
    for (auto _ : state) {
        const lanecull::Status status =
            lanecull::prepare_caster_views(matrix.clip_from_world, matrix.clip_space, options, views);
        if (!status) return state.SkipWithError(status.message());
        benchmark::DoNotOptimize(views.data());
    }
}

void add_views(Isa isa, std::uint32_t count, const char* size) {
    constexpr std::pair<Calls, const char*> ways[] = {
        {Calls::one, "one_call"}, {Calls::one_a_view, "five_calls"}, {Calls::one_with_masks, "one_call_masks"}};
    for (const auto& [calls, name] : ways) {
        benchmark::RegisterBenchmark((std::string("views/box/") + name + '/' + lanecull::isa_name(isa) + size).c_str(),
                                     measure_views, Key{Shape::box, Placement::uniform, count}, isa, calls)
            ->Unit(benchmark::kMicrosecond);
    }
}

}  // namespace

void register_view_benchmarks() {
    for (const auto& [seen, name] : all_seen) {
        benchmark::RegisterBenchmark((std::string("prepare/") + name).c_str(), measure_preparing, seen)
            ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark("prepare/cascade", measure_preparing_cascade)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("prepare/64_lamps_6_faces", measure_preparing_faces)->Unit(benchmark::kMicrosecond);
    for (const Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        add_views(isa, 9'984, "/10k");
        add_views(isa, 100'000, "");
        add_views(isa, 10'000'000, "/10M");
        for (const auto& [seen, name] : all_seen) {
            benchmark::RegisterBenchmark(
                (std::string("casters/box/") + name + '/' + lanecull::isa_name(isa) + "/1M").c_str(), measure_casters,
                Key{Shape::box, Placement::uniform, 1'000'000}, isa, seen)
                ->Unit(benchmark::kMicrosecond);
        }
    }
}

}  // namespace bench
