#pragma once

#include "prove/trial.hpp"

namespace prove {

/// Greatest and least distances: what is culled as too far or too near is, in rationals; and of two batches of the same
/// shapes, one of which has as its least distances what the other has as its greatest ones, one shows each object.
void limits(Trial& trial);

}  // namespace prove
