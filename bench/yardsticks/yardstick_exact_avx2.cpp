#include "yardsticks/yardstick_exact_loops.hpp"

const bench::ExactLoops bench::exact_loops_avx2 = bench::MaskedLoops<xsimd::fma3<xsimd::avx2>>::table;
