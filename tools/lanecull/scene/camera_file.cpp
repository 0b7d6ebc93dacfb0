#include "scene/camera_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/camera_matrix.hpp"
#include "scene/clip_words.hpp"
#include "support/error.hpp"
#include "support/input_file.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
constexpr double degree = std::numbers::pi / 180;

/// What may stand at the top of a file, for all cameras, and in a camera.
constexpr std::array<std::string_view, 8> common_members = {"up",     "fov",  "aspect", "intrinsics",
                                                            "height", "near", "far",    "depth"};

double number(JsonValue value, const std::string& where) {
    if (!value.is_number()) fail("{} is to be a number", where);
    return value.number();
}

dvec3 vector(JsonValue value, const std::string& where) {
    if (!value.is_array_of(3)) fail("{} is to be an array of 3 numbers", where);
    return {number(value[0], where), number(value[1], where), number(value[2], where)};
}

double distance(JsonValue value, const std::string& where) {
    if (value == "infinity") return std::numeric_limits<double>::infinity();
    if (!value.is_number()) fail("{} is to be a number or \"infinity\"", where);
    return value.number();
}

void allow_only(JsonValue object, std::initializer_list<std::string_view> own, const std::string& where) {
    if (!object.is_object()) fail("{} is to be an object", where);
    std::vector<std::string_view> names(common_members.begin(), common_members.end());
    names.insert(names.end(), own);
    for (const std::string& name : object.names()) {
        if (std::find(names.begin(), names.end(), name) == names.end()) fail("{}: unknown member \"{}\"", where, name);
    }
}

/// Fails if an object has two members of which each says the whole.
void allow_one(JsonValue object, std::initializer_list<const char*> names, const std::string& where) {
    const char* first = nullptr;
    for (const char* name : names) {
        if (!object.contains(name)) continue;
        if (first != nullptr) fail("{}: {} and {} exclude each other", where, first, name);
        first = name;
    }
}

/// Focal lengths and principal point in pixels, of a picture whose upper left corner is (0, 0).
void take_intrinsics(JsonValue given, const std::string& where, Camera& camera) {
    if (!given.is_object()) fail("{} is to be an object", where);
    const auto of = [&](const char* name) {
        if (!given.contains(name)) fail("{} is to have width, height, fx, fy, cx and cy", where);
        return number(given[name], where + ": " + name);
    };
    const double width = of("width"), height = of("height"), fx = of("fx"), fy = of("fy");
    for (const double length : {width, height, fx, fy}) {
        if (!(length > 0)) fail("{}: width, height, fx and fy are to be more than 0", where);
    }
    const double across = 0.5 * width / fx, up = 0.5 * height / fy;
    camera.vertical_fov = 2 * std::atan(up);
    camera.aspect = across / up;
    camera.shift = {1 - 2 * of("cx") / width, 2 * of("cy") / height - 1};
    camera.height = 0;
}

/// What the common members say, wherever they stand.
void read_lens(JsonValue object, const std::string& where, Camera& camera) {
    allow_one(object, {"intrinsics", "fov", "height"}, where);
    allow_one(object, {"intrinsics", "aspect"}, where);
    if (object.contains("up")) camera.up = vector(object["up"], where + ": up");
    if (object.contains("fov")) {
        camera.vertical_fov = degree * number(object["fov"], where + ": fov");
        camera.height = 0;
    }
    if (object.contains("height")) {
        camera.height = number(object["height"], where + ": height");
        if (!(camera.height > 0)) fail("{}: height is to be more than 0, not {}", where, camera.height);
        camera.shift = {0, 0};
    }
    if (object.contains("aspect")) camera.aspect = number(object["aspect"], where + ": aspect");
    if (object.contains("intrinsics")) take_intrinsics(object["intrinsics"], where + ": intrinsics", camera);
    if (object.contains("near")) camera.near = number(object["near"], where + ": near");
    if (object.contains("far")) camera.far = distance(object["far"], where + ": far");
}

glm::dmat4 matrix(JsonValue rows, const std::string& where) {
    if (!rows.is_array_of(4)) fail("{} is to be an array of 4 rows", where);
    glm::dmat4 result;
    for (int r = 0; r < 4; ++r) {
        const JsonValue row = rows[static_cast<std::size_t>(r)];
        if (!row.is_array_of(4)) fail("{} is to have rows of 4 numbers", where);
        for (int c = 0; c < 4; ++c) result[c][r] = number(row[static_cast<std::size_t>(c)], where);
    }
    return result;
}

/// A camera that is a matrix; `common` is the file, whose depth may hold for all.
Camera read_matrix(JsonValue entry, JsonValue common, const std::string& where) {
    for (const std::string& name : entry.names()) {
        if (name != "clip_from_world" && name != "depth" && name != "origin" && name != "sight") {
            fail("{}: clip_from_world and {} exclude each other", where, name);
        }
    }
    ClipMatrix given{matrix(entry["clip_from_world"], where + ": clip_from_world"), {}};
    const JsonValue says_depth = entry.contains("depth") ? entry : common;
    if (!says_depth.contains("depth")) {
        fail("{}: clip_from_world needs depth, \"zero_to_one\" or \"minus_one_to_one\"", where);
    }
    given.space.depth = depth_range_of(says_depth["depth"], where + ": depth");
    if (entry.contains("sight")) given.sight = sight_of(entry["sight"], where + ": sight");
    if (entry.contains("origin")) {
        const dvec3 origin = vector(entry["origin"], where + ": origin");
        for (int k = 0; k < 3; ++k) given.space.origin[k] = origin[k];
    }
    return camera_of(given, where);
}

Camera read_camera(JsonValue entry, JsonValue file, const Camera& common, const std::string& where) {
    allow_only(entry, {"eye", "target", "clip_from_world", "origin", "sight"}, where);
    if (entry.contains("clip_from_world")) return read_matrix(entry, file, where);
    for (const char* name : {"depth", "origin", "sight"}) {
        if (entry.contains(name)) fail("{}: {} is of clip_from_world", where, name);
    }
    if (!entry.contains("eye") || !entry.contains("target")) {
        fail("{} needs an eye and a target, or clip_from_world", where);
    }
    Camera camera = common;
    camera.eye = vector(entry["eye"], where + ": eye");
    camera.forward = vector(entry["target"], where + ": target") - camera.eye;
    read_lens(entry, where, camera);
    return camera;
}

JsonDocument read_json(const std::string& file) {
    try {
        return JsonDocument(read_file(file));
    } catch (const JsonError& error) {
        fail("{} is not JSON: {}", file, error.what());
    }
}

}  // namespace

CameraPath path_from_file(const std::string& file, const glm::dvec3& up, std::optional<std::size_t> frames,
                          const LensOptions& lens) {
    const JsonDocument text = read_json(file);
    const JsonValue document = text.value();
    allow_only(document, {"cameras"}, file);
    if (!document.contains("cameras") || !document["cameras"].is_array() || document["cameras"].empty()) {
        fail("{}: cameras is to be an array of at least one camera", file);
    }
    Camera common;
    common.up = up;
    read_lens(document, file, common);

    CameraPath keys;
    for (const JsonValue entry : document["cameras"]) {
        keys.push_back(read_camera(entry, document, common, fmt::format("{}, camera {}", file, keys.size())));
    }
    return path_through(std::move(keys), frames, lens, file);
}

}  // namespace lanecull::program
