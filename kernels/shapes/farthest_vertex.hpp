#pragma once

/// The vertex of one hull that lies farthest along a direction, with W vertices in the lanes.

#include <cstdint>

#include <lanecull/batch.hpp>

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// The first lane where `mask` is set; the last where none is.
LANE_INLINE std::uint32_t first_lane(MaskW mask) {
    return static_cast<std::uint32_t>(__builtin_ctz(bits(mask) | 1u << (lanes - 1)));
}

/// The vertex of a hull that lies farthest along w, the first if there are several; looked for W at a time, in all of W
/// vertices: the last W may repeat some.
struct FarthestVertex {
    const Hull& hull;
    Vec3W w;

    LANE_INLINE FloatW along(std::uint32_t at) const {
        return dot(w, {load(hull.x + at), load(hull.y + at), load(hull.z + at)});
    }
    LANE_INLINE std::uint32_t of_few() const {
        const std::uint32_t n = hull.count;
        const FloatW value = dot(w, {load_some(hull.x, n), load_some(hull.y, n), load_some(hull.z, n)});
        const FloatW counted = select(mask_of((1u << n) - 1u), value, FloatW(-__builtin_inff()));
        const std::uint32_t vertex = first_lane(counted >= greatest_lane(counted));
        return vertex < n ? vertex : 0;  // a NaN's
    }
    LANE_INLINE std::uint32_t of_two_packets() const {
        const std::uint32_t second = hull.count - lanes;
        const FloatW value = along(0), more = along(second), greatest = greatest_lane(max(value, more));
        // Without a branch, which nobody could predict.
        const std::uint64_t where = bits(value >= greatest) | std::uint64_t{bits(more >= greatest) | 1u << (lanes - 1)}
                                                                  << lanes;
        const auto lane = static_cast<std::uint32_t>(__builtin_ctzll(where));
        return lane + (lane < lanes ? 0 : second - lanes);
    }
    LANE_INLINE std::uint32_t of_many() const {
        FloatW best = along(0), first(0.0f);
        for (std::uint32_t next = lanes; next < hull.count; next += lanes) {
            const std::uint32_t at = next + lanes <= hull.count ? next : hull.count - lanes;
            const FloatW value = along(at);
            first = select(value > best, FloatW(static_cast<float>(at)), first);
            best = max(value, best);
        }
        alignas(64) float firsts[lanes];
        store(firsts, first);
        std::uint32_t vertex = hull.count - 1;
        for (std::uint32_t rest = bits(best >= greatest_lane(best)); rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
            const std::uint32_t found = static_cast<std::uint32_t>(firsts[lane]) + lane;
            vertex = found < vertex ? found : vertex;
        }
        return vertex;
    }
    LANE_INLINE std::uint32_t operator()() const {
        if (hull.count < lanes) return of_few();
        return hull.count <= 2 * lanes ? of_two_packets() : of_many();
    }
};

}  // namespace
}  // namespace lanecull
