#pragma once

#include <array>
#include <vector>

#include "oracle/exact.hpp"
#include "oracle/exact_nearest.hpp"
#include "oracle/oracle.hpp"
#include "support/objects.hpp"

/// Objects in doubles, and what doubles prove about two of them; the same two in rationals. Nothing of the library is
/// used here.
namespace properties {

/// Every point within `radius` of the hull of `points`, up to the error.
struct Body {
    std::vector<exact::Vec<double>> points;  ///< relative to a place that both objects of a pair share
    double radius = 0;
    double size = 0;   ///< no coordinate of a point is larger
    double error = 0;  ///< each coordinate is within this of the true one
    /// What the numbers that make up a point add up to: what the library's bound on rounding is relative to.
    double magnitude = 0;
    double vertices = 0;  ///< a hull's largest coordinates, added up, before they are placed
};

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

private:
    exact::Solid a_, b_;
    exact::Point motion_;
};

}  // namespace properties
