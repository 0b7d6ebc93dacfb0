#pragma once

#include "prove/trial.hpp"

namespace prove {

/// Views of every kind, with and without a light, whose clip planes leave nothing of the volume, or next to nothing:
/// the last plane touches what the others leave, misses it or cuts it by any share from 2^-60 of the coordinates on.
/// None is refused; none sees nothing of which something is left; what has an end, no light, and is empty by 2^-20 of
/// the coordinates is found to be.
void nothing(Trial& trial);

}  // namespace prove
