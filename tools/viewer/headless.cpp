#include "headless.hpp"

#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <glm/vec3.hpp>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "outside.hpp"
#include "picture/volume.hpp"
#include "picture_file.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "timeline.hpp"
#include "verdicts.hpp"

namespace lanecull::program {
namespace {

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Writes pictures while the next frames are drawn, one at a time.
class PictureWriter {
public:
    PictureWriter(const std::optional<std::string>& folder, std::uint32_t width) : folder_(folder), width_(width) {}

    void write(std::size_t frame, std::span<const std::uint32_t> pixels) {
        if (!folder_) return;
        finish();
        const std::string path = (std::filesystem::path(*folder_) / fmt::format("frame_{:04}.png", frame)).string();
        writing_ =
            std::async(std::launch::async, [path, width = width_, copy = std::vector(pixels.begin(), pixels.end())] {
                OutputFile(path).commit(png_of(copy, width));
            });
    }
    void finish() {
        if (writing_.valid()) writing_.get();
    }

private:
    const std::optional<std::string>& folder_;
    std::uint32_t width_;
    std::future<void> writing_;
};

class PathDrawing {
public:
    PathDrawing(const Scene& scene, const SceneMeshes& meshes, const RendererOptions& sizes, FrameMaker& frames,
                Renderer& renderer, const HeadlessOptions& options)
        : bounds_(main_bounds(scene)),
          up_(scene.up),
          meshes_(meshes),
          frames_(frames),
          renderer_(renderer),
          options_(options),
          writer_(options.folder, sizes.width) {}

    void draw(const Camera& camera) {
        const std::size_t frame = timeline_.size();
        const Renderer::Slot slot = renderer_.begin();
        TimelineFrame times;
        times.cull_begin = seconds_now();
        const FramePlan plan = frames_.plan(camera, options_.culling);
        times.drawn = frames_.cull(options_.culling, options_.casters, slot.lists);
        times.cull_end = seconds_now();
        timeline_.push_back(std::move(times));

        const Camera eye = options_.outside ? outside_of(camera, bounds_, up_) : camera;
        FrameDraw draw{.uniforms = frames_.uniforms(plan, eye, options_.lighting),
                       .lines = {},
                       .light_lists = frames_.light_lists()};
        if (options_.culling == Culling::off) draw.draw_all = draw_all_views;
        std::vector<LineEnd> lines;
        if (options_.outside) {
            color_verdicts(meshes_.batches, camera.view(), frames_, frames_.options(options_.culling), slot.colors);
            add_volume(camera, eye.eye, lines);
            add_boxes(frames_.occluder_boxes(), eye.eye, lines);
            draw.draw_all |= 1;
            draw.lines = lines;
        }
        // The device has been drawing the frame before until now.
        if (frame > 0) save(frame - 1);
        timeline_.back().submitted = seconds_now();
        renderer_.submit(draw);
    }

    void finish() {
        save(timeline_.size() - 1);
        writer_.finish();
        note_times();
    }

    [[nodiscard]] const std::vector<TimelineFrame>& timeline() const { return timeline_; }

private:
    void save(std::size_t frame) {
        renderer_.finish();
        note_times();
        if (options_.folder) writer_.write(frame, renderer_.picture());
    }
    void note_times() {
        for (FrameTime& time : renderer_.take_times()) timeline_[time.frame].passes = std::move(time.passes);
    }

    Bounds bounds_;
    glm::dvec3 up_;
    const SceneMeshes& meshes_;
    FrameMaker& frames_;
    Renderer& renderer_;
    const HeadlessOptions& options_;
    PictureWriter writer_;
    std::vector<TimelineFrame> timeline_;
};

}  // namespace

std::string draw_path(const Scene& scene, const SceneMeshes& meshes, const CameraPath& path,
                      const RendererOptions& sizes, FrameMaker& frames, Renderer& renderer,
                      const HeadlessOptions& options) {
    PathDrawing drawing(scene, meshes, sizes, frames, renderer, options);
    {
        Progress progress("drawing", path.size(), options.quiet);
        for (std::size_t frame = 0; frame < path.size(); ++frame) {
            drawing.draw(path[frame]);
            progress.done(frame + 1);
        }
        drawing.finish();
    }
    const std::vector<TimelineFrame>& timeline = drawing.timeline();
    if (options.folder) {
        OutputFile((std::filesystem::path(*options.folder) / "timeline.json").string())
            .commit(timeline_json(timeline, renderer.device_name(), scene.description));
    }
    const auto mean = [&](const auto& count) {
        double sum = 0;
        for (const TimelineFrame& frame : timeline) sum += static_cast<double>(count(frame.drawn));
        return sum / static_cast<double>(timeline.size());
    };
    std::string text = fmt::format(
        "{} frames of {} objects, {}x{}, on {}\nculling {}, casters by {}: {:.1f} draws and {:.1f} casters a frame\n",
        timeline.size(), meshes.draws.size(), sizes.width, sizes.height, renderer.device_name(),
        name_of(options.culling), name_of(options.casters), mean([](const CullResult& r) { return r.frame_draws(); }),
        mean([](const CullResult& r) { return r.caster_draws(); }));
    if (options.culling == Culling::occluders) {
        fmt::format_to(std::back_inserter(text), "{:.1f} objects a frame behind {:.1f} solid boxes\n",
                       mean([](const CullResult& r) { return r.hidden; }),
                       mean([](const CullResult& r) { return r.occluders; }));
    }
    if (options.culling == Culling::visibility) {
        fmt::format_to(std::back_inserter(text), "{:.1f} objects a frame may be seen from the eye's cell\n",
                       mean([](const CullResult& r) { return r.in_set; }));
    }
    if (frames.has_lights()) {
        fmt::format_to(std::back_inserter(text), "{:.1f} lights of cells a frame, pixels lit by {}\n",
                       mean([](const CullResult& r) { return r.light_entries; }), name_of(options.lighting));
    }
    fmt::format_to(std::back_inserter(text), "{} frames were culled while the device had the frame before\n",
                   overlapping(timeline));
    return text;
}

std::string compare_culling(const CameraPath& path, FrameMaker& frames, Renderer& renderer,
                            const HeadlessOptions& options) {
    struct Row {
        Culling culling;
        double draws = 0, casters = 0;
        std::vector<double> frame_seconds = {}, cull_seconds = {};
    };
    std::vector<Row> rows = {{Culling::off}, {Culling::planes}, {Culling::exact}, {Culling::ordered}};
    if (frames.has_occluders()) rows.push_back({Culling::occluders});
    if (frames.has_baked()) rows.push_back({Culling::visibility});
    const auto draw = [&](Row& row, const Camera& camera) {
        const Renderer::Slot slot = renderer.begin();
        const double begin = seconds_now();
        const FramePlan plan = frames.plan(camera, row.culling);
        const CullResult drawn = frames.cull(row.culling, options.casters, slot.lists);
        const double culled = seconds_now();
        renderer.submit({.uniforms = frames.uniforms(plan, camera, options.lighting),
                         .draw_all = row.culling == Culling::off ? draw_all_views : 0,
                         .lines = {},
                         .light_lists = frames.light_lists()});
        renderer.finish();
        row.frame_seconds.push_back(seconds_now() - begin);
        row.cull_seconds.push_back(row.culling == Culling::off ? 0 : culled - begin);
        row.draws += static_cast<double>(drawn.frame_draws());
        row.casters += static_cast<double>(drawn.caster_draws());
    };
    for (Row row : rows) draw(row, path.front());  // warms up
    Progress progress("drawing", path.size(), options.quiet);
    for (std::size_t frame = 0; frame < path.size(); ++frame) {
        for (Row& row : rows) draw(row, path[frame]);
        progress.done(frame + 1);
    }
    std::string text =
        fmt::format("{} frames on {}, casters by {}; times are medians\n\n{:<10} {:>10} {:>10} {:>12} {:>12} {:>12}\n",
                    path.size(), renderer.device_name(), name_of(options.casters), "culling", "draws", "casters",
                    "frame, ms", "cull, ms", "its share");
    const auto count = static_cast<double>(path.size());
    for (const Row& row : rows) {
        const double frame = median(row.frame_seconds), cull = median(row.cull_seconds);
        fmt::format_to(std::back_inserter(text), "{:<10} {:>10.0f} {:>10.0f} {:>12.2f} {:>12.3f} {:>10.1f} %\n",
                       name_of(row.culling), row.draws / count, row.casters / count, 1e3 * frame, 1e3 * cull,
                       100 * cull / frame);
    }
    return text;
}

}  // namespace lanecull::program
