#include "explain/kept_table.hpp"

#include <algorithm>

#include "cull/kept_by_planes.hpp"
#include "cull/reasons.hpp"
#include "cull/report.hpp"
#include "explain/explanation.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {
namespace {

/// The planes that cut the object: it reaches to both sides, so none of them has all of it behind.
std::string crossed_planes(const Arrays& arrays, std::uint32_t i, const Camera& camera) {
    const std::array<Extent, 6> distances = distances_to_planes(arrays, i, camera);
    std::string names;
    for (std::size_t k = 0; k < distances.size(); ++k) {
        if (distances[k].low >= 0) continue;
        names += (names.empty() ? "" : " ") + std::string(plane_names[k]);
    }
    return names;
}

}  // namespace

std::string kept_table(const Scene& scene, const CameraPath& path, std::size_t frame, const CullOptions& exact) {
    const Camera& camera = path[frame];
    const std::vector<KeptByPlanes> kept = kept_by_planes(scene, camera, exact);
    std::string text =
        fmt::format("{} of {} in frame {} of {}: {} culls {}, six planes alone keep {}\n",
                    counted(kept.size(), "object"), scene.name, frame, grouped(path.size()), method_name(exact.method),
                    kept.size() == 1 ? "it" : "them", kept.size() == 1 ? "it" : "them");
    if (kept.empty()) return text;
    std::size_t widest = 5;
    for (const KeptByPlanes& object : kept) widest = std::max(widest, scene.groups[object.place.group].name.size());
    text += fmt::format("\n{:>10}  {:<{}}  {:<9}  {:>12}  {:<32}  {}\n", "object", "group", widest, "culled by",
                        "gap at least", "behind none of the planes it cuts", "name");
    for (const KeptByPlanes& object : kept) {
        const Group& group = scene.groups[object.place.group];
        text += fmt::format("{:>10}  {:<{}}  {:<9}  {:>12.6g}  {:<32}  {}", object.object, group.name, widest,
                            short_key(words_of(object.certificate.reason)), object.certificate.gap,
                            crossed_planes(group.arrays, object.place.index, camera), name_of(scene, object.place));
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

}  // namespace lanecull::program
