/// Plain C++, one lane.

#include "../../sets/compiled_with.hpp"
#include "../../sets/lanes_scalar.hpp"
#include "../../sets/signs_scalar.hpp"
//
#include "../across_scalar.hpp"
//
#include "../kernel.hpp"

const lanecull::pairs::PairTable lanecull::pairs::pair_kernel_table_scalar = make_pair_table(Isa::scalar);
