#pragma once

/// Margins and sweeps: a shape enlarged by a ball, and by the vector that it sweeps. Ranges without either run code
/// that does not know of them.

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "lanes/box.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// What W shapes are enlarged by, in relative coordinates.
struct ExpansionW {
    Vec3W sweep;
    FloatW margin;

    static constexpr float stage_one_error = error_per_magnitude(roundings::grown_plane);
    /// How far the expanded shape reaches along a plane's normal, of length <= 1, if the shape reaches `distance`.
    LANE_INLINE FloatW beyond(const Vec3W& normal, FloatW distance) const {
        return distance + (margin + max(dot(normal, sweep), FloatW(0.0f)));
    }
    LANE_INLINE FloatW enlarged(FloatW magnitude) const { return magnitude + (one_norm(sweep) + margin); }
};

struct NoExpansionW {
    static constexpr float stage_one_error = error_per_magnitude(roundings::early);
    LANE_INLINE FloatW beyond(const Vec3W&, FloatW distance) const { return distance; }
    LANE_INLINE FloatW enlarged(FloatW magnitude) const { return magnitude; }
};

/// Any shape, expanded.
template <class Shape>
struct ExpandedW : Shape {
    Vec3W sweep;  // in the frame's coordinates
    FloatW margin;

    /// Every term of the shape passes two more sums. Where R is not orthonormal, the margin's ball becomes an
    /// ellipsoid.
    static LANE_INLINE float error_factor(const Frame& frame) {
        const float own = Shape::error_factor(frame);
        const float skewed = frame.rigid ? 0.0f : error_per_magnitude(roundings::skewed_ball);
        return (own > skewed ? own : skewed) + error_per_magnitude(roundings::sum_growth);
    }

    template <class Axes>
    LANE_INLINE ExpandedW(const Axes& axes, const Shape& shape, const ExpansionW& expansion)
        : Shape(shape), sweep(axes.turned(expansion.sweep)), margin(expansion.margin) {
        this->magnitude = expansion.enlarged(shape.magnitude);
    }

    LANE_INLINE Vec3W support(const Frame& frame, const Vec3W& v, std::uint32_t asked = all_lanes) const {
        const FloatW zero(0.0f);
        Vec3W moved = select(dot(v, sweep) > zero, sweep, Vec3W{zero, zero, zero});
        return plus_ball(support_in<Shape>(*this, frame, v, asked) + moved, frame, margin, v);
    }
    template <class Normal>
    LANE_INLINE FloatW reach(const Normal& n) const {
        return Shape::reach(n) + (margin + max(dot(n, sweep), FloatW(0.0f)));
    }
    template <class Normal>
    LANE_INLINE FloatW reach_back(const Normal& n) const {
        return Shape::reach_back(n) + (margin + max(-dot(n, sweep), FloatW(0.0f)));
    }
    LANE_INLINE ExtentW extent() const {
        const FloatW zero(0.0f);
        ExtentW shape = Shape::extent();
        Vec3W back = {min(sweep.x, zero), min(sweep.y, zero), min(sweep.z, zero)};
        Vec3W ahead = {max(sweep.x, zero), max(sweep.y, zero), max(sweep.z, zero)};
        Vec3W around = {margin, margin, margin};
        return {shape.low + (back - around), shape.high + (ahead + around)};
    }

    LANE_INLINE void rescale(FloatW scale) {
        Shape::rescale(scale);
        sweep = sweep * scale;
        margin = margin * scale;
    }
};

/// Objects that are tested as they are, without expansion.
struct Unexpanded {
    static constexpr bool expands = false;

    Unexpanded() = default;
    LANE_INLINE Unexpanded(const Attributes&, const PreparedView&) {}

    [[nodiscard]] static constexpr bool by_object() { return false; }

    template <class Fetch>
    LANE_INLINE NoExpansionW fetch(const Fetch&) const {
        return {};
    }
    template <class Axes, class Shape>
    LANE_INLINE const Shape& expand(const Axes&, const Shape& shape, const GatheredObjects&) const {
        return shape;
    }
    LANE_INLINE const BallW& expand(const BallW& ball, const GatheredObjects&) const { return ball; }
};

/// Objects with margins or sweeps, or a view with a margin. The view's margin is added to the objects' own: an object
/// is apart from the view's volume by more than the margin exactly if the object, expanded by the margin, is apart.
struct Expanded {
    static constexpr bool expands = true;

    const Attributes& attributes;
    FloatW view_margin;

    LANE_INLINE Expanded(const Attributes& a, const PreparedView& view) : Expanded(a, view.margin) {}
    LANE_INLINE Expanded(const Attributes& a, float margin) : attributes(a), view_margin(margin) {}

    /// Whether objects have margins or sweeps of their own. Else the view alone has a margin.
    [[nodiscard]] LANE_INLINE bool by_object() const {
        return attributes.margin != nullptr || attributes.sweep_x != nullptr;
    }
    /// The objects' own, for stage 1, whose planes are moved out by the view's margin (cull/planes_first.hpp).
    template <class Fetch>
    LANE_INLINE ExpansionW fetch(const Fetch& fetch) const {
        const FloatW zero(0.0f);
        ExpansionW expansion{{zero, zero, zero}, zero};
        if (attributes.sweep_x != nullptr) {
            expansion.sweep = {fetch(attributes.sweep_x), fetch(attributes.sweep_y), fetch(attributes.sweep_z)};
        }
        if (attributes.margin != nullptr) expansion.margin = fetch(attributes.margin);
        return expansion;
    }
    template <class Axes, class Shape>
    LANE_INLINE ExpandedW<Shape> expand(const Axes& axes, const Shape& shape, const GatheredObjects& gathered) const {
        ExpansionW expansion = fetch(gathered);
        expansion.margin = expansion.margin + view_margin;
        return {axes, shape, expansion};
    }
    /// A ball around the expanded ball, about the same centre.
    LANE_INLINE BallW expand(const BallW& ball, const GatheredObjects& gathered) const {
        const ExpansionW expansion = fetch(gathered);
        return {ball.center, ball.radius + (one_norm(expansion.sweep) + (expansion.margin + view_margin)), ball.size};
    }
};

/// The shapes of W objects of a kind, expanded. A shape that nothing expands is returned as it is made, not by way of a
/// reference (turned_box() in lanes/box.hpp says why).
template <class Kind, class Expansion, class Axes>
LANE_INLINE auto load_expanded(const Expansion& expansion, const Axes& axes, const typename Kind::Shapes& shapes,
                               const GatheredObjects& gathered) {
    if constexpr (Expansion::expands) {
        return expansion.expand(axes, Kind::load_shapes(axes, shapes, gathered), gathered);
    } else {
        return Kind::load_shapes(axes, shapes, gathered);
    }
}

}  // namespace
}  // namespace lanecull
