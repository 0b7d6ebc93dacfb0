/// Solids of any numbers, seen from any eyes or along any way: whatever an occluder hides, it hides exactly, on every
/// instruction set; and solids that are none are refused.

#include <algorithm>
#include <array>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/solids.h>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "fuzz/objects.hpp"
#include "occluders/solids.hpp"
#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"

namespace {

struct Seen {
    lanecull::Viewpoint viewpoint;
    exact::Sight sight;
};

bool see(Input& input, Seen& seen) {
    if (input.flag()) {
        const double way[3] = {input.single(), input.single(), input.single()};
        const double around[3] = {input.single(), input.single(), input.single()};
        if (!lanecull::prepare_viewpoint_along(way, around, seen.viewpoint)) return false;
        seen.sight.direction = exact::point(way[0], way[1], way[2]);
        return true;
    }
    std::vector<double> eyes(3 * (1 + std::size_t{input.up_to(8)}));
    for (double& coordinate : eyes) coordinate = input.single();
    const double near_reach = input.flag() ? 0 : input.real();
    if (!lanecull::prepare_viewpoint_from_eyes(eyes, near_reach, seen.viewpoint)) return false;
    for (std::size_t c = 0; c < eyes.size(); c += 3) {
        seen.sight.eyes.push_back(exact::point(eyes[c], eyes[c + 1], eyes[c + 2]));
    }
    return true;
}

using lanecull::OccluderRefusal;

OccluderRefusal prepare_box(Input& input, const Seen& seen, const lanecull::OccluderOptions& options,
                            lanecull::Occluder& occluder, exact::HalfSpaces& facets) {
    lanecull::SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) box.min[k] = input.single(), box.max[k] = box.min[k] + input.size();
    const OccluderRefusal refusal = lanecull::prepare_occluder(box, seen.viewpoint, occluder, options);
    if (refusal == OccluderRefusal::none) facets = exact::facets_of_box(box.min, box.max);
    return refusal;
}

OccluderRefusal prepare_oriented_box(Input& input, const Seen& seen, const lanecull::OccluderOptions& options,
                                     lanecull::Occluder& occluder, exact::HalfSpaces& facets) {
    lanecull::SolidOrientedBox box;
    float axes[9];
    for (std::size_t k = 0; k < 3; ++k) {
        box.center[k] = input.single(), box.half_extents[k] = input.size();
        for (std::size_t j = 0; j < 3; ++j) axes[3 * k + j] = box.axes[k][j] = input.single();
    }
    const OccluderRefusal refusal = lanecull::prepare_occluder(box, seen.viewpoint, occluder, options);
    if (refusal == OccluderRefusal::none) facets = exact::facets_of_oriented_box(box.center, box.half_extents, axes);
    return refusal;
}

std::array<float, 12> read_transform(Input& input) {
    std::array<float, 12> transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (input.flag()) std::generate(transform.begin(), transform.end(), [&] { return input.single(); });
    return transform;
}

exact::HalfSpaces facets_of(const std::vector<std::array<float, 3>>& points, const std::array<float, 12>& transform) {
    return exact::facets_of_hull(exact::hull(transform.data(), points).points);
}

/// A box under a transform, placed by the library.
OccluderRefusal prepare_placed(Input& input, const Seen& seen, const lanecull::OccluderOptions& options,
                               lanecull::Occluder& occluder, exact::HalfSpaces& facets) {
    lanecull::SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) box.min[k] = input.single(), box.max[k] = box.min[k] + input.size();
    const std::array<float, 12> transform = read_transform(input);
    float matrix[12];
    std::copy(transform.begin(), transform.end(), matrix);
    lanecull::SolidOrientedBox placed;
    if (const OccluderRefusal r = lanecull::place_solid(box, matrix, placed); r != OccluderRefusal::none) return r;
    std::vector<std::array<float, 3>> corners;
    for (unsigned corner = 0; corner < 8; ++corner) {
        std::array<float, 3>& p = corners.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) p[k] = (corner >> k & 1) != 0 ? box.max[k] : box.min[k];
    }
    facets = facets_of(corners, transform);
    const OccluderRefusal refusal = lanecull::prepare_occluder(placed, seen.viewpoint, occluder, options);
    // The box in floats is a little smaller, and may leave out an eye that the image touches: callers say what is
    // drawn.
    if (refusal == OccluderRefusal::none && !hidden_by(facets, seen.sight)) {
        occluder = {};
        return OccluderRefusal::encloses_eye;
    }
    return refusal;
}

/// A hull that the library inscribes, of which any byte may be another afterwards.
OccluderRefusal prepare_hull(Input& input, const Seen& seen, const lanecull::OccluderOptions& options,
                             lanecull::Occluder& occluder, exact::HalfSpaces& facets) {
    std::vector<std::array<float, 3>> vertices(4 + std::size_t{input.up_to(5)});
    for (auto& vertex : vertices) vertex = {input.single(), input.single(), input.single()};
    lanecull::SolidHull hull;
    const float* const first = vertices[0].data();
    const lanecull::Vertices given{first, first + 1, first + 2, static_cast<std::uint32_t>(vertices.size()), 12};
    if (!inscribe_hull(given, hull)) return OccluderRefusal::invalid;
    for (std::uint32_t spoilt = input.up_to(3); spoilt > 1; --spoilt) {
        if (input.flag()) {
            hull.triangle[input.up_to(lanecull::SolidHull::max_triangles - 1)][input.up_to(2)] =
                static_cast<std::uint8_t>(input.up_to(255));
        } else {
            hull.triangle_count = input.up_to(40), hull.corner_count = input.up_to(20);
        }
    }
    const std::array<float, 12> transform = read_transform(input);
    lanecull::SolidHullInstance instance{&hull, {}};
    std::copy(transform.begin(), transform.end(), instance.transform);
    const OccluderRefusal refusal = lanecull::prepare_occluder(instance, seen.viewpoint, occluder, options);
    if (refusal == OccluderRefusal::none) {
        vertices.clear();
        for (std::uint32_t i = 0; i < hull.corner_count; ++i) {
            vertices.push_back({hull.corner[i][0], hull.corner[i][1], hull.corner[i][2]});
        }
        facets = facets_of(vertices, transform);
        check(!facets.empty(), "what hides is a solid");
    }
    return refusal;
}

/// Prepares one, and finds its facets exactly.
OccluderRefusal prepare(Input& input, const Seen& seen, lanecull::Occluder& occluder, exact::HalfSpaces& facets) {
    lanecull::OccluderOptions options;
    if (input.up_to(3) == 0) {
        options.raster.per_distance = std::fabs(input.single());
        options.raster.depth_per_square = std::fabs(input.single());
    }
    constexpr decltype(&prepare_box) forms[] = {prepare_oriented_box, prepare_box, prepare_placed, prepare_hull};
    return forms[input.up_to(3)](input, seen, options, occluder, facets);
}

/// The solids that can hide, with what they hide exactly.
struct Solids {
    std::vector<lanecull::Occluder> occluders;
    std::vector<exact::HalfSpaces> hidden;

    Solids(Input& input, const Seen& seen) {
        for (std::uint32_t n = 1 + input.up_to(3); n > 0; --n) {
            lanecull::Occluder occluder;
            exact::HalfSpaces facets;
            const bool refused = prepare(input, seen, occluder, facets) != lanecull::OccluderRefusal::none;
            check(refused != occluder.prepared(), "what is refused is not prepared, and the rest is");
            if (refused) continue;
            const auto hides = hidden_by(facets, seen.sight);
            check(hides.has_value(), "no eye is inside a solid that hides");
            occluders.push_back(occluder), hidden.push_back(*hides);
        }
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    Seen seen;
    if (!see(input, seen)) return 0;
    const Solids solids(input, seen);
    const HullSet hulls = read_hulls(input, true);
    const auto kind = all_kinds[input.up_to(std::size(all_kinds) - 1)];
    const Streams streams = {.margin = input.flag(), .sweep = input.flag()};
    std::vector<Object> objects(1 + std::size_t{input.up_to(40)});
    for (Object& object : objects) {
        object = read_object(input, kind, hulls.size());
        read_attributes(input, streams, object);
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.bounds = false, .streams = streams});
    const lanecull::View view = view_of_all();
    for (const lanecull::Isa isa : runnable_isas()) {
        std::vector<lanecull::Certificate> certificates(objects.size());
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
        lanecull::Explanation why{.certificates = certificates};
        lanecull::Output output{.occluders = solids.occluders, .explanation = &why};
        check(lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.isa = isa}).ok(), "the cull succeeds");
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if (certificates[i].reason != lanecull::Reason::culled_occluded) continue;
            check(!is_invalid(kind, objects[i]), "what is culled is a shape", describe(kind, objects[i], hulls));
            check(contain(solids.hidden[certificates[i].occluder], exact_solid_of(kind, objects[i], hulls)),
                  "what is culled is hidden", describe(kind, objects[i], hulls));
        }
    }
    return 0;
}
