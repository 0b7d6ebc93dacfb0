#include "shadow/shadow_measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <lanecull/tbb.hpp>
#include <numbers>
#include <span>
#include <utility>

#include "support/error.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

double seconds_of(auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Bit arrays of several views at once.
class Shadows {
public:
    Shadows(const Scene& scene, std::size_t most_views, Isa isa, const Runner& runner)
        : batches_(scene.batches()),
          words_(visibility_words(batches_)),
          isa_(isa),
          runner_(runner),
          scratch_(scratch_bytes(batches_, most_views)) {}

    using Words = std::vector<std::uint64_t>;

    /// What a view keeps that none of the occluders hides.
    Words cull_with(const View& view, std::span<const Occluder> occluders) {
        Words bits(words_);
        Output output;
        output.visible = bits;
        output.occluders = occluders;
        require(cull(batches_, {&view, 1}, {&output, 1}, scratch_, {.isa = isa_, .runner = runner_}));
        return bits;
    }

    /// What each view keeps; where `inside` is given, what lies wholly inside of each instead.
    std::vector<Words> cull_views(std::span<const View> views, bool inside = false) {
        std::vector<Words> bits(views.size(), Words(words_));
        std::vector<Output> outputs(views.size());
        for (std::size_t v = 0; v < views.size(); ++v) (inside ? outputs[v].inside : outputs[v].visible) = bits[v];
        require(cull(batches_, views, outputs, scratch_, {.isa = isa_, .runner = runner_}));
        return bits;
    }

    [[nodiscard]] const std::vector<Batch>& batches() const { return batches_; }

private:
    std::vector<Batch> batches_;
    std::size_t words_;
    Isa isa_;
    Runner runner_;
    std::vector<std::byte> scratch_;
};

std::uint64_t count(const Shadows::Words& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

std::uint64_t count_both(const Shadows::Words& a, const Shadows::Words& b) {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < a.size(); ++w) sum += static_cast<std::uint64_t>(std::popcount(a[w] & b[w]));
    return sum;
}

std::uint64_t count_all(const Shadows::Words& a, const Shadows::Words& b, const Shadows::Words& c) {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < a.size(); ++w) sum += static_cast<std::uint64_t>(std::popcount(a[w] & b[w] & c[w]));
    return sum;
}

class Frames {
public:
    Frames(const Scene& scene, const CameraPath& path, const ShadowOptions& options, Isa isa, const Runner& runner)
        : options_(options), shadows_(scene, std::max(options.cascades, 2 * options.lamps + 1), isa, runner) {
        const double degree = std::numbers::pi / 180;
        const dvec3 across(scene.up.y, scene.up.z, scene.up.x), along(scene.up.z, scene.up.x, scene.up.y);
        const dvec3 bearing =
            std::cos(options.sun_bearing * degree) * across + std::sin(options.sun_bearing * degree) * along;
        const dvec3 toward =
            std::cos(options.sun_height * degree) * bearing + std::sin(options.sun_height * degree) * scene.up;
        sun_ = {{toward.x, toward.y, toward.z}};
        // Which way is up in the maps: any, but not towards the sun.
        map_up_ = glm::cross(toward, glm::cross(scene.up, bearing));
        for (std::size_t k = 0; k < options.cascades; ++k) add_light(fmt::format("sun, cascade {}", k));
        for (std::size_t k = 0; k < options.lamps; ++k) {
            // Where the camera is going to look, evenly along its path.
            const Camera& camera = path[(2 * k + 1) * path.size() / (2 * options.lamps)];
            const double range = options.lamp_range > 0 ? options.lamp_range : 0.1 * camera.far;
            const dvec3 at = camera.eye + 0.5 * range * glm::normalize(camera.forward);
            lamps_.push_back({{at.x, at.y, at.z}, range});
            add_light(fmt::format("lamp {}", k));
        }
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
    void add_light(std::string name) { result_.lights.push_back({.name = std::move(name)}); }

    void run_sun(const Camera& camera) {
        const ClipMatrix matrix = camera.matrix();
        std::vector<double> depths(options_.cascades + 1);
        require(split_depths(camera.near, camera.far, options_.logarithmic, depths));
        std::vector<Slice> slices;
        for (std::size_t k = 0; k < options_.cascades; ++k) {
            slices.push_back({matrix.numbers(), matrix.space, depths[k], depths[k + 1]});
        }
        std::vector<WorldBox> boxes(slices.size());
        std::vector<Shadows::Words> visible;
        result_.receivers_seconds += seconds_of([&] { visible = find_receivers(slices, boxes); });
        std::vector<ShadowMap> maps(slices.size());
        for (std::size_t k = 0; k < slices.size(); ++k) {
            DirectionalMapOptions map_options{.up = {map_up_.x, map_up_.y, map_up_.z}};
            std::copy(sun_.toward, sun_.toward + 3, map_options.toward);
            require(fit_directional_map(slices[k], boxes[k], map_options, maps[k]));
        }
        Shadows::Words finer;
        for (std::size_t k = 0; k < slices.size(); ++k) {
            ShadowLight& light = result_.lights[k];
            Shadows::Words in_frustum, kept;
            light.frustum_seconds += seconds_of([&] {
                View view;
                require(prepare_view(maps[k].clip_from_world, {}, view, {.directional_light = &sun_}));
                in_frustum = shadows_.cull_views({&view, 1}).front();
            });
            light.casters_seconds += seconds_of([&] {
                View view;
                require(prepare_cascade_casters(slices[k], boxes[k], {.directional_light = &sun_}, view));
                kept = shadows_.cull_views({&view, 1}).front();
            });
            record(light, in_frustum, kept);
            Shadows::Words drawn;
            if (occluders_) {
                drawn = drop_shaded(light, in_frustum, kept, [&](View& view, Viewpoint& from) {
                    require(prepare_cascade_casters(slices[k], boxes[k], {.directional_light = &sun_}, view));
                    const double away[3] = {-sun_.toward[0], -sun_.toward[1], -sun_.toward[2]};
                    require(prepare_viewpoint_along(away, {camera.eye.x, camera.eye.y, camera.eye.z}, from));
                });
            }
            if (k == options_.picked_light) {
                Camera of_slice = camera;
                of_slice.near = depths[k], of_slice.far = depths[k + 1];
                pick(PickedLight{
                    result_.frames, of_slice, visible[k], in_frustum, kept, drawn, {}, sun_, maps[k], boxes[k]});
            }
            if (k > 0) light.covered += count_both(kept, finer);
            View covered;
            require(prepare_covered(maps[k], 2, covered));
            Shadows::Words inside = shadows_.cull_views({&covered, 1}, true).front();
            for (std::size_t w = 0; k > 0 && w < inside.size(); ++w) inside[w] |= finer[w];
            finer = std::move(inside);
        }
    }

    /// What is visible of each slice and a box around it, all of them in one call.
    std::vector<Shadows::Words> find_receivers(std::span<const Slice> slices, std::span<WorldBox> boxes) {
        std::vector<View> views(slices.size());
        for (std::size_t k = 0; k < slices.size(); ++k) {
            Plane planes[2];
            require(slice_planes(slices[k], planes));
            require(prepare_view(slices[k].clip_from_world, slices[k].clip_space, views[k], {.clip_planes = planes}));
        }
        std::vector<Shadows::Words> visible = shadows_.cull_views(views);
        for (std::size_t k = 0; k < slices.size(); ++k) {
            require(visible_bounds(shadows_.batches(), visible[k], boxes[k]));
        }
        return visible;
    }

    void run_lamps(const Camera& camera) {
        const ClipMatrix matrix = camera.matrix();
        const View seen = camera.view();
        for (std::size_t k = 0; k < lamps_.size(); ++k) {
            const PointLight& lamp = lamps_[k];
            if (!lights(lamp, seen)) continue;  // engines test that too
            ShadowLight& light = result_.lights[options_.cascades + k];
            Shadows::Words in_range, kept;
            light.frustum_seconds += seconds_of([&] {
                const View view = range_of(lamp);
                in_range = shadows_.cull_views({&view, 1}).front();
            });
            light.casters_seconds += seconds_of([&] {
                View view;
                require(prepare_view(matrix.numbers(), matrix.space, view, {.point_light = &lamp}));
                kept = shadows_.cull_views({&view, 1}).front();
            });
            record(light, in_range, kept);
            Shadows::Words drawn;
            if (occluders_) {
                drawn = drop_shaded(light, in_range, kept, [&](View& view, Viewpoint& from) {
                    require(prepare_view(matrix.numbers(), matrix.space, view, {.point_light = &lamp}));
                    require(prepare_viewpoint_from_eyes(lamp.at, std::sqrt(3.0) * lamp_near * lamp.range, from));
                });
            }
            if (options_.cascades + k == options_.picked_light) {
                const Shadows::Words visible = shadows_.cull_views({&seen, 1}).front();
                pick(PickedLight{result_.frames, camera, visible, in_range, kept, drawn, lamp, {}, {}, {}});
            }
        }
    }

    /// Where a lamp's maps begin, as a share of its range.
    static constexpr double lamp_near = 1e-3;

    /// Counts the casters wholly in another's shadow, and returns the others. prepare: the view of casters, and where
    /// the light is.
    Shadows::Words drop_shaded(ShadowLight& light, const Shadows::Words& in_frustum, const Shadows::Words& kept,
                               const auto& prepare) {
        Shadows::Words cast;
        light.occluders_seconds += seconds_of([&] {
            View view;
            Viewpoint from;
            prepare(view, from);
            cast = shadows_.cull_with(view, occluders_->choose_casters(from, view));
        });
        light.shaded += count_both(in_frustum, kept) - count_both(in_frustum, cast);
        return cast;
    }

    /// Whether the ball that the lamp lights shares a point with the view.
    static bool lights(const PointLight& lamp, const View& seen) {
        const float ball[4] = {static_cast<float>(lamp.at[0]), static_cast<float>(lamp.at[1]),
                               static_cast<float>(lamp.at[2]), static_cast<float>(lamp.range)};
        const Batch batch(Spheres{&ball[0], &ball[1], &ball[2], &ball[3], 1});
        std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
        Output output;
        require(cull({&batch, 1}, {&seen, 1}, {&output, 1}, scratch));
        return output.visible_count == 1;
    }

    /// All that the lamp's ball shares a point with.
    static View range_of(const PointLight& lamp) {
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

    /// Keeps what there is to draw, if it is of the frame that was asked for or has more to show than those before, and
    /// if a lamp reaches something that is seen.
    void pick(PickedLight light) {
        if (options_.picked_frame && light.frame != *options_.picked_frame) return;
        const std::array<std::uint64_t, 2> to_show = {
            count_both(light.in_frustum, light.kept) - count_all(light.in_frustum, light.kept, light.receivers),
            count_both(light.in_frustum, light.receivers)};
        if (light.lamp && to_show[1] == 0) return;
        if (result_.picked && to_show <= shown_) return;
        shown_ = to_show;
        result_.picked = std::move(light);
    }

    void record(ShadowLight& light, const Shadows::Words& in_frustum, const Shadows::Words& kept) {
        ++light.frames;
        const std::uint64_t both = count_both(in_frustum, kept);
        light.in_frustum += count(in_frustum);
        light.kept += both;
        result_.kept_outside_frustum += count(kept) - both;
    }

    const ShadowOptions& options_;
    Shadows shadows_;
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
    result.isa = isa;
    result.threads = threads;
    return result;
}

}  // namespace lanecull::program
