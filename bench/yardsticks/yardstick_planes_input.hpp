#pragma once

#include <lanecull/batch.h>

#include "workloads/camera.hpp"
#include "workloads/workload.hpp"
#include "yardsticks/yardstick_planes.hpp"

namespace bench {

SixPlanes six_planes(const Camera& camera);

/// The records of a batch of oriented boxes turned into streams. The centres stay the batch's.
class OrientedBoxTable {
public:
    explicit OrientedBoxTable(const lanecull::OrientedBoxes& boxes);
    [[nodiscard]] const OrientedBoxStreams& streams() const { return streams_; }

private:
    Floats axes_[3][3], half_[3];
    OrientedBoxStreams streams_;
};

}  // namespace bench
