#include "picture/picture_scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <variant>

#include "support/parallel.hpp"

namespace lanecull::program {

namespace {

constexpr std::size_t word_bits = 64;
constexpr int band_rows = 32;
constexpr std::size_t chunk_objects = 1U << 14;

bool bit(std::span<const std::uint64_t> words, std::size_t first_word, std::size_t index) {
    return (words[first_word + index / word_bits] >> (index % word_bits) & 1) != 0;
}

/// A number that looks random, the same for the same object every time.
std::uint32_t object_hash(std::uint32_t group, std::uint32_t index) {
    std::uint32_t h = index * 0x9E3779B1U + group * 0x85EBCA77U;
    h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
    h = (h ^ (h >> 12)) * 0x297A2D39U;
    return h ^ (h >> 15);
}

/// The rows that a ball may touch; none when it is out of the picture.
Rows rows_of(const Projection& projection, const glm::vec3& center, float radius) {
    const float nearest = center.z - radius, farthest = center.z + radius;
    if (!(farthest > 0)) return {};
    if (!(nearest > 0)) return {0, projection.size.y};
    const auto low = [&](float p) {
        return projection.focal * std::min((p - radius) / nearest, (p - radius) / farthest);
    };
    const auto high = [&](float p) {
        return projection.focal * std::max((p + radius) / nearest, (p + radius) / farthest);
    };
    const glm::vec2 middle = projection.center, size(projection.size);
    if (middle.x + low(center.x) > size.x || middle.x + high(center.x) < 0) return {};
    const float top = std::clamp(middle.y + low(center.y), 0.0F, size.y);
    const float bottom = std::clamp(middle.y + high(center.y), 0.0F, size.y);
    return {static_cast<int>(top), std::min(static_cast<int>(bottom) + 1, projection.size.y)};
}

/// Whether the solid's box contains the point.
bool contains(const Solid& solid, const glm::dvec3& point) {
    const glm::dmat3 half(solid.half_edges());
    const double volume = glm::determinant(half);
    if (!(std::abs(volume) > 0)) return false;
    const glm::dvec3 s = glm::inverse(half) * (point - solid.center);
    return std::max({std::abs(s.x), std::abs(s.y), std::abs(s.z)}) <= 1;
}

/// Whether the solid would hide everything: it is around the eye, or around most of what is to be seen, points whose
/// largest distance is `extent`.
bool is_shell(const Solid& solid, float bound, const glm::dvec3& eye, std::span<const glm::dvec3> enclosed,
              double extent) {
    if (glm::distance(solid.center, eye) < static_cast<double>(bound) && contains(solid, eye)) return true;
    if (static_cast<double>(bound) < 0.25 * extent) return false;
    const auto inside =
        std::count_if(enclosed.begin(), enclosed.end(), [&](const auto& p) { return contains(solid, p); });
    return 4 * inside >= 3 * static_cast<std::ptrdiff_t>(enclosed.size());
}

/// Whether some of the solid's main points have the volume behind them.
bool is_before(const Solid& solid, const glm::dvec3& eye, const Polyhedron& volume) {
    if (volume.behind(eye, solid.center)) return true;
    const glm::mat3 half = solid.half_edges();
    for (int k = 0; k < 3; ++k) {
        const glm::dvec3 reach(half[k]);
        if (volume.behind(eye, solid.center + reach) || volume.behind(eye, solid.center - reach)) return true;
    }
    return false;
}

/// A number that looks random, in [0, 1), from a hash.
float chance(std::uint32_t hash) { return static_cast<float>(hash >> 8) * 0x1p-24F; }

}  // namespace

JudgedScene::JudgedScene(const Scene& scene, std::span<const std::uint64_t> visible,
                         std::span<const std::uint64_t> kept_by_planes, std::span<const std::uint64_t> visible_without)
    : scene_(scene), visible_(visible), kept_by_planes_(kept_by_planes), visible_without_(visible_without) {
    std::size_t word = 0;
    for (const Group& group : scene.groups) {
        const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays);
        hulls_.push_back(instances ? solid_hulls(*instances) : std::vector<SolidHull>());
        first_word_.push_back(word);
        word += (object_count(group.arrays) + word_bits - 1) / word_bits;
    }
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const std::size_t count = object_count(scene.groups[g].arrays);
        counts_.objects += count;
        for (std::size_t i = 0; i < count; ++i) {
            const Material verdict = material(g, i);
            if (verdict == Material::visible) ++counts_.visible;
            if (verdict == Material::hidden) ++counts_.hidden;
            if (verdict != Material::false_positive) continue;
            ++counts_.false_positives;
            if (const Solid object = solid(g, i); object.finite()) false_positives_.push_back(object);
        }
    }
}

Solid JudgedScene::solid(std::size_t group, std::size_t index) const {
    return solid_of(scene_.groups[group].arrays, hulls_[group], index);
}

Material JudgedScene::material(std::size_t group, std::size_t index) const {
    if (bit(visible_, first_word_[group], index)) return Material::visible;
    if (!visible_without_.empty() && bit(visible_without_, first_word_[group], index)) return Material::hidden;
    return bit(kept_by_planes_, first_word_[group], index) ? Material::false_positive : Material::culled;
}

std::vector<JudgedScene::Placement> JudgedScene::placements(const Projection& projection, const Polyhedron& volume,
                                                            Show show) const {
    const std::vector<glm::dvec3> enclosed = volume.corners();
    double extent = 0;
    for (const glm::dvec3& corner : enclosed) extent = std::max(extent, glm::distance(corner, enclosed[0]));
    struct Chunk {
        std::size_t group, first, last;
        std::vector<Placement> found;
    };
    std::vector<Chunk> chunks;
    for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
        const std::size_t count = object_count(scene_.groups[g].arrays);
        for (std::size_t first = 0; first < count; first += chunk_objects) {
            chunks.push_back({g, first, std::min(first + chunk_objects, count), {}});
        }
    }
    in_parallel(chunks.size(), [&](std::size_t c) {
        Chunk& chunk = chunks[c];
        for (std::size_t i = chunk.first; i < chunk.last; ++i) {
            const Material verdict = material(chunk.group, i);
            if (scene_.groups[chunk.group].stand_in && verdict != Material::false_positive) continue;
            if (show == Show::visible && verdict != Material::visible) continue;
            const Solid object = solid(chunk.group, i);
            if (!object.finite()) continue;
            const float bound = object.bounding_radius();
            const Rows rows = rows_of(projection, projection.view(object.center), bound);
            if (rows.first >= rows.last || is_shell(object, bound, projection.eye, enclosed, extent)) continue;
            const auto g = static_cast<std::uint32_t>(chunk.group), index = static_cast<std::uint32_t>(i);
            const bool ghost = show == Show::all_and_volume && verdict == Material::culled &&
                               is_before(object, projection.eye, volume);
            const Surface surface{verdict, static_cast<std::uint8_t>(object_hash(g, index) & 127U), ghost};
            chunk.found.push_back({g, index, rows.first, rows.last, surface});
        }
    });
    std::vector<Placement> all;
    for (const Chunk& chunk : chunks) all.insert(all.end(), chunk.found.begin(), chunk.found.end());
    return all;
}

void JudgedScene::draw(Canvas& canvas, const Polyhedron& volume, Show show) const {
    const std::vector<Placement> placed = placements(canvas.projection(), volume, show);
    const int height = canvas.projection().size.y;
    in_parallel((height + band_rows - 1) / band_rows, [&](int band) {
        const Rows rows{band * band_rows, std::min((band + 1) * band_rows, height)};
        for (const Placement& p : placed) {
            if (p.first_row >= rows.last || p.last_row <= rows.first) continue;
            draw_solid(canvas, solid(p.group, p.index), p.surface, chance(object_hash(p.group, p.index)), rows);
        }
    });
}

}  // namespace lanecull::program
