#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <lanecull/solids.h>

#include "solids/merging.hpp"
#include "support/random.hpp"

/// merge_boxes() of many boxes, and its arguments. That each result lies in the union of its owners, each solid lies in
/// a result, and results are as large as they can be, is a property (properties/solids).

namespace {

using lanecull::SolidBoxes;
using lanecull::Status;
using merging::BoxList;
using merging::GivenBox;

SolidBoxes merge(const BoxList& given, std::uint32_t most = 0) {
    SolidBoxes merged;
    const Status status = lanecull::merge_boxes(given.boxes(), merged, {.max_boxes = most});
    EXPECT_TRUE(status.ok()) << status.message();
    return merged;
}

GivenBox box(float x0, float y0, float z0, float x1, float y1, float z1) { return {{x0, y0, z0}, {x1, y1, z1}}; }

/// Modules of a building of n[0] x n[1] x n[2], with a corner at `corner`. Neighbours have their common face's floats.
void add_building(BoxList& list, const std::array<float, 3>& corner, const std::array<int, 3>& n,
                  const std::array<float, 3>& size) {
    const auto line = [&](std::size_t k, int i) { return corner[k] + static_cast<float>(i) * size[k]; };
    for (int i = 0; i < n[0]; ++i) {
        for (int j = 0; j < n[1]; ++j) {
            for (int l = 0; l < n[2]; ++l) {
                list.add({{line(0, i), line(1, j), line(2, l)}, {line(0, i + 1), line(1, j + 1), line(2, l + 1)}});
            }
        }
    }
}

/// Whether result r lies in the union of its owners.
bool is_covered(const BoxList& given, const SolidBoxes& merged, std::uint32_t r) {
    std::vector<GivenBox> covers;
    for (const std::uint32_t owner : merged.owners(r)) covers.push_back(given[owner]);
    return merging::in_union(covers, BoxList(merged.boxes())[r]);
}

std::string bytes_of(const SolidBoxes& boxes) {
    std::string text = BoxList(boxes.boxes()).describe();
    for (std::uint32_t r = 0; r < boxes.count(); ++r) {
        for (const std::uint32_t owner : boxes.owners(r)) text += std::to_string(owner) + ' ';
        text += '\n';
    }
    return text;
}

/// A city of some 10^5 modules; then the ground connects all buildings, so they are merged in parts, and then with each
/// other.
TEST(MergeBoxes, ACity) {
    Random random(20261128);
    const int blocks = test_scale() < 0.5 ? 8 : 27;  // 27: 104,976 modules
    BoxList modules;
    for (int i = 0; i < blocks * blocks; ++i) {
        const float height = 2 + static_cast<float>(random.below(4));
        const auto x = static_cast<float>(40 * (i / blocks)), y = static_cast<float>(40 * (i % blocks));
        add_building(modules, {x, y, 0}, {6, 6, 4}, {4, 3, height});
    }
    const auto buildings = static_cast<std::size_t>(blocks) * static_cast<std::size_t>(blocks);
    const SolidBoxes apart = merge(modules);
    EXPECT_EQ(apart.count(), buildings);
    std::size_t owned = 0, large = 0;
    for (std::uint32_t r = 0; r < apart.count(); ++r) owned += apart.owners(r).size();
    EXPECT_EQ(owned, modules.size());
    EXPECT_EQ(bytes_of(apart), bytes_of(merge(modules)));

    modules.add(box(-100, -100, -1, 2000, 2000, 0));
    const SolidBoxes merged = merge(modules);
    EXPECT_LT(merged.count(), buildings + buildings / 10);
    for (std::uint32_t r = 0; r < merged.count(); ++r) {
        ASSERT_TRUE(is_covered(modules, merged, r)) << r;
        large += merged.owners(r).size() >= 144;
    }
    std::printf("[ figures  ] %zu modules, %zu buildings, %u boxes, %zu of a whole building\n", modules.size(),
                buildings, merged.count(), large);
    EXPECT_GT(large, buildings * 9 / 10);
}

/// Columns of any height that all hang together: the worst that the parts' limits allow.
TEST(MergeBoxes, ATerrainOfColumns) {
    Random random(20261129);
    const int side = test_scale() < 0.5 ? 60 : 180;
    BoxList columns;
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
            const auto x = static_cast<float>(i), y = static_cast<float>(j);
            columns.add(box(x, y, -10, x + 1, y + 1,
                            static_cast<float>(10 * std::sin(0.05 * i) * std::cos(0.07 * j) + random.range(0, 0.5))));
        }
    }
    const SolidBoxes merged = merge(columns);
    for (std::uint32_t r = 0; r < merged.count(); r += 97) {
        ASSERT_TRUE(is_covered(columns, merged, r)) << r;
    }
    std::vector<bool> covered(columns.size());
    const BoxList results(merged.boxes());
    for (std::size_t r = 0; r < results.size(); ++r) {
        for (const std::uint32_t owner : merged.owners(static_cast<std::uint32_t>(r))) {
            if (merging::contains(results[r], columns[owner])) covered[owner] = true;
        }
    }
    EXPECT_EQ(std::find(covered.begin(), covered.end(), false), covered.end());
}

TEST(MergeBoxes, ResultsCanBeMergedAgainAndMoved) {
    const BoxList list({box(0, 0, 0, 1, 1, 1), box(1, 0, 0, 2, 1, 1)});
    SolidBoxes merged = merge(list);
    ASSERT_TRUE(lanecull::merge_boxes(merged.boxes(), merged));
    ASSERT_EQ(merged.count(), 1u);
    ASSERT_EQ(merged.owners(0).size(), 1u);
    EXPECT_EQ(merged.owners(0)[0], 0u);
    SolidBoxes moved(std::move(merged));
    merged = SolidBoxes();
    EXPECT_EQ(merged.count(), 0u);
    EXPECT_EQ(moved.count(), 1u);
    EXPECT_TRUE(moved.owners(1).empty());
    ASSERT_TRUE(lanecull::merge_boxes({}, moved));
    EXPECT_EQ(moved.count(), 0u);
    EXPECT_TRUE(moved.owners(0).empty());
}

TEST(MergeBoxes, AMissingStreamIsNamedAndNothingWritten) {
    const BoxList list({box(0, 0, 0, 1, 1, 1)});
    SolidBoxes merged = merge(list);
    using Stream = const float* lanecull::Boxes::*;
    const std::pair<Stream, const char*> streams[] = {
        {&lanecull::Boxes::min_x, "boxes.min_x"}, {&lanecull::Boxes::min_y, "boxes.min_y"},
        {&lanecull::Boxes::min_z, "boxes.min_z"}, {&lanecull::Boxes::max_x, "boxes.max_x"},
        {&lanecull::Boxes::max_y, "boxes.max_y"}, {&lanecull::Boxes::max_z, "boxes.max_z"}};
    for (const auto& [stream, named] : streams) {
        lanecull::Boxes boxes = list.boxes();
        boxes.*stream = nullptr;
        const Status status = lanecull::merge_boxes(boxes, merged);
        EXPECT_NE(std::string(status.message()).find(named), std::string::npos) << status.message();
        EXPECT_EQ(merged.count(), 1u);
    }
}

}  // namespace
