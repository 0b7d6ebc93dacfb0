#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/visibility.hpp>

#include "oracle/exact_hiding.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Random worlds to bake: a cell, solid boxes, and objects of every kind about and behind them.
struct BakeWorld {
    struct Member {
        Kind kind;
        Object object;
        std::uint32_t slot = 0;
        lanecull::Handle handle = 0;
    };

    lanecull::ConvexCell cell;
    exact::Sight corners;  ///< the cell's
    std::vector<lanecull::SolidBox> boxes, drawn;
    std::vector<lanecull::SolidOrientedBox> oriented_boxes;
    std::vector<exact::HalfSpaces> facets;  ///< of the solids, boxes first
    HullSet hulls;
    std::vector<Member> members;
    lanecull::Scene scene;
    std::string text;  ///< the cell and the solids, to repeat a failure

    /// Up to `solids` boxes, some oriented, in a camera's volume, and `objects` of each kind.
    BakeWorld(Random& random, const Camera& camera, std::size_t solids, std::size_t objects);
    BakeWorld(const BakeWorld&) = delete;
    BakeWorld& operator=(const BakeWorld&) = delete;

    [[nodiscard]] lanecull::SolidSet solids() const { return {boxes, oriented_boxes, drawn, {}}; }
    [[nodiscard]] exact::Solid exact_of(const Member& member) const;
    /// Whether one solid hides the object from each of the eyes.
    [[nodiscard]] bool is_hidden(const exact::Solid& object, const exact::Sight& from) const;
    /// A point of the cell, exactly.
    [[nodiscard]] exact::Sight random_eye(Random& random) const;
};
