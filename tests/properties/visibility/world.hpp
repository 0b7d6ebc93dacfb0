#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/visibility.h>

#include "oracle/exact.hpp"
#include "properties/family.hpp"
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

    /// Eyes, and what each solid hides from all of them: of those solids that no near plane cuts.
    struct Place {
        exact::Sight eyes;
        std::vector<exact::HalfSpaces> hidden;
    };
    /// The parts that a cell was baked in, or the cell itself.
    struct Parts {
        std::array<std::uint32_t, 3> counts;
        std::vector<Place> places;
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
    /// Then: gives objects random layers, limits, and flags among these. Nothing that is exact depends on them.
    void mark(Random& random, std::uint32_t flags);

    [[nodiscard]] lanecull::SolidSet solids() const { return {boxes, oriented_boxes, drawn, {}}; }
    [[nodiscard]] exact::Solid exact_of(const Member& member) const;
    /// The cell's corners.
    [[nodiscard]] const Place& corners() const { return corners_; }
    /// The corners of each part that the cell was baked in, by each of several bakes: those that differ.
    [[nodiscard]] std::vector<Parts> parts(std::span<const lanecull::BakedCell> bakes) const;
    /// A point of the cell, exactly.
    [[nodiscard]] exact::Sight random_eye(Random& random) const;
    /// Whether one solid hides the object from a point of the cell.
    [[nodiscard]] bool is_hidden(const exact::Solid& object, const exact::Sight& eye) const;
    /// Whether one solid hides the object from all eyes of a place.
    [[nodiscard]] static bool is_hidden(const exact::Solid& object, const Place& from);
    /// Whether one does from each of the parts.
    [[nodiscard]] static bool is_hidden(const exact::Solid& object, const Parts& from);
    /// Whether the object is farther than options.distance from the cell.
    [[nodiscard]] bool is_distant(const exact::Solid& object) const;

private:
    [[nodiscard]] Place place(exact::Sight eyes) const;

    Place corners_;
    std::vector<exact::HalfSpaces> facets_;  ///< of the solids
    std::vector<lanecull::Handle> handles_;  ///< of the members
};

/// Up to `solids` boxes, some oriented, in a camera's volume, and `objects` of each kind about and behind them; a near
/// reach and a distance in half of them.
void make_world(Random& random, const Camera& camera, std::size_t solids, std::size_t objects, BakeWorld& world);

/// A box as the cell, about `at`; walls before it that each reach in from one side; and `objects` of each kind behind
/// them, many of which one wall hides from one side of the cell and another from the other.
void make_walls(Random& random, const Double3& at, std::size_t objects, BakeWorld& world);

/// A cell at street level in a town of more houses than one cull takes occluders, some of them turned; and `objects` of
/// each kind between them.
void make_town(Random& random, std::size_t objects, BakeWorld& world);

namespace properties {

// The other cases of this subject.

/// A grid covers what it is to cover, parts of a box that box, and neighbours share their faces.
void cover_with_cells(Trial& trial);
void divide_cell(Trial& trial);
/// Points are found in the cell that contains them.
void find_cell(Trial& trial);

/// Sets and files are what they were before they were compressed or written; CRoaring reads the same.
void keep_set(Trial& trial);
void keep_file(Trial& trial);
/// Any bytes, and some that are changed: refused, with nothing written, or read without contradiction. Half of the
/// files have the right checksums again, so that what lies behind them is tried.
void change_set(Trial& trial);
void change_file(Trial& trial);

}  // namespace properties
