#include "explain/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <vector>

#include "scene/object_names.hpp"
#include "scene/pose.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

/// Chooses occluders for frame after frame as `lanecull cull` does.
class Replay {
public:
    Replay(const ExplanationInput& input, OccluderChoice& choice)
        : input_(input),
          choice_(choice),
          batches_(input.scene.batches()),
          bits_(visibility_words(batches_)),
          scratch_(scratch_bytes(batches_, 1)) {}

    /// The frame's occluders. No owners: their batches are not culled by themselves, and all objects of the program's
    /// scenes are drawn.
    std::vector<Occluder> occluders() {
        for (int round = 0; round < OccluderChoice::warm_up_rounds; ++round) cull_frame(0);
        for (std::size_t frame = 0; frame < input_.frame; ++frame) cull_frame(frame);
        const Camera& camera = input_.path[input_.frame];
        const std::span<const Occluder> chosen = choice_.choose(camera, camera.view());
        std::vector<Occluder> occluders(chosen.begin(), chosen.end());
        for (Occluder& occluder : occluders) occluder.owners = {};
        return occluders;
    }

private:
    void cull_frame(std::size_t frame) {
        pose(input_.scene, frame);
        const Camera& camera = input_.path[frame];
        const View view = camera.view();
        Output output;
        output.visible = bits_;
        output.occluders = choice_.choose(camera, view);
        output.hidden_counts = choice_.hidden_counts();
        require(cull(batches_, {&view, 1}, {&output, 1}, scratch_, input_.culling));
    }

    const ExplanationInput& input_;
    OccluderChoice& choice_;
    std::vector<Batch> batches_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::byte> scratch_;
};

void cull_batch(const Batch& batch, const View& view, std::span<const Occluder> occluders, Isa isa,
                Explanation& result) {
    std::vector<Certificate> certificates(batch.count());
    std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
    lanecull::Explanation why{.certificates = certificates};
    Output output{.occluders = occluders, .explanation = &why};
    for (const Method method : {Method::automatic, Method::planes}) {
        require(cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.method = method, .isa = isa}));
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

}  // namespace

std::array<Extent, 6> distances_to_planes(const Arrays& arrays, std::uint32_t i, const Camera& camera) {
    std::array<Extent, 6> distances{};
    const std::array planes = camera.planes();
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const Extent extent = extent_along(arrays, i, glm::dvec3(planes[k]), camera.eye);
        const double w = planes[k].w, size = std::max({std::abs(extent.low), std::abs(extent.high), std::abs(w)});
        distances[k] = {significant(extent.low + w, size), significant(extent.high + w, size)};
    }
    return distances;
}

Explanation explain(const ExplanationInput& input) {
    const Camera& camera = input.path[input.frame];
    Explanation result{};
    const ObjectPlace place = place_of(input.scene, input.object);
    result.group = place.group;
    result.index = place.index;
    std::optional<OccluderChoice> choice;
    std::vector<Occluder> occluders;
    if (input.occluders) occluders = Replay(input, choice.emplace(input.scene, *input.occluders)).occluders();
    result.occluders = occluders.size();
    pose(input.scene, input.frame);
    cull_batch(input.scene.batches()[result.group], camera.view(), occluders, input.culling.isa, result);
    const Certificate& certificate = result.certificates[static_cast<std::size_t>(input.culling.method)];
    if (certificate.reason == Reason::culled_occluded) {
        result.wall = wall_of(input.scene, choice->solids().owners[choice->chosen()[certificate.occluder]]);
    }
    result.distances = distances_to_planes(input.scene.groups[result.group].arrays, result.index, camera);
    return result;
}

}  // namespace lanecull::program
