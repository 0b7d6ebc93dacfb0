/// Boxes around the visible objects of a batch, W objects at a time: around all of them, or around what may reach into
/// each of some slabs.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanecull/batch.h>
#include "calls/kinds.hpp"
#include "view/prepared_view.hpp"

#include "base/rounding_bound.hpp"
#include "bounds/kernels.hpp"
#include "cull/chunk.hpp"
#include "cull/every_kind.hpp"
#include "cull/refine.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// W objects as a shape whose extent is computed.
template <class Kind>
LANE_INLINE auto load_for_extent(const RelativeAxesW& axes, const typename Kind::Shapes& s,
                                 const GatheredObjects& objects) {
    if constexpr (requires { Kind::load_corners(s, objects); }) {
        return Kind::load_corners(s, objects);
    } else {
        return Kind::load_shapes(axes, s, objects);
    }
}

/// The extents of W objects, rounded outward; those that are not `bounded` have none.
struct BoundedExtentW {
    static constexpr float underflow = 0x1p-126f;  // what products lose, rounded to denormal numbers

    ExtentW extent;
    MaskW bounded;

    /// A shape's extent is off by at most K u G, as its support points are (cull/PROOF.md), and what is taken away is
    /// rounded once more.
    template <class Shape>
    LANE_INLINE BoundedExtentW(const Shape& shape, MaskW valid) : extent(shape.extent()) {
        const float factor = Shape::error_factor(world_axes);
        bounded = valid & shape.valid & (shape.magnitude < FloatW(magnitude_limit));
        if (factor == 0) return;
        const FloatW pad =
            fma(FloatW(factor + error_per_magnitude(roundings::sum_growth)), shape.magnitude, FloatW(underflow));
        Vec3W around{pad, pad, pad};
        extent = {extent.low - around, extent.high + around};
    }
};

/// The box around all objects that were added, lane by lane.
class ExtentSumW {
public:
    /// Adds the objects in the lanes `active`.
    LANE_INLINE void add(const BoundedExtentW& of, std::uint32_t active) {
        const MaskW counts = of.bounded & mask_of(active);
        // No lane that counts has a NaN, which min and max would lose.
        low_ = select(counts, smaller(low_, of.extent.low), low_);
        high_ = select(counts, larger(high_, of.extent.high), high_);
        unbounded_ |= active & ~bits(of.bounded);
    }

    LANE_INLINE void write(WorldExtent& to) const {
        write(low_.x, to.low[0], false), write(low_.y, to.low[1], false), write(low_.z, to.low[2], false);
        write(high_.x, to.high[0], true), write(high_.y, to.high[1], true), write(high_.z, to.high[2], true);
        to.is_endless = unbounded_ != 0;
    }

private:
    static LANE_INLINE Vec3W all_of(float value) { return {FloatW(value), FloatW(value), FloatW(value)}; }
    static LANE_INLINE Vec3W smaller(const Vec3W& a, const Vec3W& b) {
        return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
    }
    static LANE_INLINE Vec3W larger(const Vec3W& a, const Vec3W& b) {
        return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
    }
    static LANE_INLINE void write(FloatW values, float& to, bool largest) {
        alignas(64) float all[lanes];
        store(all, values);
        to = all[0];
        for (std::uint32_t lane = 1; lane < lanes; ++lane) {
            if (largest ? all[lane] > to : all[lane] < to) to = all[lane];
        }
    }

    Vec3W low_ = all_of(__builtin_inff()), high_ = all_of(-__builtin_inff());
    std::uint32_t unbounded_ = 0;
};

/// All of space.
struct EverywhereW {
    static constexpr std::uint32_t capacity = 1;
    std::uint32_t count = 1;

    template <class Kind, class Expansion>
    LANE_INLINE EverywhereW in(const typename Kind::Shapes&, const Expansion&, const GatheredObjects&, MaskW) const {
        return *this;
    }
    static LANE_INLINE std::uint32_t reached(std::uint32_t, std::uint32_t active) { return active; }
};

/// Which objects may reach into a slab: those that neither of its planes proves outside. The test of a plane is that of
/// cull/refine.hpp, but that the offset is added last, which is one rounding as well.
class SlabsW {
public:
    static constexpr std::uint32_t capacity = ParallelSlabs::capacity;
    const std::uint32_t count;

    LANE_INLINE explicit SlabsW(const ParallelSlabs& slabs) : count(slabs.count), slabs_(slabs), axes_(slabs.frame) {
        Vec3W n = broadcast3(slabs.normal);
        normal_ = {n, {abs(n.x), abs(n.y), abs(n.z)}};
    }

    /// Of W objects: where their centres are along the normal, and how far they reach from there, onward and back.
    struct AlongW {
        const ParallelSlabs& slabs;
        FloatW center, onward, back, bound;
        MaskW is_sound;

        LANE_INLINE std::uint32_t reached(std::uint32_t k, std::uint32_t active) const {
            const FloatW inside_from = (center + FloatW(slabs.from[k])) + onward;
            const FloatW inside_to = (FloatW(slabs.to[k]) - center) + back;
            return active & ~bits(is_sound & ((inside_from < -bound) | (inside_to < -bound)));
        }
    };

    template <class Kind, class Expansion>
    LANE_INLINE AlongW in(const typename Kind::Shapes& s, const Expansion& expansion, const GatheredObjects& objects,
                          MaskW valid) const {
        const auto shape = load_expanded<Kind>(expansion, axes_, s, objects);
        using Shape = std::remove_cvref_t<decltype(shape)>;
        return {slabs_,
                dot(normal_, shape.center),
                shape.reach(normal_),
                shape.reach_back(normal_),
                FloatW(Shape::error_factor(world_axes)) * shape.magnitude,
                valid & sound(shape)};
    }

private:
    const ParallelSlabs& slabs_;
    RelativeAxesW axes_;
    NormalW normal_;
};

/// Set: the margin is not negative. Other numbers that are none are in the magnitude.
LANE_INLINE MaskW valid_margin(const Attributes& a, const GatheredObjects& objects) {
    return a.margin == nullptr ? mask_of(all_lanes) : objects(a.margin) >= FloatW(0.0f);
}

/// Extents are in the objects' own coordinates, in which no origin is subtracted and nothing is turned.
template <class Kind, class Expansion, class Slabs>
LANE_INLINE void find_extents(const VisibleWork& work, const Expansion& expansion, const Slabs& slabs,
                              WorldExtent* extents) {
    const typename Kind::Shapes s = *static_cast<const typename Kind::Shapes*>(work.shapes);
    const Attributes attributes = *work.attributes;
    const RelativeAxesW axes(world_axes);
    ExtentSumW sums[Slabs::capacity];
    for (std::uint32_t done = 0; done < work.count; done += 64) {
        const std::uint32_t rest = work.count - done, end = rest < 64 ? rest : 64;
        const std::uint64_t word = work.words[done / 64];
        for (std::uint32_t at = 0; at < end && word != 0; at += lanes) {
            const std::uint32_t there = end - at >= lanes ? all_lanes : (1u << (end - at)) - 1u;
            const auto active = static_cast<std::uint32_t>(word >> at) & there;
            if (active == 0) continue;
            const GatheredObjects objects = Packet(at, active, end).gathered(work.first + done);
            MaskW valid = mask_of(all_lanes);
            if constexpr (Expansion::expands) valid = valid_margin(attributes, objects);
            const BoundedExtentW extent(expansion.expand(axes, load_for_extent<Kind>(axes, s, objects), objects),
                                        valid);
            const auto place = slabs.template in<Kind>(s, expansion, objects, valid);
            for (std::uint32_t k = 0; k < slabs.count; ++k) {
                const std::uint32_t reached = place.reached(k, active);
                if (reached != 0) sums[k].add(extent, reached);
            }
        }
    }
    for (std::uint32_t k = 0; k < slabs.count; ++k) sums[k].write(extents[k]);
}

template <class Kind, class Expansion>
[[gnu::noinline]] void find_expanded(const VisibleWork& work, const Expansion& expansion, WorldExtent* extents) {
    if (work.slabs != nullptr) {
        find_extents<Kind>(work, expansion, SlabsW(*work.slabs), extents);
    } else {
        find_extents<Kind>(work, expansion, EverywhereW{}, extents);
    }
}

template <class Kind>
void find_of_kind(const VisibleWork& work, WorldExtent* extents) {
    if (work.attributes->margin != nullptr || work.attributes->sweep_x != nullptr) {
        find_expanded<Kind>(work, Expanded(*work.attributes, 0), extents);
    } else {
        find_expanded<Kind>(work, Unexpanded(), extents);
    }
}

/// Whether W boxes are within a known one.
LANE_INLINE MaskW is_within(const CornersW& box, const WorldExtent& known, bool or_touches) {
    Vec3W low = broadcast3(known.low), high = broadcast3(known.high);
    if (or_touches) {
        return (box.low.x > low.x) & (box.low.y > low.y) & (box.low.z > low.z) & (box.high.x < high.x) &
               (box.high.y < high.y) & (box.high.z < high.z);
    }
    return (box.low.x >= low.x) & (box.low.y >= low.y) & (box.low.z >= low.z) & (box.high.x <= high.x) &
           (box.high.y <= high.y) & (box.high.z <= high.z);
}

template <class Slabs>
LANE_INLINE std::uint64_t find_beyond(const BeyondWork& work, const Slabs& slabs) {
    const Boxes boxes{work.low[0], work.low[1], work.low[2], work.high[0], work.high[1], work.high[2], 64};
    std::uint64_t beyond = 0;
    for (std::uint32_t at = 0; at < 64; at += lanes) {
        const GatheredObjects objects = GatheredObjects::in_a_row(0, at);
        const CornersW box = BoxKind::load_corners(boxes, objects);
        const auto place = slabs.template in<BoxKind>(boxes, Unexpanded{}, objects, mask_of(all_lanes));
        std::uint32_t outside = ~bits(box.valid);
        for (std::uint32_t k = 0; k < slabs.count; ++k) {
            outside |= place.reached(k, all_lanes) & ~bits(is_within(box, work.known[k], work.or_touches));
        }
        beyond |= std::uint64_t{outside & all_lanes} << at;
    }
    return beyond;
}

template <class Shapes>
void find_of_shapes(const VisibleWork& work, WorldExtent* extents) {
    with_kind_of(*static_cast<const Shapes*>(work.shapes),
                 [&]<class Kind>(Kind) LANE_LAMBDA { find_of_kind<Kind>(work, extents); });
}

template <std::size_t... kind>
LANE_INLINE void find_any(const VisibleWork& work, WorldExtent* extents, std::index_sequence<kind...>) {
    static constexpr VisibleExtentKernel* kernels[] = {find_of_shapes<Kinds::At<kind>>...};
    kernels[work.kind](work, extents);
}

}  // namespace

template <>
void BoundsKernels<this_isa>::visible_extents(const VisibleWork& work, WorldExtent* extents) {
    find_any(work, extents, std::make_index_sequence<Kinds::size>());
}

template <>
std::uint64_t BoundsKernels<this_isa>::boxes_beyond(const BeyondWork& work) {
    return work.slabs != nullptr ? find_beyond(work, SlabsW(*work.slabs)) : find_beyond(work, EverywhereW{});
}

}  // namespace lanecull
