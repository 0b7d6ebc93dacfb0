#pragma once

/// The vertex of one hull that lies farthest along a direction, with W vertices in the lanes.

#include <cstdint>

#include <lanecull/batch.h>

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

/// A hull's vertices, W of them from one on, or the first n < W.
struct HullVertices {
    const Hull& hull;

    [[nodiscard]] LANE_INLINE Vec3W from(std::uint32_t at) const {
        return {load(hull.x + at), load(hull.y + at), load(hull.z + at)};
    }
    [[nodiscard]] LANE_INLINE Vec3W first(std::uint32_t n) const {
        return {load_some(hull.x, n), load_some(hull.y, n), load_some(hull.z, n)};
    }
    /// One vertex in all lanes.
    [[nodiscard]] LANE_INLINE Vec3W at(std::uint32_t vertex) const {
        return {FloatW(hull.x[vertex]), FloatW(hull.y[vertex]), FloatW(hull.z[vertex])};
    }
    [[nodiscard]] LANE_INLINE Vec3W gathered(IndexW vertex) const {
        return {gather(hull.x, vertex), gather(hull.y, vertex), gather(hull.z, vertex)};
    }
};

/// The same relative to a point.
struct HullVerticesFrom {
    HullVertices vertices;
    Vec3W point;

    [[nodiscard]] LANE_INLINE Vec3W from(std::uint32_t at) const { return vertices.from(at) - point; }
    [[nodiscard]] LANE_INLINE Vec3W first(std::uint32_t n) const { return vertices.first(n) - point; }
    [[nodiscard]] LANE_INLINE Vec3W at(std::uint32_t vertex) const { return vertices.at(vertex) - point; }
    [[nodiscard]] LANE_INLINE Vec3W gathered(IndexW vertex) const { return vertices.gathered(vertex) - point; }
};

/// The vertex that lies farthest along w, the first if there are several; looked for W at a time, in all of W vertices:
/// the last W may repeat some.
template <class Vertices>
struct FarthestVertex {
    const Vertices& vertices;
    const std::uint32_t count;
    Vec3W w;

    LANE_INLINE FloatW along(std::uint32_t at) const { return dot(w, vertices.from(at)); }
    LANE_INLINE std::uint32_t of_few() const {
        const std::uint32_t n = count;
        const FloatW value = dot(w, vertices.first(n));
        const FloatW counted = select(mask_of((1u << n) - 1u), value, FloatW(-__builtin_inff()));
        const std::uint32_t vertex = first_lane(counted >= greatest_lane(counted));
        return vertex < n ? vertex : 0;  // a NaN's
    }
    LANE_INLINE std::uint32_t of_two_packets() const {
        const std::uint32_t second = count - lanes;
        const FloatW value = along(0), more = along(second), greatest = greatest_lane(max(value, more));
        // Without a branch, which nobody could predict.
        const std::uint64_t where = bits(value >= greatest) | std::uint64_t{bits(more >= greatest) | 1u << (lanes - 1)}
                                                                  << lanes;
        const auto lane = static_cast<std::uint32_t>(__builtin_ctzll(where));
        return lane + (lane < lanes ? 0 : second - lanes);
    }
    LANE_INLINE std::uint32_t of_many() const {
        FloatW best = along(0), first(0.0f);
        for (std::uint32_t next = lanes; next < count; next += lanes) {
            const std::uint32_t at = next + lanes <= count ? next : count - lanes;
            const FloatW value = along(at);
            first = select(value > best, FloatW(static_cast<float>(at)), first);
            best = max(value, best);
        }
        alignas(64) float firsts[lanes];
        store(firsts, first);
        std::uint32_t vertex = count - 1;
        for (std::uint32_t rest = bits(best >= greatest_lane(best)); rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
            const std::uint32_t found = static_cast<std::uint32_t>(firsts[lane]) + lane;
            vertex = found < vertex ? found : vertex;
        }
        return vertex;
    }
    LANE_INLINE std::uint32_t operator()() const {
        if (count < lanes) return of_few();
        return count <= 2 * lanes ? of_two_packets() : of_many();
    }
};

}  // namespace
}  // namespace lanecull
