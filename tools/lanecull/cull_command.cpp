#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "camera_path.hpp"
#include "city.hpp"
#include "commands.hpp"
#include "culling_options.hpp"
#include "error.hpp"
#include "measure.hpp"
#include "memory.hpp"
#include "output_file.hpp"
#include "picture.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "scene_file.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t default_frames = 300;
constexpr std::uint64_t max_frames = 1'000'000;

/// What the command line says.
struct CullOptions {
    std::optional<std::string> scene_file;
    std::uint64_t objects = 1'000'000;
    std::string up;
    std::optional<std::string> path_file;
    std::optional<std::size_t> frames;
    LensOptions lens;
    CullingOptions culling;
    int threads = 0;
    std::optional<std::string> json_file;
    std::optional<std::string> picture_file;
    std::optional<std::size_t> picture_frame;
    bool quiet = false;
};

Scene city_that_fits(std::uint64_t objects, bool quiet) {
    constexpr double gib = 1U << 30;
    const std::uint64_t needed = city_bytes(objects), available = available_memory();
    if (needed > available) {
        fail("--objects {}: takes some {:.1f} GiB of memory, {:.1f} GiB are available", objects,
             static_cast<double>(needed) / gib, static_cast<double>(available) / gib);
    }
    announce(fmt::format("building the city: {} objects", objects), quiet);
    return make_city(objects);
}

Scene scene_from_file(const std::string& file, bool quiet) {
    announce(fmt::format("reading {}", file), quiet);
    return read_scene(file);
}

Scene scene_for(const CullOptions& options) {
    Scene scene = options.scene_file ? scene_from_file(*options.scene_file, options.quiet)
                                     : city_that_fits(options.objects, options.quiet);
    if (options.up == "x") scene.up = {1, 0, 0};
    if (options.up == "y") scene.up = {0, 1, 0};
    if (options.up == "z") scene.up = {0, 0, 1};
    return scene;
}

CameraPath path_for(const CullOptions& options, const Scene& scene) {
    if (options.path_file) return path_from_file(*options.path_file, scene.up, options.frames, options.lens);
    return fitted_path(scene.bounds(), scene.up, options.frames.value_or(default_frames), options.lens);
}

std::unique_ptr<OutputFile> opened(const std::optional<std::string>& file) {
    return file ? std::make_unique<OutputFile>(*file) : nullptr;
}

std::string picture(const Scene& scene, const CameraPath& path, const Measurement& measurement, bool quiet) {
    const std::size_t frame = measurement.picked_frame;
    announce(fmt::format("drawing the picture of frame {}", frame), quiet);
    PictureInput input{scene,
                       path[frame],
                       measurement.picked_visible,
                       measurement.picked_planes,
                       fmt::format("frame {} of {}", frame, path.size()),
                       {}};
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        if (scene.groups[g].stand_in) input.stand_ins.push_back(g);
    }
    return draw_picture(input);
}

void check_number(const char* option, std::optional<double> value, double low, double high) {
    if (value && !(*value >= low && *value <= high))
        fail("{}: {:g} to {:g} is allowed, not {}", option, low, high, *value);
}

void check_lens(const LensOptions& lens) {
    check_number("--fov", lens.fov_degrees, 0.01, 179);
    check_number("--aspect", lens.aspect, 0.01, 100);
    check_number("--near", lens.near, 1e-12, 1e15);
    check_number("--far", lens.far, 1e-12, 1e15);
    if (lens.near && lens.far && *lens.near >= *lens.far) {
        fail("--near {} is to be less than --far {}", *lens.near, *lens.far);
    }
}

/// Finds what is wrong with the options by themselves, before any work is done.
MeasureOptions checked(const CullOptions& options) {
    MeasureOptions result;
    const Options culling = options.culling.checked();
    result.method = culling.method;
    result.isa = culling.isa;
    result.threads = options.threads;
    result.picked_frame = options.picture_frame;
    result.quiet = options.quiet;
    if (options.picture_file && result.method == Method::planes) {
        fail("--picture shows an exact method next to the six-plane test: --method planes is only the latter");
    }
    check_lens(options.lens);
    return result;
}

void run_cull(const CullOptions& options) {
    const MeasureOptions measure_options = checked(options);
    const std::unique_ptr<OutputFile> json_file = opened(options.json_file);
    const std::unique_ptr<OutputFile> picture_file = opened(options.picture_file);

    const Scene scene = scene_for(options);
    const CameraPath path = path_for(options, scene);
    if (options.picture_frame && *options.picture_frame >= path.size()) {
        fail("--picture-frame {}: the frames are 0 to {}", *options.picture_frame, path.size() - 1);
    }
    const Measurement measurement = measure(scene, path, measure_options);
    if (json_file) json_file->commit(report_json(scene, path, measurement));
    if (picture_file) picture_file->commit(picture(scene, path, measurement, options.quiet));
    if (!options.quiet) fmt::print("{}", report_table(scene, measurement));
}

void add_scene_options(CLI::App& command, CullOptions& options) {
    CLI::Option* scene = command.add_option(
        "SCENE", options.scene_file,
        "A file that assimp reads, or a list of boxes (.txt, .csv, .tsv); the built-in city without");
    command.add_option("--objects", options.objects, "Size of the built-in city (1000000)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{0xFFFFFFFF}).description(""))
        ->type_name("N")
        ->excludes(scene);
    command.add_option("--up", options.up, "Which axis points up (z; y for assimp's files)")
        ->check(CLI::IsMember({"x", "y", "z"}).description(""))
        ->type_name("x|y|z");
}

void add_camera_options(CLI::App& command, CullOptions& options) {
    const auto number = [&](const char* name, std::optional<double>& value, const char* text) {
        command.add_option(name, value, text)->type_name("X");
    };
    command.add_option("--path", options.path_file, "Camera path, a JSON file (see below)")->type_name("FILE");
    command.add_option("--frames", options.frames, "How many (300, or as many as the file of --path has cameras)")
        ->check(CLI::Range(std::uint64_t{1}, max_frames).description(""))
        ->type_name("N");
    number("--fov", options.lens.fov_degrees, "Vertical field of view in degrees (50)");
    number("--aspect", options.lens.aspect, "Width over height (1.78)");
    number("--near", options.lens.near, "Distance of the near plane (far / 10000)");
    number("--far", options.lens.far, "Distance of the far plane (a fifth of the scene's diagonal)");
}

void add_culling_options(CLI::App& command, CullOptions& options) {
    options.culling.add_to(command);
    command.add_option("--threads", options.threads, "0: all cores, 1: the serial runner, else oneTBB's threads (0)")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
}

void add_output_options(CLI::App& command, CullOptions& options) {
    command.add_option("--json", options.json_file, "Write the report as data too")->type_name("FILE");
    CLI::Option* picture =
        command
            .add_option("--picture", options.picture_file, "Draw the scene, the view volume and the verdicts: a PNG")
            ->type_name("FILE");
    command.add_option("--picture-frame", options.picture_frame, "Of which frame, from 0 (where six planes fail most)")
        ->check(CLI::Range(std::uint64_t{0}, max_frames - 1).description(""))
        ->type_name("K")
        ->needs(picture);
    command.add_flag("--quiet", options.quiet, "Print nothing but errors");
}

}  // namespace

void add_cull_command(CLI::App& program) {
    CLI::App* command = program.add_subcommand("cull", "Cull a scene along a camera path and report");
    const auto options = std::make_shared<CullOptions>();
    add_scene_options(*command, *options);
    add_camera_options(*command, *options);
    add_culling_options(*command, *options);
    add_output_options(*command, *options);
    command->footer(
        "Scenes: each mesh of each node of a file (.obj, .ac, .3ds, .dae, .gltf, .ply ...) becomes the hull of its\n"
        "points and a box. Lists of boxes hold one a line, minx miny minz maxx maxy maxz, separated by blanks or\n"
        "commas; a header line and # comments are skipped.\n\n"
        "Camera paths: {\"cameras\": [{\"eye\": [x, y, z], \"target\": [x, y, z]}, ...]}, and \"up\": [x, y, z], "
        "\"fov\",\n"
        "\"aspect\", \"near\", \"far\" for all cameras or within one. --frames then takes that many along the curve\n"
        "through them. The options --fov, --aspect, --near and --far override the file.\n\n"
        "Examples:\n"
        "  lanecull cull\n"
        "  lanecull cull --objects 100000 --frames 60 --threads 1 --isa avx2\n"
        "  lanecull cull --picture city.png --picture-frame 100\n"
        "  lanecull cull track.ac --far 400 --json report.json\n"
        "  lanecull cull boxes.csv --up y --path flight.json --method gjk");
    command->callback([options] { run_cull(*options); });
}

}  // namespace lanecull::program
