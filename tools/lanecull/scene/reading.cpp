#include "scene/reading.hpp"

#include <charconv>
#include <cstdlib>
#include <glm/common.hpp>
#include <limits>
#include <system_error>

#include "gltf/gltf_scene.hpp"
#include "scene/formats.hpp"
#include "scene/scene_lights.hpp"
#include "support/bytes.hpp"
#include "support/reading_process.hpp"

namespace lanecull::program {
namespace {

bool is_city_json(const std::string& file) { return ends_in(file, ".json") || ends_in(file, ".cityjson"); }

Scene read_gltf(const std::string& file, ReadingOptions::Of of) {
    const MappedFile mapped(file);
    switch (of) {
        case ReadingOptions::Of::colliders:
            return parse_gltf_colliders(mapped.bytes(), file);
        case ReadingOptions::Of::lights:
            return parse_gltf_lit(mapped.bytes(), file);
        default:
            return parse_gltf(mapped.bytes(), file);
    }
}

Scene read(const std::string& file, const ReadingOptions& options) {
    if (is_box_list(file)) return read_box_list(file);
    if (is_city_json(file)) return read_city_json(file);
    if (is_gltf(file)) return read_gltf(file, options.of);
    if (ends_in(file, ".ply")) return parse_ply(MappedFile(file).text(), file, options.deviations);
    return read_with_assimp(file);
}

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// The number that an environment variable has, from 1 to `most`; `otherwise` where it is not set.
std::uint64_t number_from(const char* variable, std::uint64_t most, std::uint64_t otherwise) {
    const char* value = std::getenv(variable);
    if (value == nullptr) return otherwise;
    const std::string_view text(value);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) {
        fail("{}: a whole number from 1 to {} is allowed, not '{}'", variable, most, text.substr(0, 40));
    }
    return number;
}

/// What the readers of all formats take for sound files is far less; assimp takes some gigabytes for a few bytes of
/// others. The readers of glTF and CityJSON see to it themselves that memory is in proportion to the file and what it
/// names.
ReadingLimits limits_of(const std::string& file) {
    constexpr std::uint64_t most_seconds = 86400;
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(file, none);
    const std::uint64_t bytes = none ? 0 : std::min<std::uintmax_t>(size, std::uint64_t{1} << 40);
    const bool has_limit = !is_gltf(file) && !is_city_json(file);
    const std::uint64_t memory = has_limit ? 1024 + 200 * bytes / mib : std::numeric_limits<std::uint64_t>::max() / mib;
    const std::uint64_t seconds = std::min(20 + 4 * bytes / mib, most_seconds);
    return {.memory = mib * number_from("LANECULL_READ_MEMORY", std::uint64_t{1} << 30, memory),
            .seconds = number_from("LANECULL_READ_SECONDS", most_seconds, seconds)};
}

template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
    append_array(bytes, std::span<const T>(values));
}

/// Calls visit(stream, numbers an object) for each stream that objects of a kind have but for their meshes.
template <class Kind, class Visit>
void for_streams(Kind& kind, const Visit& visit) {
    const auto single = [&](auto&... streams) { (visit(streams, 1), ...); };
    if constexpr (requires { kind.meshes; }) {
        visit(kind.transforms, 12);
    } else if constexpr (requires { kind.a_x; }) {
        single(kind.a_x, kind.a_y, kind.a_z, kind.b_x, kind.b_y, kind.b_z, kind.radius);
    } else if constexpr (requires { kind.min_x; }) {
        single(kind.min_x, kind.min_y, kind.min_z, kind.max_x, kind.max_y, kind.max_z);
    } else {
        single(kind.x, kind.y, kind.z);
        if constexpr (requires { kind.radius; }) single(kind.radius);
        if constexpr (requires { kind.half_x; }) single(kind.half_x, kind.half_y, kind.half_z);
        if constexpr (requires { kind.half_extents; }) visit(kind.axes, 9), visit(kind.half_extents, 3);
        if constexpr (requires { kind.quaternions; }) visit(kind.quaternions, 4), visit(kind.half_axes, 3);
    }
}

void append_meshes(std::string& bytes, const HullInstanceArrays& instances) {
    append_bytes(bytes, std::uint64_t{instances.meshes.size()});
    for (const HullMesh& mesh : instances.meshes) {
        for (const auto* stream : {&mesh.x, &mesh.y, &mesh.z}) append(bytes, *stream);
        append(bytes, mesh.triangles);
        append_text(bytes, mesh.name);
        append_bytes(bytes, mesh.covers_holes);
    }
    append(bytes, instances.hull_index);
}

void append_group(std::string& bytes, const Group& group) {
    append_text(bytes, group.name);
    append_bytes(bytes, std::uint64_t{group.arrays.index()});
    append_bytes(bytes, std::uint64_t{object_count(group.arrays)});
    if (const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays)) append_meshes(bytes, *instances);
    std::visit(
        [&](const auto& kind) { for_streams(kind, [&](const auto& stream, std::size_t) { append(bytes, stream); }); },
        group.arrays);
    append_bytes(bytes, std::uint64_t{group.names.size()});
    for (const std::string& name : group.names) append_text(bytes, name);
}

/// Empty ones of a kind.
template <std::size_t... kinds>
Arrays arrays_of(std::uint64_t kind, std::index_sequence<kinds...>) {
    Arrays arrays;
    ((kind == kinds ? static_cast<void>(arrays.emplace<kinds>()) : void()), ...);
    return arrays;
}

class SceneParser {
public:
    SceneParser(std::string_view bytes, const std::string& file)
        : what_("what the reader of " + file + " made"), bytes_(bytes, what_) {}

    Scene scene() {
        Scene scene;
        scene.name = bytes_.text();
        scene.description = bytes_.text();
        scene.up = bytes_.value<glm::dvec3>();
        scene.meshes = bytes_.value<std::uint64_t>();
        while (!bytes_.at_end()) add_group(scene);
        return scene;
    }

private:
    void check(bool is_right) const {
        if (!is_right) fail("{} is damaged", what_);
    }

    [[nodiscard]] std::vector<float> finite_numbers() {
        std::vector<float> numbers = bytes_.array<float>();
        check(std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }));
        return numbers;
    }

    [[nodiscard]] HullMesh mesh() {
        HullMesh mesh;
        for (auto* stream : {&mesh.x, &mesh.y, &mesh.z}) *stream = finite_numbers();
        const std::size_t points = mesh.x.size();
        check(points != 0 && mesh.y.size() == points && mesh.z.size() == points);
        mesh.triangles = bytes_.array<std::array<std::uint32_t, 3>>();
        for (const auto& triangle : mesh.triangles) check(std::ranges::max(triangle) < points);
        mesh.name = bytes_.text();
        mesh.covers_holes = bytes_.value<std::uint8_t>() != 0;
        return mesh;
    }

    void read_meshes(HullInstanceArrays& instances, std::uint64_t count) {
        for (auto left = bytes_.value<std::uint64_t>(); left != 0; --left) instances.meshes.push_back(mesh());
        instances.hull_index = bytes_.array<std::uint32_t>();
        const std::size_t meshes = instances.meshes.size();
        check(instances.hull_index.size() == count);
        check(std::ranges::all_of(instances.hull_index, [&](std::uint32_t index) { return index < meshes; }));
    }

    void add_group(Scene& scene) {
        std::string name = bytes_.text();
        const auto index = bytes_.value<std::uint64_t>(), count = bytes_.value<std::uint64_t>();
        check(index < std::variant_size_v<Arrays>);
        Arrays arrays = arrays_of(index, std::make_index_sequence<std::variant_size_v<Arrays>>());
        if (auto* instances = std::get_if<HullInstanceArrays>(&arrays)) read_meshes(*instances, count);
        const auto read = [&](std::vector<float>& stream, std::size_t numbers) {
            stream = finite_numbers();
            check(stream.size() % numbers == 0 && stream.size() / numbers == count);
        };
        std::visit([&](auto& kind) { for_streams(kind, read); }, arrays);
        const auto named = bytes_.value<std::uint64_t>();
        check(named == 0 || named == count);
        std::vector<std::string> names(named);
        for (std::string& of_object : names) of_object = bytes_.text();
        std::visit([&](auto& kind) { scene.add(std::move(name), std::move(kind), std::move(names)); }, arrays);
    }

    const std::string what_;
    ByteReader bytes_;
};

}  // namespace

Scene read_scene(const std::string& file, const ReadingOptions& options) {
    std::error_code none;
    if (!is_standard_input(file)) {
        if (!std::filesystem::exists(file, none)) fail("cannot read '{}': no such file", file);
        if (!std::filesystem::is_regular_file(file, none)) fail("cannot read '{}': not a file", file);
    }
    Scene scene = read(file, options);
    const Bounds bounds = scene.bounds();
    const glm::dvec3 reach = glm::max(-bounds.lower, bounds.upper);
    const double farthest = std::max({reach.x, reach.y, reach.z});
    if (farthest > max_coordinate) fail("{}: coordinates of up to {:g}, 1e15 is the limit", file, farthest);
    if (scene.object_count() > 0xFFFFFFFFU) fail("{}: more than 4294967295 objects", file);
    return scene;
}

bool is_gltf(const std::string& file) {
    return ends_in(file, ".gltf") || ends_in(file, ".glb") || ends_in(file, ".vrm");
}

Scene read_scene_apart(const std::string& file, const ReadingOptions& options) {
    if (is_box_list(file)) return read_scene(file);
    const MappedFile answer = read_apart(file, limits_of(file), [&] { return bytes_of(read_scene(file, options)); });
    return scene_of(answer.text(), file);
}

CameraPath read_path_apart(const std::string& file, std::optional<std::size_t> frames, std::size_t animated_frames,
                           const LensOptions& lens) {
    const MappedFile answer = read_apart(file, limits_of(file), [&] {
        std::string bytes;
        append_array(bytes, std::span<const Camera>(path_of_gltf(file, frames, animated_frames, lens)));
        return bytes;
    });
    CameraPath path = ByteReader(answer.text(), "what the reader of " + file + " made").array<Camera>();
    for (const Camera& camera : path) check_camera(camera, file);
    return path;
}

std::vector<SceneLight> read_lights_apart(const std::string& file) {
    if (!is_gltf(file)) return {};
    const MappedFile answer = read_apart(file, limits_of(file), [&] {
        std::string bytes;
        append(bytes, parse_gltf_lights(MappedFile(file).bytes(), file));
        return bytes;
    });
    return ByteReader(answer.text(), "what the reader of " + file + " made").array<SceneLight>();
}

std::string bytes_of(const Scene& scene) {
    std::string bytes;
    append_text(bytes, scene.name);
    append_text(bytes, scene.description);
    append_bytes(bytes, scene.up);
    append_bytes(bytes, std::uint64_t{scene.meshes});
    for (const Group& group : scene.groups) append_group(bytes, group);
    return bytes;
}

Scene scene_of(std::string_view bytes, const std::string& file) { return SceneParser(bytes, file).scene(); }

}  // namespace lanecull::program
