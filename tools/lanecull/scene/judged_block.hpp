#pragma once

#include <lanecull/scene.hpp>

namespace lanecull::program {

/// A block of an ordered scene that has objects, and what a cull found it to be.
struct JudgedBlock {
    SceneBlock block;
    BlockOutcome outcome;
};

}  // namespace lanecull::program
