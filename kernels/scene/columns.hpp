#pragma once

#include <lanecull/batch.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "calls/every_layout.hpp"
#include "calls/kinds.hpp"
#include "calls/layout.hpp"

namespace lanecull {

/// Objects of any kind as columns. A column is one stream, one float wide, or one array of records, several floats
/// wide; the columns together hold all numbers of an object. Batches, stores and single objects are read and written by
/// the same functions.

/// Where a box that has no object yet begins, and the distance of what is seen from everywhere.
inline constexpr float float_infinity = std::numeric_limits<float>::infinity();

template <std::size_t... kind>
auto join_layouts(std::index_sequence<kind...>)
    -> decltype(std::tuple_cat(typename KindTraits<Kinds::At<kind>>::Layouts()...));
/// The layouts of all kinds, in the order of Kind.
using Layouts = decltype(join_layouts(std::make_index_sequence<Kinds::size>()));
template <std::size_t l>
using LayoutAt = std::tuple_element_t<l, Layouts>;

/// A place in Layouts. Scene files name layouts by it.
enum class Layout : std::uint32_t {};
constexpr std::uint32_t layout_count = std::tuple_size_v<Layouts>;

/// Calls visit(LayoutAt<l>()) for the l that `layout` stands for.
template <std::size_t l = 0, class Visit>
auto with_layout(Layout layout, const Visit& visit) {
    if constexpr (l + 1 < layout_count) {
        if (layout != Layout{l}) return with_layout<l + 1>(layout, visit);
    }
    return visit(LayoutAt<l>());
}

constexpr std::uint32_t most_shape_columns = 7;
/// margin, sweep x y z, flags, layers, max_distance, min_projected_size, min_distance. Scene files number columns, so a
/// new one stands last.
constexpr std::uint32_t attribute_columns = 9;
/// The object's draw command, five integers.
constexpr std::uint32_t draw_column = most_shape_columns + attribute_columns;
constexpr std::uint32_t draw_numbers = sizeof(DrawCommand) / sizeof(std::uint32_t);
constexpr std::uint32_t most_columns = draw_column + 1;

enum AttributeColumn : std::uint32_t {
    margin_column,
    sweep_column,
    flags_column = sweep_column + 3,
    layers_column,
    max_distance_column,
    min_projected_size_column,
    min_distance_column,
};

constexpr std::uint32_t hull_column = 4;  // of kinds that have hulls; an integer, not a float

/// What code that does not know a kind's own types needs of each layout.
struct LayoutFacts {
    std::uint8_t kind;                        ///< its place among Kinds
    std::uint8_t widths[most_shape_columns];  ///< how many numbers an object has in each column; zeros beyond the last
    bool is_own_box, moves_spheres, has_hulls;
};

template <class L, std::size_t kind = 0>
constexpr LayoutFacts facts_of() {
    using OfKind = typename L::Shapes;
    if constexpr (!std::is_same_v<OfKind, Kinds::At<kind>>) {
        return facts_of<L, kind + 1>();
    } else {
        static_assert(std::size(L::columns) <= most_shape_columns,
                      "Scene files number attributes from there on: more columns make another version of them.");
        if constexpr (SharesHulls<OfKind>) static_assert(L::columns[hull_column].numbers != nullptr);
        LayoutFacts facts{kind, {}, L::is_own_box, L::moves_spheres, SharesHulls<OfKind>};
        for (std::size_t c = 0; c < std::size(L::columns); ++c) {
            facts.widths[c] = static_cast<std::uint8_t>(L::columns[c].width);
        }
        return facts;
    }
}
template <std::size_t... l>
constexpr std::array<LayoutFacts, layout_count> all_facts(std::index_sequence<l...>) {
    return {facts_of<LayoutAt<l>>()...};
}
constexpr std::array<LayoutFacts, layout_count> layout_facts = all_facts(std::make_index_sequence<layout_count>());

constexpr const LayoutFacts& facts_of(Layout layout) { return layout_facts[static_cast<std::uint32_t>(layout)]; }

constexpr std::uint32_t width_of(Layout layout, std::uint32_t column) {
    if (column == draw_column) return draw_numbers;
    return column >= most_shape_columns ? 1 : facts_of(layout).widths[column];
}

/// The value of an attribute for objects that do not have it, and of a draw command's numbers.
std::uint32_t absent_attribute(std::uint32_t attribute) noexcept;

/// Columns of attributes: bit c stands for column c.
using AttributeMask = std::uint32_t;
static_assert(most_columns <= 32);

/// Where a batch's or a store's columns lie.
struct Columns {
    Layout layout{};
    const std::byte* first[most_columns] = {};  // null: every object has the attribute's absent value
    std::size_t stride[most_columns] = {};      // bytes; of draw_column 0 if there is one template for all
    const Hull* hulls = nullptr;
    std::uint32_t hull_count = 0;
    const std::uint32_t* hull_names = nullptr;  // the number by which the reader knows hull k; null: k

    [[nodiscard]] bool has(std::uint32_t column) const { return first[column] != nullptr; }
    /// The attributes that there are, draw commands included.
    [[nodiscard]] AttributeMask attributes() const {
        AttributeMask mask = 0;
        for (std::uint32_t c = most_shape_columns; c < most_columns; ++c) mask |= AttributeMask{has(c)} << c;
        return mask;
    }
    /// Whether the column is one number an object, without gaps, that read() copies as it is.
    [[nodiscard]] bool is_stream(std::uint32_t column) const {
        return has(column) && stride[column] == sizeof(float) && width_of(layout, column) == 1 &&
               !(column == hull_column && facts_of(layout).has_hulls);
    }
    /// Copies object i's numbers in a column: width_of() of them.
    void read(std::uint32_t column, std::size_t i, std::uint32_t* to) const noexcept;
    [[nodiscard]] float number(std::uint32_t column, std::size_t i) const noexcept;
    [[nodiscard]] std::uint32_t bits(std::uint32_t column, std::size_t i) const noexcept;
    /// The index of the object's hull in `hulls`. Of invalid objects it may be any number.
    [[nodiscard]] std::uint32_t hull(std::size_t i) const noexcept {
        return has(hull_column) ? bits(hull_column, i) : 0;
    }
};

/// A batch's columns. If the batch has no bounding spheres, `bounds` are taken in their place: radius, or x y z radius.
Columns columns_of(const Batch& batch, const float* const bounds[4]) noexcept;
/// The columns of attributes alone.
Columns columns_of(const Attributes& attributes) noexcept;
/// Whether columns_of() needs `bounds`.
bool lacks_bounds(const Batch& batch) noexcept;

/// The batch that consists of these columns' first `count` objects; of a store, whose draw commands are packed.
Batch batch_of(const Columns& columns, std::uint32_t count) noexcept;

/// A box around an object, rounded outward, and what may be concluded from it.
struct ObjectBox {
    float low[3], high[3];
    /// The box proves nothing: the object is invalid, always visible, or beyond the largest magnitude.
    bool never_outside;
    /// The object may be culled although it lies in the volume: by flags, layers, distance or size.
    bool never_inside;

    [[nodiscard]] float center(std::uint32_t j) const { return 0.5f * low[j] + 0.5f * high[j]; }
    [[nodiscard]] float extent() const {
        float most = 0;
        for (std::uint32_t j = 0; j < 3; ++j) most = high[j] - low[j] > most ? high[j] - low[j] : most;
        return most;
    }
};

/// The box of the object with its margin and sweep.
ObjectBox box_of(const Columns& columns, std::size_t i) noexcept;

}  // namespace lanecull
