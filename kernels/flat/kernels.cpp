#include "calls/kernel_table.hpp"
#include "flat/range.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull_flat<flat::Circles>(const flat::RangeWork& work) {
    flat::cull_flat_range<flat::CircleKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull_flat<flat::Boxes>(const flat::RangeWork& work) {
    flat::cull_flat_range<flat::BoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull_flat<flat::OrientedBoxes>(const flat::RangeWork& work) {
    flat::cull_flat_range<flat::OrientedBoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull_flat<flat::Capsules>(const flat::RangeWork& work) {
    flat::cull_flat_range<flat::CapsuleKind>(work);
}

template <>
template <>
void Kernels<this_isa>::cull_flat<flat::PolygonInstances>(const flat::RangeWork& work) {
    flat::cull_flat_range<flat::PolygonKind>(work);
}

}  // namespace lanecull
