#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/solids.h>

#include "oracle/exact_objects.hpp"
#include "properties/any_objects.hpp"
#include "properties/occluders/setting.hpp"
#include "support/culling.hpp"
#include "support/written.hpp"
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

/// A box that the library places.
struct PlacedBox {
    SolidBox box;
    Transform transform;
};
using AnySolid = std::variant<SolidBox, SolidOrientedBox, PlacedBox, TestHull>;

SolidBox any_box(Random& random) {
    SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = random.any_float();
        box.max[k] = box.min[k] + random.any_size();
    }
    return box;
}

/// Along the coordinate axes, some of them or none.
SolidOrientedBox any_oriented_box(Random& random) {
    SolidOrientedBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.center[k] = random.any_float();
        box.half_extents[k] = random.any_size();
        if (random.chance(0.5)) continue;
        for (float& a : box.axes[k]) a = random.any_float();
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
    if (which == 1) std::generate(transform.begin(), transform.end(), [&] { return random.any_float(); });
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
        for (auto& vertex : vertices) vertex = {random.any_float(), random.any_float(), random.any_float()};
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

OccluderRefusal prepare(const AnySolid& given, const lanecull::Viewpoint& viewpoint, const OccluderOptions& options,
                        Occluder& occluder) {
    if (const auto* box = std::get_if<SolidBox>(&given)) return prepare_occluder(*box, viewpoint, occluder, options);
    if (const auto* box = std::get_if<SolidOrientedBox>(&given)) {
        return prepare_occluder(*box, viewpoint, occluder, options);
    }
    if (const auto* hull = std::get_if<TestHull>(&given)) {
        return prepare_occluder(hull->instance(), viewpoint, occluder, options);
    }
    const auto& placed = std::get<PlacedBox>(given);
    float transform[12];
    std::copy(placed.transform.begin(), placed.transform.end(), transform);
    SolidOrientedBox box;
    const OccluderRefusal refusal = place_solid(placed.box, transform, box);
    return refusal != OccluderRefusal::none ? refusal : prepare_occluder(box, viewpoint, occluder, options);
}

/// Of one that was not refused. Of a placed box: the image, of which the library's box leaves out a little.
exact::HalfSpaces facets_of(const AnySolid& given) {
    if (const auto* box = std::get_if<SolidBox>(&given)) return exact::facets_of_box(box->min, box->max);
    if (const auto* box = std::get_if<SolidOrientedBox>(&given)) {
        return exact::facets_of_oriented_box(box->center, box->half_extents, &box->axes[0][0]);
    }
    if (const auto* hull = std::get_if<TestHull>(&given)) return facets_of_placed(hull->corners(), hull->transform);
    const auto& placed = std::get<PlacedBox>(given);
    return facets_of_placed(corners_of(placed.box), placed.transform);
}

// What they hide.

/// Eyes or a direction of any numbers. None if the library refuses them.
std::optional<TestViewpoint> any_viewpoint(Random& random) {
    TestViewpoint from;
    if (random.chance(0.5)) {
        double way[3], around[3];
        for (double& number : way) number = static_cast<double>(random.any_float());
        for (double& number : around) number = static_cast<double>(random.any_float());
        if (!lanecull::prepare_viewpoint_along(way, around, from.viewpoint)) return std::nullopt;
        from.sight.direction = exact::point(way[0], way[1], way[2]);
        from.text = "along" + written(way);
        return from;
    }
    std::vector<double> eyes(static_cast<std::size_t>(3 * (1 + random.below(9))));
    for (double& number : eyes) number = static_cast<double>(random.any_float());
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
            const bool refused = prepare(given, from.viewpoint, options, occluder) != OccluderRefusal::none;
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
    for (double& at : space.origin) at = random.any_double();
    if (!prepare_view(clip, space, view)) return false;
    const int sight = random.below(4);
    if (sight == 0) {
        const double way[3] = {random.any_double(), random.any_double(), random.any_double()};
        return prepare_viewpoint_along(way, space.origin, viewpoint).ok();
    }
    if (sight == 1) {
        std::vector<double> eyes(static_cast<std::size_t>(3 * (1 + random.below(8))));
        for (double& eye : eyes) eye = random.any_double();
        return prepare_viewpoint_from_eyes(eyes, 0.1, viewpoint).ok();
    }
    return prepare_viewpoint(clip, space, viewpoint).ok();
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
    std::vector<std::uint32_t> last, hidden;
    lanecull::SolidSet solids;
    lanecull::ChooseOptions options;
    std::size_t most;

    explicit AnyChoice(Random& random) {
        boxes.resize(static_cast<std::size_t>(random.below(random.chance(0.2) ? 301 : 91)));
        turned.resize(static_cast<std::size_t>(random.below(21)));
        hulls.resize(static_cast<std::size_t>(random.below(6)));
        for (SolidBox& box : boxes) box = any_box(random);
        for (SolidOrientedBox& box : turned) box = any_oriented_box(random);
        for (TestHull& hull : hulls) {
            hull = any_hull(random);
            placed.push_back(hull.instance());
            if (random.below(16) == 0) placed.back().hull = nullptr;
        }
        solids = {.boxes = boxes, .oriented_boxes = turned, .hulls = placed};
        const auto count = static_cast<int>(solids.count());
        if (random.below(8) == 0) {
            drawn.resize(static_cast<std::size_t>(random.chance(0.5) ? count : random.below(4)));
            for (SolidBox& box : drawn) box = any_box(random);
            solids.drawn = drawn;
        }
        if (random.chance(0.25)) {
            owners.resize(random.chance(0.9) ? solids.count() : random.bits() % 4);
            solids.owners = owners;
        }
        if (random.chance(0.5)) {
            const std::size_t words = random.chance(0.75) ? (solids.count() + 63) / 64 : random.bits() % 4;
            candidates = read_candidates(random, words);
        }
        last.resize(random.bits() % 66);
        hidden.resize(random.chance(0.75) ? last.size() : random.bits() % 4);
        for (std::uint32_t& index : last) index = static_cast<std::uint32_t>(random.below(count + 2));
        for (std::uint32_t& number : hidden) number = static_cast<std::uint32_t>(random.bits());
        options = {.candidates = candidates, .last_chosen = last, .last_hidden = hidden};
        if (random.chance(0.25)) options.raster = {random.any_double(), random.any_double(), random.any_double()};
        most = static_cast<std::size_t>(random.below(66));
    }
    AnyChoice(const AnyChoice&) = delete;
    AnyChoice& operator=(const AnyChoice&) = delete;

    /// What prepare_occluder() makes of a solid; not prepared if it refuses it.
    [[nodiscard]] Occluder prepare(std::size_t i) const {
        const OccluderOptions of_one{drawn.empty() ? nullptr : &drawn[i], options.raster};
        const std::size_t first_hull = boxes.size() + turned.size();
        Occluder occluder;
        if (i < boxes.size()) {
            static_cast<void>(prepare_occluder(boxes[i], viewpoint, occluder, of_one));
        } else if (i < first_hull) {
            static_cast<void>(prepare_occluder(turned[i - boxes.size()], viewpoint, occluder, of_one));
        } else {
            static_cast<void>(prepare_occluder(placed[i - first_hull], viewpoint, occluder, of_one));
        }
        return occluder;
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
    for (const lanecull::Isa isa : trial.plan.isas) {
        std::vector<lanecull::Certificate> certificates(objects.size());
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
        lanecull::Explanation why{.certificates = certificates};
        lanecull::Output output{.occluders = hiders.occluders, .explanation = &why};
        const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
        if (!status) throw std::runtime_error(status.message());
        trial.at(Tally::verdicts) += objects.size();
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if (certificates[i].reason != lanecull::Reason::culled_occluded) continue;
            ++trial.at(Tally::culled_occluded);
            const auto text = [&] { return from->text + "\n  " + describe(kind, objects[i], hulls); };
            if (is_invalid(kind, objects[i])) {
                trial.fail(Tally::invalid_told, "no shape, yet culled", text);
            } else if (!contain(hiders.hidden[certificates[i].occluder], exact_solid_of(kind, objects[i], hulls))) {
                trial.fail(Tally::unproved, "seen past the solid, yet culled", text);
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
