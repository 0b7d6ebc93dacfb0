#pragma once

/// When an object that moves and turns first touches another. As cast.hpp, with what turning adds. Let n be a direction
/// along which the moving object, the mover, lies behind the other, w its turn, r an arm from the centre to a point of
/// its core, and rho no less than any arm. The point's height along n changes by r . (n x w) a time, and twice that
/// changes by rho |w| |n x w| at most. So a time s later no point is higher than
///
///   the support along n + s (n x w), plus s v . n, plus s^2 rho |w| |n x w| / 2
///
/// (as <lanecull/gjk/turning_cast.hpp> has it). The gap that this leaves is concave in s: a chord lies below it. Nor
/// does a point rise faster than v . n + rho |n x w|. No arm is longer than the way from the centre to the core's, the
/// ball around the core, and what both may be off by.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/bound.hpp"
#include "pairs/cast.hpp"
#include "pairs/descent.hpp"
#include "pairs/mixture.hpp"

namespace lanecull::pairs {
namespace {

/// Doubles decide pairs that turn farther than the root of this.
constexpr float most_turn_squared = 40;

/// The rotation by time * turn, of up to 6.33 radians, from a quaternion. Its half angle's sine and cosine are those of
/// x, a fourth of the angle, doubled; these are series in x^2, which is off by 5 u. With what the series leave out, 0.7
/// u, the sine's vector is off by 9.5 u in each component, and the cosine by 7.9 u; so the quaternion is by sin x (21
/// cos x + 15.8) u and by (44 sin^2 x + 1) u. An entry of the matrix then is off by 4 u and 13.2 u a radian at most,
/// as a grid of x and axes shows, for which 16 are counted. (Of 10^8 random rotations the worst was off by 17.5 u.)
struct RotationW {
    Vec3W row[3];

    RotationW() = default;
    LANE_INLINE RotationW(const Vec3W& turn, FloatW time) {
        const FloatW one(1.0f);
        Vec3W fourth = turn * (time * FloatW(0.25f));
        const FloatW square = dot(fourth, fourth);
        Vec3W sine = fourth * series(square, {-1.0f / 39916800, 1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1});
        const FloatW cosine =
            series(square, {1.0f / 479001600, -1.0f / 3628800, 1.0f / 40320, -1.0f / 720, 1.0f / 24, -0.5f, 1});
        Vec3W v = sine * (cosine + cosine), twice = v + v;
        const FloatW w = one - FloatW(2.0f) * dot(sine, sine);
        const auto diagonal = [&](FloatW twice_y, FloatW y, FloatW twice_z, FloatW z)
                                  LANE_LAMBDA { return one - fma(twice_y, y, twice_z * z); };
        const FloatW xy = twice.x * v.y, yz = twice.y * v.z, zx = twice.z * v.x;
        row[0] = {diagonal(twice.y, v.y, twice.z, v.z), fma(-twice.z, w, xy), fma(twice.y, w, zx)};
        row[1] = {fma(twice.z, w, xy), diagonal(twice.z, v.z, twice.x, v.x), fma(-twice.x, w, yz)};
        row[2] = {fma(-twice.y, w, zx), fma(twice.x, w, yz), diagonal(twice.x, v.x, twice.y, v.y)};
    }
    LANE_INLINE Vec3W operator*(const Vec3W& p) const { return {dot(row[0], p), dot(row[1], p), dot(row[2], p)}; }

private:
    /// Coefficients from the last to the first.
    template <int terms>
    static LANE_INLINE FloatW series(FloatW x, const float (&coefficients)[terms]) {
        FloatW sum(coefficients[0]);
        for (int k = 1; k < terms; ++k) sum = fma(sum, x, FloatW(coefficients[k]));
        return sum;
    }
};

/// Where the mover's coordinates are at some time.
struct TurnedW {
    RotationW rotation;
    Vec3W center, moved_center;

    LANE_INLINE Vec3W place(const Vec3W& p) const { return moved_center + rotation * (p - center); }
};

/// How the mover moves, all lengths but the turn scaled as the pair is.
struct TurnW {
    Vec3W way, turn, center;
    FloatW way_size, turn_size;  // |way|_1, |turn|_1
    FloatW speed;                // |turn|, rounded up
    FloatW reach = 0.0f;         // rho, rounded up
    FloatW size = 0.0f;          // of what turns (size_about())

    LANE_INLINE Vec3W center_at(FloatW time) const { return center + way * time; }
    LANE_INLINE TurnedW at(FloatW time) const { return {RotationW(turn, time), center, center_at(time)}; }
    /// What the roundings of turning make of a coordinate's error.
    LANE_INLINE FloatW error_at(FloatW time) const {
        return fma(FloatW(error_per_magnitude(roundings::turn_per_radian)), speed * time,
                   FloatW(error_per_magnitude(roundings::turn))) *
               size;
    }
    LANE_INLINE void rescale(FloatW scale) {
        way = way * scale;
        center = center * scale;
        way_size = way_size * scale;
        size = size * scale;
    }
};

/// What turning does to heights along a direction n, of |n|_1 from 1 to 2.
struct AlongTurnW {
    Vec3W n, sideways;  // n x w
    FloatW length_1;    // |n|_1
    FloatW straight;    // v . n, rounded up
    FloatW turning;     // |n x w|, rounded up

    LANE_INLINE AlongTurnW(const TurnW& motion, const Vec3W& n_)
        : n(n_),
          sideways(cross(n_, motion.turn)),
          length_1(one_norm(n_)),
          straight(speed_along(n_, length_1, motion.way, motion.way_size)),
          // The product is off by 2.4 u |n| |w|; what underflows is less than 1e-15.
          turning(fma(sqrt(dot(sideways, sideways) + FloatW(1e-30f)), FloatW(1 + 8 * unit_roundoff),
                      FloatW(8 * unit_roundoff) * motion.speed * length_1)) {}

    /// How fast any point of the mover rises, at most.
    LANE_INLINE FloatW fastest(const TurnW& motion) const {
        return fma(motion.reach * FloatW(1 + 8 * unit_roundoff), turning, straight);
    }

    /// For how long a gap of `height` stays open, as one more support of the mover proves. highest: its point farthest
    /// along n. error: of its coordinates. support(direction).
    template <class Support>
    LANE_INLINE FloatW stays_open(const TurnW& motion, FloatW time, FloatW height, FloatW most, const Vec3W& highest,
                                  FloatW error, const Support& support) const {
        const FloatW zero(0.0f), two(2.0f);
        Vec3W center = motion.center_at(time);
        const FloatW bend = motion.reach * motion.speed * turning * FloatW(1 + 32 * unit_roundoff);
        // Where the gap would close if `highest` stayed the highest.
        const FloatW own = straight + dot(sideways, highest - center), root = sqrt(fma(own, own, two * bend * height));
        const FloatW later =
            min(select(own > zero, two * height / (own + root), (root - own) / bend), most) * FloatW(1 - 0x1p-16f);
        Vec3W there = support(plus_times(n, sideways, later));
        const FloatW rises = dot(n, there - highest) + later * (dot(sideways, there - center) + straight);
        const FloatW rounding = FloatW(4.0f) * error * length_1 * fma(later, motion.turn_size, FloatW(1.0f));
        const FloatW left = height - rises - FloatW(0.5f) * later * later * bend - rounding;
        return select(left >= zero, later, later * FloatW(1 - 8 * unit_roundoff) * (height / (height - left)));
    }
};

/// Casts the pair's A, or its B if b_moves. A lane is done when the two touch, as far as rounding lets one know, or
/// when no direction leads farther than `least_step`. place(time) puts the mover where it is then.
template <class A, class B, class Place>
LANE_INLINE CastW cast_turning(PairW<A, B>& pair, MaskW active, const TurnW& motion, bool b_moves, FloatW least_step,
                               const Place& place) {
    const FloatW zero(0.0f), one(1.0f), room(1 - 4 * unit_roundoff);
    FloatW time(0.0f);
    CastW result{zero, mask_of(0)};
    Vec3W v = pair.start();
    SimplexW<Vec3W> simplex;
    simplex.begin(v);
    MaskW begins = active;
    const auto support = [&](const Vec3W& direction) LANE_LAMBDA {
        return b_moves ? pair.b.support(direction, bits(active)) : pair.a.support(direction, bits(active));
    };
    for (int k = 0; k < max_cast_steps; ++k) {
        const WitnessW witness = pair.support(v, bits(active));
        const Vec3W& w = witness.difference;
        AlongW<A, B> along(pair, v, w, false);
        const FloatW unit = exponent_scale(along.length_1), height = -(along.value + along.bound) * unit;
        AlongTurnW turn(motion, v * (b_moves ? -unit : unit));
        const MaskW apart = active & along.apart();
        const auto lead_to = [&](MaskW which, FloatW step) LANE_LAMBDA {
            const FloatW next = (time + step) * room;
            result.earliest = select(which & (next > result.earliest), next, result.earliest);
        };
        lead_to(apart, soonest(height, turn.fastest(motion)));

        // Once the direction is nearly the best, it is worth one more support, and the mover moves on.
        const FloatW nearest = dot(v, simplex.b), gain = along.value - nearest;
        const MaskW better = gain > FloatW(0.25f) * along.rounding;
        const MaskW settled = apart & ~begins & ~(better & (gain > FloatW(-0.25f) * nearest));
        if (any(settled & (result.earliest <= one))) {
            const Vec3W& highest = b_moves ? witness.of_a - w : witness.of_a;
            lead_to(settled, turn.stays_open(motion, time, height, FloatW(2.0f) * (one - time) + FloatW(0x1p-10f),
                                             highest, pair.error, support));
        }
        result.apart = result.apart | (active & (result.earliest > one));
        const MaskW leads = result.earliest - time > least_step, moves = settled & leads & ~result.apart;
        active = active & ~result.apart & (begins | (~along.touches(nearest) & (better | leads)));

        simplex.turn_late(k % max_steps);
        active = active & (begins | moves | ~simplex.advance(w));
        simplex.begin_where(begins, w);
        v = select(moves, v, simplex.direction);
        begins = moves & active;
        if (!any(active)) break;
        time = select(begins, result.earliest, time);
        if (any(begins)) place(time);
    }
    return result;
}

}  // namespace
}  // namespace lanecull::pairs
