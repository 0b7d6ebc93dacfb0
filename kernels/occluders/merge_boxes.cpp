/// Gathers the solids, merges them, and finds who covers each result.

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/rounding_bound.hpp"
#include "calls/check.hpp"
#include "occluders/aligned_solid.hpp"
#include "occluders/cell_grid.hpp"
#include "occluders/merge_steps.hpp"
#include "occluders/owners.hpp"

namespace lanecull::solids {

bool find_lines(const Solid* solids, std::size_t count, Array<float> (&lines)[dimensions]) {
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (!lines[k].resize_unset(2 * count)) return false;
        for (std::size_t i = 0; i < count; ++i) {
            lines[k][2 * i] = solids[i].lo[k];
            lines[k][2 * i + 1] = solids[i].hi[k];
        }
        std::sort(lines[k].begin(), lines[k].end());
        const float* end = std::unique(lines[k].begin(), lines[k].end());
        if (!lines[k].resize(static_cast<std::size_t>(end - lines[k].begin()))) return false;
    }
    return true;
}

bool cut_at_gaps(Solid* solids, const Part& part, std::size_t axis, Array<Part>& parts, bool& cut) {
    std::sort(solids + part.begin, solids + part.end,
              [axis](const Solid& a, const Solid& b) { return a.lo[axis] < b.lo[axis]; });
    std::size_t begin = part.begin;
    float reached = solids[begin].hi[axis];
    for (std::size_t i = begin + 1; i < part.end; ++i) {
        if (solids[i].lo[axis] > reached) {
            if (!parts.push({begin, i, part.depth + 1})) return false;
            begin = i;
        }
        reached = std::max(reached, solids[i].hi[axis]);
    }
    cut = begin > part.begin;
    return !cut || parts.push({begin, part.end, part.depth + 1});
}

bool cut_in_half(Solid* solids, const Part& part, std::size_t axis, Array<Part>& parts) {
    const auto twice_centre = [axis](const Solid& s) {
        return static_cast<double>(s.lo[axis]) + static_cast<double>(s.hi[axis]);
    };
    const std::size_t middle = part.begin + part.count() / 2;
    std::nth_element(solids + part.begin, solids + middle, solids + part.end, [&](const Solid& a, const Solid& b) {
        const double of_a = twice_centre(a), of_b = twice_centre(b);
        return of_a != of_b ? of_a < of_b : is_larger(a, b);
    });
    return parts.push({part.begin, middle, part.depth + 1}) && parts.push({middle, part.end, part.depth + 1});
}

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

namespace lanecull {
namespace {

using solids::dimensions;
using solids::OwnerSearch;

Status no_memory_to_merge() { return failure(StatusCode::out_of_memory, "merge_boxes: there is not enough memory"); }

/// Box i, and whether it is a solid.
bool read(const Boxes& boxes, std::size_t i, solids::Solid& solid) {
    const float lo[] = {boxes.min_x[i], boxes.min_y[i], boxes.min_z[i]};
    const float hi[] = {boxes.max_x[i], boxes.max_y[i], boxes.max_z[i]};
    double magnitude = 0;
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (!(lo[k] < hi[k])) return false;
        magnitude += std::fabs(static_cast<double>(lo[k])) + std::fabs(static_cast<double>(hi[k]));
        solid.lo[k] = lo[k] + 0.0f;  // -0 becomes 0
        solid.hi[k] = hi[k] + 0.0f;
    }
    return magnitude < static_cast<double>(magnitude_limit);
}

/// The solids among the boxes, and which boxes these are.
struct Given {
    Array<solids::Solid> solids;
    Array<std::uint32_t> index;

    [[nodiscard]] bool gather(const Boxes& boxes) {
        if (!solids.reserve(boxes.count) || !index.reserve(boxes.count)) return false;
        for (std::uint32_t i = 0; i < boxes.count; ++i) {
            solids::Solid solid;
            if (read(boxes, i, solid) && !(solids.push(solid) && index.push(i))) return false;
        }
        return true;
    }
};

/// Large boxes first, each once, and no more than are wanted.
[[nodiscard]] bool put_in_order(Array<solids::Solid>& boxes, std::uint32_t most) {
    std::sort(boxes.begin(), boxes.end(), solids::is_larger);
    const auto equal = [](const solids::Solid& a, const solids::Solid& b) {
        return !is_larger(a, b) && !is_larger(b, a);
    };
    std::size_t count = static_cast<std::size_t>(std::unique(boxes.begin(), boxes.end(), equal) - boxes.begin());
    if (most != 0) count = std::min<std::size_t>(count, most);
    return boxes.resize(count);
}

/// Lists who covers each box. A box that this second proof refuted would be left out.
[[nodiscard]] bool find_owners(const Given& given, Array<solids::Solid>& boxes, lanecull_solid_boxes& to) {
    OwnerSearch search;
    if (!search.prepare(given.solids) || !to.first_owner.push(0)) return false;
    std::size_t kept = 0;
    for (const solids::Solid& box : boxes) {
        const OwnerSearch::Answer answer = search.find(box, to.owners);
        if (answer == OwnerSearch::Answer::no_memory) return false;
        if (answer == OwnerSearch::Answer::not_covered) continue;
        boxes[kept++] = box;
        if (!to.first_owner.push(to.owners.size())) return false;
    }
    for (std::uint32_t& owner : to.owners) owner = given.index.data()[owner];
    return boxes.resize(kept);
}

Status merge(const Boxes& boxes, const MergeOptions& options, lanecull_solid_boxes& merged) {
    if (boxes.count > 0) {
        if (const char* missing = missing_stream(boxes)) return failure("boxes.%s: must not be null", lasting(missing));
    }
    Given given;
    Array<solids::Solid> results;
    if (!given.gather(boxes) || !results.resize_unset(given.solids.size())) return no_memory_to_merge();
    std::copy(given.solids.begin(), given.solids.end(), results.begin());
    if (!solids::merge(results) || !put_in_order(results, options.max_boxes)) return no_memory_to_merge();
    lanecull_solid_boxes found;
    if (!find_owners(given, results, found) || !found.store(results)) return no_memory_to_merge();
    merged = std::move(found);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_merge_boxes(const lanecull_boxes* boxes, const lanecull_merge_options* options,
                                     lanecull_solid_boxes* merged) noexcept {
    const FloatModes modes;
    Status status = check_not_null(boxes, "boxes");
    if (status) status = check_cleared(or_usual(options), "options");
    if (status) status = check_made(merged, "merged");
    return status ? merge(*boxes, or_usual(options), *merged) : status;
}
