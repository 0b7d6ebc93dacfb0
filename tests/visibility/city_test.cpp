#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

#include <lanecull/visibility.h>

#include "../../tools/lanecull/scene/city.hpp"
#include "../../tools/lanecull/scene/scene_solids.hpp"
#include "support/random.hpp"

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

using Words = std::vector<std::uint64_t>;

struct Baked {
    lanecull::ConvexCell cell;
    Words words;
    lanecull::BakedCell result;
    double milliseconds;

    Baked(const City& city, std::uint64_t number) : words(city.world.visibility_words()) {
        static std::vector<std::byte> scratch;
        scratch.resize(city.world.scratch_bytes());
        EXPECT_TRUE(lanecull::cell_of(city.grid, number, cell).ok());
        lanecull::BakeOptions options{.near_reach = near_reach};
        options.max_parts = static_cast<std::uint32_t>(wanted("LANECULL_VISIBILITY_PARTS", options.max_parts));
        const std::clock_t start = std::clock();
        const lanecull::Status status = lanecull::bake_cell(city.world, cell, options, scratch, words, result);
        milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_TRUE(status.ok()) << status.message();
    }
};

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
    void cull(const std::array<double, 3>& eye, Words& words) {
        lanecull::Viewpoint viewpoint;
        EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(eye, near_reach, viewpoint).ok());
        Words open(city_.solids.count() / 64 + 1, ~std::uint64_t{0}), left(words.size());
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

std::size_t count_of(const Words& words) {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

double compressed_bytes(const Words& words) {
    lanecull::CompressedSet set;
    EXPECT_TRUE(set.compress(words).ok());
    return static_cast<double>(set.bytes().size());
}

/// Each word of one with that of the other.
template <class Combine>
Words combined(Words a, const Words& b, const Combine& combine) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] = combine(a[w], b[w]);
    return a;
}

TEST(CityVisibility, SetsAreLittleLargerThanWhatEyesSee) {
    const City& city = ::city();
    const std::size_t cells = wanted("LANECULL_VISIBILITY_CELLS", static_cast<std::size_t>(scaled(4)));
    const std::size_t eyes = wanted("LANECULL_VISIBILITY_EYES", 200);
    const std::size_t samples = wanted("LANECULL_VISIBILITY_SAMPLES", 0);
    Random random(2);
    EyeCull by_eye(city);
    std::size_t missed = 0, seen_by_any = 0;
    double sum = 0, worst = 0, share = 0, time = 0, slowest = 0, occluders = 0, bytes = 0, changed_bytes = 0;
    const auto without = [](std::uint64_t a, std::uint64_t b) { return a & ~b; };
    for (std::size_t c = 0; c < cells; ++c) {
        const std::uint64_t cell = random.bits() % (city.grid.cell_count() - 1);
        const Baked baked(city, cell);
        bytes += compressed_bytes(baked.words);
        changed_bytes += compressed_bytes(combined(Baked(city, cell + 1).words, baked.words, std::bit_xor()));
        /// What of the set no eye sees: of some random ones and, if wanted, the corners.
        const auto unseen_by = [&](std::size_t random_eyes, bool corners) {
            Words unseen = baked.words;
            for (std::size_t e = 0; e < random_eyes + (corners ? 8 : 0); ++e) {
                const double(&corner)[3] = baked.cell.corner[e % 8];
                Words seen = unseen;
                by_eye.cull(e < random_eyes ? random_eye(random, baked.cell) : std::to_array(corner), seen);
                unseen = combined(std::move(unseen), seen, without);
            }
            return unseen;
        };
        const Words unseen = unseen_by(eyes, false);
        if (samples > 0) {  // what views from the corners and from random places see, and what they miss of that
            const Words unseen_by_views = unseen_by(samples, true);
            missed += count_of(combined(unseen_by_views, unseen, without));
            seen_by_any += count_of(combined(baked.words, combined(unseen, unseen_by_views, std::bit_and()), without));
        }
        const auto set = static_cast<double>(baked.result.visible);
        const double ratio = set / std::max(1.0, set - static_cast<double>(count_of(unseen)));
        sum += ratio, worst = std::max(worst, ratio);
        share += set / static_cast<double>(city.ordered.object_count());
        time += baked.milliseconds, slowest = std::max(slowest, baked.milliseconds);
        occluders += baked.result.occluder_count;
    }
    const auto n = static_cast<double>(cells);
    std::printf(
        "[ figures  ] %llu objects, %zu cells: %.2f %% visible, %.1f ms of a core (slowest %.1f), %.1f occluders, "
        "%.0f bytes a cell (%.0f of what differs from its neighbour)\n"
        "[ figures  ] set / union of %zu eyes: mean %.3f, worst %.3f\n"
        "[ figures  ] of %zu objects that some eye sees, the corners and %zu random eyes miss %zu\n",
        static_cast<unsigned long long>(city.ordered.object_count()), cells, 100 * share / n, time / n, slowest,
        occluders / n, bytes / n, changed_bytes / n, eyes, sum / n, worst, seen_by_any, samples, missed);
    EXPECT_TRUE(eyes == 0 || sum / n <= 1.3);
}

}  // namespace
