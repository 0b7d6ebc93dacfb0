#include "yardsticks/yardstick_flat_loops.hpp"

const bench::SideLoops bench::side_loops_avx2 = bench::FlatLoops<xsimd::fma3<xsimd::avx2>>::table;
