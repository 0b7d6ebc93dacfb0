#pragma once

#include "prove/trial.hpp"

namespace prove {

/// Views of any family whose objects are asked about in part. Some objects are always visible, disabled or none.
void candidates(Trial& trial);

}  // namespace prove
