#pragma once

/// The whole library but for the oneTBB runner (<lanecull/tbb.hpp>): batches -> views -> cull -> bits and indices.

#include <lanecull/batch.hpp>
#include <lanecull/bounds.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/light.hpp>
#include <lanecull/lod.hpp>
#include <lanecull/pack.hpp>
#include <lanecull/pairs.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/scene.hpp>
#include <lanecull/shadow.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>
