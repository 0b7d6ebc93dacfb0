#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/tbb.hpp>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/frame_field.hpp"
#include "workloads/random.hpp"

/// A tenth of a scene's 10^6 boxes moves, chosen by chance: `place` gives them new corners, `move` adds to the old
/// ones. Each with the refit() that must follow.
///
///   scene/<place|move>/<grown|tight>/<threads>
namespace bench {
namespace {

constexpr std::uint32_t objects = 1'000'000, moving = objects / 10;

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The scene, and two sets of corners for the boxes that move, some 3 apart: passes go to and fro.
struct MovingScene {
    MovingScene() : field(objects), handles(objects) {
        const lanecull::Batch batch = field.boxes();
        require(scene.add({&batch, 1}, handles, {.mobility = lanecull::Mobility::moving}));
        Random random(5);
        for (std::uint32_t i = 0; i < moving; ++i) {
            const std::uint32_t chosen = i + random.below(objects - i);
            std::swap(handles[i], handles[chosen]);
            for (auto& stream : field.streams) std::swap(stream[i], stream[chosen]);
        }
        handles.resize(moving);
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::uint32_t i = 0; i < moving; ++i) {
                const auto by = static_cast<float>(random.uniform(-3, 3));
                step[0][k].push_back(by);
                step[1][k].push_back(-by);
                for (const std::size_t side : {k, k + 3}) {
                    corners[0][side].push_back(field.streams[side][i]);
                    corners[1][side].push_back(field.streams[side][i] + by);
                }
            }
        }
    }
    [[nodiscard]] lanecull::Boxes boxes(std::size_t at) const {
        const auto& c = corners[at];
        return {c[0].data(), c[1].data(), c[2].data(), c[3].data(), c[4].data(), c[5].data(), moving};
    }

    FrameField field;
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles;
    std::array<std::array<std::vector<float>, 6>, 2> corners;
    std::array<std::array<std::vector<float>, 3>, 2> step;
};

void measure_moves(benchmark::State& state, bool place, lanecull::Refit fit, int threads) {
    MovingScene moved;
    lanecull::TbbRunner tbb(threads);
    const lanecull::Runner runner = threads == 1 ? lanecull::Runner() : tbb.runner();
    std::size_t at = 0;
    const auto pass = [&] {
        at = 1 - at;
        if (place) {
            require(moved.scene.place(moved.handles, moved.boxes(at), runner));
        } else {
            const auto& by = moved.step[1 - at];
            require(moved.scene.move(moved.handles, by[0].data(), by[1].data(), by[2].data()));
        }
        moved.scene.refit(fit, runner);
        return true;
    };
    measure(state, moving, 24, threads, pass, [] { return moving; });
}

}  // namespace

void register_place_benchmarks() {
    for (const int threads : thread_counts()) {
        for (const auto& [fit, fit_name] :
             {std::pair(lanecull::Refit::grown, "grown"), {lanecull::Refit::tight, "tight"}}) {
            for (const bool place : {true, false}) {
                const std::string name =
                    std::string("scene/") + (place ? "place/" : "move/") + fit_name + "/" + std::to_string(threads);
                benchmark::RegisterBenchmark(name.c_str(), measure_moves, place, fit, threads);
            }
        }
    }
}

}  // namespace bench
