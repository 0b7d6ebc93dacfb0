#include "yardsticks/yardstick_lights_loops.hpp"

const bench::ClusterLoop bench::cluster_loop_avx2 = {bench::prepare_clusters<8>, bench::run_clusters<8>,
                                                     bench::destroy_clusters<8>};
