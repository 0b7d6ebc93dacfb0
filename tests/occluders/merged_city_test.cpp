#include <gtest/gtest.h>

#include <lanecull/cull.h>
#include <lanecull/solids.h>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "../../tools/lanecull/cull/occluder_choice.hpp"
#include "../../tools/lanecull/scene/camera_path.hpp"
#include "../../tools/lanecull/scene/city.hpp"
#include "support/random.hpp"

/// The city of the program with its buildings cut into modules: merged again by merge_boxes(), they hide what the
/// buildings hide. With LANECULL_TEST_SCALE=5 it is the city and the walk of bench/ANALYSIS.md.

namespace {

using namespace lanecull::program;

constexpr std::size_t occluders_a_frame = 16;
constexpr int modules[3] = {6, 6, 4};

/// Line i of n + 1 from low to high. Modules abut where they compute their common line alike.
float line(float low, float high, int i, int n) {
    return i == n ? high : static_cast<float>(low + (static_cast<double>(high) - low) * i / n);
}

enum class How { whole, cut_up, merged_again };

/// Adds a box, or its modules.
void add(const glm::vec3& lower, const glm::vec3& upper, How how, BoxArrays& to) {
    if (how == How::whole) return to.add(lower, upper);
    for (int m = 0; m < modules[0] * modules[1] * modules[2]; ++m) {
        const int at[3] = {m % modules[0], m / modules[0] % modules[1], m / (modules[0] * modules[1])};
        glm::vec3 low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = line(lower[k], upper[k], at[k], modules[k]);
            high[k] = line(lower[k], upper[k], at[k] + 1, modules[k]);
        }
        to.add(low, high);
    }
}

BoxArrays merged(const BoxArrays& boxes) {
    lanecull::SolidBoxes result;
    const lanecull::Status status = lanecull::merge_boxes(boxes.shapes(), result);
    EXPECT_TRUE(status.ok()) << status.message();
    const lanecull::Boxes b = result.boxes();
    BoxArrays arrays;
    for (std::uint32_t i = 0; i < b.count; ++i) {
        arrays.add({b.min_x[i], b.min_y[i], b.min_z[i]}, {b.max_x[i], b.max_y[i], b.max_z[i]});
    }
    return arrays;
}

/// Adds boxes along the axes of oriented box i and relative to its centre.
void add_turned(const BoxArrays& boxes, const OrientedBoxArrays& from, std::size_t i, OrientedBoxArrays& to) {
    glm::mat3 axes;
    for (std::size_t k = 0; k < 9; ++k) axes[static_cast<int>(k / 3)][static_cast<int>(k % 3)] = from.axes[9 * i + k];
    for (std::size_t b = 0; b < boxes.min_x.size(); ++b) {
        const glm::vec3 low(boxes.min_x[b], boxes.min_y[b], boxes.min_z[b]);
        const glm::vec3 high(boxes.max_x[b], boxes.max_y[b], boxes.max_z[b]);
        to.add(glm::vec3(from.x[i], from.y[i], from.z[i]) + axes * (0.5F * (low + high)), axes, 0.5F * (high - low));
    }
}

/// What hides: the city's buildings, all their modules, or these merged. Modules of turned buildings are merged in the
/// coordinates of their building.
Scene solids_of(const Scene& city, How how) {
    BoxArrays all;
    OrientedBoxArrays turned;
    for (const Group& group : city.groups) {
        if (group.solid_objects.empty()) continue;
        if (const auto* boxes = std::get_if<BoxArrays>(&group.arrays)) {
            for (std::size_t i = 0; i < boxes->min_x.size(); ++i) {
                add({boxes->min_x[i], boxes->min_y[i], boxes->min_z[i]},
                    {boxes->max_x[i], boxes->max_y[i], boxes->max_z[i]}, how, all);
            }
        } else if (const auto* oriented = std::get_if<OrientedBoxArrays>(&group.arrays)) {
            for (std::size_t i = 0; i < oriented->x.size(); ++i) {
                const float* half = &oriented->half_extents[3 * i];
                const glm::vec3 high(half[0], half[1], half[2]);
                BoxArrays local;
                add(-high, high, how, local);
                add_turned(how == How::merged_again ? merged(local) : local, *oriented, i, turned);
            }
        }
    }
    Scene solids;
    solids.add_solid("boxes", how == How::merged_again ? merged(all) : std::move(all));
    solids.add_solid("turned", std::move(turned));
    return solids;
}

/// Of the city's objects, how many the occluders of a walk's frames hide, in all.
std::uint64_t hidden_by(const Scene& solids, const Scene& city, const CameraPath& path) {
    OccluderChoice choice(solids, {.most = occluders_a_frame});
    const std::vector<lanecull::Batch> batches = city.batches();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    std::uint64_t hidden = 0;
    const auto run_frame = [&](const Camera& camera) {
        const lanecull::View view = camera.view();
        const auto chosen = choice.choose(camera, view);
        std::vector<lanecull::Occluder> occluders(chosen.begin(), chosen.end());
        for (lanecull::Occluder& occluder : occluders) occluder.owners = {};  // the city draws all of its buildings
        lanecull::Explanation why;
        lanecull::Output output{.explanation = &why};
        output.occluders = occluders;
        output.hidden_counts = choice.hidden_counts();
        const lanecull::Status status = lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch);
        EXPECT_TRUE(status.ok()) << status.message();
        return why.counts[lanecull::Reason::culled_occluded];
    };
    for (int round = 0; round < OccluderChoice::warm_up_rounds; ++round) run_frame(path.front());
    for (const Camera& camera : path) hidden += run_frame(camera);
    return hidden;
}

TEST(MergedCity, HidesWhatItsBuildingsHide) {
    const Scene city = make_city(static_cast<std::uint64_t>(std::max(5'000, scaled(20'000))));
    LensOptions lens;
    lens.far = 1500;
    const CameraPath path =
        walking_path(city.walk, city.bounds(), city.up, static_cast<std::size_t>(std::max(6, scaled(12))), lens);
    const Scene buildings = solids_of(city, How::whole), cut_up = solids_of(city, How::cut_up),
                merged_again = solids_of(city, How::merged_again);
    const std::uint64_t whole = hidden_by(buildings, city, path), parts = hidden_by(cut_up, city, path);
    const std::uint64_t again = hidden_by(merged_again, city, path);
    const auto share = [&](std::uint64_t hidden) { return double(hidden) / double(whole); };
    const auto mean = [&](std::uint64_t hidden) { return double(hidden) / double(path.size()); };
    std::printf(
        "[ figures  ] %llu objects, %zu frames, %zu occluders a frame, objects hidden a frame: %llu buildings "
        "%.1f, %llu modules %.1f (%.3f), %llu merged %.1f (%.3f)\n",
        static_cast<unsigned long long>(city.object_count()), path.size(), occluders_a_frame,
        static_cast<unsigned long long>(buildings.object_count()), mean(whole),
        static_cast<unsigned long long>(cut_up.object_count()), mean(parts), share(parts),
        static_cast<unsigned long long>(merged_again.object_count()), mean(again), share(again));
    EXPECT_GT(mean(whole), 100);
    EXPECT_LT(share(parts), 0.8) << "modules alone hide as much: the test tells nothing";
    EXPECT_GE(share(again), 0.95);
    // More than buildings, since where these overlap one box does not do.
    EXPECT_LT(double(merged_again.object_count()), 1.5 * double(buildings.object_count()));
}

}  // namespace
