#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/isa.hpp>

#include "prove/fingerprint.hpp"
#include "prove/trial.hpp"
#include "support/random.hpp"

/// Families of cases for which an answer is most likely to be wrong. All are generated from a seed.
namespace prove {

struct Family {
    const char* name;
    const char* subject;  ///< what claims a proof; the name of a folder, "casters" are in views/
    void (*run)(Trial&);  ///< makes a case, asks the library, and verifies each answer
    /// Adds the answers about a case to a fingerprint. Null where the answers do not depend on the instruction set.
    void (*add_answers)(Fingerprint&, Random&, lanecull::Isa) = nullptr;
};

/// Those of each subject, in its folder.
[[nodiscard]] std::span<const Family> view_families();
[[nodiscard]] std::span<const Family> figure_families();
[[nodiscard]] std::span<const Family> world_families();
[[nodiscard]] std::span<const Family> gjk_families();
[[nodiscard]] std::span<const Family> pair_families();
[[nodiscard]] std::span<const Family> bounds_families();
[[nodiscard]] std::span<const Family> scene_families();

/// All of them.
[[nodiscard]] const std::vector<Family>& families();

/// The seed of everything random in trial `index` of a family.
[[nodiscard]] std::uint64_t seed_of(const Family& family, std::uint64_t seed, std::uint64_t index);

/// Runs trial `index` of a family.
[[nodiscard]] Tally run_trial(const Family& family, std::uint64_t seed, std::uint64_t index, const Plan& plan,
                              std::vector<std::string>& failures);

}  // namespace prove
