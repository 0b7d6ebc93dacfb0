#include "pairs/settle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <lanecull/gjk/cast.hpp>
#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/intersect.hpp>

#include "layouts/every_layout.hpp"
#include "layouts/wide_shape.hpp"

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
    (load_if(k, static_cast<const Batch::Shapes::At<k>*>(side.shapes)), ...);
    return shape;
}

/// The two objects of a pair, relative to a place near b's middle that floats hold.
struct WidePair {
    Vector origin{};
    WideShape a, b;

    WidePair(const PairRange& range, std::size_t i) noexcept {
        const std::size_t at = i * (range.indices.stride_bytes / sizeof(std::uint32_t));
        const auto load_object = [&](const Side& side, const std::uint32_t* index) {
            return load(side, index[at], origin, std::make_index_sequence<Batch::Shapes::size>());
        };
        const Vector middle = load_object(range.b, range.indices.b).inside();
        origin = {wide(static_cast<float>(middle.x)), wide(static_cast<float>(middle.y)),
                  wide(static_cast<float>(middle.z))};
        a = load_object(range.a, range.indices.a);
        b = load_object(range.b, range.indices.b);
    }
};

/// The float next to x on the side of `toward`, unless x is one.
float rounded_toward(double x, float toward) noexcept {
    const auto nearest = static_cast<float>(x);
    const bool beyond = toward < 0 ? wide(nearest) > x : wide(nearest) < x;
    return beyond ? std::nextafterf(nearest, toward) : nearest;
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
    // gjk takes support points for points of the shapes; they are off by their own roundings.
    constexpr double off = 2 * WideShape::roundings * 0x1p-53;
    const double upper = found.upper + off * (pair.a.magnitude() + pair.b.magnitude());
    if (to.lower != nullptr) to.lower[i] = std::max(to.lower[i], rounded_toward(found.lower, 0 - infinity));
    if (to.upper != nullptr) to.upper[i] = std::min(to.upper[i], rounded_toward(upper, infinity));
    if (to.a_x == nullptr) return;
    const Vector on_a = pair.origin + found.a, on_b = pair.origin + found.b;
    to.a_x[i] = static_cast<float>(on_a.x);
    to.a_y[i] = static_cast<float>(on_a.y);
    to.a_z[i] = static_cast<float>(on_a.z);
    to.b_x[i] = static_cast<float>(on_b.x);
    to.b_y[i] = static_cast<float>(on_b.y);
    to.b_z[i] = static_cast<float>(on_b.z);
}

void settle(const CastWork& work, std::size_t i) {
    const WidePair pair(work, i);
    const Vector motion{wide(work.motions.x[i]), wide(work.motions.y[i]), wide(work.motions.z[i])};
    const gjk::Cast<Vector> found = gjk::cast(pair.a, motion, pair.b, {.until = 1, .width = wide(work.width)});
    const bool never = found.verdict == gjk::Verdict::separated, meets = found.verdict == gjk::Verdict::intersecting;
    const float earliest = never ? infinity : rounded_toward(std::min(found.earliest, 1.0), 0 - infinity);
    const float latest = meets ? rounded_toward(found.latest, infinity) : infinity;
    if (work.to.earliest != nullptr) work.to.earliest[i] = earliest;
    if (work.to.latest != nullptr) work.to.latest[i] = latest;
}

}  // namespace lanecull::pairs
