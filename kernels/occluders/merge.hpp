#pragma once

#include "base/array.hpp"
#include "occluders/aligned_solid.hpp"

namespace lanecull::solids {

/// Replaces the solids by fewer, larger ones in their union, of which each solid lies in one. False: no memory; then
/// `solids` is as it was, but in any order.
[[nodiscard]] bool merge(Array<Solid>& solids);

}  // namespace lanecull::solids
