#include "visibility/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "occluders/solids.hpp"
#include "oracle/exact_objects.hpp"
#include "support/written.hpp"

namespace {

/// A box, or 1 to 8 corners anywhere about the eye.
lanecull::ConvexCell random_cell(Random& random, const Double3& eye, double size) {
    lanecull::ConvexCell cell;
    cell.corners = random.chance(0.6) ? 8 : 1 + static_cast<std::uint32_t>(random.below(8));
    const bool is_box = cell.corners == 8;
    for (std::size_t c = 0; c < cell.corners; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            cell.corner[c][k] = eye[k] + size * (is_box ? ((c >> k & 1) != 0 ? 1 : -1) : random.range(-1, 1));
        }
    }
    return cell;
}

/// A point about a solid, moved away from the eye; or anywhere about it.
Double3 place_behind(Random& random, const lanecull::SolidBox& box, const Double3& eye) {
    Double3 at;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto low = static_cast<double>(box.min[k]), high = static_cast<double>(box.max[k]);
        at[k] = random.range(low - 0.1 * (high - low), high + 0.1 * (high - low));
    }
    return at + random.log_range(1e-3, 3) * (at - eye);
}

}  // namespace

BakeWorld::BakeWorld(Random& random, const Camera& camera, std::size_t solids, std::size_t objects)
    : hulls(random_hulls(random, 4)) {
    const auto from = viewpoint_of(camera);
    const Double3 eye = from ? from->eye : Double3{};
    cell = random_cell(random, eye, random.log_range(1e-3, 1) * std::fabs(camera.depth[0]));
    for (std::size_t c = 0; c < cell.corners; ++c) {
        corners.eyes.push_back(exact::point(cell.corner[c][0], cell.corner[c][1], cell.corner[c][2]));
        text += "corner " + written(Double3{cell.corner[c][0], cell.corner[c][1], cell.corner[c][2]}) + "\n";
    }
    std::vector<lanecull::SolidBox> drawn_oriented;
    std::vector<exact::HalfSpaces> oriented_facets;
    for (const SolidForm form : {SolidForm::box, SolidForm::oriented_box}) {
        for (const TestSolid& solid : random_solids(random, camera, eye, (solids + 1) / 2, form)) {
            text += solid.text + "\n";
            if (const auto* box = std::get_if<lanecull::SolidBox>(&solid.given)) {
                boxes.push_back(*box);
                drawn.push_back(solid.drawn);
                facets.push_back(solid.facets);
            } else {
                oriented_boxes.push_back(std::get<lanecull::SolidOrientedBox>(solid.given));
                drawn_oriented.push_back(solid.drawn);
                oriented_facets.push_back(solid.facets);
            }
        }
    }
    drawn.insert(drawn.end(), drawn_oriented.begin(), drawn_oriented.end());
    facets.insert(facets.end(), oriented_facets.begin(), oriented_facets.end());
    for (const Kind kind : all_kinds) {
        std::vector<Object> of_kind;
        for (std::size_t i = 0; i < objects; ++i) {
            const Double3 at = place_behind(random, drawn[random.bits() % drawn.size()], eye);
            of_kind.push_back(object_at(random, kind, at, length(at - eye) * random.log_range(1e-5, 0.05), hulls));
            if (random.chance(0.2)) grow(random, kind, hulls, {.margin = true, .sweep = true}, of_kind.back());
        }
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, of_kind, hulls, memory, {.streams = {.margin = true, .sweep = true}});
        std::vector<lanecull::Handle> handles(objects);
        const lanecull::Status added = scene.add({&batch, 1}, handles);
        EXPECT_TRUE(added.ok()) << added.message();
        for (std::size_t i = 0; i < objects; ++i) members.push_back({kind, of_kind[i], 0, handles[i]});
    }
    scene.refit();
    for (Member& member : members) EXPECT_TRUE(scene.slot_of(member.handle, member.slot).ok());
}

exact::Solid BakeWorld::exact_of(const Member& member) const {
    return exact_solid_of(member.kind, member.object, hulls);
}

bool BakeWorld::is_hidden(const exact::Solid& object, const exact::Sight& from) const {
    return std::any_of(facets.begin(), facets.end(), [&](const exact::HalfSpaces& solid) {
        const auto hidden = exact::hidden_by(solid, from);
        return hidden.has_value() && contain(*hidden, object);
    });
}

exact::Sight BakeWorld::random_eye(Random& random) const {
    exact::Rational sum = 0;
    exact::Point eye = exact::point(0, 0, 0);
    for (const exact::Point& corner : corners.eyes) {
        const exact::Rational weight = exact::rational(random.range(0.001, 1));
        eye = eye + weight * corner;
        sum += weight;
    }
    return {{exact::Rational(1) / sum * eye}, {}};
}
