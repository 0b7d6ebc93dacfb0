#pragma once

/// What receives shadows: the part of a volume that a light reaches, and how its facets stand to the light. The rules
/// for lights are those of lanecull/view.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <lanecull/view.h>

#include "base/affine.hpp"
#include "base/fixed_list.hpp"
#include "view/double_description.hpp"
#include "view/edges.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// The rules of the options' lights.
[[nodiscard]] Status check_lights(const ViewOptions& options);

// What 0 stands for.

/// How far from what they shade casters may stand: so many times DirectionalLight::toward.
[[nodiscard]] inline double reach_of(const DirectionalLight& light) {
    return light.reach != 0 ? light.reach : std::numeric_limits<double>::infinity();
}
/// How far the light reaches.
[[nodiscard]] inline double range_of(const PointLight& light) {
    return light.range != 0 ? light.range : std::numeric_limits<double>::infinity();
}

/// The light's range, and the view's margin.
[[nodiscard]] double reach_of(const ViewOptions& options);

/// The half-spaces that the light stays in, as functions of p - c: its sides, and the cube around its range.
/// None of a directional light's.
class LightLimits {
public:
    static constexpr std::size_t max_sides = 8;
    static constexpr std::size_t capacity = max_sides + 6;

    [[nodiscard]] Status add(const ViewOptions& options, const Interval3& c);
    /// Fails as add() does.
    [[nodiscard]] static Status check(const ViewOptions& options);
    [[nodiscard]] std::span<const Affine> all() const { return {f_, count_}; }

    [[nodiscard]] std::span<const Affine> sides() const { return {f_, std::min(cube_, count_)}; }
    /// Six; or none, of a point light without a range.
    [[nodiscard]] std::span<const Affine> cube() const { return all().subspan(sides().size()); }
    [[nodiscard]] bool has_cube() const { return count_ > cube_; }
    /// Whether the cube is smaller than a volume of these corners. Then that volume is best what clips, and what the
    /// light reaches is clipped: corners are made of numbers no larger than it takes.
    [[nodiscard]] bool is_smaller_than(std::span<const Generator> corners) const;
    /// The cube's, whose half-spaces are the `first`-th and on. False if it has less than eight.
    [[nodiscard]] bool cube_corners(std::uint32_t first, Generators& corners) const;
    /// The half-space's value at the light.
    [[nodiscard]] Interval at_middle(const Affine& f) const { return f.at(at_); }
    /// Whether the cube lies in the half-space, for certain.
    [[nodiscard]] bool holds_cube(const Affine& f) const;
    /// A side of the cube that cuts off no more is left out. Sides that meet its edges are moved out by the margin, so
    /// they leave that much beyond it, in four more facets; but what is there is out of the light's range, and objects
    /// are tested for that anyway.
    [[nodiscard]] double slack() const { return 2 * margin_ + 0x1p-20 * reach_; }

private:
    Affine f_[capacity];
    std::uint32_t count_ = 0;
    std::uint32_t cube_ = capacity;  ///< where the cube's half-spaces begin
    Interval3 at_ = {};              ///< its middle
    double reach_ = 0, margin_ = 0;
};

/// The part of an intersection of half-spaces that a light reaches; all of it without one.
class LitPart {
public:
    /// At most PreparedView::max_planes; and their corners, where they are known already, with bit i of
    /// Generator::planes for half-space i. Fails when the light breaks a rule.
    [[nodiscard]] Status enclose(std::span<const Affine> half_spaces, std::span<const Generator> corners,
                                 const ViewOptions& options, const Interval3& c);

    /// Of half-spaces that have no point in common.
    [[nodiscard]] Status enclose_nothing(const ViewOptions& options) {
        enclosed_ = Enclosed::empty;
        return LightLimits::check(options);
    }

    /// Whether it has no point, for certain: the half-spaces have none in common, or the light reaches none.
    [[nodiscard]] bool unlit() const { return enclosed_ == Enclosed::empty; }
    [[nodiscard]] std::span<const Affine> half_spaces() const { return {f_, count_}; }
    /// None where they are not known.
    [[nodiscard]] std::span<const Generator> corners() const {
        return enclosed_ == Enclosed::whole ? corners_.all() : std::span<const Generator>();
    }

private:
    /// Encloses what the light reaches, by itself, and clips that by the half-spaces. False if it is not known.
    [[nodiscard]] bool clip_light(const LightLimits& limits);

    Affine f_[PreparedView::max_planes + LightLimits::capacity];
    std::size_t count_ = 0;
    Generators corners_;
    Enclosed enclosed_ = Enclosed::unknown;
};

/// What is known of the part of V that the light reaches, as functions of p - c.
struct Receivers {
    std::span<const Affine> half_spaces;    ///< it lies in all of them
    bool half_spaces_suffice = false;       ///< and is all that does; bit i of Generator::planes is half-space i
    std::span<const Generator> generators;  ///< and lies in their hull; none: corners are not known
    Double3 forward;                        ///< the way on which it becomes wider
};

/// The way that V is swept by, or the light that it is joined with, as seen from c.
struct Light {
    bool is_directional = false;
    bool endless = false;  ///< the light's reach
    Interval3 way = {};    ///< the light's: all of it, or of length 1 or so where it is endless
    Interval3 at = {};     ///< the light's place

    [[nodiscard]] bool ends() const { return is_directional && !endless && largest_component(middle(way)) > 0; }
};

/// The one that the options have.
[[nodiscard]] Light light_of(const ViewOptions& options, const Interval3& c);

/// V's half-spaces, and what they are at the light.
class HalfSpacesInLight {
public:
    HalfSpacesInLight(const Receivers& receivers, const Light& light);

    /// Whether V's corners show which half-spaces have facets, and which facets meet.
    [[nodiscard]] bool edges_known() const { return edges_known_; }
    [[nodiscard]] const Incidence& incidence() const { return incidence_; }
    /// Whether half-space k has a facet, or may. V is inside of the others, for certain.
    [[nodiscard]] bool touches(std::size_t k) const {
        return !edges_known_ || incidence_.on(static_cast<std::uint32_t>(k)) != 0;
    }
    /// The half-space's value at a point light, or the part of a directional light's way along its normal; of one that
    /// touches V.
    [[nodiscard]] Interval at_light(std::size_t k) const { return at_light_[k]; }
    /// Whether a point light is in V, for certain. Then the volume of casters is V.
    [[nodiscard]] bool hold_light() const { return hold_light_; }

private:
    Incidence incidence_;
    bool edges_known_, hold_light_;
    Interval at_light_[PreparedView::max_planes + LightLimits::capacity];
};

/// A half-space, and what it is at a light: its value at a point light, or the part of a directional light's way along
/// its normal. A light on the outer side (below 0) sees that facet; of the volume that is joined with the light, or
/// swept towards it, that facet is none, or is moved.
struct FacetInLight {
    Double3 normal;
    double at_light = 0;
    bool seen = false;
};

/// The facets that a volume gains when it is joined with a point light or swept towards a directional light, and the
/// edges that it has then. Each edge between a facet that the light sees and one that it does not gives a facet along
/// which light passes: f_i (-f_j(light)) + f_j f_i(light), which is 0 at the light, and holds what f_i and f_j hold.
/// view/PROOF.md ("Planes of edges") has the reasons.
class LitFacets {
public:
    explicit LitFacets(bool wants_edges) : wants_edges_(wants_edges) {}

    [[nodiscard]] bool wants_edges() const { return wants_edges_; }
    /// `facets` are the volume's half-spaces, in the order of Generator::planes' bits. `moved`: what the light sees is
    /// moved by the sweep, instead of being gone. False, and there are no edges, if there are too many facets or edges,
    /// or facets are back to back.
    [[nodiscard]] bool find(std::span<const FacetInLight> facets, const Incidence& incidence, bool is_directional,
                            bool moved);

    /// Inward, of length 1.
    [[nodiscard]] std::span<const Double3> normals() const { return normals_.all(); }
    /// None if they are not known, or not wanted.
    [[nodiscard]] std::span<const FacetPair> edges() const { return edges_.all(); }

private:
    void join(const FacetInLight& kept, const FacetInLight& seen, std::uint64_t on, bool moved);

    void add_edge(const Double3& a, const Double3& b) {
        if (wants_edges_) edges_.add(a, b);
    }

    EdgeList edges_;
    static constexpr std::uint32_t capacity = 64;
    FixedList<Double3, capacity> normals_;
    std::uint64_t on_[capacity];  ///< the generators that a new facet shares with the volume
    bool wants_edges_, complete_ = true;
};

}  // namespace lanecull
