#pragma once

#include "prove/trial.hpp"

/// What each family of this subject does with a trial.
///
/// In the tally a verdict is a claim that something contains something: a vertex in a bound, an object in a sphere, a
/// box or a hull. `culled_gjk` counts those that were verified, each once, whichever sets make it. `oracle_objects`
/// counts what was decided in rationals alone. `apart_18` counts bounds that are measured for their size, and `kept_18`
/// those that are more than 2^-18 larger than they need be.
namespace prove {

void bound_vertices(Trial& trial);  ///< boxes, spheres and oriented boxes of vertices
void bound_scaled(Trial& trial);    ///< bounds of 2^k times something are 2^k times its bounds
void bound_radii(Trial& trial);     ///< bounding_radii() and bounding_spheres()
void bound_relative(Trial& trial);  ///< relative_spheres()
void bound_visible(Trial& trial);   ///< visible_bounds()
void bound_slices(Trial& trial);    ///< slice_bounds()
void bound_scenes(Trial& trial);    ///< Scene::visible_bounds() and Scene::slice_bounds()
void bound_blocks(Trial& trial);    ///< the same of scenes so large that they ask blocks first
void bound_none(Trial& trial);      ///< bounds of records that are no objects
void bound_balls(Trial& trial);     ///< prepare_hull(): the box and the two balls
void bound_hulls(Trial& trial);     ///< enclosing_hull() and convex_hull()

}  // namespace prove
