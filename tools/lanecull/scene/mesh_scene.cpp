#include "scene/mesh_scene.hpp"

#include <cfloat>
#include <filesystem>
#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include "support/error.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

constexpr std::size_t most_corners = 4096;  // time grows with the square

/// Twice the area of a triangle, positive if it turns to the left.
double turn(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The corners in the plane of two axes, such that they go round to the left: without the axis along which the
/// polygon's normal is longest.
std::vector<glm::dvec2> flattened(std::span<const glm::dvec3> corners) {
    glm::dvec3 normal(0);  // Newell's: the sum of the areas seen along each axis
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 p = corners[i] - corners[0], q = corners[(i + 1) % corners.size()] - corners[0];
        normal += glm::dvec3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
    }
    const glm::dvec3 size = glm::abs(normal);
    const int k = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    std::vector<glm::dvec2> result;
    result.reserve(corners.size());
    for (const glm::dvec3& p : corners) {
        const glm::dvec3 d = p - corners[0];
        result.push_back(normal[k] >= 0 ? glm::dvec2(d[u], d[v]) : glm::dvec2(d[v], d[u]));
    }
    return result;
}

/// Whether corner i of the ring is an ear: it turns to the left, and no other corner is in its triangle.
bool is_ear(const std::vector<glm::dvec2>& p, const std::vector<std::uint32_t>& ring, std::size_t i) {
    const std::size_t n = ring.size();
    const glm::dvec2 &a = p[ring[(i + n - 1) % n]], &b = p[ring[i]], &c = p[ring[(i + 1) % n]];
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t k = 2; k + 1 < n; ++k) {
        const glm::dvec2& q = p[ring[(i + k) % n]];
        if (q == a || q == b || q == c) continue;
        if (turn(a, b, q) >= 0 && turn(b, c, q) >= 0 && turn(c, a, q) >= 0) return false;
    }
    return true;
}

}  // namespace

std::vector<Triangle> triangles_of(std::span<const glm::dvec3> corners) {
    std::vector<Triangle> triangles;
    std::vector<std::uint32_t> ring(corners.size());
    std::iota(ring.begin(), ring.end(), 0U);
    if (corners.size() > 3 && corners.size() <= most_corners) {
        const std::vector<glm::dvec2> points = flattened(corners);
        // Behind an ear the next corner is tried, so that ears come from all around.
        for (std::size_t i = 0, failed = 0; ring.size() > 3 && failed < ring.size(); i = (i + 1) % ring.size()) {
            if (!is_ear(points, ring, i)) {
                ++failed;
                continue;
            }
            const std::size_t n = ring.size();
            triangles.push_back({ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]});
            ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
            failed = 0;
        }
    }
    for (std::size_t i = 2; i < ring.size(); ++i) triangles.push_back({ring[0], ring[i - 1], ring[i]});
    return triangles;
}

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

void HullMeshBuilder::add_points(std::span<const glm::vec3> points) {
    for (const glm::vec3& point : points) add_face(std::span(&point, 1));
}

void HullMeshBuilder::add_hole(std::span<const glm::vec3> corners) {
    covers_holes_ = true;
    add_points(corners);
}

std::vector<HullMesh> HullMeshBuilder::take() {
    close();
    for (HullMesh& mesh : finished_) mesh.covers_holes = covers_holes_;
    return std::move(finished_);
}

std::size_t HullMeshBuilder::BitsHash::operator()(const Bits& bits) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : bits) hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
}

std::uint32_t HullMeshBuilder::index_of(const glm::vec3& p) {
    Bits bits;
    std::memcpy(bits.data(), &p, sizeof bits);
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

std::uint32_t MeshSceneBuilder::add_mesh(HullMesh mesh) {
    glm::dvec3 largest(0);
    for (std::size_t i = 0; i < mesh.x.size(); ++i) {
        largest = glm::max(largest, glm::abs(glm::dvec3(mesh.x[i], mesh.y[i], mesh.z[i])));
    }
    largest_.push_back(largest);
    instances_.meshes.push_back(std::move(mesh));
    return static_cast<std::uint32_t>(instances_.meshes.size() - 1);
}

void MeshSceneBuilder::add_object(std::uint32_t mesh, const glm::dmat4& world_from_mesh, std::string name,
                                  const std::string& where) {
    glm::dvec3 farthest = glm::abs(glm::dvec3(world_from_mesh[3])), columns(0);
    for (int k = 0; k < 3; ++k) {
        const glm::dvec3 column = glm::abs(glm::dvec3(world_from_mesh[k]));
        farthest += column * largest_[mesh][k];
        columns += column;
    }
    const auto are_floats = [](const glm::dvec3& v) { return v.x < FLT_MAX && v.y < FLT_MAX && v.z < FLT_MAX; };
    if (!are_floats(farthest) || !are_floats(columns)) {  // NaN too
        fail("{}: {} is placed at coordinates that are not finite", file_, where);
    }
    objects_.push_back({mesh, glm::mat4x3(world_from_mesh), std::move(name)});
}

Scene MeshSceneBuilder::finish() {
    if (objects_.empty()) fail("{}: no meshes with points in it", file_);
    // As the hull instances are kept, so that the names are in their order.
    std::ranges::stable_sort(objects_, {}, &Object::mesh);
    std::vector<std::string> names;
    names.reserve(objects_.size());
    for (Object& object : objects_) {
        instances_.add(object.mesh, object.transform);
        names.push_back(std::move(object.name));
    }
    std::size_t points = 0;
    for (const HullMesh& mesh : instances_.meshes) points += mesh.x.size();
    Scene scene;
    scene.name = std::filesystem::path(file_).filename().string();
    scene.description = fmt::format("{} of {}", counted(instances_.meshes.size(), "mesh", "meshes"),
                                    counted(points, "different point"));
    if (empty_ != 0) scene.description += fmt::format(", {} without points left out", empty_);
    scene.up = {0, 1, 0};
    scene.meshes = instances_.meshes.size();
    scene.add("meshes", std::move(instances_), std::move(names));
    return scene;
}

}  // namespace lanecull::program
