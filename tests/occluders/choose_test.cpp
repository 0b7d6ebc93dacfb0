#include <gtest/gtest.h>
#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/scale.hpp"
#include "view/prepared_occluder.hpp"

/// choose_occluders(): what it chooses hides most, keeps the rules, and is steady.

namespace {

using namespace lanecull;

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();

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
    std::vector<float> x, y, z, radius;

    explicit Town(std::uint64_t seed) {
        Random random(seed);
        const auto single = [&](double low, double high) { return static_cast<float>(random.range(low, high)); };
        for (int i = -12; i <= 12; ++i) {
            for (int j = -12; j <= 12; ++j) {
                const float cx = 40.0F * static_cast<float>(i) + 20, cy = 40.0F * static_cast<float>(j) + 20;
                const float half = single(6, 13), height = single(4, 30);
                if (random.chance(0.3)) {
                    const float c = std::cos(0.3F), s = std::sin(0.3F), h = 0.5F * height;
                    turned.push_back({{cx, cy, h}, {half, half, h}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}});
                } else {
                    boxes.push_back(box(cx, cy, half, height));
                }
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
    [[nodiscard]] Batch batch() const {
        return {Spheres{x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(x.size())}};
    }
};

/// What a view sees of a town with these occluders, and how many objects each hid.
struct Culled {
    std::vector<std::uint64_t> visible;
    std::vector<std::uint32_t> hidden;  ///< by occluders[k] and by none before it
    std::uint64_t hidden_in_all = 0;

    Culled(const Town& town, const Eye& eye, std::span<const Occluder> occluders) {
        const Batch batch = town.batch();
        const std::span<const Batch> batches(&batch, 1);
        visible.resize(visibility_words(batches));
        hidden.resize(occluders.size());
        std::vector<Certificate> certificates(town.x.size());
        std::vector<std::byte> scratch(scratch_bytes(batches, 1));
        Explanation why{.certificates = certificates};
        Output output;
        output.visible = visible;
        output.occluders = occluders;
        output.explanation = &why;
        const Status status = cull(batches, {&eye.view, 1}, {&output, 1}, scratch);
        EXPECT_TRUE(status) << status.message();
        for (const Certificate& c : certificates) {
            if (c.reason != Reason::culled_occluded) continue;
            ++hidden[c.occluder];
            ++hidden_in_all;
        }
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
    const auto count = [](const std::vector<std::uint64_t>& words) {
        std::uint64_t sum = 0;
        for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
        return sum;
    };
    const std::uint64_t before = count(visible);
    for (std::size_t first = 0; first < all.size(); first += 64) {
        const std::size_t n = std::min<std::size_t>(64, all.size() - first);
        const Culled some(town, eye, std::span(all).subspan(first, n));
        for (std::size_t w = 0; w < visible.size(); ++w) visible[w] &= some.visible[w];
    }
    return before - count(visible);
}

TEST(ChooseOccluders, HidesMostOfWhatAllHide) {
    const Town town(5);
    std::uint64_t all = 0, of_16 = 0, of_64 = 0;
    for (int frame = 0; frame < scaled(8); ++frame) {
        const Eye eye({-400.0 + 60 * frame, 40.0 * (frame % 4), 1.8});
        all += hidden_by_all(town, eye);
        const auto hidden_by_chosen = [&](std::size_t most) {
            const Chosen chosen = Chosen(most).choose(town.solids(), eye);
            return Culled(town, eye, std::span(chosen.occluders).first(chosen.count)).hidden_in_all;
        };
        of_16 += hidden_by_chosen(16);
        of_64 += hidden_by_chosen(64);
    }
    EXPECT_GT(all, 0u);
    std::printf("of %llu hidden, 16 hide %.4f and 64 hide %.4f\n", static_cast<unsigned long long>(all),
                static_cast<double>(of_16) / static_cast<double>(all),
                static_cast<double>(of_64) / static_cast<double>(all));
    EXPECT_GE(static_cast<double>(of_16), 0.90 * static_cast<double>(all));
    EXPECT_GE(static_cast<double>(of_64), 0.97 * static_cast<double>(all));
}

/// The houses as hulls: a cube from 0 to 1 where each stands, or a wedge, which is half of it.
struct HullTown {
    SolidHull cube, wedge;
    std::vector<SolidHullInstance> hulls;

    HullTown(const Town& town, bool wedges) {
        const float at[3][8] = {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};
        EXPECT_TRUE(inscribe_hull({at[0], at[1], at[2], 8}, cube));
        EXPECT_TRUE(inscribe_hull({at[0], at[1], at[2], 6}, wedge));
        const SolidHull* const shape = wedges ? &wedge : &cube;
        for (const SolidBox& b : town.boxes) {
            const float size[3] = {b.max[0] - b.min[0], b.max[1] - b.min[1], b.max[2] - b.min[2]};
            hulls.push_back({shape, {size[0], 0, 0, b.min[0], 0, size[1], 0, b.min[1], 0, 0, size[2], b.min[2]}});
        }
        for (const SolidOrientedBox& b : town.turned) {
            SolidHullInstance& placed = hulls.emplace_back();
            placed.hull = shape;
            for (std::size_t k = 0; k < 3; ++k) {
                placed.transform[4 * k + 3] = b.center[k];
                for (std::size_t j = 0; j < 3; ++j) {
                    placed.transform[4 * k + j] = 2 * b.half_extents[j] * b.axes[j][k];
                    placed.transform[4 * k + 3] -= b.half_extents[j] * b.axes[j][k];
                }
            }
        }
    }
    HullTown(const HullTown&) = delete;
    HullTown& operator=(const HullTown&) = delete;
};

TEST(ChooseOccluders, HullsAreChosenLikeBoxes) {
    const Town town(5);
    const HullTown cubes(town, false), wedges(town, true);
    std::uint64_t by_boxes = 0, by_cubes = 0, by_wedges = 0, by_both = 0;
    for (int frame = 0; frame < scaled(8); ++frame) {
        const Eye eye({-400.0 + 60 * frame, 40.0 * (frame % 4), 1.8});
        const auto hidden_by = [&](const SolidSet& solids) {
            const Chosen chosen = Chosen(16).choose(solids, eye);
            EXPECT_TRUE(chosen.status) << chosen.status.message();
            return Culled(town, eye, std::span(chosen.occluders).first(chosen.count)).hidden_in_all;
        };
        SolidSet both = town.solids();
        both.hulls = wedges.hulls;
        by_boxes += hidden_by(town.solids());
        by_cubes += hidden_by({.hulls = cubes.hulls});
        by_wedges += hidden_by({.hulls = wedges.hulls});
        by_both += hidden_by(both);
    }
    std::printf("hidden by boxes %llu, cubes %llu, wedges %llu, boxes and wedges %llu\n",
                static_cast<unsigned long long>(by_boxes), static_cast<unsigned long long>(by_cubes),
                static_cast<unsigned long long>(by_wedges), static_cast<unsigned long long>(by_both));
    EXPECT_GE(static_cast<double>(by_cubes), 0.99 * static_cast<double>(by_boxes));
    EXPECT_GE(static_cast<double>(by_both), 0.97 * static_cast<double>(by_boxes));
    EXPECT_GT(by_wedges, by_boxes / 3);
}

TEST(ChooseOccluders, NumbersAndOwnersOfHullsFollowThoseOfBoxes) {
    const Town town(5);
    const HullTown cubes(town, false);
    std::vector<SolidHullInstance> hulls = {{}, cubes.hulls[0], cubes.hulls[0]};  // the first has no hull
    hulls[1].transform[3] = 30, hulls[1].transform[7] = -5;
    hulls[2].transform[3] = nan_f;
    const SolidBox behind = box(100, 0, 1, 1);
    const Owner owners[] = {{0, 7}, {0, 8}, {0, 9}, {0, 10}};
    SolidSet solids{.boxes = {&behind, 1}, .owners = owners, .hulls = hulls};
    const Eye eye({0, 0, 1.8});
    const Chosen chosen = Chosen(4).choose(solids, eye);
    ASSERT_TRUE(chosen.status) << chosen.status.message();
    ASSERT_FALSE(chosen.list().empty());
    EXPECT_EQ(chosen.list()[0], 2u);
    EXPECT_EQ(chosen.occluders[0].owners.data(), owners + 2);
    for (const std::uint32_t i : chosen.list()) EXPECT_TRUE(i == 2 || i == 0) << i;
    solids.owners = std::span(owners).first(3);
    EXPECT_FALSE(Chosen(4).choose(solids, eye).status.ok()) << "one owner too few";
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

TEST(ChooseOccluders, LeavesOutWhatCannotHide) {
    const std::vector<SolidBox> boxes = {
        box(-50, 0, 5, 9),               // behind the eye
        box(50, 300, 5, 9),              // beside the view
        box(2000, 0, 5, 9),              // beyond its far plane
        {{-5, -5, 0}, {5, 5, 9}},        // around the eye
        {{0.05F, -1, 1}, {0.3F, 1, 3}},  // in the near plane's reach
        {{50, 5, 0}, {50, 9, 9}},        // flat
        {{60, 5, 0}, {50, 9, 9}},        // inverted
        {{nan_f, 5, 0}, {50, 9, 9}},     //
        {{50, 5, 0}, {50, nan_f, 9}},    //
        {{-3e38F, -3e38F, -3e38F}, {3e38F, 3e38F, 3e38F}},
    };
    Chosen chosen = chosen_of(boxes, 8);
    EXPECT_EQ(chosen.count, 0u);
    // A margin of 3 at its distance leaves nothing of it.
    const std::vector<SolidBox> thin = {{{50, -5, 0}, {51, 5, 9}}};
    EXPECT_EQ(chosen_of(thin, 8).count, 1u);
    EXPECT_EQ(chosen_of(thin, 8, {.raster = {.per_distance = 0.05}}).count, 0u);
    // What is drawn for it reaches the eye.
    const std::vector<SolidBox> drawn = {{{-1, -5, 0}, {51, 5, 9}}};
    chosen.choose({.boxes = thin, .drawn = drawn}, Eye({0, 0, 1.8}));
    EXPECT_EQ(chosen.count, 0u);
    EXPECT_EQ(chosen_of({}, 8).count, 0u);
}

TEST(ChooseOccluders, OwnersAreThoseOfTheChosen) {
    const std::vector<SolidBox> boxes = {box(60, 25, 4, 6), box(-60, 0, 4, 6), {{20, -10, 0}, {22, 10, 12}}};
    const std::vector<Owner> owners = {{0, 5}, {1, 6}, {2, 7}};
    Chosen chosen(3);
    chosen.choose({.boxes = boxes, .owners = owners}, Eye({0, 0, 1.8}));
    ASSERT_EQ(chosen.count, 2u);
    for (std::size_t k = 0; k < 2; ++k) {
        ASSERT_EQ(chosen.occluders[k].owners.size(), 1u);
        EXPECT_EQ(chosen.occluders[k].owners.data(), &owners[chosen.indices[k]]);
    }
    chosen.choose({.boxes = boxes}, Eye({0, 0, 1.8}));
    EXPECT_TRUE(chosen.occluders[0].owners.empty());
}

/// Any numbers: whatever is chosen is what prepare_occluder() makes of it, once, allowed, and again the same.
TEST(ChooseOccluders, RandomSolidsKeepTheRules) {
    constexpr std::uint64_t seed = 77;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    Random random(seed);
    std::uint64_t chosen_in_all = 0;
    for (int trial = 0; trial < scaled(300); ++trial) {
        const auto single = [&](double low, double high) {
            if (random.chance(0.01)) return random.chance(0.5) ? nan_f : std::numeric_limits<float>::infinity();
            const double value = random.range(low, high);
            return static_cast<float>(random.chance(0.02) ? value * random.log_range(1e-30, 1e30) : value);
        };
        std::vector<SolidBox> boxes(static_cast<std::size_t>(random.below(300)));
        for (SolidBox& b : boxes) {
            for (std::size_t k = 0; k < 3; ++k) {
                b.min[k] = single(-100, 100);
                b.max[k] = b.min[k] + single(-0.2, 20);
            }
        }
        std::vector<SolidOrientedBox> turned(static_cast<std::size_t>(random.below(100)));
        for (SolidOrientedBox& b : turned) {
            for (std::size_t k = 0; k < 3; ++k) {
                b.center[k] = single(-100, 100);
                b.half_extents[k] = single(-0.2, 10);
                for (float& a : b.axes[k]) a = single(-1, 1);
            }
        }
        std::vector<std::uint64_t> candidates((boxes.size() + turned.size() + 63) / 64);
        for (std::uint64_t& word : candidates) word = random.bits() | random.bits();
        const SolidSet solids{.boxes = boxes, .oriented_boxes = turned};
        Eye eye({random.range(-50, 0), 0, 1.8}, 150);
        const int sight = random.below(3);
        if (sight == 1) {
            const double cell[] = {0, 0, 1, 0, 1, 1};
            ASSERT_TRUE(prepare_viewpoint_from_eyes(cell, 0.2, eye.viewpoint));
        } else if (sight == 2) {
            ASSERT_TRUE(prepare_viewpoint_along({1, 0.2, -0.3}, {0, 0, 0}, eye.viewpoint));
        }
        const auto most = static_cast<std::size_t>(1 + random.below(64));
        Chosen a(most), b(most);
        a.choose(solids, eye, {.candidates = candidates});
        b.choose(solids, eye, {.candidates = candidates});
        ASSERT_TRUE(a.status) << a.status.message();
        ASSERT_EQ(a.list(), b.list());
        chosen_in_all += a.count;
        std::vector<std::uint32_t> sorted = a.list();
        std::ranges::sort(sorted);
        EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
        for (std::uint32_t k = 0; k < a.count; ++k) {
            const std::uint32_t i = a.indices[k];
            ASSERT_LT(i, boxes.size() + turned.size());
            EXPECT_TRUE((candidates[i / 64] >> i % 64 & 1) != 0);
            Occluder expected;
            EXPECT_EQ(i < boxes.size() ? prepare_occluder(boxes[i], eye.viewpoint, expected)
                                       : prepare_occluder(turned[i - boxes.size()], eye.viewpoint, expected),
                      OccluderRefusal::none);
            EXPECT_EQ(std::memcmp(&contents_of(expected), &contents_of(a.occluders[k]), sizeof(PreparedOccluder)), 0);
        }
        for (std::size_t k = a.count; k < most; ++k) EXPECT_FALSE(a.occluders[k].prepared());
    }
    EXPECT_GT(chosen_in_all, static_cast<std::uint64_t>(scaled(300)));
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
