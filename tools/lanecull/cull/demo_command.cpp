

#include "commands.hpp"
#include "cull/measure.hpp"
#include "options/options.hpp"
#include "picture/picture.hpp"
#include "shadow/shadow.hpp"
#include "support/files.hpp"
#include "support/report.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t frames = 30, walls = 32, cascades = 4;

struct DemoOptions {
    SceneOptions scene;
    std::optional<std::string> picture;
};

/// Means of a frame.
struct Row {
    std::string name;
    double all, six_planes, left, milliseconds;
};

Row row_of(const char* name, const Scene& scene, const Measurement& m) {
    std::uint64_t six_planes = m.occluders ? m.occluders->without.counts.visible() : m.pass.counts.visible();
    for (const std::uint64_t more : m.frame_false_positives) six_planes += more;
    std::vector<double> seconds = m.pass.seconds;
    for (std::size_t i = 0; m.occluders && i < seconds.size(); ++i) seconds[i] += m.occluders->choose_seconds[i];
    const auto measured = static_cast<double>(m.frames());
    return {name, static_cast<double>(scene.object_count()), static_cast<double>(six_planes) / measured,
            static_cast<double>(m.pass.counts.visible()) / measured, 1e3 * median(seconds)};
}

/// What the maps of all cascades draw. Six planes are those of the maps' boxes, without an end towards the sun.
Row row_of(const Scene& scene, const ShadowMeasurement& m) {
    Row row{fmt::format("shadow maps of {} cascades", cascades), static_cast<double>(cascades * scene.object_count()),
            0, 0, 1e3 * m.receivers_seconds};
    for (const ShadowLight& light : m.lights) {
        row.six_planes += static_cast<double>(light.in_frustum);
        row.left += static_cast<double>(light.kept - light.covered);
        row.milliseconds += 1e3 * light.casters_seconds;
    }
    for (double* sum : {&row.six_planes, &row.left, &row.milliseconds}) *sum /= static_cast<double>(m.frames);
    return row;
}

/// Violet is what the walls of the street hide.
std::string street_picture(const Scene& scene, const CameraPath& path, const Measurement& m) {
    return draw_picture({.scene = scene,
                         .camera = path[m.picked_frame],
                         .visible = m.picked_visible,
                         .kept_by_planes = m.picked_planes,
                         .visible_without = m.occluders->picked_without,
                         .occluders = m.occluders->picked_boxes,
                         .caption = "along its streets; violet is what walls hide"});
}

std::vector<std::string> cells_of(const Row& row) {
    return {row.name, grouped(row.all, 0), grouped(row.six_planes, 0), grouped(row.left, 0),
            fmt::format("{:.2f}", row.milliseconds)};
}

void run_demo(const DemoOptions& options) {
    std::optional<OutputFile> file = open_output(options.picture, ".png");
    Scene scene = options.scene.scene(false);
    PathOptions above{.frames = frames}, street{.file = "street", .frames = frames};
    street.lens.far = 1500;
    const CameraPath along = street.path(scene);
    const Measurement from_above = measure(scene, above.path(scene), {.quiet = true});
    const Measurement in_streets =
        measure(scene, along,
                {.picked_frame = 12, .occluders = OccluderSettings{.most = walls}, .all_solids = false, .quiet = true});
    const ShadowMeasurement shadows =
        measure_shadows(scene, along, {.cascades = cascades, .lamps = 0, .six_planes = true, .quiet = true});

    fmt::print("{}: {} ({}); {}, {}\n\n", scene.name, counted(scene.object_count(), "object"), scene.description,
               isa_name(from_above.isa), counted(static_cast<std::uint64_t>(from_above.threads), "thread"));
    fmt::print("{}", table({{fmt::format("objects drawn, mean of {} frames", frames), "without culling", "six planes",
                             "lanecull", "ms a frame"},
                            cells_of(row_of("from above", scene, from_above)),
                            cells_of(row_of("along its streets, behind walls", scene, in_streets)),
                            cells_of(row_of(scene, shadows))}));
    if (!file) return;
    file->commit(street_picture(scene, along, in_streets));
    fmt::print("\n{}: the street from outside; violet is what its walls hide\n", *options.picture);
}

}  // namespace

void add_demo_command(CommandLine& program) {
    Command command = program.add("demo", "Cull the city in three ways: what it saves and what it costs");
    const auto options = std::make_shared<DemoOptions>();
    command.option("--objects N", &options->scene.objects, "Size of the built-in city (1000000)").within(1, 0xFFFFFFFF);
    command.option("--picture FILE", &options->picture, "Draw the street, what its walls hide in violet: a PNG");
    command.footer("Example:\n  lanecull demo --picture street.png");
    command.action([options] { run_demo(*options); });
}

}  // namespace lanecull::program
