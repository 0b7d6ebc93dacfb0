#include "yardsticks/yardstick_exact_loops.hpp"

const bench::ExactLoops bench::exact_loops_avx512 = bench::MaskedLoops<xsimd::avx512bw>::table;
