#pragma once

// Included before the sources of MaskedOcclusionCulling, which define functions that newer compilers' headers define
// too.
#include <cpuid.h>
#include <immintrin.h>

#define __cpuidex masked_cpuidex
#define _xgetbv masked_xgetbv
