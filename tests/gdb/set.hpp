#pragma once

/// The lanes of the instruction set that LANECULL_SET names, and vectors of them: all that lanes.cpp knows of the
/// kernels.

#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"
#include "lanes/vec3w.hpp"
