#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/view.h>

#include "support/memory.hpp"
#include "support/random.hpp"

/// Local boxes and transforms, the library's world bounds of them, and whether these contain what they must: by doubles
/// with an error bound, by rationals where doubles cannot tell.
namespace world_tests {

enum class Family : std::uint8_t {
    ordinary,  ///< rotations, scales, places as games have them
    sheared,   ///< nine numbers of any sizes and signs: mirrored, sheared
    singular,  ///< equal, opposite or zero columns; flat boxes and points
    split,     ///< huge matrices of tiny boxes, and the other way round: factors of 2^+-126
    extreme,   ///< numbers from the smallest to 2^120
    far_away,  ///< boxes far from their own origin, translations that nearly cancel that
    relative,  ///< positions and origin in doubles, 10^3 to 10^9 from zero
    families
};

struct WorldCase {
    std::array<float, 9> linear;  ///< A, row by row
    std::array<float, 3> translation;
    std::array<float, 3> lower, upper;
    std::array<double, 3> position;
};

/// Cases of one family, with everything that a call reads. Some share boxes by index.
struct World {
    std::vector<WorldCase> cases;
    std::array<double, 3> origin{};
    lanecull::TransformLayout layout = lanecull::TransformLayout::rows_3x4;
    bool has_positions = false;
    bool boxes_are_records = false;  ///< in `cases`, else streams

    World(Random& random, Family family, std::size_t count);
    /// Each object has a box of its own. `origin`: null without positions.
    World(std::vector<WorldCase> given, lanecull::TransformLayout how, const std::array<double, 3>* given_origin);

    [[nodiscard]] lanecull::LocalBoxes local() const;
    [[nodiscard]] lanecull::Transforms transforms() const;
    /// Changes a number of a box, 0 to 2 of its lower corner, 3 to 5 of the upper one.
    void put(std::size_t side, std::size_t box, float value) {
        boxes[side][box] = value;
        (side < 3 ? cases[box].lower : cases[box].upper)[side % 3] = value;
    }
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(cases.size()); }
    [[nodiscard]] std::string describe(std::size_t i) const;

    std::vector<float> matrices;       ///< in the layout
    std::vector<std::uint32_t> index;  ///< empty: box i
    std::array<std::vector<float>, 6> boxes;

private:
    void share_boxes(Random& random);
    void lay_out();
};

/// What the functions read of a world.
struct WorldInputs {
    lanecull::LocalBoxes local;
    lanecull::Transforms transforms;
};
[[nodiscard]] float* copied(Memory& memory, const std::vector<float>& values);
/// With boxes and matrices in that memory, such as one between guard pages.
[[nodiscard]] WorldInputs copied(Memory& memory, const World& world);

/// Streams of results.
struct WorldBounds {
    std::array<std::vector<float>, 6> boxes;
    std::array<std::vector<float>, 4> spheres;
};
/// By both functions. Throws if the library refuses.
[[nodiscard]] WorldBounds bounds_of(const World& world, lanecull::Isa isa, const lanecull::Runner& runner = {});

/// The streams and records of world_oriented_boxes(), packed.
struct OrientedBounds {
    bool by_axes = false;
    std::array<std::vector<float>, 3> center;
    std::vector<float> turned;  ///< axes, 9 floats a box, or quaternions, 4
    std::vector<float> half;
    std::vector<float> radius;

    [[nodiscard]] std::size_t width() const { return by_axes ? 9 : 4; }
    /// Whether all numbers of box i are finite, those of its rotation left aside.
    [[nodiscard]] bool is_finite(std::size_t i) const;
    /// Takes over all numbers of box i.
    void take(const OrientedBounds& from, std::size_t i);
    [[nodiscard]] bool operator==(const OrientedBounds&) const = default;
};
/// Throws if the library refuses.
[[nodiscard]] OrientedBounds oriented_bounds_of(const World& world, bool by_axes, lanecull::Isa isa,
                                                const lanecull::Runner& runner = {});

/// What is known of one object's bounds.
struct Judgement {
    bool is_finite;  ///< else the object stays visible
    bool contains;   ///< every point of the transformed box
    double padding;  ///< the most by which the box is too large, in units of u times the sizes of all terms
    bool needed_rationals;
    /// The same in units of u times the largest |coordinates| of the box, and 2^-46 of all terms; of boxes alone.
    double own_padding = 0;
};
/// Of boxes, wherever their local boxes are: sums of floats have 13 u of no more than some five times the coordinates.
inline constexpr double most_own_padding = 70;
[[nodiscard]] Judgement judge_box(const World& world, const WorldBounds& bounds, std::size_t i);
/// Its padding is the radius as a multiple of the farthest corner's distance, less 1; 0 where that is tiny.
[[nodiscard]] Judgement judge_sphere(const World& world, const WorldBounds& bounds, std::size_t i);

struct OrientedJudgement {
    bool is_finite;  ///< else the object stays visible
    bool contains;   ///< every point of the transformed box
    bool in_ball;    ///< the bounding sphere contains the box
    bool is_turned;  ///< the quaternion is as long as 1, or the axes are orthonormal, but for rounding
    /// The most by which a half-extent is too large for these axes, in units of u times the sizes of all terms of all
    /// three coordinates.
    double padding;
    /// The most by which a half-extent is larger than half the edge of the parallelepiped that belongs to it, in the
    /// same units. Where columns are at right angles nothing but rounding is in it.
    double beyond_edge;
    bool needed_rationals;
};
[[nodiscard]] OrientedJudgement judge_oriented(const World& world, const OrientedBounds& bounds, std::size_t i);

/// The greatest normal . p + offset over the object's points p, in doubles: within `error` of the truth.
struct Height {
    double value, error;
};
[[nodiscard]] Height height(const World& world, const lanecull::Plane& plane, std::size_t i);
/// Whether no point of the object lies in the half-space, in rationals.
[[nodiscard]] bool exactly_behind(const World& world, const lanecull::Plane& plane, std::size_t i);

}  // namespace world_tests
