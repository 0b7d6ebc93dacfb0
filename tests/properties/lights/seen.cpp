#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/interval.hpp"
#include "properties/lights/cells.hpp"

/// Which lights light anything that is seen. Points are chosen that are in view, in the receivers' box, at its sides
/// for the most part, and not hidden; a light that barely contains one of them is never culled. One that lies beyond a
/// side of the box, or is well apart from the view, is, and has no cell then.
namespace properties {
namespace {

/// Whether the matrix sees a point, as long doubles have it.
bool is_in_view(const GridCase& of, const Double3& p) {
    long double clip[4];
    for (std::size_t r = 0; r < 4; ++r) {
        const auto m = [&](std::size_t c) {
            const bool by_rows = of.clip_space.layout == lanecull::MatrixLayout::row_major;
            return static_cast<long double>(of.matrix[by_rows ? 4 * r + c : 4 * c + r]);
        };
        clip[r] = m(3);
        for (std::size_t c = 0; c < 3; ++c) {
            clip[r] += m(c) * (static_cast<long double>(p[c]) - static_cast<long double>(of.clip_space.origin[c]));
        }
    }
    const long double w = clip[3], most = w * (1 + 1e-10L);
    const long double least = of.clip_space.depth == lanecull::DepthRange::zero_to_one ? 0 : -w;
    return w > 0 && std::fabs(clip[0]) <= most && std::fabs(clip[1]) <= most && clip[2] >= least && clip[2] <= w;
}

/// Whether the segment from the eye meets a box that is somewhat larger than the solid.
bool may_hide(const lanecull::SolidBox& box, const Double3& eye, const Double3& p) {
    double enters = 0, leaves = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const double size = std::fabs(eye[k]) + std::fabs(p[k]) + std::fabs(static_cast<double>(box.max[k]));
        const double low = static_cast<double>(box.min[k]) - 1e-6 * size;
        const double high = static_cast<double>(box.max[k]) + 1e-6 * size, way = p[k] - eye[k];
        if (way == 0) {
            if (eye[k] < low || eye[k] > high) return false;
            continue;
        }
        const double a = (low - eye[k]) / way, b = (high - eye[k]) / way;
        enters = std::max(enters, std::min(a, b)), leaves = std::min(leaves, std::max(a, b));
    }
    return enters <= leaves;
}

float above(double x) { return lanecull::float_up(x * (1 + 1e-12)); }
float single(double x) { return static_cast<float>(x); }

/// A view, points that are seen, and what is known of them.
struct Seen {
    GridCase of;
    std::vector<Double3> points;
    std::optional<lanecull::WorldBox> box;
    std::vector<lanecull::Occluder> occluders;
    double size = 0;  ///< of coordinates

    Seen(Random& random, const Camera& camera, GridCase grid, const GridGeometry& geometry) : of(std::move(grid)) {
        std::optional<lanecull::SolidBox> solid;
        if (camera.projection == Projection::perspective && random.chance(0.6)) solid = add_solid(random, geometry);
        const auto eye = geometry.origin();
        for (int n = 1 + random.below(4), tries = 0; n > 0 && tries < 30; ++tries) {
            const auto at = world(geometry, random_place(random, of, geometry));
            const Double3 p{at[0], at[1], at[2]};
            if (!is_in_view(of, p) || (solid && may_hide(*solid, {eye[0], eye[1], eye[2]}, p))) continue;
            points.push_back(p), --n;
        }
        if (!points.empty() && random.chance(0.6)) bound(random);
    }

private:
    std::optional<lanecull::SolidBox> add_solid(Random& random, const GridGeometry& geometry) {
        const Point3 middle = random_place(random, of, geometry);
        const auto at = world(geometry, middle);
        const double half = std::sqrt(dot(middle, middle)) * random.log_range(0.02, 0.6);
        lanecull::SolidBox solid;
        for (std::size_t k = 0; k < 3; ++k) {
            solid.min[k] = single(at[k] - half * random.range(0.2, 1));
            solid.max[k] = single(at[k] + half * random.range(0.2, 1));
        }
        lanecull::Viewpoint eye;
        lanecull::Occluder occluder;
        if (!lanecull::prepare_viewpoint(of.matrix, of.clip_space, eye) ||
            lanecull::prepare_occluder(solid, eye, occluder) != lanecull::OccluderRefusal::none) {
            return {};
        }
        occluders.push_back(occluder);
        return solid;
    }

    /// The smallest box around the points; at times larger, or without an end.
    void bound(Random& random) {
        box.emplace();
        for (std::size_t k = 0; k < 3; ++k) {
            double& low = box->lower[k] = points[0][k];
            double& high = box->upper[k] = points[0][k];
            for (const Double3& p : points) low = std::min(low, p[k]), high = std::max(high, p[k]);
            if (random.chance(0.1)) high += random.range(0, 1) * (high - low);
            if (random.chance(0.1)) low = -HUGE_VAL;
            for (const Double3& p : points) size = std::max(size, std::fabs(p[k]));
        }
    }
};

/// A light that contains the point, by some units in the last place at most.
void add_around(Random& random, const Double3& p, double reach, bool is_spot, LightStreams& lights) {
    const Double3 way = random_direction(random);
    const float at[3] = {single(p[0] + reach * way[0]), single(p[1] + reach * way[1]), single(p[2] + reach * way[2])};
    const Double3 off{p[0] - static_cast<double>(at[0]), p[1] - static_cast<double>(at[1]),
                      p[2] - static_cast<double>(at[2])};
    const double distance = length(off);
    if (!is_spot) {
        for (std::size_t k = 0; k < 3; ++k) lights.balls[k].push_back(at[k]);
        return lights.balls[3].push_back(above(distance));
    }
    const Double3 other = random_direction(random);
    const double lean = random.log_range(1e-3, 3);
    float axis[3];
    for (std::size_t k = 0; k < 3; ++k) axis[k] = single(off[k] / std::max(distance, 1e-30) + lean * other[k]);
    const Double3 wide{static_cast<double>(axis[0]), static_cast<double>(axis[1]), static_cast<double>(axis[2])};
    const double size = length(wide), along = dot(off, wide) / size;
    const double across = length(off - along / size * wide);
    if (!(size > 1e-3) || !(along > 1e-3 * across)) return add_around(random, p, reach, false, lights);
    const bool is_flat = lights.end == lanecull::SpotEnd::flat;
    const float numbers[8] = {at[0],   at[1],   at[2],   above(is_flat ? along : distance),
                              axis[0], axis[1], axis[2], above(across / along)};
    for (std::size_t k = 0; k < 8; ++k) lights.spots[k].push_back(numbers[k]);
}

/// A light that lies beyond a side of the box.
void add_beyond(Random& random, const Seen& seen, double reach, bool is_spot, LightStreams& lights) {
    const auto k = static_cast<std::size_t>(random.below(3));
    const Double3& from = seen.points[0];
    std::array<double, 3> at = {from[0], from[1], from[2]};
    at[k] = seen.box->upper[k] + 1e-4 * (seen.size + reach);
    if (!is_spot) {
        at[k] += reach;
        return lights.add_ball(at, reach);
    }
    const Double3 axis = random_direction(random);
    SpotShape spot{{0, 0, 0}, {axis[0], axis[1], axis[2]}, reach, random.log_range(1e-3, 30)};
    spot.is_flat = lights.end == lanecull::SpotEnd::flat;
    const Point3 low = spot.support({k == 0 ? -1.0 : 0.0, k == 1 ? -1.0 : 0.0, k == 2 ? -1.0 : 0.0});
    at[k] += 1e-4 * reach * spot.tangent - (k == 0 ? low.x : k == 1 ? low.y : low.z);
    lights.add_spot(at, reach, {axis[0], axis[1], axis[2]}, spot.tangent);
}

/// A spotlight that is near a point, and may light nothing.
void add_anywhere(Random& random, const Double3& p, double reach, LightStreams& lights) {
    const Double3 way = random_direction(random), axis = random_direction(random);
    const double away = reach * random.range(0, 1.5);
    lights.add_spot({p[0] + away * way[0], p[1] + away * way[1], p[2] + away * way[2]}, reach,
                    {axis[0], axis[1], axis[2]}, random.log_range(1e-3, 30));
}

/// Whether a light is well apart from all that the camera sees between its depths; not known of matrices
/// of which the camera's depths say nothing.
bool is_apart_from_view(const Camera& camera, const GridCase& of, const LightStreams& lights, std::size_t light) {
    if (camera.projection == Projection::oblique || camera.projection == Projection::sheared || camera.single)
        return false;
    GridCase whole = of;
    whole.tiles_x = whole.tiles_y = 1;
    const GridGeometry geometry(whole);
    const auto origin = geometry.origin();
    whole.boundaries = {0, 0};
    for (std::size_t k = 0; k < 2; ++k) {
        const Double3 p = camera.point(0, 0, camera.depth[k]);
        whole.boundaries[k] = std::isfinite(camera.depth[k])
                                  ? geometry.depth({p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]})
                                  : HUGE_VAL;
    }
    std::sort(whole.boundaries.begin(), whole.boundaries.end());
    const Apartness apart = measure(geometry, lights, light, 0);
    return apart.lower > bound_of(geometry, lights, light) * apart.magnitude + 1e-3 * std::fabs(whole.boundaries[0]);
}

/// What is known of a light.
enum class Known { nothing, lit, dark };

void check(Trial& trial, const Seen& seen, const LightStreams& streams, const std::vector<Known>& known,
           lanecull::Isa isa) {
    const lanecull::LightGrid grid = seen.of.grid();
    lanecull::Lights lights = streams.lights();
    const std::size_t count = streams.count();
    std::vector<std::uint64_t> words((count + 63) / 64, 0x5555555555555555u);
    std::vector<std::byte> scratch(
        lanecull::light_scratch_bytes(seen.of.tiles_x, seen.of.tiles_y, seen.of.slices(), count));
    const lanecull::LightReceivers receivers{.bounds = seen.box ? &*seen.box : nullptr, .occluders = seen.occluders};
    if (!lanecull::cull_lights(grid, lights, receivers, words, scratch, {.isa = isa})) {
        ++trial.at(Tally::refused);
        return;
    }
    trial.answers.all.add(std::span<const std::uint64_t>(words));
    for (std::size_t light = 0; light < count; ++light) {
        const bool is_kept = (words[light / 64] >> light % 64 & 1) != 0;
        const auto text = [&] { return streams.describe(light) + " " + seen.of.describe(); };
        ++trial.at(Tally::cases);
        if (is_kept) ++trial.at(Tally::reached);
        if (!is_kept && known[light] == Known::lit)
            trial.fail(Tally::false_culls, "a light that lights what is seen is culled", text);
        if (is_kept && known[light] == Known::dark)
            trial.fail(Tally::unproved, "a light that lights nothing seen is kept", text);
    }
    // In cells, a light that is culled is in none, and the others are as without it.
    const Assigned all = assign(seen.of, streams, isa);
    std::vector<std::uint32_t> cells(all.words.size());
    lights.visible = words;
    lanecull::LightLists lists;
    lists.words = cells;
    if (!all.failure.empty() || !lanecull::assign_lights(grid, lights, lists, scratch, {.isa = isa})) return;
    const std::size_t per_cell = (count + 31) / 32;
    for (std::size_t w = 0; w < cells.size(); ++w) {
        const auto kept = static_cast<std::uint32_t>(words[w % per_cell / 2] >> w % per_cell % 2 * 32);
        if (cells[w] == (all.words[w] & kept)) continue;
        trial.fail(Tally::untold, "cells have other lights than those that are visible",
                   [&] { return seen.of.describe(); });
        return;
    }
}

}  // namespace

void run_seen_lights(Trial& trial) {
    Random& random = trial.random;
    const Camera camera = random_prepared_camera(random).camera;
    const GridCase of = random_grid(random, camera);
    const GridGeometry geometry(of);
    if (!geometry.known()) return;
    const Seen seen(random, camera, of, geometry);
    if (seen.points.empty()) return;
    LightStreams lights;
    if (random.chance(0.5)) lights.end = lanecull::SpotEnd::flat;
    std::vector<Known> known, of_spots;
    const int count = 1 + random.below(24);
    for (int i = 0; i < count; ++i) {
        const Double3& p = seen.points[static_cast<std::size_t>(random.below(static_cast<int>(seen.points.size())))];
        const auto eye = geometry.origin();
        const double reach = length(p - Double3{eye[0], eye[1], eye[2]}) * random.log_range(1e-3, 3);
        const bool is_spot = random.chance(0.5);
        Known kind = Known::nothing;
        if (random.chance(0.6)) {
            add_around(random, p, reach, is_spot, lights);
            kind = Known::lit;
        } else if (seen.box && random.chance(0.7)) {
            add_beyond(random, seen, reach, is_spot, lights);
            kind = Known::dark;
        } else {
            add_anywhere(random, p, reach, lights);
        }
        known.resize(lights.balls[0].size(), kind), of_spots.resize(lights.spots[0].size(), kind);
    }
    known.insert(known.end(), of_spots.begin(), of_spots.end());
    for (std::size_t light = 0; light < known.size(); ++light) {
        // With a small box, planes alone may describe what is seen.
        if (known[light] == Known::nothing && !seen.box && is_apart_from_view(camera, of, lights, light))
            known[light] = Known::dark;
    }
    for (const lanecull::Isa isa : trial.plan.isas) check(trial, seen, lights, known, isa);
}

}  // namespace properties
