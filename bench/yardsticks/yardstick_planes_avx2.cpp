#include "yardsticks/yardstick_planes_loops.hpp"

const bench::PlaneLoops bench::plane_loops_avx2 = bench::Loops<xsimd::fma3<xsimd::avx2>>::table;
