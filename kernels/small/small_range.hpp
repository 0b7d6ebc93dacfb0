#pragma once

/// The pipeline of a range where bytes count for more than time: the core for JavaScript (tools/wasm). Each kind has
/// stage 1 by planes of its own. What decides the objects that it leaves exists once, for all kinds: they are loaded as
/// boxes of three axes with a ball around them, expanded, for one refine and one GJK. Side slabs, closed forms, edges
/// and the volumes' own copies of GJK, which only save time, are left out; so are occluders, point lights' ranges and
/// certificates, of which such a build prepares none.

#include <cstdint>

#include <lanecull/cull.h>

#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/eye_limits.hpp"
#include "cull/gjk.hpp"
#include "cull/kernel_work.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "cull/reasons.hpp"
#include "cull/refine.hpp"
#include "cull/select.hpp"
#include "cull/stage_one.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Any shape that is a zonotope, as one of three axes and a ball.
using AnyShapeW = ZonotopeW<3, true>;

template <int Axes, bool Ball>
LANE_INLINE AnyShapeW as_any(const ZonotopeW<Axes, Ball>& own) {
    AnyShapeW shape;
    shape.center = own.center;
    for (int k = 0; k < 3; ++k) shape.axis[k] = k < Axes ? own.axis[k < Axes ? k : 0] : zero3();
    shape.radius = Ball ? own.radius : FloatW(0.0f);
    shape.magnitude = own.magnitude;
    shape.valid = own.valid;
    return shape;
}

/// What a kind has for itself.
struct KindOfRange {
    AnyShapeW (*load)(const FrameAxesW& axes, const void* shapes, const GatheredObjects& gathered);
    Populations (*test_planes)(const struct SmallRange& range, Chunk& chunk);
};

/// A range's objects and its view, as steps see them.
struct SmallRange {
    const KindOfRange& kind;
    const void* const shapes;
    const Attributes& attributes;
    const PreparedView& view;
    const Method method;
    const std::uint32_t stage_one_planes;
    const Expanded expansion;
    const bool selects;
    const RefinePlanes planes;
    Verdicts verdicts;
    Selection selection;

    SmallRange(const KindOfRange& kind_, const RangeWork& work)
        : kind(kind_),
          shapes(work.shapes),
          attributes(*work.attributes),
          view(*work.view),
          method(view.volume != VolumeKind::planes_only ? work.method : Method::planes),
          stage_one_planes(work.planes),
          expansion(attributes, view),
          selects(expansion.by_object() || work.candidates != nullptr || lanecull::selects(attributes)),
          planes(view),
          verdicts(nullptr, work.first) {}

    LANE_INLINE ExpandedW<AnyShapeW> load(const FrameAxesW& axes, const GatheredObjects& gathered) const {
        return expansion.expand(axes, kind.load(axes, shapes, gathered), gathered);
    }
    LANE_INLINE std::uint64_t asked(const Chunk& chunk, std::uint32_t w) const {
        return selects ? selection.tested[w] : chunk.all_of(w);
    }
    LANE_INLINE Reason kept_by_stage_one() const {
        return method == Method::planes ? Reason::visible_planes : Reason::visible_inside;
    }
};

/// Stage 1: all words of a chunk, by the kind's own planes (cull/planes_first.hpp).
template <class Shapes>
Populations test_planes_of(const SmallRange& range, Chunk& chunk) {
    using Kind = typename KindOf<Shapes>::Kind;
    using Test = typename Kind::PlaneTest;
    const PreparedView& view = range.view;
    const Test test(view, range.stage_one_planes);
    const Shapes s = *static_cast<const Shapes*>(range.shapes);
    const bool accepts = view.planes_suffice && view.plane_count == planes_in_stage_one<Kind>(view) && view.margin == 0;
    Populations left = {};
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t asked = range.asked(chunk, w);
        const std::uint32_t first = chunk.first + 64 * w, count = chunk.count - 64 * w;
        ClassifiedBits found;
        if (count < 64) {
            found = test_carefully(test, Unexpanded{}, s, first, count);
        } else if (asked != 0) {
            found = test_word(test, Unexpanded{}, s, first);
        }
        chunk.fill(w, asked & ~found.outside, accepts ? found.inside : 0, left);
    }
    return left;
}

template <class Shapes>
AnyShapeW load_of(const FrameAxesW& axes, const void* shapes, const GatheredObjects& gathered) {
    return as_any(KindOf<Shapes>::Kind::load_shapes(axes, *static_cast<const Shapes*>(shapes), gathered));
}

/// Stage 1, but for objects with margins and sweeps of their own.
inline Populations run_small_stage_one(SmallRange& range, Chunk& chunk, std::uint32_t tested) {
    if (range.expansion.by_object() || range.method == gjk_alone) {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            chunk.words[w] = chunk.undecided[w] = range.asked(chunk, w);
        }
        return {tested, tested};
    }
    const Populations left = range.kind.test_planes(range, chunk);
    range.verdicts.count(Reason::culled_plane) += tested - left.visible;
    return left;
}

/// Relative coordinates, as axes of a frame.
LANE_INLINE FrameAxesW relative_axes(const Frame& frame) {
    FrameAxesW axes(world_axes);
    axes.hi = broadcast3(frame.origin_hi);
    return axes;
}

template <RefineBy By>
inline void refine_small(SmallRange& range, const Chunk& chunk, UndecidedList& list) {
    const FrameAxesW axes = relative_axes(range.view.frame);
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        return refine_packet<By>(range, range.load(axes, packet.gathered(chunk.first)));
    });
}

/// GJK for one packet; step by step what TwoInTurn does for two.
LANE_INLINE SeparatedW separate_packet(const PreparedView& view, const ExpandedW<AnyShapeW>& shape, MaskW active) {
    using Query = Gjk<ExpandedW<AnyShapeW>, AnyVolumeW, NotTraced>;
    Vec3W v = start_normal(view, shape);
    Query query(view, {shape, v, active});
    query.age = FloatW(static_cast<float>(first_iterations));
    query.to_c = query.to_d = zero3();
    for (int points = 1; any(query.active); ++points) {
        Vec3W a = query.step(v);
        if (points == 1) {
            query.b = a;
            v = -a;
        } else if (points == 2) {
            query.to_c = query.b - a;
            query.b = a;
            v = cross(cross(query.to_c, -a), query.to_c);
        } else {
            FloatW edge_limit(0.0f);
            if (points > first_iterations && any(query.late())) edge_limit = query.begin_late_step();
            query.template advance<true>(a, edge_limit);
            if (points > first_iterations) query.grow_older();
            v = query.direction;
        }
    }
    return query.result;
}

[[gnu::noinline]] inline void separate_small(SmallRange& range, const Chunk& chunk, UndecidedList& list) {
    const FrameAxesW axes(range.view.frame);
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        const ExpandedW<AnyShapeW> shape = range.load(axes, packet.gathered(chunk.first));
        const MaskW valid = sound(shape);
        const SeparatedW found = separate_packet(range.view, shape, mask_of(packet.active) & valid);
        return Found<Reason::visible_invalid, Reason::culled_gjk, Reason::visible_overlap, Reason::visible_touching,
                     Reason::visible_cap>{
            {bits(~valid), bits(found.apart), bits(found.overlap), bits(found.touching), bits(found.cap)}};
    });
}

/// Decides what stage 1 leaves, a list at a time.
inline void decide_small(SmallRange& range, const Chunk& chunk, UndecidedList& list) {
    for (std::uint32_t word = list.collect(chunk, chunk.undecided, 0); list.count > 0;
         word = list.collect(chunk, chunk.undecided, word)) {
        if (range.method == Method::planes) {
            refine_small<RefineBy::planes_alone>(range, chunk, list);
            range.verdicts.count(Reason::visible_planes) += list.count;
            continue;
        }
        if (range.method != gjk_alone) refine_small<RefineBy::all_planes>(range, chunk, list);
        separate_small(range, chunk, list);
    }
}

/// As cull_range() (cull/range.hpp).
[[gnu::noinline]] inline void cull_small_range(const KindOfRange& kind, const RangeWork& work) {
    SmallRange range(kind, work);
    for (Chunks chunks(work); chunks.more();) {
        Chunk chunk = chunks.next();
        const std::uint32_t tested =
            range.selects ? select_objects(range.attributes, range.view, chunk, range.selection, range.verdicts)
                          : chunk.count;
        Populations left = run_small_stage_one(range, chunk, tested);
        if (has_eye_limits(range.attributes)) left = drop_distant(range, chunk, chunks.list);
        range.verdicts.count(range.kept_by_stage_one()) += left.visible - left.undecided;
        decide_small(range, chunk, chunks.list);
        for (std::uint32_t w = 0; range.selects && w < chunk.word_count(); ++w) {
            chunk.words[w] |= range.selection.forced[w];
        }
        std::uint64_t* const inside = chunks.write(chunk);
        if (inside == nullptr) continue;
        const FrameAxesW axes(range.view.frame);
        write_inside(chunk, chunks.list, inside, [&](const Packet& packet) LANE_LAMBDA {
            const GatheredObjects objects = packet.gathered(chunk.first);
            return bits(wholly_inside(range.view, range.load(axes, objects))) &
                   ~invalid_attributes(range.attributes, objects);
        });
    }
    *work.counts = range.verdicts.counts;
}

/// The kernel of a kind.
template <class Shapes>
LANE_INLINE void cull_small(const RangeWork& work) {
    static constexpr KindOfRange kind = {load_of<Shapes>, test_planes_of<Shapes>};
    cull_small_range(kind, work);
}

}  // namespace
}  // namespace lanecull
