#include "properties/visibility/world.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <variant>

#include "occluders/solids.hpp"
#include "oracle/exact_objects.hpp"
#include "support/random.hpp"

namespace {

void check(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

lanecull::ConvexCell box_cell(const Double3& at, const Double3& reach) {
    lanecull::ConvexCell cell;
    cell.corners = 8;
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t k = 0; k < 3; ++k) cell.corner[c][k] = at[k] + ((c >> k & 1) != 0 ? reach[k] : -reach[k]);
    }
    return cell;
}

/// A box, or 1 to 7 corners anywhere about the eye.
lanecull::ConvexCell random_cell(Random& random, const Double3& eye, double size) {
    if (random.chance(0.6)) return box_cell(eye, {size, size, size});
    lanecull::ConvexCell cell;
    cell.corners = 1 + static_cast<std::uint32_t>(random.below(7));
    for (std::size_t c = 0; c < cell.corners; ++c) {
        for (std::size_t k = 0; k < 3; ++k) cell.corner[c][k] = eye[k] + size * random.range(-1, 1);
    }
    return cell;
}

/// Objects of each kind, place_and_size() each.
template <class PlaceAndSize>
void add_objects(Random& random, std::size_t count, const Streams& streams, BakeWorld& world,
                 const PlaceAndSize& place_and_size) {
    for (const Kind kind : all_kinds) {
        std::vector<Object> of_kind;
        for (std::size_t i = 0; i < count; ++i) {
            const auto [place, size] = place_and_size();
            of_kind.push_back(object_at(random, kind, place, size, world.hulls));
            if (streams.margin && random.chance(0.2)) grow(random, kind, world.hulls, streams, of_kind.back());
        }
        world.add(kind, of_kind, streams);
    }
    world.finish();
}

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
    exact::Sight corners;
    for (std::size_t c = 0; c < cell.corners; ++c) {
        const double(&at)[3] = cell.corner[c];
        corners.eyes.push_back(exact::point(at[0], at[1], at[2]));
        text += "\n  corner" + written(Double3{at[0], at[1], at[2]});
    }
    text += "\n  near reach, distance" + written(Double3{options.near_reach, options.distance, 0});
    for (const lanecull::SolidBox& box : boxes) facets_.push_back(facets_of(box));
    for (const lanecull::SolidOrientedBox& box : oriented_boxes) facets_.push_back(facets_of(box));
    corners_ = place(std::move(corners));
}

void BakeWorld::mark(Random& random, std::uint32_t flags) {
    std::vector<Object> objects;
    for (Member& member : members) {
        ::mark(random, member.object);
        member.object.flags &= flags;
        if (random.chance(0.2)) member.object.layers = 0;
        if (random.chance(0.2)) member.object.max_distance = 0;
        if (random.chance(0.2)) member.object.min_projected_size = 1e30F;
        if (random.chance(0.2)) member.object.min_distance = 1e30F;
        objects.push_back(member.object);
    }
    HeapMemory memory;
    Streams streams = Streams::all();
    streams.margin = streams.sweep = false;
    check(
        scene.set_attributes(handles_, make_batch(Kind::sphere, objects, {}, memory, {.streams = streams}).attributes));
    scene.refit();
}

BakeWorld::Place BakeWorld::place(exact::Sight eyes) const {
    const exact::Volume near = exact::Volume::hull(eyes.eyes).widened(exact::rational(options.near_reach));
    Place place{std::move(eyes), {}};
    for (std::size_t i = 0; i < facets_.size(); ++i) {
        if (decide(exact::box(drawn[i].min, drawn[i].max), near).verdict != exact::Verdict::apart) continue;
        if (auto hidden = exact::hidden_by(facets_[i], place.eyes)) place.hidden.push_back(std::move(*hidden));
    }
    return place;
}

std::vector<BakeWorld::Parts> BakeWorld::parts(std::span<const lanecull::BakedCell> bakes) const {
    std::vector<Parts> result;
    for (const lanecull::BakedCell& baked : bakes) {
        const std::array counts = std::to_array(baked.parts);
        if (std::any_of(result.begin(), result.end(), [&](const Parts& p) { return p.counts == counts; })) continue;
        Parts& parts = result.emplace_back(Parts{counts, {}});
        const std::uint32_t count = counts[0] * counts[1] * counts[2];
        if (count == 1) parts.places = {corners_};
        for (std::uint32_t i = 0; i < count && count > 1; ++i) {
            lanecull::ConvexCell part;
            check(lanecull::part_of(cell, baked.parts, i, part));
            exact::Sight eyes;
            for (const double(&at)[3] : part.corner) eyes.eyes.push_back(exact::point(at[0], at[1], at[2]));
            parts.places.push_back(place(std::move(eyes)));
        }
    }
    return result;
}

exact::Solid BakeWorld::exact_of(const Member& member) const {
    return exact_solid_of(member.kind, member.object, hulls);
}

bool BakeWorld::is_hidden(const exact::Solid& object, const exact::Sight& eye) const {
    return is_hidden(object, place(eye));
}

bool BakeWorld::is_hidden(const exact::Solid& object, const Place& from) {
    return std::any_of(from.hidden.begin(), from.hidden.end(),
                       [&](const exact::HalfSpaces& hidden) { return exact::contain(hidden, object); });
}

bool BakeWorld::is_hidden(const exact::Solid& object, const Parts& from) {
    return std::all_of(from.places.begin(), from.places.end(),
                       [&](const Place& place) { return is_hidden(object, place); });
}

bool BakeWorld::is_distant(const exact::Solid& object) const {
    if (options.distance == 0 || std::isinf(options.distance)) return false;
    const exact::Volume around = exact::Volume::hull(corners_.eyes.eyes).widened(exact::rational(options.distance));
    return decide(object, around).verdict == exact::Verdict::apart;
}

exact::Sight BakeWorld::random_eye(Random& random) const {
    exact::Rational sum = 0;
    exact::Point eye = exact::point(0, 0, 0);
    for (const exact::Point& corner : corners_.eyes.eyes) {
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
    world.cell = random_cell(random, eye, random.log_range(1e-3, random.chance(0.3) ? 100 : 1) * near);
    if (random.chance(0.5)) world.options.near_reach = near * random.log_range(0.1, 100);
    for (const SolidForm form : {SolidForm::box, SolidForm::oriented_box}) {
        for (const TestSolid& solid : random_solids(random, camera, eye, (solids + 1) / 2, form)) {
            world.text += "\n  " + solid.text;
            world.drawn.push_back(solid.drawn);
            if (const auto* box = std::get_if<lanecull::SolidBox>(&solid.given)) {
                world.boxes.push_back(*box);
            } else {
                world.oriented_boxes.push_back(std::get<lanecull::SolidOrientedBox>(solid.given));
            }
        }
    }
    world.options.max_parts = 1U << random.below(5);
    const auto place = [&] { return place_behind(random, world.drawn[random.bits() % world.drawn.size()], eye); };
    if (random.chance(0.5)) world.options.distance = length(place() - eye);
    add_objects(random, objects, {.margin = true, .sweep = true}, world, [&] {
        const Double3 at = place();
        return std::pair(at, length(at - eye) * random.log_range(1e-5, 0.05));
    });
}

void make_walls(Random& random, const Double3& at, std::size_t objects, BakeWorld& world) {
    const auto ahead = static_cast<std::size_t>(random.below(3)), across = (ahead + 1) % 3, up = (ahead + 2) % 3;
    const double half = random.log_range(0.1, 10);
    world.hulls = random_hulls(random, 4);
    Double3 reach = {0.3 * half, 0.3 * half, 0.3 * half};
    reach[across] = half;
    world.cell = box_cell(at, reach);
    if (random.chance(0.5)) world.options.near_reach = half * random.log_range(1e-3, 3);
    const int walls = 2 + random.below(4);
    for (int i = 0; i < walls; ++i) {
        const double place = half * random.range(1.2, 6), edge = half * random.range(-0.3, 0.9);
        double low[3], high[3];
        low[ahead] = place, high[ahead] = place + half * random.range(0.1, 1);
        low[across] = i % 2 == 0 ? -40 * half : -edge, high[across] = i % 2 == 0 ? edge : 40 * half;
        low[up] = -40 * half, high[up] = 40 * half;
        lanecull::SolidBox& box = world.boxes.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            box.min[k] = static_cast<float>(at[k] + low[k]), box.max[k] = static_cast<float>(at[k] + high[k]);
        }
        world.text += "\n  wall" + written(Double3{at[0] + low[0], at[1] + low[1], at[2] + low[2]}) +
                      written(Double3{at[0] + high[0], at[1] + high[1], at[2] + high[2]});
    }
    world.drawn = world.boxes;
    world.options.max_parts = 1U << random.below(6);
    add_objects(random, objects, {}, world, [&] {
        Double3 place = at;
        place[ahead] += half * random.log_range(8, 100);
        place[across] += half * random.range(-2, 2);
        place[up] += half * random.range(-2, 2);
        return std::pair(place, half * random.log_range(1e-3, 1));
    });
}

void make_town(Random& random, std::size_t objects, BakeWorld& world) {
    constexpr int blocks = 5, across = 2 * blocks + 1;  // blocks: each way from the cell
    constexpr double block = 20;
    const auto n = [](double x) { return static_cast<float>(x); };
    world.hulls = random_hulls(random, 4);
    const Double3 at = {random.range(-99, 99), random.range(-99, 99), 1.5};
    world.cell = box_cell(at, {random.range(0.5, 4), random.range(0.5, 4), 1});
    world.options.near_reach = 0.2;
    world.options.max_parts = 1U << random.below(3);
    std::vector<lanecull::SolidBox> drawn_oriented;
    for (int house = 0; house < across * across; ++house) {
        if (house == across * across / 2) continue;  // the cell's
        const double high = random.range(3, 30), half = random.range(3, 8);
        const double x = at[0] + block * (house % across - blocks), y = at[1] + block * (house / across - blocks);
        const double turn = random.chance(0.3) ? random.range(0, 1.5) : 0, c = std::cos(turn), s = std::sin(turn);
        const double reach = half * (c + s) * (1 + 1e-5);
        const lanecull::SolidBox around = {{n(x - reach), n(y - reach), n(-0.01)},
                                           {n(x + reach), n(y + reach), n(1.01 * high)}};
        (turn == 0 ? world.drawn : drawn_oriented).push_back(around);
        if (turn != 0) {
            world.oriented_boxes.push_back({{n(x), n(y), n(high / 2)},
                                            {n(half), n(half), n(high / 2)},
                                            {{n(c), n(s), 0}, {n(-s), n(c), 0}, {0, 0, 1}}});
        }
    }
    world.boxes = world.drawn;
    world.drawn.insert(world.drawn.end(), drawn_oriented.begin(), drawn_oriented.end());
    world.text = "a town";
    add_objects(random, objects, {}, world, [&] {
        const Double3 place = {at[0] + blocks * block * random.range(-1, 1),
                               at[1] + blocks * block * random.range(-1, 1), random.range(0, 4)};
        return std::pair(place, random.log_range(0.1, 3));
    });
}
