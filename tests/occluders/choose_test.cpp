#include <gtest/gtest.h>
#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/scale.hpp"

/// choose_occluders(): what it chooses hides most, keeps the rules, and is steady.

namespace {

using namespace lanecull;

/// An eye that looks along +x: the view and the viewpoint of it.
struct Eye {
    View view;
    Viewpoint viewpoint;

    explicit Eye(std::array<double, 3> at, double far = 1000) {
        constexpr double n = 0.1;
        const double a = 16.0 / 9, f = far / (far - n);
        // Rows of clip: y, z and x are across, up and depth.
        const double clip[16] = {0, -1, 0, 0, 0, 0, a, 0, f, 0, 0, -n * f, 1, 0, 0, 0};
        ClipSpace space;
        space.layout = MatrixLayout::row_major;
        std::copy(at.begin(), at.end(), space.origin);
        EXPECT_TRUE(prepare_view(std::span<const double, 16>(clip), space, view));
        EXPECT_TRUE(prepare_viewpoint(std::span<const double, 16>(clip), space, viewpoint));
    }
};

struct Chosen {
    std::vector<Occluder> occluders;
    std::vector<std::uint32_t> indices;
    std::vector<std::byte> scratch;
    std::uint32_t count = 0;
    Status status;

    explicit Chosen(std::size_t most) : occluders(most), indices(most) {}
    Chosen& choose(const SolidSet& solids, const Eye& eye, const ChooseOptions& options = {}) {
        scratch.resize(choose_scratch_bytes(solids.count()));
        status = choose_occluders(solids, eye.view, eye.viewpoint, occluders, indices, scratch, count, options);
        return *this;
    }
    [[nodiscard]] std::vector<std::uint32_t> list() const { return {indices.begin(), indices.begin() + count}; }
};

Chosen chosen_of(std::span<const SolidBox> boxes, std::size_t most, const ChooseOptions& options = {}) {
    Chosen chosen(most);
    chosen.choose({.boxes = boxes}, Eye({0, 0, 1.8}), options);
    EXPECT_TRUE(chosen.status) << chosen.status.message();
    return chosen;
}

SolidBox box(float x, float y, float half, float height) {
    return {{x - half, y - half, 0}, {x + half, y + half, height}};
}

/// Houses on both sides of streets, every third turned, and small objects between them.
struct Town {
    std::vector<SolidBox> boxes;
    std::vector<SolidOrientedBox> turned;
    std::vector<SolidHullInstance> placed;  ///< where a hull that reaches from -1 to 1 fills each house
    std::vector<float> x, y, z, radius;

    explicit Town(std::uint64_t seed) {
        Random random(seed);
        const auto single = [&](double low, double high) { return static_cast<float>(random.range(low, high)); };
        for (int i = -12; i <= 12; ++i) {
            for (int j = -12; j <= 12; ++j) {
                const float cx = 40.0F * static_cast<float>(i) + 20, cy = 40.0F * static_cast<float>(j) + 20;
                const float half = single(6, 13), h = 0.5F * single(4, 30);
                const bool is_turned = random.chance(0.3);
                const float c = is_turned ? std::cos(0.3F) : 1, s = is_turned ? std::sin(0.3F) : 0;
                if (is_turned) {
                    turned.push_back({{cx, cy, h}, {half, half, h}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}});
                } else {
                    boxes.push_back(box(cx, cy, half, 2 * h));
                }
                placed.push_back({nullptr, {half * c, -half * s, 0, cx, half * s, half * c, 0, cy, 0, 0, h, h}});
            }
        }
        for (int k = 0; k < 3000; ++k) {
            x.push_back(single(-480, 500));
            y.push_back(single(-480, 500));
            z.push_back(single(0, 3));
            radius.push_back(single(0.1, 1));
        }
    }
    [[nodiscard]] SolidSet solids() const { return {.boxes = boxes, .oriented_boxes = turned}; }
    [[nodiscard]] std::vector<SolidHullInstance> hulls(const SolidHull& hull) const {
        std::vector<SolidHullInstance> all = placed;
        for (SolidHullInstance& one : all) one.hull = &hull;
        return all;
    }
};

std::uint64_t count(const std::vector<std::uint64_t>& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

/// What a view sees of a town with these occluders, and how many objects each hid.
struct Culled {
    std::vector<std::uint64_t> visible;
    std::vector<std::uint32_t> hidden;  ///< by occluders[k] and by none before it
    std::uint64_t hidden_in_all = 0;

    Culled(const Town& town, const Eye& eye, std::span<const Occluder> occluders) : hidden(occluders.size()) {
        const Batch batch{Spheres{town.x.data(), town.y.data(), town.z.data(), town.radius.data(),
                                  static_cast<std::uint32_t>(town.x.size())}};
        visible.resize(visibility_words({&batch, 1}));
        std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
        Output output{.visible = visible, .occluders = occluders, .hidden_counts = hidden};
        const Status status = cull({&batch, 1}, {&eye.view, 1}, {&output, 1}, scratch);
        EXPECT_TRUE(status) << status.message();
        for (const std::uint32_t by_one : hidden) hidden_in_all += by_one;
    }
};

/// How many objects the solids hide, each alone.
std::uint64_t hidden_by_all(const Town& town, const Eye& eye) {
    std::vector<Occluder> all;
    const auto take = [&](const auto& solid) {
        Occluder occluder;
        if (prepare_occluder(solid, eye.viewpoint, occluder) == OccluderRefusal::none) all.push_back(occluder);
    };
    for (const SolidBox& b : town.boxes) take(b);
    for (const SolidOrientedBox& b : town.turned) take(b);
    std::vector<std::uint64_t> visible = Culled(town, eye, {}).visible;
    const std::uint64_t before = count(visible);
    for (std::size_t first = 0; first < all.size(); first += 64) {
        const std::size_t n = std::min<std::size_t>(64, all.size() - first);
        const Culled some(town, eye, std::span(all).subspan(first, n));
        for (std::size_t w = 0; w < visible.size(); ++w) visible[w] &= some.visible[w];
    }
    return before - count(visible);
}

/// Houses as boxes; as hulls that are cubes; as wedges, which are half of each; as boxes and wedges at once.
TEST(ChooseOccluders, HidesMostOfWhatAllHide) {
    const float at[3][8] = {{-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};
    SolidHull cube, wedge;
    ASSERT_TRUE(inscribe_hull({at[0], at[1], at[2], 8}, cube));
    ASSERT_TRUE(inscribe_hull({at[0], at[1], at[2], 6}, wedge));
    const Town town(5);
    const std::vector<SolidHullInstance> cubes = town.hulls(cube), wedges = town.hulls(wedge);
    double all = 0, of_16 = 0, of_64 = 0, of_cubes = 0, of_wedges = 0, of_both = 0;
    for (int frame = 0; frame < scaled(8); ++frame) {
        const Eye eye({-400.0 + 60 * frame, 40.0 * (frame % 4), 1.8});
        const auto hidden_by = [&](const SolidSet& solids, std::size_t most) {
            const Chosen chosen = Chosen(most).choose(solids, eye);
            EXPECT_TRUE(chosen.status) << chosen.status.message();
            const Culled culled(town, eye, std::span(chosen.occluders).first(chosen.count));
            return static_cast<double>(culled.hidden_in_all);
        };
        SolidSet both = town.solids();
        both.hulls = wedges;
        all += static_cast<double>(hidden_by_all(town, eye));
        of_16 += hidden_by(town.solids(), 16), of_64 += hidden_by(town.solids(), 64);
        of_cubes += hidden_by({.hulls = cubes}, 16), of_wedges += hidden_by({.hulls = wedges}, 16);
        of_both += hidden_by(both, 16);
    }
    std::printf("of %.0f hidden, 16 hide %.4f, 64 hide %.4f; 16 cubes %.4f, wedges %.4f, boxes and wedges %.4f\n", all,
                of_16 / all, of_64 / all, of_cubes / all, of_wedges / all, of_both / all);
    EXPECT_GT(all, 0);
    EXPECT_GE(of_16, 0.90 * all);
    EXPECT_GE(of_64, 0.97 * all);
    EXPECT_GE(of_cubes, 0.99 * of_16);
    EXPECT_GE(of_both, 0.97 * of_16);
    EXPECT_GT(of_wedges, of_16 / 3);
}

TEST(ChooseOccluders, TheirCountsImproveTheChoiceAndItComesToRest) {
    const Town town(6);
    int moved_late = 0;
    for (int camera = 0; camera < 8; ++camera) {
        const Eye eye({-420.0 + 100 * camera, 40.0 * (camera % 3), 1.8});
        Chosen chosen(16);
        std::uint32_t n = chosen.choose(town.solids(), eye).count;
        const std::uint64_t at_first = Culled(town, eye, std::span(chosen.occluders).first(n)).hidden_in_all;
        std::uint64_t at_last = 0;
        for (int frame = 0; frame < 20; ++frame) {
            const Culled culled(town, eye, std::span(chosen.occluders).first(n));
            at_last = culled.hidden_in_all;
            std::vector<std::uint32_t> before = chosen.list();
            // The memory of the indices is read before it is written.
            chosen.choose(town.solids(), eye,
                          {.last_chosen = std::span(chosen.indices).first(n), .last_hidden = culled.hidden});
            ASSERT_TRUE(chosen.status) << chosen.status.message();
            n = chosen.count;
            std::vector<std::uint32_t> after = chosen.list();
            std::ranges::sort(before);
            std::ranges::sort(after);
            if (frame >= 10 && before != after) ++moved_late;
        }
        EXPECT_GE(static_cast<double>(at_last), 0.97 * static_cast<double>(at_first)) << camera;
    }
    EXPECT_EQ(moved_late, 0);
}

TEST(ChooseOccluders, CountsOfTheLastFrameDecide) {
    // Two walls of one size, left and right, with equally many solids behind each.
    std::vector<SolidBox> boxes = {{{20, -12, 0}, {21, -2, 8}}, {{20, 2, 0}, {21, 12, 8}}};
    for (int k = 0; k < 40; ++k) {
        const auto step = static_cast<float>(k % 8);
        boxes.push_back(box(60 + 4 * step, (k % 2 == 0 ? -1.0F : 1.0F) * (15 + step), 0.5F, 2));
    }
    const std::vector<std::uint32_t> last = {0, 1};
    for (const std::vector<std::uint32_t>& hidden :
         {std::vector<std::uint32_t>{10, 5000}, std::vector<std::uint32_t>{5000, 10}}) {
        const Chosen chosen = chosen_of(boxes, 2, {.last_chosen = last, .last_hidden = hidden});
        ASSERT_EQ(chosen.count, 2u);
        EXPECT_EQ(chosen.indices[0], hidden[0] > hidden[1] ? 0u : 1u);
    }
}

TEST(ChooseOccluders, WhatWasChosenStaysWhileOthersHideHardlyMore) {
    // Solids behind the walls: 20 and 21.
    std::vector<SolidBox> boxes = {{{20, -12, 0}, {21, -2, 8}}, {{20, 2, 0}, {21, 12, 8}}};
    for (int k = 0; k < 41; ++k) {
        boxes.push_back(box(60 + 2 * static_cast<float>(k / 2), (k % 2 == 0 ? 18.0F : -18.0F), 0.5F, 2));
    }
    const std::uint32_t better = chosen_of(boxes, 1).indices[0];
    const std::vector<std::uint32_t> other = {1 - better};
    ASSERT_LT(better, 2u);
    EXPECT_EQ(chosen_of(boxes, 1, {.last_chosen = other}).indices[0], other[0]);
    const std::vector<std::uint32_t> gone = {4'000'000'000u, other[0], other[0]};
    EXPECT_EQ(chosen_of(boxes, 1, {.last_chosen = gone}).indices[0], other[0]);
}

TEST(ChooseOccluders, CountsWhatIsHiddenBeyondTheOthers) {
    // Two walls hide the same 30 solids but for a margin, so the third, which hides ten others, comes second.
    std::vector<SolidBox> boxes = {
        {{20, -12, 0}, {21, -2, 8}}, {{22, -13.5F, 0}, {23, -2.5F, 8}}, {{20, 2, 0}, {21, 12, 8}}};
    for (int k = 0; k < 40; ++k) boxes.push_back(box(60 + static_cast<float>(k), k < 30 ? -18.0F : 18.0F, 0.5F, 2));
    const Chosen chosen = chosen_of(boxes, 2);
    ASSERT_EQ(chosen.count, 2u);
    EXPECT_LT(chosen.indices[0], 2u);
    EXPECT_EQ(chosen.indices[1], 2u);
}

TEST(ChooseOccluders, ASolidDoesNotCountAsHiddenByItself) {
    // The first wall hides most, the middle of the second among it. The second hides one solid more, the third none.
    std::vector<SolidBox> boxes = {
        {{20, -12, 0}, {21, -2, 8}}, {{40, -14, 0}, {41, 2, 6}}, {{20, 10, 0}, {21, 17, 10}}, box(60, 0, 0.5F, 2)};
    for (int k = 0; k < 4; ++k) boxes.push_back(box(60 + 2 * static_cast<float>(k), -30, 0.5F, 2));
    EXPECT_EQ(chosen_of(boxes, 2).list(), (std::vector<std::uint32_t>{0, 1}));
}

TEST(ChooseOccluders, LeavesOutWhatAnEarlierOneHides) {
    const std::vector<SolidBox> boxes = {box(60, 0, 4, 6), {{20, -10, 0}, {22, 10, 12}}, box(60, 25, 4, 6)};
    EXPECT_EQ(chosen_of(boxes, 8).list(), (std::vector<std::uint32_t>{1, 2}));
    const std::vector<std::uint64_t> without_wall = {0b101};
    std::vector<std::uint32_t> both = chosen_of(boxes, 8, {.candidates = without_wall}).list();
    std::ranges::sort(both);
    EXPECT_EQ(both, (std::vector<std::uint32_t>{0, 2}));
    // A turned one.
    const std::vector<SolidOrientedBox> turned = {
        {{60, 0, 3}, {3, 3, 3}, {{0.8F, 0.6F, 0}, {-0.6F, 0.8F, 0}, {0, 0, 1}}}};
    Chosen chosen(8);
    chosen.choose({.boxes = std::span(boxes).subspan(1, 1), .oriented_boxes = turned}, Eye({0, 0, 1.8}));
    EXPECT_EQ(chosen.list(), (std::vector<std::uint32_t>{0}));
    chosen.choose({.oriented_boxes = turned}, Eye({0, 0, 1.8}));
    EXPECT_EQ(chosen.list(), (std::vector<std::uint32_t>{0}));
}

/// What it may not choose anyway is a property (properties/occluders).
TEST(ChooseOccluders, LeavesOutWhatIsNotInView) {
    const std::vector<SolidBox> boxes = {
        box(-50, 0, 5, 9),   // behind the eye
        box(50, 300, 5, 9),  // beside the view
        box(2000, 0, 5, 9),  // beyond its far plane
    };
    EXPECT_EQ(chosen_of(boxes, 8).count, 0u);
    EXPECT_EQ(chosen_of({}, 8).count, 0u);
    // A margin of 3 at its distance leaves nothing of it.
    const std::vector<SolidBox> thin = {{{50, -5, 0}, {51, 5, 9}}};
    EXPECT_EQ(chosen_of(thin, 8).count, 1u);
    EXPECT_EQ(chosen_of(thin, 8, {.raster = {.per_distance = 0.05}}).count, 0u);
}

TEST(ChooseOccluders, ParallelSightChoosesTheLargeOneInFront) {
    Eye eye({-20, 0, 1.8});
    ASSERT_TRUE(prepare_viewpoint_along({1, 0, 0}, {0, 0, 0}, eye.viewpoint));
    std::vector<SolidBox> boxes = {box(20, 20, 2, 4), {{10, -10, -1}, {12, 10, 12}}};
    for (int k = 0; k < 30; ++k)
        boxes.push_back(box(60 + 5 * static_cast<float>(k % 6), 3 * static_cast<float>(k % 5) - 6, 1, 3));
    Chosen chosen(4);
    ASSERT_TRUE(chosen.choose({.boxes = boxes}, eye).status);
    EXPECT_EQ(chosen.list(), (std::vector<std::uint32_t>{1, 0}));
}

TEST(ChooseOccluders, ArgumentsThatBreakARuleAreNamed) {
    const Eye eye({0, 0, 1.8});
    const std::vector<SolidBox> boxes = {box(60, 25, 4, 6), box(60, -25, 4, 6)};
    const std::vector<Owner> one_owner(1);
    const std::vector<std::uint32_t> numbers(65);
    const auto expect = [&](const char* message, const SolidSet& solids, const ChooseOptions& options,
                            std::size_t most = 4) {
        Chosen chosen(most);
        chosen.count = 77;
        chosen.choose(solids, eye, options);
        EXPECT_FALSE(chosen.status);
        EXPECT_NE(std::string(chosen.status.message()).find(message), std::string::npos) << chosen.status.message();
        EXPECT_EQ(chosen.count, 77u);
        EXPECT_TRUE(std::ranges::none_of(chosen.occluders, &Occluder::prepared));
    };
    const SolidSet good{.boxes = boxes};
    const std::span<const std::uint32_t> some = numbers;
    expect("solids.drawn: 1", {.boxes = boxes, .drawn = std::span(boxes).first(1)}, {});
    expect("solids.owners: 1", {.boxes = boxes, .owners = one_owner}, {});
    expect("occluders: 1 to 64, not 0", good, {}, 0);
    expect("occluders: 1 to 64, not 65", good, {}, 65);
    expect("options.raster", good, {.raster = {.per_distance = -1}});
    expect("options.raster", good, {.raster = {.depth_per_square = std::nan("")}});
    expect("options.last_chosen: at most 64, not 65", good, {.last_chosen = some});
    expect("options.last_hidden: 3", good, {.last_chosen = some.first(2), .last_hidden = some.first(3)});
    const std::vector<SolidBox> many(65, boxes[0]);
    const std::vector<std::uint64_t> word(1);
    expect("options.candidates: 1 words", {.boxes = many}, {.candidates = word});

    std::vector<Occluder> occluders(4);
    std::vector<std::uint32_t> indices(3);
    std::vector<std::byte> scratch(choose_scratch_bytes(2));
    std::uint32_t count = 77;
    EXPECT_FALSE(choose_occluders(good, eye.view, eye.viewpoint, occluders, indices, scratch, count));
    indices.resize(4);
    EXPECT_FALSE(choose_occluders(good, View(), eye.viewpoint, occluders, indices, scratch, count));
    EXPECT_FALSE(choose_occluders(good, eye.view, Viewpoint(), occluders, indices, scratch, count));
    EXPECT_FALSE(choose_occluders(good, eye.view, eye.viewpoint, occluders, indices,
                                  std::span(scratch).first(scratch.size() - 1), count));
    EXPECT_EQ(count, 77u);
    // At any alignment the bytes suffice.
    for (std::size_t skip = 0; skip < 8; ++skip) {
        std::vector<std::byte> more(choose_scratch_bytes(2) + skip);
        EXPECT_TRUE(
            choose_occluders(good, eye.view, eye.viewpoint, occluders, indices, std::span(more).subspan(skip), count));
        EXPECT_EQ(count, 2u);
    }
}

}  // namespace
