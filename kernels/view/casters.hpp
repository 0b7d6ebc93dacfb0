#pragma once

/// Views of shadow casters (lanecull/light.hpp). A volume V becomes V swept towards the sun, or the hull of V and a
/// lamp; kernels/PROOF.md derives both.

#include <lanecull/view.hpp>

#include "base/affine.hpp"
#include "view/double_description.hpp"

namespace lanecull {

[[nodiscard]] inline bool casts_shadows(const ViewOptions& options) {
    return options.sun != nullptr || options.lamp != nullptr;
}

/// The rules of light.hpp.
[[nodiscard]] Status check_lights(const ViewOptions& options);

/// The half-spaces that the lamp's light stays in, as functions of p - c: its sides, and the cube around its range.
/// None of a sun's.
class LightLimits {
public:
    static constexpr std::size_t max_sides = 8;
    static constexpr std::size_t capacity = max_sides + 6;

    [[nodiscard]] Status add(const ViewOptions& options, const Interval3& c);
    [[nodiscard]] std::span<const Affine> all() const { return {f_, count_}; }

private:
    Affine f_[capacity];
    std::uint32_t count_ = 0;
};

/// The part of an intersection of half-spaces that a light reaches; all of it without one.
class LitPart {
public:
    /// At most PreparedView::max_planes, which `name` is the argument of; and their corners, where they are known
    /// already, with bit i of Generator::planes for half-space i. Fails when the half-spaces have no point in common,
    /// or the light breaks a rule.
    [[nodiscard]] Status enclose(std::span<const Affine> half_spaces, std::span<const Generator> corners,
                                 const char* name, const ViewOptions& options, const Interval3& c);

    [[nodiscard]] bool unlit() const { return enclosed_ == Enclosed::empty; }
    [[nodiscard]] std::span<const Affine> half_spaces() const { return {f_, count_}; }
    /// None where they are not known.
    [[nodiscard]] std::span<const Generator> corners() const {
        return enclosed_ == Enclosed::whole ? corners_.all() : std::span<const Generator>();
    }

private:
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

/// Fills in rotation, planes and support mapping of the caster volume. The view's origin is c.
void describe_casters(const Receivers& receivers, const ViewOptions& options, const Interval3& c, PreparedView& view);
void describe_casters(const LitPart& lit, const Double3& forward, const ViewOptions& options, const Interval3& c,
                      PreparedView& view);

/// Nothing receives shadows: every object is culled.
void describe_no_casters(PreparedView& view);

}  // namespace lanecull
