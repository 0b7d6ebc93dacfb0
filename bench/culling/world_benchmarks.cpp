#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <lanecull/batch.h>
#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <lanecull/shadow.h>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/camera.hpp"
#include "workloads/random.hpp"
#include "yardsticks/yardstick_world.hpp"

/// World bounds of local boxes and transforms, beside an expert's loop without a rounding bound; and the box around
/// what is visible.
namespace bench {
namespace {

/// Boxes of sizes around 1, turned about an axis, scaled and placed within 1,000 of the origin.
struct MovingObjects {
    explicit MovingObjects(std::uint32_t objects) : count(objects) {
        Random random(9);
        for (std::vector<float>& stream : local) stream.resize(count);
        for (std::vector<float>& stream : world) stream.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                local[k][i] = static_cast<float>(random.uniform(-2, 0));
                local[3 + k][i] = static_cast<float>(random.uniform(0, 2));
            }
            for (int k = 0; k < 12; ++k) {
                transforms.push_back(
                    static_cast<float>(k % 4 == 3 ? random.uniform(-1000, 1000) : random.uniform(-1, 1)));
            }
        }
    }
    [[nodiscard]] lanecull::Boxes boxes() const {
        return {local[0].data(),
                local[1].data(),
                local[2].data(),
                local[3].data(),
                local[4].data(),
                local[5].data(),
                count};
    }

    std::uint32_t count;
    std::array<std::vector<float>, 6> local, world;
    std::vector<float> transforms;
};

constexpr double bytes_of_an_instance = 24 + 48, bytes_of_a_box = bytes_of_an_instance + 24,
                 bytes_of_a_sphere = bytes_of_an_instance + 16;

void measure_boxes(benchmark::State& state, std::uint32_t count, lanecull::Isa isa) {
    MovingObjects objects(count);
    auto& w = objects.world;
    const lanecull::BoxStreams out{w[0].data(), w[1].data(), w[2].data(), w[3].data(), w[4].data(), w[5].data()};
    const auto pass = [&] {
        const lanecull::Status status = lanecull::world_boxes(
            {objects.boxes()}, {.first = objects.transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
            count, out, {isa});
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, count, bytes_of_a_box, 1, pass, [&] { return count; });
}

void measure_spheres(benchmark::State& state, std::uint32_t count, lanecull::Isa isa) {
    MovingObjects objects(count);
    auto& w = objects.world;
    const lanecull::SphereStreams out{w[0].data(), w[1].data(), w[2].data(), w[3].data()};
    const auto pass = [&] {
        const lanecull::Status status = lanecull::world_spheres(
            {objects.boxes()}, {.first = objects.transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
            count, out, {isa});
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, count, bytes_of_a_sphere, 1, pass, [&] { return count; });
}

/// By axes, or by quaternions. With radii, as a batch to be culled has them.
void measure_oriented_boxes(benchmark::State& state, std::uint32_t count, lanecull::Isa isa, bool by_axes) {
    MovingObjects objects(count);
    auto& w = objects.world;
    const std::size_t width = by_axes ? 9 : 4;
    std::vector<float> turned(width * count), half(std::size_t{3} * count);
    lanecull::OrientedBoxStreams out{.x = w[0].data(),
                                     .y = w[1].data(),
                                     .z = w[2].data(),
                                     .half_extents = {half.data()},
                                     .bounding_radius = w[3].data()};
    (by_axes ? out.axes : out.quaternions) = {turned.data()};
    const auto pass = [&] {
        const lanecull::Status status = lanecull::world_oriented_boxes(
            {objects.boxes()}, {.first = objects.transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
            count, out, {isa});
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, count, bytes_of_an_instance + static_cast<double>(4 * (4 + 3 + width)), 1, pass,
            [&] { return count; });
}

void measure_yardstick(benchmark::State& state, std::uint32_t count, const WorldBoxLoop* loop) {
    MovingObjects objects(count);
    auto& w = objects.world;
    float* const out[6] = {w[0].data(), w[1].data(), w[2].data(), w[3].data(), w[4].data(), w[5].data()};
    const auto pass = [&] {
        loop->run(objects.boxes(), objects.transforms.data(), out);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, count, bytes_of_a_box, 1, pass, [&] { return count; });
}

/// Of boxes of which every second is visible. The times are a visible box's.
void measure_visible_bounds(benchmark::State& state, std::uint32_t count, lanecull::Isa isa) {
    MovingObjects objects(count);
    const lanecull::Batch batch = objects.boxes();
    const std::vector<std::uint64_t> visible(lanecull::visibility_words({&batch, 1}), 0x5555555555555555u);
    lanecull::WorldBox box;
    const auto pass = [&] {
        const lanecull::Status status = lanecull::visible_bounds({&batch, 1}, visible, box, {isa});
        if (!status) state.SkipWithError(status.message());
        benchmark::DoNotOptimize(box);
        return status.ok();
    };
    const std::uint32_t seen = count / 2;
    measure(state, seen, 2 * 24, 1, pass, [&] { return seen; });
}

/// Of the same boxes, for each of four slices of the standard camera's view.
void measure_slice_bounds(benchmark::State& state, std::uint32_t count, lanecull::Isa isa) {
    MovingObjects objects(count);
    const lanecull::Batch batch = objects.boxes();
    const std::vector<std::uint64_t> visible(lanecull::visibility_words({&batch, 1}), 0x5555555555555555u);
    const Camera camera = standard_camera();
    const Matrix matrix = matrix_of(camera);
    double depths[5];
    lanecull::WorldBox boxes[4];
    bool good = lanecull::split_depths(camera.near_depth, camera.far_depth, 0.8, depths).ok();
    const auto pass = [&] {
        const lanecull::Status status = lanecull::slice_bounds({&batch, 1}, visible, matrix.clip_from_world,
                                                               matrix.clip_space, depths, boxes, {isa});
        if (!status || !good) state.SkipWithError(status.message());
        benchmark::DoNotOptimize(boxes);
        return status.ok() && good;
    };
    const std::uint32_t seen = count / 2;
    measure(state, seen, 2 * 24, 1, pass, [&] { return seen; });
}

/// One view of the standard camera, and what a cull of `batch` writes.
class OneView {
public:
    explicit OneView(const lanecull::Batch& batch, lanecull::Isa isa)
        : batch_(batch),
          view_(prepare(standard_camera())),
          words_(lanecull::visibility_words({&batch_, 1})),
          scratch_(lanecull::scratch_bytes({&batch_, 1}, 1)),
          options_{.isa = isa} {
        output_.visible = words_;
    }
    OneView(const OneView&) = delete;

    [[nodiscard]] lanecull::Status cull() {
        return lanecull::cull({&batch_, 1}, {&view_, 1}, {&output_, 1}, scratch_, options_);
    }
    [[nodiscard]] std::uint64_t kept() const { return output_.visible_count; }

private:
    const lanecull::Batch batch_;
    const lanecull::View view_;
    std::vector<std::uint64_t> words_;
    std::vector<std::byte> scratch_;
    lanecull::Output output_;
    const lanecull::CullOptions options_;
};

/// Box instances, culled straight away.
void measure_instances(benchmark::State& state, std::uint32_t count, lanecull::Isa isa) {
    const MovingObjects objects(count);
    OneView one(
        lanecull::BoxInstances{{.first = objects.transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
                               {objects.boxes()},
                               count},
        isa);
    const auto pass = [&] {
        const lanecull::Status status = one.cull();
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, count, bytes_of_an_instance, 1, pass, [&] { return one.kept(); });
}

/// The same objects as world boxes, and a cull of these.
void measure_boxes_then_cull(benchmark::State& state, std::uint32_t count, lanecull::Isa isa) {
    MovingObjects objects(count);
    auto& w = objects.world;
    const lanecull::BoxStreams out{w[0].data(), w[1].data(), w[2].data(), w[3].data(), w[4].data(), w[5].data()};
    OneView one(lanecull::Boxes{out.min_x, out.min_y, out.min_z, out.max_x, out.max_y, out.max_z, count}, isa);
    const auto pass = [&] {
        lanecull::Status status = lanecull::world_boxes(
            {objects.boxes()}, {.first = objects.transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
            count, out, {isa});
        if (status.ok()) status = one.cull();
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, count, bytes_of_a_box + 24, 1, pass, [&] { return one.kept(); });
}

void add_yardstick(lanecull::Isa isa, const WorldBoxLoop& loop, const std::string& size, std::uint32_t count) {
    if (!lanecull::isa_runnable(isa)) return;
    const std::string name = std::string("world/yardstick/") + lanecull::isa_name(isa) + size;
    benchmark::RegisterBenchmark(name.c_str(), measure_yardstick, count, &loop);
}

}  // namespace

void register_world_benchmarks() {
    for (const auto& [size, count] : {std::pair{"/10k", 9'984u}, {"", 1'000'000u}}) {
        for (const lanecull::Isa isa : lanecull::all_isas) {
            if (!lanecull::isa_runnable(isa)) continue;
            const std::string set = std::string(lanecull::isa_name(isa)) + size;
            benchmark::RegisterBenchmark(("world/boxes/" + set).c_str(), measure_boxes, count, isa);
            benchmark::RegisterBenchmark(("world/spheres/" + set).c_str(), measure_spheres, count, isa);
            for (const bool by_axes : {false, true}) {
                benchmark::RegisterBenchmark(
                    (std::string("world/oriented_") + (by_axes ? "axes/" : "boxes/") + set).c_str(),
                    measure_oriented_boxes, count, isa, by_axes);
            }
            benchmark::RegisterBenchmark(("world/visible/" + set).c_str(), measure_visible_bounds, count, isa);
            benchmark::RegisterBenchmark(("world/slices/" + set).c_str(), measure_slice_bounds, count, isa);
            benchmark::RegisterBenchmark(("world/instances/" + set).c_str(), measure_instances, count, isa);
            benchmark::RegisterBenchmark(("world/boxes_then_cull/" + set).c_str(), measure_boxes_then_cull, count, isa);
        }
        add_yardstick(lanecull::Isa::avx2, world_box_loop_avx2, size, count);
        add_yardstick(lanecull::Isa::avx512, world_box_loop_avx512, size, count);
    }
}

}  // namespace bench
