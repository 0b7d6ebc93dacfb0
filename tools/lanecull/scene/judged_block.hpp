#pragma once

#include <lanecull/scene.h>

namespace lanecull::program {

/// A block of an ordered scene that has objects, and what a cull found it to be.
struct JudgedBlock {
    SceneBlock block;
    BlockOutcome outcome;
};

}  // namespace lanecull::program
