#pragma once

/// Two parallelepipeds that are apart are so along a normal of a face or along the cross product of an edge of each:
/// fifteen directions. They are compared in plain floats; a support point along the best of them is the proof.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/bound.hpp"
#include "pairs/separate.hpp"

namespace lanecull::pairs {
namespace {

/// A box's normals, as long as its faces are large, and how far another core's axes reach along them.
template <int OtherAxes>
struct FacesW {
    Vec3W normal[3];
    FloatW reach[3][OtherAxes];  // |normal k . the other's axis j|
    FloatW volume;               // |normal k . its own axis k|, the same for each

    template <bool Ball>
    LANE_INLINE FacesW(const BoxW& box, const CoreW<OtherAxes, Ball>& other) {
        for (int k = 0; k < 3; ++k) {
            normal[k] = cross(box.axis[(k + 1) % 3], box.axis[(k + 2) % 3]);
            for (int j = 0; j < OtherAxes; ++j) reach[k][j] = abs(dot(normal[k], other.axis[j]));
        }
        volume = abs(dot(normal[0], box.axis[0]));
    }
    /// Set: neither flat nor a sliver.
    LANE_INLINE MaskW solid(const BoxW& box) const {
        const FloatW sizes = one_norm(box.axis[0]) * one_norm(box.axis[1]) * one_norm(box.axis[2]);
        return (volume > FloatW(1e-15f)) & (volume > FloatW(1e-4f) * sizes);
    }
    /// How far this box's axes reach along the cross product of its axis k with the other's axis j. As triple products
    /// turn, that is how far the other's axis j reaches along two of this box's normals.
    LANE_INLINE FloatW beside(int k, int j) const { return reach[(k + 1) % 3][j] + reach[(k + 2) % 3][j]; }
};

struct BoxAxesW {
    Vec3W between;                         // from b's centre to a's
    Vec3W direction;                       // the best so far
    FloatW clearance = -__builtin_inff();  // along it; below 0: the boxes overlap so far
    MaskW complete;                        // set: no direction is missing

    LANE_INLINE BoxAxesW(const BoxW& a, const BoxW& b) : between(a.center - b.center), direction(between) {
        const FacesW of_a(a, b), of_b(b, a);
        for (int k = 0; k < 3; ++k) {
            look(of_a.normal[k], of_a.volume + of_a.reach[k][0] + of_a.reach[k][1] + of_a.reach[k][2]);
            look(of_b.normal[k], of_b.volume + of_b.reach[k][0] + of_b.reach[k][1] + of_b.reach[k][2]);
        }
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 3; ++j) {
                look(cross(a.axis[k], b.axis[j]), of_a.beside(k, j) + of_b.beside(j, k));
            }
        }
        direction = flip(direction, -dot(direction, between));
        complete = of_a.solid(a) & of_b.solid(b);
    }

private:
    LANE_INLINE void look(const Vec3W& n, FloatW reached) {
        const FloatW square = dot(n, n);
        const FloatW here = over_sqrt(abs(dot(n, between)) - reached, square);
        const MaskW better = (here > clearance) & (square > FloatW(1e-36f));
        clearance = select(better, here, clearance);
        direction = select(better, n, direction);
    }
};

/// Boxes of any kind; where one is flat or a sliver, a descent decides. Those that overlap along every direction by
/// more than rounding are likely to meet.
LANE_INLINE ApartW boxes_apart(const PairW<BoxW, BoxW>& pair) {
    BoxAxesW axes(pair.a, pair.b);
    Vec3W w = pair.support(axes.direction, all_lanes).difference;
    const MaskW apart = pair.valid & AlongW<BoxW, BoxW>(pair, axes.direction, w, false).apart();
    const MaskW meet = pair.valid & axes.complete & (axes.clearance < FloatW(-2.0f) * pair.error);
    const MaskW undecided = pair.valid & ~apart & ~axes.complete;
    if (!any(undecided)) return {apart, meet};
    const ApartW found = tell_apart<Meeting::likely>(pair, undecided);
    return {apart | found.apart, meet | found.meet};
}

}  // namespace
}  // namespace lanecull::pairs
