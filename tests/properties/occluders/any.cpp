#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/solids.h>

#include "oracle/exact_objects.hpp"
#include "properties/any.hpp"
#include "properties/occluders/setting.hpp"
#include "properties/verdicts.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"
#include "view/prepared_occluder.hpp"

namespace properties {
namespace {

using lanecull::Occluder;
using lanecull::OccluderOptions;
using lanecull::OccluderRefusal;
using lanecull::SolidBox;
using lanecull::SolidOrientedBox;
using Transform = std::array<float, 12>;

// Solids of any numbers, and what they are exactly.

/// So many numbers of any size.
template <class Numbers>
void fill(Random& random, Numbers& numbers) {
    for (auto& number : numbers) number = static_cast<std::decay_t<decltype(number)>>(random.any_float());
}
template <class Number>
std::vector<Number> any_list(Random& random, std::size_t count) {
    std::vector<Number> list(count);
    fill(random, list);
    return list;
}

SolidBox any_box(Random& random) {
    SolidBox box;
    fill(random, box.min);
    for (std::size_t k = 0; k < 3; ++k) box.max[k] = box.min[k] + random.any_size();
    return box;
}

/// Along the coordinate axes, some of them or none.
SolidOrientedBox any_oriented_box(Random& random) {
    SolidOrientedBox box;
    fill(random, box.center);
    for (float& half : box.half_extents) half = random.any_size();
    for (auto& axis : box.axes) {
        if (random.chance(0.5)) fill(random, axis);
    }
    return box;
}

/// The usual one, one that moves and scales, or any numbers.
Transform any_transform(Random& random) {
    Transform transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const int which = random.below(4);
    for (std::size_t k = 0; k < 3 && which > 1; ++k) {
        transform[4 * k + 3] = random.any_float();
        transform[5 * k] = random.any_size();
        if (random.chance(0.25)) transform[4 * k + static_cast<std::size_t>(random.below(3))] = random.any_float();
    }
    if (which == 1) fill(random, transform);
    return transform;
}

/// Changes a corner, an index, a count or what is drawn.
void spoil(Random& random, lanecull::SolidHull& hull) {
    const auto axis = static_cast<std::size_t>(random.below(3));
    switch (random.below(4)) {
        case 0:
            hull.corner[random.below(6)][axis] = random.any_float();
            break;
        case 1:
            hull.triangle[random.below(lanecull::SolidHull::max_triangles)][axis] =
                static_cast<std::uint8_t>(random.below(256));
            break;
        case 2:
            hull.triangle_count = static_cast<std::uint32_t>(random.below(41));
            hull.corner_count = static_cast<std::uint32_t>(random.below(21));
            break;
        default:
            hull.drawn.upper[axis] = random.any_float();
    }
}

/// The hull of a wedge or of any vertices, sometimes spoilt. Where the library finds no hull it stays empty.
TestHull any_hull(Random& random) {
    Vertices vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}};
    if (random.chance(0.5)) {
        vertices.resize(static_cast<std::size_t>(4 + random.below(6)));
        for (auto& vertex : vertices) fill(random, vertex);
    }
    TestHull made{};
    static_cast<void>(inscribe(vertices, made.hull));
    for (int changes = random.below(4); changes > 1; --changes) spoil(random, made.hull);
    made.transform = any_transform(random);
    return made;
}

AnySolid any_solid(Random& random) {
    switch (random.below(4)) {
        case 0:
            return any_oriented_box(random);
        case 1:
            return any_box(random);
        case 2:
            return PlacedBox{any_box(random), any_transform(random)};
        default:
            return any_hull(random);
    }
}

// What they hide.

/// Eyes or a direction of any numbers. None if the library refuses them.
std::optional<TestViewpoint> any_viewpoint(Random& random) {
    TestViewpoint from;
    if (random.chance(0.5)) {
        double way[3], around[3];
        fill(random, way), fill(random, around);
        if (!lanecull::prepare_viewpoint_along(way, around, from.viewpoint)) return std::nullopt;
        from.sight.direction = exact::point(way[0], way[1], way[2]);
        from.text = "along" + written(way);
        return from;
    }
    const auto eyes = any_list<double>(random, static_cast<std::size_t>(3 * (1 + random.below(9))));
    const double near_reach = random.chance(0.5) ? 0 : random.any_double();
    if (!lanecull::prepare_viewpoint_from_eyes(eyes, near_reach, from.viewpoint)) return std::nullopt;
    for (std::size_t c = 0; c < eyes.size(); c += 3) {
        from.sight.eyes.push_back(exact::point(eyes[c], eyes[c + 1], eyes[c + 2]));
    }
    from.text = "eyes" + written(eyes);
    return from;
}

/// Those of some solids that can hide, with what they hide exactly.
struct Hiders {
    std::vector<Occluder> occluders;
    std::vector<exact::HalfSpaces> hidden;

    Hiders(Trial& trial, const TestViewpoint& from) {
        Random& random = trial.random;
        const auto refute = [&](const char* what) { trial.fail(Tally::invalid_told, what, [&] { return from.text; }); };
        for (int n = 1 + random.below(4); n > 0; --n) {
            const AnySolid given = any_solid(random);
            OccluderOptions options;
            if (random.chance(0.25)) {
                options.raster.per_distance = std::fabs(static_cast<double>(random.any_float()));
                options.raster.depth_per_square = std::fabs(static_cast<double>(random.any_float()));
            }
            Occluder occluder;
            const bool refused = prepare(given, from.viewpoint, occluder, options) != OccluderRefusal::none;
            if (refused == occluder.prepared()) refute("prepared and refused, or neither");
            ++trial.at(Tally::cases);
            if (refused) continue;
            ++trial.at(Tally::reached);
            const exact::HalfSpaces facets = facets_of(given);
            if (facets.empty()) refute("what hides is no solid");
            const auto hides = hidden_by(facets, from.sight);
            // The image of a placed box may touch an eye that the library's box leaves out.
            if (!hides && !std::holds_alternative<PlacedBox>(given)) refute("an eye is inside what hides");
            if (!hides) continue;
            occluders.push_back(occluder);
            hidden.push_back(*hides);
        }
    }
};

// The choice among them.

/// Perspective along +x from any eye, which is also where solids are seen from; or from a cell, or along any way.
bool any_sight(Random& random, lanecull::View& view, lanecull::Viewpoint& viewpoint) {
    constexpr double near = 0.1, far = 500, f = far / (far - near);
    const std::array<double, 16> clip = {0, -1, 0, 0, 0, 0, 1.5, 0, f, 0, 0, -near * f, 1, 0, 0, 0};
    lanecull::ClipSpace space;
    space.layout = lanecull::MatrixLayout::row_major;
    fill(random, space.origin);
    if (!prepare_view(clip, space, view)) return false;
    if (random.chance(0.5)) return prepare_viewpoint(clip, space, viewpoint).ok();
    const std::optional<TestViewpoint> from = any_viewpoint(random);
    if (from) viewpoint = from->viewpoint;
    return from.has_value();
}

/// Solids, and all arguments of a choice among them. Its spans are into itself.
struct AnyChoice {
    lanecull::View view;
    lanecull::Viewpoint viewpoint;
    std::vector<SolidBox> boxes, drawn;
    std::vector<SolidOrientedBox> turned;
    std::vector<TestHull> hulls;
    std::vector<lanecull::SolidHullInstance> placed;
    std::vector<lanecull::Owner> owners;
    std::vector<std::uint64_t> candidates;
    lanecull::SolidSet solids;
    lanecull::ChooseOptions options;
    std::size_t most;

    explicit AnyChoice(Random& random) {
        const auto below = [&](int n) { return static_cast<std::size_t>(random.below(n)); };
        const auto make = [&](auto& all, std::size_t count, const auto& any) {
            for (all.resize(count); count > 0; --count) all[count - 1] = any(random);
        };
        make(boxes, below(random.chance(0.2) ? 301 : 91), any_box);
        make(turned, below(21), any_oriented_box);
        make(hulls, below(6), any_hull);
        for (const TestHull& hull : hulls) {
            placed.push_back(hull.instance());
            if (random.below(16) == 0) placed.back().hull = nullptr;
        }
        solids = {.boxes = boxes, .oriented_boxes = turned, .hulls = placed};
        const std::size_t count = solids.count();
        if (random.below(8) == 0) make(drawn, random.chance(0.5) ? count : below(4), any_box);
        if (random.chance(0.25)) owners.resize(random.chance(0.9) ? count : below(4));
        if (random.chance(0.5))
            candidates = read_candidates(random, random.chance(0.75) ? (count + 63) / 64 : below(4));
        solids.drawn = drawn, solids.owners = owners;
        options.candidates = candidates;
        if (random.chance(0.25)) options.raster = {random.any_double(), random.any_double(), random.any_double()};
        most = below(66);
    }
    AnyChoice(const AnyChoice&) = delete;
    AnyChoice& operator=(const AnyChoice&) = delete;

    /// What prepare_occluder() makes of a solid; not prepared if it refuses it.
    [[nodiscard]] Occluder prepare(std::size_t i) const {
        const OccluderOptions of_one{drawn.empty() ? nullptr : &drawn[i], options.raster};
        const std::size_t first_hull = boxes.size() + turned.size();
        Occluder occluder;
        const auto make = [&](const auto& solid) {
            static_cast<void>(prepare_occluder(solid, viewpoint, occluder, of_one));
        };
        if (i < boxes.size()) return make(boxes[i]), occluder;
        return i < first_hull ? make(turned[i - boxes.size()]) : make(placed[i - first_hull]), occluder;
    }
};

struct Chosen {
    static constexpr std::uint32_t untouched = 12345;
    std::vector<Occluder> occluders;
    std::vector<std::uint32_t> indices;
    std::uint32_t count = untouched;
    lanecull::Status status;

    explicit Chosen(const AnyChoice& of) : occluders(of.most), indices(of.most, untouched) {
        std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(of.solids.count()));
        status = choose_occluders(of.solids, of.view, of.viewpoint, occluders, indices, scratch, count, of.options);
    }
};

}  // namespace

void hide_any(Trial& trial) {
    Random& random = trial.random;
    const std::optional<TestViewpoint> from = any_viewpoint(random);
    if (!from) {
        ++trial.at(Tally::refused);
        return;
    }
    const Hiders hiders(trial, *from);
    const HullSet hulls = read_hulls(random, true);
    const Kind kind = all_kinds[random.below(std::size(all_kinds))];
    const Streams streams = {.margin = random.chance(0.5), .sweep = random.chance(0.5)};
    std::vector<Object> objects(static_cast<std::size_t>(1 + random.below(41)));
    for (Object& object : objects) {
        object = read_object(random, kind, hulls.size());
        read_attributes(random, streams, object);
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.bounds = false, .streams = streams});
    const lanecull::View view = view_of_all();
    constexpr lanecull::Method methods[] = {lanecull::Method::automatic};
    const auto refute = [&](Tally::Count count, std::size_t i, const Verdicts&, const std::string& what) {
        trial.fail(count, what, [&] { return from->text + "\n  " + describe(kind, objects[i], hulls); });
    };
    for (const Verdicts& v : all_verdicts_of(batch, view, methods, trial, refute, hiders.occluders)) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if (v.certificates[i].reason != lanecull::Reason::culled_occluded) continue;
            if (is_invalid(kind, objects[i])) {
                refute(Tally::invalid_told, i, v, "no shape, yet culled");
            } else if (!exact::contain(hiders.hidden[v.certificates[i].occluder],
                                       exact_solid_of(kind, objects[i], hulls))) {
                refute(Tally::unproved, i, v, "seen past the solid, yet culled");
            }
        }
    }
}

void choose_any(Trial& trial) {
    AnyChoice given(trial.random);
    if (!any_sight(trial.random, given.view, given.viewpoint)) {
        ++trial.at(Tally::refused);
        return;
    }
    const auto expect = [&](bool holds, const char* what) {
        if (!holds) trial.fail(Tally::untold, what, [] { return ""; });
    };
    const Chosen chosen(given);
    if (!chosen.status) {
        expect(chosen.count == Chosen::untouched && std::ranges::none_of(chosen.occluders, &Occluder::prepared),
               "refused, yet something is written");
        return;
    }
    const std::size_t count = given.solids.count();
    expect(given.owners.empty() || given.owners.size() == count, "owners of some solids, yet not refused");
    expect(given.drawn.empty() || given.drawn.size() == count, "drawn for some solids, yet not refused");
    trial.at(Tally::cases) += count;
    trial.at(Tally::reached) += chosen.count;
    trial.at(Tally::verdicts) += chosen.count;
    expect(chosen.count <= std::min(given.most, count), "more are chosen than there may be");
    if (trial.tally.failures() > 0) return;
    std::vector<bool> seen(count);
    for (std::uint32_t k = 0; k < chosen.count; ++k) {
        const std::uint32_t i = chosen.indices[k];
        expect(i < count && !seen[i], "chosen twice, or no solid");
        if (trial.tally.failures() > 0) return;
        seen[i] = true;
        expect(given.candidates.empty() || (given.candidates[i / 64] >> i % 64 & 1) != 0, "no candidate, yet chosen");
        const Occluder expected = given.prepare(i);
        expect(expected.prepared() && std::memcmp(&contents_of(expected), &contents_of(chosen.occluders[k]),
                                                  sizeof(lanecull::PreparedOccluder)) == 0,
               "not what prepare_occluder() makes");
        const auto& owners = chosen.occluders[k].owners;
        expect(given.owners.empty() ? owners.empty() : owners.size() == 1 && owners.data() == &given.owners[i],
               "another's owner");
    }
    expect(std::none_of(chosen.occluders.begin() + chosen.count, chosen.occluders.end(),
                        [](const Occluder& occluder) { return occluder.prepared(); }),
           "occluders beyond the chosen are written");
    expect(Chosen(given).indices == chosen.indices, "the same call chooses others");
}

}  // namespace properties
