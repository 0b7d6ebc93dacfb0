#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>

namespace lanecull {

/// Objects of any kind as columns: one after the other, every number of an object has its column, streams one float
/// wide and records several. Batches, stores and single objects are read and written through them alike.

/// The kinds of batch.hpp, oriented boxes twice.
enum class Layout : std::uint32_t { spheres, boxes, centered_boxes, axes_boxes, quaternion_boxes, capsules, hulls };
constexpr std::uint32_t layout_count = 7;
/// Its kind's place in Batch::Shapes.
constexpr std::size_t shapes_index(Layout layout) {
    const auto at = static_cast<std::size_t>(layout);
    return layout > Layout::axes_boxes ? at - 1 : at;
}

constexpr std::uint32_t most_shape_columns = 7;
/// margin, sweep x y z, flags, layers, max_distance, min_projected_size.
constexpr std::uint32_t attribute_columns = 8;
constexpr std::uint32_t most_columns = most_shape_columns + attribute_columns;

enum AttributeColumn : std::uint32_t {
    margin_column,
    sweep_column,
    flags_column = sweep_column + 3,
    layers_column,
    max_distance_column,
    min_projected_size_column,
};

/// Floats that an object has in each column; zeros beyond the last.
constexpr std::uint8_t column_widths[layout_count][most_shape_columns] = {
    {1, 1, 1, 1},           // x y z radius
    {1, 1, 1, 1, 1, 1},     // min, max
    {1, 1, 1, 1, 1, 1},     // centre, half-extents
    {1, 1, 1, 1, 9, 3},     // centre, bounding radius, axes, half-extents
    {1, 1, 1, 1, 4, 3},     // centre, bounding radius, quaternion, half-extents
    {1, 1, 1, 1, 1, 1, 1},  // a, b, radius
    {1, 1, 1, 1, 1, 12},    // bounding sphere, hull, transform
};
constexpr std::uint32_t hull_column = 4;  // a number, not a float
constexpr std::uint32_t transform_column = 5;

constexpr std::uint32_t width_of(Layout layout, std::uint32_t column) {
    return column >= most_shape_columns ? 1 : column_widths[static_cast<std::uint32_t>(layout)][column];
}

/// One object's numbers, column after column, those of its attributes at the end.
constexpr std::uint32_t most_numbers = 17 + attribute_columns;
struct Numbers {
    std::uint32_t bits[most_numbers];
};

/// What an attribute is of objects that have none.
std::uint32_t absent_attribute(std::uint32_t attribute) noexcept;

/// Where a batch's or a store's columns lie.
struct Columns {
    Layout layout = Layout::spheres;
    const std::byte* first[most_columns] = {};  // null: the attribute of objects that have none
    std::size_t stride[most_columns] = {};      // bytes
    const Hull* hulls = nullptr;
    std::uint32_t hull_count = 0;
    const std::uint32_t* hull_names = nullptr;  // what hull k is called by whoever reads; null: k

    [[nodiscard]] bool has(std::uint32_t column) const { return first[column] != nullptr; }
    /// Copies what object i has in a column: width_of() numbers.
    void read(std::uint32_t column, std::size_t i, std::uint32_t* to) const noexcept;
    [[nodiscard]] float number(std::uint32_t column, std::size_t i) const noexcept;
    [[nodiscard]] std::uint32_t bits(std::uint32_t column, std::size_t i) const noexcept;
    /// Which of `hulls`; any number in invalid objects.
    [[nodiscard]] std::uint32_t hull(std::size_t i) const noexcept {
        return has(hull_column) ? bits(hull_column, i) : 0;
    }
};

/// A batch's columns. Where it has no bounding spheres these are given: radius, or x y z radius.
Columns columns_of(const Batch& batch, const float* const bounds[4]) noexcept;
/// Whether columns_of() wants bounding spheres.
bool lacks_bounds(const Batch& batch) noexcept;

/// The batch that such columns are: objects first .. first + count - 1.
Batch batch_of(const Columns& columns, std::uint32_t count) noexcept;

/// A box around an object, rounded outward, and how far proofs about it reach.
struct ObjectBox {
    float low[3], high[3];
    /// Nothing may be concluded from the box: the object is invalid, kept whatever its place, or beyond all measure.
    bool never_outside;
    /// The object may be culled though it lies in the volume: by flags, layers, distance or size.
    bool never_inside;

    [[nodiscard]] float center(std::uint32_t j) const { return 0.5f * low[j] + 0.5f * high[j]; }
    [[nodiscard]] float extent() const {
        float most = 0;
        for (std::uint32_t j = 0; j < 3; ++j) most = high[j] - low[j] > most ? high[j] - low[j] : most;
        return most;
    }
};

/// Of the object with its margin and sweep.
ObjectBox box_of(const Columns& columns, std::size_t i) noexcept;

}  // namespace lanecull
