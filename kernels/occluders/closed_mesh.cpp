#include "occluders/closed_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "calls/check_vertices.hpp"

namespace lanecull::solids {
namespace {

struct Point {
    float at[dimensions];
    bool operator==(const Point&) const = default;
};

Status read_points(const Vertices& vertices, Array<Point>& points) {
    if (Status status = check(vertices); !status) return status;
    if (!points.resize_unset(vertices.count)) return no_memory();
    const float* const streams[dimensions] = {vertices.x, vertices.y, vertices.z};
    const std::size_t stride = vertices.stride_bytes / sizeof(float);
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (std::size_t k = 0; k < dimensions; ++k) {
            // check() has refused null.
            const float x = streams[k][i * stride];  // NOLINT(clang-analyzer-core.NullDereference)
            if (!std::isfinite(x)) return Status::failure("mesh.vertices.%c[%u]: not finite", "xyz"[k], i);
            points[i].at[k] = x + 0.0f;  // -0 becomes 0
        }
    }
    return {};
}

/// Welds: for each point the first in some order that is equal to it.
bool find_equal_points(const Array<Point>& points, Array<std::uint32_t>& first_equal) {
    Array<std::uint32_t> order;
    if (!order.resize_unset(points.size()) || !first_equal.resize_unset(points.size())) return false;
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const float *p = points.data()[a].at, *q = points.data()[b].at;
        for (std::size_t k = 0; k < dimensions; ++k) {
            if (p[k] != q[k]) return p[k] < q[k];
        }
        return a < b;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool equal = i > 0 && points.data()[order[i]] == points.data()[order[i - 1]];
        first_equal[order[i]] = equal ? first_equal[order[i - 1]] : order[i];
    }
    return true;
}

/// A side of a triangle: the edge from its lower to its higher point, and whether it is gone along backwards.
struct Side {
    std::uint32_t low, high;
    std::int32_t way;  ///< 1 or -1
};

/// A mesh is closed if each edge is gone along as often one way as the other. Then its winding number is a whole number
/// off the surface, constant on each piece of space between, and 0 far away.
Status check_closed(Array<Side>& sides) {
    std::sort(sides.begin(), sides.end(),
              [](const Side& a, const Side& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
    for (std::size_t i = 0; i < sides.size();) {
        const Side& first = sides[i];
        std::int64_t sum = 0;
        std::size_t count = 0;
        for (; i + count < sides.size(); ++count) {
            const Side& side = sides[i + count];
            if (side.low != first.low || side.high != first.high) break;
            sum += side.way;
        }
        if (count == 1) {
            return Status::failure("mesh: not closed: the edge between vertices %u and %u has one triangle", first.low,
                                   first.high);
        }
        if (sum != 0) {
            return Status::failure(
                "mesh: not closed: of the %zu triangles at the edge between vertices %u and %u, not as many go along "
                "it "
                "one way as the other: one is flipped, missing or there twice",
                count, first.low, first.high);
        }
        i += count;
    }
    return {};
}

}  // namespace

Status read_closed_mesh(const TriangleMesh& mesh, Array<Triangle>& triangles) {
    Array<Point> points;
    if (Status status = read_points(mesh.vertices, points); !status) return status;
    if (mesh.indices == nullptr) return Status::failure("mesh.indices: must not be null");
    if (mesh.triangle_count == 0) return Status::failure("mesh.triangle_count: there must be at least one");
    Array<std::uint32_t> first_equal;
    Array<Side> sides;
    const std::size_t n = mesh.triangle_count;
    if (!find_equal_points(points, first_equal) || !sides.reserve(3 * n) || !triangles.reserve(n)) return no_memory();
    for (std::size_t t = 0; t < n; ++t) {
        std::uint32_t at[3];
        Triangle triangle;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t index = mesh.indices[3 * t + c];
            if (index >= points.size()) {
                return Status::failure("mesh.indices[%zu]: %u, but there are %u vertices", 3 * t + c, index,
                                       mesh.vertices.count);
            }
            at[c] = first_equal[index];
            std::copy_n(points[index].at, dimensions, triangle.corner[c]);
        }
        // Two equal corners: a segment, gone along both ways. It bounds nothing.
        if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) continue;
        if (!triangles.push(triangle)) return no_memory();
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t a = at[c], b = at[(c + 1) % 3];
            if (!sides.push(a < b ? Side{a, b, 1} : Side{b, a, -1})) return no_memory();
        }
    }
    return check_closed(sides);
}

}  // namespace lanecull::solids
