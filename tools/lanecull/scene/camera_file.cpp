#include <cmath>
#include <limits>
#include <numbers>

#include "scene/camera_path.hpp"
#include "scene/json_object.hpp"
#include "support/files.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using Names = std::initializer_list<const char*>;
constexpr double degree = std::numbers::pi / 180;

/// What may stand at the top of a file, for all cameras, and in a camera.
constexpr std::string_view common_members[] = {"up", "fov", "aspect", "intrinsics", "height", "near", "far", "depth"};

/// Beside the common ones.
void allow_only(const JsonObject& object, Names own) {
    for (const std::string& name : object.names()) {
        if (std::ranges::find(common_members, name) != std::end(common_members)) continue;
        if (std::ranges::find(own, name) == own.end()) object.reject(name, "is an unknown member");
    }
}

/// Fails if an object has two members of which each says the whole.
void allow_one(const JsonObject& object, Names names) {
    const char* first = nullptr;
    for (const char* name : names) {
        if (!object.has(name)) continue;
        if (first != nullptr) object.reject(first, "and {} exclude each other", name);
        first = name;
    }
}

dvec3 vector(const JsonObject& object, const char* name, const dvec3& otherwise) {
    const auto numbers = object.numbers_of<3>(name);
    return numbers ? dvec3((*numbers)[0], (*numbers)[1], (*numbers)[2]) : otherwise;
}

/// Focal lengths and principal point in pixels, of a picture whose upper left corner is (0, 0).
void take_intrinsics(const JsonObject& given, Camera& camera) {
    const auto of = [&](const char* name) { return given.required(name, given.number(name)); };
    const double width = of("width"), height = of("height"), fx = of("fx"), fy = of("fy");
    if (!(std::min({width, height, fx, fy}) > 0))
        given.reject_all("is to have width, height, fx and fy of more than 0");
    const double across = 0.5 * width / fx, up = 0.5 * height / fy;
    camera.vertical_fov = 2 * std::atan(up);
    camera.aspect = across / up;
    camera.shift = {1 - 2 * of("cx") / width, 2 * of("cy") / height - 1};
    camera.height = 0;
}

/// What the common members say, wherever they stand.
void read_lens(const JsonObject& object, Camera& camera) {
    allow_one(object, {"intrinsics", "fov", "height"});
    allow_one(object, {"intrinsics", "aspect"});
    camera.up = vector(object, "up", camera.up);
    if (const auto fov = object.number("fov")) {
        camera.vertical_fov = degree * *fov;
        camera.height = 0;
    }
    if (const auto height = object.number("height")) {
        if (!(*height > 0)) object.reject("height", "is to be more than 0, not {}", *height);
        camera.height = *height;
        camera.shift = {0, 0};
    }
    camera.aspect = object.number("aspect").value_or(camera.aspect);
    if (const auto intrinsics = object.object("intrinsics")) take_intrinsics(*intrinsics, camera);
    camera.near = object.number("near").value_or(camera.near);
    const bool is_endless = object.has("far") && object["far"] == "infinity";
    camera.far = is_endless ? std::numeric_limits<double>::infinity() : object.number("far").value_or(camera.far);
}

bool is_array_of_4(const Json& value) { return value.is_array() && value.size() == 4; }

glm::dmat4 matrix(const JsonObject& object, const char* name) {
    const Json& rows = object[name];
    glm::dmat4 result;
    for (std::size_t k = 0; k < 16; ++k) {
        if (!is_array_of_4(rows) || !is_array_of_4(rows[k / 4]) || !rows[k / 4][k % 4].is_number()) {
            object.reject(name, "is to have 4 rows of 4 numbers");
        }
        result[static_cast<int>(k % 4)][static_cast<int>(k / 4)] = rows[k / 4][k % 4].get<double>();
    }
    return result;
}

/// A camera that is a matrix, whose depth may hold for all of the file.
Camera read_matrix(const JsonObject& entry, const JsonObject& file) {
    constexpr std::string_view allowed[] = {"clip_from_world", "depth", "origin", "sight"};
    for (const std::string& name : entry.names()) {
        if (std::ranges::find(allowed, name) != std::end(allowed)) continue;
        entry.reject("clip_from_world", "and {} exclude each other", name);
    }
    ClipMatrix given{matrix(entry, "clip_from_world"), {}};
    const JsonObject& says_depth = entry.has("depth") ? entry : file;
    if (!says_depth.has("depth")) {
        entry.reject("clip_from_world", "needs depth, \"zero_to_one\" or \"minus_one_to_one\"");
    }
    given.space.depth = depth_range_of(says_depth["depth"], entry.where("depth"));
    if (entry.has("sight")) given.sight = sight_of(entry["sight"], entry.where("sight"));
    const dvec3 origin = vector(entry, "origin", dvec3(0));
    for (int k = 0; k < 3; ++k) given.space.origin[k] = origin[k];
    return camera_of(given, entry.where());
}

Camera read_camera(const JsonObject& entry, const JsonObject& file, const Camera& common) {
    allow_only(entry, {"eye", "target", "clip_from_world", "origin", "sight"});
    if (entry.has("clip_from_world")) return read_matrix(entry, file);
    for (const char* name : {"depth", "origin", "sight"}) {
        if (entry.has(name)) entry.reject(name, "is of clip_from_world");
    }
    if (!entry.has("eye") || !entry.has("target")) {
        entry.reject_all("needs an eye and a target, or clip_from_world");
    }
    Camera camera = common;
    camera.eye = vector(entry, "eye", {});
    camera.forward = vector(entry, "target", {}) - camera.eye;
    read_lens(entry, camera);
    return camera;
}

template <class Value>
Value value_of(const Json& word, const std::string& what, std::pair<const char*, Value> a,
               std::pair<const char*, Value> b) {
    if (word == a.first) return a.second;
    if (word == b.first) return b.second;
    fail("{} is to be \"{}\" or \"{}\"", what, a.first, b.first);
}

}  // namespace

DepthRange depth_range_of(const Json& word, const std::string& what) {
    return value_of<DepthRange>(word, what, {"zero_to_one", DepthRange::zero_to_one},
                                {"minus_one_to_one", DepthRange::minus_one_to_one});
}

SightDirection sight_of(const Json& word, const std::string& what) {
    return value_of<SightDirection>(word, what, {"growing_depth", SightDirection::growing_depth},
                                    {"shrinking_depth", SightDirection::shrinking_depth});
}

CameraPath path_from_file(const std::string& file, const dvec3& up, std::optional<std::size_t> frames,
                          const LensOptions& lens) {
    const Json text = parse_json(read_file(file), file);
    const JsonObject document(text, file, "");
    allow_only(document, {"cameras"});
    const JsonArray cameras = document.array("cameras");
    if (cameras.size() == 0) document.reject("cameras", "is to be an array of at least one camera");
    Camera common;
    common.up = up;
    read_lens(document, common);
    CameraPath keys;
    for (std::size_t i = 0; i < cameras.size(); ++i) keys.push_back(read_camera(cameras[i], document, common));
    return path_through(std::move(keys), frames, lens, file);
}

}  // namespace lanecull::program
