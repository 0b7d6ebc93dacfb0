#pragma once

/// The lanes of the instruction set that this file is compiled for: FloatW, MaskW and IndexW, W objects side by side,
/// and what works on them. LANECULL_SET names the set's header, "lanes/avx2.hpp"; without it one lane of plain C++.
///
/// What a set's header gives, itself or by lanes/xsimd.hpp: `isa`, `needs` (the processor's features), `lanes`, and
/// everything that lanes/scalar.hpp has. Everything is in unnamed namespaces, and what a lane loop calls is inlined by
/// force: no ordinary inline function, std:: ones included, may be called from a kernel, for the linker could merge its
/// copies and run one compiled for another set (tests/symbols checks).

#if defined(LANECULL_SET)
#include LANECULL_SET
#else
#include "lanes/scalar.hpp"
#endif
