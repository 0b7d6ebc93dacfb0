#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <lanecull/visibility.h>

#include "../../tools/lanecull/scene/city.hpp"
#include "../../tools/lanecull/scene/scene_solids.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// Cells at street level in the program's city: their sets are little larger than what eyes in the cell may see
/// together. (That a set leaves out nothing else is a property: properties/visibility.)
///
/// LANECULL_VISIBILITY_OBJECTS, _CELLS, _EYES and _SAMPLES run more (tests/README.md); _PARTS is
/// BakeOptions::max_parts.

namespace {

using lanecull::program::SceneSolids;

constexpr double cell_size[3] = {8, 8, 2};
constexpr double near_reach = 0.2;

std::size_t wanted(const char* variable, std::size_t otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// The city with all that a bake needs.
struct City {
    lanecull::program::Scene scene;
    SceneSolids solids;
    lanecull::Scene ordered;
    lanecull::BakeScene world;
    lanecull::CellGrid grid;

    explicit City(std::uint64_t objects) : scene(lanecull::program::make_city(objects)), solids(scene) {
        std::vector<lanecull::Handle> handles(scene.object_count());
        EXPECT_TRUE(ordered.add(scene.batches(), handles).ok());
        ordered.refit();
        const lanecull::Status prepared = world.prepare(ordered, solids.set());
        EXPECT_TRUE(prepared.ok()) << prepared.message();
        const auto bounds = scene.bounds();
        const double low[3] = {bounds.lower.x, bounds.lower.y, 0.5}, high[3] = {bounds.upper.x, bounds.upper.y, 2.5};
        EXPECT_TRUE(lanecull::cover_with_cells(low, high, cell_size, grid).ok());
    }
};

City& city() {
    static City one(wanted("LANECULL_VISIBILITY_OBJECTS", static_cast<std::size_t>(std::max(4'000, scaled(20'000)))));
    return one;
}

struct Baked {
    lanecull::ConvexCell cell;
    std::vector<std::uint64_t> words;
    lanecull::BakedCell result;
    double milliseconds;
};

Baked bake(const City& city, std::uint64_t cell) {
    static std::vector<std::byte> scratch;
    Baked baked;
    baked.words.resize(city.world.visibility_words());
    scratch.resize(city.world.scratch_bytes());
    EXPECT_TRUE(lanecull::cell_of(city.grid, cell, baked.cell).ok());
    const auto parts =
        static_cast<std::uint32_t>(wanted("LANECULL_VISIBILITY_PARTS", std::size_t{lanecull::BakeOptions{}.max_parts}));
    const lanecull::BakeOptions options{.near_reach = near_reach, .max_parts = parts};
    const std::clock_t start = std::clock();
    const lanecull::Status status =
        lanecull::bake_cell(city.world, baked.cell, options, scratch, baked.words, baked.result);
    baked.milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_TRUE(status.ok()) << status.message();
    return baked;
}

std::array<double, 3> random_eye(Random& random, const lanecull::ConvexCell& cell) {
    std::array<double, 3> eye;
    for (std::size_t k = 0; k < 3; ++k) eye[k] = random.range(cell.corner[0][k], cell.corner[7][k]);
    return eye;
}

/// What single solids leave to an eye, among the objects in `asked`: culled with all solids, 64 at a time.
class EyeCull {
public:
    explicit EyeCull(const City& city)
        : city_(city),
          scratch_(lanecull::scratch_bytes(city.ordered, 1)),
          choose_(lanecull::choose_scratch_bytes(city.solids.count())) {
        lanecull::Plane plane;
        plane.normal[2] = 1;
        plane.offset = 1e30;
        EXPECT_TRUE(lanecull::prepare_view_from_planes({&plane, 1}, everything_).ok());
    }
    void cull(const std::array<double, 3>& eye, std::vector<std::uint64_t>& words) {
        lanecull::Viewpoint viewpoint;
        EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(eye, near_reach, viewpoint).ok());
        std::vector<std::uint64_t> open(city_.solids.count() / 64 + 1, ~std::uint64_t{0}), left(words.size());
        std::vector<lanecull::Occluder> occluders(64);
        std::vector<std::uint32_t> indices(64);
        for (int round = 0; round < 20; ++round) {
            std::uint32_t count = 0;
            EXPECT_TRUE(lanecull::choose_occluders(city_.solids.set(), everything_, viewpoint, occluders, indices,
                                                   choose_, count, {.candidates = open})
                            .ok());
            if (count == 0) return;
            for (std::uint32_t k = 0; k < count; ++k) {
                open[indices[k] / 64] &= ~(std::uint64_t{1} << indices[k] % 64);
                occluders[k].owners = {};
            }
            lanecull::Output output;
            output.visible = left;
            output.candidates = words;
            output.occluders = std::span(occluders).first(count);
            EXPECT_TRUE(lanecull::cull(city_.ordered, {&everything_, 1}, {&output, 1}, scratch_).ok());
            words = left;
        }
    }

private:
    const City& city_;
    std::vector<std::byte> scratch_, choose_;
    lanecull::View everything_;
};

std::size_t count_of(const std::vector<std::uint64_t>& words) {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

double compressed_bytes(const std::vector<std::uint64_t>& words) {
    lanecull::CompressedSet set;
    EXPECT_TRUE(set.compress(words).ok());
    return static_cast<double>(set.bytes().size());
}

TEST(CityVisibility, SetsAreLittleLargerThanWhatEyesSee) {
    const City& city = ::city();
    const std::size_t cells = wanted("LANECULL_VISIBILITY_CELLS", static_cast<std::size_t>(scaled(4)));
    const std::size_t eyes = wanted("LANECULL_VISIBILITY_EYES", 200);
    Random random(2);
    const std::size_t samples = wanted("LANECULL_VISIBILITY_SAMPLES", 0);
    std::size_t missed = 0, seen_by_any = 0;
    EyeCull by_eye(city);
    double sum = 0, worst = 0, share = 0, time = 0, slowest = 0, occluders = 0, bytes = 0, changed_bytes = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        const std::uint64_t cell = random.bits() % (city.grid.cell_count() - 1);
        const Baked baked = bake(city, cell);
        bytes += compressed_bytes(baked.words);
        std::vector<std::uint64_t> changed = bake(city, cell + 1).words;
        for (std::size_t w = 0; w < changed.size(); ++w) changed[w] ^= baked.words[w];
        changed_bytes += compressed_bytes(changed);
        std::vector<std::uint64_t> unseen = baked.words;  // of the set, by no eye so far
        const auto look_from = [&](const std::array<double, 3>& eye) {
            std::vector<std::uint64_t> seen = unseen;
            by_eye.cull(eye, seen);
            for (std::size_t w = 0; w < seen.size(); ++w) unseen[w] &= ~seen[w];
        };
        for (std::size_t e = 0; e < eyes; ++e) look_from(random_eye(random, baked.cell));
        if (samples > 0) {  // what views from the corners and from random places see, and what they miss of that
            const std::vector<std::uint64_t> unseen_by_eyes = unseen;
            unseen = baked.words;
            for (const auto& corner : baked.cell.corner) look_from({corner[0], corner[1], corner[2]});
            for (std::size_t e = 0; e < samples; ++e) look_from(random_eye(random, baked.cell));
            for (std::size_t w = 0; w < unseen.size(); ++w) {
                missed += static_cast<std::size_t>(std::popcount(unseen[w] & ~unseen_by_eyes[w]));
                seen_by_any +=
                    static_cast<std::size_t>(std::popcount(baked.words[w] & ~(unseen[w] & unseen_by_eyes[w])));
            }
            unseen = unseen_by_eyes;
        }
        const auto set = static_cast<double>(baked.result.visible);
        const double ratio = set / std::max(1.0, set - static_cast<double>(count_of(unseen)));
        sum += ratio, worst = std::max(worst, ratio);
        share += set / static_cast<double>(city.ordered.object_count());
        time += baked.milliseconds, slowest = std::max(slowest, baked.milliseconds),
                                    occluders += baked.result.occluder_count;
    }
    const auto n = static_cast<double>(cells);
    std::printf(
        "[ figures  ] %llu objects, %zu cells: %.2f %% visible, %.1f ms of a core (slowest %.1f), %.1f occluders, "
        "%.0f bytes a cell (%.0f of what differs from its neighbour)\n",
        static_cast<unsigned long long>(city.ordered.object_count()), cells, 100 * share / n, time / n, slowest,
        occluders / n, bytes / n, changed_bytes / n);
    if (eyes > 0) {
        std::printf("[ figures  ] set / union of %zu eyes: mean %.3f, worst %.3f\n", eyes, sum / n, worst);
    }
    if (samples > 0) {
        std::printf("[ figures  ] of %zu objects that some eye sees, the corners and %zu random eyes miss %zu\n",
                    seen_by_any, samples, missed);
    }
    EXPECT_TRUE(eyes == 0 || sum / n <= 1.3);
}

}  // namespace
