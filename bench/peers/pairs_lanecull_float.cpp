#include "peers/pairs_lanecull.hpp"

namespace bench {

std::unique_ptr<PairEngine> lanecull_float_pairs(const PairWorkload& workload) { return make<float>(workload); }

}  // namespace bench
