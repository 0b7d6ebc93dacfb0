#include <gtest/gtest.h>

#include <lanecull/cull.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../../tools/lanecull/cull/occluder_choice.hpp"
#include "../../tools/lanecull/scene/camera_path.hpp"
#include "../../tools/lanecull/scene/city.hpp"
#include "../../tools/lanecull/shadow/shadow.hpp"
#include "../../tools/viewer/scene_meshes.hpp"
#include "support/random.hpp"

/// The program's city at street level, drawn: what occluders hide has no pixel, and what they drop from a shadow map
/// has no texel. With LANECULL_TEST_SCALE=5 it is the city and the walk of bench/ANALYSIS.md.

namespace {

using namespace lanecull::program;

/// Pictures of meshes in doubles, by rays through the middles of pixels: depths, and which object is nearest.
class DepthPicture {
public:
    static constexpr std::uint32_t nothing = 0xffffffff;

    /// clip: of points less `origin`. clamped: nothing is cut by depths, as under depth clamp.
    DepthPicture(int width, int height, const glm::dmat4& clip, const glm::dvec3& origin, bool clamped)
        : width_(width), height_(height), clip_(clip), origin_(origin), clamped_(clamped) {
        depth_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                      std::numeric_limits<double>::infinity());
        object_.assign(depth_.size(), nothing);
    }

    void draw(const SceneMeshes& meshes, std::uint32_t object) {
        const lanecull::DrawCommand& command = meshes.draws[object];
        const Instance& instance = meshes.instances[object];
        for (std::uint32_t i = 0; i < command.index_count; i += 3) {
            std::array<glm::dvec4, 3> corner;
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t index = meshes.indices[command.first_index + i + k];
                corner[k] =
                    clip_ * glm::dvec4(place(meshes.vertices[index + static_cast<std::uint32_t>(command.vertex_offset)],
                                             instance) -
                                           origin_,
                                       1);
            }
            draw(corner, object);
        }
    }

    [[nodiscard]] const std::vector<double>& depths() const { return depth_; }
    [[nodiscard]] const std::vector<std::uint32_t>& objects() const { return object_; }

private:
    static glm::dvec3 place(const Vertex& v, const Instance& at) {
        glm::dvec3 p;
        for (std::size_t r = 0; r < 3; ++r) {
            const auto row = static_cast<int>(r);
            p[row] = double{at.center[r]} + double{v.x} * double{at.axes[0][r]} + double{v.y} * double{at.axes[1][r]} +
                     double{v.z} * double{at.axes[2][r]} + double{v.side} * double{at.axes[r][3]};
        }
        return p;
    }

    /// In homogeneous coordinates, so that no triangle needs to be cut where it passes the eye. Pixels on an edge are
    /// in both of its triangles, and rounding leaves no gap between them.
    void draw(const std::array<glm::dvec4, 3>& corner, std::uint32_t object) {
        const auto flat = [](const glm::dvec4& p) { return glm::dvec3(p.x, p.y, p.w); };
        const glm::dvec3 a = flat(corner[0]), b = flat(corner[1]), c = flat(corner[2]);
        std::array<glm::dvec3, 3> edge = {glm::cross(b, c), glm::cross(c, a), glm::cross(a, b)};
        const double volume = glm::dot(a, edge[0]);
        if (volume == 0) return;
        for (glm::dvec3& e : edge) e /= volume;
        int x[2] = {0, width_ - 1}, y[2] = {0, height_ - 1};
        if (a.z > 0 && b.z > 0 && c.z > 0) {
            limit(a.x / a.z, b.x / b.z, c.x / c.z, width_, x);
            limit(a.y / a.z, b.y / b.z, c.y / c.z, height_, y);
        }
        for (int row = y[0]; row <= y[1]; ++row) {
            for (int column = x[0]; column <= x[1]; ++column) {
                const glm::dvec3 ray((2 * column + 1.0) / width_ - 1, (2 * row + 1.0) / height_ - 1, 1);
                const double share[3] = {glm::dot(edge[0], ray), glm::dot(edge[1], ray), glm::dot(edge[2], ray)};
                const double inverse = share[0] + share[1] + share[2];  // of w
                const double slack = -1e-12 * (std::fabs(share[0]) + std::fabs(share[1]) + std::fabs(share[2]));
                if (!(inverse > 0) || share[0] < slack || share[1] < slack || share[2] < slack) continue;
                const double depth = share[0] * corner[0].z + share[1] * corner[1].z + share[2] * corner[2].z;
                if (!clamped_ && !(depth >= 0 && depth <= 1)) continue;
                const std::size_t at =
                    static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(column);
                if (depth >= depth_[at]) continue;
                depth_[at] = depth;
                object_[at] = object;
            }
        }
    }

    /// The pixels between three places from -1 to 1, and one more on either side.
    static void limit(double a, double b, double c, int size, int (&range)[2]) {
        const auto pixel = [size](double place) { return std::clamp((place + 1) / 2 * size, -2.0, size + 2.0); };
        range[0] = std::max(0, static_cast<int>(pixel(std::min({a, b, c}))) - 1);
        range[1] = std::min(size - 1, static_cast<int>(pixel(std::max({a, b, c}))) + 1);
    }

    int width_, height_;
    glm::dmat4 clip_;
    glm::dvec3 origin_;
    bool clamped_;
    std::vector<double> depth_;
    std::vector<std::uint32_t> object_;
};

using Words = std::vector<std::uint64_t>;

Scene city() { return make_city(static_cast<std::uint64_t>(scaled(20000))); }

CameraPath street(const Scene& scene, std::size_t frames) {
    LensOptions lens;
    lens.far = 1500;
    return walking_path(scene.walk, scene.bounds(), scene.up, frames, lens);
}

/// Calls visit(object) for each set bit; objects count through all batches.
template <class Visit>
void for_each(const std::vector<lanecull::Batch>& batches, const Words& words, const Visit& visit) {
    std::uint32_t first = 0;
    std::size_t word = 0;
    for (const lanecull::Batch& batch : batches) {
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            if ((words[word + i / 64] >> i % 64 & 1) != 0) visit(first + i);
        }
        first += batch.count();
        word += (batch.count() + 63) / 64;
    }
}

Words both(Words a, const Words& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] &= b[w];
    return a;
}

std::uint64_t count(const Words& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

/// The depths of a light's maps, and how many texels something covers.
struct Maps {
    std::vector<double> depths;
    std::size_t covered = 0;

    void add(const DepthPicture& picture) {
        for (const std::uint32_t object : picture.objects()) covered += object == DepthPicture::nothing ? 0 : 1;
        depths.insert(depths.end(), picture.depths().begin(), picture.depths().end());
    }
};

/// A sun's map, or the six of a lamp, with these casters.
Maps draw_maps(const Scene& scene, const SceneMeshes& meshes, const PickedLight& light, const Words& casters) {
    Maps maps;
    const auto draw = [&](int width, const glm::dmat4& clip, const glm::dvec3& origin, bool clamped) {
        DepthPicture picture(width, width, clip, origin, clamped);
        for_each(scene.batches(), casters, [&](std::uint32_t object) { picture.draw(meshes, object); });
        maps.add(picture);
    };
    if (!light.lamp) {
        glm::dmat4 clip;
        for (int k = 0; k < 16; ++k) clip[k / 4][k % 4] = light.map.clip_from_world[k];
        const double* at = light.map.clip_space.origin;
        draw(192, clip, {at[0], at[1], at[2]}, true);
        return maps;
    }
    const double near = 1e-3 * light.lamp->range;
    for (int face = 0; face < 6; ++face) {
        glm::dmat4 clip(0);  // rows across, up, depth and w of the face's axes
        const int along = face / 2;
        const double side = face % 2 == 0 ? 1 : -1;
        clip[(along + 1) % 3][0] = clip[(along + 2) % 3][1] = 1;
        const double far = light.lamp->range;
        clip[along][2] = side * far / (far - near), clip[3][2] = -near * far / (far - near);
        clip[along][3] = side;
        draw(64, clip, {light.lamp->at[0], light.lamp->at[1], light.lamp->at[2]}, false);
    }
    return maps;
}

std::size_t differing(const Maps& a, const Maps& b) {
    std::size_t texels = 0;
    for (std::size_t i = 0; i < a.depths.size(); ++i) texels += a.depths[i] != b.depths[i] ? 1 : 0;
    return texels;
}

/// All objects but the first words of those that must be drawn, at least so many of them: their absence would show.
Words without_some_of(const Words& drawn, Words all, std::uint64_t least) {
    std::uint64_t left_out = 0;
    for (std::size_t w = 0; w < all.size() && left_out < least; ++w) {
        left_out += static_cast<std::uint64_t>(std::popcount(drawn[w]));
        all[w] &= ~drawn[w];
    }
    return all;
}

TEST(Pictures, ShadowMapsAreEqualTexelByTexel) {
    const Scene scene = city();
    const SceneMeshes meshes = mesh_scene(scene);
    const CameraPath path = street(scene, 2);
    constexpr std::size_t cascades = 4, lamps = 2;
    std::uint64_t casters[2] = {}, dropped[2] = {};  // of the sun, of lamps
    std::size_t texels = 0, covered = 0, differ = 0, spoilt = 0;
    for (std::size_t light = 0; light < cascades + lamps; ++light) {
        for (const Camera& camera : path) {
            ShadowOptions options;
            options.cascades = cascades, options.lamps = lamps, options.threads = 1, options.quiet = true;
            options.occluders = OccluderSettings{.most = 16};
            options.picked_light = light;
            const std::optional<PickedLight> picked = measure_shadows(scene, {camera}, options).picked;
            if (!picked) continue;
            const Words all = both(picked->in_frustum, picked->kept), drawn = both(picked->in_frustum, picked->drawn);
            EXPECT_EQ(both(all, drawn), drawn);
            casters[picked->lamp ? 1 : 0] += count(all);
            dropped[picked->lamp ? 1 : 0] += count(all) - count(drawn);
            const Maps before = draw_maps(scene, meshes, *picked, all),
                       after = draw_maps(scene, meshes, *picked, drawn);
            texels += before.depths.size(), covered += before.covered;
            differ += differing(before, after);
            const Maps wrong =
                draw_maps(scene, meshes, *picked, without_some_of(drawn, all, count(all) - count(drawn)));
            spoilt += differing(before, wrong);
        }
    }
    std::printf(
        "[ figures  ] %zu texels, %zu of them covered: %zu differ, with others left out %zu; casters dropped: "
        "sun %llu of %llu, lamps %llu of %llu\n",
        texels, covered, differ, spoilt, static_cast<unsigned long long>(dropped[0]),
        static_cast<unsigned long long>(casters[0]), static_cast<unsigned long long>(dropped[1]),
        static_cast<unsigned long long>(casters[1]));
    EXPECT_EQ(differ, 0u);
    EXPECT_GT(covered * 50, texels);
    EXPECT_GT(dropped[0], 0u);
    EXPECT_GT(spoilt, 100u);
}

/// Culls of a frame, with no occluders and with some.
class Frame {
public:
    Frame(const Scene& scene, const Camera& camera)
        : batches_(scene.batches()), view_(camera.view()), scratch_(lanecull::scratch_bytes(batches_, 1)) {}

    [[nodiscard]] Words visible(std::span<const lanecull::Occluder> occluders, std::span<std::uint32_t> counts = {}) {
        Words words(lanecull::visibility_words(batches_));
        lanecull::Output output;
        output.visible = words, output.occluders = occluders, output.hidden_counts = counts;
        const lanecull::Status status = lanecull::cull(batches_, {&view_, 1}, {&output, 1}, scratch_);
        EXPECT_TRUE(status) << status.message();
        return words;
    }
    [[nodiscard]] Words visible(OccluderChoice& choice, const Camera& camera) {
        const auto chosen = choice.choose(camera, view_);
        return visible(chosen, choice.hidden_counts());
    }
    [[nodiscard]] Words visible_past_all(const OccluderChoice& choice, const Camera& camera) {
        Words words = visible({});
        const std::vector<lanecull::Occluder> all = choice.all(camera);
        for (std::size_t first = 0; first < all.size(); first += 64) {
            const std::size_t some = std::min<std::size_t>(64, all.size() - first);
            words = both(words, visible(std::span(all).subspan(first, some)));
        }
        return words;
    }
    [[nodiscard]] const std::vector<lanecull::Batch>& batches() const { return batches_; }

private:
    std::vector<lanecull::Batch> batches_;
    lanecull::View view_;
    std::vector<std::byte> scratch_;
};

/// Of the objects in view, those without a pixel are all that any occluders could hide, and a few more: an object may
/// be smaller than pixels are apart.
TEST(Pictures, WhatOccludersHideHasNoPixel) {
    const Scene scene = city();
    const SceneMeshes meshes = mesh_scene(scene);
    const CameraPath path = street(scene, static_cast<std::size_t>(scaled(4)));
    OccluderChoice few(scene, {.most = 16}), many(scene, {.most = 64});
    for (int round = 0; round < OccluderChoice::warm_up_rounds; ++round) {
        Frame frame(scene, path[0]);
        static_cast<void>(frame.visible(few, path[0])), static_cast<void>(frame.visible(many, path[0]));
    }
    std::uint64_t in_view = 0, hidden[4] = {}, wrong = 0;  // by 16, by 64, by all each alone, in the picture
    for (const Camera& camera : path) {
        Frame frame(scene, camera);
        const Words all = frame.visible({});
        const Words kept[3] = {frame.visible(few, camera), frame.visible(many, camera),
                               frame.visible_past_all(few, camera)};
        DepthPicture picture(1280, 720, camera.clip_from_relative(), camera.eye, false);
        for_each(frame.batches(), all, [&](std::uint32_t object) { picture.draw(meshes, object); });
        std::vector<bool> has_pixel(scene.object_count());
        for (const std::uint32_t object : picture.objects()) {
            if (object != DepthPicture::nothing) has_pixel[object] = true;
        }
        in_view += count(all);
        for_each(frame.batches(), all, [&](std::uint32_t object) { hidden[3] += has_pixel[object] ? 0 : 1; });
        for (int k = 0; k < 3; ++k) {
            hidden[k] += count(all) - count(kept[k]);
            Words culled = all;
            for (std::size_t w = 0; w < culled.size(); ++w) culled[w] &= ~kept[k][w];
            for_each(frame.batches(), culled, [&](std::uint32_t object) { wrong += has_pixel[object] ? 1 : 0; });
        }
    }
    const auto share = [&](int k) { return 100 * static_cast<double>(hidden[k]) / static_cast<double>(in_view); };
    std::printf(
        "[ figures  ] %zu frames, %.0f objects in view each; hidden by 16 %.1f %%, by 64 %.1f %%, by all, each "
        "alone, %.1f %%; without a pixel of 1280 x 720 %.1f %%\n",
        path.size(), static_cast<double>(in_view) / static_cast<double>(path.size()), share(0), share(1), share(2),
        share(3));
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(hidden[0] * 2, in_view);
    EXPECT_LE(hidden[2], hidden[3]);
}

}  // namespace
