#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/view.hpp>

#include "fuzz/input.hpp"
#include "oracle/exact.hpp"
#include "support/double3.hpp"

/// What a view is prepared from, as the fuzzers make it up, and what it means exactly.
struct ViewArguments {
    enum class Form : std::uint32_t { matrix, floats, stereo, corners, planes };

    Form form = Form::matrix;
    std::array<double, 16> matrix{}, other{};  ///< `other` is the right eye's
    lanecull::ClipSpace clip_space;
    std::array<double, 24> corners{};
    std::vector<lanecull::Plane> planes;
    std::vector<lanecull::Plane> clip_planes;
    double margin = 0;
    std::uint32_t layer_mask = ~std::uint32_t{0};
    std::optional<Double3> eye;
    double size_scale = 0;
    std::optional<lanecull::Sun> sun;
    std::optional<lanecull::Lamp> lamp;  ///< its sides are lamp_sides
    std::vector<lanecull::Plane> lamp_sides;

    explicit ViewArguments(Input& input);

    [[nodiscard]] lanecull::Status prepare(lanecull::View& view) const;
    /// Whether the view may measure distances from a point that is not `eye`.
    [[nodiscard]] bool has_own_eye() const { return form != Form::corners && form != Form::planes; }

    /// Whether exact arithmetic takes little time for all numbers.
    [[nodiscard]] bool moderate() const;
    /// A point where three of the volume's planes meet, more or less; or a corner.
    [[nodiscard]] Double3 corner(Input& input) const;
    [[nodiscard]] std::string describe() const;
};

/// What a moderate view's volume shares points with.
class ExactView {
public:
    explicit ExactView(const ViewArguments& arguments);

    /// The solid shares a point with the volume. (Not every such solid where corners are cut by planes, and none of a
    /// lamp with a range.)
    [[nodiscard]] bool certainly_meets(const exact::Solid& solid) const;
    /// The volume, margin included; null where it is not known as one: corners that planes cut, lamps with a range.
    [[nodiscard]] const exact::Volume* volume() const { return known_ && limits_.empty() ? &volume_ : nullptr; }

private:
    exact::HalfSpaces limits_;  ///< besides the volume
    exact::Volume volume_;
    bool known_ = true;  ///< the volume is no larger than the view's
};
