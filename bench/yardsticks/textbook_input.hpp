#pragma once

#include <lanecull/batch.h>
#include <cstdint>
#include <span>

#include "workloads/camera.hpp"
#include "yardsticks/textbook_gjk.hpp"

namespace bench {

textbook::Frustum textbook_frustum(const Camera& camera);

/// Queries every object of a workload's batch. `visible`: a bit an object.
void textbook_overlaps(const lanecull::Batch& batch, const textbook::Frustum& frustum,
                       std::span<std::uint64_t> visible);

}  // namespace bench
