#include "calls/kernel_table.hpp"
#include "pairs/range.hpp"

namespace lanecull {

template <>
void Kernels<this_isa>::separate_pairs(const pairs::SeparateWork& work) {
    pairs::separate_range(work);
}

template <>
void Kernels<this_isa>::pair_distances(const pairs::DistanceWork& work) {
    pairs::measure_range(work);
}

template <>
void Kernels<this_isa>::cast_pairs(const pairs::CastWork& work) {
    pairs::cast_range(work);
}

}  // namespace lanecull
