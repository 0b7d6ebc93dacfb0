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

/// What most kinds are. A kind derives from it and says what it has otherwise, besides
///   Shapes                                   the struct of batch.hpp
///   PairForm pair_form
///   BallW ball(axes, shapes, fetch)          a ball around an object, its lengths times ball_unit
///   StageOne                                 the test of W objects against planes
///   load_shapes(axes, shapes, gathered)      W objects as a shape
///   PlaceStreams stored_place(shapes)        for pairs
struct KindDefaultsW {
    static constexpr bool knows_edges = false;       // planes through the volume's edges may decide it
    static constexpr bool looks_at_nearest = false;  // so may its shortest vector to the volume
    static constexpr bool shares_vertices = false;   // its vertices are read for packets of one hull
    static constexpr bool has_ball_center = true;    // the ball's centre is a point of the object
    static constexpr float ball_unit = 1;            // 2 saves halving
    static constexpr ClosedForm closed_form = ClosedForm::none;

    /// Whether stage 1 sees a batch's objects at all.
    template <class Shapes>
    static constexpr bool has_stage_one(const Shapes&) {
        return true;
    }
};

/// KindOf<Spheres>::Kind is SphereKind. Each kind's header has its own.
template <class Shapes>
struct KindOf;

}  // namespace
}  // namespace lanecull
