/// World bounds of local boxes, W objects at a time. The bounds on rounding are derived in PROOF.md, "World bounds".

#include <cstddef>
#include <cstdint>

#include "bounds/world_work.hpp"
#include "calls/kernel_table.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

constexpr float unit_roundoff = 0x1p-24f;
constexpr float none = __builtin_nanf("");

/// W objects in a row.
struct WholePacket : RunOfObjects {
    LANE_INLINE void put(float* stream, FloatW values) const { store(stream + first, values); }
};

/// The last n < W objects.
struct LastPacket : TailOfObjects {
    LANE_INLINE void put(float* stream, FloatW values) const {
        alignas(64) float all[lanes];
        store(all, values);
        for (std::uint32_t lane = 0; lane < n; ++lane) stream[first + lane] = all[lane];
    }
};

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

/// Adds the offsets' first floats: one more rounding of the centre, of what it then is. Their second floats are off by
/// less than 2^-47 of the first ones.
LANE_INLINE void move(PlacedW& p, const OffsetW& offset) {
    const FloatW share = 2 * unit_roundoff, rest = 1 + 0x1p-20f, smallest = 0x1p-126f;
    const auto move_one = [&](FloatW& center, FloatW& error, FloatW high, FloatW low) LANE_LAMBDA {
        center = center + high;
        const FloatW off = fma(abs(high), FloatW(0x1p-47f), abs(low) + smallest);
        error = fma(abs(center), share, (error + off) * rest);
    };
    move_one(p.center.x, p.error.x, offset.high.x, offset.low.x);
    move_one(p.center.y, p.error.y, offset.high.y, offset.low.y);
    move_one(p.center.z, p.error.z, offset.high.z, offset.low.z);
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

template <class Out, class Packet>
LANE_INLINE void fill_packet(const WorldWork& work, const Packet& objects) {
    TransformW transform = transforms_of(work.transforms, objects);
    LocalBoxW box = local_boxes_of(work.local, objects);
    PlacedW p = placed(transform, box);
    if (work.transforms.positions.first != nullptr) move(p, offsets_of(work.transforms, objects));
    Out::put(work, objects, transform, box, p);
}

template <class Out>
LANE_INLINE void fill(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t rest = count % lanes, whole = count - rest;
    for (std::uint32_t done = 0; done < whole; done += lanes) fill_packet<Out>(work, WholePacket{{first + done}});
    if (rest != 0) fill_packet<Out>(work, LastPacket{{first + whole, rest}});
}

}  // namespace

template <>
void Kernels<this_isa>::world_boxes(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill<BoxesOut>(work, first, count);
}

template <>
void Kernels<this_isa>::world_spheres(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill<SpheresOut>(work, first, count);
}

}  // namespace lanecull
