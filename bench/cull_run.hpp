#pragma once

#include <benchmark/benchmark.h>

#include <lanecull/cull.hpp>

#include "workload.hpp"

namespace bench {

struct CullRun {
    Key key;
    lanecull::Method method = lanecull::Method::automatic;
    lanecull::Isa isa = lanecull::Isa::automatic;
    int threads = 1;    ///< 1: the serial runner; more: oneTBB's
    bool list = false;  ///< the index list besides the bits
    lanecull::Attributes attributes = {};
};

/// Measures lanecull::cull() on one workload.
void measure_cull(benchmark::State& state, const CullRun& run);

}  // namespace bench
