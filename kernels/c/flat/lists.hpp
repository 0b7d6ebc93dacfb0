#pragma once

/// The opaque lists of 2D batches and views.

#include <lanecull/c/flat/batch.h>
#include <lanecull/c/flat/view.h>
#include <lanecull/flat/batch.hpp>
#include <lanecull/flat/view.hpp>

#include "c/lists.hpp"

struct lanecull_flat_batches : lanecull::c::List<lanecull::flat::Batch> {};
struct lanecull_flat_views : lanecull::c::List<lanecull::flat::View> {};
