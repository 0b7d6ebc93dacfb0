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
#include "support/scale.hpp"

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

/// Calls add(lower, upper) with each module of a box.
template <class Add>
void cut(const glm::vec3& lower, const glm::vec3& upper, const Add& add) {
    for (int m = 0; m < modules[0] * modules[1] * modules[2]; ++m) {
        const int at[3] = {m % modules[0], m / modules[0] % modules[1], m / (modules[0] * modules[1])};
        glm::vec3 low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = line(lower[k], upper[k], at[k], modules[k]);
            high[k] = line(lower[k], upper[k], at[k] + 1, modules[k]);
        }
        add(low, high);
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

/// What hides: the city's buildings, all their modules, and these merged. Modules of turned buildings are merged in the
/// coordinates of their building.
struct Solids {
    Scene whole, cut_up, merged_again;

    explicit Solids(const Scene& city) {
        BoxArrays buildings, parts;
        OrientedBoxArrays turned, turned_parts, turned_merged;
        for (const Group& group : city.groups) {
            if (group.solid_objects.empty()) continue;
            if (const auto* boxes = std::get_if<BoxArrays>(&group.arrays)) {
                for (std::size_t i = 0; i < boxes->min_x.size(); ++i) {
                    const glm::vec3 low(boxes->min_x[i], boxes->min_y[i], boxes->min_z[i]);
                    const glm::vec3 high(boxes->max_x[i], boxes->max_y[i], boxes->max_z[i]);
                    buildings.add(low, high);
                    cut(low, high, [&](const auto& l, const auto& h) { parts.add(l, h); });
                }
            } else if (const auto* oriented = std::get_if<OrientedBoxArrays>(&group.arrays)) {
                for (std::size_t i = 0; i < oriented->x.size(); ++i) {
                    const float* half = &oriented->half_extents[3 * i];
                    const glm::vec3 high(half[0], half[1], half[2]);
                    BoxArrays local, all;
                    all.add(-high, high);
                    add_turned(all, *oriented, i, turned);
                    cut(-high, high, [&](const auto& l, const auto& h) { local.add(l, h); });
                    add_turned(local, *oriented, i, turned_parts);
                    add_turned(merged(local), *oriented, i, turned_merged);
                }
            }
        }
        merged_again.add_solid("merged", merged(parts));
        merged_again.add_solid("turned", std::move(turned_merged));
        cut_up.add_solid("modules", std::move(parts));
        cut_up.add_solid("turned", std::move(turned_parts));
        whole.add_solid("buildings", std::move(buildings));
        whole.add_solid("turned", std::move(turned));
    }
};

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
    const Solids solids(city);
    const std::uint64_t whole = hidden_by(solids.whole, city, path), parts = hidden_by(solids.cut_up, city, path);
    const std::uint64_t again = hidden_by(solids.merged_again, city, path);
    const auto share = [&](std::uint64_t hidden) { return double(hidden) / double(whole); };
    const auto mean = [&](std::uint64_t hidden) { return double(hidden) / double(path.size()); };
    std::printf(
        "[ figures  ] %llu objects, %zu frames, %zu occluders a frame, objects hidden a frame: %llu buildings "
        "%.1f, %llu modules %.1f (%.3f), %llu merged %.1f (%.3f)\n",
        static_cast<unsigned long long>(city.object_count()), path.size(), occluders_a_frame,
        static_cast<unsigned long long>(solids.whole.object_count()), mean(whole),
        static_cast<unsigned long long>(solids.cut_up.object_count()), mean(parts), share(parts),
        static_cast<unsigned long long>(solids.merged_again.object_count()), mean(again), share(again));
    EXPECT_GT(mean(whole), 100);
    EXPECT_LT(share(parts), 0.8) << "modules alone hide as much: the test tells nothing";
    EXPECT_GE(share(again), 0.95);
    // More than buildings, since where these overlap one box does not do.
    EXPECT_LT(double(solids.merged_again.object_count()), 1.5 * double(solids.whole.object_count()));
}

}  // namespace
