/// glTF gives an error that names the file, or a scene of finite boxes with a name an object; and the same of its
/// cameras and lights. An input is a JSON document or, with a zero byte after it, that and the data
/// of a binary file. Half of the mutations set a value of the document.

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/check.hpp"
#include "gltf/gltf_scene.hpp"
#include "scene/scene_lights.hpp"
#include "support/error.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace lanecull::program;
using nlohmann::json;

void append_word(std::string& bytes, std::size_t word) {
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(word >> 8 * k & 0xFF);
}

/// With the headers of a binary file around its parts.
std::string file_of(std::string_view input) {
    const std::size_t zero = input.find('\0');
    if (zero == std::string_view::npos) return std::string(input);
    std::string bytes = "glTF";
    append_word(bytes, 2);
    append_word(bytes, 12 + 8 + zero + 8 + input.size() - zero - 1);
    append_word(bytes, zero);
    bytes += "JSON";
    bytes += input.substr(0, zero);
    append_word(bytes, input.size() - zero - 1);
    bytes += std::string_view("BIN\0", 4);
    bytes += input.substr(zero + 1);
    return bytes;
}

void check_scene(const Scene& scene) {
    check(scene.object_count() > 0, "a scene has objects");
    for (const Group& group : scene.groups) {
        check(group.names.size() == object_count(group.arrays), "each object has a name");
        for (std::uint32_t i = 0; i < object_count(group.arrays); ++i) {
            const glm::dvec3 size = object_bounds(group.arrays, i).size();
            check(std::isfinite(size.x + size.y + size.z), "boxes are finite");
        }
    }
}

template <class Read>
void expect_named_errors(const Read& read) {
    try {
        read();
    } catch (const Error& error) {
        check_names(error.what(), "none/scene.gltf");
    }
}

void find_leaves(json& value, std::vector<json*>& leaves) {
    leaves.push_back(&value);
    if (leaves.size() > 2000) return;
    for (json& child : value) {
        if (value.is_structured()) find_leaves(child, leaves);
    }
}

json some_value(std::minstd_rand& random) {
    static const std::vector<json> values = {0,          1,      2,         3,
                                             4,          5,      7,         -1,
                                             255,        65535,  65536,     4294967295,
                                             4294967296, 1e15,   0.5,       -1e300,
                                             1e40,       5120,   5121,      5122,
                                             5123,       5125,   5126,      nullptr,
                                             "",         "VEC3", true,      {},
                                             {0},        {1, 0}, {0, 0, 0}, {0, 0, 0, 1},
                                             "SCALAR",   "MAT4", "LINEAR",  "CUBICSPLINE"};
    return values[random() % values.size()];
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    std::minstd_rand random(seed);
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = std::min(input.find('\0'), size);
    json document = json::parse(input.substr(0, zero), nullptr, false);
    if (random() % 2 == 0 || document.is_discarded()) return LLVMFuzzerMutate(data, size, max_size);
    std::vector<json*> leaves;
    find_leaves(document, leaves);
    json& chosen = *leaves[random() % leaves.size()];
    // As another part of the document is, or as numbers like to be.
    chosen = random() % 3 == 0 ? json(*leaves[random() % leaves.size()]) : some_value(random);
    const std::string text =
        document.dump(-1, ' ', false, json::error_handler_t::replace) + std::string(input.substr(zero));
    if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file = file_of({reinterpret_cast<const char*>(data), size});
    const auto bytes = std::as_bytes(std::span(file));
    for (const auto parse : {parse_gltf, parse_gltf_colliders, parse_gltf_lit}) {
        expect_named_errors([&] { check_scene(parse(bytes, "none/scene.gltf")); });
    }
    expect_named_errors([&] {
        const CameraPath path = parse_gltf_path(bytes, "none/scene.gltf", {}, 3, {});
        check(!path.empty(), "a path has cameras");
        for (const Camera& camera : path) check_camera(camera, "a camera that was read");
    });
    expect_named_errors([&] {
        for (const SceneLight& light : parse_gltf_lights(bytes, "none/scene.gltf")) {
            const double sum = light.at.x + light.at.y + light.at.z + light.axis.x + light.axis.y + light.axis.z;
            check(std::isfinite(sum) && light.range >= 0 && light.tangent >= 0, "lights are finite");
        }
    });
    return 0;
}
