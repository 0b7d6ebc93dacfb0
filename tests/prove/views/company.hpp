#pragma once

#include "prove/trial.hpp"

namespace prove {

/// Views of any family. An object's verdict is the same alone, among neighbours that are undecided as well, among those
/// of its setting, among candidates, and in batches with flags: whatever stage 1 does with the chunk.
void company(Trial& trial);

}  // namespace prove
