#pragma once

/// How deep the core of a box and that of a box, capsule or sphere are in each other. Their difference D is a zonotope:
/// two of the axes that it has from both span each of its facets. So the depth is the least height of such a facet
/// above the origin.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/bound.hpp"
#include "pairs/box_axes.hpp"
#include "pairs/descent.hpp"
#include "pairs/shapes.hpp"

namespace lanecull::pairs {
namespace {

/// Shorter axes (with coordinates of at most 2) span no facets: without them D is smaller by less than any rounding.
constexpr float shortest_axis = 1e-15f;
/// Two axes of which the product of lengths is so many times the length of their cross product are as good as parallel.
constexpr float most_parallel = 0x1p18f;

struct AxisW {
    Vec3W way;
    FloatW length;

    AxisW() = default;
    LANE_INLINE explicit AxisW(const Vec3W& half) : way(half), length(sqrt(dot(half, half))) {}
};

/// Faces of a segment or a point: none.
struct NoFacesW {
    LANE_INLINE NoFacesW(const RoundW&, const BoxW&) {}
};
template <class A>
struct FacesBeside {
    using Type = NoFacesW;
};
template <>
struct FacesBeside<BoxW> {
    using Type = FacesW<3>;
};

/// The facets of D = A - B: b's faces, those of an axis of each, a's faces.
template <class A, int Axes>
class FacetsW {
    static constexpr bool both_boxes = Axes == 3;
    static constexpr int count = 3 + 3 * Axes + (both_boxes ? 3 : 0);

public:
    Vec3W between;  ///< from b's centre to a's
    typename FacesBeside<A>::Type of_a;
    FacesW<Axes> of_b;
    AxisW a[Axes], b[3];
    /// The axes that span the best facet: its height and the doubt of that add up to the least.
    Vec3W first, second;
    MaskW first_of_a = mask_of(0), second_of_a = mask_of(0);
    MaskW found = mask_of(0);  ///< set: there is one

    LANE_INLINE explicit FacetsW(const PairW<A, BoxW>& pair)
        : between(pair.a.center - pair.b.center),
          of_a(pair.a, pair.b),
          of_b(pair.b, pair.a),
          first(pair.b.axis[0]),
          second(pair.b.axis[1]),
          unit_(FloatW(unit_roundoff) * pair.size) {
        for (int k = 0; k < Axes; ++k) a[k] = AxisW(pair.a.axis[k]);
        for (int j = 0; j < 3; ++j) b[j] = AxisW(pair.b.axis[j]);
        for (int m = 0; m < 3; ++m) {
            FloatW reach = of_b.volume;
            for (int k = 0; k < Axes; ++k) reach = reach + of_b.reach[m][k];
            const MaskW better = look(face_of_b(m), b[(m + 1) % 3], b[(m + 2) % 3], of_b.normal[m], reach);
            found = found | better;
        }
        for (int k = 0; k < Axes; ++k) {
            for (int j = 0; j < 3; ++j) {
                FloatW reach = of_b.beside(j, k);
                if constexpr (both_boxes) reach = reach + of_a.beside(k, j);
                const MaskW better = look(of_each(k, j), a[k], b[j], cross(a[k].way, b[j].way), reach);
                first_of_a = first_of_a | better;
                found = found | better;
            }
        }
        if constexpr (both_boxes) {
            for (int m = 0; m < 3; ++m) {
                const FloatW reach = of_a.volume + of_a.reach[m][0] + of_a.reach[m][1] + of_a.reach[m][2];
                const MaskW better = look(face_of_a(m), a[(m + 1) % 3], a[(m + 2) % 3], of_a.normal[m], reach);
                first_of_a = first_of_a | better;
                second_of_a = second_of_a | better;
                found = found | better;
            }
        }
    }

    /// No facet but the best is lower than that.
    LANE_INLINE FloatW least_of_others() const {
        const FloatW infinity(__builtin_inff());
        FloatW key = infinity, best = infinity, others = infinity;
        for (int i = 0; i < count; ++i) {
            const MaskW better = key_[i] < key;
            others = min(others, select(better, best, least_[i]));
            best = select(better, least_[i], best);
            key = select(better, key_[i], key);
        }
        return others;
    }

    /// Bounds the facets of nearly parallel axes p and q by others. Seen along p, D is a polygon, whose edges are the
    /// other axes as seen. The height of p x q is the same without q, which lies across it. If the origin is in the
    /// polygon without q, no direction across p is lower than the lowest of that polygon's edges: the height of p x c,
    /// for another axis c, less q's reach along it. If it is not, one of these is below 0, and proves nothing. The same
    /// holds along q, and the better of the two counts.
    [[gnu::noinline]] void bound_by_neighbours() {
        for (int k = 0; k < Axes; ++k) {
            for (int j = 0; j < 3; ++j) {
                const FloatW infinity(__builtin_inff());
                FloatW along_a = infinity, along_b = infinity;
                for (int m = 0; m < 3; ++m) {
                    if (m == j) continue;
                    along_a = min(along_a, without(of_each(k, m), of_b.reach[3 - j - m][k]));
                    along_b = min(along_b, without(face_of_b(m), of_b.reach[m][k]));
                }
                if constexpr (both_boxes) {
                    for (int m = 0; m < 3; ++m) {
                        if (m == k) continue;
                        along_a = min(along_a, without(face_of_a(m), of_a.reach[m][j]));
                        along_b = min(along_b, without(of_each(m, j), of_a.reach[3 - k - m][j]));
                    }
                }
                raise(least_[of_each(k, j)], along_a);
                raise(least_[of_each(k, j)], along_b);
            }
        }
    }

private:
    static constexpr int face_of_b(int m) { return m; }
    static constexpr int of_each(int k, int j) { return 3 + 3 * k + j; }
    static constexpr int face_of_a(int m) { return 3 + 3 * Axes + m; }

    /// A facet of normal p x q, as computed n, and how far all axes reach along n. Set in the result: it is the best so
    /// far.
    LANE_INLINE MaskW look(int i, const AxisW& p, const AxisW& q, const Vec3W& n, FloatW reach) {
        const FloatW zero(0.0f), infinity(__builtin_inff());
        const FloatW square = dot(n, n), inverse = over_sqrt(FloatW(1.0f), square);
        const FloatW parallel = p.length * q.length * inverse;
        const MaskW is_facet = (p.length > FloatW(shortest_axis)) & (q.length > FloatW(shortest_axis));
        const MaskW known = is_facet & (square > FloatW(1e-30f)) & (parallel < FloatW(most_parallel));
        const FloatW height = (reach - abs(dot(n, between))) * inverse;
        constexpr float tilts = 2 * roundings::tilt + roundings::dot;
        const FloatW doubt = unit_ * fma(FloatW(tilts), parallel, FloatW(roundings::height));
        least_[i] = select(known, height - doubt, select(is_facet, -infinity, infinity));
        key_[i] = select(known, height + doubt, infinity);
        doubt_[i] = select(known, doubt, zero);
        inverse_[i] = select(known, inverse, zero);
        const MaskW better = key_[i] < best_;
        best_ = select(better, key_[i], best_);
        first = select(better, p.way, first);
        second = select(better, q.way, second);
        return better;
    }

    /// The least that facet i's height may be without an axis that reaches so far along the normal as computed.
    LANE_INLINE FloatW without(int i, FloatW reach) const { return least_[i] - fma(reach, inverse_[i], doubt_[i]); }
    /// Infinite: no edge is left.
    static LANE_INLINE void raise(FloatW& least, FloatW bound) {
        least = select((bound > least) & (bound < FloatW(__builtin_inff())), bound, least);
    }

    FloatW unit_, best_ = __builtin_inff();
    FloatW least_[count], key_[count], doubt_[count], inverse_[count];
};

/// What facets prove: along `direction`, of length 1 and from a to b, D reaches as far as `height`, up to `doubt`.
template <class A, int Axes>
struct CoreDepthW {
    FacetsW<A, Axes> facets;
    Vec3W direction;
    FloatW height, doubt;
    FloatW lower;  ///< of the depth; if above 0, the two share a point

    LANE_INLINE explicit CoreDepthW(const PairW<A, BoxW>& pair, FloatW relative) : facets(pair) {
        const Vec3W v = cross(facets.first, facets.second);
        const FloatW along = dot(v, facets.between), inverse = over_sqrt(FloatW(1.0f), dot(v, v));
        direction = flip(v * inverse, -along);
        FloatW reach = -abs(along);
        for (const AxisW& axis : facets.a) reach = reach + abs(dot(v, axis.way));
        for (const AxisW& axis : facets.b) reach = reach + abs(dot(v, axis.way));
        height = reach * inverse;
        // |v|_1 is at most sqrt(3) |v|.
        const FloatW unit = FloatW(unit_roundoff) * pair.size, placed = FloatW(1.75f) * pair.error;
        doubt = fma(FloatW(roundings::height), unit, placed);
        const FloatW length = sqrt(dot(facets.first, facets.first) * dot(facets.second, facets.second));
        const FloatW own = height - fma(FloatW(roundings::tilt) * length * inverse, unit, doubt);
        FloatW others = facets.least_of_others() - placed;
        const FloatW wanted = own - fma(relative, abs(height), FloatW(16.0f) * unit);
        const MaskW lacking = pair.valid & (own > FloatW(0.0f)) & (others < wanted);
        if (any(lacking)) {
            facets.bound_by_neighbours();
            others = select(lacking, facets.least_of_others() - placed, others);
        }
        lower = select(facets.found, min(own, others), FloatW(-__builtin_inff()));
    }
};

}  // namespace
}  // namespace lanecull::pairs
