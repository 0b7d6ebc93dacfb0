/// Plain C++, one lane.

#include "lanes/compiled_with.hpp"
#include "lanes/scalar.hpp"
#include "lanes/signs_scalar.hpp"
//
#include "cull/kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_scalar = make_table(Isa::scalar);
