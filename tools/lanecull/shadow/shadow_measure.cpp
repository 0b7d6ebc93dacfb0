
#include <cmath>
#include <lanecull/tbb.hpp>

#include "options/options.hpp"
#include "shadow/shadow.hpp"
#include "support/error.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using Words = std::vector<std::uint64_t>;

constexpr double logarithmic = 0.8;  ///< fraction of the logarithmic split
/// Where a lamp's maps begin, as a share of its range.
constexpr double lamp_near = 1e-3;

double seconds_of(const auto& work) {
    const Clock::time_point start = Clock::now();
    work();
    return seconds_since(start);
}

/// How many bits all of them have.
template <class... More>
std::uint64_t count(const Words& words, const More&... more) {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
        sum += static_cast<std::uint64_t>(std::popcount((words[w] & ... & more[w])));
    }
    return sum;
}

/// All that the lamp's ball shares a point with.
View range_of(const PointLight& lamp) {
    std::vector<Plane> cube;
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double side : {1.0, -1.0}) {
            Plane plane;
            plane.normal[k] = side;
            plane.offset = lamp.range - side * lamp.at[k];
            cube.push_back(plane);
        }
    }
    View view;
    require(prepare_view_from_planes(cube, view, {.point_light = &lamp}));
    return view;
}

/// Whether the ball that the lamp lights shares a point with the view.
bool lights(const PointLight& lamp, const View& seen) {
    const float ball[4] = {static_cast<float>(lamp.at[0]), static_cast<float>(lamp.at[1]),
                           static_cast<float>(lamp.at[2]), static_cast<float>(lamp.range)};
    const Batch batch(Spheres{&ball[0], &ball[1], &ball[2], &ball[3], 1});
    std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
    Output output;
    require(cull({&batch, 1}, {&seen, 1}, {&output, 1}, scratch));
    return output.visible_count == 1;
}

/// A scene and the memory to cull it with several views at once.
class Culler {
public:
    Culler(const Scene& scene, std::size_t most_views, Isa isa, const Runner& runner)
        : batches_(scene.batches()),
          words_(visibility_words(batches_)),
          options_{.isa = isa, .runner = runner},
          scratch_(scratch_bytes(batches_, most_views)) {}

    /// What a view keeps that none of the occluders hides.
    Words cull_view(const View& view, std::span<const Occluder> occluders = {}, Method method = Method::automatic) {
        Words bits(words_);
        Output output{.visible = bits, .occluders = occluders};
        CullOptions options = options_;
        options.method = method;
        require(cull(batches_, {&view, 1}, {&output, 1}, scratch_, options));
        return bits;
    }

    /// What lies wholly inside of a view.
    Words inside(const View& view) {
        Words bits(words_);
        Output output;
        output.inside = bits;
        require(cull(batches_, {&view, 1}, {&output, 1}, scratch_, options_));
        return bits;
    }

    /// What is visible of each slice and a box around it, all of them in one call.
    std::vector<Words> find_receivers(std::span<const Slice> slices, std::span<WorldBox> boxes) {
        std::vector<View> views(slices.size());
        std::vector<Words> visible(slices.size(), Words(words_));
        std::vector<Output> outputs(slices.size());
        for (std::size_t k = 0; k < slices.size(); ++k) {
            Plane planes[2];
            require(slice_planes(slices[k], planes));
            require(prepare_view(slices[k].clip_from_world, slices[k].clip_space, views[k], {.clip_planes = planes}));
            outputs[k].visible = visible[k];
        }
        require(cull(batches_, views, outputs, scratch_, options_));
        for (std::size_t k = 0; k < slices.size(); ++k) require(visible_bounds(batches_, visible[k], boxes[k]));
        return visible;
    }

private:
    std::vector<Batch> batches_;
    std::size_t words_;
    CullOptions options_;
    std::vector<std::byte> scratch_;
};

class Frames {
public:
    Frames(const Scene& scene, const CameraPath& path, const ShadowOptions& options, Isa isa, const Runner& runner)
        : options_(options),
          culler_(scene, std::max(options.cascades, 2 * options.lamps + 1), isa, runner),
          sun_(sun_at(options.sun_height, options.sun_bearing, scene.up)) {
        // Which way is up in the maps: any, but not towards the sun.
        const dvec3 toward(sun_.toward[0], sun_.toward[1], sun_.toward[2]);
        map_up_ = glm::cross(toward, glm::cross(scene.up, horizontal_toward(options.sun_bearing, scene.up)));
        for (std::size_t k = 0; k < options.cascades; ++k) {
            result_.lights.push_back({.name = fmt::format("sun, cascade {}", k)});
        }
        for (std::size_t k = 0; k < options.lamps; ++k) {
            // Where the camera is going to look, evenly along its path.
            const Camera& camera = path[(2 * k + 1) * path.size() / (2 * options.lamps)];
            const double range = options.lamp_range > 0 ? options.lamp_range : 0.1 * camera.far;
            const dvec3 at = camera.eye + 0.5 * range * glm::normalize(camera.forward);
            lamps_.push_back({{at.x, at.y, at.z}, range});
            result_.lights.push_back({.name = fmt::format("lamp {}", k)});
        }
        result_.isa = isa;
        result_.cascades = options.cascades;
        if (options.occluders) occluders_.emplace(scene, *options.occluders);
        result_.occluders = occluders_.has_value();
    }

    void run(const Camera& camera) {
        run_sun(camera);
        run_lamps(camera);
        ++result_.frames;
    }

    ShadowMeasurement take() { return std::move(result_); }

private:
    void run_sun(const Camera& camera) {
        const ClipMatrix matrix = camera.matrix();
        std::vector<double> depths(options_.cascades + 1);
        require(split_depths(camera.near, camera.far, logarithmic, depths));
        std::vector<Slice> slices;
        for (std::size_t k = 0; k < options_.cascades; ++k) {
            slices.push_back({matrix.numbers(), matrix.space, depths[k], depths[k + 1]});
        }
        std::vector<WorldBox> boxes(slices.size());
        std::vector<Words> visible;
        result_.receivers_seconds += seconds_of([&] { visible = culler_.find_receivers(slices, boxes); });
        Words finer;
        for (std::size_t k = 0; k < slices.size(); ++k) {
            DirectionalMapOptions map_options{.up = {map_up_.x, map_up_.y, map_up_.z}};
            std::copy(sun_.toward, sun_.toward + 3, map_options.toward);
            PickedLight light{.frame = result_.frames, .camera = camera, .receivers = visible[k], .sun = sun_};
            light.camera.near = depths[k], light.camera.far = depths[k + 1];
            light.lit = boxes[k];
            require(fit_directional_map(slices[k], boxes[k], map_options, light.map));
            test(
                k, light,
                [&](View& view) {
                    return prepare_view(light.map.clip_from_world, {}, view, {.directional_light = &sun_});
                },
                [&](View& view) {
                    return prepare_cascade_casters(slices[k], boxes[k], {.directional_light = &sun_}, view);
                },
                [&](Viewpoint& from) {
                    const double away[3] = {-sun_.toward[0], -sun_.toward[1], -sun_.toward[2]};
                    return prepare_viewpoint_along(away, {camera.eye.x, camera.eye.y, camera.eye.z}, from);
                });
            if (k > 0) result_.lights[k].covered += count(light.kept, finer);
            View covered;
            require(prepare_covered(light.map, 2, covered));
            Words inside = culler_.inside(covered);
            for (std::size_t w = 0; k > 0 && w < inside.size(); ++w) inside[w] |= finer[w];
            finer = std::move(inside);
            if (k == options_.picked_light) pick(std::move(light));
        }
    }

    void run_lamps(const Camera& camera) {
        const ClipMatrix matrix = camera.matrix();
        const View seen = camera.view();
        for (std::size_t k = 0; k < lamps_.size(); ++k) {
            const PointLight& lamp = lamps_[k];
            if (!lights(lamp, seen)) continue;  // engines test that too
            PickedLight light{.frame = result_.frames, .camera = camera, .lamp = lamp};
            test(
                options_.cascades + k, light,
                [&](View& view) {
                    view = range_of(lamp);
                    return Status();
                },
                [&](View& view) { return prepare_view(matrix.numbers(), matrix.space, view, {.point_light = &lamp}); },
                [&](Viewpoint& from) {
                    return prepare_viewpoint_from_eyes(lamp.at, std::sqrt(3.0) * lamp_near * lamp.range, from);
                });
            if (options_.cascades + k != options_.picked_light) continue;
            light.receivers = culler_.cull_view(seen);
            pick(std::move(light));
        }
    }

    /// Finds what is in the light's frustum, what of it casts into the view, and with occluders what of that is not
    /// wholly in the shadow of another. `frustum`, `casters`, `viewpoint`: prepare the views, and where the light is.
    void test(std::size_t number, PickedLight& found, const auto& frustum, const auto& casters, const auto& viewpoint) {
        ShadowLight& light = result_.lights[number];
        light.frustum_seconds += seconds_of([&] {
            View view;
            require(frustum(view));
            found.in_frustum = culler_.cull_view(view, {}, options_.six_planes ? Method::planes : Method::automatic);
        });
        light.casters_seconds += seconds_of([&] {
            View view;
            require(casters(view));
            found.kept = culler_.cull_view(view);
        });
        const std::uint64_t both = count(found.in_frustum, found.kept);
        ++light.frames;
        light.in_frustum += count(found.in_frustum);
        light.kept += both;
        result_.kept_outside_frustum += count(found.kept) - both;
        if (!occluders_) return;
        light.occluders_seconds += seconds_of([&] {
            View view;
            Viewpoint from;
            require(casters(view));
            require(viewpoint(from));
            found.drawn = culler_.cull_view(view, occluders_->choose_casters(from, view));
        });
        light.shaded += both - count(found.in_frustum, found.drawn);
    }

    /// Keeps what there is to draw, if it is of the frame that is wanted or has more to show than those before, and if
    /// a lamp reaches something that is seen.
    void pick(PickedLight light) {
        if (options_.picked_frame && light.frame != *options_.picked_frame) return;
        const std::array<std::uint64_t, 2> to_show = {
            count(light.in_frustum, light.kept) - count(light.in_frustum, light.kept, light.receivers),
            count(light.in_frustum, light.receivers)};
        if (light.lamp && to_show[1] == 0) return;
        if (result_.picked && to_show <= shown_) return;
        shown_ = to_show;
        result_.picked = std::move(light);
    }

    const ShadowOptions& options_;
    Culler culler_;
    DirectionalLight sun_;
    dvec3 map_up_;
    std::vector<PointLight> lamps_;
    std::optional<OccluderChoice> occluders_;
    std::array<std::uint64_t, 2> shown_{};  ///< by result_.picked: casters that are not seen, and what is seen and lit
    ShadowMeasurement result_;
};

}  // namespace

ShadowMeasurement measure_shadows(const Scene& scene, const CameraPath& path, const ShadowOptions& options) {
    Isa isa{};
    require(resolve_isa(options.isa, isa));
    std::optional<TbbRunner> parallel;
    const int threads = options.threads == 1 ? 1 : parallel.emplace(options.threads).threads();
    const Runner runner = parallel ? parallel->runner() : Runner{};
    Frames(scene, path, options, isa, runner).run(path.front());  // warms up
    Frames frames(scene, path, options, isa, runner);
    Progress progress("casting shadows", path.size(), options.quiet);
    for (std::size_t frame = 0; frame < path.size(); ++frame) {
        frames.run(path[frame]);
        progress.done(frame + 1);
    }
    ShadowMeasurement result = frames.take();
    result.threads = threads;
    return result;
}

}  // namespace lanecull::program
