#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lanecull/pairs.h>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "peers/pairs.hpp"

namespace bench {
namespace {

/// How many distances are off by more than a millionth of the larger of 1 and the distance, and how many verdicts
/// differ, from those that our doubles have.
std::size_t wrong_distances(PairEngine& engine, PairEngine& ours, std::size_t count) {
    std::vector<double> found(count), right(count);
    engine.sum_distances(found);
    ours.sum_distances(right);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) wrong += std::fabs(found[i] - right[i]) > 1e-6 * std::max(1.0, right[i]);
    return wrong;
}
std::size_t wrong_verdicts(PairEngine& engine, PairEngine& ours, std::size_t count) {
    const auto found = std::make_unique<bool[]>(count), right = std::make_unique<bool[]>(count);
    engine.count_intersecting({found.get(), count});
    ours.count_intersecting({right.get(), count});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) wrong += found[i] != right[i];
    return wrong;
}

using CountWrong = std::size_t (*)(PairEngine& engine, PairEngine& ours, std::size_t count);

/// count_wrong: null if nothing is counted.
template <class Pass>
void measure_pairs(benchmark::State& state, const PairEngineEntry& entry, PairKind kind, Pass pass,
                   CountWrong count_wrong) {
    const PairWorkload& workload = pair_workload(kind);
    const auto engine = entry.make(workload);
    const std::size_t intersecting = engine->count_intersecting({});
    measure(
        state, static_cast<std::uint32_t>(workload.pairs.size()), 0, 1,
        [&] {
            auto result = pass(*engine);
            benchmark::DoNotOptimize(result);
            return true;
        },
        [&] { return intersecting; });
    const bool is_mixed = kind == PairKind::sphere_hull || kind == PairKind::capsule_hull;
    if (count_wrong == nullptr || is_mixed) return;
    state.counters["wrong"] =
        static_cast<double>(count_wrong(*engine, *lanecull_pairs(workload), workload.pairs.size()));
}

/// 2,000 crates that stand on a floor of half-extent 5,000, along no axis, all but touching it: floats leave every pair
/// open.
struct Standing {
    static constexpr std::uint32_t count = 2000;
    std::vector<float> x, y, z, half, down, aside;
    std::vector<std::uint32_t> crate, floor;
    float axes[9] = {4, 3, 0, -3, 4, 0, 0, 0, 5}, center[3] = {3, -4, 0}, half_extents[3] = {1000, 1, 1000};
    lanecull::OrientedBoxes floors;

    Standing() : half(count, 0.5f), aside(count, 0.0f), floor(count, 0) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto along = static_cast<float>(i % 64) - 32;
            x.push_back(4 * along - 0.42f), y.push_back(3 * along + 0.56f), z.push_back(static_cast<float>(i / 64));
            down.push_back(-1);
            crate.push_back(i);
        }
        floors.x = center, floors.y = center + 1, floors.z = center + 2;
        floors.axes = {axes}, floors.half_extents = {half_extents}, floors.count = 1;
    }
    [[nodiscard]] lanecull::CenteredBoxes crates() const {
        return {x.data(), y.data(), z.data(), half.data(), half.data(), half.data(), count};
    }
    [[nodiscard]] lanecull::PairIndices pairs() const { return {crate.data(), floor.data(), count}; }
};

template <class Call>
void measure_standing(benchmark::State& state, const Call& call) {
    const Standing standing;
    measure(
        state, Standing::count, 0, 1, [&] { return static_cast<bool>(call(standing)); }, [] { return std::size_t{0}; });
}

void register_open_pairs() {
    const auto add = [](const char* name, auto call) {
        benchmark::RegisterBenchmark(name, [call](benchmark::State& state) {
            measure_standing(state, call);
        })->Unit(benchmark::kMicrosecond);
    };
    add("pair/open/boolean", [](const Standing& s) {
        std::array<std::uint64_t, Standing::count / 64 + 1> words;
        return lanecull::separate_pairs(s.crates(), s.floors, s.pairs(), words);
    });
    add("pair/open/cast", [](const Standing& s) {
        std::array<float, Standing::count> earliest, latest;
        return lanecull::cast_pairs(s.crates(), s.floors, s.pairs(), {s.aside.data(), s.down.data(), s.aside.data()},
                                    {earliest.data(), latest.data()});
    });
}

}  // namespace

void register_pair_benchmarks() {
    register_open_pairs();
    for (const PairKind kind : all_pair_kinds) {
        for (const PairEngineEntry& entry : pair_engines()) {
            if (!entry.has(kind)) continue;
            const std::string prefix = std::string("pair/") + name(kind) + '/';
            const auto add = [&](const char* what, CountWrong count_wrong, auto pass) {
                benchmark::RegisterBenchmark((prefix + what + '/' + entry.name).c_str(), [&entry, kind, pass,
                                                                                          count_wrong](
                                                                                             benchmark::State& state) {
                    measure_pairs(state, entry, kind, pass, count_wrong);
                })->Unit(benchmark::kMicrosecond);
            };
            if (entry.has_boolean) {
                add("boolean", wrong_verdicts, [](PairEngine& engine) { return engine.count_intersecting({}); });
            }
            if (entry.has_cast) add("cast", nullptr, [](PairEngine& engine) { return engine.sum_casts({}); });
            if (entry.has_depth) {
                add("depth", nullptr, [](PairEngine& engine) { return engine.sum_depths(); });
                add("contacts", nullptr, [](PairEngine& engine) { return engine.count_contacts(); });
            }
            if (entry.has_turning) add("turning", nullptr, [](PairEngine& engine) { return engine.count_turning(); });
            if (entry.has_distance) {
                add("distance", wrong_distances, [](PairEngine& engine) { return engine.sum_distances({}); });
            }
        }
    }
}

}  // namespace bench
