#include "peers/pairs_lanecull.hpp"

namespace bench {

std::unique_ptr<PairEngine> lanecull_millionth_pairs(const PairWorkload& workload) {
    return make<double, Accuracy::millionth>(workload);
}

}  // namespace bench
