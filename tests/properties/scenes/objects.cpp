#include "properties/scenes/scenes.hpp"

#include <cmath>
#include <limits>

namespace properties {
namespace {

/// The places in Object::fields of a point of the object.
std::array<std::size_t, 3> place_of(Kind kind) {
    return {place_field(kind, 0), place_field(kind, 1), place_field(kind, 2)};
}

void scale(Object& object, std::size_t first, std::size_t count, int exponent) {
    for (std::size_t k = first; k < first + count; ++k) object.fields[k] = std::ldexp(object.fields[k], exponent);
}

float any_size(Random& random) { return std::ldexp(static_cast<float>(random.range(1, 2)), random.below(276) - 149); }

}  // namespace

Relative relative(Random& random, Kind kind, const Object& object) {
    const double far = random.log_range(1e-3, 1e12);
    Relative result{far * random_direction(random), object};
    const auto place = place_of(kind);
    for (std::size_t j = 0; j < 3; ++j) {
        const double world = static_cast<double>(object.fields[place[j]]);
        const auto here = static_cast<float>(world - result.origin[j]);
        // A double closest to the difference: world - origin is `here` again.
        result.origin[j] = world - static_cast<double>(here);
        if (!(std::fabs(result.origin[j]) <= 1e12)) result.origin[j] = 0;
    }
    result.object = moved(kind, object, Double3{} - result.origin);
    return result;
}

std::vector<Object> cluster(Random& random, Kind kind, const HullSet& hulls, const Boundary::Spot& spot, double size,
                            double off, std::size_t count) {
    std::vector<Object> objects;
    const double share = random.log_range(1e-4, 1);
    for (std::size_t i = 0; i < count; ++i) {
        Boundary::Spot here = spot;
        here.at = spot.at + size * random.range(-1, 1) * spot.along;
        const Object object = object_at(random, kind, here.at, size * share * random.unit(), hulls);
        const double behind = i == 0 ? 0 : size * random.log_range(1e-6, 1);
        objects.push_back(touching(kind, object, hulls, here, off + behind));
    }
    return objects;
}

Object extreme(Random& random, Kind kind, const Object& object) {
    Object result = object;
    const int exponent = random.chance(0.5) ? 126 : random.below(127);
    const int up = random.chance(0.5) ? exponent : -exponent;
    switch (kind) {
        case Kind::oriented_box:
            scale(result, 3, 9, up);
            scale(result, 12, 3, -up);
            return result;
        case Kind::quaternion_box:
            scale(result, 3, 4, up / 3);
            break;
        default:
            break;
    }
    if (kind == Kind::hull || random.chance(0.5)) return result;
    // Mostly a size: of numbers that are places no more than one changes.
    const auto field = static_cast<std::size_t>(random.below(static_cast<int>(field_count(kind))));
    const bool negative = result.fields[field] < 0;
    result.fields[field] = negative ? -any_size(random) : any_size(random);
    return result;
}

Object spoilt(Random& random, Kind kind, const Object& object, const Streams& streams) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float numbers[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, -1, -0x1p-149f};
    Object result = object;
    while (!is_none(kind, result)) {
        const float number = numbers[random.below(5)];
        switch (random.below(8)) {
            case 0:
                if (streams.margin) result.margin = number;
                break;
            case 1:
                if (streams.sweep) result.sweep[static_cast<std::size_t>(random.below(3))] = number;
                break;
            case 2:
                if (kind == Kind::quaternion_box) std::fill_n(result.fields.begin() + 3, 4, 0.0f);
                break;
            case 3:
                if (const auto corner = corner_fields(kind)) {
                    std::swap(result.fields[*corner + 1], result.fields[*corner + 4]);
                }
                break;
            default:
                result.fields[static_cast<std::size_t>(random.below(static_cast<int>(field_count(kind))))] = number;
        }
    }
    return result;
}

}  // namespace properties
