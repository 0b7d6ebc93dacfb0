#include "yardsticks/yardstick_lights_loops.hpp"

const bench::ClusterLoop bench::cluster_loop_avx512 = {bench::prepare_clusters<16>, bench::run_clusters<16>,
                                                       bench::destroy_clusters<16>};
