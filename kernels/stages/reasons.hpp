#pragma once

/// What decided each object: counted always, and noted object by object where the caller asks for certificates. Where
/// nobody asks, that costs a test of a pointer for each pack.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/prepared_view.hpp>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "stages/edge_planes.hpp"
#include "stages/gjk.hpp"
#include "stages/gjk_trace.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

struct Verdicts {
    static constexpr int reasons = static_cast<int>(Reason::visible_invalid) + 1;

    std::uint64_t counts[reasons] = {};
    Certificate* const certificates;  // of the range's objects; or null
    const std::uint32_t first_object;

    Verdicts(Certificate* certificates_, std::uint32_t first_object_)
        : certificates(certificates_), first_object(first_object_) {}

    LANE_INLINE bool noted() const { return certificates != nullptr; }
    LANE_INLINE std::uint64_t& count(Reason reason) { return counts[static_cast<int>(reason)]; }

    /// The pack's objects in the lanes `decided`.
    LANE_INLINE void record(const Chunk& chunk, const Packet& pack, std::uint64_t decided, Reason reason) {
        count(reason) += population(decided);
        if (noted()) note(chunk, pack, static_cast<std::uint32_t>(decided), reason);
    }

    /// The same, by GJK's first step.
    LANE_INLINE void record(const Chunk& chunk, const Packet& pack, std::uint32_t decided, Reason reason,
                            const NotTraced&, const Frame&) {
        record(chunk, pack, decided, reason);
    }
    LANE_INLINE void record(const Chunk& chunk, const Packet& pack, std::uint32_t decided, Reason reason,
                            const TraceW& trace, const Frame& frame) {
        record(chunk, pack, decided, reason);
        note_trace(chunk, pack, decided, trace, frame);
    }

    /// What GJK decided.
    LANE_INLINE void record(const Chunk& chunk, const Packet& pack, const SeparatedW& separated, const TraceW& trace,
                            const Frame& frame) {
        record(chunk, pack, bits(separated.apart), Reason::culled_gjk);
        record(chunk, pack, bits(separated.overlap), Reason::visible_overlap);
        record(chunk, pack, bits(separated.touching), Reason::visible_touching);
        record(chunk, pack, bits(separated.cap), Reason::visible_cap);
        if (noted()) {
            note_trace(chunk, pack, bits(separated.apart | separated.overlap | separated.touching | separated.cap),
                       trace, frame);
        }
    }

    /// The objects whose bits are set in word w of the chunk.
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

    [[gnu::noinline]] void note(const Chunk& chunk, const Packet& pack, std::uint32_t decided, Reason reason) const {
        alignas(64) std::int32_t objects[lanes];
        store(objects, pack.objects());
        for (; decided != 0; decided &= decided - 1) {
            certificate_of(chunk, static_cast<std::uint32_t>(objects[__builtin_ctz(decided)])) = {reason};
        }
    }

    /// What was decided at an edge: of what is apart, the plane through the edge.
    [[gnu::noinline]] void note_edge(const Chunk& chunk, const Packet& pack, std::uint32_t apart, std::uint32_t overlap,
                                     const AtEdgeW& at_edge, const PreparedView& view) const {
        alignas(64) std::int32_t objects[lanes], plane[2][lanes];
        alignas(64) float share[2][lanes], margin[lanes];
        store(objects, pack.objects());
        for (int k = 0; k < 2; ++k) {
            store(plane[k], at_edge.plane[k]);
            store(share[k], at_edge.share[k]);
        }
        store(margin, at_edge.margin);
        for (std::uint32_t decided = apart | overlap; decided != 0; decided &= decided - 1) {
            const int lane = __builtin_ctz(decided);
            Certificate& certificate = certificate_of(chunk, static_cast<std::uint32_t>(objects[lane]));
            certificate.steps = 1;
            if (certificate.reason != Reason::culled_gjk) continue;
            certificate.far = __builtin_inff();
            double square = 0;
            for (int j = 0; j < 3; ++j) {
                const auto part = [&](int k) {
                    return static_cast<double>(share[k][lane]) * view.exact_normal[plane[k][lane]][j];
                };
                certificate.direction[j] = part(0) + part(1);
                square += certificate.direction[j] * certificate.direction[j];
            }
            certificate.gap =
                static_cast<float>(-static_cast<double>(margin[lane]) / __builtin_sqrt(square) * (1 - 0x1p-20));
        }
    }

    void write(std::uint32_t objects, Statistics& s) const {
        s = {};
        s.objects = objects;
        const auto of = [&](Reason reason) { return counts[static_cast<int>(reason)]; };
        s.culled_plane = of(Reason::culled_plane);
        s.culled_gjk = of(Reason::culled_gjk);
        s.culled_distance = of(Reason::culled_distance);
        s.culled_size = of(Reason::culled_size);
        s.culled_disabled = of(Reason::culled_disabled);
        s.culled_layer = of(Reason::culled_layer);
        s.visible_always = of(Reason::visible_always);
        s.visible_inside = of(Reason::visible_inside);
        s.visible_vertex = of(Reason::visible_vertex);
        s.visible_overlap = of(Reason::visible_overlap);
        s.visible_touching = of(Reason::visible_touching);
        s.visible_cap = of(Reason::visible_cap);
        s.visible_planes = of(Reason::visible_planes);
        s.visible_invalid = of(Reason::visible_invalid);
    }

private:
    LANE_INLINE Certificate& certificate_of(const Chunk& chunk, std::uint32_t object) const {
        return certificates[chunk.first - first_object + object];
    }

    [[gnu::noinline]] void note_trace(const Chunk& chunk, const Packet& pack, std::uint32_t decided,
                                      const TraceW& trace, const Frame& frame) const {
        alignas(64) std::int32_t objects[lanes];
        alignas(64) float x[lanes], y[lanes], z[lanes], margin[lanes], scale[lanes], far[lanes], steps[lanes];
        store(objects, pack.objects());
        store(x, trace.direction.x);
        store(y, trace.direction.y);
        store(z, trace.direction.z);
        store(margin, trace.margin);
        store(scale, trace.scale);
        store(far, trace.far);
        store(steps, trace.steps);
        for (; decided != 0; decided &= decided - 1) {
            const int lane = __builtin_ctz(decided);
            Certificate& certificate = certificate_of(chunk, static_cast<std::uint32_t>(objects[lane]));
            certificate.steps = static_cast<std::uint8_t>(steps[lane]);
            if (certificate.reason != Reason::culled_gjk) continue;
            certificate.far = far[lane];
            const double v[3] = {x[lane], y[lane], z[lane]};
            double square = 0;
            for (int j = 0; j < 3; ++j) {  // R^T v
                double sum = 0;
                for (int i = 0; i < 3; ++i) sum += v[i] * static_cast<double>(frame.rotation[3 * i + j]);
                certificate.direction[j] = sum;
                square += sum * sum;
            }
            const double apart = -static_cast<double>(margin[lane]) / static_cast<double>(scale[lane]);
            // A share of 2^-20 less is more than its own errors.
            certificate.gap = static_cast<float>(apart / __builtin_sqrt(square) * (1 - 0x1p-20));
        }
    }
};

}  // namespace
}  // namespace lanecull
