#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/choose_occluders.hpp>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/camera.hpp"
#include "workloads/frame_field.hpp"

/// Choosing occluders: time a solid of all that are to choose from, preparing those chosen included. `kept` is the
/// share that was chosen.
///
///   occluders/choose/<solids>/<most>[/again]   again: with the last frame's choice and counts
namespace bench {
namespace {

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The boxes of the field are solid. 53 % of them are in view.
std::vector<lanecull::SolidBox> solids_of(const FrameField& field) {
    std::vector<lanecull::SolidBox> solids(field.streams[0].size());
    for (std::size_t i = 0; i < solids.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            solids[i].min[k] = field.streams[k][i];
            solids[i].max[k] = field.streams[k + 3][i];
        }
    }
    return solids;
}

void measure_choice(benchmark::State& state, std::uint32_t solid_count, std::size_t most, bool again) {
    const FrameField field(solid_count);
    const std::vector<lanecull::SolidBox> boxes = solids_of(field);
    const Camera camera = frame_camera(field.side, field.side);
    const Matrix matrix = matrix_of(camera);
    const lanecull::View view = prepare(camera);
    lanecull::Viewpoint viewpoint;
    require(prepare_viewpoint(matrix.clip_from_world, matrix.clip_space, viewpoint));
    std::vector<lanecull::Occluder> occluders(most);
    std::vector<std::uint32_t> indices(most), last, hidden;
    std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(boxes.size()));
    std::uint32_t count = 0;
    const auto pass = [&] {
        require(choose_occluders({.boxes = boxes}, view, viewpoint, occluders, indices, scratch, count,
                                 {.last_chosen = last, .last_hidden = hidden}));
        return true;
    };
    if (again) {
        pass();
        last.assign(indices.begin(), indices.begin() + count);
        for (std::uint32_t k = 0; k < count; ++k) hidden.push_back(1000 / (k + 1));
    }
    measure(state, solid_count, sizeof(lanecull::SolidBox), 1, pass, [&] { return count; });
}

}  // namespace

void register_occluder_benchmarks() {
    for (const std::uint32_t solids : {1'000u, 5'000u, 20'000u}) {
        for (const std::size_t most : {std::size_t{1}, std::size_t{16}, std::size_t{64}}) {
            for (const bool again : {false, true}) {
                const std::string name =
                    "occluders/choose/" + std::to_string(solids) + "/" + std::to_string(most) + (again ? "/again" : "");
                benchmark::RegisterBenchmark(name.c_str(), measure_choice, solids, most, again);
            }
        }
    }
}

}  // namespace bench
