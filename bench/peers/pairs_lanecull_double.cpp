#include "peers/pairs_lanecull.hpp"

namespace bench {

std::unique_ptr<PairEngine> lanecull_pairs(const PairWorkload& workload) { return make<double>(workload); }

}  // namespace bench
