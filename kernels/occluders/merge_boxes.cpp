/// merge_boxes(): gathers the solids, merges them, and finds who covers each result.

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "base/float_modes.hpp"
#include "base/rounding_bound.hpp"
#include "calls/check.hpp"
#include "occluders/merge.hpp"
#include "occluders/owners.hpp"
#include "occluders/solid_boxes.hpp"

namespace lanecull {
namespace {

using solids::dimensions;
using solids::OwnerSearch;
using solids::Solid;

Status no_memory() { return Status::failure(StatusCode::out_of_memory, "merge_boxes: there is not enough memory"); }

/// Box i, and whether it is a solid.
bool read(const Boxes& boxes, std::size_t i, Solid& solid) {
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
    Array<Solid> solids;
    Array<std::uint32_t> index;

    [[nodiscard]] bool gather(const Boxes& boxes) {
        if (!solids.reserve(boxes.count) || !index.reserve(boxes.count)) return false;
        for (std::uint32_t i = 0; i < boxes.count; ++i) {
            Solid solid;
            if (read(boxes, i, solid) && !(solids.push(solid) && index.push(i))) return false;
        }
        return true;
    }
};

/// Large boxes first, each once, and no more than are wanted.
[[nodiscard]] bool put_in_order(Array<Solid>& boxes, std::uint32_t most) {
    std::sort(boxes.begin(), boxes.end(), solids::is_larger);
    const auto equal = [](const Solid& a, const Solid& b) { return !is_larger(a, b) && !is_larger(b, a); };
    std::size_t count = static_cast<std::size_t>(std::unique(boxes.begin(), boxes.end(), equal) - boxes.begin());
    if (most != 0) count = std::min<std::size_t>(count, most);
    return boxes.resize(count);
}

/// Lists who covers each box. A box that this second proof refuted would be left out.
[[nodiscard]] bool find_owners(const Given& given, Array<Solid>& boxes, SolidBoxes::Contents& contents) {
    OwnerSearch search;
    if (!search.prepare(given.solids) || !contents.first_owner.push(0)) return false;
    std::size_t kept = 0;
    for (const Solid& box : boxes) {
        const OwnerSearch::Answer answer = search.find(box, contents.owners);
        if (answer == OwnerSearch::Answer::no_memory) return false;
        if (answer == OwnerSearch::Answer::not_covered) continue;
        boxes[kept++] = box;
        if (!contents.first_owner.push(contents.owners.size())) return false;
    }
    for (std::uint32_t& owner : contents.owners) owner = given.index.data()[owner];
    return boxes.resize(kept);
}

}  // namespace

Status merge_boxes(const Boxes& boxes, SolidBoxes& merged, const MergeOptions& options) noexcept {
    const FloatModes modes;
    if (boxes.count > 0) {
        if (const char* missing = missing_stream(boxes)) return Status::failure("boxes.%s: must not be null", missing);
    }
    std::unique_ptr<SolidBoxes::Contents> contents(new (std::nothrow) SolidBoxes::Contents);
    Given given;
    Array<Solid> results;
    if (contents == nullptr || !given.gather(boxes) || !results.resize_unset(given.solids.size())) return no_memory();
    std::copy(given.solids.begin(), given.solids.end(), results.begin());
    if (!solids::merge(results) || !put_in_order(results, options.max_boxes)) return no_memory();
    if (!find_owners(given, results, *contents) || !contents->store(results)) return no_memory();
    SolidBoxesAccess::give(merged, contents.release());
    return {};
}

}  // namespace lanecull
