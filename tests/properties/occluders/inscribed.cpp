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

/// Facets, moved inward by so much.
exact::HalfSpaces moved(exact::HalfSpaces facets, double by) {
    for (exact::HalfSpace& f : facets) {
        const exact::Vec<double> n = exact::to_double(f.normal);
        f.offset -= exact::rational(by * std::hypot(n.x, n.y, n.z));
    }
    return facets;
}

Double3 in_doubles(const std::array<float, 3>& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// On a way from the eye through the polytope, or beside it.
Double3 place_through(Random& random, const Vertices& corners, double size, const Double3& eye) {
    Double3 at{};
    for (int n = 0; n < 3; ++n) at = at + 1.0 / 3 * in_doubles(corners[random.bits() % corners.size()]);
    const Double3 way = at + size * random.unit() * random_direction(random) - eye;
    return eye + random.log_range(0.9, 5) * way;
}

/// An eye outside of the cloud, whose near planes come close to it.
TestViewpoint viewpoint_beside(Random& random, const Cloud& cloud) {
    const double nearest = cloud.size * random.log_range(0.1, 100);
    const Double3 middle = {cloud.away, cloud.away, cloud.away};
    TestViewpoint from;
    from.eye = middle + (nearest + 1.8 * cloud.size) * random_direction(random);
    from.sight.eyes = {exact::point(from.eye[0], from.eye[1], from.eye[2])};
    if (!lanecull::prepare_viewpoint_from_eyes(from.eye, 0.5 * nearest, from.viewpoint)) {
        throw std::runtime_error("no viewpoint");
    }
    return from;
}

}  // namespace

void hide_by_inscribed(Trial& trial) {
    Random& random = trial.random;
    const Cloud cloud(random);
    TestHull hull{{}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    if (!inscribe(cloud.vertices, hull.hull)) return;  // they lie in a plane
    const auto text = [&] { return cloud.text(); };
    const std::string wrong = what_is_wrong(cloud.vertices, hull.hull);
    if (!wrong.empty()) {
        trial.fail(Tally::unproved, wrong, text);
        return;
    }
    HidingSetting setting;
    setting.view = view_of_all();
    setting.from = viewpoint_beside(random, cloud);
    setting.text = cloud.text() + "\n  eye" + written(setting.from.eye);
    const lanecull::Viewpoint& from = setting.from.viewpoint;
    const Double3 eye = setting.from.eye;
    lanecull::Occluder& occluder = setting.occluders.emplace_back();
    const OccluderRefusal refusal = prepare(hull, from, occluder);
    if (refusal != OccluderRefusal::none && refusal != OccluderRefusal::too_thin) {
        trial.fail(Tally::untold, std::string("refused: ") + name_of(refusal), text);
    }
    ++trial.at(Tally::cases);
    if (refusal != OccluderRefusal::none) return;
    ++trial.at(Tally::reached);
    const Vertices corners = hull.corners();
    double farthest = 0;
    for (const auto& corner : corners) farthest = std::max(farthest, length(in_doubles(corner) - eye));
    const double margin = random.chance(0.5) ? 0 : random.log_range(1e-4, 0.1) * cloud.size / farthest;
    if (margin > 0 && prepare(hull, from, occluder, {.raster = {.per_distance = margin}}) != OccluderRefusal::none)
        return;
    setting.solids = {{hull, {}, moved(facets_of(hull), margin * farthest * (1 - 1e-12)), "the polytope"}};
    setting.hidden = {hidden_by(setting.solids[0].facets, setting.from.sight).value()};
    setting.well_hidden = setting.hidden;
    if (margin > 0) setting.well_hidden = {{exact::half_space(0, 0, 0, -1)}};  // nothing, for certain
    setting.hulls = random_hulls(random, 1);  // of one vertex: rationals would take long
    setting.ask_all = true;
    for (const Kind kind : all_kinds) {
        const Double3 at = place_through(random, corners, cloud.size, eye);
        const double size = cloud.size * random.log_range(1e-5, 0.05);
        setting.objects.push_back({object_at(random, kind, at, size, setting.hulls)});
    }
    run_setting(setting, trial);
}

}  // namespace properties
