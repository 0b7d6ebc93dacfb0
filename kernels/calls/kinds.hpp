#pragma once

#include <lanecull/batch.h>

#include <cstddef>
#include <utility>

#include "base/kind_list.hpp"

namespace lanecull {

/// The kinds of batch.h, in the order of Kind. Scene files name kinds by their place, so the list grows at its end.
using Kinds = KindList<Spheres, Boxes, CenteredBoxes, OrientedBoxes, Capsules, HullInstances, BoxInstances, Cylinders,
                       Ellipsoids, Cones>;

[[nodiscard]] inline std::size_t place_of(const Batch& batch) noexcept { return Kinds::place_of(batch); }

template <class Visit>
decltype(auto) visit(const Batch& batch, const Visit& visit) {
    return Kinds::visit(batch, visit);
}
template <class Visit>
decltype(auto) visit(Batch& batch, const Visit& visit) {
    return Kinds::visit(batch, visit);
}

}  // namespace lanecull
