#include "cull/occluder_choice.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <lanecull/raster_margin.hpp>
#include <numeric>

#include "support/error.hpp"

namespace lanecull::program {

namespace {

/// About the solid angle under which a box is seen; of one that is far away, exactly.
double solid_angle(const BoxEdges& box, const glm::dvec3& eye) {
    const glm::dvec3 way = box.center - eye;
    const double distance2 = glm::dot(way, way);
    double across = 0;  // the area of its outline, as seen from far away along `way`, times |way|
    for (int k = 0; k < 3; ++k) {
        across += 4 * std::abs(glm::dot(way, glm::cross(box.half[(k + 1) % 3], box.half[(k + 2) % 3])));
    }
    return distance2 > 0 ? across / (distance2 * std::sqrt(distance2)) : 0;
}

}  // namespace

OccluderChoice::OccluderChoice(const Scene& scene, const OccluderSettings& settings)
    : solids_(scene, settings.inset),
      settings_(settings),
      prepared_(settings.most),
      chosen_(settings.most),
      hidden_(settings.most),
      scratch_(choose_scratch_bytes(solids_.count())) {
    if (solids_.count() == 0) fail("--occluders: nothing in {} is solid; --solid names what is", scene.name);
}

RasterMargin OccluderChoice::margin(const Camera& camera) const {
    if (settings_.margin_pixels == 0) return {};
    Camera square = camera;  // as pixels are, whatever the picture's aspect
    square.aspect = 1;
    RasterMargin result;
    require(raster_margin(square.rasterization(rows, rows), result));
    result.per_distance *= 64 * settings_.margin_pixels;  // it is that of a 64th of a pixel
    return result;
}

std::span<const Occluder> OccluderChoice::prepare(const View& view, const Viewpoint& viewpoint,
                                                  const ChooseOptions& options) {
    require(choose_occluders(solids_.set(), view, viewpoint, prepared_, chosen_, scratch_, count_, options));
    return std::span(prepared_).first(count_);
}

std::span<const Occluder> OccluderChoice::choose(const Camera& camera, const View& view) {
    return choose(view, camera.viewpoint(), margin(camera));
}

std::span<const Occluder> OccluderChoice::choose(const View& view, const Viewpoint& viewpoint,
                                                 const RasterMargin& raster) {
    return prepare(view, viewpoint, {.raster = raster, .last_chosen = chosen(), .last_hidden = hidden_counts()});
}

std::span<const Occluder> OccluderChoice::choose_casters(const Viewpoint& light, const View& view) {
    return prepare(view, light, {});
}

std::vector<std::uint32_t> OccluderChoice::by_size(const glm::dvec3& eye) const {
    std::vector<double> angles(solids_.count());
    for (std::size_t i = 0; i < angles.size(); ++i) {
        angles[i] = solid_angle(solids_.visit(i, [](const auto& box) { return edges_of(box); }), eye);
    }
    std::vector<std::uint32_t> order(angles.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return angles[a] != angles[b] ? angles[a] > angles[b] : a < b; });
    return order;
}

std::vector<Occluder> OccluderChoice::all(const Camera& camera) const {
    const Viewpoint viewpoint = camera.viewpoint();
    OccluderOptions options{.raster = margin(camera)};
    std::vector<Occluder> prepared;
    for (const std::uint32_t i : by_size(camera.eye)) {
        options.drawn = &solids_.drawn[i];
        Occluder occluder;
        const OccluderRefusal refusal =
            solids_.visit(i, [&](const auto& box) { return prepare_occluder(box, viewpoint, occluder, options); });
        if (refusal == OccluderRefusal::none) prepared.push_back(occluder);
    }
    return prepared;
}

}  // namespace lanecull::program
