/// Plain C++, one lane.

#include "compiled_with.hpp"
#include "lanes_scalar.hpp"
#include "signs_scalar.hpp"
//
#include "kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_scalar = make_table(Isa::scalar);
