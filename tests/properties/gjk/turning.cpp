#include <algorithm>
#include <cmath>

#include <lanecull/gjk/turning_cast.hpp>

#include "properties/gjk/subject.hpp"

/// Casts that turn, against the motion sampled densely: no sample before `earliest` may touch. Samples are decided in
/// doubles by signed distances; some of them in 50 digits, by the true rotation and a direction that separates.
namespace properties::gjk_subject {
namespace {

/// How deep samples in contact may seem to be by rounding, in units of the shapes' size.
template <class T>
constexpr double precision = sizeof(T) == 4 ? 1e-4 : 1e-9;

template <class T, int N>
gjk::Motion<gjk::Vec<T, N>> motion_of(specimens::Maker<T, N>& maker, const gjk::Vec<T, N>& velocity, double turn) {
    if constexpr (N == 3)
        return {velocity, static_cast<T>(turn) * maker.direction(), maker.vector(1)};
    else
        return {velocity, static_cast<T>(turn) * maker.vector(1).x, maker.vector(1)};
}

/// The inverse of the rotation that turning for some time makes, in 50 digits (Rodrigues).
template <class T>
reference::Direction turned_back(const gjk::Vec3<T>& turn, const Real& time, const reference::Direction& d) {
    const reference::Direction w = reference::exact(turn);
    const Real speed = reference::length(w);
    if (speed == 0) return d;
    const Real x = w.x / speed, y = w.y / speed, z = w.z / speed, c = cos(speed * time), s = -sin(speed * time);
    const Real part = (1 - c) * (x * d.x + y * d.y + z * d.z);
    return {c * d.x + s * (y * d.z - z * d.y) + part * x, c * d.y + s * (z * d.x - x * d.z) + part * y,
            c * d.z + s * (x * d.y - y * d.x) + part * z};
}
template <class T>
reference::Direction turned_back(T turn, const Real& time, const reference::Direction& d) {
    const Real c = cos(turn * time), s = -sin(turn * time);
    return {c * d.x - s * d.y, s * d.x + c * d.y, 0};
}

/// The gap between the moved shape and the other, along d.
template <class A, class B, class V>
Real gap_at(const A& a, const gjk::Motion<V>& motion, const B& b, const Real& time, const V& direction) {
    const reference::Direction d = reference::exact(direction), back = turned_back(motion.turn, time, d);
    const Real high = reference::height(a, back) - reference::along(motion.center, back) +
                      reference::along(motion.center, d) + time * reference::along(motion.velocity, d);
    return (-reference::height(b, -d) - high) / reference::length(d);
}

/// What does not hold of a cast's answer; null if all does.
template <class A, class B, class V, class T = gjk::ScalarOf<A>>
const char* broken_of(const A& a, const gjk::Motion<V>& motion, const B& b, const gjk::Cast<V>& found, T width,
                      int samples) {
    const double size = double{gjk::magnitude(a)} + double{gjk::magnitude(b)} + double{gjk::reach(motion.center)} +
                        double{gjk::reach(motion.velocity)};
    const auto at = [&](T time) { return gjk::Placed<A>{a, gjk::pose_at(motion, time)}; };
    const T until = std::min(found.earliest, T(1));
    if (found.verdict == Verdict::separated && !(found.earliest > 1)) return "separated before the motion's end";
    for (int i = 0; i <= samples && until > 0; ++i) {
        // Evenly, and nearer and nearer to the end.
        const T time =
            until * (i % 4 == 3 ? 1 - std::ldexp(T(1), -i / 4) : static_cast<T>(i) / static_cast<T>(samples));
        const auto there = gjk::signed_distance(at(time), b);
        if (double{there.distance} < -precision<T> * size) return "contact before the earliest time";
        if (i % 16 != 5) continue;
        const auto apart = gjk::distance(at(time), b);
        const bool clear = double{apart.lower} > precision<T> * size;
        if (clear && !(gap_at(a, motion, b, Real(time), apart.direction) > 0))
            return "no separation before the earliest time";
    }
    if (found.verdict != Verdict::intersecting) return nullptr;
    if (!(found.earliest <= found.latest && found.latest - found.earliest <= width * T(65))) return "a wide interval";
    return double{gjk::signed_distance(at(found.latest), b).distance} > precision<T> * size
               ? "no contact at the latest time"
               : nullptr;
}

template <class V>
void count_sorts(const Trial& trial, const gjk::Cast<V>& found) {
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += found.verdict == Verdict::intersecting && found.latest > 0;
    trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;
    trial.at(Tally::differing) += found.verdict == Verdict::undecided;
}

/// Any shapes, anywhere, by any motion of some turns; without a turn, as cast() has it.
constexpr auto turn_any = []<class T, int N>(const Trial& trial) {
    using Any = specimens::Any<T, N>;
    using V = gjk::Vec<T, N>;
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    for (int i = 0; i < pairs_of(trial) / 32 && !trial.stopped(); ++i) {
        const V place = maker.vector(6);
        const Any a = maker.any({}), b = maker.any(place);
        const V velocity =
            random.chance(0.8) ? static_cast<T>(random.range(0.5, 3)) * (place + maker.vector(0.7)) : maker.vector(3);
        const double turn = random.chance(0.1) ? 0 : random.log_range(0.01, 30);
        const auto motion = motion_of(maker, velocity, turn);
        const gjk::CastOptions<V> options{.max_queries = 256};
        const auto found = gjk::cast_turning(a, motion, b, options);
        const Judge judge(trial, a, b);
        count_sorts(trial, found);
        judge.expect_none(broken_of(a, motion, b, found, options.width, 64));
        if (turn != 0) continue;
        const auto straight = gjk::cast(a, velocity, b);
        judge.expect(found.verdict != straight.verdict || found.verdict == Verdict::separated ||
                         std::abs(found.earliest - straight.earliest) <= 65 * options.width,
                     Tally::untold, "not as the straight cast");
    }
};

/// A rod that turns in a plane, and moves along a wall: it meets the wall when the sine of its angle is so large.
constexpr auto turn_rods = []<class T>(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<T, 3> maker(random);
    for (int i = 0; i < pairs_of(trial) / 32 && !trial.stopped(); ++i) {
        const auto half = static_cast<T>(random.range(0.5, 2)), radius = static_cast<T>(random.range(0.01, 0.2));
        const auto height = static_cast<T>(random.range(0.3, 2.5)), speed = static_cast<T>(random.log_range(0.3, 100));
        const gjk::Pose<T, 3> frame{maker.rotation(), maker.vector(random.log_range(1, 100))};
        const auto& [x, y, z] = frame.rotation.column;
        const gjk::Vec3<T> middle = frame.translation;
        const gjk::Capsule<T> rod{middle - half * x, middle + half * x, radius};
        const gjk::OrientedBox<T> wall{middle + (height + radius + 1) * y, frame.rotation, {50, 1, 50}};
        const gjk::Motion<gjk::Vec3<T>> motion{static_cast<T>(random.range(-3, 3)) * x, speed * z, middle};
        const auto found = gjk::cast_turning(rod, motion, wall, {.max_queries = 1024});
        const Judge judge(trial, rod, wall);
        count_sorts(trial, found);
        judge.expect_none(broken_of(rod, motion, wall, found, gjk::CastOptions<gjk::Vec3<T>>{}.width, 200));
        const double off = 1e3 * double{gjk::unit_roundoff<T>} * double{gjk::magnitude(wall)},
                     room = double{height} / double{half};
        if (std::fabs(double{height} - double{half}) < 1e-2 * double{half} + 20 * off) continue;  // it grazes
        const double time = room < 1 ? std::asin(room) / double{speed} : 2;
        if (std::fabs(time - 1) < 10 * off) continue;
        judge.expect(time > 1 ? found.verdict == Verdict::separated
                              : double{found.earliest} <= time + off &&
                                    double{found.latest} >= time - 10 * off / double{speed} - off &&
                                    found.verdict == Verdict::intersecting,
                     Tally::untold, "the rod meets the wall at another time");
    }
};

// Of casts: hits, misses, and those left open.
constexpr Rate of_all_sorts[] = {{Tally::reached, Tally::cases, 0.15},
                                 {Tally::culled_gjk, Tally::cases, 0.15},
                                 {Tally::differing, Tally::cases, 0, 0.03}};

constexpr Family families[] = {{"gjk_turning", "gjk", in_all<turn_any>, of_all_sorts, true},
                               {"gjk_spinning", "gjk", in_space<turn_rods>, of_all_sorts, true}};

}  // namespace

std::span<const Family> turning_families() { return families; }

}  // namespace properties::gjk_subject
