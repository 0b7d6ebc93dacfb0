#pragma once

/// Writes the certificates of objects that GJK decided: for what is apart, the direction and the gap that prove it.
/// Only for callers that ask for certificates.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/chunk.hpp"
#include "cull/gjk.hpp"
#include "cull/packet.hpp"
#include "cull/reasons.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

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
