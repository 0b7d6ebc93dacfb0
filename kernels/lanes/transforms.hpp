#pragma once

/// The transforms and local boxes of W objects (transforms.hpp, LocalBoxes in batch.h), read by what fetches them:
/// objects side by side, by index, or the last few (lanes/gather.hpp).

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanecull/batch.h>

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// A transform in each lane. The last row of 4x4 transforms decides whether it is `affine`.
struct TransformW {
    Vec3W row[3];
    Vec3W translation;
    MaskW affine;

    [[nodiscard]] LANE_INLINE Vec3W column(int j) const {
        if (j == 0) return {row[0].x, row[1].x, row[2].x};
        if (j == 1) return {row[0].y, row[1].y, row[2].y};
        return {row[0].z, row[1].z, row[2].z};
    }
};

/// How many numbers lie from one transform to the next.
LANE_INLINE std::size_t numbers_apart(const Transforms& transforms) {
    using enum TransformLayout;
    const bool is_4x4 = transforms.layout == rows_4x4 || transforms.layout == columns_4x4;
    return numbers_apart(transforms.stride_bytes, is_4x4 ? 16 : 12);
}

/// How many objects ahead is prefetched.
constexpr std::size_t objects_ahead = 64;

/// Prefetches the transforms that come some packets after a packet in a row. Beyond the batch's end, where there are
/// none, a prefetch does nothing. A million box instances are culled in 0.52 of the time with AVX-512 and 0.6 with
/// AVX2, ten thousand, from the caches, in 1.01 and 1.05 (an EPYC of family 26, model 2).
LANE_INLINE void fetch_ahead(const Transforms& transforms, std::uint32_t first) {
    const std::size_t stride = numbers_apart(transforms);
    const float* const at = transforms.first + (first + objects_ahead) * stride;
    for (std::size_t lane = 0; lane < lanes; ++lane) __builtin_prefetch(at + lane * stride);
}

/// The first 12 numbers are read alike in all layouts; 4x4 layouts have four more.
template <class Objects>
LANE_INLINE TransformW transforms_of(const Transforms& transforms, const Objects& objects) {
    using enum TransformLayout;
    const TransformLayout layout = transforms.layout;
    const std::size_t stride = numbers_apart(transforms);
    if constexpr (std::is_same_v<Objects, RunOfObjects>) fetch_ahead(transforms, objects.first);
    RecordsW<12> first = objects.template records<12>(transforms.first, stride);
    const auto& v = first.value;
    const MaskW all = mask_of(all_lanes);
    if (layout == rows_3x4) {
        return {{first.three(0), first.three(4), first.three(8)}, {v[3], v[7], v[11]}, all};
    }
    if (layout == columns_3x4) {
        return {{{v[0], v[3], v[6]}, {v[1], v[4], v[7]}, {v[2], v[5], v[8]}}, first.three(9), all};
    }
    RecordsW<4> last = objects.template records<4>(transforms.first + 12, stride);
    const FloatW zero = 0.0f, off = abs(last.value[3] - FloatW(1.0f));
    if (layout == rows_4x4) {
        return {{first.three(0), first.three(4), first.three(8)},
                {v[3], v[7], v[11]},
                one_norm(last.three(0)) + off <= zero};
    }
    return {{{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}},
            last.three(0),
            one_norm({v[3], v[7], v[11]}) + off <= zero};
}

/// Local boxes as they are stored.
struct LocalCornersW {
    Vec3W lower, upper;
    MaskW in_range;  ///< the index is
};

/// Local boxes. Sums of two floats do not underflow, so twice the centre and twice the half-extents are taken.
struct LocalBoxW {
    Vec3W twice_center, twice_half;
    MaskW valid;  ///< min <= max, and the index is in range

    LANE_INLINE explicit LocalBoxW(const LocalCornersW& corners)
        : twice_center(corners.upper + corners.lower), twice_half(corners.upper - corners.lower) {
        const FloatW zero = 0.0f;
        Vec3W& half = twice_half;
        valid = corners.in_range & (half.x >= zero) & (half.y >= zero) & (half.z >= zero);
    }
};

/// Prefetches local boxes as transforms are: those that stand in streams, one for each object. Six streams beside the
/// transforms are more than the processor finds by itself: a million world spheres take 0.44 to 0.57 of the time with
/// AVX-512, 0.73 with AVX2.
LANE_INLINE void fetch_ahead(const LocalBoxes& local, std::uint32_t first) {
    if (local.box_index != nullptr || local.lower.first != nullptr) return;
    const Boxes& b = local.boxes;
    for (const float* stream : {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z}) {
        __builtin_prefetch(stream + first + objects_ahead);
    }
}

/// Each object's own corner.
template <class Objects>
LANE_INLINE Vec3W corners_of(const Records& records, const Objects& objects) {
    return objects.template records<3>(records.first, numbers_apart(records.stride_bytes, 3)).three(0);
}
/// Corner index[lane].
LANE_INLINE Vec3W corners_at(const Records& records, const std::int32_t (&index)[lanes]) {
    const std::size_t stride = numbers_apart(records.stride_bytes, 3);
    return RecordsW<3>([&](std::size_t lane)
                           LANE_LAMBDA { return records.first + static_cast<std::size_t>(index[lane]) * stride; })
        .three(0);
}

/// An index out of range reads box 0 and is not valid.
template <class Objects>
LANE_INLINE LocalCornersW local_corners_of(const LocalBoxes& local, const Objects& objects) {
    const Boxes& b = local.boxes;
    const bool are_records = local.lower.first != nullptr;
    if (local.box_index == nullptr) {
        if (are_records) {
            return {corners_of(local.lower, objects), corners_of(local.upper, objects), mask_of(all_lanes)};
        }
        return {{objects(b.min_x), objects(b.min_y), objects(b.min_z)},
                {objects(b.max_x), objects(b.max_y), objects(b.max_z)},
                mask_of(all_lanes)};
    }
    alignas(64) std::int32_t index[lanes];
    std::uint32_t in_range = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t box = local.box_index[objects.object(lane)];
        const bool is_in_range = box < b.count;
        in_range |= std::uint32_t{is_in_range} << lane;
        index[lane] = static_cast<std::int32_t>(is_in_range ? box : 0);
    }
    if (are_records) {
        return {corners_at(local.lower, index), corners_at(local.upper, index), mask_of(in_range)};
    }
    const IndexW at = load(index);
    const auto all = [&](const float* of) LANE_LAMBDA { return gather(of, at); };
    return {{all(b.min_x), all(b.min_y), all(b.min_z)}, {all(b.max_x), all(b.max_y), all(b.max_z)}, mask_of(in_range)};
}

template <class Objects>
LANE_INLINE LocalBoxW local_boxes_of(const LocalBoxes& local, const Objects& objects) {
    return LocalBoxW(local_corners_of(local, objects));
}

/// Positions less the origin as sums of two floats. The sums are off by less than 2^-47 of `high`, or by what the
/// smallest floats round.
struct OffsetW {
    Vec3W high, low;
};

/// The position of lane `lane`'s object, three numbers.
template <class Objects>
LANE_INLINE const double* position_of(const Transforms& transforms, const Objects& objects, std::size_t lane) {
    return transforms.positions.first +
           objects.object(lane) * numbers_apart<double>(transforms.positions.stride_bytes, 3);
}

template <class Objects>
LANE_INLINE OffsetW offsets_of(const Transforms& transforms, const Objects& objects) {
    alignas(64) float high[3][lanes], low[3][lanes];
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const double* position = position_of(transforms, objects, lane);
        for (std::size_t k = 0; k < 3; ++k) {
            // Off by 2^-53 of it. What it differs from the float is computed exactly, and rounds by 2^-24 of that.
            const double relative = position[k] - transforms.origin[k];
            high[k][lane] = static_cast<float>(relative);
            low[k][lane] = static_cast<float>(relative - static_cast<double>(high[k][lane]));
        }
    }
    return {{load(high[0]), load(high[1]), load(high[2])}, {load(low[0]), load(low[1]), load(low[2])}};
}

}  // namespace
}  // namespace lanecull
