#pragma once

/// The traits of kinds, by which stages and pairs choose their steps.

#include <cstdint>

#include "lanes/inline.hpp"

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

/// Streams with a point at or near each object, as it is stored. Pairs take it as their origin.
struct PlaceStreams {
    const float *x, *y, *z;
};

/// The defaults of most kinds. A kind derives from this struct, says what differs, and has besides
///   Shapes                                   the struct of batch.h
///   PairForm pair_form                       if lanes decide its pairs; without it doubles do
///   BallW ball(axes, shapes, fetch)          a ball around an object, its lengths times ball_unit
///   PlaneTest                                the test of W objects against planes
///   load_shapes(axes, shapes, gathered)      W objects as a shape
///   load_corners(shapes, gathered)           if corners are stored: W objects as CornersW
///   PlaceStreams stored_place(shapes)        for pairs, but for kinds with transforms, whose places are these'
struct KindDefaultsW {
    static constexpr bool knows_edges = false;       // planes through the volume's edges may decide it
    static constexpr bool looks_at_nearest = false;  // its shortest vector to the volume may decide it
    static constexpr bool shares_vertices = false;   // hulls: their vertices are tested in place of refine()
    static constexpr bool has_transforms = false;    // pairs take their translations as places
    static constexpr bool has_ball_center = true;    // the ball's centre is a point of the object
    // Stage 1 tests planes beyond the first six as well, where the view has no margin (cull/planes_first.hpp).
    static constexpr bool stage_one_takes_more_planes = false;
    static constexpr bool stores_ball = false;  // ball() is stored beside the object's records, if has_stage_one()
    static constexpr float ball_unit = 1;       // ball() gives lengths times this; 2 saves halving
    static constexpr ClosedForm closed_form = ClosedForm::none;

    /// Whether a batch's objects have what stage 1 needs.
    template <class Shapes>
    static constexpr bool has_stage_one(const Shapes&) {
        return true;
    }
};

/// KindOf<Spheres>::Kind is SphereKind. Each kind's header has its own. Where batches of a struct are of one of two
/// kinds, is_other(shapes) says which have OtherKind.
template <class Shapes>
struct KindOf;

/// Calls visit(kind) for the kind of a batch's objects.
template <class Shapes, class Visit>
LANE_INLINE void with_kind_of(const Shapes& s, const Visit& visit) {
    using Known = KindOf<Shapes>;
    if constexpr (requires { typename Known::OtherKind; }) {
        if (Known::is_other(s)) return visit(typename Known::OtherKind());
    }
    visit(typename Known::Kind());
}

}  // namespace
}  // namespace lanecull
