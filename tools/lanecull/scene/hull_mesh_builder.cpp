#include "scene/hull_mesh_builder.hpp"

#include <bit>
#include <utility>

#include "scene/polygon.hpp"

namespace lanecull::program {

void HullMeshBuilder::add_face(std::span<const glm::vec3> corners) {
    if (mesh_.x.size() + corners.size() > max_points) close();
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::uint32_t index = index_of(corners[i]);
        if (i < triangle.size()) triangle[i] = index;
    }
    if (corners.size() == triangle.size()) mesh_.triangles.push_back(triangle);
}

void HullMeshBuilder::add_polygon(std::span<const glm::vec3> corners) {
    if (corners.size() <= 3) return add_face(corners);
    const std::vector<glm::dvec3> polygon(corners.begin(), corners.end());
    for (const auto& t : triangles_of(polygon)) add_face(std::array{corners[t[0]], corners[t[1]], corners[t[2]]});
}

void HullMeshBuilder::add_hole(std::span<const glm::vec3> corners) {
    covers_holes_ = true;
    for (const glm::vec3& corner : corners) add_face(std::span(&corner, 1));
}

std::vector<HullMesh> HullMeshBuilder::take() {
    close();
    for (HullMesh& mesh : finished_) mesh.covers_holes = covers_holes_;
    return std::move(finished_);
}

std::size_t HullMeshBuilder::BitsHash::operator()(const std::array<std::uint32_t, 3>& bits) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : bits) hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
}

std::uint32_t HullMeshBuilder::index_of(const glm::vec3& p) {
    const std::array bits = {std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
                             std::bit_cast<std::uint32_t>(p.z)};
    const auto [entry, is_new] = index_by_bits_.try_emplace(bits, static_cast<std::uint32_t>(mesh_.x.size()));
    if (is_new) {
        mesh_.x.push_back(p.x);
        mesh_.y.push_back(p.y);
        mesh_.z.push_back(p.z);
    }
    return entry->second;
}

void HullMeshBuilder::close() {
    if (!mesh_.x.empty()) finished_.push_back(std::exchange(mesh_, {}));
    index_by_bits_.clear();
}

}  // namespace lanecull::program
