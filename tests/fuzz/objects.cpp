#include "fuzz/objects.hpp"

#include <algorithm>
#include <cmath>

#include "support/size_fields.hpp"

namespace {

float moderate_single(Input& input) {
    const float number = input.single();
    return moderate(number) ? number : 1;
}

/// Fields of an upper corner: three after the lower one's.
bool is_upper_corner(Kind kind, std::size_t field) {
    const auto corner = corner_fields(kind);
    return corner && field >= *corner + 3;
}

}  // namespace

HullSet read_hulls(Input& input, bool many) {
    HullSet hulls(1 + input.up_to(2));
    for (Vertices& vertices : hulls) {
        vertices.resize(1 + input.up_to(many ? 20 : 0));
        for (auto& vertex : vertices) vertex = {moderate_single(input), moderate_single(input), input.single()};
        for (auto& vertex : vertices) vertex[2] = std::isfinite(vertex[2]) ? vertex[2] : 0;
    }
    return hulls;
}

Object read_object(Input& input, Kind kind, std::size_t hulls) {
    Object object;
    const auto [first, last] = size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        object.fields[k] = k >= first && k < last ? input.size() : input.single();
        if (is_upper_corner(kind, k) && input.up_to(15) != 0) {
            object.fields[k] = object.fields[k - 3] + std::fabs(object.fields[k]);
        }
    }
    // The usual axes or transform, mostly.
    const std::size_t matrix = kind == Kind::oriented_box ? 3 : 0, stride = kind == Kind::oriented_box ? 3 : 4;
    if ((kind == Kind::oriented_box || has_transform(kind)) && input.up_to(3) != 0) {
        for (std::size_t k = 0; k < 9; ++k) object.fields[matrix + k / 3 * stride + k % 3] = k % 4 == 0 ? 1 : 0;
    }
    object.hull = input.up_to(static_cast<std::uint32_t>(hulls - 1));
    return object;
}

Streams read_streams(Input& input) {
    const std::uint32_t which = input.up_to(127);
    return {.margin = (which & 1) != 0,
            .sweep = (which & 2) != 0,
            .flags = (which & 4) != 0,
            .layers = (which & 8) != 0,
            .max_distance = (which & 16) != 0,
            .min_projected_size = (which & 32) != 0,
            .min_distance = (which & 64) != 0};
}

void read_attributes(Input& input, const Streams& streams, Object& object) {
    if (streams.margin) object.margin = input.size();
    if (streams.sweep) object.sweep = {input.single(), input.single(), input.single()};
    if (streams.flags) object.flags = input.up_to(7);
    if (streams.layers) object.layers = input.up_to(15);
    if (streams.max_distance) object.max_distance = input.size();
    if (streams.min_projected_size) object.min_projected_size = input.size();
    if (streams.min_distance) object.min_distance = input.size();
}

bool is_invalid(Kind kind, const Object& object) {
    const auto [first, last] = size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        const float number = object.fields[k];
        if (!std::isfinite(number) || (k >= first && k < last && number < 0)) return true;
        if (is_upper_corner(kind, k) && number < object.fields[k - 3]) return true;
    }
    if (!std::isfinite(object.margin) || object.margin < 0) return true;
    for (const float component : object.sweep) {
        if (!std::isfinite(component)) return true;
    }
    if (kind != Kind::quaternion_box) return false;
    return std::all_of(object.fields.begin() + 3, object.fields.begin() + 7, [](float q) { return q == 0; });
}

std::vector<std::uint64_t> read_candidates(Input& input, std::size_t words) {
    std::vector<std::uint64_t> candidates(words);
    for (std::uint64_t& word : candidates) {
        const std::uint32_t which = input.up_to(3);
        if (which == 1) word = ~std::uint64_t{0};
        if (which >= 2) word = std::uint64_t{input.bits()} << 32 | input.bits();
    }
    return candidates;
}
