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

/// Local boxes and transforms, and the library's world bounds of them.
namespace world_tests {

enum class Family : std::uint8_t {
    ordinary,  ///< rotations, scales, places as games have them
    sheared,   ///< nine numbers of any sizes and signs: mirrored, sheared
    singular,  ///< equal, opposite or zero columns; flat boxes and points
    split,     ///< huge matrices of tiny boxes, and the other way round: factors of 2^+-126
    extreme,   ///< numbers from the smallest to 2^120
    far_away,  ///< boxes far from their own origin, translations that nearly cancel that
    relative,  ///< positions and origin in doubles, 10^3 to 10^9 from zero
    families,
    any,  ///< any floats, also those that make no object; each object has a box of its own
};

struct WorldCase {
    std::array<float, 12> transform;  ///< row by row, with its place in numbers 3, 7 and 11
    std::array<float, 3> lower, upper;
    std::array<double, 3> position;

    /// Bit j of `corner`: the upper end of axis j.
    [[nodiscard]] std::array<float, 3> corner(unsigned corner) const {
        std::array<float, 3> point = lower;
        for (std::size_t j = 0; j < 3; ++j) point[j] = (corner >> j & 1) != 0 ? upper[j] : lower[j];
        return point;
    }
};

/// Cases of one family, with everything that a call reads. Some share boxes by index.
struct World {
    std::vector<WorldCase> cases;
    std::array<double, 3> origin{};
    lanecull::TransformLayout layout = lanecull::TransformLayout::rows_3x4;
    bool has_positions = false;
    bool boxes_are_records = false;  ///< in `cases`, else streams

    World(Random& random, Family family, std::size_t count);

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

/// What all three functions find of one object.
struct FoundBounds {
    std::array<float, 6> box;
    std::array<float, 4> sphere;
    std::array<float, 3> center, half;
    std::array<float, 9> turned;  ///< axes; or a quaternion, and zeros
    float radius;
};

/// How oriented boxes are written: as structs of a rotation and half-extents, after each of which so many floats are
/// not written to.
struct Written {
    bool by_axes = false, has_radius = true;
    std::size_t gap = 0;
};

/// By all three functions, which read and write in `memory`. Throws if the library refuses, or writes to a gap.
[[nodiscard]] std::vector<FoundBounds> bounds_of(const World& world, const Written& how,
                                                 const lanecull::WorldBoundsOptions& options, Memory& memory);

}  // namespace world_tests
