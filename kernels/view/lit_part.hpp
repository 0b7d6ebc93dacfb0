#pragma once

/// The part of a volume that a light reaches, and the rules for lights (lanecull/light.hpp).

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

}  // namespace lanecull
