#include "properties/tally.hpp"

#include <iterator>

namespace properties {

std::uint64_t Tally::failures() const {
    return count[views_small] + count[unproved] + count[untold] + count[invalid_told] + count[false_culls];
}

Tally& Tally::operator+=(const Tally& other) {
    for (std::size_t k = 0; k < count.size(); ++k) count[k] += other.count[k];
    return *this;
}

const char* Tally::name(int count) {
    constexpr const char* names[] = {"trials",
                                     "refused",
                                     "views_planes_only",
                                     "views_small",
                                     "verdicts",
                                     "culled_plane",
                                     "culled_gjk",
                                     "culled_occluded",
                                     "exact_checks",
                                     "unproved",
                                     "untold",
                                     "invalid_told",
                                     "oracle_objects",
                                     "oracle_visible",
                                     "false_culls",
                                     "apart_14",
                                     "apart_18",
                                     "apart_22",
                                     "kept_14",
                                     "kept_18",
                                     "kept_22",
                                     "kept_14_planes",
                                     "kept_14_touching",
                                     "kept_14_cap",
                                     "pairs",
                                     "differing",
                                     "differing_asked",
                                     "differing_far",
                                     "differing_explained",
                                     "cases",
                                     "reached"};
    static_assert(std::size(names) == counts);
    return names[count];
}

}  // namespace properties
