/// Objects as columns, and boxes around them.

#include "scene/columns.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <variant>

#include "base/interval.hpp"

namespace lanecull {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

class ColumnsOfBatch {
public:
    ColumnsOfBatch(Columns& columns, const float* const bounds[4]) : columns_(columns), bounds_(bounds) {}

    void operator()(const Spheres& s) { streams(Layout::spheres, {s.x, s.y, s.z, s.radius}); }
    void operator()(const Boxes& s) { streams(Layout::boxes, {s.min_x, s.min_y, s.min_z, s.max_x, s.max_y, s.max_z}); }
    void operator()(const CenteredBoxes& s) {
        streams(Layout::centered_boxes, {s.x, s.y, s.z, s.half_x, s.half_y, s.half_z});
    }
    void operator()(const OrientedBoxes& s) {
        const bool turned = s.axes.first == nullptr;
        const float* radius = s.bounding_radius != nullptr ? s.bounding_radius : bounds_[3];
        streams(turned ? Layout::quaternion_boxes : Layout::axes_boxes, {s.x, s.y, s.z, radius});
        records(4, turned ? s.quaternions : s.axes);
        records(5, s.half_extents);
    }
    void operator()(const Capsules& s) {
        streams(Layout::capsules, {s.a_x, s.a_y, s.a_z, s.b_x, s.b_y, s.b_z, s.radius});
    }
    void operator()(const HullInstances& s) {
        if (s.bounding_radius != nullptr) {
            streams(Layout::hulls, {s.bounding_x, s.bounding_y, s.bounding_z, s.bounding_radius});
        } else {
            streams(Layout::hulls, {bounds_[0], bounds_[1], bounds_[2], bounds_[3]});
        }
        stream(hull_column, s.hull_index);
        records(transform_column, s.transforms);
        columns_.hulls = s.hulls;
        columns_.hull_count = s.hull_count;
    }

    void stream(std::uint32_t column, const void* first) {
        columns_.first[column] = static_cast<const std::byte*>(first);
        columns_.stride[column] = sizeof(float);
    }

private:
    template <std::size_t N>
    void streams(Layout layout, const float* const (&of)[N]) {
        columns_.layout = layout;
        for (std::uint32_t c = 0; c < N; ++c) stream(c, of[c]);
    }
    void records(std::uint32_t column, const Records& of) {
        columns_.first[column] = reinterpret_cast<const std::byte*>(of.first);
        columns_.stride[column] =
            of.stride_bytes != Records::packed ? of.stride_bytes : width_of(columns_.layout, column) * sizeof(float);
    }

    Columns& columns_;
    const float* const* bounds_;
};

/// A box in doubles that grows by what objects consist of. `magnitude` adds up what was summed, component by component:
/// doubles are off by less than 2^-48 of it.
struct WideBox {
    double low[3], high[3], magnitude[3];

    void place(const double (&center)[3]) {
        for (int j = 0; j < 3; ++j) {
            low[j] = high[j] = center[j];
            magnitude[j] = std::fabs(center[j]);
        }
    }
    void reach(int j, double by) {
        low[j] -= by;
        high[j] += by;
        magnitude[j] += by;
    }
    void reach_all(double by) {
        for (int j = 0; j < 3; ++j) reach(j, by);
    }
};

struct Reader {
    const Columns& columns;
    std::size_t i;

    [[nodiscard]] double operator()(std::uint32_t column) const {
        return static_cast<double>(columns.number(column, i));
    }
    void three(std::uint32_t column, double (&to)[3]) const {
        for (std::uint32_t j = 0; j < 3; ++j) to[j] = (*this)(column + j);
    }
    /// A record's numbers.
    template <std::size_t N>
    void record(std::uint32_t column, double (&to)[N]) const {
        std::uint32_t bits[N];
        columns.read(column, i, bits);
        for (std::size_t k = 0; k < N; ++k) to[k] = static_cast<double>(std::bit_cast<float>(bits[k]));
    }
};

/// Columns of the rotation matrix of q / |q|, one axis after the other.
void axes_of(const double (&q)[4], double (&axes)[9]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3], square = x * x + y * y + z * z + w * w;
    const double rows[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y + w * z),           2 * (x * z - w * y),
        2 * (x * y - w * z),           w * w + y * y - x * x - z * z, 2 * (y * z + w * x),
        2 * (x * z + w * y),           2 * (y * z - w * x),           w * w + z * z - x * x - y * y};
    for (int k = 0; k < 9; ++k) axes[k] = rows[k] / square;
}

/// False: not a shape.
bool oriented(const Reader& read, bool turned, WideBox& box) {
    double center[3], axes[9], half[3];
    read.three(0, center);
    read.record(5, half);
    if (turned) {
        double q[4];
        read.record(4, q);
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(square > 1e-35 && square < 1e35)) return false;
        axes_of(q, axes);
    } else {
        read.record(4, axes);
    }
    box.place(center);
    for (int k = 0; k < 3; ++k) {
        if (!(half[k] >= 0)) return false;
        for (int j = 0; j < 3; ++j) box.reach(j, std::fabs(axes[3 * k + j]) * half[k]);
    }
    return true;
}

bool capsule(const Reader& read, WideBox& box) {
    double a[3], b[3], middle[3];
    read.three(0, a);
    read.three(3, b);
    for (int j = 0; j < 3; ++j) middle[j] = (a[j] + b[j]) / 2;
    box.place(middle);
    for (int j = 0; j < 3; ++j) {
        box.reach(j, std::fabs(b[j] - a[j]) / 2);
        box.magnitude[j] += std::fabs(a[j]) + std::fabs(b[j]);
    }
    const double radius = read(6);
    box.reach_all(radius);
    return radius >= 0;
}

/// The hull's own box, transformed; and a little more, since the bound of the hull's vertices grows with their
/// distance from the hull's own origin.
bool hull(const Columns& columns, const Reader& read, WideBox& box) {
    const std::uint32_t index = columns.hull(read.i);
    if (index >= columns.hull_count) return false;
    const Hull& of = columns.hulls[index];
    double m[12], center[3], half[3], most[3];
    read.record(transform_column, m);
    for (int c = 0; c < 3; ++c) {
        const double low = static_cast<double>(of.lower[c]), high = static_cast<double>(of.upper[c]);
        center[c] = (low + high) / 2;
        half[c] = (high - low) / 2;
        most[c] = std::fmax(std::fabs(low), std::fabs(high));
    }
    double place[3], magnitude = 0;
    for (int r = 0; r < 3; ++r) {
        place[r] = m[4 * r + 3];
        for (int c = 0; c < 3; ++c) {
            place[r] += m[4 * r + c] * center[c];
            magnitude += std::fabs(m[4 * r + c]) * most[c];
        }
    }
    box.place(place);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) box.reach(r, std::fabs(m[4 * r + c]) * half[c]);
        box.magnitude[r] += std::fabs(m[4 * r + 3]) + magnitude;
        box.reach(r, 0x1p-15 * magnitude);
    }
    return true;
}

bool place_shape(const Columns& columns, const Reader& read, WideBox& box) {
    double center[3];
    read.three(0, center);
    switch (columns.layout) {
        case Layout::spheres:
            box.place(center);
            box.reach_all(read(3));
            return read(3) >= 0;
        case Layout::centered_boxes:
            box.place(center);
            for (int j = 0; j < 3; ++j) {
                const double half = read(3 + static_cast<std::uint32_t>(j));
                if (!(half >= 0)) return false;
                box.reach(j, half);
            }
            return true;
        case Layout::axes_boxes:
        case Layout::quaternion_boxes:
            return oriented(read, columns.layout == Layout::quaternion_boxes, box);
        case Layout::capsules:
            return capsule(read, box);
        case Layout::hulls:
            return hull(columns, read, box);
        case Layout::boxes:
            break;
    }
    box.place(center);
    for (int j = 0; j < 3; ++j) {
        const double high = read(3 + static_cast<std::uint32_t>(j));
        if (!(box.low[j] <= high)) return false;
        box.high[j] = high;
        box.magnitude[j] += std::fabs(high);
    }
    return true;
}

bool grow(const Columns& columns, const Reader& read, WideBox& box) {
    constexpr std::uint32_t margin = most_shape_columns + margin_column, sweep = most_shape_columns + sweep_column;
    if (columns.has(margin)) {
        const double by = read(margin);
        if (!(by >= 0)) return false;
        box.reach_all(by);
    }
    if (!columns.has(sweep)) return true;
    for (std::uint32_t j = 0; j < 3; ++j) {
        const double by = read(sweep + j);
        (by < 0 ? box.low[j] : box.high[j]) += by;
        box.magnitude[j] += std::fabs(by);
    }
    return true;
}

constexpr double largest_magnitude = 1e34;  // NaN and infinity included, larger objects are left to themselves

/// False where the box says nothing.
bool round_outward(const Columns& columns, const WideBox& box, ObjectBox& result) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) sum += box.magnitude[j];
    if (!(sum < largest_magnitude)) return false;
    const bool exact = columns.layout == Layout::boxes && !columns.has(most_shape_columns + margin_column) &&
                       !columns.has(most_shape_columns + sweep_column);
    for (int j = 0; j < 3; ++j) {
        const double slack = exact ? 0 : 0x1p-44 * box.magnitude[j];
        result.low[j] = float_down(box.low[j] - slack);
        result.high[j] = float_up(box.high[j] + slack);
    }
    return true;
}

void read_attributes(const Columns& columns, std::size_t i, ObjectBox& box) {
    const std::uint32_t base = most_shape_columns;
    if (columns.has(base + flags_column)) {
        const std::uint32_t flags = columns.bits(base + flags_column, i);
        if ((flags & object_always_visible) != 0) box.never_outside = true;
        if ((flags & object_disabled) != 0) box.never_inside = true;
    }
    if (columns.has(base + layers_column) && ~columns.bits(base + layers_column, i) != 0) box.never_inside = true;
    // NaN and negative ones make an object invalid.
    if (columns.has(base + max_distance_column)) {
        const float most = columns.number(base + max_distance_column, i);
        if (!(most >= 0)) box.never_outside = true;
        if (!(most >= infinity)) box.never_inside = true;
    }
    if (columns.has(base + min_projected_size_column)) {
        const float least = columns.number(base + min_projected_size_column, i);
        if (!(least >= 0)) box.never_outside = true;
        if (!(least <= 0)) box.never_inside = true;
    }
}

}  // namespace

std::uint32_t absent_attribute(std::uint32_t attribute) noexcept {
    if (attribute == layers_column) return ~std::uint32_t{0};
    if (attribute == max_distance_column) return std::bit_cast<std::uint32_t>(infinity);
    return 0;
}

void Columns::read(std::uint32_t column, std::size_t i, std::uint32_t* to) const noexcept {
    if (first[column] == nullptr) {
        *to = column >= most_shape_columns ? absent_attribute(column - most_shape_columns) : 0;
    } else {
        std::memcpy(to, first[column] + i * stride[column], width_of(layout, column) * sizeof(float));
    }
    if (layout == Layout::hulls && column == hull_column && hull_names != nullptr && *to < hull_count) {
        *to = hull_names[*to];
    }
}

float Columns::number(std::uint32_t column, std::size_t i) const noexcept {
    float value;
    std::memcpy(&value, first[column] + i * stride[column], sizeof value);
    return value;
}

std::uint32_t Columns::bits(std::uint32_t column, std::size_t i) const noexcept {
    std::uint32_t value;
    std::memcpy(&value, first[column] + i * stride[column], sizeof value);
    return value;
}

bool lacks_bounds(const Batch& batch) noexcept {
    if (const auto* boxes = std::get_if<OrientedBoxes>(&batch.shapes)) return boxes->bounding_radius == nullptr;
    if (const auto* hulls = std::get_if<HullInstances>(&batch.shapes)) return hulls->bounding_radius == nullptr;
    return false;
}

Columns columns_of(const Batch& batch, const float* const bounds[4]) noexcept {
    Columns columns;
    ColumnsOfBatch fill(columns, bounds);
    std::visit(fill, batch.shapes);
    const Attributes& a = batch.attributes;
    const void* const attributes[attribute_columns] = {a.margin, a.sweep_x, a.sweep_y,      a.sweep_z,
                                                       a.flags,  a.layers,  a.max_distance, a.min_projected_size};
    for (std::uint32_t c = 0; c < attribute_columns; ++c) fill.stream(most_shape_columns + c, attributes[c]);
    return columns;
}

Batch batch_of(const Columns& columns, std::uint32_t count) noexcept {
    const auto stream = [&](std::uint32_t c) { return reinterpret_cast<const float*>(columns.first[c]); };
    const auto numbers = [&](std::uint32_t c) { return reinterpret_cast<const std::uint32_t*>(columns.first[c]); };
    const auto records = [&](std::uint32_t c) { return Records{stream(c), columns.stride[c]}; };
    const auto attribute = [&](std::uint32_t c) { return stream(most_shape_columns + c); };
    Batch batch{Spheres{stream(0), stream(1), stream(2), stream(3), count}};
    switch (columns.layout) {
        case Layout::spheres:
            break;
        case Layout::boxes:
            batch.shapes = Boxes{stream(0), stream(1), stream(2), stream(3), stream(4), stream(5), count};
            break;
        case Layout::centered_boxes:
            batch.shapes = CenteredBoxes{stream(0), stream(1), stream(2), stream(3), stream(4), stream(5), count};
            break;
        case Layout::axes_boxes:
            batch.shapes = OrientedBoxes{stream(0), stream(1), stream(2), records(4), {}, records(5), stream(3), count};
            break;
        case Layout::quaternion_boxes:
            batch.shapes = OrientedBoxes{stream(0), stream(1), stream(2), {}, records(4), records(5), stream(3), count};
            break;
        case Layout::capsules:
            batch.shapes = Capsules{stream(0), stream(1), stream(2), stream(3), stream(4), stream(5), stream(6), count};
            break;
        case Layout::hulls:
            batch.shapes = HullInstances{records(transform_column),
                                         columns.hulls,
                                         columns.hull_count,
                                         numbers(hull_column),
                                         stream(0),
                                         stream(1),
                                         stream(2),
                                         stream(3),
                                         count};
            break;
    }
    batch.attributes = {attribute(margin_column),
                        attribute(sweep_column),
                        attribute(sweep_column + 1),
                        attribute(sweep_column + 2),
                        numbers(most_shape_columns + flags_column),
                        numbers(most_shape_columns + layers_column),
                        attribute(max_distance_column),
                        attribute(min_projected_size_column)};
    return batch;
}

ObjectBox box_of(const Columns& columns, std::size_t i) noexcept {
    ObjectBox result{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}, false, false};
    const Reader read{columns, i};
    WideBox box;
    if (!place_shape(columns, read, box) || !grow(columns, read, box) || !round_outward(columns, box, result)) {
        result.never_outside = result.never_inside = true;
        for (std::uint32_t j = 0; j < 3; ++j) {
            result.low[j] = infinity;
            result.high[j] = -infinity;
        }
    }
    read_attributes(columns, i, result);
    return result;
}

}  // namespace lanecull
