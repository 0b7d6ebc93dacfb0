#pragma once

/// One pair of convex shapes at a time, for tools, editors and gameplay: do they intersect, how far apart are they, where
/// are they nearest, and how deep are they in each other? Headers alone, and nothing but the standard library; floats or doubles, 3D or 2D; without
/// exceptions, run-time types or allocation. Not to be compiled with -ffast-math, which undoes the proofs.

#include <lanecull/gjk/composites.hpp>
#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/hull.hpp>
#include <lanecull/gjk/intersect.hpp>
#include <lanecull/gjk/penetration.hpp>
#include <lanecull/gjk/shapes.hpp>
#include <lanecull/gjk/simplex.hpp>
#include <lanecull/gjk/support.hpp>
#include <lanecull/gjk/vec.hpp>
