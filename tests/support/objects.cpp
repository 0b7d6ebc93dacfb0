#include "support/objects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <lanecull/bounds.h>

#include "oracle/exact_objects.hpp"
#include "support/random.hpp"

namespace {

using lanecull::Records;

/// How many floats one object has in each of the kind's arrays, in the order of the batch's members: 1 for a stream,
/// more for records. Bounding streams are not included.
std::span<const std::size_t> array_widths(Kind kind) {
    using Widths = std::span<const std::size_t>;
    static constexpr std::size_t streams[] = {1, 1, 1, 1, 1, 1, 1}, oriented[] = {1, 1, 1, 9, 3}, hull[] = {12},
                                 turned[] = {1, 1, 1, 4, 3}, instance[] = {12, 1, 1, 1, 1, 1, 1};
    static constexpr Widths widths[] = {Widths(streams, 4),
                                        Widths(streams, 6),
                                        Widths(streams, 6),
                                        oriented,
                                        streams,
                                        hull,
                                        turned,
                                        instance,
                                        streams,
                                        turned,
                                        streams,
                                        streams};
    return widths[static_cast<int>(kind)];
}

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The kind's arrays, filled.
std::vector<float*> make_arrays(Kind kind, std::span<const Object> objects, Memory& memory, std::size_t stride_floats) {
    std::vector<float*> arrays;
    std::size_t field = 0;
    for (const std::size_t width : array_widths(kind)) {
        const std::size_t stride = width > 1 ? std::max(width, stride_floats) : 1;
        float* array = objects.empty() ? nullptr : memory.array<float>((objects.size() - 1) * stride + width);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            for (std::size_t k = 0; k < width; ++k) array[i * stride + k] = objects[i].fields[field + k];
        }
        arrays.push_back(array);
        field += width;
    }
    return arrays;
}

Records records(const float* first, const Format& format) {
    return {first, format.stride_floats > 0 ? format.stride_floats * sizeof(float) : 0};
}

/// By axes, or by quaternions.
lanecull::OrientedBoxes make_oriented_boxes(Kind kind, const std::vector<float*>& a, std::uint32_t count,
                                            Memory& memory, const Format& format) {
    lanecull::OrientedBoxes boxes{
        .x = a[0], .y = a[1], .z = a[2], .half_extents = records(a[4], format), .count = count};
    (kind == Kind::oriented_box ? boxes.axes : boxes.quaternions) = records(a[3], format);
    if (!format.bounds) return boxes;
    auto* radius = memory.array<float>(count);
    require(lanecull::bounding_radii(boxes, radius));
    boxes.bounding_radius = radius;
    return boxes;
}

lanecull::Ellipsoids make_ellipsoids(const std::vector<float*>& a, std::uint32_t count, Memory& memory,
                                     const Format& format) {
    lanecull::Ellipsoids ellipsoids{.x = a[0],
                                    .y = a[1],
                                    .z = a[2],
                                    .quaternions = records(a[3], format),
                                    .half_axes = records(a[4], format),
                                    .count = count};
    if (!format.bounds) return ellipsoids;
    auto* radius = memory.array<float>(count);
    const std::size_t stride = std::max<std::size_t>(3, format.stride_floats);
    for (std::uint32_t i = 0; i < count; ++i) {
        const float* const half = a[4] + i * stride;
        const bool valid = half[0] >= 0 && half[1] >= 0 && half[2] >= 0;
        radius[i] = valid ? std::max({half[0], half[1], half[2]}) : std::numeric_limits<float>::quiet_NaN();
        // What the sphere of an invalid object may say: it does not know.
        const float* const q = a[3] + i * std::max<std::size_t>(4, format.stride_floats);
        double square = 0;
        for (std::size_t k = 0; k < 4; ++k) square += std::pow(static_cast<double>(q[k]), 2);
        if (!(square > 1e-36 && square < 1e36)) radius[i] = std::numeric_limits<float>::quiet_NaN();
    }
    ellipsoids.bounding_radius = radius;
    return ellipsoids;
}

lanecull::HullInstances make_hulls(const std::vector<float*>& a, std::span<const Object> objects, const HullSet& sets,
                                   Memory& memory, const Format& format) {
    auto* hulls = memory.array<lanecull::Hull>(sets.size());
    for (std::size_t h = 0; h < sets.size(); ++h) {
        const std::size_t count = sets[h].size();
        float* component[3];
        for (std::size_t k = 0; k < 3; ++k) {
            component[k] = memory.array<float>(count);
            for (std::size_t j = 0; j < count; ++j) component[k][j] = sets[h][j][k];
        }
        hulls[h] = lanecull::Hull{};
        require(lanecull::prepare_hull(component[0], component[1], component[2], static_cast<std::uint32_t>(count),
                                       hulls[h]));
    }
    const std::size_t count = objects.size();
    auto* index = memory.array<std::uint32_t>(count);
    for (std::size_t i = 0; i < count; ++i) index[i] = objects[i].hull;
    lanecull::HullInstances instances{.transforms = {records(a[0], format).first, records(a[0], format).stride_bytes,
                                                     lanecull::TransformLayout::rows_3x4},
                                      .hulls = hulls,
                                      .hull_count = static_cast<std::uint32_t>(sets.size()),
                                      .hull_index = index,
                                      .count = static_cast<std::uint32_t>(count)};
    if (!format.bounds) return instances;
    float* sphere[4];
    for (float*& stream : sphere) stream = memory.array<float>(count);
    require(lanecull::bounding_spheres(instances, sphere[0], sphere[1], sphere[2], sphere[3]));
    instances.bounding_x = sphere[0];
    instances.bounding_y = sphere[1];
    instances.bounding_z = sphere[2];
    instances.bounding_radius = sphere[3];
    return instances;
}

/// Transforms by columns_4x4 with the same numbers.
lanecull::Transforms by_columns(std::span<const Object> objects, Memory& memory, const Format& format) {
    const std::size_t stride = std::max<std::size_t>(16, format.stride_floats);
    auto* columns = memory.array<float>(objects.empty() ? 0 : (objects.size() - 1) * stride + 16);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        for (std::size_t k = 0; k < 12; ++k) columns[i * stride + k % 4 * 4 + k / 4] = objects[i].fields[k];
        for (std::size_t c = 0; c < 4; ++c) columns[i * stride + 4 * c + 3] = c == 3 ? 1.0f : 0.0f;
    }
    return {columns, stride * sizeof(float), lanecull::TransformLayout::columns_4x4};
}

/// Records with two corners side by side, or streams; without bounds by index, and in reverse order.
lanecull::LocalBoxes make_local_boxes(std::span<const Object> objects, Memory& memory, const Format& format) {
    const std::size_t count = objects.size(),
                      width = format.stride_floats > 0 ? std::max<std::size_t>(6, format.stride_floats) : 1;
    const auto place = [&](std::size_t i) { return format.bounds ? i : count - 1 - i; };
    float* side[6];
    for (std::size_t k = 0; k < 6; ++k) {
        side[k] = width > 1 && k > 0 ? side[0] + k
                                     : memory.array<float>(count == 0 ? 0 : (count - 1) * width + (width > 1 ? 6 : 1));
        for (std::size_t i = 0; i < count; ++i) side[k][place(i) * width] = objects[i].fields[12 + k];
    }
    auto* index = format.bounds ? nullptr : memory.array<std::uint32_t>(count);
    for (std::size_t i = 0; i < count && index != nullptr; ++i) index[i] = static_cast<std::uint32_t>(place(i));
    const auto n = static_cast<std::uint32_t>(count);
    if (width == 1) return {{side[0], side[1], side[2], side[3], side[4], side[5], n}, index};
    return {{.count = n}, index, {side[0], width * sizeof(float)}, {side[3], width * sizeof(float)}};
}

lanecull::BoxInstances make_box_instances(const float* rows, std::span<const Object> objects, Memory& memory,
                                          const Format& format) {
    const Records by_rows = records(rows, format);
    return {format.bounds
                ? lanecull::Transforms{by_rows.first, by_rows.stride_bytes, lanecull::TransformLayout::rows_3x4}
                : by_columns(objects, memory, format),
            make_local_boxes(objects, memory, format), static_cast<std::uint32_t>(objects.size())};
}

lanecull::Attributes make_attributes(std::span<const Object> objects, Memory& memory, const Streams& streams) {
    const auto stream = [&](bool wanted, const auto& value_of) {
        using Value = std::decay_t<decltype(value_of(objects[0]))>;
        if (!wanted) return static_cast<Value*>(nullptr);
        auto* values = memory.array<Value>(objects.size());
        for (std::size_t i = 0; i < objects.size(); ++i) values[i] = value_of(objects[i]);
        return values;
    };
    lanecull::Attributes a;
    if (objects.empty()) return a;
    a.margin = stream(streams.margin, [](const Object& object) { return object.margin; });
    a.sweep_x = stream(streams.sweep, [](const Object& object) { return object.sweep[0]; });
    a.sweep_y = stream(streams.sweep, [](const Object& object) { return object.sweep[1]; });
    a.sweep_z = stream(streams.sweep, [](const Object& object) { return object.sweep[2]; });
    a.flags = stream(streams.flags, [](const Object& object) { return object.flags; });
    a.layers = stream(streams.layers, [](const Object& object) { return object.layers; });
    a.max_distance = stream(streams.max_distance, [](const Object& object) { return object.max_distance; });
    a.min_projected_size =
        stream(streams.min_projected_size, [](const Object& object) { return object.min_projected_size; });
    a.min_distance = stream(streams.min_distance, [](const Object& object) { return object.min_distance; });
    return a;
}

}  // namespace

const char* kind_name(Kind kind) {
    constexpr const char* names[] = {"sphere",   "box",       "centered_box",   "oriented_box",
                                     "capsule",  "hull",      "quaternion_box", "box_instance",
                                     "cylinder", "ellipsoid", "cone",           "round_cone"};
    return names[static_cast<int>(kind)];
}

std::pair<std::size_t, std::size_t> size_fields(Kind kind) {
    constexpr std::size_t fields[][2] = {{3, 4},  {0, 0}, {3, 6}, {12, 15}, {6, 7}, {0, 0},
                                         {7, 10}, {0, 0}, {6, 7}, {7, 10},  {6, 7}, {6, 7}};
    const auto [from, to] = fields[static_cast<int>(kind)];
    return {from, to};
}

std::size_t field_count(Kind kind) {
    std::size_t count = 0;
    for (const std::size_t width : array_widths(kind)) count += width;
    return count;
}

Vertices local_corners(const Object& object) {
    Vertices corners(8);
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t k = 0; k < 3; ++k) corners[c][k] = object.fields[12 + k + ((c >> k & 1) != 0 ? 3 : 0)];
    }
    return corners;
}

Vertices local_points(Kind kind, const Object& object, const HullSet& hulls) {
    return kind == Kind::box_instance ? local_corners(object) : hulls[object.hull];
}

HullSet boxes_around(const HullSet& hulls) {
    HullSet boxes;
    for (const Vertices& hull : hulls) {
        Vertices& corners = boxes.emplace_back(8, hull[0]);
        for (std::size_t k = 0; k < 3; ++k) {
            float low = hull[0][k], high = low;
            for (const auto& vertex : hull) low = std::min(low, vertex[k]), high = std::max(high, vertex[k]);
            for (std::size_t c = 0; c < 8; ++c) corners[c][k] = (c >> k & 1) != 0 ? high : low;
        }
    }
    return boxes;
}

oracle::Solid shape_of(Kind kind, const Object& object, const HullSet& hulls) {
    return solids::shape_of<oracle::Terms>(kind, object, hulls);
}

oracle::Solid solid_of(Kind kind, const Object& object, const HullSet& hulls) {
    return solids::solid_of<oracle::Terms>(kind, object, hulls);
}

Object moved(Kind kind, const Object& object, const std::array<double, 3>& by) {
    Object result = object;
    const std::size_t first = place_field(kind, 0), stride = place_field(kind, 1) - first;
    const std::size_t points = has_two_places(kind) ? 2 : 1;
    for (std::size_t i = 0; i < 3 * points; ++i) {
        float& coordinate = result.fields[first + i * stride];
        coordinate = static_cast<float>(static_cast<double>(coordinate) + by[i % 3]);
    }
    keep_axis(kind, result);
    return result;
}

void keep_axis(Kind kind, Object& object) {
    auto& f = object.fields;
    if (has_axis(kind) && f[0] == f[3] && f[1] == f[4] && f[2] == f[5]) f[4] = std::nextafter(f[4], -HUGE_VALF);
}

bool products_may_overflow(Kind kind, const Object& object) {
    const auto beyond = [](float number) { return !(std::fabs(number) <= 0x1p60f); };
    return std::any_of(object.fields.begin(), object.fields.begin() + static_cast<std::ptrdiff_t>(field_count(kind)),
                       beyond) ||
           beyond(object.margin) || std::any_of(object.sweep.begin(), object.sweep.end(), beyond);
}

std::string describe(Kind kind, const Object& object, const HullSet& hulls) {
    std::string text = kind_name(kind) + written(std::span(object.fields).first(field_count(kind)));
    text += " margin:" + written(std::array{object.margin}) + " sweep:" + written(object.sweep);
    text += " flags: " + std::to_string(object.flags) + " layers: " + std::to_string(object.layers);
    text += " max distance, min size, min distance:" +
            written(std::array{object.max_distance, object.min_projected_size, object.min_distance});
    if (kind != Kind::hull || object.hull >= hulls.size()) return text;
    text += " vertices:";
    for (const auto& vertex : hulls[object.hull]) text += " (" + written(vertex) + ")";
    return text;
}

void copy_attributes(const Object& from, const Streams& streams, Object& to) {
    if (streams.margin) to.margin = from.margin;
    if (streams.sweep) to.sweep = from.sweep;
    if (streams.flags) to.flags = from.flags;
    if (streams.layers) to.layers = from.layers;
    if (streams.max_distance) to.max_distance = from.max_distance;
    if (streams.min_projected_size) to.min_projected_size = from.min_projected_size;
    if (streams.min_distance) to.min_distance = from.min_distance;
}

lanecull::Batch make_batch(Kind kind, std::span<const Object> objects, const HullSet& hulls, Memory& memory,
                           const Format& format) {
    const auto count = static_cast<std::uint32_t>(objects.size());
    const std::vector<float*> a = make_arrays(kind, objects, memory, format.stride_floats);
    const lanecull::Attributes also = make_attributes(objects, memory, format.streams);
    const std::uint32_t first = format.first_index;
    switch (kind) {
        case Kind::sphere:
            return {lanecull::Spheres{a[0], a[1], a[2], a[3], count}, also, first};
        case Kind::box:
            return {lanecull::Boxes{a[0], a[1], a[2], a[3], a[4], a[5], count}, also, first};
        case Kind::centered_box:
            return {lanecull::CenteredBoxes{a[0], a[1], a[2], a[3], a[4], a[5], count}, also, first};
        case Kind::oriented_box:
        case Kind::quaternion_box:
            return {make_oriented_boxes(kind, a, count, memory, format), also, first};
        case Kind::capsule:
            return {lanecull::Capsules{a[0], a[1], a[2], a[3], a[4], a[5], a[6], count}, also, first};
        case Kind::hull:
            return {make_hulls(a, objects, hulls, memory, format), also, first};
        case Kind::box_instance:
            return {make_box_instances(a[0], objects, memory, format), also, first};
        case Kind::cylinder:
            return {lanecull::Cylinders{a[0], a[1], a[2], a[3], a[4], a[5], a[6], count}, also, first};
        case Kind::ellipsoid:
            return {make_ellipsoids(a, count, memory, format), also, first};
        case Kind::cone:
            return {lanecull::Cones{a[0], a[1], a[2], a[3], a[4], a[5], a[6], count}, also, first};
        case Kind::round_cone:
            return {lanecull::Cones{a[0], a[1], a[2], a[3], a[4], a[5], a[6], count, lanecull::ConeEnd::round}, also,
                    first};
    }
    throw std::logic_error("no such kind");
}
