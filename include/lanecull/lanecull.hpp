#pragma once

/// The whole library: batches -> views -> cull -> bits and lists. Not included are the oneTBB runner
/// (<lanecull/tbb.hpp>), hulls of points (<lanecull/hulls.hpp>), 2D shapes (<lanecull/flat.hpp>) and single pairs
/// (<lanecull/gjk.hpp>).

#include <lanecull/batch.hpp>
#include <lanecull/bounds.hpp>
#include <lanecull/choose_occluders.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/light.hpp>
#include <lanecull/lod.hpp>
#include <lanecull/memory.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/pairs.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/raster_margin.hpp>
#include <lanecull/records.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/scene.hpp>
#include <lanecull/shadow.hpp>
#include <lanecull/solid_hull.hpp>
#include <lanecull/solids.hpp>
#include <lanecull/status.hpp>
#include <lanecull/transforms.hpp>
#include <lanecull/unpack.hpp>
#include <lanecull/version.hpp>
#include <lanecull/view.hpp>
#include <lanecull/world_bounds.hpp>
#include <lanecull/zones.hpp>
