/// Entries of visible objects: depths of their centres, in doubles, compiled once for all instruction sets; and lists
/// of sorted entries.

#include "calls/order.hpp"

#include <lanecull/scene.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "calls/check.hpp"
#include "calls/every_layout.hpp"
#include "calls/kinds.hpp"
#include "calls/visible_lists.hpp"

namespace lanecull {
namespace {

struct Center {
    double x, y, z;
};
constexpr double of_no_object = std::numeric_limits<double>::quiet_NaN();
constexpr Center nowhere = {of_no_object, of_no_object, of_no_object};

/// Any kind's, by what pairs see it as.
template <class Shapes>
Center center_of(const Shapes& s, std::uint32_t i) {
    const WideShape::Vector center = KindTraits<Shapes>::wide_shape(s, i, {}).inside();
    return {center.x, center.y, center.z};
}
/// Those that store it.
template <class Shapes>
requires requires(const Shapes& s) { s.x[0] + s.y[0] + s.z[0]; }
Center center_of(const Shapes& s, std::uint32_t i) { return {wide(s.x[i]), wide(s.y[i]), wide(s.z[i])}; }
double halfway(float a, float b) { return 0.5 * (wide(a) + wide(b)); }
Center center_of(const Boxes& s, std::uint32_t i) {
    return {halfway(s.min_x[i], s.max_x[i]), halfway(s.min_y[i], s.max_y[i]), halfway(s.min_z[i], s.max_z[i])};
}
Center center_of(const Capsules& s, std::uint32_t i) {
    return {halfway(s.a_x[i], s.b_x[i]), halfway(s.a_y[i], s.b_y[i]), halfway(s.a_z[i], s.b_z[i])};
}

/// Where object i's transform puts a local point.
template <class Number>
Center placed(const Transforms& transforms, std::uint32_t i, const Number (&p)[3]) {
    float m[12];
    double offset[3], at[3];
    static_cast<void>(rows_of(transforms, i, m));
    offset_of(transforms, i, offset);
    for (std::size_t r = 0; r < 3; ++r) {
        at[r] = wide(m[4 * r + 3]) + offset[r];
        for (std::size_t c = 0; c < 3; ++c) at[r] += wide(m[4 * r + c]) * static_cast<double>(p[c]);
    }
    return {at[0], at[1], at[2]};
}
Center center_of(const BoxInstances& s, std::uint32_t i) {
    LocalBox box;
    if (!read_local_box(s.local, i, box)) return nowhere;
    double middle[3];
    for (std::size_t k = 0; k < 3; ++k) middle[k] = halfway(box.lower[k], box.upper[k]);
    return placed(s.transforms, i, middle);
}
Center center_of(const HullInstances& s, std::uint32_t i) {
    const std::uint32_t hull = s.hull_index == nullptr ? 0 : s.hull_index[i];
    return hull < s.hull_count ? placed(s.transforms, i, s.hulls[hull].mean) : nowhere;
}

// Depths, rounded to floats; -0 is 0.

struct DepthAlong {
    double x, y, z, constant;

    explicit DepthAlong(const Sight& sight) : x(sight.axis[0]), y(sight.axis[1]), z(sight.axis[2]) {
        constant = sight.offset - (x * sight.from[0] + y * sight.from[1] + z * sight.from[2]);
    }
    float operator()(const Center& p) const {
        return static_cast<float>((p.x * x + p.y * y) + (p.z * z + constant)) + 0.0f;
    }
};

struct Distance {
    double x, y, z;

    explicit Distance(const Sight& sight) : x(sight.from[0]), y(sight.from[1]), z(sight.from[2]) {}
    float operator()(const Center& p) const {
        const double across = p.x - x, up = p.y - y, away = p.z - z;
        return static_cast<float>(std::sqrt(across * across + up * up + away * away));
    }
};

/// A number that ascends with the depth, or descends with all bits of `inverted` set; the largest for NaN.
std::uint32_t number_of(float depth, std::uint32_t inverted) {
    const auto bits = __builtin_bit_cast(std::uint32_t, depth);
    const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);
    const std::uint32_t ascending = bits ^ (sign | 0x8000'0000u);
    return depth == depth ? ascending ^ inverted : ~std::uint32_t{0};
}

}  // namespace

/// First writes the objects' numbers, where the last entries go, then entries over them: a loop without branches.
NumberRange note_entries(const KernelTable& kernels, const Batch& batch, const Sight& sight, ListOrder order,
                         const KeptRange& range, std::span<OrderEntry> to) noexcept {
    const std::uint32_t inverted = order == ListOrder::back_to_front ? ~std::uint32_t{0} : 0;
    auto* const objects = reinterpret_cast<std::uint32_t*>(to.data()) + to.size();
    kernels.write_indices(range.words, range.count, range.first, objects, to.size());
    const std::uint64_t before = range.first_place - range.first;
    NumberRange numbers;
    visit(batch, [&](auto shapes) {
        const auto note_all = [&](const auto depth_of) {
            for (std::size_t i = 0; i < to.size(); ++i) {
                std::uint32_t object;
                std::memcpy(&object, objects + i, sizeof object);
                const std::uint32_t number = number_of(depth_of(center_of(shapes, object)), inverted);
                numbers.add(number);
                to[i] = std::uint64_t{number} << 32 | static_cast<std::uint32_t>(before + object);
            }
        };
        sight.kind == Sight::distance ? note_all(Distance(sight)) : note_all(DepthAlong(sight));
    });
    return numbers;
}

NumberRange take_keys(const Output& output, const Places& places, std::span<const OrderEntry> entries,
                      OrderEntry* to) noexcept {
    NumberRange numbers;
    const auto* const keys = reinterpret_cast<const std::byte*>(output.keys.data());
    const std::size_t stride = key_stride_of(output);
    for (const OrderEntry entry : entries) {
        const auto place = static_cast<std::uint32_t>(entry);
        const RangePlaces& range = places.of(place);
        const auto k = static_cast<std::uint32_t>(place - range.first);
        std::uint32_t key;
        std::memcpy(&key, keys + stride * (range.handles != nullptr ? range.handles[k] : range.first_index + k),
                    sizeof key);
        numbers.add(key);
        *to++ = std::uint64_t{key} << 32 | place;
    }
    return numbers;
}

void write_ordered(const Output& output, const Places& places, std::span<const OrderEntry> entries,
                   std::uint64_t first) noexcept {
    const auto write = [&](std::uint64_t capacity, const auto& write_one) {
        const std::size_t room = room_for(entries.size(), first, capacity);
        for (std::size_t i = 0; i < room; ++i) {
            const auto place = static_cast<std::uint32_t>(entries[i]);
            const RangePlaces& range = places.of(place);
            write_one(range, static_cast<std::uint32_t>(place - range.first), static_cast<std::size_t>(first) + i);
        }
    };
    write(output.indices.size(),
          [&](const RangePlaces& range, std::uint32_t k, std::size_t i) { output.indices[i] = range.first_index + k; });
    if (output.scene != nullptr) {
        write(output.scene->handles.size(), [&](const RangePlaces& range, std::uint32_t k, std::size_t i) {
            output.scene->handles[i] = range.handles[k];
        });
    }
    std::byte* const commands = output.draws.memory.data() + output.draws.offset_bytes;
    write(draw_capacity(output.draws), [&](const RangePlaces& range, std::uint32_t k, std::size_t i) {
        const DrawCommands& of = range.draws;
        const std::uint32_t object = range.first_draw + k;
        DrawCommand command;
        std::memcpy(&command,
                    reinterpret_cast<const std::byte*>(of.first) + object * (of.counts_instances ? 0 : of.stride),
                    sizeof command);
        if (of.counts_instances) command.first_instance += object;
        std::memcpy(commands + i * stride_of(output.draws), &command, sizeof command);
    });
}

}  // namespace lanecull
