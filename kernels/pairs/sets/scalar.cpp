/// Plain C++, one lane.

#include "lanes/compiled_with.hpp"
#include "lanes/scalar.hpp"
#include "lanes/signs_scalar.hpp"
//
#include "lanes/across_scalar.hpp"
//
#include "pairs/kernel.hpp"

const lanecull::pairs::PairTable lanecull::pairs::pair_kernel_table_scalar = make_pair_table(Isa::scalar);
