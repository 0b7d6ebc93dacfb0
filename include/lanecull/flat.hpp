#pragma once

/// Culling in the plane: 2D shapes -> views -> cull -> bits and lists. For tile maps, strategy games, user interfaces.

#include <lanecull/flat/batch.hpp>
#include <lanecull/flat/cull.hpp>
#include <lanecull/flat/view.hpp>
