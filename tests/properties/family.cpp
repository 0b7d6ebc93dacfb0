#include "properties/family.hpp"

namespace properties {

const std::vector<Family>& families() {
    static const std::vector<Family> all = [] {
        std::vector<Family> families;
        for (const std::span<const Family> part :
             {view_families(), figure_families(), world_families(), gjk_families(), pair_families(), bounds_families(),
              scene_families(), frame_families(), occluder_families(), solid_families()}) {
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

}  // namespace properties
