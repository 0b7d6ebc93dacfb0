#include "explain/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <vector>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

void find(const Scene& scene, std::uint64_t object, Explanation& result) {
    for (result.group = 0;; ++result.group) {
        const std::uint32_t count = object_count(scene.groups[result.group].arrays);
        if (object < count) break;
        object -= count;
    }
    result.index = static_cast<std::uint32_t>(object);
}

/// The frame's occluders. No owners: their batches are not culled here, and all objects of the program's scenes are
/// drawn.
std::vector<Occluder> occluders_of(const ExplanationInput& input, OccluderChoice& choice) {
    std::span<const Occluder> chosen;
    for (std::size_t frame = 0; frame <= input.frame; ++frame) {
        chosen = choice.choose(input.path[frame], input.path[frame].view());
    }
    std::vector<Occluder> occluders(chosen.begin(), chosen.end());
    for (Occluder& occluder : occluders) occluder.owners = {};
    return occluders;
}

void cull_batch(const Batch& batch, const View& view, std::span<const Occluder> occluders, Isa isa,
                Explanation& result) {
    std::vector<Certificate> certificates(batch.count());
    std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
    ViewOutput output;
    output.certificates = certificates;
    output.occluders = occluders;
    for (const Method method : {Method::automatic, Method::planes, Method::gjk}) {
        require(cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {method, isa}));
        result.certificates[static_cast<std::size_t>(method)] = certificates[result.index];
    }
}

ExplainedWall wall_of(const Scene& scene, const Owner& owner) {
    ExplainedWall wall{owner.object, owner.batch, exact_bounds(scene.groups[owner.batch].arrays, owner.object)};
    for (std::size_t g = 0; g < owner.batch; ++g) wall.object += object_count(scene.groups[g].arrays);
    return wall;
}

/// What is no more than the roundings of doubles on the way is nothing.
double significant(double sum, double term) { return std::abs(sum) < 1e-13 * std::abs(term) ? 0 : sum; }

void measure_distances(const Arrays& arrays, const Camera& camera, Explanation& result) {
    const std::array planes = camera.planes();
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const Extent extent = extent_along(arrays, result.index, glm::dvec3(planes[k]), camera.eye);
        const double w = planes[k].w, size = std::max({std::abs(extent.low), std::abs(extent.high), std::abs(w)});
        result.distances[k] = {significant(extent.low + w, size), significant(extent.high + w, size)};
    }
}

}  // namespace

Explanation explain(const ExplanationInput& input) {
    const Camera& camera = input.path[input.frame];
    Explanation result{};
    find(input.scene, input.object, result);
    std::optional<OccluderChoice> choice;
    std::vector<Occluder> occluders;
    if (input.occluders) occluders = occluders_of(input, choice.emplace(input.scene, *input.occluders));
    result.occluders = occluders.size();
    cull_batch(input.scene.batches()[result.group], camera.view(), occluders, input.culling.isa, result);
    const Certificate& certificate = result.certificates[static_cast<std::size_t>(input.culling.method)];
    if (certificate.reason == Reason::culled_occluded) {
        result.wall = wall_of(input.scene, choice->solids().owners[choice->chosen()[certificate.occluder]]);
    }
    measure_distances(input.scene.groups[result.group].arrays, camera, result);
    return result;
}

}  // namespace lanecull::program
