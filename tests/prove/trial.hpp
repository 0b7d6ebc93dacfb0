#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/isa.hpp>

#include "prove/families.hpp"

/// One view's objects through cull(), by every method on every instruction set: each cull checked by its certificate,
/// some objects by the exact oracle.
namespace prove {

/// Counts of a family. All are sums over trials.
struct Tally {
    enum Count {
        views,
        views_refused,
        views_planes_only,  ///< told by planes alone
        views_small,        ///< that do not contain their volume: a failure
        verdicts,           ///< of cull() as it is called in frames: objects x methods x sets
        culled_plane,       ///< of these
        culled_gjk,
        exact_checks,    ///< certificates that doubles could not decide
        unproved,        ///< certificates that do not hold: a failure
        untold,          ///< certificates that contradict the verdict, or verdicts that differ without them: a failure
        invalid_told,    ///< objects with a number that is none, not called invalid: a failure
        oracle_objects,  ///< decided in rationals
        oracle_visible,  ///< of these
        false_culls,     ///< visible and culled by any method on any set: a failure
        apart_14,        ///< apart even when grown by 2^-14 of the coordinates involved,
        apart_18,        ///< 2^-18,
        apart_22,        ///< 2^-22;
        kept_14,         ///< and kept by the automatic method on the widest set
        kept_18,
        kept_22,
        kept_14_planes,       ///< why the first were kept: the view is told by planes alone,
        kept_14_touching,     ///< the simplex came too near,
        kept_14_cap,          ///< the iteration cap
        pairs,                ///< objects whose verdicts were compared between sets and between automatic and GJK
        differing,            ///< of these
        differing_asked,      ///< of these: how far they are apart
        differing_far,        ///< although apart by more than 4 bounds
        differing_explained,  ///< of these: the simplex came too near, or the iteration cap
        counts
    };
    std::array<std::uint64_t, counts> count{};

    [[nodiscard]] std::uint64_t failures() const;
    Tally& operator+=(const Tally& other);
    [[nodiscard]] static const char* name(int count);
};

struct Plan {
    std::vector<lanecull::Isa> isas;
    std::size_t objects = 480;       ///< of each kind
    bool stop_at_failure = false;    ///< the first one ends a trial
    std::size_t oracle_objects = 6;  ///< of each kind
};

/// Of all that is random in trial `index` of a family.
[[nodiscard]] std::uint64_t seed_of(const Family& family, std::uint64_t seed, std::uint64_t index);

/// Trial `index` of a family. Describes up to a few failures.
[[nodiscard]] Tally run_trial(const Family& family, std::uint64_t seed, std::uint64_t index, const Plan& plan,
                              std::vector<std::string>& failures);

}  // namespace prove
