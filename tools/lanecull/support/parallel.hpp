#pragma once

#include <oneapi/tbb/parallel_for.h>

namespace lanecull::program {

/// Calls job(i) for each i < count on oneTBB's threads, in any order. Throws what a job throws.
template <class Integer, class Job>
void in_parallel(Integer count, const Job& job) {
    oneapi::tbb::parallel_for(Integer{0}, count, job);
}

}  // namespace lanecull::program
