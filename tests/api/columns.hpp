#pragma once

#include <span>
#include <tuple>

#include "calls/every_layout.hpp"
#include "calls/kinds.hpp"

/// Calls visit(column) for each column of the shapes.
template <class Shapes, class Visit>
void each_column(const Shapes& shapes, const Visit& visit) {
    using Traits = lanecull::KindTraits<Shapes>;
    using Layouts = typename Traits::Layouts;
    using First = std::tuple_element_t<0, Layouts>;
    using Last = std::tuple_element_t<std::tuple_size_v<Layouts> - 1, Layouts>;
    using Columns = std::span<const lanecull::Column<Shapes>>;
    for (const auto& column : Traits::layout_of(shapes) == 0 ? Columns(First::columns) : Columns(Last::columns)) {
        visit(column);
    }
}
