#pragma once

/// The part of a volume that a light reaches, and the rules for lights (lanecull/light.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/prepared_view.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

#include "base/affine.hpp"
#include "view/double_description.hpp"

namespace lanecull {

/// The rules of light.hpp.
[[nodiscard]] Status check_lights(const ViewOptions& options);

/// The half-spaces that the lamp's light stays in, as functions of p - c: its sides, and the cube around its range.
/// None of a sun's.
class LightLimits {
public:
    static constexpr std::size_t max_sides = 8;
    static constexpr std::size_t capacity = max_sides + 6;

    [[nodiscard]] Status add(const ViewOptions& options, const Interval3& c);
    /// Fails as add() does.
    [[nodiscard]] static Status check(const ViewOptions& options);
    [[nodiscard]] std::span<const Affine> all() const { return {f_, count_}; }

    [[nodiscard]] std::span<const Affine> sides() const { return {f_, std::min(cube_, count_)}; }
    /// Six; or none, of a lamp without a range.
    [[nodiscard]] std::span<const Affine> cube() const { return all().subspan(sides().size()); }
    [[nodiscard]] bool has_cube() const { return count_ > cube_; }
    /// Whether the cube is smaller than a volume of these corners. Then that volume is best what clips, and what the
    /// light reaches is clipped: corners are made of numbers no larger than it takes.
    [[nodiscard]] bool is_smaller_than(std::span<const Generator> corners) const;
    /// The cube's, whose half-spaces are the `first`-th and on. False if it has less than eight.
    [[nodiscard]] bool cube_corners(std::uint32_t first, Generators& corners) const;
    /// The half-space's value at the lamp.
    [[nodiscard]] Interval at_middle(const Affine& f) const { return f.at(at_); }
    /// Whether the cube lies in the half-space, for certain.
    [[nodiscard]] bool holds_cube(const Affine& f) const;
    /// A side of the cube that cuts off no more is left out. Sides that meet its edges are moved out by the margin, so
    /// they leave that much beyond it, in four more facets; but what is there is out of the lamp's range, and objects
    /// are asked about that anyway.
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

}  // namespace lanecull
