#pragma once

#include <vector>

#include <lanecull/batch.h>

#include "support/generate.hpp"
#include "support/memory.hpp"

namespace modes {

/// Batches of all kinds, without attributes and with all of them. Many objects have denormal or invalid numbers.
struct OddScene {
    HeapMemory memory;
    PreparedCamera camera;
    HullSet hulls;
    std::vector<lanecull::Batch> batches;

    OddScene();
};

}  // namespace modes
