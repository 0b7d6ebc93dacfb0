#include "properties/any_objects.hpp"

#include <algorithm>
#include <cmath>

#include "support/objects.hpp"

namespace properties {
namespace {

float moderate_single(Random& random) {
    const float number = random.any_float();
    return moderate(number) ? number : 1;
}

/// Fields of an upper corner: three after the lower one's.
bool is_upper_corner(Kind kind, std::size_t field) {
    const auto corner = corner_fields(kind);
    return corner && field >= *corner + 3;
}

}  // namespace

HullSet read_hulls(Random& random, bool many) {
    HullSet hulls(static_cast<std::size_t>(1 + random.below(3)));
    for (Vertices& vertices : hulls) {
        vertices.resize(many ? static_cast<std::size_t>(1 + random.below(21)) : 1);
        for (auto& vertex : vertices) vertex = {moderate_single(random), moderate_single(random), random.any_float()};
        for (auto& vertex : vertices) vertex[2] = std::isfinite(vertex[2]) ? vertex[2] : 0;
    }
    return hulls;
}

Object read_object(Random& random, Kind kind, std::size_t hulls) {
    Object object;
    const auto [first, last] = size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        object.fields[k] = k >= first && k < last ? random.any_size() : random.any_float();
        if (is_upper_corner(kind, k) && random.below(16) != 0) {
            object.fields[k] = object.fields[k - 3] + std::fabs(object.fields[k]);
        }
    }
    // The usual axes or transform, mostly.
    const std::size_t matrix = kind == Kind::oriented_box ? 3 : 0, stride = kind == Kind::oriented_box ? 3 : 4;
    if ((kind == Kind::oriented_box || has_transform(kind)) && random.below(4) != 0) {
        for (std::size_t k = 0; k < 9; ++k) object.fields[matrix + k / 3 * stride + k % 3] = k % 4 == 0 ? 1 : 0;
    }
    object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(hulls)));
    return object;
}

Streams read_streams(Random& random) {
    const int which = random.below(128);
    return {.margin = (which & 1) != 0,
            .sweep = (which & 2) != 0,
            .flags = (which & 4) != 0,
            .layers = (which & 8) != 0,
            .max_distance = (which & 16) != 0,
            .min_projected_size = (which & 32) != 0,
            .min_distance = (which & 64) != 0};
}

void read_attributes(Random& random, const Streams& streams, Object& object) {
    if (streams.margin) object.margin = random.any_size();
    if (streams.sweep) object.sweep = {random.any_float(), random.any_float(), random.any_float()};
    if (streams.flags) object.flags = static_cast<std::uint32_t>(random.below(8));
    if (streams.layers) object.layers = static_cast<std::uint32_t>(random.below(16));
    if (streams.max_distance) object.max_distance = random.any_size();
    if (streams.min_projected_size) object.min_projected_size = random.any_size();
    if (streams.min_distance) object.min_distance = random.any_size();
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

std::vector<std::uint64_t> read_candidates(Random& random, std::size_t words) {
    std::vector<std::uint64_t> candidates(words);
    for (std::uint64_t& word : candidates) {
        const int which = random.below(4);
        if (which == 1) word = ~std::uint64_t{0};
        if (which >= 2) word = random.bits();
    }
    return candidates;
}

}  // namespace properties
