#include "yardsticks/yardstick_world_loops.hpp"

const bench::WorldBoxLoop bench::world_box_loop_avx2 = {bench::WorldLoop<8>::run};
