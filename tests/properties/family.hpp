#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/library.h>

#include "properties/trial.hpp"
#include "support/random.hpp"

/// Families of cases for which an answer is most likely to be wrong. All are made of a source of numbers: a seed, or a
/// fuzzer's bytes. Three programs run them: lanecull_property_tests, lanecull_prove and the fuzzers.
namespace properties {

/// How often a family must reach what it is for: a bound on one count relative to another, over all its trials.
struct Rate {
    Tally::Count of, among;
    double least, most = 1;
    std::uint64_t enough = 1000;  ///< of `among`, for the share to be held against the bounds
};

struct Family {
    const char* name;
    const char* subject;  ///< what claims a proof; a folder or file here ("balls", "casters", "company", "limits" and
                          ///< "nothing" are in views/)
    void (*run)(Trial&);  ///< makes a case, calls the library, and verifies each answer
    std::span<const Rate> rates = {};  ///< the tests hold these when all their trials run
    bool of_bytes = false;  ///< small enough for fuzzers: with a plan of few objects a trial draws some hundred numbers
};

/// Small cases: many in a prover's trial, one in a fuzzer's.
template <void (*run_case)(Trial&)>
void run_cases(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n <= trial.plan.objects / 24 && !trial.stopped(); ++n) run_case(trial);
}

/// Makes a setting by make(random, objects), none if the library refuses the view; run_setting(setting, trial)
/// culls it.
template <auto make>
void run_made(Trial& trial) {
    if (const auto setting = make(trial.random, trial.plan.objects)) {
        run_setting(*setting, trial);
    } else {
        trial.at(Tally::refused) = 1;
    }
}

/// The family of the settings that `make` makes.
template <auto make>
constexpr Family family_of(const char* name, const char* subject) {
    return {name, subject, run_made<make>};
}

/// Those of each subject, in its folder.
[[nodiscard]] std::span<const Family> view_families();
[[nodiscard]] std::span<const Family> figure_families();
[[nodiscard]] std::span<const Family> world_families();
[[nodiscard]] std::span<const Family> gjk_families();
[[nodiscard]] std::span<const Family> pair_families();
[[nodiscard]] std::span<const Family> bounds_families();
[[nodiscard]] std::span<const Family> scene_families();
[[nodiscard]] std::span<const Family> occluder_families();
[[nodiscard]] std::span<const Family> frame_families();
[[nodiscard]] std::span<const Family> light_families();
[[nodiscard]] std::span<const Family> solid_families();
[[nodiscard]] std::span<const Family> visibility_families();  // where lanecull::visibility is

/// All of them.
[[nodiscard]] const std::vector<Family>& families();

/// The seed of everything random in trial `index` of a family.
[[nodiscard]] std::uint64_t seed_of(const Family& family, std::uint64_t seed, std::uint64_t index);

/// Runs trial `index` of a family, and adds its answers to a fingerprint.
Tally run_trial(const Family& family, std::uint64_t seed, std::uint64_t index, const Plan& plan,
                std::vector<std::string>& failures, Fingerprint& answers);

}  // namespace properties
