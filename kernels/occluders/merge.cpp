#include "occluders/merge.hpp"

#include <algorithm>

#include "occluders/cell_grid.hpp"
#include "occluders/cut.hpp"

namespace lanecull::solids {
namespace {

// What a part may be. The time for a solid is bounded by its share of the grid's cells, and by how many results it is
// compared with. Few solids may have more cells: as many as one part may have, together.
constexpr std::size_t most_solids = 4096;
constexpr std::uint64_t most_cells = std::uint64_t{1} << 22, most_cells_of_a_solid = 1024;
constexpr std::uint64_t few_cells = 4096;  // no gap is looked for: to find it takes longer than what it saves

/// Gaps can be laid so that each cut takes one solid off. From there on parts are halved.
constexpr unsigned most_gap_cuts = 32;

/// One round: cuts the solids into parts and merges each.
class Round {
public:
    explicit Round(Array<Solid>& solids) : solids_(solids.data()), count_(solids.size()) {}

    /// False: no memory.
    [[nodiscard]] bool run() {
        if (count_ == 0) return true;
        if (!parts_.push({0, count_, 0})) return false;
        while (!parts_.empty()) {
            const Part part = parts_[parts_.size() - 1];
            if (!parts_.resize(parts_.size() - 1) || !take(part)) return false;
        }
        return true;
    }

    [[nodiscard]] Array<Solid>& merged() { return merged_; }
    /// Whether boxes of the union may go from one part to another.
    [[nodiscard]] bool was_halved() const { return was_halved_; }

private:
    [[nodiscard]] bool take(const Part& part) {
        if (part.count() == 1) return merged_.push(solids_[part.begin]);
        if (!find_lines(solids_ + part.begin, part.count(), grid_.lines)) return false;
        const double cells = static_cast<double>(grid_.cells(0)) * static_cast<double>(grid_.cells(1)) *
                             static_cast<double>(grid_.cells(2));
        const bool few = part.count() <= most_solids;
        if (few && cells <= static_cast<double>(few_cells)) return merge(part);
        bool cut = false;
        for (std::size_t k = 0; k < dimensions && !cut && part.depth < most_gap_cuts; ++k) {
            if (!cut_at_gaps(solids_, part, k, parts_, cut)) return false;
        }
        if (cut) return true;
        const std::uint64_t each = std::max(most_cells_of_a_solid, most_cells / count_);
        const std::uint64_t allowed = std::min(most_cells, each * part.count());
        if (few && cells <= static_cast<double>(allowed)) return merge(part);
        was_halved_ = true;
        std::size_t axis = 0;
        for (std::size_t k = 1; k < dimensions; ++k) {
            if (grid_.cells(k) > grid_.cells(axis)) axis = k;
        }
        return cut_in_half(solids_, part, axis, parts_);
    }

    /// Large solids first, each that no result contains is grown to the largest box that some order of growing finds.
    [[nodiscard]] bool merge(const Part& part) {
        Solid* const begin = solids_ + part.begin;
        std::sort(begin, solids_ + part.end, is_larger);
        if (!grid_.fill(begin, part.count()) || !results_.resize(0)) return false;
        for (std::size_t i = 0; i < part.count(); ++i) {
            const CellRange range = grid_.cells_of(begin[i]);
            const auto contains_it = [&](const CellRange& result) { return result.contains(range); };
            if (std::any_of(results_.begin(), results_.end(), contains_it)) continue;
            const CellRange largest = largest_around(range);
            if (!results_.push(largest) || !merged_.push(grid_.solid_of(largest))) return false;
        }
        return true;
    }

    [[nodiscard]] CellRange largest_around(const CellRange& range) const {
        CellRange best = range;
        double area_of_best = 0;
        for (const Growth& growth : all_growths) {
            const CellRange grown = grid_.grown(range, growth);
            const double area_of_grown = area(grid_.solid_of(grown));
            if (area_of_grown > area_of_best) best = grown, area_of_best = area_of_grown;
            if (best == range) break;  // it cannot grow in any order
        }
        return best;
    }

    Solid* solids_;
    std::size_t count_;
    Array<Solid> merged_;
    Array<Part> parts_;
    CellGrid grid_;
    Array<CellRange> results_;  // of the part at hand
    bool was_halved_ = false;
};

}  // namespace

bool merge(Array<Solid>& solids) {
    for (bool again = true; again;) {
        Round round(solids);
        if (!round.run()) return false;
        again = round.was_halved() && round.merged().size() <= solids.size() / 4 * 3;
        solids.swap(round.merged());
    }
    return true;
}

}  // namespace lanecull::solids
