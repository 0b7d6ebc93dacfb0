#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory.hpp"
#include "occluders/aligned_solid.hpp"

namespace lanecull::solids {

/// Solids begin to end - 1 of an array, which are merged together.
struct Part {
    std::size_t begin, end;
    unsigned depth;  ///< how many cuts led to it

    [[nodiscard]] std::size_t count() const { return end - begin; }
};

/// The coordinates of faces along each axis, ascending, all different. False: no memory.
[[nodiscard]] bool find_lines(const Solid* solids, std::size_t count, Array<float> (&lines)[dimensions]);

/// Orders the part's solids along the axis and adds the pieces between gaps to `parts`: planes across the axis that no
/// solid reaches from both sides. Nothing is lost, since no box in the union crosses a gap. `cut` says whether there
/// is any; without, nothing is added. False: no memory.
[[nodiscard]] bool cut_at_gaps(Solid* solids, const Part& part, std::size_t axis, Array<Part>& parts, bool& cut);

/// Adds two halves of the part: the solids whose centres are lower along the axis, and the others.
[[nodiscard]] bool cut_in_half(Solid* solids, const Part& part, std::size_t axis, Array<Part>& parts);

/// Replaces the solids by fewer, larger ones in their union, of which each solid lies in one. False: no memory; then
/// `solids` is as it was, but in any order.
[[nodiscard]] bool merge(Array<Solid>& solids);

}  // namespace lanecull::solids
