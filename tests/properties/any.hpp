#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "oracle/exact.hpp"
#include "properties/views/placing.hpp"
#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Objects of any numbers.
namespace properties {

/// One to three; of one vertex each unless `many`. Their numbers are finite.
[[nodiscard]] HullSet read_hulls(Random& random, bool many);
/// Of one of so many hulls. Often valid; without attributes.
[[nodiscard]] Object read_object(Random& random, Kind kind, std::size_t hulls);

/// Which attributes a batch has.
[[nodiscard]] Streams read_streams(Random& random);
void read_attributes(Random& random, const Streams& streams, Object& object);

/// So many words of candidates: none, all or some of a word, those of no object among them.
[[nodiscard]] std::vector<std::uint64_t> read_candidates(Random& random, std::size_t words);

/// The object's numbers make no shape: visible wherever it is.
[[nodiscard]] bool is_invalid(Kind kind, const Object& object);

// Views by any arguments.

/// Any numbers, or those of a camera that looks along -z from the origin, row by row, with some of them changed.
[[nodiscard]] std::array<double, 16> read_matrix(Random& random);
[[nodiscard]] std::vector<lanecull::Plane> read_planes(Random& random, int most);
/// One light; rarely none, or two.
[[nodiscard]] Light read_light(Random& random);

/// Arguments to prepare a view from.
struct ViewArguments {
    enum class Form : std::uint32_t { matrix, floats, stereo, cascade, corners, planes, ball };

    Form form = Form::matrix;
    std::array<double, 16> matrix{}, other{};  ///< `other` is the right eye's matrix
    lanecull::ClipSpace clip_space;
    double near_depth = 0, far_depth = 0;  ///< of a slice
    lanecull::WorldBox box{};              ///< of its receivers
    std::array<double, 24> corners{};
    std::vector<lanecull::Plane> planes;
    std::array<double, 3> center{};  ///< of a ball
    double radius = 0;
    std::vector<lanecull::Plane> clip_planes;
    double margin = 0;
    std::uint32_t layer_mask = ~std::uint32_t{0};
    std::optional<Double3> eye;
    double size_scale = 0;
    Light light;

    explicit ViewArguments(Random& random) : ViewArguments(random, static_cast<Form>(random.below(7))) {}
    ViewArguments(Random& random, Form chosen);

    [[nodiscard]] lanecull::Status prepare(lanecull::View& view) const;
    [[nodiscard]] lanecull::Slice slice() const { return {matrix, clip_space, near_depth, far_depth}; }
    /// Whether the view may measure distances from an eye of its own instead of `eye`.
    [[nodiscard]] bool has_own_eye() const { return form < Form::corners; }

    /// Whether exact arithmetic is fast for all of the numbers.
    [[nodiscard]] bool moderate() const;
    /// A point close to where three of the volume's planes meet, or a corner, or a receiver.
    [[nodiscard]] Double3 corner(Random& random) const;
    /// From the point to some share of the way to the light, if there is one.
    [[nodiscard]] Double3 way_to_light(Random& random, const Double3& from) const;
    [[nodiscard]] std::string describe() const;
};

/// The exact volume of a view whose arguments are moderate().
class ExactView {
public:
    explicit ExactView(const ViewArguments& arguments);

    /// True only if the solid shares a point with the volume. May be false for such a solid if planes cut corners, and
    /// near the range of a point light.
    [[nodiscard]] bool certainly_meets(const exact::Solid& solid) const;
    [[nodiscard]] bool certainly_has_a_point() const { return known_ && limits_.empty() && !volume_.empty(); }
    /// The volume, margin included. Null if the exact oracle cannot represent it: corners that planes cut, balls, and
    /// point lights with a range.
    [[nodiscard]] const exact::Volume* volume() const {
        return known_ && whole_ && limits_.empty() ? &volume_ : nullptr;
    }

private:
    exact::HalfSpaces limits_;  ///< half-spaces that cut the volume further
    exact::Volume volume_;
    bool known_ = true;  ///< volume_ is not larger than the view's volume
    bool whole_ = true;  ///< nor smaller
};

}  // namespace properties
