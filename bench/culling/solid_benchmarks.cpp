#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/solids.h>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/box_streams.hpp"
#include "workloads/random.hpp"

/// Solid boxes: some 10^5 boxes merged, times per box; boxes inside meshes, times per triangle. `kept` are the results.
namespace bench {
namespace {

/// 27 x 27 buildings of 6 x 6 x 4 modules.
BoxStreams modules() {
    BoxStreams city;
    constexpr int blocks = 27;
    for (int block = 0; block < blocks * blocks; ++block) {
        const auto x = 40 * static_cast<float>(block % blocks), y = 40 * static_cast<float>(block / blocks);
        for (int module = 0; module < 6 * 6 * 4; ++module) {
            const std::array<float, 3> lo = {x + 4 * static_cast<float>(module % 6),
                                             y + 3 * static_cast<float>(module / 6 % 6),
                                             3 * static_cast<float>(module / 36)};
            city.add(lo, {lo[0] + 4, lo[1] + 3, lo[2] + 3});
        }
    }
    return city;
}

/// The same on a ground, which connects them.
BoxStreams modules_on_ground() {
    BoxStreams city = modules();
    city.add({-100, -100, -1}, {2000, 2000, 0});
    return city;
}

/// 316 x 316 columns, each of its own height: nothing becomes fewer, and all hang together.
BoxStreams terrain() {
    BoxStreams columns;
    Random random(11);
    for (int i = 0; i < 316; ++i) {
        for (int j = 0; j < 316; ++j) {
            const double height = 10 * std::sin(0.05 * i) * std::cos(0.07 * j) + random.uniform(0, 0.5);
            const auto x = static_cast<float>(i), y = static_cast<float>(j);
            columns.add({x, y, -12}, {x + 1, y + 1, static_cast<float>(height)});
        }
    }
    return columns;
}

/// 10^5 boxes of any sizes, each of which overlaps some others.
BoxStreams overlapping() {
    BoxStreams boxes;
    Random random(12);
    for (int i = 0; i < 100'000; ++i) {
        std::array<float, 3> lo, hi;
        for (std::size_t k = 0; k < 3; ++k) {
            lo[k] = static_cast<float>(random.uniform(0, 46));
            hi[k] = lo[k] + static_cast<float>(random.uniform(0.1, 2));
        }
        boxes.add(lo, hi);
    }
    return boxes;
}

void measure_merging(benchmark::State& state, BoxStreams (*make)()) {
    const BoxStreams given = make();
    lanecull::SolidBoxes merged;
    const auto pass = [&] {
        const lanecull::Status status = lanecull::merge_boxes(given.boxes(), merged);
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, given.boxes().count, 24, 1, pass, [&] { return merged.count(); });
}

struct Surface {
    std::vector<std::array<float, 3>> vertices;
    std::vector<std::uint32_t> indices;
};

/// A torus of so many squares, each two triangles.
Surface torus(double radius, int around, int along) {
    Surface surface;
    const double turn = 2 * std::acos(-1.0);
    for (int b = 0; b < along; ++b) {
        for (int a = 0; a < around; ++a) {
            const double r = radius + 2 * std::cos(turn * b / along), at = turn * a / around;
            surface.vertices.push_back({static_cast<float>(r * std::cos(at)), static_cast<float>(r * std::sin(at)),
                                        static_cast<float>(2 * std::sin(turn * b / along))});
            const auto index = [&](int i, int j) {
                return static_cast<std::uint32_t>(j % along * around + i % around);
            };
            const std::uint32_t square[] = {index(a, b), index(a + 1, b), index(a + 1, b + 1), index(a, b + 1)};
            surface.indices.insert(surface.indices.end(),
                                   {square[0], square[1], square[2], square[0], square[2], square[3]});
        }
    }
    return surface;
}

void measure_filling(benchmark::State& state, int around, std::uint32_t resolution) {
    const Surface surface = torus(5, around, around / 2);
    const float* const v = surface.vertices[0].data();
    const lanecull::TriangleMesh mesh{
        {v, v + 1, v + 2, static_cast<std::uint32_t>(surface.vertices.size()), 3 * sizeof(float)},
        surface.indices.data(),
        static_cast<std::uint32_t>(surface.indices.size() / 3)};
    lanecull::SolidBoxes boxes;
    lanecull::MeshVolumes volumes;
    const auto pass = [&] {
        const lanecull::Status status = lanecull::solid_boxes(mesh, boxes, {.resolution = resolution}, &volumes);
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, mesh.triangle_count, 36, 1, pass, [&] { return boxes.count(); });
    state.counters["share"] = volumes.boxes / volumes.mesh;
}

/// Points of a ball, round and round from pole to pole.
std::vector<std::array<float, 3>> ball(int count) {
    std::vector<std::array<float, 3>> points;
    for (int i = 0; i < count; ++i) {
        const double z = -1 + 2 * (i + 0.5) / count, r = std::sqrt(1 - z * z), at = 2.4 * i;
        points.push_back(
            {static_cast<float>(r * std::cos(at)), static_cast<float>(r * std::sin(at)), static_cast<float>(z)});
    }
    return points;
}

void measure_inscribing(benchmark::State& state, int count) {
    const std::vector<std::array<float, 3>> points = ball(count);
    const float* const v = points[0].data();
    const lanecull::Vertices vertices{v, v + 1, v + 2, static_cast<std::uint32_t>(count), 3 * sizeof(float)};
    lanecull::SolidHull hull;
    const auto pass = [&] {
        const lanecull::Status status = lanecull::inscribe_hull(vertices, hull);
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, vertices.count, 12, 1, pass, [&] { return hull.corner_count; });
}

/// A ball of so many squares around, each two triangles, from one ring to the next; both ends closed by fans.
Surface closed_ball(int around, int rings) {
    const double turn = 2 * std::acos(-1.0);
    Surface surface;
    for (int b = 0; b < rings; ++b) {
        const double polar = turn / 2 * (b + 1) / (rings + 1);
        for (int a = 0; a < around; ++a) {
            surface.vertices.push_back({static_cast<float>(std::sin(polar) * std::cos(turn * a / around)),
                                        static_cast<float>(std::sin(polar) * std::sin(turn * a / around)),
                                        static_cast<float>(-std::cos(polar))});
        }
    }
    const auto index = [&](int a, int b) { return static_cast<std::uint32_t>(b * around + a % around); };
    const auto bottom = static_cast<std::uint32_t>(surface.vertices.size()), top = bottom + 1;
    surface.vertices.insert(surface.vertices.end(), {{0, 0, -1}, {0, 0, 1}});
    for (int a = 0; a < around; ++a) {
        surface.indices.insert(surface.indices.end(), {bottom, index(a + 1, 0), index(a, 0)});
        surface.indices.insert(surface.indices.end(), {top, index(a, rings - 1), index(a + 1, rings - 1)});
        for (int b = 0; b + 1 < rings; ++b) {
            const std::uint32_t square[] = {index(a, b), index(a + 1, b), index(a + 1, b + 1), index(a, b + 1)};
            surface.indices.insert(surface.indices.end(),
                                   {square[0], square[1], square[2], square[0], square[2], square[3]});
        }
    }
    return surface;
}

void measure_solid_hull(benchmark::State& state, int around) {
    const Surface surface = closed_ball(around, around / 2);
    const float* const v = surface.vertices[0].data();
    const lanecull::TriangleMesh mesh{
        {v, v + 1, v + 2, static_cast<std::uint32_t>(surface.vertices.size()), 3 * sizeof(float)},
        surface.indices.data(),
        static_cast<std::uint32_t>(surface.indices.size() / 3)};
    lanecull::SolidHull hull;
    const auto pass = [&] {
        const lanecull::Status status = lanecull::solid_hull(mesh, {0, 0, 0}, hull);
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, mesh.triangle_count, 36, 1, pass, [&] { return hull.corner_count; });
}

}  // namespace

void register_solid_benchmarks() {
    const struct {
        const char* name;
        BoxStreams (*make)();
    } lists[] = {
        {"modules", modules}, {"ground", modules_on_ground}, {"terrain", terrain}, {"overlapping", overlapping}};
    for (const auto& [name, make] : lists) {
        benchmark::RegisterBenchmark((std::string("solids/merge_boxes/") + name).c_str(), measure_merging, make);
    }
    for (const auto& [size, around] : {std::pair{"2k", 48}, {"160k", 400}}) {
        for (const std::uint32_t resolution : {32u, 64u}) {
            const std::string name = std::string("solids/solid_boxes/") + size + "/" + std::to_string(resolution);
            benchmark::RegisterBenchmark(name.c_str(), measure_filling, around, resolution);
        }
    }
    for (const int count : {100, 1000, 10000}) {
        const std::string name = "solids/inscribe_hull/" + std::to_string(count);
        benchmark::RegisterBenchmark(name.c_str(), measure_inscribing, count);
    }
    for (const auto& [size, around] : {std::pair{"2k", 46}, {"160k", 400}}) {
        benchmark::RegisterBenchmark((std::string("solids/solid_hull/") + size).c_str(), measure_solid_hull, around);
    }
}

}  // namespace bench
