#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/solids.h>

#include "properties/occluders/setting.hpp"
#include "support/written.hpp"

namespace properties {
namespace {

using lanecull::OccluderRefusal;
using lanecull::SolidHull;

/// Vertices in a cube or on a ball, of any size and place.
struct Cloud {
    double size, away;
    Vertices vertices;

    explicit Cloud(Random& random)
        : size(random.log_range(1e-20, 1e20)), away(random.chance(0.5) ? 0 : size * random.log_range(1, 1e4)) {
        vertices.resize(static_cast<std::size_t>(4 + random.below(60)));
        const bool is_ball = random.chance(0.7);
        for (auto& vertex : vertices) {
            const Double3 at = is_ball ? random_direction(random)
                                       : Double3{random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)};
            for (std::size_t k = 0; k < 3; ++k) vertex[k] = static_cast<float>(away + size * at[k]);
        }
    }
    [[nodiscard]] std::string text() const {
        std::string all = "vertices";
        for (const auto& vertex : vertices) all += written(vertex) + ",";
        return all;
    }
};

std::string what_is_wrong(const Vertices& vertices, const SolidHull& hull) {
    if (hull.corner_count > SolidHull::max_corners || hull.triangle_count != 2 * hull.corner_count - 4) {
        return "counts of corners and triangles that make no polytope";
    }
    const std::set<std::array<float, 3>> given(vertices.begin(), vertices.end());
    for (const auto& corner : TestHull{hull, {}}.corners()) {
        if (!given.contains(corner)) return "a corner that is no vertex";
    }
    for (const auto& vertex : vertices) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (vertex[k] < hull.drawn.lower[k] || vertex[k] > hull.drawn.upper[k]) return "drawn beyond its box";
        }
    }
    return {};
}

/// Which points an occluder hides.
std::vector<bool> hidden_points(const Vertices& points, const lanecull::Occluder& occluder) {
    const std::vector<float> none(points.size());
    std::vector<float> at[3];
    for (const auto& point : points) {
        for (std::size_t k = 0; k < 3; ++k) at[k].push_back(point[k]);
    }
    const lanecull::Batch batch{lanecull::Spheres{at[0].data(), at[1].data(), at[2].data(), none.data(),
                                                  static_cast<std::uint32_t>(points.size())}};
    const lanecull::View view = view_of_all();
    std::vector<std::uint64_t> words(lanecull::visibility_words({&batch, 1}));
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output{.visible = words, .occluders = {&occluder, 1}};
    const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch);
    if (!status) throw std::runtime_error(status.message());
    std::vector<bool> hidden;
    for (std::size_t i = 0; i < points.size(); ++i) hidden.push_back((words[i / 64] >> i % 64 & 1) == 0);
    return hidden;
}

/// A polytope, seen from one eye.
struct SeenHull {
    TestHull hull;
    Double3 eye;
    double nearest, farthest = 0;  ///< distances from the eye to the polytope, at least and of a corner
    exact::Sight sight;
    exact::HalfSpaces facets;
    lanecull::Viewpoint viewpoint;

    SeenHull(Random& random, const Cloud& cloud, const SolidHull& inscribed)
        : hull{inscribed, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}, nearest(cloud.size * random.log_range(0.1, 100)) {
        const double to_middle = nearest + 1.8 * cloud.size;
        eye = Double3{cloud.away, cloud.away, cloud.away} + to_middle * random_direction(random);
        sight.eyes = {exact::point(eye[0], eye[1], eye[2])};
        facets = facets_of_placed(hull.corners(), hull.transform);
        for (const auto& corner : hull.corners()) {
            const auto n = [&](std::size_t k) { return static_cast<double>(corner[k]); };
            farthest = std::max(farthest, length(Double3{n(0), n(1), n(2)} - eye));
        }
        const lanecull::Status status = lanecull::prepare_viewpoint_from_eyes(eye, 0.5 * nearest, viewpoint);
        if (!status) throw std::runtime_error(status.message());
    }
    /// Its facets, moved inward by so much.
    [[nodiscard]] exact::HalfSpaces moved(double by) const {
        exact::HalfSpaces result = facets;
        for (exact::HalfSpace& f : result) {
            const exact::Vec<double> n = exact::to_double(f.normal);
            f.offset -= exact::rational(by * std::hypot(n.x, n.y, n.z));
        }
        return result;
    }
    /// Points on ways from the eye through the polytope, or beside it.
    [[nodiscard]] Vertices points(Random& random, double size, std::size_t count) const {
        Vertices points(count);
        const Vertices corners = hull.corners();
        for (auto& point : points) {
            Double3 at{};
            for (int n = 0; n < 3; ++n) {
                const auto& corner = corners[random.bits() % corners.size()];
                for (std::size_t k = 0; k < 3; ++k) at[k] += static_cast<double>(corner[k]) / 3;
            }
            const Double3 way = at + 0.3 * size * random.unit() * random_direction(random) - eye;
            for (std::size_t k = 0; k < 3; ++k) {
                point[k] = static_cast<float>(eye[k] + random.log_range(0.9, 5) * way[k]);
            }
        }
        return points;
    }
};

}  // namespace

void hide_by_inscribed(Trial& trial) {
    Random& random = trial.random;
    const Cloud cloud(random);
    SolidHull inscribed;
    if (!inscribe(cloud.vertices, inscribed)) return;  // they lie in a plane
    const auto text = [&] { return cloud.text(); };
    const std::string wrong = what_is_wrong(cloud.vertices, inscribed);
    if (!wrong.empty()) {
        trial.fail(Tally::unproved, wrong, text);
        return;
    }
    const SeenHull seen(random, cloud, inscribed);
    const double per_distance = random.chance(0.5) ? 0 : random.log_range(1e-4, 0.1) * cloud.size / seen.farthest;
    const auto prepare = [&](double margin, lanecull::Occluder& occluder) {
        return prepare_occluder(seen.hull.instance(), seen.viewpoint, occluder, {.raster = {.per_distance = margin}});
    };
    lanecull::Occluder whole, shrunk;
    const OccluderRefusal refusal = prepare(0, whole);
    if (refusal != OccluderRefusal::none && refusal != OccluderRefusal::too_thin) {
        trial.fail(Tally::untold, std::string("refused: ") + name_of(refusal), text);
    }
    ++trial.at(Tally::cases);
    if (refusal != OccluderRefusal::none) return;
    ++trial.at(Tally::reached);
    if (per_distance > 0 && prepare(per_distance, shrunk) != OccluderRefusal::none) return;
    const Vertices points = seen.points(random, cloud.size, 20);
    const exact::HalfSpaces left = seen.moved(per_distance * seen.farthest * (1 - 1e-12)),
                            well = seen.moved(0x1p-14 * seen.farthest);
    const std::vector<bool> by_whole = hidden_points(points, whole),
                            by_left = per_distance > 0 ? hidden_points(points, shrunk) : by_whole;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto n = [&](std::size_t k) { return static_cast<double>(points[i][k]); };
        const exact::Point point = exact::point(n(0), n(1), n(2));
        const bool is_hidden = exact::is_hidden(point, seen.sight, left);
        ++trial.at(Tally::verdicts);
        if (by_left[i]) ++trial.at(Tally::culled_occluded);
        if (per_distance == 0 && exact::is_hidden(point, seen.sight, well)) {
            ++trial.at(Tally::apart_14);
            if (!by_left[i]) ++trial.at(Tally::kept_14);
        }
        if (by_left[i] && (!is_hidden || !by_whole[i])) {
            trial.fail(Tally::unproved, "seen past what is left of the polytope, yet culled",
                       [&] { return cloud.text() + "\n  eye" + written(seen.eye) + " point" + written(points[i]); });
        }
    }
}

}  // namespace properties
