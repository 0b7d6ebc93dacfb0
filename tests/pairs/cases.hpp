#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/batch.h>
#include <lanecull/library.h>
#include <lanecull/pairs.h>
#include <lanecull/types.h>

#include "oracle/exact.hpp"
#include "support/memory.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Random pairs of objects of every two kinds, their exact shapes, and the library's answers about them.
namespace pair_tests {

/// How the two objects are placed relative to each other.
enum class Family {
    near,       ///< of similar sizes, about one size apart
    touching,   ///< as near to touching as floats allow
    deep,       ///< around the same point
    uneven,     ///< one is up to a million times as large as the other
    tiny,       ///< sizes and coordinates of 1e-12
    huge,       ///< sizes and coordinates of 1e12
    far_away,   ///< 1e6 sizes from the origin
    identical,  ///< the same numbers twice, if the kinds allow it
};
inline constexpr Family all_families[] = {Family::near, Family::touching, Family::deep,     Family::uneven,
                                          Family::tiny, Family::huge,     Family::far_away, Family::identical};
[[nodiscard]] const char* family_name(Family family);

struct PairCase {
    Object a, b;
    Family family;
    std::array<float, 3> motion;  ///< of a, mostly towards b
};

/// Pairs of all families.
struct Cases {
    Kind kind_a, kind_b;
    HullSet hulls;
    std::vector<PairCase> pairs;

    Cases(Random& random, Kind a, Kind b, std::size_t count);
    [[nodiscard]] std::string describe(std::size_t i) const;
};

/// The exact shapes of a pair, relative to a point of b, and the approximate sizes of the pair and of the motion.
struct ExactPair {
    exact::Solid a, b;
    exact::Point motion, origin;
    double size = 0, way_size = 0;

    ExactPair(Kind kind_a, const Object& a, Kind kind_b, const Object& b, const HullSet& hulls,
              const std::array<float, 3>& motion);
    ExactPair(const Cases& cases, std::size_t i);
    /// Whether a, translated by `time` * motion and expanded by `grow` >= 0, shares a point with b.
    [[nodiscard]] bool meet(const exact::Rational& grow, const exact::Rational& time = 0) const;
    /// Whether a, expanded by `grow`, touches b at any time from 0 to `time` of the motion.
    [[nodiscard]] bool meet_by(const exact::Rational& time, const exact::Rational& grow = 0) const;
    /// The distance in doubles, by the scalar library: of the pair; of `solid` and the point `world`.
    [[nodiscard]] double distance() const;
    [[nodiscard]] double distance_to(const exact::Solid& solid, const std::array<float, 3>& world) const;
};

/// The two batches in memory.
struct Batches {
    HeapMemory memory;
    lanecull::Batch a, b;
    std::vector<std::uint32_t> index;

    explicit Batches(const Cases& cases);
    [[nodiscard]] lanecull::PairIndices pairs() const { return {index.data(), index.data(), index.size()}; }
};

struct Separated {
    std::vector<std::uint64_t> words;
    [[nodiscard]] bool operator[](std::size_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }
    bool operator==(const Separated&) const = default;
};
[[nodiscard]] Separated run_separate(const lanecull::Batch& a, const lanecull::Batch& b,
                                     const lanecull::PairIndices& pairs, lanecull::Isa isa,
                                     const lanecull::Runner& runner = {});

struct Distances {
    std::vector<float> lower, upper;
    std::array<std::vector<float>, 6> points;

    [[nodiscard]] std::array<float, 3> point(std::size_t i, std::size_t side) const {
        return {points[3 * side][i], points[3 * side + 1][i], points[3 * side + 2][i]};
    }
};
[[nodiscard]] Distances run_distances(const lanecull::Batch& a, const lanecull::Batch& b,
                                      const lanecull::PairIndices& pairs, const lanecull::PairDistanceOptions& options,
                                      const lanecull::Runner& runner = {});

struct Casts {
    std::vector<float> earliest, latest;
    bool operator==(const Casts&) const = default;
};
[[nodiscard]] Casts run_casts(const Batches& batches, const Cases& cases, lanecull::Isa isa,
                              const lanecull::Runner& runner = {});

}  // namespace pair_tests
