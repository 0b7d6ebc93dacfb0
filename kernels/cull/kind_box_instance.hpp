#pragma once

/// Boxes under transforms: stage 1 sees balls around them, which it finds itself; later stages load them as shapes.

#include <lanecull/batch.h>

#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/instance.hpp"
#include "lanes/zonotope.hpp"

namespace lanecull {
namespace {

struct BoxInstanceKind : KindDefaultsW {
    using Shapes = BoxInstances;
    static constexpr bool knows_edges = true;
    static constexpr bool has_transforms = true;
    static constexpr PairForm pair_form = PairForm::box;

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const BoxInstances& s, const Fetch& fetch) {
        return InstanceW(axes, s, fetch).ball();
    }
    static constexpr float ball_unit = 2;  // ball() gives twice the ball, which saves halving

    /// Stage 1 by planes, for balls of their true size.
    struct PlaneTest : RelativePlanesW {
        using RelativePlanesW::RelativePlanesW;

        template <class Fetch, class Expansion, class Doubt>
        LANE_INLINE ClassifiedW test(const BoxInstances& s, const Fetch& fetch, const Expansion& expansion,
                                     Doubt& doubt) const {
            BallW twice = ball(axes, s, fetch);
            const FloatW half = 0.5f, radius = twice.radius * half;
            return test_ball(*this, {twice.center * half, radius, radius}, FloatW(0.0f), expansion, doubt);
        }
    };

    /// Not inlined: stages load in many places, each for four layouts of transforms.
    template <class Axes, class Gathered>
    [[gnu::noinline]] static ZonotopeW<3, false> load_shapes(const Axes& axes, const BoxInstances& s,
                                                             const Gathered& gathered) {
        return InstanceW(axes, s, gathered).shape(axes);
    }
};

template <>
struct KindOf<BoxInstances> {
    using Kind = BoxInstanceKind;
};

}  // namespace
}  // namespace lanecull
