/// 2D culling, beside loops that test the four sides of a rectangle and nothing else.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include <lanecull/flat.h>

#include "culling/measure.hpp"
#include "workloads/bits.hpp"
#include "workloads/random.hpp"
#include "workloads/workload.hpp"
#include "yardsticks/yardstick_flat.hpp"

namespace bench {
namespace {

namespace flat = lanecull::flat;

/// Objects of extents 0.5 to 5 on a map of 1000 by 1000, all over it; a view of 320 by 180 in the middle. Or objects
/// across the view's boundary, and no farther from it than 5.
constexpr double map_size = 1000, half_view[2] = {160, 90}, strip = 5;

/// By how much the camera is turned.
struct Turn {
    const char* name;
    double angle;
};
constexpr Turn turns[] = {{"rectangle", 0}, {"turned", 0.5}};

struct Place {
    double x, y;
};
Place place_of(Placement placement, const Turn& turn, Random& random) {
    if (placement == Placement::uniform) {
        return {random.uniform(-0.5, 0.5) * map_size, random.uniform(-0.5, 0.5) * map_size};
    }
    const std::size_t across = random.uniform(0, half_view[0] + half_view[1]) < half_view[0] ? 1 : 0;
    double at[2];
    at[across] = (random.uniform(-1, 1) < 0 ? -1 : 1) * (half_view[across] + random.uniform(-strip, strip));
    at[1 - across] = random.uniform(-1, 1) * (half_view[1 - across] + strip);
    const double c = std::cos(turn.angle), s = std::sin(turn.angle);
    return {c * at[0] - s * at[1], s * at[0] + c * at[1]};
}

enum class FlatKind { circle, box, oriented_box, capsule, polygon };
constexpr const char* kind_names[] = {"circle", "box", "oriented_box", "capsule", "polygon"};

class FlatWorkload {
public:
    FlatWorkload(FlatKind kind, Placement placement, const Turn& turn, std::uint32_t count)
        : streams_(6, Floats(count)) {
        Random random(1);
        for (std::size_t i = 0; i < count; ++i) fill(kind, place_of(placement, turn, random), random, i);
        const float* s[6];
        for (std::size_t k = 0; k < 6; ++k) s[k] = streams_[k].data();
        if (kind == FlatKind::circle) batch_ = flat::Circles{s[0], s[1], s[2], count};
        if (kind == FlatKind::box) batch_ = flat::Boxes{s[0], s[1], s[2], s[3], count};
        if (kind == FlatKind::oriented_box) batch_ = flat::OrientedBoxes{s[0], s[1], s[2], s[3], s[4], s[5], count};
        if (kind == FlatKind::capsule) batch_ = flat::Capsules{s[0], s[1], s[2], s[3], s[4], count};
        if (kind != FlatKind::polygon) return;
        const float x[] = {1, 0.3f, -0.8f, -0.8f, 0.3f}, y[] = {0, 0.95f, 0.6f, -0.6f, -0.95f};
        if (flat::prepare_polygon(x, y, 5, polygon_)) {
            batch_ = flat::PolygonInstances{s[0], s[1], s[2], s[3], &polygon_, count};
        }
    }
    FlatWorkload(const FlatWorkload&) = delete;  // batches point into it
    FlatWorkload& operator=(const FlatWorkload&) = delete;

    [[nodiscard]] const flat::Batch& batch() const { return batch_; }
    [[nodiscard]] static double bytes_per_object(FlatKind kind) {
        constexpr double bytes[] = {12, 16, 24, 20, 16};
        return bytes[static_cast<int>(kind)];
    }

private:
    void fill(FlatKind kind, const Place& place, Random& random, std::size_t i) {
        const auto [x, y] = place;
        const double a = random.uniform(0.5, 5), b = random.uniform(0.5, 5), angle = random.uniform(0, 6.283185307);
        const double c = std::cos(angle), s = std::sin(angle);
        const auto set = [&](std::initializer_list<double> numbers) {
            std::size_t k = 0;
            for (const double number : numbers) streams_[k++][i] = static_cast<float>(number);
        };
        if (kind == FlatKind::circle) set({x, y, a});
        if (kind == FlatKind::box) set({x - a, y - b, x + a, y + b});
        if (kind == FlatKind::oriented_box) set({x, y, c, s, a, b});
        if (kind == FlatKind::capsule) set({x - a * c, y - a * s, x + a * c, y + a * s, b});
        if (kind == FlatKind::polygon) set({x, y, a * c, a * s});
    }

    std::vector<Floats> streams_;
    flat::Polygon polygon_;
    flat::Batch batch_ = flat::Circles{};
};

/// What is culled, and from where.
struct Case {
    FlatKind kind;
    Placement placement;
    Turn turn;
    std::uint32_t count;
};

const FlatWorkload& flat_workload(const Case& c) {
    static std::map<std::tuple<FlatKind, Placement, double, std::uint32_t>, FlatWorkload> made;
    const double angle = c.placement == Placement::uniform ? 0 : c.turn.angle;
    return made.try_emplace({c.kind, c.placement, angle, c.count}, c.kind, c.placement, c.turn, c.count).first->second;
}

flat::View view_of(const Turn& turn) {
    flat::View view;
    const lanecull::Status status =
        turn.angle == 0
            ? flat::prepare_view(flat::Rectangle{-half_view[0], -half_view[1], half_view[0], half_view[1]}, view)
            : flat::prepare_view(
                  flat::TurnedRectangle{0, 0, half_view[0], half_view[1], std::cos(turn.angle), std::sin(turn.angle)},
                  view);
    if (!status) std::fprintf(stderr, "%s\n", status.message().text);
    return view;
}

FourSides sides_of(const Turn& turn) {
    const double c = std::cos(turn.angle), s = std::sin(turn.angle);
    const double normals[4][2] = {{c, s}, {-c, -s}, {-s, c}, {s, -c}};
    FourSides sides{};
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 2; ++j) sides.normal[k][j] = static_cast<float>(normals[k][j]);
        sides.offset[k] = static_cast<float>(half_view[k / 2]);
    }
    return sides;
}

void measure_flat_cull(benchmark::State& state, const Case& c, const lanecull::CullOptions& options) {
    const flat::Batch& batch = flat_workload(c).batch();
    const flat::View view = view_of(c.turn);
    std::vector<std::uint64_t> bits((c.count + 63) / 64);
    std::vector<std::byte> scratch(flat::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output{.visible = bits};
    const auto pass = [&] {
        const lanecull::Status status = flat::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, options);
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, c.count, FlatWorkload::bytes_per_object(c.kind), 1, pass, [&] { return output.visible_count; });
}

void measure_sides(benchmark::State& state, const Case& c, const SideLoops& loops) {
    const flat::Batch& batch = flat_workload(c).batch();
    const FourSides sides = sides_of(c.turn);
    std::vector<std::uint64_t> bits((c.count + 63) / 64);
    const float view[4] = {-160, -90, 160, 90};
    const auto pass = [&] {
        if (c.kind == FlatKind::circle) {
            loops.circles(sides, batch.shapes.circles, bits.data());
        } else if (c.turn.angle == 0) {
            loops.boxes_in_rectangle(view, batch.shapes.boxes, bits.data());
        } else {
            loops.boxes(sides, batch.shapes.boxes, bits.data());
        }
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, c.count, FlatWorkload::bytes_per_object(c.kind), 1, pass, [&] { return count_bits(bits); });
}

void register_flat(const Case& c, const char* suffix) {
    const std::string what = std::string(kind_names[static_cast<int>(c.kind)]) + '/' + c.turn.name + '/' +
                             (c.placement == Placement::uniform ? "uniform" : "straddle") + '/';
    for (const lanecull::Isa isa : {lanecull::Isa::avx512, lanecull::Isa::avx2, lanecull::Isa::sse42}) {
        if (!lanecull::isa_runnable(isa)) continue;
        const std::string set = lanecull::isa_name(isa) + std::string(suffix);
        benchmark::RegisterBenchmark(("flat/" + what + set).c_str(), [=](benchmark::State& state) {
            measure_flat_cull(state, c, {.isa = isa});
        })->Unit(benchmark::kMicrosecond);
        if (c.kind != FlatKind::circle && c.kind != FlatKind::box) continue;
        if (isa == lanecull::Isa::sse42) continue;
        const SideLoops& loops = isa == lanecull::Isa::avx512 ? side_loops_avx512 : side_loops_avx2;
        benchmark::RegisterBenchmark(("sides/" + what + set).c_str(), [=, &loops](benchmark::State& state) {
            measure_sides(state, c, loops);
        })->Unit(benchmark::kMicrosecond);
    }
}

void measure_preparing_rectangle(benchmark::State& state) {
    for (auto _ : state) {
        flat::View view;
        if (const lanecull::Status s = prepare_view(flat::TurnedRectangle{10, 20, 16, 9, 0.8, 0.6}, view); !s)
            return state.SkipWithError(s.message());
        benchmark::DoNotOptimize(view);
    }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    for (const bench::Turn& turn : bench::turns) {
        for (const bench::Size& size : bench::other_sizes) {
            if (size.count > 1'000'000) continue;
            for (const bench::Placement placement : {bench::Placement::uniform, bench::Placement::straddle}) {
                for (int kind = 0; kind < 5; ++kind) {
                    bench::register_flat({static_cast<bench::FlatKind>(kind), placement, turn, size.count},
                                         size.suffix);
                }
            }
        }
    }
    benchmark::RegisterBenchmark("prepare/turned_rectangle", bench::measure_preparing_rectangle)
        ->Unit(benchmark::kMicrosecond);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
