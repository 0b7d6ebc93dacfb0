#pragma once

#include <immintrin.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "yardsticks/yardstick_lights.hpp"

/// The loop, for one instruction set a file. In an unnamed namespace: the two files are compiled with different flags
/// and must share no function.
namespace bench {
namespace {

template <std::size_t W>
struct Row {
    using Floats __attribute__((vector_size(4 * W))) = float;
    using Words __attribute__((vector_size(4 * W))) = std::uint32_t;

    static Floats load(const float* from) {
        Floats lanes;
        __builtin_memcpy(&lanes, from, sizeof lanes);
        return lanes;
    }
    static Floats root(Floats a) {
        if constexpr (W == 8) {
            return reinterpret_cast<Floats>(_mm256_sqrt_ps(reinterpret_cast<__m256>(a)));
        } else {
#ifdef __AVX512F__
            return reinterpret_cast<Floats>(_mm512_sqrt_ps(reinterpret_cast<__m512>(a)));
#endif
        }
    }
    static std::uint32_t not_above(Floats a, Floats b) {
        if constexpr (W == 8) {
            return static_cast<std::uint32_t>(_mm256_movemask_ps(
                _mm256_cmp_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), _CMP_LE_OQ)));
        } else {
#ifdef __AVX512F__
            return _mm512_cmp_ps_mask(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), _CMP_LE_OQ);
#endif
        }
    }
    static Floats all(float a) { return Floats{} + a; }
};

/// A row of tiles that a light reaches.
struct Record {
    std::uint32_t light, row, tiles;
};

template <std::size_t W>
struct Prepared {
    std::vector<float> x_normal, x_depth;  ///< of the planes between tiles, looking right: n_x, n_z
    std::vector<float> y_normal, y_depth;
    std::vector<float> cell_x, cell_y, cell_z, cell_radius;
    std::vector<Record> records;
    std::vector<std::uint32_t> next;
};

template <std::size_t W>
void* prepare_clusters(const ClusterGrid& grid, const ClusterLights& lights) {
    auto* const made = new Prepared<W>;
    const auto planes = [](std::uint32_t n, float tangent, std::vector<float>& normal, std::vector<float>& depth) {
        for (std::uint32_t i = 0; i <= n + 2 * W; ++i) {
            const float slope = tangent * (2 * static_cast<float>(i) / static_cast<float>(n) - 1);
            const float length = 1 / std::sqrt(1 + slope * slope);
            normal.push_back(length);
            depth.push_back(-slope * length);
        }
    };
    planes(grid.nx, grid.tan_x, made->x_normal, made->x_depth);
    planes(grid.ny, grid.tan_y, made->y_normal, made->y_depth);
    for (std::uint32_t k = 0; k < grid.nz; ++k) {
        for (std::uint32_t j = 0; j < grid.ny; ++j) {
            for (std::uint32_t i = 0; i < grid.nx; ++i) {
                const auto slope = [](std::uint32_t at, std::uint32_t n, float tangent) {
                    return tangent * (2 * static_cast<float>(at) / static_cast<float>(n) - 1);
                };
                const float near = grid.depths[k], far = grid.depths[k + 1];
                const float x = slope(i, grid.nx, grid.tan_x) + slope(i + 1, grid.nx, grid.tan_x);
                const float y = slope(j, grid.ny, grid.tan_y) + slope(j + 1, grid.ny, grid.tan_y);
                const float center[3] = {x / 2 * (near + far) / 2, y / 2 * (near + far) / 2, (near + far) / 2};
                float radius = 0;
                for (std::uint32_t c = 0; c < 8; ++c) {
                    const float z = c & 4 ? far : near;
                    const float dx = slope(i + (c & 1), grid.nx, grid.tan_x) * z - center[0];
                    const float dy = slope(j + (c >> 1 & 1), grid.ny, grid.tan_y) * z - center[1];
                    radius = std::fmax(radius, std::sqrt(dx * dx + dy * dy + (z - center[2]) * (z - center[2])));
                }
                made->cell_x.push_back(center[0]);
                made->cell_y.push_back(center[1]);
                made->cell_z.push_back(center[2]);
                made->cell_radius.push_back(radius);
            }
        }
    }
    made->records.resize(std::size_t{lights.count()} * grid.ny * grid.nz);
    made->next.resize(made->cell_x.size() + 1);
    return made;
}

/// Bit j: bands j that a ball reaches between planes j and j + 1.
template <std::size_t W>
std::uint32_t bands(const float* normal, const float* depth, std::uint32_t count, float across, float z, float radius) {
    using R = Row<W>;
    std::uint32_t found = 0;
    for (std::uint32_t at = 0; at < count; at += W) {
        const auto lower = R::load(normal + at) * across + R::load(depth + at) * z;
        const auto upper = R::load(normal + at + 1) * across + R::load(depth + at + 1) * z;
        found |= (R::not_above(R::all(-radius), lower) & R::not_above(upper, R::all(radius))) << at;
    }
    return found & static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
}

struct Cone {
    float apex[3], axis[3], cosine, sine, range;
};

/// Of a row's cells those whose balls the cone reaches.
template <std::size_t W>
std::uint32_t reached_by(const Cone& cone, const Prepared<W>& made, std::size_t first, std::uint32_t count) {
    using R = Row<W>;
    std::uint32_t found = 0;
    for (std::uint32_t at = 0; at < count; at += W) {
        const auto x = R::load(&made.cell_x[first + at]) - cone.apex[0];
        const auto y = R::load(&made.cell_y[first + at]) - cone.apex[1];
        const auto z = R::load(&made.cell_z[first + at]) - cone.apex[2];
        const auto radius = R::load(&made.cell_radius[first + at]);
        const auto along = x * cone.axis[0] + y * cone.axis[1] + z * cone.axis[2];
        const auto square = x * x + y * y + z * z - along * along;
        const auto away = cone.cosine * R::root(square < 0 ? R::all(0) : square) - along * cone.sine;
        found |= (R::not_above(away, radius) & R::not_above(along, radius + cone.range) & R::not_above(-radius, along))
                 << at;
    }
    return found;
}

template <std::size_t W>
std::uint32_t slices_not_above(const ClusterGrid& grid, float depth) {
    using Eight = Row<(W < 8 ? W : 8)>;
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < grid.nz; k += 8) {
        count += static_cast<std::uint32_t>(
            __builtin_popcount(Eight::not_above(Eight::load(&grid.depths[k]), Eight::all(depth))));
    }
    return count;
}

template <std::size_t W>
std::size_t refine(const ClusterGrid& grid, const ClusterLights& lights, Prepared<W>& made) {
    Record* to = made.records.data();
    for (std::uint32_t light = 0; light < lights.count(); ++light) {
        const float p[3] = {lights.x[light] - grid.eye[0], lights.y[light] - grid.eye[1],
                            lights.z[light] - grid.eye[2]};
        const auto along = [](const float(&axis)[3], const float(&v)[3]) {
            return axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
        };
        const float x = along(grid.right, p), y = along(grid.up, p), z = along(grid.forward, p);
        const float range = lights.range[light];
        if (z + range < grid.depths[0] || z - range > grid.depths[grid.nz]) continue;
        Cone cone{};
        const bool is_spot = light >= lights.balls;
        if (is_spot) {
            const std::uint32_t spot = light - lights.balls;
            const float axis[3] = {lights.axis_x[spot], lights.axis_y[spot], lights.axis_z[spot]};
            const float cosine = 1 / std::sqrt(1 + lights.tangent[spot] * lights.tangent[spot]);
            cone = {{x, y, z},
                    {along(grid.right, axis), along(grid.up, axis), along(grid.forward, axis)},
                    cosine,
                    cosine * lights.tangent[spot],
                    range};
        }
        const std::uint32_t above = slices_not_above<W>(grid, z - range);
        const std::uint32_t first = above == 0 ? 0 : above - 1;
        const std::uint32_t end = slices_not_above<W>(grid, z + range);
        for (std::uint32_t k = first; k < end; ++k) {
            const float near = grid.depths[k], far = grid.depths[k + 1];
            const float at = z < near ? near : z > far ? far : z;
            const float square = range * range - (z - at) * (z - at);
            if (square < 0) continue;
            const float slice_radius = std::sqrt(square);
            std::uint32_t rows = bands<W>(made.y_normal.data(), made.y_depth.data(), grid.ny, y, at, slice_radius);
            for (; rows != 0; rows &= rows - 1) {
                const auto j = static_cast<std::uint32_t>(__builtin_ctz(rows));
                const float lower = made.y_normal[j] * y + made.y_depth[j] * at;
                const float upper = made.y_normal[j + 1] * y + made.y_depth[j + 1] * at;
                const float away = lower < 0 ? lower : upper > 0 ? upper : 0;
                const float depth = at - away * (lower < 0 ? made.y_depth[j] : made.y_depth[j + 1]);
                const float radius = std::sqrt(square - away * away);
                std::uint32_t tiles = bands<W>(made.x_normal.data(), made.x_depth.data(), grid.nx, x, depth, radius);
                if (is_spot && tiles != 0) {
                    tiles &= reached_by(cone, made, std::size_t{grid.nx} * (k * grid.ny + j), grid.nx);
                }
                *to = {light, k * grid.ny + j, tiles};
                to += tiles != 0;
            }
        }
    }
    return static_cast<std::size_t>(to - made.records.data());
}

template <std::size_t W>
void run_clusters(void* prepared, const ClusterGrid& grid, const ClusterLights& lights, ClusterLists& lists) {
    using Words = typename Row<W>::Words;
    auto& made = *static_cast<Prepared<W>*>(prepared);
    const std::size_t records = refine(grid, lights, made), cells = made.cell_x.size();
    lists.offsets.assign(cells + 1, 0);
    Words place;
    for (std::size_t k = 0; k < W; ++k) place[k] = static_cast<std::uint32_t>(k);
    for (std::size_t r = 0; r < records; ++r) {
        const Record& record = made.records[r];
        for (std::uint32_t at = 0; at < grid.nx; at += W) {
            std::uint32_t* const counts = &lists.offsets[std::size_t{record.row} * grid.nx + at];
            Words count;
            __builtin_memcpy(&count, counts, sizeof count);
            count += (record.tiles >> at) >> place & 1u;
            __builtin_memcpy(counts, &count, sizeof count);
        }
    }
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c <= cells; ++c) {
        const std::uint32_t of_cell = lists.offsets[c];
        made.next[c] = lists.offsets[c] = sum;
        sum += of_cell;
    }
    if (lists.indices.size() < sum) lists.indices.resize(sum);
    for (std::size_t r = 0; r < records; ++r) {
        const Record& record = made.records[r];
        std::uint32_t* const next = made.next.data() + std::size_t{record.row} * grid.nx;
        for (std::uint32_t tiles = record.tiles; tiles != 0; tiles &= tiles - 1) {
            lists.indices[next[__builtin_ctz(tiles)]++] = record.light;
        }
    }
}

template <std::size_t W>
void destroy_clusters(void* prepared) {
    delete static_cast<Prepared<W>*>(prepared);
}

}  // namespace
}  // namespace bench
