#pragma once

/// What decided each object of a range, of solids or of 2D shapes. Reasons are always counted; they are noted object by
/// object if the caller requests certificates. If it does not, that costs a test of a pointer for each packet.

#include <lanecull/cull.h>

#include <cstdint>

#include "cull/chunk.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

struct Verdicts {
    Counts counts;
    Certificate* const certificates;  // of the range's objects; or null
    const std::uint32_t first_object;

    Verdicts(Certificate* certificates_, std::uint32_t first_object_)
        : certificates(certificates_), first_object(first_object_) {}

    LANE_INLINE bool noted() const { return certificates != nullptr; }
    LANE_INLINE std::uint64_t& count(Reason reason) { return counts.by_reason[static_cast<int>(reason)]; }

    /// Records a reason for the packet's objects in the lanes `decided`.
    LANE_INLINE void record(const Chunk& chunk, const Packet& packet, std::uint64_t decided, Reason reason) {
        count(reason) += population(decided);
        if (noted()) note(chunk, packet, static_cast<std::uint32_t>(decided), reason);
    }

    /// Records a reason for the objects whose bits are set in word w of the chunk.
    LANE_INLINE void record(const Chunk& chunk, std::uint32_t w, std::uint64_t decided, Reason reason) {
        count(reason) += population(decided);
        if (noted()) note(chunk, w, decided, reason);
    }
    /// The same, not counted.
    [[gnu::noinline]] void note(const Chunk& chunk, std::uint32_t w, std::uint64_t objects, Reason reason) const {
        for (; objects != 0; objects &= objects - 1) {
            certificate_of(chunk, 64 * w + static_cast<std::uint32_t>(__builtin_ctzll(objects))) = {reason};
        }
    }

    [[gnu::noinline]] void note(const Chunk& chunk, const Packet& packet, std::uint32_t decided, Reason reason) const {
        alignas(64) std::int32_t objects[lanes];
        store(objects, packet.objects());
        for (; decided != 0; decided &= decided - 1) {
            certificate_of(chunk, static_cast<std::uint32_t>(objects[__builtin_ctz(decided)])) = {reason};
        }
    }

    /// Notes which of the view's occluders hides the packet's objects in the lanes `hidden`. Not counted.
    [[gnu::noinline]] void note_hidden(const Chunk& chunk, const Packet& packet, std::uint32_t hidden,
                                       std::uint32_t occluder) const {
        alignas(64) std::int32_t objects[lanes];
        store(objects, packet.objects());
        for (; hidden != 0; hidden &= hidden - 1) {
            Certificate& c = certificate_of(chunk, static_cast<std::uint32_t>(objects[__builtin_ctz(hidden)]));
            c = {Reason::culled_occluded};
            c.occluder = static_cast<std::uint16_t>(occluder);
        }
    }

    LANE_INLINE Certificate& certificate_of(const Chunk& chunk, std::uint32_t object) const {
        return certificates[chunk.first - first_object + object];
    }
};

/// Notes nothing: for calls that do not request certificates.
struct NotTraced {
    static constexpr bool is_kept = false;
    LANE_INLINE void begin(FloatW, FloatW) {}
    LANE_INLINE void step(MaskW) {}
    LANE_INLINE void apart(MaskW, const Vec3W&, FloatW) {}
};

/// What GJK notes of its steps, lane by lane, for certificates: above all the direction that proved a lane apart.
struct TraceW {
    static constexpr bool is_kept = true;

    Vec3W direction;  // in view space; counts where the lane is apart
    FloatW margin;    // where the lane is apart, below 0: dot(a, direction) with the bound added, in scaled coordinates
    FloatW scale;     // of the scaled coordinates
    FloatW far;       // the depth that the volume was cut at
    FloatW steps;

    LANE_INLINE void begin(FloatW scale_, FloatW far_) {
        const FloatW zero(0.0f);
        direction = {zero, zero, zero};
        margin = zero;
        steps = zero;
        scale = scale_;
        far = far_;
    }
    LANE_INLINE void step(MaskW active) { steps = select(active, steps + FloatW(1.0f), steps); }
    LANE_INLINE void apart(MaskW lanes_, const Vec3W& v, FloatW margin_) {
        direction = select(lanes_, v, direction);
        margin = select(lanes_, margin_, margin);
    }
};

/// Writes what GJK traced to the certificates of the packet's objects in the lanes `decided`. Their reasons have been
/// noted before.
[[gnu::noinline]] inline void note_trace(const Verdicts& verdicts, const Chunk& chunk, const Packet& packet,
                                         std::uint32_t decided, const TraceW& trace, const Frame& frame) {
    alignas(64) std::int32_t objects[lanes];
    alignas(64) float x[lanes], y[lanes], z[lanes], margin[lanes], scale[lanes], far[lanes], steps[lanes];
    store(objects, packet.objects());
    store(x, trace.direction.x);
    store(y, trace.direction.y);
    store(z, trace.direction.z);
    store(margin, trace.margin);
    store(scale, trace.scale);
    store(far, trace.far);
    store(steps, trace.steps);
    for (; decided != 0; decided &= decided - 1) {
        const int lane = __builtin_ctz(decided);
        Certificate& certificate = verdicts.certificate_of(chunk, static_cast<std::uint32_t>(objects[lane]));
        certificate.steps = static_cast<std::uint8_t>(steps[lane]);
        if (certificate.reason != Reason::culled_gjk) continue;
        certificate.far_depth = far[lane];
        const double v[3] = {x[lane], y[lane], z[lane]};
        double square = 0;
        for (int j = 0; j < 3; ++j) {  // R^T v
            double sum = 0;
            for (int i = 0; i < 3; ++i) sum += v[i] * static_cast<double>(frame.rotation[3 * i + j]);
            certificate.direction[j] = sum;
            square += sum * sum;
        }
        const double apart = -static_cast<double>(margin[lane]) / static_cast<double>(scale[lane]);
        // Lowered by the factor 1 - 2^-20, which is more than its own errors.
        certificate.gap = static_cast<float>(apart / __builtin_sqrt(square) * (1 - 0x1p-20));
    }
}

}  // namespace
}  // namespace lanecull
