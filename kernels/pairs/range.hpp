#pragma once

/// Handles one range of pairs, W at a time, by the forms of the two kinds.

#include <cstddef>
#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/box_axes.hpp"
#include "pairs/cast.hpp"
#include "pairs/contact.hpp"
#include "pairs/descent.hpp"
#include "pairs/distance.hpp"
#include "pairs/load.hpp"
#include "pairs/separate.hpp"
#include "pairs/shapes.hpp"
#include "pairs/signed.hpp"
#include "pairs/turning_cast.hpp"
#include "pairs/work.hpp"

namespace lanecull::pairs {
namespace {

/// The two sides, the one with the simpler form first, so that there are only six pairs of forms.
struct OrderedSides {
    Side a, b;
    const std::uint32_t *index_a, *index_b;
    std::size_t stride;  // in indices
    bool turned;         // set: a and b have changed places

    LANE_INLINE explicit OrderedSides(const PairRange& range)
        : a(range.a),
          b(range.b),
          index_a(range.indices.a),
          index_b(range.indices.b),
          stride(range.indices.stride_bytes / sizeof(std::uint32_t)),
          turned(rank(range.a) > rank(range.b)) {
        if (!turned) return;
        a = range.b;
        b = range.a;
        index_a = range.indices.b;
        index_b = range.indices.a;
    }

    /// 0: RoundW, 1: BoxW, 2: HullsW.
    static LANE_INLINE int rank(const Side& side) {
        if (has(kinds_of<PairForm::round>, side.kind)) return 0;
        return has(kinds_of<PairForm::hull>, side.kind) ? 2 : 1;
    }
};

/// Collects the objects of a packet's pairs. Bit set in the result: the lane has a pair, and its index is in range.
/// Other lanes gather object 0.
LANE_INLINE std::uint32_t gather_objects(const std::uint32_t* index, std::size_t stride, std::size_t first,
                                         std::uint32_t n, std::uint32_t count, GatheredAnywhere& gathered) {
    std::uint32_t exist = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t object = lane < n ? index[(first + lane) * stride] : 0;
        const bool exists = object < count;
        gathered.index[lane] = exists ? object : 0;
        exist |= exists && lane < n ? 1u << lane : 0u;
    }
    return exist;
}

/// The objects of pairs first .. first + n - 1, n <= W.
struct GatheredPairs {
    GatheredAnywhere a, b;
    std::uint32_t exist;  // set: the lane has a pair, and both objects exist

    LANE_INLINE GatheredPairs(const OrderedSides& sides, std::size_t first, std::uint32_t n)
        : exist(gather_objects(sides.index_a, sides.stride, first, n, sides.a.count, a) &
                gather_objects(sides.index_b, sides.stride, first, n, sides.b.count, b)) {}
};

template <class A, class B>
[[gnu::noinline]] PairW<A, B> load_pairs_at(const OrderedSides& sides, const GatheredPairs& gathered,
                                            const RelativeToW& axes) {
    return {load_form<A>(sides.a, axes, gathered.a), load_form<B>(sides.b, axes, gathered.b), axes.origin,
            mask_of(gathered.exist)};
}

/// Loads pairs. The caller must call begin() on them.
template <class A, class B>
LANE_INLINE PairW<A, B> load_pairs(const OrderedSides& sides, std::size_t first, std::uint32_t n) {
    GatheredPairs gathered(sides, first, n);
    RelativeToW axes{stored_place(sides.b, gathered.b)};
    PairW<A, B> pair = load_pairs_at<A, B>(sides, gathered, axes);
    if (move_to_middle(axes, pair.b)) [[unlikely]]
        pair = load_pairs_at<A, B>(sides, gathered, axes);
    return pair;
}

/// Calls `work` for each packet, with pairs of the sides' forms.
template <class A, class B, class Work>
LANE_INLINE void for_each_packet(const PairRange& range, const OrderedSides& sides, const Work& work) {
    for (std::uint32_t at = 0; at < range.count; at += lanes) {
        const std::uint32_t n = range.count - at < lanes ? range.count - at : lanes;
        PairW<A, B> pair = load_pairs<A, B>(sides, range.first + at, n);
        work(pair, at, n);
    }
}

/// Leaves pairs first + at and so on of a packet open.
LANE_INLINE void leave_open(const PairRange& range, std::uint32_t at, MaskW open) {
    range.open[at / 64] |= std::uint64_t{bits(open)} << at % 64;
}

/// Writes the range's words. apart(at, n) returns the mask of the range's n pairs from pair `at` on.
template <class Apart>
LANE_INLINE void write_words(const SeparateWork& work, const Apart& apart) {
    std::uint64_t* words = work.separated + work.first / 64;
    std::uint64_t word = 0;
    for (std::uint32_t at = 0; at < work.count; at += lanes) {
        const std::uint32_t rest = work.count - at;
        word |= std::uint64_t{bits(apart(at, rest < lanes ? rest : lanes))} << at % 64;
        if ((at + lanes) % 64 != 0 && rest > lanes) continue;
        words[at / 64] = word;
        word = 0;
    }
}

template <class A, class B>
[[gnu::noinline]] void separate_forms(const SeparateWork& work, const OrderedSides& sides) {
    const auto decide = [&](const PairW<A, B>& pair) LANE_LAMBDA {
        if constexpr (__is_same(A, BoxW) && __is_same(B, BoxW)) return boxes_apart(pair);
        if constexpr (!__is_same(B, HullsW)) return tell_apart<Meeting::likely>(pair, pair.valid);
        ApartW found = tell_apart_by_balls(pair);
        const MaskW undecided = pair.valid & ~(found.apart | found.meet);
        if (any(undecided)) {
            const ApartW descended = tell_apart<Meeting::likely>(pair, undecided);
            found = {found.apart | descended.apart, found.meet | descended.meet};
        }
        return found;
    };
    write_words(work, [&](std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        PairW<A, B> pair = load_pairs<A, B>(sides, work.first + at, n);
        pair.begin(FloatW(0.0f));
        const ApartW found = decide(pair);
        leave_open(work, at, pair.valid & ~(found.apart | found.meet));
        return found.apart;
    });
}

/// Boxes along the axes: if no axis separates two of them, no direction does. A, B: their kinds.
template <class A, class B>
[[gnu::noinline]] void separate_aligned(const SeparateWork& work, const OrderedSides& sides,
                                        const typename A::Shapes& all_a, const typename B::Shapes& all_b) {
    write_words(work, [&](std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        GatheredPairs gathered(sides, work.first + at, n);
        RelativeToW axes{pick_place(B::stored_place(all_b), gathered.b)};
        AlignedBoxW a = A::load_shapes(axes, all_a, gathered.a), b = B::load_shapes(axes, all_b, gathered.b);
        Vec3W between = a.center - b.center, reach = a.half + b.half;
        const FloatW gap = max(max(abs(between.x) - reach.x, abs(between.y) - reach.y), abs(between.z) - reach.z);
        const FloatW magnitude = a.magnitude + b.magnitude;
        const MaskW sound = mask_of(gathered.exist) & a.valid & b.valid & (magnitude < FloatW(magnitude_limit));
        const FloatW bound = fma(FloatW(error_per_magnitude(roundings::aligned)), magnitude, FloatW(underflow_guard));
        leave_open(work, at, sound & (abs(gap) <= bound));
        return sound & (gap > bound);
    });
}

inline void separate_all_aligned(const SeparateWork& work) {
    constexpr KindSet aligned = kinds_of<PairForm::aligned_box>;
    const OrderedSides sides(work);
    with_kind<aligned>(sides.a, [&]<class A>(const auto& a) {
        with_kind<aligned>(sides.b, [&]<class B>(const auto& b) { separate_aligned<A, B>(work, sides, a, b); });
    });
}

/// Stores the first n <= W numbers, and touches nothing beyond them.
LANE_INLINE void store_first(float* to, FloatW value, std::uint32_t n) {
    if (n == lanes) return store(to, value);
    alignas(64) float all[lanes];
    store(all, value);
    for (std::uint32_t lane = 0; lane < n; ++lane) to[lane] = all[lane];
}
LANE_INLINE FloatW load_up_to(const float* from, std::uint32_t n) {
    return n == lanes ? load(from) : load_first(from, n);
}

/// Writes n vectors, or NaN where `valid` is not set.
LANE_INLINE void store_vectors(float* const (&streams)[3], std::size_t first, const Vec3W& v, MaskW valid,
                               std::uint32_t n) {
    const FloatW nan(__builtin_nanf(""));
    const Vec3W all = select(valid, v, {nan, nan, nan});
    store_first(streams[0] + first, all.x, n);
    store_first(streams[1] + first, all.y, n);
    store_first(streams[2] + first, all.z, n);
}

/// Writes the points of a and b, which are scaled as the pair is, if they are wanted.
template <class Streams, class A, class B>
LANE_INLINE void store_points(const Streams& to, bool turned, std::size_t first, const PairW<A, B>& pair,
                              const Vec3W& of_a, const Vec3W& of_b, std::uint32_t n) {
    if (to.a_x == nullptr) return;
    const FloatW back = FloatW(1.0f) / pair.scale;
    float* const on_a[3] = {to.a_x, to.a_y, to.a_z};
    float* const on_b[3] = {to.b_x, to.b_y, to.b_z};
    store_vectors(turned ? on_b : on_a, first, pair.origin + of_a * back, pair.valid, n);
    store_vectors(turned ? on_a : on_b, first, pair.origin + of_b * back, pair.valid, n);
}

template <class A, class B>
[[gnu::noinline]] void measure_forms(const DistanceWork& work, const OrderedSides& sides) {
    const FloatW zero(0.0f), infinity(__builtin_inff());
    for_each_packet<A, B>(work, sides, [&](PairW<A, B>& pair, std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        pair.begin(zero);
        DistanceW found = measure(pair, pair.valid, FloatW(work.limit) * pair.scale, FloatW(work.relative));
        const FloatW back = FloatW(1.0f) / pair.scale, lower = found.lower * back;
        const std::size_t first = work.first + at;
        const PairDistances& to = work.to;
        // Subnormal numbers round by more than the bound has to spare.
        const MaskW sure = pair.valid & (lower > FloatW(1e-37f));
        if (to.lower != nullptr) store_first(to.lower + first, select(sure, lower, zero), n);
        if (to.upper != nullptr) {
            const FloatW upper = fma(found.upper, back, FloatW(1e-37f));
            store_first(to.upper + first, select(pair.valid & (upper >= zero), upper, infinity), n);
        }
        leave_open(work, at, pair.valid & ~found.close(FloatW(work.limit) * pair.scale, FloatW(work.relative), pair));
        store_points(to, sides.turned, first, pair, found.of_a, found.of_b, n);
    });
}

/// Measures a packet's signed distances as far as `limit`. Writes the bounds that are wanted, and leaves the lower one
/// in `lower`.
template <class Streams, class A, class B>
LANE_INLINE SignedW measure_packet(const Streams& to, std::size_t first, PairW<A, B>& pair, float limit,
                                   FloatW relative, FloatW& lower, std::uint32_t n) {
    pair.begin(FloatW(0.0f));
    const SignedW found = measure_signed(pair, FloatW(limit) * pair.scale, relative);
    const FloatW infinity(__builtin_inff()), back = FloatW(1.0f) / pair.scale;
    // 1e-37: for what subnormal numbers round. Comparisons of NaN fail.
    lower = fma(found.lower, back, FloatW(-1e-37f));
    const FloatW upper = fma(found.upper, back, FloatW(1e-37f));
    if (to.lower != nullptr)
        store_first(to.lower + first, select(pair.valid & (lower < infinity), lower, -infinity), n);
    if (to.upper != nullptr)
        store_first(to.upper + first, select(pair.valid & (upper > -infinity), upper, infinity), n);
    return found;
}

/// Writes the direction, if it is wanted.
template <class Streams>
LANE_INLINE void store_direction(const Streams& to, bool turned, std::size_t first, const Vec3W& direction, MaskW valid,
                                 std::uint32_t n) {
    if (to.direction_x == nullptr) return;
    float* const streams[3] = {to.direction_x, to.direction_y, to.direction_z};
    store_vectors(streams, first, turned ? -direction : direction, valid, n);
}

template <class A, class B>
[[gnu::noinline]] void measure_signed_forms(const SignedWork& work, const OrderedSides& sides) {
    const FloatW relative(work.relative);
    for_each_packet<A, B>(work, sides, [&](PairW<A, B>& pair, std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        const std::size_t first = work.first + at;
        FloatW lower;
        const SignedW found = measure_packet(work.to, first, pair, work.limit, relative, lower, n);
        leave_open(work, at, pair.valid & ~found.close(FloatW(work.limit) * pair.scale, relative, pair));
        store_direction(work.to, sides.turned, first, found.direction, pair.valid, n);
        store_points(work.to, sides.turned, first, pair, found.of_a, found.of_b, n);
    });
}

/// Writes four numbers of each of n pairs, pair by pair; NaN for contacts that there are not.
LANE_INLINE void store_fours(float* to, const FloatW (&numbers)[ContactsW::most], const MaskW (&has)[ContactsW::most],
                             std::uint32_t n) {
    constexpr std::uint32_t most = ContactsW::most;
    alignas(64) float all[most][lanes];
    for (std::uint32_t k = 0; k < most; ++k) store(all[k], select(has[k], numbers[k], FloatW(__builtin_nanf(""))));
    for (std::uint32_t lane = 0; lane < n; ++lane) {
        for (std::uint32_t k = 0; k < most; ++k) to[most * lane + k] = all[k][lane];
    }
}

template <class A, class B>
LANE_INLINE void store_contacts(const PairContacts& to, bool turned, std::size_t first, const PairW<A, B>& pair,
                                const Vec3W& direction, const ContactsW& contacts, std::uint32_t n) {
    constexpr int most = ContactsW::most;
    const auto& has = contacts.has;
    if (to.counts != nullptr) {
        for (std::uint32_t lane = 0; lane < n; ++lane) {
            std::uint32_t count = 0;
            for (const MaskW& one : has) count += bits(one) >> lane & 1;
            to.counts[first + lane] = count;
        }
    }
    store_direction(to, turned, first, direction, has[0], n);
    const FloatW back = FloatW(1.0f) / pair.scale;
    if (to.distance != nullptr) {
        FloatW distance[most];
        for (int k = 0; k < most; ++k) distance[k] = contacts.distance[k] * back;
        store_fours(to.distance + most * first, distance, has, n);
    }
    if (to.a_x == nullptr) return;
    FloatW x[most], y[most], z[most];
    for (int k = 0; k < most; ++k) {
        Vec3W p = contacts.of_b[k];
        if (!turned) p = p - direction * contacts.distance[k];
        p = pair.origin + p * back;
        x[k] = p.x, y[k] = p.y, z[k] = p.z;
    }
    store_fours(to.a_x + most * first, x, has, n);
    store_fours(to.a_y + most * first, y, has, n);
    store_fours(to.a_z + most * first, z, has, n);
}

template <class A, class B>
[[gnu::noinline]] void find_contacts_forms(const ContactWork& work, const OrderedSides& sides) {
    const FloatW infinity(__builtin_inff()), relative(1e-6f);
    for_each_packet<A, B>(work, sides, [&](PairW<A, B>& pair, std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        const std::size_t first = work.first + at;
        FloatW lower;
        const SignedW found = measure_packet(work.to, first, pair, work.tolerance, relative, lower, n);
        const MaskW near_enough = pair.valid & ~(lower > FloatW(work.tolerance));
        const MaskW known = near_enough & found.close(infinity, relative, pair);
        ContactsW contacts = {};
        if (any(known)) contacts = find_contacts(pair, found, FloatW(work.tolerance) * pair.scale);
        for (MaskW& has : contacts.has) has = any(known) ? has & known : mask_of(0);
        leave_open(work, at, near_enough & ~contacts.has[0]);
        store_contacts(work.to, sides.turned, first, pair, found.direction, contacts, n);
    });
}

/// Writes what the cast of a packet's `active` pairs found, and finds `latest`: the first time soon after at which the
/// two are proved to meet. Where there is none, doubles find one. place(time) puts the mover where it is then.
template <class A, class B, class Place>
LANE_INLINE void put_cast(const CastWork& work, std::uint32_t at, std::uint32_t n, const PairW<A, B>& pair,
                          MaskW active, const CastW& found, const Place& place) {
    const FloatW zero(0.0f), one(1.0f), infinity(__builtin_inff()), width(work.width);
    const std::size_t first = work.first + at;
    FloatW latest = infinity;
    MaskW open = active & ~found.apart;
    for (const float share : {0.125f, 1.0f}) {
        if (!any(open)) break;
        const FloatW time = min(fma(FloatW(share), width, found.earliest), one);
        place(time);
        const MaskW meets = open & tell_apart<Meeting::proved>(pair, open).meet;
        latest = select(meets, time, latest);
        open = open & ~meets;
    }
    leave_open(work, at, open | (pair.valid & ~active));
    store_first(work.reached + at, found.earliest, n);
    if (work.to.earliest != nullptr) {
        const FloatW earliest = select(found.apart, infinity, found.earliest);
        store_first(work.to.earliest + first, select(pair.valid, earliest, zero), n);
    }
    if (work.to.latest != nullptr) store_first(work.to.latest + first, latest, n);
}

LANE_INLINE Vec3W load_vectors(const float* x, const float* y, const float* z, std::size_t first, std::uint32_t n) {
    return {load_up_to(x + first, n), load_up_to(y + first, n), load_up_to(z + first, n)};
}

template <class A, class B>
[[gnu::noinline]] void cast_forms(const CastWork& work, const OrderedSides& sides) {
    const FloatW least_step(work.width * 0.125f);
    for_each_packet<A, B>(work, sides, [&](PairW<A, B>& pair, std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        const PairMotions& motions = work.motions;
        Vec3W way = load_vectors(motions.x, motions.y, motions.z, work.first + at, n);
        if (sides.turned) way = -way;
        pair.begin(one_norm(way));
        way = way * pair.scale;
        const Vec3W start = pair.a.place();
        const CastW found = cast(pair, pair.valid, way, one_norm(way), least_step);
        put_cast(work, at, n, pair, pair.valid, found,
                 [&](FloatW time) LANE_LAMBDA { pair.a.move_to(start, way, time); });
    });
}

template <class A, class B>
[[gnu::noinline]] void cast_turning_forms(const CastWork& work, const OrderedSides& sides) {
    const FloatW least_step(work.width * 0.125f);
    const bool b_moves = sides.turned;
    for_each_packet<A, B>(work, sides, [&](PairW<A, B>& pair, std::uint32_t at, std::uint32_t n) LANE_LAMBDA {
        const PairMotions& of = work.motions;
        const std::size_t first = work.first + at;
        TurnW motion;
        motion.way = load_vectors(of.x, of.y, of.z, first, n);
        motion.turn = load_vectors(of.turn_x, of.turn_y, of.turn_z, first, n);
        motion.center = load_vectors(of.center_x, of.center_y, of.center_z, first, n) - pair.origin;
        motion.way_size = one_norm(motion.way), motion.turn_size = one_norm(motion.turn);
        const FloatW speed_squared = dot(motion.turn, motion.turn);
        motion.speed = sqrt(speed_squared) * FloatW(1 + 4 * unit_roundoff) + FloatW(1e-18f);
        motion.size = b_moves ? pair.b.size_about(motion.center) : pair.a.size_about(motion.center);
        pair.valid = pair.valid & (motion.turn_size < FloatW(magnitude_limit));
        pair.begin(motion.way_size + motion.size + one_norm(motion.center));
        motion.rescale(pair.scale);
        const PairW<A, B> start = pair;
        Vec3W arm = (b_moves ? start.b.center : start.a.center) - motion.center;
        const FloatW around = (b_moves ? start.b.balls() : start.a.balls()).outer;
        motion.reach = fma(FloatW(4.0f), pair.error, (rounded_up_length(arm) + around) * FloatW(1 + 8 * unit_roundoff));
        const auto place = [&](FloatW time) LANE_LAMBDA {
            const TurnedW turning = motion.at(time);
            pair.turned = motion.error_at(time);
            pair.error = start.error + pair.turned;
            if (b_moves) {
                pair.b.turn_to(start.b, turning);
            } else {
                pair.a.turn_to(start.a, turning);
            }
        };
        const MaskW active = pair.valid & (speed_squared < FloatW(most_turn_squared));
        place(FloatW(0.0f));
        const CastW found = cast_turning(pair, active, motion, b_moves, least_step, place);
        put_cast(work, at, n, pair, active, found, place);
    });
}

// Pairs with a kind of no form: nothing is known of them, and doubles settle all whose objects are valid.

inline void know_nothing(const SeparateWork& work) {
    for (std::uint32_t at = 0; at < work.count; at += 64) work.separated[(work.first + at) / 64] = 0;
}
inline void know_nothing(const DistanceWork& work) {
    const PairDistances& to = work.to;
    const float infinity = __builtin_inff(), nan = __builtin_nanf("");
    for (std::size_t i = work.first; i < work.first + work.count; ++i) {
        if (to.lower != nullptr) to.lower[i] = 0;
        if (to.upper != nullptr) to.upper[i] = infinity;
        if (to.a_x != nullptr) to.a_x[i] = to.a_y[i] = to.a_z[i] = to.b_x[i] = to.b_y[i] = to.b_z[i] = nan;
    }
}
inline void know_nothing(const SignedWork& work) {
    const PairSignedDistances& to = work.to;
    const float infinity = __builtin_inff(), nan = __builtin_nanf("");
    for (std::size_t i = work.first; i < work.first + work.count; ++i) {
        if (to.lower != nullptr) to.lower[i] = -infinity;
        if (to.upper != nullptr) to.upper[i] = infinity;
        if (to.direction_x != nullptr) to.direction_x[i] = to.direction_y[i] = to.direction_z[i] = nan;
        if (to.a_x != nullptr) to.a_x[i] = to.a_y[i] = to.a_z[i] = to.b_x[i] = to.b_y[i] = to.b_z[i] = nan;
    }
}
inline void know_nothing(const ContactWork& work) {
    const PairContacts& to = work.to;
    const float infinity = __builtin_inff(), nan = __builtin_nanf("");
    for (std::size_t i = work.first; i < work.first + work.count; ++i) {
        if (to.counts != nullptr) to.counts[i] = 0;
        if (to.lower != nullptr) to.lower[i] = -infinity;
        if (to.upper != nullptr) to.upper[i] = infinity;
        if (to.direction_x != nullptr) to.direction_x[i] = to.direction_y[i] = to.direction_z[i] = nan;
        for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) {
            if (to.a_x != nullptr) to.a_x[k] = to.a_y[k] = to.a_z[k] = nan;
            if (to.distance != nullptr) to.distance[k] = nan;
        }
    }
}
inline void know_nothing(const CastWork& work) {
    for (std::size_t i = work.first; i < work.first + work.count; ++i) {
        if (work.to.earliest != nullptr) work.to.earliest[i] = 0;
        if (work.to.latest != nullptr) work.to.latest[i] = __builtin_inff();
    }
}

template <KindSet kinds>
[[gnu::noinline]] void leave_valid_open(const PairRange& range) {
    const OrderedSides sides(range);
    for (std::uint32_t at = 0; at < range.count; at += lanes) {
        const std::uint32_t n = range.count - at < lanes ? range.count - at : lanes;
        GatheredPairs gathered(sides, range.first + at, n);
        RelativeToW axes{stored_place(sides.b, gathered.b)};
        const FloatW magnitude =
            magnitude_of<kinds>(sides.a, axes, gathered.a) + magnitude_of<kinds>(sides.b, axes, gathered.b);
        leave_open(range, at, mask_of(gathered.exist) & (magnitude < FloatW(magnitude_limit)));
    }
}

/// Whether doubles decide the range.
template <class Work>
LANE_INLINE bool is_left_to_doubles(const Work& work) {
    if constexpr (formless_kinds != 0) {
        if (!has(formless_kinds, work.a.kind) && !has(formless_kinds, work.b.kind)) return false;
        know_nothing(work);
        leave_valid_open<all_kinds>(work);
        return true;
    }
    return false;
}

/// Calls visit<A, B>(sides) with the forms of a range's two sides.
template <class Visit>
LANE_INLINE void for_forms(const PairRange& range, const Visit& visit) {
    const OrderedSides sides(range);
    switch (3 * OrderedSides::rank(sides.a) + OrderedSides::rank(sides.b)) {
        case 0:
            return visit.template operator()<RoundW, RoundW>(sides);
        case 1:
            return visit.template operator()<RoundW, BoxW>(sides);
        case 2:
            return visit.template operator()<RoundW, HullsW>(sides);
        case 4:
            return visit.template operator()<BoxW, BoxW>(sides);
        case 5:
            return visit.template operator()<BoxW, HullsW>(sides);
        default:
            return visit.template operator()<HullsW, HullsW>(sides);
    }
}

inline void separate_range(const SeparateWork& work) {
    if (is_left_to_doubles(work)) return;
    if (is_aligned(work.a) && is_aligned(work.b)) return separate_all_aligned(work);
    for_forms(work, [&]<class A, class B>(const OrderedSides& sides) { separate_forms<A, B>(work, sides); });
}

inline void measure_range(const DistanceWork& work) {
    if (is_left_to_doubles(work)) return;
    for_forms(work, [&]<class A, class B>(const OrderedSides& sides) { measure_forms<A, B>(work, sides); });
}

inline void measure_signed_range(const SignedWork& work) {
    if (is_left_to_doubles(work)) return;
    for_forms(work, [&]<class A, class B>(const OrderedSides& sides) { measure_signed_forms<A, B>(work, sides); });
}

inline void find_contacts_range(const ContactWork& work) {
    if (is_left_to_doubles(work)) return;
    for_forms(work, [&]<class A, class B>(const OrderedSides& sides) { find_contacts_forms<A, B>(work, sides); });
}

inline void cast_range(const CastWork& work) {
    if (is_left_to_doubles(work)) return;
    for_forms(work, [&]<class A, class B>(const OrderedSides& sides) {
        if (work.motions.turn_x != nullptr) return cast_turning_forms<A, B>(work, sides);
        cast_forms<A, B>(work, sides);
    });
}

}  // namespace
}  // namespace lanecull::pairs
