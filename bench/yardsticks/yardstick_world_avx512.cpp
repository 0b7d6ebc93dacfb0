#include "yardsticks/yardstick_world_loops.hpp"

const bench::WorldBoxLoop bench::world_box_loop_avx512 = {bench::WorldLoop<16>::run};
