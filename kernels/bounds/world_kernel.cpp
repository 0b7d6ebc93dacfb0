/// World bounds of local boxes, W objects at a time. The bounds on rounding are derived in bounds/PROOF.md, "World
/// bounds".

#include <cstddef>
#include <cstdint>

#include "bounds/kernels.hpp"
#include "bounds/oriented.hpp"
#include "bounds/placed.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

constexpr float no_number = __builtin_nanf("");

/// W objects in a row.
struct WholePacket : RunOfObjects {
    LANE_INLINE void put(float* stream, FloatW values) const { store(stream + first, values); }
    [[nodiscard]] LANE_INLINE std::uint32_t count() const { return lanes; }
};

/// The last n < W objects.
struct LastPacket : TailOfObjects {
    LANE_INLINE void put(float* stream, FloatW values) const {
        alignas(64) float all[lanes];
        store(all, values);
        for (std::uint32_t lane = 0; lane < n; ++lane) stream[first + lane] = all[lane];
    }
    [[nodiscard]] LANE_INLINE std::uint32_t count() const { return n; }
};

/// Writes a record of N numbers for each object.
template <std::size_t N, class Packet>
LANE_INLINE void put_records(const Packet& objects, const RecordsOut& to, const FloatW (&numbers)[N]) {
    alignas(64) float all[N][lanes];
    for (std::size_t k = 0; k < N; ++k) store(all[k], numbers[k]);
    float* record = to.first + objects.first * to.stride;
    for (std::uint32_t lane = 0; lane < objects.count(); ++lane, record += to.stride) {
        for (std::size_t k = 0; k < N; ++k) record[k] = all[k][lane];
    }
}

struct BoxesOut {
    template <class Packet>
    static LANE_INLINE void put(const WorldWork& work, const Packet& objects, const TransformW&, const LocalBoxW&,
                                const PlacedW& p) {
        Vec3W reach = p.reach + p.error, lower = p.center - reach, upper = p.center + reach;
        const auto put = [&](std::size_t k, FloatW value)
                             LANE_LAMBDA { objects.put(work.out[k], select(p.valid, value, FloatW(no_number))); };
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
                             LANE_LAMBDA { objects.put(work.out[k], select(p.valid, value, FloatW(no_number))); };
        put(0, p.center.x), put(1, p.center.y), put(2, p.center.z), put(3, total);
    }
};

struct OrientedBoxesOut {
    template <class Packet>
    static LANE_INLINE void put(const WorldWork& work, const Packet& objects, const TransformW& m, const LocalBoxW& box,
                                const PlacedW& p) {
        EdgesW edges(m, box);
        const QuaternionW q = rotation_along(edges);
        QuaternionAxesW turned(q);
        Vec3W half = half_extents(edges, turned, p);
        if (work.axes.first != nullptr) half = by_rounded_axes(half);
        const auto valid = [&](FloatW value) LANE_LAMBDA { return select(p.valid, value, FloatW(no_number)); };
        objects.put(work.out[0], valid(p.center.x));
        objects.put(work.out[1], valid(p.center.y));
        objects.put(work.out[2], valid(p.center.z));
        if (work.out[3] != nullptr) objects.put(work.out[3], valid(radius_around(half)));
        put_records<3>(objects, work.half_extents, {valid(half.x), valid(half.y), valid(half.z)});
        if (work.axes.first != nullptr) {
            const Vec3W(&a)[3] = turned.axis;
            put_records<9>(objects, work.axes,
                           {a[0].x, a[0].y, a[0].z, a[1].x, a[1].y, a[1].z, a[2].x, a[2].y, a[2].z});
        } else {
            put_records<4>(objects, work.quaternions, {q.v.x, q.v.y, q.v.z, q.w});
        }
    }
};

template <class Out, class Packet>
LANE_INLINE void fill_packet(const WorldWork& work, const Packet& objects) {
    TransformW transform = transforms_of(work.transforms, objects);
    LocalBoxW box = local_boxes_of(work.local, objects);
    PlacedW p = placed(transform, box);
    if (work.transforms.positions.first != nullptr) move(p, offsets_of(work.transforms, objects));
    place_anew(p, box, work.local, work.transforms, objects);
    Out::put(work, objects, transform, box, p);
}

/// So many objects' transforms, boxes and bounds may be in a level-2 cache; those of more are not. To prefetch what is
/// in caches, too, costs up to 1.13 of the time with AVX2, where transforms alone with AVX-512 are worth it: world
/// boxes of ten thousand take 0.89. SSE4.2 gains nothing by boxes, and to prefetch bounds as well makes a million
/// slower (an EPYC of family 26, model 2).
constexpr std::uint32_t cached_objects = 1 << 14;

template <class Out>
LANE_INLINE void fill(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t rest = count % lanes, whole = count - rest;
    const bool is_cached = work.count <= cached_objects;
    const bool fetches_transforms = !is_cached || lanes >= 16, fetches_boxes = !is_cached && lanes >= 8;
    for (std::uint32_t done = 0; done < whole; done += lanes) {
        if (fetches_transforms) fetch_ahead(work.transforms, first + done);
        if (fetches_boxes) fetch_ahead(work.local, first + done);
        fill_packet<Out>(work, WholePacket{{first + done}});
    }
    if (rest != 0) fill_packet<Out>(work, LastPacket{{first + whole, rest}});
}

}  // namespace

template <>
void BoundsKernels<this_isa>::world_boxes(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill<BoxesOut>(work, first, count);
}

template <>
void BoundsKernels<this_isa>::world_spheres(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill<SpheresOut>(work, first, count);
}

template <>
void BoundsKernels<this_isa>::world_oriented_boxes(const WorldWork& work, std::uint32_t first, std::uint32_t count) {
    fill<OrientedBoxesOut>(work, first, count);
}

}  // namespace lanecull
