/// Solids of any numbers, seen from any eyes or along any way: whatever an occluder hides, it hides exactly, on every
/// instruction set; and solids that are none are refused.

#include <algorithm>
#include <array>
#include <vector>

#include <lanecull/cull.hpp>

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

/// Prepares one, and finds its facets exactly.
lanecull::OccluderRefusal prepare(Input& input, const Seen& seen, lanecull::Occluder& occluder,
                                  exact::HalfSpaces& facets) {
    lanecull::OccluderOptions options;
    if (input.up_to(3) == 0) {
        options.raster.per_distance = std::fabs(input.single());
        options.raster.depth_per_square = std::fabs(input.single());
    }
    if (input.flag()) {
        lanecull::SolidBox box;
        for (std::size_t k = 0; k < 3; ++k) box.min[k] = input.single(), box.max[k] = box.min[k] + input.size();
        const lanecull::OccluderRefusal refusal = lanecull::prepare_occluder(box, seen.viewpoint, occluder, options);
        if (refusal == lanecull::OccluderRefusal::none) facets = exact::facets_of_box(box.min, box.max);
        return refusal;
    }
    lanecull::SolidOrientedBox box;
    float axes[9];
    for (std::size_t k = 0; k < 3; ++k) {
        box.center[k] = input.single(), box.half_extents[k] = input.size();
        for (std::size_t j = 0; j < 3; ++j) axes[3 * k + j] = box.axes[k][j] = input.single();
    }
    const lanecull::OccluderRefusal refusal = lanecull::prepare_occluder(box, seen.viewpoint, occluder, options);
    if (refusal == lanecull::OccluderRefusal::none)
        facets = exact::facets_of_oriented_box(box.center, box.half_extents, axes);
    return refusal;
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
        lanecull::ViewOutput output;
        output.certificates = certificates, output.occluders = solids.occluders;
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
