#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/visibility.hpp>

#include "oracle/exact_hiding.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Worlds to bake, with what is known of them exactly.
struct BakeWorld {
    struct Member {
        Kind kind;
        Object object;
        std::uint32_t slot = 0;
    };

    lanecull::ConvexCell cell;
    lanecull::BakeOptions options;
    std::vector<lanecull::SolidBox> boxes, drawn;
    std::vector<lanecull::SolidOrientedBox> oriented_boxes;
    HullSet hulls;
    std::vector<Member> members;
    lanecull::Scene scene;
    std::string text;  ///< the cell and the solids, to repeat a failure

    BakeWorld() = default;
    BakeWorld(const BakeWorld&) = delete;
    BakeWorld& operator=(const BakeWorld&) = delete;

    /// Adds objects of one kind, with the attributes of `streams`. Throws what the library says against it.
    void add(Kind kind, const std::vector<Object>& objects, const Streams& streams);
    /// Once all has been added: says where objects are, and finds what is exact.
    void finish();

    [[nodiscard]] lanecull::SolidSet solids() const { return {boxes, oriented_boxes, drawn, {}}; }
    [[nodiscard]] exact::Solid exact_of(const Member& member) const;
    /// The cell's corners.
    [[nodiscard]] const exact::Sight& corners() const { return corners_; }
    /// A point of the cell, exactly.
    [[nodiscard]] exact::Sight random_eye(Random& random) const;
    /// Whether one solid hides the object from each of the eyes, one that no near plane may cut.
    [[nodiscard]] bool is_hidden(const exact::Solid& object, const exact::Sight& from) const;
    /// Whether the object is farther than options.distance from the cell.
    [[nodiscard]] bool is_distant(const exact::Solid& object) const;

private:
    exact::Sight corners_;
    std::vector<exact::HalfSpaces> facets_;  ///< of the solids that may hide
    std::vector<lanecull::Handle> handles_;  ///< of the members
};

/// Up to `solids` boxes, some oriented, in a camera's volume, and `objects` of each kind about and behind them; a near
/// reach and a distance in half of them.
void make_world(Random& random, const Camera& camera, std::size_t solids, std::size_t objects, BakeWorld& world);
