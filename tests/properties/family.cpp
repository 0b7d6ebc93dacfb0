#include "properties/family.hpp"

#include <iterator>

#include "properties/trial.hpp"

namespace properties {

const std::vector<Family>& families() {
    static const std::vector<Family> all = [] {
        std::vector<Family> families;
        for (const std::span<const Family> part :
             {view_families(), figure_families(), world_families(), gjk_families(), pair_families(), bounds_families(),
              scene_families(), frame_families(), light_families(), occluder_families(), solid_families()}) {
            families.insert(families.end(), part.begin(), part.end());
        }
#ifdef LANECULL_PROVE_VISIBILITY
        families.insert(families.end(), visibility_families().begin(), visibility_families().end());
#endif
        return families;
    }();
    return all;
}

std::uint64_t seed_of(const Family& family, std::uint64_t seed, std::uint64_t index) {
    Random mix(seed + 0x100000001b3u * index);
    std::uint64_t result = mix.bits();
    for (const char* c = family.name; *c != 0; ++c) result = (result ^ static_cast<unsigned char>(*c)) * 0x100000001b3u;
    return result;
}

Tally run_trial(const Family& family, std::uint64_t seed, std::uint64_t index, const Plan& plan,
                std::vector<std::string>& failures, Fingerprint& answers) {
    Tally tally;
    Random random(seed_of(family, seed, index));
    Trial trial{random,
                plan,
                std::string(family.name) + " seed " + std::to_string(seed) + " trial " + std::to_string(index),
                tally,
                failures,
                answers};
    family.run(trial);
    return tally;
}

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
