#include <algorithm>
#include <cmath>

#include "properties/family.hpp"
#include "properties/views/calls.hpp"
#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

/// The settings that views and casters are verified in, and the table of all families of this folder.
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

// Objects at all placements around any camera.

template <class Change>
std::optional<Setting> placed(Random& random, std::size_t count, const Change& change) {
    const Camera camera = random_camera(random);
    std::optional<Setting> setting = view_of(random, camera);
    setting = fill(random, std::move(setting), count, [&](Random& r, const Setting& s, const Boundary&, Kind kind) {
        Object object = random_object(r, kind, camera, all_placements[r.below(std::size(all_placements))], s.hulls);
        change(s, kind, object);
        return object;
    });
    if (setting) setting->oracle_share = 16;
    return setting;
}

std::optional<Setting> uniform(Random& random, std::size_t count) {
    return placed(random, count, [](const Setting&, Kind, Object&) {});
}

std::optional<Setting> uniform_grown(Random& random, std::size_t count) {
    std::optional<Setting> setting = placed(random, count, [&](const Setting& s, Kind kind, Object& object) {
        grow(random, kind, s.hulls, {.margin = true, .sweep = true}, object);
    });
    if (setting) setting->grown = true;
    return setting;
}

/// Points on a sphere, but for the last, which stands out.
Vertices round_with_a_spike(Random& random, std::size_t count, bool flat) {
    Vertices vertices(count);
    for (auto& vertex : vertices) {
        const double height = flat ? 0 : random.range(-1, 1), turn = random.range(0, 6.283185307179586);
        const double across = std::sqrt(1 - height * height);
        vertex = {static_cast<float>(across * std::cos(turn)), static_cast<float>(across * std::sin(turn)),
                  static_cast<float>(height)};
    }
    vertices.back() = {0.5f, flat ? 4.0f : 1.0f, flat ? 0.0f : 3.0f};
    return vertices;
}

/// Hulls with the largest number of vertices, flat ones among them, and with the smallest. Every vertex counts, also
/// the last.
std::optional<Setting> large_hulls(Random& random, std::size_t count) {
    constexpr std::size_t most = 65'535;
    const Camera camera = random_camera(random);
    std::optional<Setting> setting = view_of(random, camera);
    if (!setting) return setting;
    setting->hulls = {round_with_a_spike(random, most, false), round_with_a_spike(random, most, true),
                      Vertices{{0.25f, -0.5f, 1.0f}}};
    setting->objects.resize(std::size(all_kinds));
    setting->objects[static_cast<std::size_t>(Kind::hull)] =
        random_objects(random, Kind::hull, camera, count / 48 + 1, setting->hulls);
    setting->oracle_share = 0.1;  // rationals of so many vertices take their time
    return setting;
}

/// Finite numbers of any size, subnormal to 3e38: results overflow and underflow on the way.
Object extreme_object(Random& random, const Setting& setting, const Boundary&, Kind kind) {
    const auto number = [&](double least, double most) {
        return static_cast<float>(random.sign() * random.log_range(least, most));
    };
    Object object;
    const double scale = random.log_range(1e-44, 3e38);
    for (float& field : object.fields) {
        const double most = random.chance(0.3) ? 3e38 : scale;
        field = random.chance(0.1) ? 0 : number(std::min(1e-45, most), most);
    }
    if (has_quaternion(kind)) {
        const double length = random.log_range(1e-17, 1e17);
        for (std::size_t k = 3; k < 7; ++k) object.fields[k] = number(0.1 * length, length);
    }
    const auto [first, end] = size_fields(kind);
    for (std::size_t k = first; k < end; ++k) object.fields[k] = std::fabs(object.fields[k]);
    for (std::size_t k = 0; corner_fields(kind) && k < 3; ++k) {
        float* const side = object.fields.data() + *corner_fields(kind) + k;
        if (side[0] > side[3]) std::swap(side[0], side[3]);
    }
    object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(setting.hulls.size())));
    keep_axis(kind, object);
    return object;
}

std::optional<Setting> extremes(Random& random, std::size_t count) {
    std::optional<Setting> setting = view_of(random, random_camera(random));
    if (!setting) return setting;
    for (Vertices& vertices : setting->hulls) {
        const double scale = random.log_range(1e-44, 3e37);
        for (auto& vertex : vertices) {
            for (float& component : vertex) component = static_cast<float>(scale * static_cast<double>(component));
        }
    }
    return fill(random, std::move(setting), count, extreme_object);
}

// Objects that touch any camera's volume after a change.

using Spot = Boundary::Spot;
using Change = void (*)(Random&, const Setting&, const Spot&, Kind, Object&);

template <Change change, Spot (Boundary::*spot)(Random&) const = &Boundary::spot>
std::optional<Setting> changed(Random& random, std::size_t count) {
    return fill(random, view_of(random, random_camera(random)), count,
                [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const Spot at = (boundary.*spot)(r);
                    return touching_at(r, s, boundary, kind, at,
                                       [&](Object& object) { change(r, s, at, kind, object); });
                });
}

/// Along the edge, or nearly.
void along_the_edge(Random& r, const Setting&, const Spot& spot, Kind kind, Object& object) {
    const Double3 almost = spot.along + (r.chance(0.2) ? 0 : r.log_range(1e-9, 1e-2)) * random_direction(r);
    turn(r, kind, 1 / length(almost) * almost, object);
}

void sliver(Random& r, const Setting&, const Spot&, Kind kind, Object& object) {
    stretch(kind, {1, 1e-6, r.chance(0.5) ? 1e-6 : 1}, object);
}

void flatten(Random& r, const Setting& setting, const Spot&, Kind kind, Object& object) {
    const auto zero = [&] { return r.chance(0.6) ? 0.0 : 1.0; };
    stretch(kind, {zero(), zero(), zero()}, object);
    if (kind == Kind::hull) object.hull = point_hull(setting.hulls) + static_cast<std::uint32_t>(r.below(3));
}

/// All three axes nearly one, each mirrored or not.
void shear(Random& r, const Setting&, const Spot&, Kind kind, Object& object) {
    const bool hull = has_transform(kind);
    for (std::size_t k = 1; (hull || kind == Kind::oriented_box) && k < 3; ++k) {
        const double off = r.log_range(1e-7, 1), mirror = r.sign();
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t own = hull ? 4 * j + k : 3 + 3 * k + j, first = hull ? 4 * j : 3 + j;
            const double a = static_cast<double>(object.fields[first]), b = static_cast<double>(object.fields[own]);
            object.fields[own] = static_cast<float>(mirror * (a + off * b));
        }
    }
}

void grow_both(Random& r, const Setting& setting, const Spot&, Kind kind, Object& object) {
    grow(r, kind, setting.hulls, {.margin = true, .sweep = true}, object);
}

std::optional<Setting> growing(Random& random, std::size_t count) {
    std::optional<Setting> setting = changed<grow_both>(random, count);
    if (setting) setting->grown = true;
    return setting;
}

std::optional<Setting> huge(Random& random, std::size_t count) {
    return fill(random, view_of(random, random_camera(random)), count,
                [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
                    const Spot spot = boundary.spot(r);
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
    return fill(random, view_of(random, random_camera(random)), count, placed_point);
}

/// By up to 10^6 sizes of what is 1 or so large, or along some axes not at all.
Double3 far_away_from_own_origin(Random& random, double size) {
    Double3 away;
    for (double& component : away) component = random.chance(0.2) ? 0 : size * random.sign() * random.log_range(1, 1e6);
    return away;
}

/// Eye and zero directions: points where the volume's corners are, objects about the eye or between it and the near
/// plane.
std::optional<Setting> at_the_eye(Random& random, std::size_t count) {
    const Camera camera = random_camera(random);
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

// Other views, touched anywhere.

template <Camera (*make)(Random&)>
std::optional<Setting> touched(Random& random, std::size_t count) {
    return fill(random, view_of(random, make(random)), count, any_touching);
}

/// near / far down to 10^-8, or no far plane, with objects along the edges at all depths.
Camera far_away(Random& random) {
    constexpr Projection choices[] = {Projection::perspective, Projection::infinite, Projection::reversed_infinite,
                                      Projection::opengl};
    return random_camera(random, choices[random.below(4)]);
}

/// The same view in other units: the world's coordinates times `unit`.
Camera rescaled(Camera camera, double unit) {
    camera.single = false;
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
    return camera;
}

Camera other_units(Random& random) {
    const double unit = random.chance(0.5) ? random.log_range(1e10, 1e28) : random.log_range(1e-22, 1e-10);
    return rescaled(random_camera(random), unit);
}

/// Where the guards against underflow are of the objects' size: nothing can be told there, and nothing must be culled
/// that is visible.
Camera underflowing(Random& random) { return rescaled(random_camera(random), random.log_range(1e-44, 1e-22)); }

Camera odd_matrices(Random& random) {
    Camera camera = random_camera(random);
    camera.single = false;
    const double factor = random.chance(0.5) ? random.log_range(1e-20, 1) : random.log_range(1, 1e20);
    for (double& element : camera.matrix) element *= factor;
    for (std::size_t k = random.chance(0.5) ? 0 : 3; k < 3; ++k) {
        const double away = random.range(-1e7, 1e7);
        camera.clip_space.origin[k] += away;
        camera.eye[k] += away;
    }
    return camera;
}

/// Depth planes tilted by a little, about as far as views count them as parallel or stage 1 tests side slabs.
Camera tilted(Random& random) {
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
    return camera;
}

template <Sample (*make)(Random&)>
std::optional<Setting> sampled(Random& random, std::size_t count) {
    const Sample sample = make(random);
    const bool widened = sample.takes_margin && random.chance(0.3);
    const double margin = widened ? sample.near_size * random.log_range(1e-4, 1) : 0;
    View view;
    if (!sample.prepare(view, {.clip_planes = sample.clip_planes, .margin = margin})) return std::nullopt;
    return fill(random,
                setting_of(random, sample.volume->widened(exact::rational(margin)), view,
                           sample.text + describe(sample.clip_planes) + " margin " + std::to_string(margin)),
                count, any_touching);
}

/// Volumes and objects as thin as 10^-22 of their length, end to end: directions are products that underflow.
std::optional<Setting> thin(Random& random, std::size_t count) {
    const double length = random.log_range(1e-3, 1e3), thickness = length * random.log_range(1e-22, 1e-17);
    const auto axis = static_cast<std::size_t>(random.below(3));
    std::array<double, 24> corners;
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < 8; ++i) {
        double* const at = corners.data() + 3 * i;
        for (std::size_t k = 0; k < 3; ++k) {
            const double side = (i >> k & 1) != 0 ? 1 : -1;
            at[k] = k == axis ? length * (1 + side) / 2 : thickness * side * random.range(0.5, 1);
        }
        points.push_back(exact::point(at[0], at[1], at[2]));
    }
    View view;
    if (!lanecull::prepare_view_from_corners(corners, view)) return std::nullopt;
    const auto make = [&](Random& r, const Setting& s, const Boundary&, Kind kind) {
        Double3 at, out{}, factors;
        for (std::size_t k = 0; k < 3; ++k) {
            at[k] = thickness * r.range(-1, 1);
            factors[k] = thickness / length * r.log_range(0.01, 1);
        }
        out[axis] = r.sign();
        at[axis] = out[axis] > 0 ? length : 0;
        factors[kind == Kind::box || kind == Kind::centered_box ? axis : 0] = 1;
        Object object = object_at(r, kind, at, length * r.log_range(0.01, 1), s.hulls);
        turn(r, kind, out, object);
        stretch(kind, factors, object);
        return touching(kind, object, s.hulls, {at, out, out}, grazing(r, length));
    };
    return fill(random, setting_of(random, exact::Volume::hull(points), view, "corners" + written(corners)), count,
                make);
}

/// A ball, some with clip planes or a margin. Most objects touch it, some are anywhere; those of half of the balls have
/// margins and sweeps.
std::optional<Setting> balls(Random& random, std::size_t count) {
    const double unit = random.chance(0.3) ? random.log_range(1e-20, 1e12) : 1;
    const double radius = unit * random.log_range(1e-2, 1e3);
    const Double3 center = unit * (random.chance(0.2) ? 0 : random.log_range(1, 1e6)) * random_direction(random);
    const double margin = random.chance(0.3) ? radius * random.log_range(1e-4, 1) : 0, reach = radius + margin;
    std::vector<lanecull::Plane> clip_planes;
    for (int more = random.chance(0.3) ? 1 + random.below(3) : 0; more > 0; --more) {
        const Double3 n = random_direction(random);
        clip_planes.push_back(plane(n, random.range(-0.5, 1) * radius - dot(n, center)));
    }
    View view;
    if (!lanecull::prepare_view_from_ball(center, radius, view, {.clip_planes = clip_planes, .margin = margin})) {
        return std::nullopt;
    }
    const exact::Point middle = exact::point(center[0], center[1], center[2]);
    exact::HalfSpaces sides;
    add_cube(sides, middle, exact::rational(radius));
    add(sides, clip_planes);
    std::optional<Setting> setting = setting_of(
        random, exact::Volume(sides).widened(exact::rational(margin)), view,
        "ball" + written(center) + " radius, margin" + written(std::array{radius, margin}) + describe(clip_planes));
    if (!setting) return setting;
    setting->reach = Reach{middle, exact::rational(radius) + exact::rational(margin)};
    setting->grown = random.chance(0.5);
    setting->oracle_share = 4;
    return fill(random, std::move(setting), count, [&](Random& r, const Setting& s, const Boundary& b, Kind kind) {
        if (r.chance(0.1)) return any_touching(r, s, b, kind);
        const Double3 way = random_direction(r);
        const auto grow_some = [&](Object& object) {
            if (s.grown) grow(r, kind, s.hulls, {.margin = true, .sweep = true}, object);
        };
        if (r.chance(0.7))
            return touching_at(r, s, b, kind, {center + reach * way, way, random_direction(r)}, grow_some);
        const double size = radius * r.log_range(1e-3, 3);
        Object object = object_at(r, kind, center + r.range(0, 1.5) * (reach + size) * way, size, s.hulls);
        grow_some(object);
        return object;
    });
}

constexpr MakeSetting valid_settings[] = {uniform,
                                          touched<random_camera>,
                                          changed<along_the_edge, &Boundary::spot_on_edge>,
                                          changed<sliver>,
                                          changed<flatten>,
                                          changed<shear>,
                                          huge,
                                          placed_points,
                                          far_points,
                                          at_the_eye,
                                          touched<far_away>,
                                          touched<other_units>,
                                          touched<underflowing>,
                                          touched<odd_matrices>,
                                          touched<tilted>,
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
constexpr Family views(const char* name, std::span<const Rate> rates = {}) {
    return {name, "views", run_made<make>, rates};
}

template <MakeSetting make>
constexpr Family casters(const char* name, std::span<const Rate> rates = {}) {
    return {name, "casters", run_made<make>, rates};
}

template <MakeSetting make>
void company(Trial& trial) {
    const std::optional<Setting> setting = make(trial.random, trial.plan.objects);
    if (setting) return ask_in_company(*setting, trial);
    trial.at(Tally::refused) = 1;
}

// Hit rates: a run in which one of the answers hardly occurs proves little.
using Rates = Rate[];
using enum Tally::Count;
constexpr Rates told_exactly = {{kept_14, apart_14, 0, 1e-3},
                                {oracle_visible, oracle_objects, 0.08, 0.8},
                                {culled_plane, verdicts, 0.2},
                                {culled_gjk, verdicts, 0.002}};
constexpr Rates grown_told_exactly = {{kept_14, apart_14, 0, 3e-3}, {oracle_visible, oracle_objects, 0.05, 0.9}};
constexpr Rates some_hulls_culled = {{culled_gjk, verdicts, 0.001}, {culled_plane, verdicts, 0.1, 0.9}};
constexpr Rates some_visible = {{oracle_visible, oracle_objects, 0.05, 0.8, 400}};
constexpr Rates hardly_kept = {{kept_14, apart_14, 0, 0.01, 500}, {oracle_visible, oracle_objects, 0.1, 0.9}};
constexpr Rates ball_rates = {
    {refused, trials, 0, 0, 5}, {kept_14, apart_14, 0, 0.03, 200}, {oracle_visible, oracle_objects, 0.1, 0.9}};
constexpr Rates often_too_close = {{reached, cases, 0.0025}};
constexpr Rates often_prepared = {{reached, cases, 0.2, 0.8}, {oracle_visible, oracle_objects, 0.02}};
constexpr Rates often_culled = {{reached, cases, 0.2, 0.9}};
constexpr Rates every_reason = {{reached, cases, 0.75}, {oracle_visible, oracle_objects, 0.05}};
constexpr Rates much_to_see = {{reached, cases, 0.05, 0.95}};
constexpr Rates found_inside = {{reached, cases, 0.9}};
constexpr Rates found_covered = {{reached, cases, 0.2}, {culled_plane, verdicts, 0.01, 0.98}};
constexpr Rates some_culled = {{culled_plane, verdicts, 0.01}, {culled_gjk, verdicts, 0.005}};
constexpr Rates by_position = {{reached, cases, 0.03}, {kept_14, apart_14, 0, 0.01, 200}};
constexpr Rates some_were_culled = {{reached, cases, 0.03}};
constexpr Rates most_open = {{reached, cases, 0.2}};
constexpr Rates few_left = {{reached, cases, 0.15, 0.33}};  // of a chunk, so that a list is full
constexpr Rates by_slabs = {{reached, cases, 0.5}, {culled_plane, verdicts, 0.04, 0.9}};
constexpr Rates both_limits = {{culled_plane, verdicts, 0.01}, {culled_gjk, verdicts, 0.05}};
constexpr Rates by_limits = {{reached, cases, 0.02}, {oracle_visible, oracle_objects, 0.05}};
constexpr Rates few_kept_near = {
    {reached, cases, 0, 0.05}, {cases, verdicts, 0.02}, {oracle_visible, oracle_objects, 0.05}};
constexpr Rates often_room = {{views_planes_only, trials, 0, 0.8, 8}};  // for all corners
constexpr Rates replaced = {{reached, cases, 0.02}, {culled_plane, verdicts, 0.001}};
constexpr Rates half = {{reached, cases, 0.5}};
constexpr Rates some = {{reached, cases, 0.1}};
constexpr Rates mostly_nothing = {{reached, cases, 0.7, 1, 5}};
constexpr Rates mostly_left_out = {{reached, cases, 0.9}, {oracle_visible, oracle_objects, 0.05, 0.9}};
constexpr Rates inside_and_out = {{reached, cases, 0.1, 0.9}};
constexpr Rates mostly_exact = {{reached, cases, 0.8, 1, 100}, {refused, cases, 0, 0.01}};
constexpr Rates mostly_known = {{reached, cases, 0.9}, {exact_checks, reached, 12, 18}};
constexpr Rates mostly_as_others = {{reached, cases, 0.7}};
constexpr Rates nearly_all_told = {{reached, cases, 0.95}};
constexpr Rates often_solved = {{reached, cases, 0.25}};
constexpr Rates corners_asked = {
    {cases, verdicts, 0.5}, {culled_plane, verdicts, 0.01}, {reached, cases, 0.8}, {exact_checks, cases, 5, HUGE_VAL}};

constexpr Family all_families[] = {
    views<uniform>("uniform", told_exactly),
    views<uniform_grown>("uniform_grown", grown_told_exactly),
    views<large_hulls>("large_hulls", some_hulls_culled),
    views<extremes>("extremes", some_visible),
    views<touched<random_camera>>("touching", often_too_close),
    views<changed<along_the_edge, &Boundary::spot_on_edge>>("parallel_edges"),
    views<changed<sliver>>("slivers"),
    views<changed<flatten>>("flat"),
    views<changed<shear>>("sheared"),
    views<huge>("huge"),
    views<far_points>("far_points"),
    views<at_the_eye>("at_the_eye"),
    views<touched<far_away>>("far_away"),
    views<touched<other_units>>("other_units"),
    views<touched<underflowing>>("underflowing"),
    views<touched<odd_matrices>>("odd_matrices"),
    views<touched<tilted>>("tilted"),
    views<growing>("growing", often_too_close),
    views<sampled<corners_of_a_camera>>("camera_corners"),
    views<sampled<any_corners>>("any_corners"),
    views<sampled<planes_of_a_camera>>("camera_planes"),
    views<sampled<any_polytope>>("any_polytope"),
    views<sampled<endless_planes>>("endless_planes"),
    views<sampled<clipped_camera>>("clip_planes"),
    views<coinciding_clips>("coinciding_clips"),
    views<sampled<stereo_pair>>("stereo"),
    {"balls", "balls", run_made<balls>, ball_rates},
    casters<sampled<directional_casters>>("sun"),
    casters<sampled<endless_directional_casters>>("endless_sun"),
    casters<sampled<point_light_casters>>("lamp"),
    casters<sampled<spot_casters>>("spot"),
    casters<sampled<casters_of_any_view>>("lights"),
    casters<receivers>("receivers"),
    casters<flat_receivers>("flat_receivers"),
    casters<coinciding_planes>("coinciding_planes"),
    casters<many_corners>("many_corners", often_room),
    {"covered", "casters", covered, found_covered, true},
    {"casters_any_many", "casters", many_lights, some, true},
    {"casters_any_maps", "casters", maps_of_any_numbers, some, true},
    {"maps", "casters", maps, inside_and_out, true},
    {"slices", "casters", slices, mostly_left_out, true},
    {"coinciding_exact", "casters", coinciding_exact, half, true},
    {"empty_volumes", "nothing", nothing},
    {"nothing_seen", "nothing", nothing_seen, mostly_nothing, true},
    {"candidates", "views", candidates, some_culled},
    {"core", "views", core, mostly_as_others},
    {"company", "company", company<any_setting>},
    {"company_placed", "company", company<placed_points>},
    {"chunks", "company", chunks, most_open},
    {"chunks_sparse", "company", sparse_chunks, few_left},
    {"crossing", "company", crossing, by_slabs},
    views<thin>("thin"),
    {"views_any", "views", any_views, often_prepared, true},
    {"views_any_objects", "views", any_objects_in_any_views, often_culled, true},
    {"limits", "limits", limits, both_limits, true},
    {"distances", "limits", distances, by_limits, true},
    {"least_distances", "limits", least_distances, few_kept_near, true},
    {"sizes", "limits", sizes, by_limits, true},
    {"camera_attributes", "views", all_attributes, every_reason},
    {"proxies", "limits", proxies, replaced, true},
    {"outputs", "views", outputs, much_to_see, true},
    {"ordered", "views", ordered, much_to_see, true},
    {"inside", "views", inside, found_inside, true},
    {"layouts", "views", layouts, some_culled, true},
    {"positions", "views", positions, by_position, true},
    {"spoilt_objects", "views", spoilt_objects, some_were_culled, true},
    {"prepared", "views", prepared, mostly_exact, true},
    views<well_apart>("well_apart", hardly_kept),
    {"matrix_layouts", "views", matrix_layouts, some, true},
    {"outlines", "views", outlines, mostly_known, true},
    {"told_by_planes", "views", told_by_planes, nearly_all_told, true},
    {"enclosing_vectors", "views", enclosing_vectors, often_solved, true},
    {"enclosing_corners", "views", enclosing_corners, corners_asked, true},
    {"enclosing_rays", "views", enclosing_rays, {}, true},
};

}  // namespace

std::optional<Setting> far_points(Random& random, std::size_t count) {
    std::optional<Setting> setting = view_of(random, random_camera(random));
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

std::optional<Setting> any_setting(Random& random, std::size_t objects) {
    return valid_settings[random.below(std::size(valid_settings))](random, objects);
}

std::span<const Family> view_families() { return all_families; }

}  // namespace properties
