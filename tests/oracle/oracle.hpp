#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <lanecull/view.h>

#include "oracle/solids.hpp"

/// An oracle for the tests: do a solid and the volume of a clip matrix share a point?
///
/// It shares neither code nor method with the kernels. The volume stays what the matrix says, six half-spaces
/// g_i(q) = n_i . q + b_i >= 0; no vertex, edge or support point of it is ever computed. The oracle maximizes the
/// smallest g_i, in units of its row, over the points of the solid. That is a zero-sum game, solved by the simplex
/// method, which generates a column for an extreme point of the solid when it needs one. Both answers carry a
/// certificate that is verified on its own, with a bound on every rounding:
///
///   visible  a convex combination of points of the solid at which every g_i is positive;
///   apart    multipliers y >= 0 with sum_i y_i g_i < 0 everywhere in the solid; everywhere in the volume it is >= 0.
///
/// All computation is in long double (64-bit significand). If neither certificate is found the answer is `unclear`;
/// tests count and bound these.
namespace oracle {

using Real = long double;

using Vec = solids::Vec<Real>;
using solids::dot;
using solids::largest_component;
using solids::length;

/// A number, and the sum of the absolute values of the terms that were added to compute it.
struct Terms {
    Real value = 0, size = 0;

    Terms() = default;
    explicit Terms(Real number) : value(number), size(std::fabs(number)) {}
    Terms(Real number, Real terms) : value(number), size(terms) {}
    friend Terms operator+(Terms a, Terms b) { return {a.value + b.value, a.size + b.size}; }
    friend Terms operator-(Terms a, Terms b) { return {a.value - b.value, a.size + b.size}; }
    friend Terms operator*(Terms a, Terms b) { return {a.value * b.value, a.size * b.size}; }
    friend Terms operator/(Terms a, Terms b) { return {a.value / b.value, a.size / std::fabs(b.value)}; }
    friend bool operator==(Terms a, Terms b) { return a.value == b.value; }
};

}  // namespace oracle

/// Sums of squares have all of their sizes in their value.
template <>
struct solids::Root<oracle::Terms> {
    [[nodiscard]] static oracle::Terms of(oracle::Terms x) { return oracle::Terms(std::sqrt(x.value)); }
    [[nodiscard]] static oracle::Terms shortened(oracle::Terms x) { return oracle::Terms(x.value); }
    [[nodiscard]] static oracle::Terms alone(oracle::Terms x) { return oracle::Terms(x.value); }
};

namespace oracle {

/// As solids::Solid.
struct Solid : solids::Solid<Real> {
    /// The rounding of the points is relative to this: at least the sum of the absolute values of the terms that were
    /// added to compute any of them.
    Real magnitude = 0;

    Solid() = default;
    Solid(const solids::Solid<Terms>& made);
};

enum class Verdict { visible, apart, unclear };

struct Answer {
    Verdict verdict = Verdict::unclear;
    Real gap = 0;  ///< apart: a proved lower bound of the distance (not the distance, because the first proof is taken)
    int steps = 0;
};

class Volume {
public:
    /// Reads the 16 numbers as lanecull::prepare_view() documents it.
    Volume(std::span<const double, 16> clip_from_world, const lanecull::ClipSpace& clip_space);

    /// Decides whether the solid, with `grow` added to its radius, is apart from the volume. `apart` with grow = d says
    /// that the two are farther apart than d.
    [[nodiscard]] Answer decide(const Solid& solid, Real grow = 0) const;

    /// In world coordinates. Perspective: where the four side planes meet; orthographic: the volume's centre.
    [[nodiscard]] Vec eye() const { return eye_; }

    /// The largest coordinate of the solid relative to the eye, its radius included.
    [[nodiscard]] Real extent_from_eye(const Solid& solid) const;

private:
    using HalfSpace = solids::HalfSpace<Real>;  ///< with a normal of length 1

    [[nodiscard]] Real slack(const HalfSpace& half_space, Vec p) const;
    [[nodiscard]] Real rounding(const HalfSpace& half_space, const Solid& solid, Real radius) const;

    friend class Game;
    std::vector<HalfSpace> half_spaces_;
    bool empty_ = false;  ///< one of the rows says 0 . q >= a positive number
    Vec origin_;
    Vec eye_;
};

}  // namespace oracle
