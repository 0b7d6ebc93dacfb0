#pragma once

#include <algorithm>
#include <limits>

#include <lanecull/gjk.hpp>

#include "gjk/reference.hpp"

/// What answers about a pair claim to prove, verified in 50 digits by the shapes' definitions.
namespace prove::gjk_subject {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using reference::Real;

template <class A, class B>
class Claims {
public:
    using V = gjk::VectorOf<A>;
    using T = gjk::ScalarOf<A>;

    Claims(const A& a, const B& b) : a_(a), b_(b) {}

    /// The first claim that does not hold; null if all hold.
    [[nodiscard]] const char* broken(const gjk::Intersection<V>& found) const {
        if (found.verdict != Verdict::separated || gap(found.direction) > 0) return nullptr;
        return "intersect: the direction does not separate";
    }

    [[nodiscard]] const char* broken(const gjk::Distance<V>& found) const {
        const bool apart = found.verdict == Verdict::separated;
        if (apart != (found.lower > 0)) return "distance: verdict and lower bound differ";
        if (apart && !(gap(found.direction) >= found.lower)) return "distance: the direction does not prove the bound";
        return known(found) <= found.upper ? nullptr : "distance: farther apart than the upper bound";
    }
    /// The two are apart by at least that.
    [[nodiscard]] Real known(const gjk::Distance<V>& found) const {
        const V way = found.b - found.a;
        const T size = gjk::sum_norm(way);
        return size > 0 && size - size == 0 ? gap(way) : Real(0);
    }

    /// The last direction separates at the earliest time, or at the motion's end; before that others did.
    [[nodiscard]] const char* broken(const gjk::Cast<V>& found, const V& motion) const {
        const bool missed = found.verdict == Verdict::separated;
        if (missed && !(found.earliest > 1)) return "cast: separated before the motion's end";
        if (!(found.earliest > 0)) return nullptr;
        const reference::Direction d = reference::exact(found.direction);
        const Real closing = reference::along(motion, d) / reference::length(d);
        const Real between = gap(found.direction);
        // Infinite: they do not approach any more, or take longer than numbers go.
        const bool for_ever = found.earliest == std::numeric_limits<T>::infinity();
        if (for_ever && between < std::numeric_limits<T>::max() * closing) return "cast: they meet after all";
        const Real time = std::min(found.earliest, T(1));
        return between >= time * closing ? nullptr : "cast: no separation until the earliest time";
    }

    /// Bounds of the depth hold up to some u of the size.
    [[nodiscard]] const char* broken(const gjk::Penetration<V>& found) const {
        if (found.verdict == Verdict::undecided) return nullptr;
        const Real between = gap(found.direction);
        if (found.verdict == Verdict::separated) {
            return between > 0 ? nullptr : "penetration: the direction does not separate";
        }
        const Real size = Real(gjk::magnitude(a_)) + Real(gjk::magnitude(b_));
        const Real slack = 64 * gjk::unit_roundoff<T> * size + 64 * std::numeric_limits<T>::min();
        if (-between > found.upper + slack) return "penetration: the translation does not separate";
        return -between < found.lower - slack ? "penetration: a translation shorter than the lower bound separates"
                                              : nullptr;
    }

private:
    [[nodiscard]] Real gap(const V& d) const { return reference::gap(a_, b_, reference::exact(d)); }

    const A& a_;
    const B& b_;
};

}  // namespace prove::gjk_subject
