/// Objects as columns, and boxes around them.

#include "scene/columns.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/interval.hpp"
#include "calls/kernel_table.hpp"
#include "calls/object_box.hpp"

namespace lanecull {
namespace {

constexpr std::size_t first_instance_number = offsetof(DrawCommand, first_instance) / sizeof(std::uint32_t);

void set_stream(Columns& columns, std::uint32_t column, const void* first) {
    columns.first[column] = static_cast<const std::byte*>(first);
    columns.stride[column] = sizeof(float);
}

void set_records(Columns& columns, std::uint32_t column, const Records& of, std::uint32_t width) {
    columns.first[column] = reinterpret_cast<const std::byte*>(of.first);
    columns.stride[column] = of.stride_bytes != 0 ? of.stride_bytes : width * sizeof(float);
}

template <class Shapes>
void set_column(Columns& columns, std::uint32_t at, const Shapes& s, const Column<Shapes>& c,
                const float* const bounds[4]) {
    if constexpr (HasTransforms<Shapes>) {
        if (c.transforms != nullptr) {
            const Transforms& of = s.*c.transforms;
            return set_records(columns, at, {of.first, of.stride_bytes}, c.width);
        }
    }
    if constexpr (HasLocalBoxes<Shapes>) {
        if (c.local != nullptr) return set_stream(columns, at, s.local.boxes.*c.local);
    }
    if (c.records != nullptr) {
        set_records(columns, at, s.*c.records, c.width);
    } else if (c.numbers != nullptr) {
        set_stream(columns, at, s.*c.numbers);
    } else {
        const bool is_lacking = c.bound != c.not_a_bound && s.*c.stream == nullptr;
        set_stream(columns, at, is_lacking ? bounds[c.bound] : s.*c.stream);
    }
}

/// Sets the columns of a batch's layout, without attributes.
template <std::size_t l = 0, class Shapes>
void set_shape_columns(Columns& columns, const Shapes& s, const float* const bounds[4]) {
    using L = LayoutAt<l>;
    if constexpr (std::is_same_v<typename L::Shapes, Shapes>) {
        columns.layout = Layout{static_cast<std::uint32_t>(l + KindTraits<Shapes>::layout_of(s))};
        with_layout<l>(columns.layout, [&](auto layout) {
            if constexpr (std::is_same_v<typename decltype(layout)::Shapes, Shapes>) {
                std::uint32_t at = 0;
                for (const Column<Shapes>& c : layout.columns) set_column(columns, at++, s, c, bounds);
            }
        });
    } else {
        set_shape_columns<l + 1>(columns, s, bounds);
    }
    if constexpr (SharesHulls<Shapes>) {
        columns.hulls = s.hulls;
        columns.hull_count = s.hull_count;
    }
}

void set_attribute_columns(Columns& columns, const Attributes& a) {
    const void* const attributes[attribute_columns] = {a.margin,      a.sweep_x, a.sweep_y,      a.sweep_z,
                                                       a.flags,       a.layers,  a.max_distance, a.min_projected_size,
                                                       a.min_distance};
    for (std::uint32_t c = 0; c < attribute_columns; ++c) set_stream(columns, most_shape_columns + c, attributes[c]);
}

template <class Shapes>
void set_member(Shapes& s, const Column<Shapes>& c, const Columns& columns, std::uint32_t at) {
    const auto* const first = reinterpret_cast<const float*>(columns.first[at]);
    if constexpr (HasTransforms<Shapes>) {
        if (c.transforms != nullptr) {
            s.*c.transforms = {first, columns.stride[at], TransformLayout::rows_3x4};
            return;
        }
    }
    if constexpr (HasLocalBoxes<Shapes>) {
        if (c.local != nullptr) {
            s.local.boxes.*c.local = first;
            return;
        }
    }
    if (c.records != nullptr) {
        s.*c.records = {first, columns.stride[at]};
    } else if (c.numbers != nullptr) {
        s.*c.numbers = reinterpret_cast<const std::uint32_t*>(columns.first[at]);
    } else {
        s.*c.stream = first;
    }
}

struct Reader {
    const Columns& columns;
    std::size_t i;

    [[nodiscard]] double operator()(std::uint32_t column) const {
        return static_cast<double>(columns.number(column, i));
    }
    void three(std::uint32_t column, double (&to)[3]) const {
        for (std::uint32_t j = 0; j < 3; ++j) to[j] = (*this)(column + j);
    }
    /// Reads a record's numbers.
    template <std::size_t N>
    void record(std::uint32_t column, double (&to)[N]) const {
        std::uint32_t bits[N] = {};
        columns.read(column, i, bits);
        for (std::size_t k = 0; k < N; ++k) to[k] = static_cast<double>(__builtin_bit_cast(float, bits[k]));
    }
    /// Null: the object's index is that of no hull.
    [[nodiscard]] const Hull* hull() const {
        const std::uint32_t index = columns.hull(i);
        return index < columns.hull_count ? columns.hulls + index : nullptr;
    }
};

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

constexpr double largest_boxed = 1e34;  // no box is made for objects that are larger, infinite or NaN

/// False if the object is too large for a box.
bool round_outward(const Columns& columns, const WideBox& box, ObjectBox& result) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) sum += box.magnitude[j];
    if (!(sum < largest_boxed)) return false;
    const bool exact = facts_of(columns.layout).is_own_box && !columns.has(most_shape_columns + margin_column) &&
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
    // A NaN or negative value makes the object invalid.
    if (columns.has(base + max_distance_column)) {
        const float most = columns.number(base + max_distance_column, i);
        if (!(most >= 0)) box.never_outside = true;
        if (!(most >= float_infinity)) box.never_inside = true;
    }
    for (const AttributeColumn lower_limit : {min_projected_size_column, min_distance_column}) {
        if (!columns.has(base + lower_limit)) continue;
        const float least = columns.number(base + lower_limit, i);
        if (!(least >= 0)) box.never_outside = true;
        if (!(least <= 0)) box.never_inside = true;
    }
}

}  // namespace

std::uint32_t absent_attribute(std::uint32_t attribute) noexcept {
    if (attribute == layers_column) return ~std::uint32_t{0};
    if (attribute == max_distance_column) return __builtin_bit_cast(std::uint32_t, float_infinity);
    return 0;
}

void Columns::read(std::uint32_t column, std::size_t i, std::uint32_t* to) const noexcept {
    if (column == hull_column && facts_of(layout).has_hulls) {
        const std::uint32_t index = hull(i);
        *to = hull_names != nullptr && index < hull_count ? hull_names[index] : index;
        return;
    }
    const std::uint32_t width = width_of(layout, column);
    if (first[column] == nullptr) {
        std::fill_n(to, width, column >= most_shape_columns ? absent_attribute(column - most_shape_columns) : 0);
    } else {
        std::memcpy(to, first[column] + i * stride[column], width * sizeof(float));
    }
    if (column == draw_column && first[column] != nullptr && stride[column] == 0) {
        to[first_instance_number] += static_cast<std::uint32_t>(i);  // DrawPer::batch
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
    return visit(batch, []<class Shapes>(const Shapes& s) {
        for (const Column<Shapes>& c : std::tuple_element_t<0, typename KindTraits<Shapes>::Layouts>::columns) {
            if (c.bound != c.not_a_bound && s.*c.stream == nullptr) return true;
        }
        return false;
    });
}

Columns columns_of(const Attributes& attributes) noexcept {
    Columns columns;
    set_attribute_columns(columns, attributes);
    return columns;
}

Columns columns_of(const Batch& batch, const float* const bounds[4]) noexcept {
    Columns columns;
    visit(batch, [&](const auto& s) { set_shape_columns(columns, s, bounds); });
    set_attribute_columns(columns, batch.attributes);
    const DrawTemplates& draws = batch.draws;
    columns.first[draw_column] = reinterpret_cast<const std::byte*>(draws.first);
    columns.stride[draw_column] = draws.per == DrawPer::batch ? 0 : DrawCommands::stride_of(draws);
    return columns;
}

Batch batch_of(const Columns& columns, std::uint32_t count) noexcept {
    const auto numbers = [&](std::uint32_t c) { return reinterpret_cast<const std::uint32_t*>(columns.first[c]); };
    const auto attribute = [&](std::uint32_t c) {
        return reinterpret_cast<const float*>(columns.first[most_shape_columns + c]);
    };
    Batch batch = with_layout(columns.layout, [&](auto layout) {
        typename decltype(layout)::Shapes s;
        std::uint32_t at = 0;
        for (const auto& c : layout.columns) set_member(s, c, columns, at++);
        if constexpr (SharesHulls<decltype(s)>) {
            s.hulls = columns.hulls;
            s.hull_count = columns.hull_count;
        }
        if constexpr (HasLocalBoxes<decltype(s)>) s.local.boxes.count = count;
        if constexpr (requires { layout.complete(s); }) layout.complete(s);
        s.count = count;
        return Batch(s);
    });
    batch.attributes = {attribute(margin_column),
                        attribute(sweep_column),
                        attribute(sweep_column + 1),
                        attribute(sweep_column + 2),
                        numbers(most_shape_columns + flags_column),
                        numbers(most_shape_columns + layers_column),
                        attribute(max_distance_column),
                        attribute(min_projected_size_column),
                        attribute(min_distance_column)};
    batch.draws = {reinterpret_cast<const DrawCommand*>(columns.first[draw_column]), DrawPer::object,
                   sizeof(DrawCommand)};
    return batch;
}

ObjectBox box_of(const Columns& columns, std::size_t i) noexcept {
    ObjectBox result{{float_infinity, float_infinity, float_infinity},
                     {-float_infinity, -float_infinity, -float_infinity},
                     false,
                     false};
    const Reader read{columns, i};
    WideBox box;
    const bool is_shape = with_layout(columns.layout, [&](auto layout) { return decltype(layout)::place(read, box); });
    if (!is_shape || !grow(columns, read, box) || !round_outward(columns, box, result)) {
        result.never_outside = result.never_inside = true;
        for (std::uint32_t j = 0; j < 3; ++j) {
            result.low[j] = float_infinity;
            result.high[j] = -float_infinity;
        }
    }
    read_attributes(columns, i, result);
    return result;
}

}  // namespace lanecull
