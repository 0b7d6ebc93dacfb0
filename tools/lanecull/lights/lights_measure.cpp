#include <lanecull/shadow.h>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <lanecull/tbb.hpp>

#include "lights/light_streams.hpp"
#include "lights/lights.hpp"
#include "scene/random.hpp"
#include "support/error.hpp"
#include "support/measuring.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using Words = std::vector<std::uint64_t>;

class LitFrames {
public:
    LitFrames(const Scene& scene, const std::vector<SceneLight>& lights, double far, const LightsOptions& options,
              Isa isa, const Runner& runner)
        : options_(options),
          batches_(scene.batches()),
          streams_(lights, options.range > 0 ? options.range : 0.1 * far),
          how_{.isa = isa, .runner = runner},
          seen_(visibility_words(batches_)),
          lit_((streams_.count() + 63) / 64),
          offsets_(std::size_t{options.tiles_x} * options.tiles_y * options.slices + 1),
          scratch_(std::max(scratch_bytes(batches_, 1),
                            light_scratch_bytes(options.tiles_x, options.tiles_y, options.slices, streams_.count()))) {
        result_.isa = isa;
        result_.lights = streams_.count();
        result_.spots = streams_.spot[0].size();
    }

    void run(const Camera& camera) {
        const ClipMatrix matrix = camera.matrix();
        std::vector<double> depths(options_.slices + std::size_t{1});
        require(split_depths(camera.near, camera.far, 1, depths));
        LightGrid grid;
        grid.clip_from_world = matrix.numbers().data();
        grid.clip_space = matrix.space;
        grid.tiles_x = options_.tiles_x, grid.tiles_y = options_.tiles_y;
        grid.boundaries = depths;
        WorldBox box = find_receivers(camera);
        result_.in_view += cull(grid, {});
        const Clock::time_point start = Clock::now();
        const std::uint64_t lit = cull(grid, {.bounds = &box});
        result_.cull_seconds += seconds_since(start);
        result_.lit += lit;
        assign(grid, depths);
        ++result_.frames;
    }

    LightsMeasurement take() { return std::move(result_); }

private:
    WorldBox find_receivers(const Camera& camera) {
        const View view = camera.view();
        Output output{.visible = seen_};
        require(lanecull::cull(batches_, {&view, 1}, {&output, 1}, scratch_, how_));
        WorldBox box;
        require(visible_bounds(batches_, seen_, box, {.isa = how_.isa, .runner = how_.runner}));
        return box;
    }

    std::uint64_t cull(const LightGrid& grid, const LightReceivers& receivers) {
        require(
            cull_lights(grid, streams_.lights, receivers, lit_, scratch_, {.isa = how_.isa, .runner = how_.runner}));
        return population(lit_);
    }

    void assign(const LightGrid& grid, const std::vector<double>& depths) {
        Lights lights = streams_.lights;
        lights.visible = lit_;
        LightLists lists;
        const Clock::time_point start = Clock::now();
        do {
            if (lists.entry_count > indices_.size()) indices_.resize(lists.entry_count);
            lists.offsets = offsets_, lists.indices = indices_;
            require(assign_lights(grid, lights, lists, scratch_, {.isa = how_.isa, .runner = how_.runner}));
        } while (lists.entry_count > indices_.size());
        result_.assign_seconds += seconds_since(start);
        count(lists.entry_count, depths);
    }

    void count(std::uint64_t entries, const std::vector<double>& depths) {
        Words placed(lit_.size());
        for (std::uint64_t i = 0; i < entries; ++i) placed[indices_[i] / 64] |= std::uint64_t{1} << indices_[i] % 64;
        result_.placed += population(placed);
        CellsOfFrame cells{result_.frames, depths, {}};
        for (std::size_t c = 0; c + 1 < offsets_.size(); ++c) cells.counts.push_back(offsets_[c + 1] - offsets_[c]);
        for (const std::uint32_t lights : cells.counts) {
            result_.filled += lights != 0 ? 1 : 0;
            result_.most = std::max<std::uint64_t>(result_.most, lights);
        }
        result_.entries += entries;
        const bool is_picked =
            options_.picked_frame ? cells.frame == *options_.picked_frame : cells.frame == 0 || entries > shown_;
        if (!is_picked) return;
        shown_ = entries;
        result_.picked = std::move(cells);
    }

    const LightsOptions& options_;
    std::vector<Batch> batches_;
    LightStreams streams_;
    CullOptions how_;
    Words seen_, lit_;
    std::vector<std::uint32_t> offsets_, indices_;
    std::vector<std::byte> scratch_;
    std::uint64_t shown_ = 0;
    LightsMeasurement result_;
};

std::vector<SceneLight> random_lights(const Scene& scene, std::uint64_t count, double range) {
    Random random(20261129);
    std::vector<SceneLight> lights;
    const std::uint64_t objects = scene.object_count();
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto object = static_cast<std::uint64_t>(random.unit() * static_cast<double>(objects));
        const ObjectPlace place = place_of(scene, object);
        const Bounds bounds = object_bounds(scene.groups[place.group].arrays, place.index);
        SceneLight light;
        light.range = range * random.between(0.5, 1.5);
        light.at = bounds.center() + (0.5 * glm::dot(bounds.size(), scene.up) + 0.2 * light.range) * scene.up;
        const double lean_x = random.between(-0.5, 0.5), lean_y = random.between(-0.5, 0.5);
        const double degrees = random.between(15, 50);
        if (i % 2 == 1) {
            light.axis = dvec3(lean_x, lean_y, 0) - scene.up;
            light.tangent = std::tan(glm::radians(degrees));
        }
        lights.push_back(light);
    }
    return lights;
}

}  // namespace

std::vector<SceneLight> scene_lights(const Scene& scene, const std::optional<std::string>& file,
                                     std::optional<std::uint64_t> count, double range) {
    std::vector<SceneLight> lights;
    if (file && !count) lights = read_lights_apart(*file);
    return lights.empty() ? random_lights(scene, count.value_or(usual_light_count), range) : lights;
}

LightsMeasurement measure_lights(const Scene& scene, const std::vector<SceneLight>& lights, const CameraPath& path,
                                 const LightsOptions& options) {
    Isa isa{};
    require(resolve_isa(options.isa, isa));
    std::optional<TbbRunner> parallel;
    const int threads = options.threads == 1 ? 1 : parallel.emplace(options.threads).threads();
    const Runner runner = parallel ? parallel->runner() : Runner{};
    LitFrames(scene, lights, path.front().far, options, isa, runner).run(path.front());  // warms up
    LitFrames frames(scene, lights, path.front().far, options, isa, runner);
    Progress progress("lighting", path.size(), options.quiet);
    for (std::size_t frame = 0; frame < path.size(); ++frame) {
        frames.run(path[frame]);
        progress.done(frame + 1);
    }
    LightsMeasurement result = frames.take();
    result.threads = threads;
    return result;
}

}  // namespace lanecull::program
