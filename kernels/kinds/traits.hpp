#pragma once

/// What the kinds say of themselves besides their functions, for stages and pairs to switch steps on.

#include <cstdint>

namespace lanecull {
namespace {

/// The test that decides a kind's objects without a search, in views that have such a test.
enum class ClosedForm : std::uint8_t {
    none,
    ball,  ///< Kind::ball() is the object itself: its distance from the volume decides
    box,   ///< a box along the axes: all directions that can part it from the volume decide
};

/// What the functions for pairs see an object as (pairs/shapes.hpp).
enum class PairForm : std::uint8_t {
    round,        ///< a segment and a ball around it
    box,          ///< three axes
    aligned_box,  ///< three axes, those of the world
    hull,         ///< a hull's vertices: hull instances alone
};

/// Streams that have a place of each object as it stands, for pairs to take as their origin.
struct PlaceStreams {
    const float *x, *y, *z;
};

/// KindOf<Spheres>::Kind is SphereKind. Each kind's header has its own.
template <class Shapes>
struct KindOf;

}  // namespace
}  // namespace lanecull
