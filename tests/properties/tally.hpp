#pragma once

#include <array>
#include <cstdint>

namespace properties {

/// The counts of a family, summed over its trials.
struct Tally {
    enum Count {
        trials,
        refused,            ///< the library refused the view
        views_planes_only,  ///< decided by planes alone
        views_small,        ///< views that do not contain their volume: a failure
        verdicts,           ///< of cull() as frames call it: objects x methods x sets
        culled_plane,       ///< of these
        culled_gjk,
        culled_occluded,
        exact_checks,    ///< certificates that doubles could not decide
        unproved,        ///< certificates that do not hold: a failure
        untold,          ///< certificates that contradict the verdict, or verdicts that differ without them: a failure
        invalid_told,    ///< objects with a number that is not finite or too large, not called invalid: a failure
        oracle_objects,  ///< decided in rationals
        oracle_visible,  ///< of these
        false_culls,     ///< visible and culled by any method on any set: a failure
        apart_14,        ///< apart even when expanded by 2^-14 of the coordinates involved,
        apart_18,        ///< 2^-18,
        apart_22,        ///< 2^-22;
        kept_14,         ///< of apart_14: kept by the automatic method on the widest set
        kept_18,
        kept_22,
        kept_14_planes,       ///< of kept_14: because the view is decided by planes alone,
        kept_14_touching,     ///< because the simplex came too near,
        kept_14_cap,          ///< because of the iteration cap
        pairs,                ///< objects whose verdicts were compared between sets and between automatic and GJK
        differing,            ///< of these: verdicts differ
        differing_asked,      ///< of these: tested for how far apart they are
        differing_far,        ///< of these: apart by more than 4 bounds
        differing_explained,  ///< of these: the simplex came too near, or the iteration cap
        cases,                ///< what a family made, where it counts them for a rate
        reached,              ///< of these: those that it is for
        counts
    };
    std::array<std::uint64_t, counts> count{};

    [[nodiscard]] std::uint64_t failures() const;
    Tally& operator+=(const Tally& other);
    [[nodiscard]] static const char* name(int count);
};

/// Of what is apart by more than 2^exponent of the coordinates involved, the prover counts how much stays.
struct ApartLevel {
    int exponent;
    Tally::Count apart, kept;
};
/// What is apart by one of them is apart by those before it.
inline constexpr ApartLevel apart_levels[] = {{-22, Tally::apart_22, Tally::kept_22},
                                              {-18, Tally::apart_18, Tally::kept_18},
                                              {-14, Tally::apart_14, Tally::kept_14}};

}  // namespace properties
