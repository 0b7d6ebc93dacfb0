#include "explain/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/vec3.hpp>
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

void cull_batch(const Batch& batch, const View& view, Isa isa, Explanation& result) {
    std::vector<Certificate> certificates(batch.count());
    std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
    ViewOutput output;
    output.certificates = certificates;
    for (const Method method : {Method::automatic, Method::planes, Method::gjk}) {
        require(cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {method, isa}));
        result.certificates[static_cast<std::size_t>(method)] = certificates[result.index];
    }
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
    cull_batch(input.scene.batches()[result.group], camera.view(), input.culling.isa, result);
    measure_distances(input.scene.groups[result.group].arrays, camera, result);
    return result;
}

}  // namespace lanecull::program
