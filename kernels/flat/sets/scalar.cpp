/// Plain C++, one lane.

#include "lanes/compiled_with.hpp"
#include "lanes/scalar.hpp"
//
#include "lanes/signs_scalar.hpp"
//
#include "flat/kernel.hpp"

const lanecull::flat::FlatTable lanecull::flat::flat_kernel_table_scalar = make_flat_table(Isa::scalar);
