/// Plain C++, one lane.

#include "../../sets/compiled_with.hpp"
#include "../../sets/lanes_scalar.hpp"
//
#include "../../sets/signs_scalar.hpp"
//
#include "../kernel.hpp"

const lanecull::flat::FlatTable lanecull::flat::flat_kernel_table_scalar = make_flat_table(Isa::scalar);
