#include "gltf/gltf_cameras.hpp"

#include <algorithm>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "gltf/gltf_accessor.hpp"
#include "gltf/gltf_file.hpp"
#include "gltf/gltf_flight.hpp"
#include "gltf/gltf_nodes.hpp"
#include "support/mapped_file.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

Camera orthographic_lens_of(const GltfObject& source) {
    const GltfObject orthographic = source.required("orthographic", source.object("orthographic"));
    const double across = orthographic.required("xmag", orthographic.number("xmag"));
    const double up = orthographic.required("ymag", orthographic.number("ymag"));
    if (!(across > 0)) orthographic.reject("xmag", "is not more than 0");
    if (!(up > 0)) orthographic.reject("ymag", "is not more than 0");
    Camera camera;
    camera.height = 2 * up;
    camera.aspect = across / up;
    camera.near = orthographic.required("znear", orthographic.number("znear"));
    camera.far = orthographic.required("zfar", orthographic.number("zfar"));
    return camera;
}

Camera lens_of(const GltfObject& source) {
    const std::string type = source.required("type", source.text("type"));
    if (type == "orthographic") return orthographic_lens_of(source);
    if (type != "perspective") source.reject("type", "is neither perspective nor orthographic");
    const GltfObject perspective = source.required("perspective", source.object("perspective"));
    Camera camera;
    camera.vertical_fov = perspective.required("yfov", perspective.number("yfov"));
    camera.near = perspective.required("znear", perspective.number("znear"));
    camera.far = perspective.number("zfar").value_or(std::numeric_limits<double>::infinity());
    camera.aspect = perspective.number("aspectRatio").value_or(camera.aspect);
    return camera;
}

class GltfCameras {
public:
    explicit GltfCameras(GltfFile& file) : file_(file), accessors_(file), nodes_(file) {
        const GltfArray list = file.list("nodes"), cameras = file.list("cameras");
        for (const std::size_t node : nodes_.of_scene(file)) {
            if (const auto camera = list[node].index("camera", cameras.size())) {
                placed_.push_back({lens_of(cameras[*camera]), node});
            }
        }
        if (placed_.empty()) fail("{}: no cameras", file.name());
    }

    CameraPath path(std::optional<std::size_t> frames, std::size_t animated_frames, const LensOptions& lens) {
        if (const std::optional<GltfFlight> flight = flight_of(file_, accessors_, nodes_)) {
            return path_through(flown(*flight, frames.value_or(animated_frames)), {}, lens, file_.name());
        }
        CameraPath keys;
        for (const Placed& placed : placed_) keys.push_back(camera(placed, nodes_.world_from(placed.node)));
        return path_through(std::move(keys), frames, lens, file_.name());
    }

private:
    struct Placed {
        Camera lens;
        std::size_t node;
    };

    CameraPath flown(const GltfFlight& flight, std::size_t frames) const {
        const Placed& placed = *std::ranges::find(placed_, flight.camera, &Placed::node);
        CameraPath path;
        for (std::size_t i = 0; i < frames; ++i) {
            glm::dmat4 world_from_node(1);
            for (std::optional<std::size_t> node = placed.node; node; node = nodes_.parent(*node)) {
                world_from_node = flight.animation.parent_from(*node, nodes_, flight.time(i, frames)) * world_from_node;
            }
            path.push_back(camera(placed, world_from_node));
        }
        return path;
    }

    Camera camera(const Placed& placed, const glm::dmat4& world_from_node) const {
        Camera camera = placed.lens;
        camera.eye = dvec3(world_from_node[3]);
        camera.forward = -dvec3(world_from_node[2]);
        camera.up = dvec3(world_from_node[1]);
        return camera;
    }

    GltfFile& file_;
    GltfAccessors accessors_;
    GltfNodes nodes_;
    std::vector<Placed> placed_;
};

}  // namespace

CameraPath path_of_gltf(const std::string& file, std::optional<std::size_t> frames, std::size_t animated_frames,
                        const LensOptions& lens) {
    const MappedFile mapped(file);
    return parse_gltf_path(mapped.bytes(), file, frames, animated_frames, lens);
}

CameraPath parse_gltf_path(std::span<const std::byte> bytes, const std::string& file, std::optional<std::size_t> frames,
                           std::size_t animated_frames, const LensOptions& lens) {
    GltfFile source(bytes, file);
    return GltfCameras(source).path(frames, animated_frames, lens);
}

}  // namespace lanecull::program
