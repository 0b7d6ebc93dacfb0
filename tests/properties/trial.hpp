#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/library.h>

#include "cull/kernel_work.hpp"
#include "support/random.hpp"

namespace properties {

/// Each step is one to one, so that answers that differ in one place have different hashes.
class Hash {
public:
    void add(std::uint64_t value) { value_ = std::rotl((value_ ^ value) * 0x9e3779b97f4a7c15u, 29); }
    void add(float value) { add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::span<const float> values) {
        for (const float value : values) add(value);
    }
    void add(std::span<const std::uint64_t> words) {
        for (const std::uint64_t word : words) add(word);
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Of answers: of all there is to them, and of what is decided alone, method by method. What has no methods counts as
/// Method::automatic.
struct Fingerprint {
    static constexpr std::array methods = {lanecull::Method::automatic, lanecull::Method::planes, lanecull::gjk_alone};
    Hash all;
    std::array<Hash, methods.size()> words;  ///< visibility words, and those of pairs that are separated

    void add_words(std::span<const std::uint64_t> decided, lanecull::Method method = lanecull::Method::automatic) {
        all.add(decided);
        words[static_cast<std::size_t>(std::find(methods.begin(), methods.end(), method) - methods.begin())].add(
            decided);
    }
    void add(std::span<const lanecull::Certificate> certificates) {
        for (const lanecull::Certificate& certificate : certificates) {
            all.add(static_cast<std::uint64_t>(certificate.reason));
            all.add(static_cast<std::uint64_t>(certificate.steps));
            all.add(static_cast<std::uint64_t>(certificate.occluder));
            all.add(certificate.far_depth);
            all.add(certificate.gap);
            for (const double component : certificate.direction) all.add(component);
        }
    }
    void add(const lanecull::Counts& counts) {
        all.add(counts.objects());
        all.add(std::span<const std::uint64_t>(counts.by_reason));
    }
};

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

struct Plan {
    std::vector<lanecull::Isa> isas;
    std::size_t objects = 480;       ///< of each kind
    bool stop_at_failure = false;    ///< the first failure ends a trial
    std::size_t oracle_objects = 6;  ///< of each kind
};

/// A trial under way: what it draws from, what it counts, and what it found.
struct Trial {
    Random& random;
    const Plan& plan;
    std::string label;  ///< family, seed and number: enough to repeat it
    Tally& tally;
    std::vector<std::string>& failures;  ///< a few descriptions at most
    Fingerprint& answers;                ///< every answer is added to it

    [[nodiscard]] std::uint64_t& at(Tally::Count count) const { return tally.count[static_cast<std::size_t>(count)]; }
    [[nodiscard]] bool stopped() const { return plan.stop_at_failure && tally.failures() > 0; }
    /// Counts a failure. Describes it by `what` and `text()` unless enough are described.
    template <class Text>
    void fail(Tally::Count count, const std::string& what, const Text& text) const {
        constexpr std::size_t most = 5;
        ++at(count);
        if (failures.size() < most) failures.push_back(label + ": " + what + "\n  " + text());
    }
};

}  // namespace properties
