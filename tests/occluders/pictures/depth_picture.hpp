#pragma once

/// Pictures of meshes in doubles, by rays through the middles of pixels: depths, and which object is nearest.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <vector>

#include "../../../tools/viewer/scene_meshes.hpp"

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

    void draw(const lanecull::program::SceneMeshes& meshes, std::uint32_t object) {
        const lanecull::DrawCommand& command = meshes.draws[object];
        const lanecull::program::Instance& instance = meshes.instances[object];
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
    static glm::dvec3 place(const lanecull::program::Vertex& v, const lanecull::program::Instance& at) {
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
