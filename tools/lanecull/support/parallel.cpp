#include "support/parallel.hpp"

#include <oneapi/tbb/parallel_for.h>

namespace lanecull::program {

void for_each_index(std::size_t count, const std::function<void(std::size_t)>& job) {
    oneapi::tbb::parallel_for(std::size_t{0}, count, job);
}

}  // namespace lanecull::program
