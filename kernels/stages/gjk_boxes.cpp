/// GJK for boxes along the axes (gjk_boxes.hpp).

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

/// Boxes as their kind's file writes them to memory, two packets at a time.
struct StagedBoxes {
    const GjkBoxes& boxes;
    const std::int32_t* entries = boxes.entries;
    std::uint32_t count = boxes.count;
    const PreparedView& view = *boxes.view;

    // The two packets that prepare() has loaded.
    alignas(64) float numbers[2][GjkBoxes::numbers][lanes] = {};
    std::uint32_t sound_lanes[2] = {};

    LANE_INLINE void prepare(const Packet& first, const Packet& second) {
        boxes.load(boxes.self, {entries_of(first), entries_of(second)}, {numbers[0][0], numbers[1][0]}, sound_lanes);
    }
    struct NoAxes {};
    LANE_INLINE NoAxes axes() const { return {}; }
    LANE_INLINE BoxShapeW load(const NoAxes&, const Packet&, int k) const {
        BoxShapeW shape;
        std::uint32_t at = 0;
        const auto get = [&](FloatW& value) LANE_LAMBDA { value = lanecull::load(numbers[k][at++]); };
        shape.visit_lanes(get);
        get(shape.magnitude);
        return shape;
    }
    LANE_INLINE QueryW<BoxShapeW> query(const Packet&, const BoxShapeW& shape, int k) const {
        constexpr std::uint32_t start = GjkBoxes::numbers - 3;
        const auto number = [&](std::uint32_t at) LANE_LAMBDA { return lanecull::load(numbers[k][start + at]); };
        return {shape, {number(0), number(1), number(2)}, mask_of(sound_lanes[k])};
    }

    LANE_INLINE void record(const Packet& packet, const SeparatedW& separated) const {
        boxes.record(boxes.self, entries_of(packet),
                     {bits(separated.apart), bits(separated.overlap), bits(separated.touching), bits(separated.cap)});
    }
    LANE_INLINE BoxShapeW placeholder(const NoAxes&) const {
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
    StagedBoxes staged{boxes};
    separate_from_volume(staged);
}

}  // namespace lanecull
