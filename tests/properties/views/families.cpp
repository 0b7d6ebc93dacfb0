#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/family.hpp"
#include "properties/views/casters.hpp"
#include "properties/views/company.hpp"
#include "properties/views/families.hpp"
#include "properties/views/filling.hpp"
#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"
#include "support/samples.hpp"

namespace properties {
namespace {

using lanecull::View;

/// The camera's volume, widened by a margin in one of four cases.
std::optional<Setting> view_of(Random& random, const Camera& camera) {
    const double margin =
        random.chance(0.25) ? std::fabs(camera.size_at(camera.depth[0])) * random.log_range(1e-4, 1) : 0;
    View view;
    if (!camera.prepare(view, {.margin = margin})) return std::nullopt;
    const exact::Volume volume(exact_half_spaces_of(camera));
    return setting_of(random, volume.widened(exact::rational(margin)), view,
                      camera.describe() + " margin " + std::to_string(margin));
}

std::optional<Setting> any_camera(Random& random) {
    return view_of(random, random_camera(random, all_projections[random.below(std::size(all_projections))]));
}

// The families.

std::optional<Setting> uniform(Random& random, std::size_t count) {
    const Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    return fill(random, view_of(random, camera), count, [&](Random& r, const Setting& s, const Boundary&, Kind kind) {
        return random_object(r, kind, camera, all_placements[r.below(std::size(all_placements))], s.hulls);
    });
}

std::optional<Setting> touching_family(Random& random, std::size_t count) {
    return fill(random, any_camera(random), count, any_touching);
}

std::optional<Setting> parallel_edges(Random& random, std::size_t count) {
    return fill(
        random, any_camera(random), count, [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
            const Boundary::Spot spot = boundary.spot_on_edge(r);
            return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
                const Double3 almost = spot.along + (r.chance(0.2) ? 0 : r.log_range(1e-9, 1e-2)) * random_direction(r);
                turn(r, kind, 1 / length(almost) * almost, object);
            });
        });
}

std::optional<Setting> slivers(Random& random, std::size_t count) {
    return fill(random, any_camera(random), count,
                [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const Boundary::Spot spot = boundary.spot(r);
                    return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
                        stretch(kind, {1, 1e-6, r.chance(0.5) ? 1e-6 : 1}, object);
                    });
                });
}

std::optional<Setting> flat(Random& random, std::size_t count) {
    return fill(random, any_camera(random), count,
                [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const Boundary::Spot spot = boundary.spot(r);
                    return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
                        const auto zero = [&] { return r.chance(0.6) ? 0.0 : 1.0; };
                        stretch(kind, {zero(), zero(), zero()}, object);
                        if (kind == Kind::hull)
                            object.hull = point_hull(s.hulls) + static_cast<std::uint32_t>(r.below(3));
                    });
                });
}

std::optional<Setting> sheared(Random& random, std::size_t count) {
    return fill(random, any_camera(random), count,
                [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const Boundary::Spot spot = boundary.spot(r);
                    return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
                        // All three axes nearly one, each mirrored or not.
                        const bool hull = has_transform(kind);
                        for (std::size_t k = 1; (hull || kind == Kind::oriented_box) && k < 3; ++k) {
                            const double off = r.log_range(1e-7, 1), mirror = r.sign();
                            for (std::size_t j = 0; j < 3; ++j) {
                                const std::size_t own = hull ? 4 * j + k : 3 + 3 * k + j, first = hull ? 4 * j : 3 + j;
                                const double a = static_cast<double>(object.fields[first]),
                                             b = static_cast<double>(object.fields[own]);
                                object.fields[own] = static_cast<float>(mirror * (a + off * b));
                            }
                        }
                    });
                });
}

std::optional<Setting> huge(Random& random, std::size_t count) {
    return fill(random, any_camera(random), count,
                [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const Boundary::Spot spot = boundary.spot(r);
                    const double size = boundary.size() * r.log_range(1, 1e7);
                    Object object = object_at(r, kind, spot.at, size, s.hulls);
                    return r.chance(0.3) ? object : touch(r, s, kind, object, spot, size);
                });
}

/// What has a transform is one point, the image by a matrix that may be much larger than the place it gives: rounded as
/// matrices are, the point is on either side of the boundary.
Object placed_point(Random& random, const Setting& setting, const Boundary& boundary, Kind kind) {
    if (!has_transform(kind)) return any_touching(random, setting, boundary, kind);
    const Boundary::Spot spot = boundary.spot(random);
    const double size = size_at(random, setting, boundary, spot.at), larger = random.log_range(1, 0x1p12);
    Object object = object_at(random, kind, spot.at, size, setting.hulls);
    stretch(kind, {larger, larger, larger}, object);
    if (const std::optional<std::size_t> lower = corner_fields(kind)) {
        for (std::size_t k = 0; k < 3; ++k) object.fields[*lower + 3 + k] = object.fields[*lower + k];
    } else {
        object.hull = point_hull(setting.hulls);
    }
    return touch(random, setting, kind, object, spot, larger * size);
}

std::optional<Setting> placed_points(Random& random, std::size_t count) {
    return fill(random, any_camera(random), count, placed_point);
}

/// By up to 10^6 sizes of what is 1 or so large, or along some axes not at all.
Double3 far_away_from_own_origin(Random& random, double size) {
    Double3 away;
    for (double& component : away) component = random.chance(0.2) ? 0 : size * random.sign() * random.log_range(1, 1e6);
    return away;
}

/// What has a transform has its points far from its own origin, and the transform brings them back.
std::optional<Setting> far_points(Random& random, std::size_t count) {
    std::optional<Setting> setting = any_camera(random);
    if (!setting) return setting;
    setting->tells_by_place = true;
    const auto add = [](float& to, double by) { to = static_cast<float>(static_cast<double>(to) + by); };
    for (Vertices& hull : setting->hulls) {
        const Double3 away = far_away_from_own_origin(random, 1);
        for (auto& vertex : hull) {
            for (std::size_t k = 0; k < 3; ++k) add(vertex[k], away[k]);
        }
    }
    return fill(random, std::move(setting), count,
                [&](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    return touching_at(r, s, boundary, kind, boundary.spot(r), [&](Object& object) {
                        if (kind != Kind::box_instance) return;
                        float* const lower = object.fields.data() + *corner_fields(kind);
                        const double size = static_cast<double>(lower[3]) - static_cast<double>(lower[0]);
                        const Double3 away = far_away_from_own_origin(r, size);
                        for (std::size_t k = 0; k < 6; ++k) add(lower[k], away[k % 3]);
                    });
                });
}

/// Eye and zero directions: points where the volume's corners are, objects about the eye or between it and the near
/// plane.
std::optional<Setting> at_the_eye(Random& random, std::size_t count) {
    const Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    return fill(random, view_of(random, camera), count,
                [&](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const double near = std::fabs(camera.depth[0]) + 1e-3;
                    switch (r.below(3)) {
                        case 0: {
                            Object object = object_at(r, kind, boundary.corner(r), near, s.hulls);
                            stretch(kind, {0, 0, 0}, object);
                            return object;
                        }
                        case 1:
                            return object_at(r, kind, camera.eye, near * r.log_range(1e-6, 2), s.hulls);
                        default:
                            return object_at(r, kind, camera.eye + near * r.unit() * camera.axis[2],
                                             near * r.log_range(1e-6, 1), s.hulls);
                    }
                });
}

/// near / far down to 10^-8, or no far plane, with objects along the edges at all depths.
std::optional<Setting> far_away(Random& random, std::size_t count) {
    constexpr Projection choices[] = {Projection::perspective, Projection::infinite, Projection::reversed_infinite,
                                      Projection::opengl};
    return fill(random, view_of(random, random_camera(random, choices[random.below(4)])), count, any_touching);
}

/// The same view in other units: the world's coordinates times `unit`.
void rescale(Camera& camera, double unit) {
    const bool by_rows = camera.clip_space.layout == lanecull::MatrixLayout::row_major;
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 3; ++c) camera.matrix[by_rows ? 4 * r + c : 4 * c + r] /= unit;
    }
    for (double& component : camera.clip_space.origin) component *= unit;
    for (double& component : camera.eye) component *= unit;
    for (double* range : {camera.x, camera.y}) {
        for (int k = 0; k < 2; ++k) range[k] *= camera.projection == Projection::orthographic ? unit : 1;
    }
    for (double& depth : camera.depth) depth *= unit;
}

std::optional<Setting> in_units(Random& random, double unit, std::size_t count) {
    Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    camera.single = false;
    rescale(camera, unit);
    return fill(random, view_of(random, camera), count, any_touching);
}

std::optional<Setting> other_units(Random& random, std::size_t count) {
    const double unit = random.chance(0.5) ? random.log_range(1e10, 1e28) : random.log_range(1e-22, 1e-10);
    return in_units(random, unit, count);
}

/// Where the guards against underflow are of the objects' size: nothing can be told there, and nothing must be culled
/// for it.
std::optional<Setting> underflowing(Random& random, std::size_t count) {
    return in_units(random, random.log_range(1e-44, 1e-22), count);
}

std::optional<Setting> odd_matrices(Random& random, std::size_t count) {
    Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    camera.single = false;
    const double factor = random.chance(0.5) ? random.log_range(1e-20, 1) : random.log_range(1, 1e20);
    for (double& element : camera.matrix) element *= factor;
    if (random.chance(0.5)) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double away = random.range(-1e7, 1e7);
            camera.clip_space.origin[k] += away;
            camera.eye[k] += away;
        }
    }
    return fill(random, view_of(random, camera), count, any_touching);
}

/// Depth planes tilted by a little, about as far as views count them as parallel or stage 1 tests side slabs.
std::optional<Setting> tilted(Random& random, std::size_t count) {
    constexpr Projection choices[] = {Projection::perspective, Projection::reversed, Projection::off_centre,
                                      Projection::opengl};
    Camera camera = random_camera(random, choices[random.below(4)]);
    camera.single = false;
    const bool by_rows = camera.clip_space.layout == lanecull::MatrixLayout::row_major;
    const double tilt = random.log_range(0x1p-26, 0x1p-8);
    for (std::size_t c = 0; c < 4; ++c) {
        const auto at = [&](std::size_t r) -> double& { return camera.matrix[by_rows ? 4 * r + c : 4 * c + r]; };
        at(2) += tilt * at(0);
    }
    return fill(random, view_of(random, camera), count, any_touching);
}

std::optional<Setting> growing(Random& random, std::size_t count) {
    std::optional<Setting> setting =
        fill(random, any_camera(random), count, [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
            const Boundary::Spot spot = boundary.spot(r);
            return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
                grow(r, kind, s.hulls, {.margin = true, .sweep = true}, object);
            });
        });
    if (setting) setting->grown = true;
    return setting;
}

std::optional<Setting> of_sample(Random& random, const Sample& sample, std::size_t count) {
    const bool widened = sample.takes_margin && random.chance(0.3);
    const double margin = widened ? sample.near_size * random.log_range(1e-4, 1) : 0;
    View view;
    if (!sample.prepare(view, {.clip_planes = sample.clip_planes, .margin = margin})) return std::nullopt;
    return fill(random,
                setting_of(random, sample.volume->widened(exact::rational(margin)), view,
                           sample.text + describe(sample.clip_planes) + " margin " + std::to_string(margin)),
                count, any_touching);
}

template <Sample (*make)(Random&)>
std::optional<Setting> sampled(Random& random, std::size_t count) {
    return of_sample(random, make(random), count);
}

/// Volumes and objects as thin as 10^-22 of their length, end to end: directions are products that underflow.
std::optional<Setting> thin(Random& random, std::size_t count) {
    const double length = random.log_range(1e-3, 1e3), thickness = length * random.log_range(1e-22, 1e-17);
    const std::size_t axis = static_cast<std::size_t>(random.below(3));
    std::array<double, 24> corners;
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < 8; ++i) {
        double at[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const double side = (i >> k & 1) != 0 ? 1 : -1;
            at[k] = k == axis ? length * (1 + side) / 2 : thickness * side * random.range(0.5, 1);
            corners[3 * i + k] = at[k];
        }
        points.push_back(exact::point(at[0], at[1], at[2]));
    }
    View view;
    if (!lanecull::prepare_view_from_corners(corners, view)) return std::nullopt;
    std::string text = "corners";
    for (const double c : corners) text.append(" ").append(std::to_string(c));
    const auto make = [&](Random& r, const Setting& s, const Boundary&, Kind kind) {
        const bool beyond = r.chance(0.5);
        Double3 centre, half;
        for (std::size_t k = 0; k < 3; ++k) {
            half[k] = (k == axis ? length : thickness) * r.log_range(0.01, 1);
            centre[k] = thickness * r.range(-1, 1);
        }
        centre[axis] = beyond ? length + half[axis] : -half[axis];
        Object object = object_at(r, kind, centre, half[axis], s.hulls);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto c = static_cast<float>(centre[k]), h = static_cast<float>(half[k]);
            if (kind == Kind::box) object.fields[k] = c - h, object.fields[3 + k] = c + h;
            if (kind == Kind::centered_box) object.fields[3 + k] = h;
            if (kind == Kind::oriented_box) object.fields[12 + k] = h;
            if (kind == Kind::quaternion_box) object.fields[7 + k] = h;
            for (std::size_t j = 0; j < 3; ++j) {
                if (kind == Kind::oriented_box) object.fields[3 + 3 * k + j] = j == k ? 1.0f : 0.0f;
                if (kind == Kind::hull) object.fields[4 * k + j] = j == k ? h : 0.0f;
                if (kind == Kind::box_instance) object.fields[4 * k + j] = j == k ? 1.0f : 0.0f;
            }
            if (kind == Kind::quaternion_box) object.fields[3 + k] = 0;
            if (kind == Kind::box_instance) object.fields[12 + k] = -h, object.fields[15 + k] = h;
        }
        const Double3 out = {axis == 0 ? (beyond ? 1.0 : -1.0) : 0, axis == 1 ? (beyond ? 1.0 : -1.0) : 0,
                             axis == 2 ? (beyond ? 1.0 : -1.0) : 0};
        return touching(kind, object, s.hulls, {centre + -half[axis] * out, out, out}, grazing(r, length));
    };
    return fill(random, setting_of(random, exact::Volume::hull(points), view, text), count, make);
}

std::optional<Setting> not_finite(Random& random, std::size_t count) {
    const Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    std::optional<Setting> setting =
        fill(random, view_of(random, camera), count, [&](Random& r, const Setting& s, const Boundary&, Kind kind) {
            Object object = random_object(r, kind, camera, all_placements[r.below(std::size(all_placements))], s.hulls);
            if (r.chance(0.3)) {  // a coordinate beyond what is ever told
                object.fields[place_field(kind, 0)] = static_cast<float>(r.sign() * r.log_range(1.01e37, 3e38));
                return object;
            }
            constexpr float numbers[] = {std::numeric_limits<float>::quiet_NaN(),
                                         std::numeric_limits<float>::infinity(),
                                         -std::numeric_limits<float>::infinity()};
            object.fields[static_cast<std::size_t>(r.below(static_cast<int>(field_count(kind))))] = numbers[r.below(3)];
            return object;
        });
    if (setting) setting->invalid = true;
    return setting;
}

constexpr MakeSetting valid_settings[] = {uniform,
                                          touching_family,
                                          parallel_edges,
                                          slivers,
                                          flat,
                                          sheared,
                                          huge,
                                          placed_points,
                                          far_points,
                                          at_the_eye,
                                          far_away,
                                          other_units,
                                          underflowing,
                                          odd_matrices,
                                          tilted,
                                          growing,
                                          thin,
                                          sampled<corners_of_a_camera>,
                                          sampled<any_corners>,
                                          sampled<planes_of_a_camera>,
                                          sampled<any_polytope>,
                                          sampled<endless_planes>,
                                          sampled<clipped_camera>,
                                          sampled<stereo_pair>,
                                          sampled<directional_casters>,
                                          sampled<endless_directional_casters>,
                                          sampled<point_light_casters>,
                                          sampled<spot_casters>,
                                          sampled<casters_of_any_view>,
                                          receivers,
                                          flat_receivers,
                                          coinciding_planes,
                                          coinciding_clips,
                                          many_corners,
                                          balls};

template <MakeSetting make>
constexpr Family views(const char* name) {
    return family_of<make>(name, "views");
}

template <MakeSetting make>
constexpr Family casters(const char* name) {
    return family_of<make>(name, "casters");
}

template <MakeSetting make>
void company(Trial& trial) {
    const std::optional<Setting> setting = make(trial.random, trial.plan.objects);
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (setting) ask_in_company(*setting, trial);
}

constexpr Rate partly_covered[] = {{Tally::culled_plane, Tally::verdicts, 0.01, 0.98}};

// Hit rates: a run in which one of the answers hardly occurs proves little.
using Rates = Rate[];
using enum Tally::Count;
constexpr Rates often_too_close = {{reached, cases, 0.0025}};
constexpr Rates often_prepared = {{reached, cases, 0.2, 0.8}};
constexpr Rates often_culled = {{reached, cases, 0.2, 0.9}};
constexpr Rates told_exactly = {{reached, cases, 0, 1e-3},
                                {oracle_visible, oracle_objects, 0.08, 0.8},
                                {culled_plane, verdicts, 0.2},
                                {culled_gjk, verdicts, 0.002}};
constexpr Rates grown_told_exactly = {{reached, cases, 0, 3e-3}, {oracle_visible, oracle_objects, 0.05, 0.9}};
constexpr Rates every_reason = {{reached, cases, 0.75}, {oracle_visible, oracle_objects, 0.05}};
constexpr Rates large_told_exactly = {{reached, cases, 0, 0.01}, {oracle_visible, oracle_objects, 0.1, 0.9}};
constexpr Rates some_visible = {{oracle_visible, oracle_objects, 0.05, 0.8}};
constexpr Rates much_to_see = {{reached, cases, 0.05, 0.95}};
constexpr Rates found_inside = {{reached, cases, 0.9}};
constexpr Rates some_culled = {{culled_plane, verdicts, 0.01}, {culled_gjk, verdicts, 0.005}};
constexpr Rates some_by_position = {{reached, cases, 0.03}};
constexpr Rates far_told_exactly = {{reached, cases, 0, 1e-3}, {oracle_visible, oracle_objects, 0.2, 0.8}};
constexpr Rates some_were_culled = {{reached, cases, 0.03}};
constexpr Rates most_open = {{reached, cases, 0.2}};
constexpr Rates few_left = {{reached, cases, 0.15, 0.33}};  // of a chunk, so that a list is full
constexpr Rates by_slabs = {{reached, cases, 0.5}, {culled_plane, verdicts, 0.04, 0.9}};
constexpr Rates both_limits = {{culled_plane, verdicts, 0.01}, {culled_gjk, verdicts, 0.05}};
constexpr Rates by_limits = {{reached, cases, 0.02}, {oracle_visible, oracle_objects, 0.05}};
constexpr Rates few_kept_near = {
    {reached, cases, 0, 0.05}, {cases, verdicts, 0.02}, {oracle_visible, oracle_objects, 0.05}};
constexpr Rates replaced = {{reached, cases, 0.02}, {culled_plane, verdicts, 0.001}};

constexpr Family all_families[] = {
    views<uniform>("uniform"),
    {"touching", "views", run_made<touching_family>, often_too_close},
    views<parallel_edges>("parallel_edges"),
    views<slivers>("slivers"),
    views<flat>("flat"),
    views<sheared>("sheared"),
    views<huge>("huge"),
    views<far_points>("far_points"),
    views<at_the_eye>("at_the_eye"),
    views<far_away>("far_away"),
    views<other_units>("other_units"),
    views<underflowing>("underflowing"),
    views<odd_matrices>("odd_matrices"),
    views<tilted>("tilted"),
    {"growing", "views", run_made<growing>, often_too_close},
    views<sampled<corners_of_a_camera>>("camera_corners"),
    views<sampled<any_corners>>("any_corners"),
    views<sampled<planes_of_a_camera>>("camera_planes"),
    views<sampled<any_polytope>>("any_polytope"),
    views<sampled<endless_planes>>("endless_planes"),
    views<sampled<clipped_camera>>("clip_planes"),
    views<coinciding_clips>("coinciding_clips"),
    views<sampled<stereo_pair>>("stereo"),
    family_of<balls>("balls", "balls"),
    casters<sampled<directional_casters>>("sun"),
    casters<sampled<endless_directional_casters>>("endless_sun"),
    casters<sampled<point_light_casters>>("lamp"),
    casters<sampled<spot_casters>>("spot"),
    casters<sampled<casters_of_any_view>>("lights"),
    casters<receivers>("receivers"),
    casters<flat_receivers>("flat_receivers"),
    casters<coinciding_planes>("coinciding_planes"),
    casters<many_corners>("many_corners"),
    {"covered", "casters", covered, partly_covered, true},
    {"empty_volumes", "nothing", nothing},
    {"candidates", "views", candidates, some_culled},
    {"company", "company", company<any_setting>},
    {"company_placed", "company", company<placed_points>},
    views<thin>("thin"),
    {"limits", "limits", limits, both_limits, true},
    views<not_finite>("not_finite"),
    {"views_any", "views", any_views, often_prepared, true},
    {"views_any_objects", "views", any_objects_in_any_views, often_culled, true},
    {"cameras", "views", cameras, told_exactly},
    {"cameras_grown", "views", grown_cameras, grown_told_exactly},
    {"camera_attributes", "views", all_attributes, every_reason},
    {"large_hulls", "views", large_hulls, large_told_exactly},
    {"extremes", "views", extremes, some_visible},
    {"outputs", "views", outputs, much_to_see, true},
    {"inside", "views", inside, found_inside, true},
    {"layouts", "views", layouts, some_culled, true},
    {"positions", "views", positions, some_by_position, true},
    {"far_instances", "views", far_instances, far_told_exactly, true},
    {"spoilt_objects", "views", spoilt_objects, some_were_culled, true},
    {"chunks", "company", chunks, most_open},
    {"chunks_sparse", "company", sparse_chunks, few_left},
    {"crossing", "company", crossing, by_slabs},
    {"distances", "limits", distances, by_limits, true},
    {"least_distances", "limits", least_distances, few_kept_near, true},
    {"sizes", "limits", sizes, by_limits, true},
    {"proxies", "limits", proxies, replaced, true},
};

}  // namespace

std::optional<Setting> any_setting(Random& random, std::size_t objects) {
    return valid_settings[random.below(std::size(valid_settings))](random, objects);
}

std::span<const Family> view_families() { return all_families; }

}  // namespace properties
