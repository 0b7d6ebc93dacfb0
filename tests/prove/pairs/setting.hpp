#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/library.h>

#include "prove/fingerprint.hpp"
#include "prove/trial.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace prove {

struct PairOfObjects {
    Object a, b;
    std::array<float, 3> motion{};  ///< of a
    /// By construction the two share a point at this time of the motion. Infinite: not known whether they ever do.
    float contact = std::numeric_limits<float>::infinity();
    bool invalid = false;         ///< one of the objects is, or they are too far apart
    bool missing = false;         ///< an index is out of range: invalid, too
    bool invalid_motion = false;  ///< the motion is not finite: only the cast is invalid

    [[nodiscard]] bool is_invalid() const { return invalid || missing; }
};

struct PairSetting {
    Kind kind_a, kind_b;
    HullSet hulls;
    std::vector<PairOfObjects> pairs;

    [[nodiscard]] std::string describe(std::size_t i) const;
};

/// An object's fields that must not be negative.
struct SizeFields {
    std::size_t first = 0, count = 0;
    [[nodiscard]] bool contain(std::size_t field) const { return field >= first && field < first + count; }
};
[[nodiscard]] SizeFields size_fields(Kind kind);

/// The answers of one instruction set about a setting's pairs.
struct PairAnswers {
    lanecull::Isa isa{};
    std::vector<std::uint64_t> words{};
    std::vector<float> lower{}, upper{}, earliest{}, latest{};
    std::array<std::vector<float>, 6> points{};

    [[nodiscard]] bool separated(std::size_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }
};

[[nodiscard]] PairAnswers ask(const PairSetting& setting, lanecull::Isa isa);
void add_answers(Fingerprint& fingerprint, const PairAnswers& answers);

/// Asks every instruction set about the pairs and verifies all answers.
void run_pairs(const PairSetting& setting, Trial& trial);

/// The same about the pairs with all coordinates times 2^exponent. The numbers must be such that nothing under- or
/// overflows: then the answers are the same, lengths times 2^exponent.
void run_scaled_pairs(const PairSetting& setting, int exponent, Trial& trial);

/// Pairs that share a point, made of integers times powers of two; some of them only once a has moved. `split`: such a
/// power is split between what maps and what is mapped.
[[nodiscard]] PairSetting touching_pairs(Random& random, Kind a, Kind b, std::size_t count, bool split);

}  // namespace prove
