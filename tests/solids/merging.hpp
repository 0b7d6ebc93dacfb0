#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <lanecull/solids.h>

#include "support/random.hpp"

/// Boxes to be merged, and an oracle for what merge_boxes() says of them. It shares nothing with the library: it sorts
/// coordinates, marks cells one box at a time, and compares floats.
namespace merging {

struct GivenBox {
    std::array<float, 3> lo, hi;
};

/// Boxes as streams.
class BoxList {
public:
    BoxList() = default;
    explicit BoxList(const std::vector<GivenBox>& boxes);
    explicit BoxList(const lanecull::Boxes& boxes);

    void add(const GivenBox& box);
    [[nodiscard]] std::size_t size() const { return streams_[0].size(); }
    [[nodiscard]] GivenBox operator[](std::size_t i) const;
    [[nodiscard]] lanecull::Boxes boxes() const;
    /// All boxes, in hexadecimal.
    [[nodiscard]] std::string describe() const;

private:
    std::array<std::vector<float>, 6> streams_;
};

/// min < max along each axis, finite, and coordinates of at most 1e37 together.
[[nodiscard]] bool is_solid(const GivenBox& box);
[[nodiscard]] bool contains(const GivenBox& outer, const GivenBox& inner);
/// Whether each point of `box` lies in one of the solids among `given`.
[[nodiscard]] bool in_union(const std::vector<GivenBox>& given, const GivenBox& box);

/// What is wrong with a result; empty if nothing is. `all`: no limit was set, so each solid must lie in a result.
[[nodiscard]] std::string what_is_wrong(const BoxList& given, const lanecull::SolidBoxes& merged, bool all);
/// A result that could be larger; empty if none could. Compares with the whole union.
[[nodiscard]] std::string what_could_grow(const BoxList& given, const lanecull::SolidBoxes& merged);

enum class Family {
    lattice,  ///< overlapping, abutting and nested boxes on a few lines, or on so many that all coordinates differ
    modules,  ///< grids of abutting modules of uneven sizes, with holes, some with gaps of one step
    mixed,    ///< these with invalid and flat boxes among them
    families
};
[[nodiscard]] const char* name(Family family);
/// Some boxes, by whole numbers that become floats in one of several ways: as they are, as multiples of the smallest
/// number or of a huge one, as neighbouring floats, as any floats. 0 is now and then -0.
[[nodiscard]] BoxList random_boxes(Random& random, Family family);

}  // namespace merging
