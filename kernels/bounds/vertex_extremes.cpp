/// Kernels for bounds of vertices: extremes over three streams, W vertices at a time. Every instruction set computes
/// the same bits: no product is fused, and of equal values the first vertex counts.

#include <cstdint>

#include "bounds/kernels.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Loads n < W numbers; the other lanes repeat the first one.
LANE_INLINE FloatW load_repeated(const float* from, std::uint32_t n) {
    alignas(64) float padded[lanes];
    for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = from[i < n ? i : 0];
    return load(padded);
}

/// Calls visit(index of the first lane's vertex, vertices) for packets that cover all vertices. Some vertices come
/// twice.
template <class Visit>
LANE_INLINE void for_each_packet(const VertexStreams& v, Visit visit) {
    if (v.count < lanes) {
        visit(0u, Vec3W{load_repeated(v.x, v.count), load_repeated(v.y, v.count), load_repeated(v.z, v.count)});
        return;
    }
    const auto at = [&](std::uint32_t i) LANE_LAMBDA { return Vec3W{load(v.x + i), load(v.y + i), load(v.z + i)}; };
    std::uint32_t i = 0;
    for (; i + lanes <= v.count; i += lanes) visit(i, at(i));
    if (i < v.count) visit(v.count - lanes, at(v.count - lanes));
}

/// The greatest value in each lane, and the first vertex that has it.
struct GreatestW {
    FloatW value = FloatW(-__builtin_inff());
    FloatW vertex = FloatW(0.0f);  // index of the packet's lane 0; exact below 2^24

    LANE_INLINE void look_at(FloatW candidate, std::uint32_t i) {
        const MaskW better = candidate > value;
        value = select(better, candidate, value);
        vertex = select(better, FloatW(static_cast<float>(i)), vertex);
    }
    LANE_INLINE GreatestVertex overall() const {
        alignas(64) float values[lanes], vertices[lanes];
        store(values, value);
        store(vertices, vertex);
        GreatestVertex result{values[0], static_cast<std::uint32_t>(vertices[0])};
        for (std::uint32_t lane = 1; lane < lanes; ++lane) {
            const std::uint32_t at = static_cast<std::uint32_t>(vertices[lane]) + lane;
            if (values[lane] > result.value || (values[lane] == result.value && at < result.vertex)) {
                result = {values[lane], at};
            }
        }
        return result;
    }
};

}  // namespace

/// Finds the smallest and the largest coordinates. False if one is not finite.
template <>
bool BoundsKernels<this_isa>::extent(const VertexStreams& v, float (&lower)[3], float (&upper)[3]) {
    const FloatW infinity = FloatW(__builtin_inff());
    Vec3W low{infinity, infinity, infinity}, high = -low;
    FloatW probe = FloatW(0.0f);  // x - x is 0, or NaN if x is not finite
    for_each_packet(v, [&](std::uint32_t, const Vec3W& p) LANE_LAMBDA {
        low = {min(p.x, low.x), min(p.y, low.y), min(p.z, low.z)};
        high = {max(p.x, high.x), max(p.y, high.y), max(p.z, high.z)};
        // NOLINTNEXTLINE(misc-redundant-expression): the NaN is intended
        probe = probe + ((p.x - p.x) + (p.y - p.y) + (p.z - p.z));
    });
    alignas(64) float low_lanes[3][lanes], high_lanes[3][lanes], probe_lanes[lanes];
    store(low_lanes[0], low.x), store(low_lanes[1], low.y), store(low_lanes[2], low.z);
    store(high_lanes[0], high.x), store(high_lanes[1], high.y), store(high_lanes[2], high.z);
    store(probe_lanes, probe);
    bool finite = true;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        finite = finite && probe_lanes[lane] == 0;
        for (std::uint32_t k = 0; k < 3; ++k) {
            if (lane == 0 || low_lanes[k][lane] < lower[k]) lower[k] = low_lanes[k][lane];
            if (lane == 0 || high_lanes[k][lane] > upper[k]) upper[k] = high_lanes[k][lane];
        }
    }
    for (std::uint32_t k = 0; k < 3; ++k) {  // of 0 and -0, any may have come out: -0 + 0 is 0
        lower[k] += 0.0f;
        upper[k] += 0.0f;
    }
    return finite;
}

/// Finds the vertex farthest from hi + lo. Its value is the squared distance.
template <>
GreatestVertex BoundsKernels<this_isa>::farthest(const VertexStreams& v, const float (&hi)[3], const float (&lo)[3]) {
    Vec3W center_hi = broadcast3(hi), center_lo = broadcast3(lo);
    GreatestW greatest;
    for_each_packet(v, [&](std::uint32_t i, const Vec3W& p) LANE_LAMBDA {
        Vec3W d = (p - center_hi) - center_lo;
        greatest.look_at(d.x * d.x + d.y * d.y + d.z * d.z, i);
    });
    return greatest.overall();
}

/// Finds the vertices with the greatest direction . (p - origin) and with the greatest negative of that.
template <>
void BoundsKernels<this_isa>::extremes(const VertexStreams& v, const float (&origin)[3], const float (&direction)[3],
                                       GreatestVertex (&result)[2]) {
    Vec3W o = broadcast3(origin), n = broadcast3(direction);
    GreatestW greatest, smallest;
    for_each_packet(v, [&](std::uint32_t i, const Vec3W& p) LANE_LAMBDA {
        Vec3W d = p - o;
        const FloatW height = d.x * n.x + d.y * n.y + d.z * n.z;
        greatest.look_at(height, i);
        smallest.look_at(-height, i);
    });
    result[0] = greatest.overall();
    result[1] = smallest.overall();
}

}  // namespace lanecull
