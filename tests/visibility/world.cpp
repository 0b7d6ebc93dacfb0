#include "visibility/world.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>

#include "occluders/solids.hpp"
#include "oracle/exact_objects.hpp"
#include "support/written.hpp"

namespace {

void check(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

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

/// A point about a solid, moved away from the eye.
Double3 place_behind(Random& random, const lanecull::SolidBox& box, const Double3& eye) {
    Double3 at;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto low = static_cast<double>(box.min[k]), high = static_cast<double>(box.max[k]);
        at[k] = random.range(low - 0.1 * (high - low), high + 0.1 * (high - low));
    }
    return at + random.log_range(1e-3, 3) * (at - eye);
}

/// The corners of a box.
exact::Solid corners_of(const lanecull::SolidBox& box) { return exact::box(box.min, box.max); }

}  // namespace

void BakeWorld::add(Kind kind, const std::vector<Object>& objects, const Streams& streams) {
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.streams = streams});
    std::vector<lanecull::Handle> handles(objects.size());
    check(scene.add({&batch, 1}, handles));
    handles_.insert(handles_.end(), handles.begin(), handles.end());
    for (const Object& object : objects) members.push_back({kind, object});
}

void BakeWorld::finish() {
    scene.refit();
    for (std::size_t i = 0; i < members.size(); ++i) check(scene.slot_of(handles_[i], members[i].slot));
    for (std::size_t c = 0; c < cell.corners; ++c) {
        const double(&at)[3] = cell.corner[c];
        corners_.eyes.push_back(exact::point(at[0], at[1], at[2]));
        text += "\n  corner" + written(Double3{at[0], at[1], at[2]});
    }
    text += "\n  near reach, distance" + written(Double3{options.near_reach, options.distance, 0});
    const exact::Volume near = exact::Volume::hull(corners_.eyes).widened(exact::rational(options.near_reach));
    for (std::size_t i = 0; i < boxes.size() + oriented_boxes.size(); ++i) {
        if (decide(corners_of(drawn[i]), near).verdict != exact::Verdict::apart) continue;
        if (i < boxes.size()) {
            facets_.push_back(exact::facets_of_box(boxes[i].min, boxes[i].max));
        } else {
            const lanecull::SolidOrientedBox& box = oriented_boxes[i - boxes.size()];
            facets_.push_back(exact::facets_of_oriented_box(box.center, box.half_extents, &box.axes[0][0]));
        }
    }
}

exact::Solid BakeWorld::exact_of(const Member& member) const {
    return exact_solid_of(member.kind, member.object, hulls);
}

bool BakeWorld::is_hidden(const exact::Solid& object, const exact::Sight& from) const {
    return std::any_of(facets_.begin(), facets_.end(), [&](const exact::HalfSpaces& solid) {
        const auto hidden = exact::hidden_by(solid, from);
        return hidden.has_value() && contain(*hidden, object);
    });
}

bool BakeWorld::is_distant(const exact::Solid& object) const {
    if (std::isinf(options.distance)) return false;
    const exact::Volume around = exact::Volume::hull(corners_.eyes).widened(exact::rational(options.distance));
    return decide(object, around).verdict == exact::Verdict::apart;
}

exact::Sight BakeWorld::random_eye(Random& random) const {
    exact::Rational sum = 0;
    exact::Point eye = exact::point(0, 0, 0);
    for (const exact::Point& corner : corners_.eyes) {
        const exact::Rational weight = exact::rational(random.range(0.001, 1));
        eye = eye + weight * corner;
        sum += weight;
    }
    return {{exact::Rational(1) / sum * eye}, {}};
}

void make_world(Random& random, const Camera& camera, std::size_t solids, std::size_t objects, BakeWorld& world) {
    const auto from = viewpoint_of(camera);
    const Double3 eye = from ? from->eye : Double3{};
    const double near = std::fabs(camera.depth[0]);
    world.hulls = random_hulls(random, 4);
    world.cell = random_cell(random, eye, random.log_range(1e-3, 1) * near);
    if (random.chance(0.5)) world.options.near_reach = near * random.log_range(0.1, 100);
    std::vector<lanecull::SolidBox> drawn_oriented;
    for (const SolidForm form : {SolidForm::box, SolidForm::oriented_box}) {
        for (const TestSolid& solid : random_solids(random, camera, eye, (solids + 1) / 2, form)) {
            world.text += "\n  " + solid.text;
            if (const auto* box = std::get_if<lanecull::SolidBox>(&solid.given)) {
                world.boxes.push_back(*box);
                world.drawn.push_back(solid.drawn);
            } else {
                world.oriented_boxes.push_back(std::get<lanecull::SolidOrientedBox>(solid.given));
                drawn_oriented.push_back(solid.drawn);
            }
        }
    }
    world.drawn.insert(world.drawn.end(), drawn_oriented.begin(), drawn_oriented.end());
    double away = 0;  // of some object
    for (const Kind kind : all_kinds) {
        std::vector<Object> of_kind;
        for (std::size_t i = 0; i < objects; ++i) {
            const Double3 at = place_behind(random, world.drawn[random.bits() % world.drawn.size()], eye);
            away = length(at - eye);
            of_kind.push_back(object_at(random, kind, at, away * random.log_range(1e-5, 0.05), world.hulls));
            if (random.chance(0.2)) {
                grow(random, kind, world.hulls, {.margin = true, .sweep = true}, of_kind.back());
            }
        }
        world.add(kind, of_kind, {.margin = true, .sweep = true});
    }
    if (random.chance(0.5)) world.options.distance = away;
    world.finish();
}
