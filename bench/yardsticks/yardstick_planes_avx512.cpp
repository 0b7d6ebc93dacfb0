#include "yardsticks/yardstick_planes_loops.hpp"

const bench::PlaneLoops bench::plane_loops_avx512 = bench::Loops<xsimd::avx512bw>::table;
