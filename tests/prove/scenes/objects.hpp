#pragma once

#include <vector>

#include "prove/scenes/shadow.hpp"
#include "prove/views/placing.hpp"
#include "support/generate.hpp"

/// Objects for scenes.
namespace prove {

/// An object, made for world coordinates, as an origin's coordinates have it. The origin is random, up to 1e12 away,
/// and such that the object's place, or a box's lower corner, is where it was but for rounding to doubles.
struct Relative {
    Double3 origin;
    Object object;
};
[[nodiscard]] Relative relative(Random& random, Kind kind, const Object& object);

/// `count` objects of one kind within about `size` of a spot, all of them on one side of the volume's boundary there.
/// One of them touches it, or is `off` from it.
[[nodiscard]] std::vector<Object> cluster(Random& random, Kind kind, const HullSet& hulls, const Boundary::Spot& spot,
                                          double size, double off, std::size_t count);

/// Moves powers of two from one factor of a product to the other: half-extents and axes, transforms and vertices.
/// Other kinds get numbers of any size, denormal ones among them.
[[nodiscard]] Object extreme(Random& random, Kind kind, const Object& object);

/// The object with a number that makes it invalid.
[[nodiscard]] Object spoilt(Random& random, Kind kind, const Object& object, const Streams& streams);

}  // namespace prove
