#pragma once

/// The lanes of the instruction set that this file is compiled for: FloatW, MaskW and IndexW, W objects side by side,
/// and the operations on them. LANECULL_SET names the set's header, such as "lanes/avx2.hpp"; without it there is one
/// lane of plain C++.
///
/// What a set's header gives, itself or by lanes/xsimd.hpp or lanes/four_lanes.hpp: `this_isa`, `needs` (the
/// processor's features), `lanes`, and everything that lanes/scalar.hpp has. Everything is in unnamed namespaces, and
/// what a lane loop calls is inlined by force. A kernel must not call an ordinary inline function, one of std::
/// included: the linker could merge its copies and run one that was compiled for another set (tests/symbols checks
/// this).

#if defined(LANECULL_SET)
#include LANECULL_SET
#else
#include "lanes/scalar.hpp"
#endif
