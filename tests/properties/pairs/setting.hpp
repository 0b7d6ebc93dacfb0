#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/pairs.h>

#include "oracle/exact.hpp"
#include "oracle/oracle.hpp"
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
    std::vector<std::array<double, 3>> corners{};  ///< where all contacts are, as points of a, if that is known
    bool invalid = false;                          ///< one of the objects is, or they are too far apart
    bool missing = false;                          ///< an index is out of range: invalid, too
    bool invalid_motion = false;                   ///< the motion is not finite: only the cast is invalid

    [[nodiscard]] bool is_invalid() const { return invalid || missing; }
};

struct PairSetting {
    Kind kind_a, kind_b;
    HullSet hulls;
    std::vector<PairOfObjects> pairs;
    float tolerance = 0;  ///< of contacts

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
    std::vector<float> signed_lower, signed_upper;
    std::array<std::vector<float>, 3> direction;
    std::array<std::vector<float>, 6> signed_points;
    std::vector<std::uint32_t> counts;  ///< of contacts
    std::vector<float> contact_lower, contact_upper;
    std::array<std::vector<float>, 3> contact_direction;
    std::array<std::vector<float>, 4> contacts;  ///< points and distances, four of each pair

    explicit PairAnswers(std::size_t count, lanecull::Isa by = lanecull::Isa::automatic);
    [[nodiscard]] lanecull::PairDistances distances();
    [[nodiscard]] lanecull::PairSignedDistances signed_distances();
    [[nodiscard]] lanecull::PairContacts pair_contacts();
    /// The numbers of every answer but the separated pairs' and the contacts', stream by stream.
    [[nodiscard]] std::vector<std::vector<float>*> streams();
    [[nodiscard]] std::vector<const std::vector<float>*> streams() const;
    [[nodiscard]] lanecull::PairCasts casts() { return {earliest.data(), latest.data()}; }
    [[nodiscard]] bool separated(std::size_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }
    /// Whether pair i has the answers that pair j has in the others, byte for byte.
    [[nodiscard]] bool same(std::size_t i, const PairAnswers& others, std::size_t j) const;
    [[nodiscard]] bool untouched() const;  ///< as they were made
};

/// All answers about pairs by the usual options; without motions no casts.
[[nodiscard]] PairAnswers ask(const lanecull::Batch& a, const lanecull::Batch& b, const lanecull::PairIndices& pairs,
                              const lanecull::PairMotions& motions, lanecull::Isa isa,
                              const lanecull::Runner& runner = {}, float tolerance = 0);
[[nodiscard]] PairAnswers ask(const PairSetting& setting, lanecull::Isa isa);

/// Passes the pairs to every instruction set and verifies all answers.
void run_pairs(const PairSetting& setting, Trial& trial);

/// The same about the pairs with all coordinates times 2^exponent. The numbers must be such that nothing under- or
/// overflows: then the answers are the same, lengths times 2^exponent.
void run_scaled_pairs(const PairSetting& setting, int exponent, Trial& trial);

/// Casts of two kinds that turn.
void run_turning_pairs(Trial& trial, Kind a, Kind b, std::size_t count);

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

// Objects in doubles, and what doubles prove about two of them; the same two in rationals. Nothing of the library is
// used here.

/// Every point within `radius` of the hull of `points` and `ovals`, up to the error.
struct Body {
    std::vector<exact::Vec<double>> points;  ///< relative to a place that both objects of a pair share
    double radius = 0;
    std::vector<solids::Oval<double>> ovals{};
    double size = 0;   ///< no coordinate of a point is larger
    double error = 0;  ///< each coordinate is within this of the true one
    /// What the numbers that make up a point add up to: what the library's bound on rounding is relative to.
    double magnitude = 0;
    double vertices = 0;  ///< a hull's largest coordinates, added up, before they are placed
};

/// Whether one has ovals, and one is more than 10^4 times as long as wide: bounds of their depths may be far apart, and
/// deepest points beside each other.
[[nodiscard]] bool has_curved_sliver(const Body& a, const Body& b);

/// Kinds whose cores are boxes, segments or points: lanes find their depths. Doubles bound those of others.
[[nodiscard]] bool has_facets(Kind kind);

using Place = std::array<double, 3>;

/// A place of the object that its record has as it stands.
[[nodiscard]] Place place_of(Kind kind, const Object& object);

[[nodiscard]] Body body_of(Kind kind, const Object& object, const HullSet& hulls, const Place& origin);

/// The body with all numbers times 2^exponent, which is exact.
[[nodiscard]] Body times_power(Body body, int exponent);
/// The body moved by `way`; with every place that it passes, if `swept`.
[[nodiscard]] Body moved(const Body& body, const exact::Vec<double>& way, bool swept);

/// What is proved about the distance between two bodies: least <= distance <= most.
struct Proof {
    double least = 0;
    double most = 0;
    exact::Vec<double> direction{};  ///< of length 1 or so, or 0: from b's nearest point to a's
};

/// How far the two are apart along w, a unit vector or so, from a to b; below 0: how far they overlap.
[[nodiscard]] double gap_along(const Body& a, const Body& b, const exact::Vec<double>& w);

/// The depth of two bodies that are boxes, segments or points with balls, to 10^-10 of their size. None: their cores do
/// not overlap, or have axes that are too nearly parallel for doubles.
[[nodiscard]] std::optional<double> facet_depth(const Body& a, const Body& b);

/// The nearest points are searched for by Wolfe's method, which is not trusted: `least` is proved by the direction
/// between them, `most` by the points.
[[nodiscard]] Proof measure(const Body& a, const Body& b);

/// The exact shapes of a pair, relative to a point of b.
class ExactPair {
public:
    ExactPair(Kind kind_a, const Object& a, Kind kind_b, const Object& b, const HullSet& hulls,
              const std::array<float, 3>& motion);
    /// Whether a, expanded by `grow` >= 0, shares a point with b.
    [[nodiscard]] bool meet(const exact::Rational& grow) const;
    /// Whether a touches b at any time from 0 to `time` of the motion.
    [[nodiscard]] bool meet_by(const exact::Rational& time) const;
    /// Whether every translation that separates the two is at least so long. None: not known, because one of the cores
    /// is more than a box, a segment or a point.
    [[nodiscard]] std::optional<bool> deep(const exact::Rational& depth) const;

private:
    exact::Solid a_, b_;
    exact::Point motion_;
    bool has_facets_;
};

}  // namespace properties
