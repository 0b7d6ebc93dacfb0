#include "calls/kinds.hpp"
#include "pairs/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <lanecull/gjk/cast.hpp>
#include <lanecull/gjk/contacts.hpp>
#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/intersect.hpp>
#include <lanecull/gjk/shapes.hpp>
#include <lanecull/gjk/signed_distance.hpp>
#include <lanecull/gjk/turning_cast.hpp>

#include "calls/every_layout.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull::pairs {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
using Vector = WideShape::Vector;

template <std::size_t... k>
WideShape load(const Side& side, std::uint32_t i, const Vector& origin, std::index_sequence<k...>) noexcept {
    WideShape shape;
    const auto load_if = [&]<class Shapes>(std::size_t kind, const Shapes* shapes) {
        if (kind == side.kind) shape = KindTraits<Shapes>::wide_shape(*shapes, i, origin);
    };
    (load_if(k, static_cast<const Kinds::At<k>*>(side.shapes)), ...);
    return shape;
}

/// The two objects of a pair, relative to a place near b's middle that floats hold. The kind that comes first in
/// Kind is a, so that batches which change places get the same answers.
struct WidePair {
    bool turned;  ///< a is the caller's b
    Vector origin{};
    WideShape a, b;

    WidePair(const PairRange& range, std::size_t i) noexcept : turned(range.a.kind > range.b.kind) {
        const std::size_t at = i * (range.indices.stride_bytes / sizeof(std::uint32_t));
        const auto load_object = [&](bool second) {
            return load(second ? range.b : range.a, (second ? range.indices.b : range.indices.a)[at], origin,
                        std::make_index_sequence<Kinds::size>());
        };
        const Vector middle = load_object(!turned).inside();
        origin = {wide(static_cast<float>(middle.x)), wide(static_cast<float>(middle.y)),
                  wide(static_cast<float>(middle.z))};
        a = load_object(turned);
        b = load_object(!turned);
    }
};

/// The float next to x on the side of `toward`, unless x is one.
float rounded_toward(double x, float toward) noexcept {
    const auto nearest = static_cast<float>(x);
    const bool beyond = toward < 0 ? wide(nearest) > x : wide(nearest) < x;
    return beyond ? std::nextafterf(nearest, toward) : nearest;
}

/// gjk takes support points for points of the shapes; they are off by their own roundings, of the shapes' sizes.
constexpr double off_shapes = 2 * WideShape::roundings * 0x1p-53;

/// Half of what gjk's own calls have, for the stack that tasks are promised to need at most.
constexpr int most_expansion_points = 128;

/// How far the two are apart along d, of length 1 or so. Where they touch up to rounding, d may be any.
double gap_along(const WidePair& pair, const Vector& d) noexcept {
    return dot(pair.b.support(-d), d) - dot(pair.a.support(d), d);
}

/// The signed distance, with bounds as floats.
struct SettledDistance {
    gjk::SignedDistance<Vector> found;
    float lower = -infinity, upper = infinity;

    SettledDistance(const WidePair& pair, double relative, double limit) noexcept {
        // A search that ends much earlier may not know yet that the two share a point.
        relative = std::min(relative, 1e-3);
        found = gjk::detail::signed_distance_within<most_expansion_points>(
            pair.a, pair.b, {.relative = relative, .relative_depth = relative, .limit = limit});
        if (!is_known()) return;
        // What is proved to be apart has its roundings counted. Planes through three points do not.
        const double size = pair.a.magnitude() + pair.b.magnitude();
        const double off = (found.lower > 0 ? off_shapes : 0x1p-40) * size;
        const double least =
            found.lower > 0 ? found.lower : std::min(found.lower, gap_along(pair, found.direction)) - off;
        lower = rounded_toward(least, 0 - infinity);
        upper = rounded_toward(found.upper + off, infinity);
    }
    [[nodiscard]] bool is_known() const noexcept { return found.upper < std::numeric_limits<double>::infinity(); }

    /// Writes to pair i of the caller's streams, those that there are.
    template <class Streams>
    void put_bounds(const Streams& to, std::size_t i) const noexcept {
        if (to.lower != nullptr) to.lower[i] = lower;
        if (to.upper != nullptr) to.upper[i] = upper;
    }
    template <class Streams>
    void put_direction(const WidePair& pair, const Streams& to, std::size_t i) const noexcept {
        if (to.direction_x == nullptr) return;
        const Vector d = pair.turned ? -found.direction : found.direction;
        to.direction_x[i] = static_cast<float>(d.x);
        to.direction_y[i] = static_cast<float>(d.y);
        to.direction_z[i] = static_cast<float>(d.z);
    }
};

/// Writes the points of a and b to pair i of the caller's streams, if there are any.
template <class Streams>
void put_points(const WidePair& pair, const Vector& a, const Vector& b, const Streams& to, std::size_t i) noexcept {
    if (to.a_x == nullptr) return;
    const Vector on_a = pair.origin + (pair.turned ? b : a), on_b = pair.origin + (pair.turned ? a : b);
    to.a_x[i] = static_cast<float>(on_a.x);
    to.a_y[i] = static_cast<float>(on_a.y);
    to.a_z[i] = static_cast<float>(on_a.z);
    to.b_x[i] = static_cast<float>(on_b.x);
    to.b_y[i] = static_cast<float>(on_b.y);
    to.b_z[i] = static_cast<float>(on_b.z);
}

/// The first of a few times after `earliest` by which the moving a has met b; infinite if there is none. That they meet
/// on the way is enough: a point goes through a plate between any two times.
double met_by(const WideShape& a, const Vector& motion, const WideShape& b, double earliest, double width) noexcept {
    for (const double share : {0.125, 1.0, 8.0, 64.0}) {
        const double time = std::min(earliest + share * width, 1.0);
        const auto found = gjk::intersect(gjk::Swept<WideShape>{a, time * motion}, b);
        if (found.verdict == gjk::Verdict::intersecting) return time;
    }
    return std::numeric_limits<double>::infinity();
}

/// Of a cast, with what gjk's own has for `undecided`.
struct Times {
    double earliest, latest;

    explicit Times(const gjk::Cast<Vector>& found) noexcept
        : earliest(std::min(found.earliest, 1.0)), latest(found.latest) {
        if (found.verdict == gjk::Verdict::separated) earliest = latest = std::numeric_limits<double>::infinity();
    }
};

Vector vector(const float* x, const float* y, const float* z, std::size_t i) noexcept {
    return {wide(x[i]), wide(y[i]), wide(z[i])};
}

Times cast_straight(const CastWork& work, std::size_t i, const WidePair& pair) noexcept {
    const Vector given = vector(work.motions.x, work.motions.y, work.motions.z, i);
    const Vector motion = pair.turned ? -given : given;
    const double width = wide(work.width);
    const gjk::Cast<Vector> found = gjk::cast(pair.a, motion, pair.b, {.until = 1, .width = width});
    Times times(found);
    if (found.verdict == gjk::Verdict::undecided) {
        times.latest = met_by(pair.a, motion, pair.b, times.earliest, width);
    }
    return times;
}

Times cast_turning(const CastWork& work, std::size_t i, const WidePair& pair) noexcept {
    const PairMotions& of = work.motions;
    const gjk::Motion<Vector> motion{vector(of.x, of.y, of.z, i), vector(of.turn_x, of.turn_y, of.turn_z, i),
                                     vector(of.center_x, of.center_y, of.center_z, i) - pair.origin};
    const WideShape &moves = pair.turned ? pair.b : pair.a, &stays = pair.turned ? pair.a : pair.b;
    const gjk::CastOptions<Vector> options{.until = 1, .width = wide(work.width), .max_queries = 256};
    const double from = std::min(wide(work.reached[i - work.first]), 1.0);
    return Times(gjk::detail::TurningCaster(moves, motion, stays, options, from).run());
}

}  // namespace

void settle(const SeparateWork& work, std::size_t i) {
    const WidePair pair(work, i);
    const bool separated = gjk::intersect(pair.a, pair.b).verdict == gjk::Verdict::separated;
    work.separated[i / 64] |= std::uint64_t{separated} << i % 64;
}

void settle(const DistanceWork& work, std::size_t i) {
    const WidePair pair(work, i);
    const gjk::Distance<Vector> found =
        gjk::distance(pair.a, pair.b, {.relative = wide(work.relative), .limit = wide(work.limit)});
    const PairDistances& to = work.to;
    const double upper = found.upper + off_shapes * (pair.a.magnitude() + pair.b.magnitude());
    if (to.lower != nullptr) to.lower[i] = std::max(to.lower[i], rounded_toward(found.lower, 0 - infinity));
    if (to.upper != nullptr) to.upper[i] = std::min(to.upper[i], rounded_toward(upper, infinity));
    put_points(pair, found.a, found.b, to, i);
}

void settle(const SignedWork& work, std::size_t i) {
    const WidePair pair(work, i);
    const SettledDistance settled(pair, wide(work.relative), wide(work.limit));
    if (!settled.is_known()) return;
    settled.put_bounds(work.to, i);
    settled.put_direction(pair, work.to, i);
    put_points(pair, settled.found.a, settled.found.b, work.to, i);
}

void settle(const ContactWork& work, std::size_t i) {
    const WidePair pair(work, i);
    const SettledDistance settled(pair, 1e-6, wide(work.tolerance));
    if (!settled.is_known()) return;
    const PairContacts& to = work.to;
    settled.put_bounds(to, i);
    if (settled.lower > work.tolerance) return;
    settled.put_direction(pair, to, i);
    const gjk::SignedDistance<Vector>& found = settled.found;
    gjk::Contacts<Vector> contacts;
    if (pair.a.inner.is_polytope() && pair.b.inner.is_polytope())
        contacts = gjk::detail::contacts_along(pair.a, pair.b, found, wide(work.tolerance));
    if (contacts.count == 0) contacts.contacts[contacts.count++] = {found.a, found.b, found.distance};
    if (to.counts != nullptr) to.counts[i] = static_cast<std::uint32_t>(contacts.count);
    for (int k = 0; k < contacts.count; ++k) {
        const gjk::Contact<Vector>& contact = contacts.contacts[k];
        const std::size_t at = contacts.most * i + static_cast<std::size_t>(k);
        if (to.distance != nullptr) {
            const float least = settled.lower, most = k == 0 ? settled.upper : infinity;
            to.distance[at] = std::min(std::max(static_cast<float>(contact.distance), least), most);
        }
        if (to.a_x == nullptr) continue;
        const Vector p = pair.origin + (pair.turned ? contact.b : contact.a);
        to.a_x[at] = static_cast<float>(p.x);
        to.a_y[at] = static_cast<float>(p.y);
        to.a_z[at] = static_cast<float>(p.z);
    }
}

void settle(const CastWork& work, std::size_t i) {
    const WidePair pair(work, i);
    const Times found = work.motions.turn_x != nullptr ? cast_turning(work, i, pair) : cast_straight(work, i, pair);
    if (work.to.earliest != nullptr) work.to.earliest[i] = rounded_toward(found.earliest, 0 - infinity);
    if (work.to.latest != nullptr) work.to.latest[i] = rounded_toward(found.latest, infinity);
}

}  // namespace lanecull::pairs
