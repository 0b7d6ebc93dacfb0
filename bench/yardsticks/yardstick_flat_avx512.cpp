#include "yardsticks/yardstick_flat_loops.hpp"

const bench::SideLoops bench::side_loops_avx512 = bench::FlatLoops<xsimd::avx512bw>::table;
