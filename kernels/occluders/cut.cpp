#include "occluders/cut.hpp"

#include <algorithm>

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

}  // namespace lanecull::solids
