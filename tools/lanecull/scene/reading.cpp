#include "scene/reading.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <span>
#include <system_error>

#include "gltf/gltf_scene.hpp"
#include "scene/box_list.hpp"
#include "scene/city_json.hpp"
#include "scene/scene_bytes.hpp"
#include "scene/scene_cameras.hpp"
#include "scene/scene_file.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/reading_process.hpp"

namespace lanecull::program {
namespace {

enum class Wanted : std::uint8_t { scene, path };

/// What path_of_scene() is to be called with.
struct PathArguments {
    std::optional<std::size_t> frames;
    std::size_t animated_frames = 0;
    LensOptions lens;
};

constexpr std::uint64_t most_seconds = 86400;
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
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(file, none);
    const std::uint64_t bytes = none ? 0 : std::min<std::uintmax_t>(size, std::uint64_t{1} << 40);
    const bool is_own = is_gltf(file) || is_city_json(file);
    ReadingLimits limits;
    limits.memory = is_own ? std::numeric_limits<std::uint64_t>::max() : 1024 * mib + 200 * bytes;
    limits.memory = mib * number_from("LANECULL_READ_MEMORY", std::uint64_t{1} << 30, limits.memory / mib);
    limits.seconds = std::min(20 + 4 * bytes / mib, most_seconds);
    limits.seconds = number_from("LANECULL_READ_SECONDS", most_seconds, limits.seconds);
    return limits;
}

std::string request_for(Wanted wanted, const std::string& file) {
    std::string request;
    append_bytes(request, wanted);
    append_text(request, file);
    return request;
}

}  // namespace

std::string answer_reading(std::string_view request) {
    ByteReader bytes(request, "a request");
    const auto wanted = bytes.value<Wanted>();
    const std::string file = bytes.text();
    if (wanted == Wanted::scene) return bytes_of(read_scene(file, bytes.value<std::optional<std::size_t>>()));
    const auto arguments = bytes.value<PathArguments>();
    const CameraPath path = path_of_scene(file, arguments.frames, arguments.animated_frames, arguments.lens);
    std::string answer;
    append_array(answer, std::span<const Camera>(path));
    return answer;
}

Scene read_scene_apart(const std::string& file, std::optional<std::size_t> frames) {
    if (is_box_list(file)) return read_scene(file);
    std::string request = request_for(Wanted::scene, file);
    append_bytes(request, frames);
    Scene scene;
    ReadingProcess::running().answer(file, request, limits_of(file),
                                     [&](std::string_view answer) { scene = scene_of(answer, file); });
    return scene;
}

CameraPath read_path_apart(const std::string& file, std::optional<std::size_t> frames, std::size_t animated_frames,
                           const LensOptions& lens) {
    std::string request = request_for(Wanted::path, file);
    append_bytes(request, PathArguments{frames, animated_frames, lens});
    CameraPath path;
    ReadingProcess::running().answer(file, request, limits_of(file), [&](std::string_view answer) {
        path = ByteReader(answer, "what the reader of " + file + " made").array<Camera>();
        for (const Camera& camera : path) check_camera(camera, file);
    });
    return path;
}

}  // namespace lanecull::program
