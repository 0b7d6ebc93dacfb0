#include "flat/range.hpp"

namespace lanecull::flat {

template <>
template <>
void Kernels<this_isa>::cull<Circles>(const RangeWork& work) {
    flat::cull_flat_range<flat::CircleKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull<Boxes>(const RangeWork& work) {
    flat::cull_flat_range<flat::BoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull<OrientedBoxes>(const RangeWork& work) {
    flat::cull_flat_range<flat::OrientedBoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull<Capsules>(const RangeWork& work) {
    flat::cull_flat_range<flat::CapsuleKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull<PolygonInstances>(const RangeWork& work) {
    flat::cull_flat_range<flat::PolygonKind>(work);
}

}  // namespace lanecull::flat
