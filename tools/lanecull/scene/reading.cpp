#include "scene/reading.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <glm/common.hpp>
#include <limits>
#include <span>
#include <system_error>

#include "gltf/gltf_scene.hpp"
#include "scene/formats.hpp"
#include "scene/scene_bytes.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/memory.hpp"
#include "support/reading_process.hpp"

namespace lanecull::program {
namespace {

enum class Format : std::uint8_t { city_json, gltf, ply, other };

Format format_of(const std::string& file) {
    constexpr std::pair<std::string_view, Format> suffixes[] = {
        {".json", Format::city_json}, {".cityjson", Format::city_json}, {".gltf", Format::gltf},
        {".glb", Format::gltf},       {".vrm", Format::gltf},           {".ply", Format::ply}};
    for (const auto& [suffix, format] : suffixes) {
        if (ends_in(file, suffix)) return format;
    }
    return Format::other;
}

Scene read(const std::string& file, std::optional<std::size_t> frames) {
    if (is_box_list(file)) return read_box_list(file);
    switch (format_of(file)) {
        case Format::city_json:
            return read_city_json(file);
        case Format::gltf:
            return read_gltf(file, frames);
        case Format::ply:
            return read_ply(file);
        case Format::other:
            break;
    }
    return read_with_assimp(file);
}

/// What path_of_gltf() is to be called with.
struct PathArguments {
    std::optional<std::size_t> frames;
    std::size_t animated_frames = 0;
    LensOptions lens;
};

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
    const bool has_limit = format_of(file) == Format::ply || format_of(file) == Format::other;
    const std::uint64_t memory = has_limit ? 1024 + 200 * bytes / mib : std::numeric_limits<std::uint64_t>::max() / mib;
    const std::uint64_t seconds = std::min(20 + 4 * bytes / mib, most_seconds);
    return {.memory = mib * number_from("LANECULL_READ_MEMORY", std::uint64_t{1} << 30, memory),
            .seconds = number_from("LANECULL_READ_SECONDS", most_seconds, seconds)};
}

/// Has a process answer a request, which begins with whether a path is wanted, and the file.
template <class Arguments>
void ask(bool is_path, const std::string& file, const Arguments& arguments, const ReadingProcess::Use& use) {
    std::string request;
    append_bytes(request, is_path);
    append_text(request, file);
    append_bytes(request, arguments);
    ReadingProcess::running().answer(file, request, limits_of(file), use);
}

}  // namespace

Scene read_scene(const std::string& file, std::optional<std::size_t> frames) {
    std::error_code none;
    if (!is_standard_input(file)) {
        if (!std::filesystem::exists(file, none)) fail("cannot read '{}': no such file", file);
        if (!std::filesystem::is_regular_file(file, none)) fail("cannot read '{}': not a file", file);
    }
    const MemoryLimit limit;
    Scene scene = read(file, frames);
    const Bounds bounds = scene.bounds();
    const glm::dvec3 reach = glm::max(-bounds.lower, bounds.upper);
    const double farthest = std::max({reach.x, reach.y, reach.z});
    if (farthest > max_coordinate) fail("{}: coordinates of up to {:g}, 1e15 is the limit", file, farthest);
    if (scene.object_count() > 0xFFFFFFFFU) fail("{}: more than 4294967295 objects", file);
    return scene;
}

bool may_have_cameras(const std::string& file) { return format_of(file) == Format::gltf; }

std::string answer_reading(std::string_view request) {
    ByteReader bytes(request, "a request");
    const bool is_path = bytes.value<bool>();
    const std::string file = bytes.text();
    if (!is_path) return bytes_of(read_scene(file, bytes.value<std::optional<std::size_t>>()));
    const auto [frames, animated_frames, lens] = bytes.value<PathArguments>();
    const MemoryLimit limit;
    const CameraPath path = path_of_gltf(file, frames, animated_frames, lens);
    std::string answer;
    append_array(answer, std::span<const Camera>(path));
    return answer;
}

Scene read_scene_apart(const std::string& file, std::optional<std::size_t> frames) {
    if (is_box_list(file)) return read_scene(file);
    Scene scene;
    ask(false, file, frames, [&](std::string_view answer) { scene = scene_of(answer, file); });
    return scene;
}

CameraPath read_path_apart(const std::string& file, std::optional<std::size_t> frames, std::size_t animated_frames,
                           const LensOptions& lens) {
    CameraPath path;
    ask(true, file, PathArguments{frames, animated_frames, lens}, [&](std::string_view answer) {
        path = ByteReader(answer, "what the reader of " + file + " made").array<Camera>();
        for (const Camera& camera : path) check_camera(camera, file);
    });
    return path;
}

}  // namespace lanecull::program
