#pragma once

#include <lanecull/flat.h>

#include "base/kind_list.hpp"

namespace lanecull::flat {

/// The kinds of flat.h, in the order of Kind.
using Kinds = KindList<Circles, Boxes, OrientedBoxes, Capsules, PolygonInstances>;

[[nodiscard]] inline std::size_t place_of(const Batch& batch) noexcept { return Kinds::place_of(batch); }

template <class Visit>
decltype(auto) visit(const Batch& batch, const Visit& visit) {
    return Kinds::visit(batch, visit);
}

}  // namespace lanecull::flat
