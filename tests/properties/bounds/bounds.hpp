#pragma once

#include <cstdint>

#include "properties/bounds/estimate.hpp"
#include "properties/trial.hpp"

/// What each family of this subject does with a trial.
///
/// In the tally a verdict is a claim that something contains something: a vertex in a bound, an object in a sphere, a
/// box or a hull. `culled_gjk` counts those that were verified, each once, whichever sets make it. `oracle_objects`
/// counts what was decided in rationals alone. `apart_18` counts bounds that are measured for their size, and `kept_18`
/// those that are more than 2^-18 larger than they need be.
namespace properties {

/// What the trials have in common.
class BoundsTrial {
public:
    explicit BoundsTrial(Trial& trial) : trial_(trial) { at(Tally::trials) = 1; }
    BoundsTrial(const BoundsTrial&) = delete;
    BoundsTrial& operator=(const BoundsTrial&) = delete;
    ~BoundsTrial() { at(Tally::exact_checks) = judge_.exact_checks(); }

protected:
    [[nodiscard]] std::uint64_t& at(Tally::Count count) const { return trial_.at(count); }
    [[nodiscard]] Random& random() const { return trial_.random; }

    Trial& trial_;
    Judge judge_;
};

void bound_vertices(Trial& trial);  ///< boxes, spheres and oriented boxes of vertices
void bound_radii(Trial& trial);     ///< bounding_radii() and bounding_spheres()
void bound_relative(Trial& trial);  ///< relative_spheres()
void bound_visible(Trial& trial);   ///< visible_bounds()
void bound_slices(Trial& trial);    ///< slice_bounds()
void bound_scenes(Trial& trial);    ///< Scene::visible_bounds() and Scene::slice_bounds()
void bound_blocks(Trial& trial);    ///< the same of scenes so large that they test blocks first
void bound_balls(Trial& trial);     ///< prepare_hull(): the box and the two balls
void bound_hulls(Trial& trial);     ///< enclosing_hull() and convex_hull(), their neighbours and surfaces
void bound_unpack(Trial& trial);    ///< unpack_floats()

// The same of any numbers, refused arguments too, and of few objects.
void bound_any_spheres(Trial& trial);
void bound_any_relative(Trial& trial);
void bound_any_visible(Trial& trial);
void bound_any_slices(Trial& trial);

}  // namespace properties
