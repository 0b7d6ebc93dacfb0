/// World bounds of local boxes, W objects at a time. The bounds on rounding are derived in PROOF.md, "World bounds".

#include <cstddef>
#include <cstdint>

#include "bounds/world_work.hpp"
#include "calls/kernel_table.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

constexpr float unit_roundoff = 0x1p-24f;
constexpr float none = __builtin_nanf("");

/// W objects in a row.
struct WholePacket {
    std::uint32_t first;

    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t lane) const { return first + lane; }
    LANE_INLINE FloatW operator()(const float* stream) const { return load(stream + first); }
    LANE_INLINE void put(float* stream, FloatW values) const { store(stream + first, values); }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        if constexpr (lanes == 1) {
            return {from + first * stride, IndexW(0)};
        } else {
            return {from + first * stride, stride};
        }
    }
};

/// The last n < W objects. The other lanes repeat the last one, so nothing else is read.
struct LastPacket {
    std::uint32_t first, n;

    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t lane) const { return first + (lane < n ? lane : n - 1); }
    LANE_INLINE FloatW operator()(const float* stream) const { return load_first(stream + first, n); }
    LANE_INLINE void put(float* stream, FloatW values) const {
        alignas(64) float all[lanes];
        store(all, values);
        for (std::uint32_t lane = 0; lane < n; ++lane) stream[first + lane] = all[lane];
    }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        return RecordsW<Floats>([&](std::size_t lane) LANE_LAMBDA { return from + object(lane) * stride; });
    }
};

/// A transform in each lane. The last row of 4x4 transforms decides whether it is `affine`.
struct TransformW {
    Vec3W row[3];
    Vec3W translation;
    MaskW affine;
};

template <TransformLayout layout, class Packet>
LANE_INLINE TransformW transforms_of(const WorldWork& work, const Packet& objects) {
    constexpr bool by_rows = layout == TransformLayout::rows_3x4 || layout == TransformLayout::rows_4x4;
    constexpr bool is_4x4 = layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4;
    constexpr std::size_t floats = is_4x4 ? 16 : 12;
    RecordsW<floats> m = objects.template records<floats>(work.transforms, work.stride);
    const auto& v = m.value;
    const MaskW all = mask_of(all_lanes);
    if constexpr (by_rows) {
        TransformW t{{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}}, {v[3], v[7], v[11]}, all};
        if constexpr (is_4x4) t.affine = one_norm({v[12], v[13], v[14]}) + abs(v[15] - FloatW(1.0f)) <= FloatW(0.0f);
        return t;
    } else {
        constexpr std::size_t n = is_4x4 ? 4 : 3;
        TransformW t{{{v[0], v[n], v[2 * n]}, {v[1], v[n + 1], v[2 * n + 1]}, {v[2], v[n + 2], v[2 * n + 2]}},
                     {v[3 * n], v[3 * n + 1], v[3 * n + 2]},
                     all};
        if constexpr (is_4x4) t.affine = one_norm({v[3], v[7], v[11]}) + abs(v[15] - FloatW(1.0f)) <= FloatW(0.0f);
        return t;
    }
}

/// The local boxes of W objects. Sums of two floats do not underflow, so twice the centre and twice the half-extents
/// are taken, and halved at the end.
struct LocalBoxW {
    Vec3W twice_center, twice_half;
    MaskW valid;  ///< min <= max, and the index is in range
};

LANE_INLINE LocalBoxW local_box(const Vec3W& lower, const Vec3W& upper, MaskW in_range) {
    const FloatW zero = 0.0f;
    Vec3W half = upper - lower;
    return {upper + lower, half, in_range & (half.x >= zero) & (half.y >= zero) & (half.z >= zero)};
}

template <class Packet>
LANE_INLINE LocalBoxW local_boxes_of(const WorldWork& work, const Packet& objects) {
    const auto& from = work.local;
    if (work.box_index == nullptr) {
        return local_box({objects(from[0]), objects(from[1]), objects(from[2])},
                         {objects(from[3]), objects(from[4]), objects(from[5])}, mask_of(all_lanes));
    }
    alignas(64) std::int32_t index[lanes];
    std::uint32_t in_range = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t box = work.box_index[objects.object(lane)];
        const bool is_in_range = box < work.local_count;
        in_range |= std::uint32_t{is_in_range} << lane;
        index[lane] = static_cast<std::int32_t>(is_in_range ? box : 0);
    }
    const IndexW at = load(index);
    const auto all = [&](std::size_t k) LANE_LAMBDA { return gather(from[k], at); };
    return local_box({all(0), all(1), all(2)}, {all(3), all(4), all(5)}, mask_of(in_range));
}

/// Positions less the origin, as floats, and how far these may be off.
struct OffsetW {
    Vec3W value, error;
};

template <class Packet>
LANE_INLINE OffsetW offsets_of(const WorldWork& work, const Packet& objects) {
    alignas(64) float value[3][lanes], error[3][lanes];
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const double* position = work.positions + objects.object(lane) * work.position_stride;
        for (std::size_t k = 0; k < 3; ++k) {
            // The subtraction is off by 2^-53 of its result. What it differs from the float is computed exactly. The
            // error as a float is rounded, by u of it at most.
            const double relative = position[k] - work.origin[k];
            const auto rounded = static_cast<float>(relative);
            const double off = relative - static_cast<double>(rounded);
            value[k][lane] = rounded;
            error[k][lane] = static_cast<float>(
                (__builtin_fabs(off) + __builtin_fabs(relative) * 0x1p-53) * (1 + 0x1p-22) + 0x1p-126);
        }
    }
    return {{load(value[0]), load(value[1]), load(value[2])}, {load(error[0]), load(error[1]), load(error[2])}};
}

/// A transformed box: its centre, its half-extents along the world's axes, and how far the two may be off together.
struct PlacedW {
    Vec3W center, reach, error;
    MaskW valid;
};

/// What underflows adds up to less than 2^-146. The term for it is the smallest normal number, because a subnormal one
/// costs some processors 150 cycles an operation.
///
/// One coordinate. `size`: |twice_center| + twice_half, component by component.
LANE_INLINE void place(const Vec3W& row, FloatW translation, const LocalBoxW& box, const Vec3W& size, FloatW& center,
                       FloatW& reach, FloatW& error) {
    constexpr float share = 6 * unit_roundoff * (1 + 0x1p-16f), underflow = 0x1p-126f;
    const FloatW half = 0.5f;
    Vec3W sizes{abs(row.x), abs(row.y), abs(row.z)};
    center = fma(half, dot(row, box.twice_center), translation);
    reach = half * dot(sizes, box.twice_half);
    error = fma(FloatW(share), fma(half, dot(sizes, size), abs(translation)), FloatW(underflow));
}

LANE_INLINE PlacedW placed(const TransformW& transform, const LocalBoxW& box) {
    Vec3W size{abs(box.twice_center.x) + box.twice_half.x, abs(box.twice_center.y) + box.twice_half.y,
               abs(box.twice_center.z) + box.twice_half.z};
    PlacedW p;
    place(transform.row[0], transform.translation.x, box, size, p.center.x, p.reach.x, p.error.x);
    place(transform.row[1], transform.translation.y, box, size, p.center.y, p.reach.y, p.error.y);
    place(transform.row[2], transform.translation.z, box, size, p.center.z, p.reach.z, p.error.z);
    p.valid = box.valid & transform.affine;
    return p;
}

/// Adds the offsets: one more rounding of the centre, of what it then is.
LANE_INLINE void move(PlacedW& p, const OffsetW& offset) {
    const FloatW share = 2 * unit_roundoff;
    p.center = p.center + offset.value;
    Vec3W sizes{abs(p.center.x), abs(p.center.y), abs(p.center.z)};
    p.error = plus_times(p.error * FloatW(1 + 0x1p-20f) + offset.error, sizes, share);
}

struct BoxesOut {
    template <class Packet>
    static LANE_INLINE void put(const WorldWork& work, const Packet& objects, const TransformW&, const LocalBoxW&,
                                const PlacedW& p) {
        Vec3W reach = p.reach + p.error, lower = p.center - reach, upper = p.center + reach;
        const auto put = [&](std::size_t k, FloatW value)
                             LANE_LAMBDA { objects.put(work.out[k], select(p.valid, value, FloatW(none))); };
        put(0, lower.x), put(1, lower.y), put(2, lower.z);
        put(3, upper.x), put(4, upper.y), put(5, upper.z);
    }
};

struct SpheresOut {
    /// The distance of the box's corners from its centre, or more. Vectors are divided by the sum of all their
    /// components' sizes, so that squares neither overflow nor underflow; where that sum is tiny it is the result.
    static LANE_INLINE FloatW radius(const TransformW& m, const LocalBoxW& box) {
        Vec3W h = box.twice_half;
        Vec3W a{m.row[0].x * h.x, m.row[1].x * h.x, m.row[2].x * h.x},
            b{m.row[0].y * h.y, m.row[1].y * h.y, m.row[2].y * h.y},
            c{m.row[0].z * h.z, m.row[1].z * h.z, m.row[2].z * h.z};
        const FloatW sum = one_norm(a) + one_norm(b) + one_norm(c), scale = FloatW(1.0f) / sum;
        a = a * scale, b = b * scale, c = c * scale;
        const FloatW squares = dot(a, a) + dot(b, b) + dot(c, c),
                     products = abs(dot(a, b)) + abs(dot(a, c)) + abs(dot(b, c));
        const FloatW length = sum * sqrt(fma(FloatW(2.0f), products, squares));
        return FloatW(0.5f) * select(sum < FloatW(0x1p-100f), sum, length);
    }

    template <class Packet>
    static LANE_INLINE void put(const WorldWork& work, const Packet& objects, const TransformW& m, const LocalBoxW& box,
                                const PlacedW& p) {
        const FloatW total = (radius(m, box) + (p.error.x + p.error.y + p.error.z)) * FloatW(1 + 0x1p-19f);
        const auto put = [&](std::size_t k, FloatW value)
                             LANE_LAMBDA { objects.put(work.out[k], select(p.valid, value, FloatW(none))); };
        put(0, p.center.x), put(1, p.center.y), put(2, p.center.z), put(3, total);
    }
};

template <TransformLayout layout, class Out, class Packet>
LANE_INLINE void fill_packet(const WorldWork& work, const Packet& objects) {
    TransformW transform = transforms_of<layout>(work, objects);
    LocalBoxW box = local_boxes_of(work, objects);
    PlacedW p = placed(transform, box);
    if (work.positions != nullptr) move(p, offsets_of(work, objects));
    Out::put(work, objects, transform, box, p);
}

template <TransformLayout layout, class Out>
LANE_INLINE void fill(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t rest = count % lanes, whole = count - rest;
    for (std::uint32_t done = 0; done < whole; done += lanes) {
        fill_packet<layout, Out>(work, WholePacket{first + done});
    }
    if (rest != 0) fill_packet<layout, Out>(work, LastPacket{first + whole, rest});
}

template <class Out>
LANE_INLINE void fill_by_layout(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    switch (work.layout) {
        case TransformLayout::rows_3x4:
            return fill<TransformLayout::rows_3x4, Out>(work, first, count);
        case TransformLayout::columns_3x4:
            return fill<TransformLayout::columns_3x4, Out>(work, first, count);
        case TransformLayout::rows_4x4:
            return fill<TransformLayout::rows_4x4, Out>(work, first, count);
        case TransformLayout::columns_4x4:
            return fill<TransformLayout::columns_4x4, Out>(work, first, count);
    }
}

}  // namespace

template <>
void Kernels<this_isa>::world_boxes(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill_by_layout<BoxesOut>(work, first, count);
}

template <>
void Kernels<this_isa>::world_spheres(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill_by_layout<SpheresOut>(work, first, count);
}

}  // namespace lanecull
