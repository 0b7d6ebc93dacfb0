/// GJK for boxes of every kind (gjk_boxes.hpp).

#include <cstdint>

#include <lanecull/prepared_view.hpp>

#include "calls/kernel_table.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/zonotope.hpp"
#include "stages/gjk_boxes.hpp"
#include "stages/gjk_compaction.hpp"
#include "stages/gjk_job.hpp"

namespace lanecull {
namespace {

using BoxShapeW = ZonotopeW<3, false>;

/// Boxes in the memory that their kind's file has written.
struct StagedBoxes {
    const GjkBoxes& boxes;
    const std::int32_t* entries = boxes.entries;
    std::uint32_t count = boxes.count;
    const PreparedView& view = *boxes.view;

    /// Two packs' shapes, and what GJK is asked about them.
    struct Two {
        alignas(64) float numbers[2][GjkBoxes::numbers][lanes];
        std::uint32_t sound_lanes[2];
        BoxShapeW shape_0, shape_1;
        QueryW<BoxShapeW> query_0, query_1;

        LANE_INLINE Two(const GjkBoxes& of, const Pack& first, const Pack& second)
            : query_0{shape_0, {}, {}}, query_1{shape_1, {}, {}} {
            of.load(of.self, {entries_of(first), entries_of(second)}, {numbers[0][0], numbers[1][0]}, sound_lanes);
            get(0, shape_0, query_0);
            get(1, shape_1, query_1);
        }
        LANE_INLINE void get(int pack, BoxShapeW& shape, QueryW<BoxShapeW>& query) const {
            std::uint32_t at = 0;
            const auto get_number = [&](FloatW& value) LANE_LAMBDA { value = load(numbers[pack][at++]); };
            shape.visit_lanes(get_number);
            get_number(shape.magnitude);
            visit3(query.start, get_number);
            query.active = mask_of(sound_lanes[pack]);
        }
    };
    LANE_INLINE Two load_two(const Pack& first, const Pack& second) const { return {boxes, first, second}; }

    LANE_INLINE void record(const Pack& pack, const SeparatedW& separated) const {
        boxes.record(boxes.self, entries_of(pack),
                     {bits(separated.apart), bits(separated.overlap), bits(separated.touching), bits(separated.cap)});
    }
    LANE_INLINE BoxShapeW placeholder() const {
        const FloatW zero(0.0f);
        const Vec3W nowhere{zero, zero, zero};
        BoxShapeW shape;
        shape.center = shape.axis[0] = shape.axis[1] = shape.axis[2] = nowhere;
        shape.radius = shape.magnitude = zero;
        shape.valid = mask_of(all_lanes);
        return shape;
    }
};

}  // namespace

template <>
void Kernels<this_isa>::separate_boxes(const GjkBoxes& boxes) {
    separate_from_volume(StagedBoxes{boxes});
}

}  // namespace lanecull
