#include "frame.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <numbers>
#include <numeric>
#include <vector>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

glm::dmat4 matrix(std::span<const double, 16> numbers) {
    glm::dmat4 result;
    for (int i = 0; i < 16; ++i) result[i / 4][i % 4] = numbers[static_cast<std::size_t>(i)];
    return result;
}

/// A clip matrix, of a map or a camera, as one of positions relative to the eye.
glm::mat4 relative(const auto& map, const dvec3& eye) {
    const double* origin = map.clip_space.origin;
    glm::dmat4 result = matrix(map.clip_from_world);
    result[3] = result * glm::dvec4(eye - dvec3(origin[0], origin[1], origin[2]), 1);
    return glm::mat4(result);
}

Method method_of(Culling culling) { return culling == Culling::planes ? Method::planes : Method::automatic; }

}  // namespace

const char* name_of(Culling culling) {
    static constexpr const char* names[] = {"off", "planes", "exact", "ordered", "occluders", "visibility"};
    return names[static_cast<std::size_t>(culling)];
}

const char* name_of(Casters casters) { return casters == Casters::frustum ? "frustum" : "volume"; }

const char* name_of(Lighting lighting) {
    static constexpr const char* names[] = {"day", "cells", "all", "counts"};
    return names[static_cast<std::size_t>(lighting)];
}

std::string view_name(std::size_t view) {
    if (view == 0) return "camera";
    return view <= cascade_count ? fmt::format("sun's cascade {}", view - 1)
                                 : fmt::format("lamp's face {}", view - 1 - cascade_count);
}

std::uint64_t CullResult::caster_draws() const {
    std::uint64_t sum = 0;
    for (std::size_t v = 1; v < draws.size(); ++v) sum += draws[v];
    return sum;
}

glm::dmat4 picture_matrix(const Camera& camera) {
    glm::dmat4 result = camera.clip_from_relative();
    const double scale = camera.near / (camera.far - camera.near);
    const glm::dvec4 depth(scale * camera.basis().backward, scale * camera.far);  // scale (far - w)
    for (int column = 0; column < 4; ++column) {
        result[column][1] = -result[column][1];
        result[column][2] = depth[column];
    }
    return result;
}

FrameMaker::FrameMaker(const Scene& scene, const SceneMeshes& meshes, const RendererOptions& renderer,
                       const FrameOptions& options, const Runner& runner)
    : batches_(meshes.batches),
      baked_(options.baked),
      rasterizer_{renderer.width, renderer.height, options.sub_pixel_bits},
      runner_(runner),
      objects_(meshes.draws.size()),
      up_(scene.up),
      isa_(options.isa) {
    std::vector<Handle> handles(objects_);
    require(ordered_.add(batches_, handles, {}, runner_));
    PassLimits limits{.cameras = 1, .cascades = cascade_count, .point_lights = 1};
    if (options.lights != nullptr) cells_.emplace(*options.lights).add_to(limits);
    require(pass_.reserve(limits, batches_));
    require(pass_.reserve(limits, ordered_));
    if (options.occluders > 0) {
        occluders_.emplace(scene, options.occluders, rasterizer_);
    }
    const DirectionalLightOptions& directional_light = options.directional_light;
    const double degree = std::numbers::pi / 180;
    const dvec3 across(up_.y, up_.z, up_.x), along(up_.z, up_.x, up_.y);
    const dvec3 bearing =
        std::cos(directional_light.bearing * degree) * across + std::sin(directional_light.bearing * degree) * along;
    const dvec3 toward =
        std::cos(directional_light.height * degree) * bearing + std::sin(directional_light.height * degree) * up_;
    const dvec3 map_up = glm::cross(toward, glm::cross(up_, bearing));
    const Bounds bounds = scene.bounds();
    for (int k = 0; k < 3; ++k) {
        directional_light_.directional_light.toward[k] = toward[k];
        directional_light_.map.up[k] = map_up[k];
        bounds_.lower[k] = bounds.lower[k];
        bounds_.upper[k] = bounds.upper[k];
    }
    directional_light_.cascades = cascade_count;
    directional_light_.map.texels = renderer.directional_texels;
    point_light_.texels = renderer.point_light_texels;
}

void FrameMaker::put_point_light(const dvec3& at, double range) {
    for (int k = 0; k < 3; ++k) point_light_.at[k] = at[k];
    point_light_.range = range;
    point_light_.near_depth = 0.01 * range;
}

void FrameMaker::resize(std::uint32_t width, std::uint32_t height) {
    rasterizer_.width = width;
    rasterizer_.height = height;
    if (occluders_) occluders_->resize(width, height);
}

std::string FrameMaker::misfit(const Camera& camera) const {
    return baked_ == nullptr ? "" : baked_->misfit(camera, picture_margin(camera, rasterizer_));
}

std::optional<std::uint64_t> FrameMaker::cell_of(const Camera& camera) const {
    return baked_ == nullptr || !misfit(camera).empty() ? std::nullopt : baked_->cell_of(camera);
}

CullOptions FrameMaker::options(Culling culling) const { return options(culling, isa_); }

CullOptions FrameMaker::options(Culling culling, Isa isa) const {
    return {.method = method_of(culling), .isa = isa, .runner = runner_};
}

Objects FrameMaker::objects(Culling culling) const {
    if (culling == Culling::ordered) return ordered_;
    return batches_;
}

FramePlan FrameMaker::plan(const Camera& camera, Culling culling) {
    planned_ = camera;
    chosen_ = {};
    candidates_ = {};
    const glm::dmat4 clip = picture_matrix(camera);
    std::copy_n(&clip[0][0], 16, camera_.clip_from_world);
    camera_.clip_space = {
        MatrixLayout::column_major, DepthRange::zero_to_one, {camera.eye.x, camera.eye.y, camera.eye.z}};
    directional_light_.near_depth = camera.near;
    directional_light_.far_depth = camera.far;
    camera_.directional_light = &directional_light_;
    camera_.light_cells = cells_ ? &cells_->plan(camera) : nullptr;
    const PassFrame frame{{&camera_, 1}, {&point_light_, 1}};
    require(culling == Culling::off ? pass_.plan(frame, bounds_, runner_)
                                    : pass_.plan(frame, objects(culling), options(culling)));
    FramePlan result{.camera = camera_, .directional_light = directional_light_, .point_light = point_light_};
    result.camera.directional_light = nullptr;
    result.camera.light_cells = nullptr;
    std::ranges::copy(pass_.cascades(0), result.cascades.begin());
    std::ranges::copy(pass_.maps(), result.maps.begin());
    return result;
}

void FrameMaker::prepare(Culling culling, Casters casters) {
    require(pass_.prepare(casters, runner_));
    chosen_ = {};
    candidates_ = {};
    in_set_ = 0;
    if (culling == Culling::occluders) choose_occluders();
    if (culling == Culling::visibility) read_set();
}

void FrameMaker::read_set() {
    const std::optional<std::uint64_t> cell = cell_of(planned_);
    if (!cell) return;
    set_.resize(visibility_words(batches_));
    in_set_ = baked_->read(*cell, set_);
    candidates_ = set_;
}

void FrameMaker::choose_occluders() {
    if (!occluders_) fail("culling by occluders without any");
    Viewpoint viewpoint;
    require(prepare_viewpoint(camera_.clip_from_world, camera_.clip_space, viewpoint));
    chosen_ = occluders_->choose(planned_, viewpoint, pass_.view(0));
}

std::vector<BoxEdges> FrameMaker::occluder_boxes() const {
    return chosen_.empty() ? std::vector<BoxEdges>() : occluders_->boxes();
}

CullResult FrameMaker::cull(Culling culling, Isa isa, std::span<const DrawList, view_count> lists) {
    std::array<Output, view_count> outputs{};
    for (std::size_t v = 0; v < view_count; ++v) {
        outputs[v].draws = {.memory = lists[v].commands, .count = lists[v].count};
    }
    const std::span<std::uint32_t> hidden = chosen_.empty() ? std::span<std::uint32_t>() : occluders_->hidden_counts();
    outputs[0].occluders = chosen_;
    outputs[0].hidden_counts = hidden;
    outputs[0].candidates = candidates_;
    require(pass_.cull(objects(culling), outputs, options(culling, isa)));
    CullResult result{.occluders = chosen_.size(),
                      .hidden = std::accumulate(hidden.begin(), hidden.end(), std::uint64_t{0}),
                      .in_set = in_set_,
                      .light_entries = cells_ ? cells_->entries() : 0};
    for (std::size_t v = 0; v < view_count; ++v) result.draws[v] = outputs[v].draw_count;
    return result;
}

CullResult FrameMaker::cull(Culling culling, Casters casters, std::span<const DrawList, view_count> lists) {
    if (culling == Culling::off) {
        CullResult everything;
        everything.draws.fill(objects_);
        if (cells_) {
            cells_->assign(camera_, {.isa = isa_, .runner = runner_});
            everything.light_entries = cells_->entries();
        }
        return everything;
    }
    prepare(culling, casters);
    return cull(culling, isa_, lists);
}

std::span<const std::uint32_t> FrameMaker::light_lists() const {
    return cells_ ? cells_->lists() : std::span<const std::uint32_t>();
}

FrameUniforms FrameMaker::uniforms(const FramePlan& plan, const Camera& eye, Lighting lighting) const {
    FrameUniforms result;
    result.clip_from_relative[0] = glm::mat4(picture_matrix(eye));
    for (std::size_t k = 0; k < map_count; ++k) {
        result.clip_from_relative[1 + k] = relative(plan.maps[k], eye.eye);
    }
    const glm::vec3 high(eye.eye);
    result.eye_high = {high, 0};
    result.eye_low = {glm::vec3(eye.eye - dvec3(high)), 0};
    const double* toward = plan.directional_light.directional_light.toward;
    result.toward_directional = {toward[0], toward[1], toward[2], 0};
    // The plan's camera: w of its clip space is the depth.
    const glm::dmat4 clip = matrix(plan.camera.clip_from_world);
    const dvec3 forward(clip[0][3], clip[1][3], clip[2][3]);
    const double* origin = plan.camera.clip_space.origin;
    const double offset = glm::dot(forward, eye.eye - dvec3(origin[0], origin[1], origin[2]));
    result.slice = {glm::vec3(forward), static_cast<float>(offset)};
    result.slice_begin.x = static_cast<float>(plan.cascades[0].near_depth);
    for (std::size_t k = 0; k < cascade_count; ++k) {
        const int i = static_cast<int>(k);
        result.slice_ends[i] = static_cast<float>(plan.cascades[k].far_depth);
        result.directional_texel[i] = static_cast<float>(plan.maps[k].texel_size);
    }
    const double* point_light = plan.point_light.at;
    result.point_light = {glm::vec3(dvec3(point_light[0], point_light[1], point_light[2]) - eye.eye),
                          static_cast<float>(plan.point_light.range)};
    result.point_light_texel.x = static_cast<float>(plan.maps[cascade_count].texel_size);
    result.sky = {0.72F, 0.78F, 0.86F, 1};
    result.up = {glm::vec3(up_), 0};
    if (cells_) {
        result.cells_from_relative = relative(plan.camera, eye.eye);
        result.mode.z = static_cast<std::uint32_t>(lighting);
        cells_->write_to(result, eye);
    }
    return result;
}

}  // namespace lanecull::program
