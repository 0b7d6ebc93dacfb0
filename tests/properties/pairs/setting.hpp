#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/pairs.h>

#include "properties/trial.hpp"
#include "support/memory.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

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

/// The setting in memory: two batches, and the indices and motions of its pairs.
struct PairBatches {
    HeapMemory memory;
    lanecull::Batch a, b;
    std::vector<std::uint32_t> index;
    std::array<std::vector<float>, 3> motion;

    explicit PairBatches(const PairSetting& setting);
    [[nodiscard]] lanecull::PairIndices pairs() const {
        return {index.data(), index.data() + 1, index.size() / 2, 2 * sizeof(std::uint32_t)};
    }
    [[nodiscard]] lanecull::PairMotions motions() const {
        return {motion[0].data(), motion[1].data(), motion[2].data()};
    }
};

/// The answers of one instruction set about some pairs.
struct PairAnswers {
    lanecull::Isa isa;
    std::vector<std::uint64_t> words;
    std::vector<float> lower, upper, earliest, latest;
    std::array<std::vector<float>, 6> points;

    explicit PairAnswers(std::size_t count, lanecull::Isa by = lanecull::Isa::automatic);
    [[nodiscard]] lanecull::PairDistances distances();
    [[nodiscard]] lanecull::PairCasts casts() { return {earliest.data(), latest.data()}; }
    [[nodiscard]] bool separated(std::size_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }
    /// Whether pair i has the answers that pair j has in the others, byte for byte.
    [[nodiscard]] bool same(std::size_t i, const PairAnswers& others, std::size_t j) const;
    [[nodiscard]] bool untouched() const;  ///< as they were made
};

/// All answers about pairs by the usual options; without motions no casts.
[[nodiscard]] PairAnswers ask(const lanecull::Batch& a, const lanecull::Batch& b, const lanecull::PairIndices& pairs,
                              const lanecull::PairMotions& motions, lanecull::Isa isa,
                              const lanecull::Runner& runner = {});
[[nodiscard]] PairAnswers ask(const PairSetting& setting, lanecull::Isa isa);

/// Passes the pairs to every instruction set and verifies all answers.
void run_pairs(const PairSetting& setting, Trial& trial);

/// The same about the pairs with all coordinates times 2^exponent. The numbers must be such that nothing under- or
/// overflows: then the answers are the same, lengths times 2^exponent.
void run_scaled_pairs(const PairSetting& setting, int exponent, Trial& trial);

/// Pairs of any kinds and of any numbers, with any strides, indices and options.
void run_any_pairs(Trial& trial);

/// Sizes, the distance from the world's origin, and that of the two middles as a share of the sizes' sum.
struct Placing {
    double size_a, size_b, place, apart;
};
[[nodiscard]] Placing any_placing(Random& random);
[[nodiscard]] PairOfObjects place(Random& random, const PairSetting& setting, const Placing& placing);
[[nodiscard]] PairSetting ordinary_pairs(Random& random, Kind a, Kind b, std::size_t count);

/// Pairs that share a point, made of integers times powers of two; some of them only once a has moved. `split`: such a
/// power is split between what maps and what is mapped.
[[nodiscard]] PairSetting touching_pairs(Random& random, Kind a, Kind b, std::size_t count, bool split);

}  // namespace properties
