#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "occluders/aligned_solid.hpp"

namespace lanecull::solids {

/// Finds out which solids cover a box. It shares nothing with how boxes are merged, so it proves once more that a box
/// lies in the union.
class OwnerSearch {
public:
    /// How many solids a search reads, at most, for each that overlaps the box, and besides. What is left of the box
    /// then gets all of its solids as owners, without proof.
    struct Work {
        std::uint64_t of_a_solid = 256, least = 65536;
    };
    OwnerSearch() noexcept = default;
    explicit OwnerSearch(const Work& most) noexcept : most_work_(most) {}

    /// Keeps a reference to the solids. False: no memory.
    [[nodiscard]] bool prepare(const Array<Solid>& solids);

    enum class Answer { covered, not_covered, no_memory };
    /// Appends the indices of solids whose union contains `box` to `owners`, ascending.
    [[nodiscard]] Answer find(const Solid& box, Array<std::uint32_t>& owners);

private:
    /// A box around solids order_[begin] to order_[end - 1]. Its left half is the next node, if it has halves.
    struct Node {
        Solid bounds;
        std::uint32_t begin, end, right;  ///< right: of the second half; 0: it has none
    };

    [[nodiscard]] bool build(std::uint32_t begin, std::uint32_t end);
    template <class MayHave, class Take>
    [[nodiscard]] bool walk(const MayHave& may_have, const Take& take);
    [[nodiscard]] bool find_container(const Solid& box, std::uint32_t& container);
    [[nodiscard]] bool collect(const Solid& box);
    [[nodiscard]] Answer cover(const Solid& region, std::size_t first);
    [[nodiscard]] bool split(const Solid& region, std::size_t first, Solid (&halves)[2]);
    [[nodiscard]] bool choose(std::uint32_t solid);

    const Array<Solid>* solids_ = nullptr;
    Array<std::uint32_t> order_;
    Array<Node> nodes_;
    Array<std::uint32_t> pending_;     ///< nodes to be searched
    Array<std::uint32_t> candidates_;  ///< who overlaps a region, then who overlaps a part of it, and so on
    Array<std::uint32_t> chosen_in_;   ///< by solid: in which search it was chosen last
    Array<std::uint32_t> chosen_;
    Array<float> faces_;
    std::uint32_t search_ = 0;
    Work most_work_;
    std::uint64_t work_left_ = 0;
};

}  // namespace lanecull::solids
