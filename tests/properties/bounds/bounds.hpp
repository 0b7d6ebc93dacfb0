#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "properties/bounds/containment.hpp"
#include "properties/trial.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"

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

// Vertices that are hard to bound.

/// A coordinate rounded to floats, no larger than the largest of these.
[[nodiscard]] float to_float(double number);

/// Points of a solid, a plane, a line or a single point, turned or not, from 10^-45 to 10^38 in size, up to 10^7 sizes
/// from the origin, some of them twice; points about as far from their middle as each other; or points of a coarse grid
/// times a power of two from 2^-149 to 2^100, many of them exactly as far from its middle as others.
[[nodiscard]] Cloud random_cloud(Random& random, std::size_t most);
/// The same with a size from 10^-3 to 10^3, and no number below 2^-30 in size: 2^k times it is exact for |k| <= 90.
[[nodiscard]] Cloud moderate_cloud(Random& random, std::size_t most);

/// NaN or an infinity.
[[nodiscard]] float not_finite(Random& random);

/// Any floats, now and then one that is not finite; or each of a few numbers that coordinates may be: the ends of the
/// floats' range, or zeros of either sign and the smallest floats.
[[nodiscard]] Cloud any_cloud(Random& random, std::size_t most);

/// Points a few steps between the smallest floats from the origin.
[[nodiscard]] Cloud tiny_cloud(Random& random, std::size_t count);

/// As three streams, or as records of x, y and z that are `stride` floats apart. `memory` must outlive the result.
[[nodiscard]] lanecull::Vertices lay_out(const Cloud& cloud, std::size_t stride, Memory& memory);

/// All coordinates in hexadecimal.
[[nodiscard]] std::string describe(const Cloud& cloud);
/// A few numbers in hexadecimal.
[[nodiscard]] std::string describe(const float* numbers, std::size_t count);

}  // namespace properties
