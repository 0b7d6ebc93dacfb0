#pragma once

/// Culling in the plane: figures -> views -> cull -> bits and indices. For tile maps, strategy games, user interfaces.

#include <lanecull/flat/batch.hpp>
#include <lanecull/flat/cull.hpp>
#include <lanecull/flat/view.hpp>
