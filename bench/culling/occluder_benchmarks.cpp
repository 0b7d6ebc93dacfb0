#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <lanecull/solids.h>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "peers/masked_depth_buffer.hpp"
#include "workloads/camera.hpp"
#include "workloads/frame_field.hpp"
#include "workloads/random.hpp"

/// Choosing occluders: time a solid of all that are to choose from, 53 % of them in view, preparing those chosen
/// included. `kept` is the share that was chosen.
///
///   occluders/choose/<solids>/<most>
///
/// Which of the objects in view 16 solids hide, time an object in view. Either way the solids and the objects are the
/// same: preparing and culling, or drawing the solids and testing the objects one by one. `kept` is the share not
/// hidden.
///
///   occluders/hide/<lanecull|lanecull_ordered|masked_depth_buffer>   ordered: by an ordered scene, which finds what is
///   in
///                                                                    view as well
///
///   prepare/<viewpoint|occluder_box|occluder_hull>   for a camera; a hull of 17 corners, as many as there may be
namespace bench {
namespace {

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The boxes of a field are solid.
std::vector<lanecull::SolidBox> solids_of(const BoxStreams& field) {
    std::vector<lanecull::SolidBox> solids(field.streams[0].size());
    for (std::size_t i = 0; i < solids.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            solids[i].min[k] = field.streams[k][i];
            solids[i].max[k] = field.streams[k + 3][i];
        }
    }
    return solids;
}

void measure_choice(benchmark::State& state, std::uint32_t solid_count, std::size_t most) {
    const FrameField field(solid_count);
    const std::vector<lanecull::SolidBox> boxes = solids_of(field);
    const Camera camera = frame_camera(field.side, field.side);
    const Matrix matrix = matrix_of(camera);
    const lanecull::View view = prepare(camera);
    lanecull::Viewpoint viewpoint;
    require(prepare_viewpoint(matrix.clip_from_world, matrix.clip_space, viewpoint));
    std::vector<lanecull::Occluder> occluders(most);
    std::vector<std::uint32_t> indices(most);
    std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(boxes.size()));
    std::uint32_t count = 0;
    const auto pass = [&] {
        require(choose_occluders({.boxes = boxes}, view, viewpoint, occluders, indices, scratch, count));
        return true;
    };
    measure(state, solid_count, sizeof(lanecull::SolidBox), 1, pass, [&] { return count; });
}

/// The field's boxes but for those that reach into streets: 20 wide, 90 apart, across one another, one of them the
/// camera's.
struct StreetField : BoxStreams {
    explicit StreetField(const FrameField& field) {
        const auto& s = field.streams;
        for (std::size_t i = 0; i < s[0].size(); ++i) {
            if (is_in_street(s[0][i], s[3][i]) || is_in_street(s[1][i], s[4][i])) continue;
            add({s[0][i], s[1][i], s[2][i]}, {s[3][i], s[4][i], s[5][i]});
        }
    }
    static bool is_in_street(float low, float high) {
        constexpr float apart = 90, half = 10;
        const float nearest = apart * std::round((low + high) / 2 / apart);
        return high > nearest - half && low < nearest + half;
    }
};

/// The objects in view along a street, not too far away, and the 16 solids that the library chooses to hide them.
struct HiddenField {
    static constexpr std::uint32_t count = 100'000, most = 16;
    static constexpr double far_depth = 1500;

    FrameField all{count};
    StreetField field{all};
    Camera camera = frame_camera(all.side, far_depth);
    lanecull::View view = prepare(camera);
    lanecull::Viewpoint viewpoint;
    std::vector<lanecull::Batch> batches{{field.boxes()}};
    std::vector<std::byte> scratch = std::vector<std::byte>(lanecull::scratch_bytes(batches, 1));
    std::vector<std::uint64_t> in_view = std::vector<std::uint64_t>(lanecull::visibility_words(batches));
    std::vector<std::uint64_t> visible = in_view;
    std::uint32_t objects = 0;  ///< in view
    std::vector<lanecull::SolidBox> solids;

    HiddenField() {
        const Matrix matrix = matrix_of(camera);
        require(prepare_viewpoint(matrix.clip_from_world, matrix.clip_space, viewpoint));
        lanecull::Output output{.visible = in_view};
        cull_into(output);
        objects = static_cast<std::uint32_t>(output.visible_count);
        choose();
    }
    void cull_into(lanecull::Output& output) { require(cull(batches, {&view, 1}, {&output, 1}, scratch)); }

private:
    void choose() {
        const std::vector<lanecull::SolidBox> candidates = solids_of(field);
        std::vector<lanecull::Occluder> occluders(most);
        std::vector<std::uint32_t> indices(most);
        std::vector<std::byte> memory(lanecull::choose_scratch_bytes(candidates.size()));
        std::uint32_t chosen = 0;
        require(choose_occluders({.boxes = candidates}, view, viewpoint, occluders, indices, memory, chosen));
        for (std::uint32_t k = 0; k < chosen; ++k) solids.push_back(candidates[indices[k]]);
    }
};

/// Prepares the field's solids as occluders. False after telling the state that one is refused.
bool prepare_all(const HiddenField& field, std::span<lanecull::Occluder> occluders, benchmark::State& state) {
    for (std::size_t k = 0; k < occluders.size(); ++k) {
        if (prepare_occluder(field.solids[k], field.viewpoint, occluders[k]) == lanecull::OccluderRefusal::none)
            continue;
        state.SkipWithError("a chosen solid is refused");
        return false;
    }
    return true;
}

void measure_hiding(benchmark::State& state) {
    HiddenField field;
    std::vector<lanecull::Occluder> occluders(field.solids.size());
    lanecull::Output output{.visible = field.visible, .candidates = field.in_view, .occluders = occluders};
    const auto pass = [&] {
        if (!prepare_all(field, occluders, state)) return false;
        field.cull_into(output);
        return true;
    };
    measure(state, field.objects, 0, 1, pass, [&] { return output.visible_count; });
}

void measure_hiding_ordered(benchmark::State& state) {
    HiddenField field;
    std::vector<lanecull::Occluder> occluders(field.solids.size());
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(field.batches[0].count());
    require(scene.add(field.batches, handles));
    std::vector<std::uint64_t> visible(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.visible = visible, .occluders = occluders};
    const auto pass = [&] {
        if (!prepare_all(field, occluders, state)) return false;
        require(lanecull::cull(scene, {&field.view, 1}, {&output, 1}, scratch));
        return true;
    };
    measure(state, field.objects, 0, 1, pass, [&] { return output.visible_count; });
}

void measure_preparing_viewpoint(benchmark::State& state) {
    const Matrix matrix = matrix_of(standard_camera());
    for (auto _ : state) {
        lanecull::Viewpoint viewpoint;
        require(prepare_viewpoint(matrix.clip_from_world, matrix.clip_space, viewpoint));
        benchmark::DoNotOptimize(viewpoint);
    }
}

template <class Solid>
void measure_preparing_occluder(benchmark::State& state, const Solid& solid) {
    const Matrix matrix = matrix_of(standard_camera());
    lanecull::Viewpoint viewpoint;
    require(prepare_viewpoint(matrix.clip_from_world, matrix.clip_space, viewpoint));
    lanecull::Occluder occluder;
    for (auto _ : state) {
        if (prepare_occluder(solid, viewpoint, occluder) != lanecull::OccluderRefusal::none)
            return state.SkipWithError("the solid is refused");
        benchmark::DoNotOptimize(occluder);
    }
}

/// Of half width 2, where the standard camera looks.
std::array<float, 3> middle_of_view() {
    const Camera camera = standard_camera();
    const glm::vec3 middle = glm::vec3(camera.eye + 50.0 * camera.forward());
    return {middle.x, middle.y, middle.z};
}

void measure_preparing_box(benchmark::State& state) {
    const std::array<float, 3> at = middle_of_view();
    lanecull::SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) box.min[k] = at[k] - 2, box.max[k] = at[k] + 2;
    measure_preparing_occluder(state, box);
}

void measure_preparing_hull(benchmark::State& state) {
    std::vector<float> x, y, z;
    Random random(17);
    for (int i = 0; i < 1000; ++i) {
        const glm::dvec3 p =
            2.0 * glm::normalize(glm::dvec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
        x.push_back(static_cast<float>(p.x)), y.push_back(static_cast<float>(p.y)),
            z.push_back(static_cast<float>(p.z));
    }
    lanecull::SolidHull hull;
    require(lanecull::inscribe_hull({x.data(), y.data(), z.data(), 1000}, hull));
    const std::array<float, 3> at = middle_of_view();
    measure_preparing_occluder(state,
                               lanecull::SolidHullInstance{&hull, {1, 0, 0, at[0], 0, 1, 0, at[1], 0, 0, 1, at[2]}});
}

#if defined(LANECULL_BENCH_MASKED_OCCLUSION)
void measure_masked_depth_buffer(benchmark::State& state) {
    HiddenField field;
    MaskedDepthBuffer buffer(1280, 704);
    state.SetLabel(buffer.set());
    std::uint64_t kept = 0;
    const auto pass = [&] {
        buffer.draw(field.camera, field.solids);
        kept = buffer.ask(field.camera, field.field, field.in_view, field.visible);
        return true;
    };
    measure(state, field.objects, 0, 1, pass, [&] { return kept; });
}
#endif

}  // namespace

void register_occluder_benchmarks() {
    benchmark::RegisterBenchmark("prepare/viewpoint", measure_preparing_viewpoint)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("prepare/occluder_box", measure_preparing_box)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("prepare/occluder_hull", measure_preparing_hull)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("occluders/hide/lanecull", measure_hiding);
    benchmark::RegisterBenchmark("occluders/hide/lanecull_ordered", measure_hiding_ordered);
#if defined(LANECULL_BENCH_MASKED_OCCLUSION)
    benchmark::RegisterBenchmark("occluders/hide/masked_depth_buffer", measure_masked_depth_buffer);
#endif
    for (const std::uint32_t solids : {1'000u, 5'000u, 20'000u}) {
        for (const std::size_t most : {std::size_t{1}, std::size_t{16}, std::size_t{64}}) {
            const std::string name = "occluders/choose/" + std::to_string(solids) + "/" + std::to_string(most);
            benchmark::RegisterBenchmark(name.c_str(), measure_choice, solids, most);
        }
    }
}

}  // namespace bench
