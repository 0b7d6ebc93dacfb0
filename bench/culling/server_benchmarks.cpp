#include <lanecull/lanecull.h>

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"

extern "C" {
#include "examples/server/rooms.h"
#include "examples/server/sight.h"
}

/// A game's server (tools/examples/server): which of 64 enemies may each of 64 players see within 100 ms of lag, behind
/// 360 solids? Time a pair, of 4,096; `kept` is the share that is sent.
///
///   occluders/server/<run|start>   run: all run on by a 64th of a second at 6 m/s, and those who left their cell get a
///                                       new one; `cells` counts these
///                                  start: all have left their cells, and 24 get a new one
namespace bench {
namespace {

constexpr std::uint32_t pairs = sight_players * sight_players;

struct Server {
    using Feet = std::array<float[3], sight_players>;

    std::unique_ptr<rooms> map = std::make_unique<rooms>();
    std::vector<Feet> ticks = std::vector<Feet>(512);
    std::unique_ptr<sight, void (*)(sight*)> eyes{nullptr, sight_end};
    std::array<std::uint64_t, sight_players> sent{};

    Server() {
        std::array<runner, sight_players> players{};
        rooms_make(map.get(), 7);
        rooms_place(map.get(), players.data(), sight_players);
        for (Feet& feet : ticks) {
            rooms_run(map.get(), players.data(), sight_players, 6.0F / 64);
            for (std::size_t p = 0; p < sight_players; ++p) {
                for (std::size_t k = 0; k < 3; ++k) feet[p][k] = players[p].feet[k];
            }
        }
        eyes.reset(sight_of_map(&map->solids, map->low, map->high));
        if (eyes == nullptr) throw std::runtime_error("the server has no map");
    }
    /// Returns how many of the pairs are sent.
    std::uint64_t tick(std::size_t t) {
        if (sight_tick(eyes.get(), ticks[t].data(), sight_players, sent.data()) != 0) {
            throw std::runtime_error("a tick failed");
        }
        std::uint64_t count = 0;
        for (const std::uint64_t word : sent) count += static_cast<std::uint64_t>(std::popcount(word));
        return count;
    }
    /// The map takes a second, so benchmarks share it.
    static Server& shared() {
        static Server server;
        return server;
    }
    void forget_cells() {
        for (sight_cell& cell : eyes->cells) cell.home.low[0] = cell.home.high[0] + 1;
    }
};

void measure_running(benchmark::State& state) {
    Server& server = Server::shared();
    std::size_t t = 0;
    std::uint64_t kept = 0, made = 0, passes = 0;
    bool forward = true;
    server.forget_cells();
    server.tick(0);
    for (int k = 0; k < sight_players / sight_new_cells; ++k) server.tick(0);  // the other cells
    const auto pass = [&] {
        forward = t == 0 || (forward && t + 1 < server.ticks.size());  // to and fro
        t = forward ? t + 1 : t - 1;
        kept += server.tick(t);
        made += server.eyes->made, ++passes;
        return true;
    };
    measure(state, pairs, 0, 1, pass, [&] { return kept / passes; });
    state.counters["cells"] = static_cast<double>(made) / static_cast<double>(passes);
}

void measure_start(benchmark::State& state) {
    Server& server = Server::shared();
    std::uint64_t kept = 0;
    const auto pass = [&] {
        server.forget_cells();
        kept = server.tick(0);
        return true;
    };
    measure(state, pairs, 0, 1, pass, [&] { return kept; });
}

}  // namespace

void register_server_benchmarks() {
    benchmark::RegisterBenchmark("occluders/server/run", measure_running);
    benchmark::RegisterBenchmark("occluders/server/start", measure_start);
}

}  // namespace bench
