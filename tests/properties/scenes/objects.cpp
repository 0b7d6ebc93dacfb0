#include "properties/scenes/scenes.hpp"

#include <cmath>

#include "properties/bounds/shapes.hpp"

namespace properties {

using lanecull::Handle;

namespace {

void scale(Object& object, std::size_t first, std::size_t count, int exponent) {
    for (std::size_t k = first; k < first + count; ++k) object.fields[k] = std::ldexp(object.fields[k], exponent);
}

float any_size(Random& random) { return std::ldexp(static_cast<float>(random.range(1, 2)), random.below(276) - 149); }

}  // namespace

Relative relative(Random& random, Kind kind, const Object& object) {
    const double far = random.log_range(1e-3, 1e12);
    Relative result{far * random_direction(random), object};
    for (std::size_t j = 0; j < 3; ++j) {
        const double world = static_cast<double>(object.fields[place_field(kind, j)]);
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
        case Kind::ellipsoid:
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
    Object result = object;
    while (!is_none(kind, result)) {
        result = object;
        break_one(random, kind, result, 0);
        if (!streams.margin) result.margin = object.margin;
        if (!streams.sweep) result.sweep = object.sweep;
    }
    return result;
}

void Editing::edit() {
    const std::size_t count = 1 + random_.bits() % (random_.chance(0.2) ? 300 : 10);
    const Kind kind = any_kind(random_);
    const std::vector<Handle> handles = shadow_.some(random_, count);
    switch (random_.below(8)) {
        case 0:
        case 1:
            return shadow_.add(kind, make_(kind, count), how_());
        case 2:
            return shadow_.set_attributes(handles, make_(kind, handles.size()), how_().streams);
        case 3:
            return shadow_.remove(handles);
        case 4:
            return shadow_.replace(handles, kind, make_(kind, handles.size()), how_());
        case 5:
            return random_.chance(0.5) ? shadow_.rebuild() : move(handles);
        case 6: {
            const Kind own = handles.empty() ? kind : shadow_.all()[handles[0]].kind;
            const std::vector<Handle> placed = shadow_.some(random_, 8 * count);
            return shadow_.place(placed, own, make_(own, placed.size()), random_.chance(0.5));
        }
        default:
            return move(handles);
    }
}

std::uint64_t Editing::finish(double saved) {
    const std::uint64_t moved = random_.chance(0.5) ? shadow_.rebuild_in_parts() : 0;
    shadow_.refit(random_.chance(0.5) ? lanecull::Refit::tight : lanecull::Refit::grown);
    if (random_.chance(saved)) shadow_.save_and_load();
    return moved;
}

/// By a little, or to where another object is.
void Editing::move(const std::vector<Handle>& handles) {
    std::vector<std::array<float, 3>> by;
    for (const Handle handle : handles) {
        const Shadow::There& there = shadow_.all()[handle];
        const Shadow::There& other = shadow_.all()[handles[random_.bits() % handles.size()]];
        const double share = random_.chance(0.3) ? 1 : random_.log_range(0x1p-24, 1);
        std::array<float, 3>& way = by.emplace_back();
        for (std::size_t j = 0; j < 3; ++j) {
            const auto place = [&](const Shadow::There& of) {
                return static_cast<double>(of.object.fields[place_field(of.kind, j)]);
            };
            way[j] = static_cast<float>(share * (place(other) - place(there)));
        }
    }
    shadow_.move(handles, by);
}

}  // namespace properties
