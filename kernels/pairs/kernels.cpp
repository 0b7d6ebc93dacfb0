#include "pairs/range.hpp"
#include "pairs/work.hpp"

namespace lanecull::pairs {

template <>
void Kernels<this_isa>::separate(const SeparateWork& work) {
    separate_range(work);
}

template <>
void Kernels<this_isa>::measure(const DistanceWork& work) {
    measure_range(work);
}

template <>
void Kernels<this_isa>::measure_signed(const SignedWork& work) {
    measure_signed_range(work);
}

template <>
void Kernels<this_isa>::find_contacts(const ContactWork& work) {
    find_contacts_range(work);
}

template <>
void Kernels<this_isa>::cast(const CastWork& work) {
    cast_range(work);
}

}  // namespace lanecull::pairs
