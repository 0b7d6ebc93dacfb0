#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "properties/any_views.hpp"
#include "properties/family.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/casters.hpp"
#include "properties/views/lit.hpp"
#include "support/culling.hpp"
#include "support/samples.hpp"
#include "support/usual.hpp"
#include "support/written.hpp"
#include "view/prepared_view.hpp"

/// Slices, receivers, lights, shadow maps and splits of any numbers.
namespace properties {
namespace {

using lanecull::Plane;
using lanecull::View;
using lanecull::ViewOptions;
using lanecull::WorldBox;

bool all_moderate(const auto& numbers) { return std::ranges::all_of(numbers, moderate); }
bool all_moderate(const std::vector<Plane>& planes) {
    return std::ranges::all_of(planes, [](const Plane& p) { return all_moderate(p.normal) && moderate(p.offset); });
}

Double3 any_vector(Random& random) { return {random.any_double(), random.any_double(), random.any_double()}; }
void read(Random& random, double (&to)[3]) { std::ranges::copy(any_vector(random), to); }

/// One light; rarely none, or two.
Light read_light(Random& random) {
    const int which = random.below(32);
    Light light;
    if (which % 2 == 0 && which != 0) {
        read(random, light.directional_light.emplace().toward);
        if (random.chance(0.5)) light.directional_light->reach = random.any_size();
    }
    if (which % 2 == 1 || which == 2) {
        read(random, light.point_light.emplace().at);
        if (random.chance(0.5)) light.point_light->range = random.any_size();
        if (random.below(4) == 0) light.sides = read_planes(random, 9);
    }
    return light;
}
bool is_one(const Light& light) { return light.directional_light.has_value() != light.point_light.has_value(); }

lanecull::ClipSpace read_clip_space(Random& random) {
    lanecull::ClipSpace space;
    if (random.below(8) != 0) space.layout = lanecull::MatrixLayout::row_major;
    if (random.chance(0.5)) space.depth = lanecull::DepthRange::minus_one_to_one;
    return space;
}

/// Sides of any numbers, without thickness, without end, and none; or around most slices.
WorldBox read_box(Random& random) {
    if (random.chance(0.5)) return {{-256, -256, -256}, {256, 256, 256}};
    WorldBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        double &low = box.lower[k], &high = box.upper[k];
        low = random.any_double();
        const int how = random.below(16);
        high = how < 4 ? low : how < 5 ? random.any_double() : low + std::fabs(random.any_double());
        if (how == 5) high = HUGE_VAL;
        if (how == 6) low = -HUGE_VAL;
        if (how == 7) (random.chance(0.5) ? low : high) = std::nan("");
    }
    return box;
}

/// A slice of a camera, and the box of its receivers.
struct Part {
    std::array<double, 16> matrix;
    lanecull::Slice slice{matrix, {}, 0, 0};
    WorldBox box;

    explicit Part(Random& random) : matrix(read_matrix(random)) {
        slice.clip_space = read_clip_space(random);
        if (random.below(8) == 0) read(random, slice.clip_space.origin);
        slice.near_depth = random.below(16) == 0 ? random.any_double() : std::fabs(random.any_double());
        slice.far_depth =
            random.below(16) == 0 ? random.any_double() : slice.near_depth + std::fabs(random.any_double());
        if (random.below(4) == 0) slice.near_depth = 1, slice.far_depth = 9;  // where the usual matrix ends
        box = read_box(random);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    [[nodiscard]] bool is_moderate() const {
        const auto side = [](double number) { return moderate(number) || !std::isfinite(number); };
        return all_moderate(matrix) && all_moderate(slice.clip_space.origin) && moderate(slice.near_depth) &&
               moderate(slice.far_depth) && std::ranges::all_of(box.lower, side) &&
               std::ranges::all_of(box.upper, side);
    }
    [[nodiscard]] std::string describe() const {
        return "matrix" + written(matrix) + "\norigin" + written(slice.clip_space.origin) +
               "\nlayout, depth range, near, far" +
               written(std::array{double(slice.clip_space.layout), double(slice.clip_space.depth), slice.near_depth,
                                  slice.far_depth}) +
               "\nbox" + written(box.lower) + written(box.upper);
    }
};

/// What a view of casters is prepared from.
struct Arguments {
    Part part;
    std::vector<Plane> clip_planes;
    double margin = 0;
    Light light;

    explicit Arguments(Random& random) : part(random) {
        if (random.below(8) == 0) clip_planes = read_planes(random, 3);
        if (random.below(4) == 0) margin = random.any_size();
        light = read_light(random);
    }

    [[nodiscard]] lanecull::Status prepare(View& view) {
        return lanecull::prepare_cascade_casters(part.slice, part.box, light.options(clip_planes, margin), view);
    }
    [[nodiscard]] bool has_range() const { return light.point_light && std::isfinite(range_of(*light.point_light)); }
    /// Whether exact arithmetic is fast for all of the numbers.
    [[nodiscard]] bool is_moderate() const {
        const auto& [directional_light, point_light, sides] = light;
        return part.is_moderate() && all_moderate(clip_planes) && all_moderate(sides) &&
               (!directional_light ||
                (all_moderate(directional_light->toward) && moderate(directional_light->reach))) &&
               (!point_light || (all_moderate(point_light->at) && moderate(point_light->range)));
    }
    /// Of what is in the slice and the box, and lit but for a range. A margin leaves out nothing of it.
    [[nodiscard]] exact::HalfSpaces lit(std::span<const Plane, 2> ends) const {
        exact::HalfSpaces result = exact::half_spaces(part.matrix, part.slice.clip_space);
        for (const std::span<const Plane> planes :
             {std::span<const Plane>(ends), std::span<const Plane>(clip_planes), std::span<const Plane>(light.sides)}) {
            add(result, planes);
        }
        add(result, part.box);
        return result;
    }
    [[nodiscard]] std::string describe() const {
        return part.describe() + "\nmargin" + written(std::array{margin}) + ::describe(clip_planes) + light.describe();
    }
};

/// Of the slice's corners, moved into the box.
Double3 read_receiver(Random& random, const Part& of, std::span<const double, 24> corners) {
    Double3 point{};
    const int corner = random.below(8), other = random.chance(0.5) ? 7 - corner : random.below(8);
    const auto a = static_cast<std::size_t>(3 * corner), b = static_cast<std::size_t>(3 * other);
    const double share = 0.125 * random.below(9);
    for (std::size_t k = 0; k < 3; ++k) {
        const bool any = random.below(8) == 0;
        point[k] = any ? random.any_double() : corners[a + k] + share * (corners[b + k] - corners[a + k]);
        if (point[k] < of.box.lower[k]) point[k] = of.box.lower[k];
        if (point[k] > of.box.upper[k]) point[k] = of.box.upper[k];
    }
    return point;
}

/// A ball between a receiver and the light.
class Caster {
public:
    Caster(Random& random, const Light& light, const Double3& receiver) : light_(light), receiver_(receiver) {
        if (light.directional_light) {
            reach_ = std::min(reach_of(*light.directional_light), std::fabs(random.any_double()));
        }
        const double share = 0.125 * random.below(9);
        for (std::size_t k = 0; k < 3; ++k) {
            const double way = light.directional_light ? reach_ * light.directional_light->toward[k]
                                                       : light.point_light->at[k] - receiver[k];
            center_[k] = static_cast<float>(receiver[k] + share * way);
        }
        radius_ = random.chance(0.5) ? 0 : random.any_size();
    }

    [[nodiscard]] bool certainly_casts(const exact::HalfSpaces& lit) const {
        if (!all_moderate(receiver_) || !all_moderate(center_) || !moderate(reach_) || !moderate(radius_) ||
            radius_ < 0) {
            return false;
        }
        const exact::Point receiver = exact::point(receiver_[0], receiver_[1], receiver_[2]);
        if (!std::ranges::all_of(lit, [&](const auto& h) { return exact::dot(h.normal, receiver) + h.offset >= 0; })) {
            return false;
        }
        const double* toward = light_.directional_light ? light_.directional_light->toward : light_.point_light->at;
        exact::Point end = exact::point(toward[0], toward[1], toward[2]);
        if (light_.directional_light) end = receiver + exact::rational(reach_) * end;
        if (light_.point_light && std::isfinite(range_of(*light_.point_light))) {
            const exact::Point way = end - receiver;
            const exact::Rational range = exact::rational(light_.point_light->range);
            if (exact::dot(way, way) > range * range) return false;
        }
        const exact::Point ends[] = {receiver, end};
        return decide(exact::sphere(center_, radius_), exact::Volume::hull(ends)).verdict == exact::Verdict::visible;
    }

    [[nodiscard]] lanecull::Batch batch() const {
        return lanecull::Spheres{&center_[0], &center_[1], &center_[2], &radius_, 1};
    }
    [[nodiscard]] std::string describe() const {
        return "\nreceiver" + written(receiver_) + " caster" + written(center_) + written(std::array{radius_});
    }

private:
    const Light& light_;
    Double3 receiver_;
    double reach_ = 0;  ///< times the direction to the light
    float center_[3] = {}, radius_ = 0;
};

/// Prepares a view of casters, and casts shadows into it.
void try_casters(Trial& trial) {
    Random& random = trial.random;
    Arguments arguments(random);
    const auto fail = [&](Tally::Count count, const char* what, const std::string& about = {}) {
        trial.fail(count, what, [&] { return arguments.describe() + about; });
    };
    View view;
    ++trial.at(Tally::cases);
    if (!made(trial, view, [&](View& v) { return arguments.prepare(v); })) return;
    ++trial.at(Tally::reached);
    if (!view.prepared() || !is_one(arguments.light)) fail(Tally::untold, "prepared against the rules, or not at all");
    double corners[24];
    Plane ends[2];
    if (!arguments.is_moderate() || !lanecull::slice_corners(arguments.part.slice, corners)) return;
    if (!lanecull::slice_planes(arguments.part.slice, ends)) fail(Tally::untold, "a slice with a view has no planes");
    const exact::HalfSpaces lit = arguments.lit(ends);
    if (view.sees_nothing() && !arguments.has_range() && !exact::Volume(lit).empty()) {
        fail(Tally::views_small, "a view that sees nothing has receivers");
    }
    for (int n = 1 + random.below(6); n > 0; --n) {
        const Caster caster(random, arguments.light, read_receiver(random, arguments.part, corners));
        const bool casts = caster.certainly_casts(lit);
        ++trial.at(Tally::oracle_objects);
        trial.at(Tally::oracle_visible) += casts;
        const auto contradicts = [&](Tally::Count count, std::size_t, const Verdicts&, const char* what) {
            fail(count, what, caster.describe());
        };
        for (const Verdicts& v : all_verdicts_of(caster.batch(), view, all_methods, trial, contradicts)) {
            if (casts && !v.visible(0)) fail(Tally::false_culls, "what casts a shadow is culled", caster.describe());
        }
    }
}

// Views of many lights.

/// A camera and its lights. A few are read; the others are these again, for more than one task.
struct ManyLights {
    std::array<double, 16> matrix;
    lanecull::ClipSpace clip_space;
    std::vector<Plane> clip_planes, other_planes;
    std::vector<Light> lights;
    std::vector<ViewOptions> options;

    explicit ManyLights(Random& random) : matrix(read_matrix(random)), clip_space(read_clip_space(random)) {
        if (random.below(4) == 0) clip_planes = read_planes(random, 3);
        other_planes = clip_planes;
        lights.resize(static_cast<std::size_t>(1 + random.below(4)));
        std::vector<double> margins;
        for (Light& light : lights) {
            light = read_light(random);
            margins.push_back(random.below(4) == 0 ? random.any_size() : 0);
        }
        const auto count = static_cast<std::size_t>(random.below(21));
        for (std::size_t i = 0; i < count; ++i) {
            options.push_back(lights[i % lights.size()].options(clip_planes, margins[i % lights.size()]));
        }
        if (!options.empty() && random.below(16) == 1) options.back().clip_planes = other_planes;
    }

    /// Whether each is by one light and has the first one's planes.
    [[nodiscard]] bool keep_the_rules() const {
        return std::ranges::all_of(options, [&](const ViewOptions& o) {
            const bool same = o.clip_planes.data() == options[0].clip_planes.data() || o.clip_planes.empty();
            return same && (o.directional_light != nullptr) != (o.point_light != nullptr);
        });
    }
    [[nodiscard]] std::string describe() const {
        std::string text = "matrix" + written(matrix) + "\nlayout, depth range" +
                           written(std::array{double(clip_space.layout), double(clip_space.depth)}) +
                           ::describe(clip_planes);
        for (const ViewOptions& o : options) text += "\nmargin" + written(std::array{o.margin});
        for (const Light& light : lights) text += "\n" + light.describe();
        return text;
    }
};

/// Runs tasks from the last to the first.
constexpr lanecull::Runner backwards = {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                                            for (std::uint32_t i = count; i > 0; --i) (*task)(i - 1);
                                        }};

void try_many_lights(Trial& trial) {
    const ManyLights of(trial.random);
    std::vector<View> views(of.options.size()), alone(of.options.size());
    const lanecull::Runner runner = trial.random.chance(0.5) ? backwards : lanecull::Runner{};
    const lanecull::Status status = lanecull::prepare_caster_views(of.matrix, of.clip_space, of.options, views, runner);
    bool all = of.keep_the_rules();
    for (std::size_t i = 0; i < alone.size(); ++i) {
        all = lanecull::prepare_view(of.matrix, of.clip_space, alone[i], of.options[i]).ok() && all;
    }
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += all && alone.size() > 1;
    const auto fail = [&](const char* what) {
        trial.fail(Tally::untold, what, [&] { return status.message().text + ("\n" + of.describe()); });
    };
    if (status.ok() != all) return fail("many views are prepared where one of them is refused, or the other way");
    if (!all && status.message()[0] == 0) fail("a failure says nothing");
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (views[i].prepared() != all) fail("some views are written, and others are not");
        if (all && std::memcmp(&contents_of(views[i]), &contents_of(alone[i]), sizeof contents_of(alone[i])) != 0) {
            fail("a view among many is not the one alone");
        }
    }
}

// Maps.

/// A map that was made must have numbers.
void check_numbers(const Trial& trial, bool is_made, const lanecull::ShadowMap& map, const char* which) {
    const auto finite = [](double number) { return std::isfinite(number); };
    const auto is_plane = [&](const Plane& p) { return std::ranges::all_of(p.normal, finite) && finite(p.offset); };
    ++trial.at(Tally::cases);
    if (!is_made) return;
    ++trial.at(Tally::reached);
    if (!std::ranges::all_of(map.clip_from_world, finite) || !finite(map.texel_size) || !(map.texel_size > 0) ||
        !std::ranges::all_of(map.sides, is_plane)) {
        trial.fail(Tally::untold, "a map's number is none", [&] { return which + written(map.clip_from_world); });
    }
}

/// The ball lies within the side, touching it at most.
bool is_within(const float (&center)[3], float radius, const Plane& side) {
    const exact::HalfSpace h = half_space(side);
    const exact::Point at = exact::point(double(center[0]), double(center[1]), double(center[2]));
    const exact::Rational height = exact::dot(h.normal, at) + h.offset, r = exact::rational(double(radius));
    return height >= 0 && height * height >= r * r * exact::dot(h.normal, h.normal);
}

void try_covered(Trial& trial, const lanecull::ShadowMap& map) {
    Random& random = trial.random;
    View view;
    const double border = random.any_size();
    if (!made(trial, view, [&](View& v) { return lanecull::prepare_covered(map, border, v); })) return;
    for (int n = 1 + random.below(6); n > 0; --n) {
        const float center[3] = {random.any_float(), random.any_float(), random.any_float()},
                    radius = random.any_size();
        const lanecull::Batch ball = lanecull::Spheres{&center[0], &center[1], &center[2], &radius, 1};
        std::uint64_t bits = 0, inside = 0;
        lanecull::Output output{.visible = {&bits, 1}, .inside = {&inside, 1}};
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&ball, 1}, 1));
        const bool culled = lanecull::cull({&ball, 1}, {&view, 1}, {&output, 1}, scratch).ok();
        const auto holds = [&](const Plane& side) { return is_within(center, radius, side); };
        if (!culled || (inside != 0 && (bits != 1 || !std::ranges::all_of(map.sides, holds)))) {
            trial.fail(Tally::unproved, "what is called covered is not, or not visible", [&] {
                return ::describe(map.sides) + written(center) + written(std::array{radius, float(border)});
            });
        }
    }
}

void try_directional_map(Trial& trial) {
    Random& random = trial.random;
    const Part part(random);
    lanecull::DirectionalMapOptions options;
    read(random, options.toward);
    if (random.chance(0.5)) read(random, options.up);
    options.texels = random.below(8) == 0 ? static_cast<std::uint32_t>(random.bits()) : 16u << random.below(9);
    options.is_tight = random.chance(0.5);
    lanecull::ShadowMap map;
    const bool fits =
        made(trial, map, [&](auto& m) { return lanecull::fit_directional_map(part.slice, part.box, options, m); });
    check_numbers(trial, fits, map, "directional");
    if (random.below(8) == 0) {
        const std::vector<Plane> planes = read_planes(random, 4);
        std::ranges::copy(planes, map.sides);
        map.texel_size = random.any_double();
    }
    try_covered(trial, map);
}

void try_point_light_maps(Trial& trial) {
    Random& random = trial.random;
    double at[3], forward[3], up[3];
    for (auto* to : {&at, &forward, &up}) read(random, *to);
    const double near = std::fabs(random.any_double()), far = near + std::fabs(random.any_double());
    const std::uint32_t texels = random.below(8) == 0 ? static_cast<std::uint32_t>(random.bits()) : 512,
                        face = static_cast<std::uint32_t>(random.below(7));
    const double tan_x = random.any_double(), tan_y = random.any_double();
    lanecull::ShadowMap map;
    const bool spot = made(
        trial, map, [&](auto& m) { return lanecull::spot_map(at, forward, up, tan_x, tan_y, near, far, texels, m); });
    check_numbers(trial, spot, map, "spot");
    const bool cube =
        made(trial, map, [&](auto& m) { return lanecull::cube_map_face(at, face, near, far, texels, m); });
    check_numbers(trial, cube, map, "face");
}

void try_engine_map(Trial& trial) {
    Random& random = trial.random;
    double matrix[16];
    for (double& element : matrix) element = random.below(3) == 0 ? 0 : random.any_double();
    lanecull::ClipSpace space = random.chance(0.5) ? lanecull::ClipSpace::ogre() : lanecull::ClipSpace();
    if (random.chance(0.5)) read(random, space.origin);
    const std::uint32_t width = random.below(8) == 0 ? static_cast<std::uint32_t>(random.bits()) : 512;
    lanecull::ShadowMap map;
    check_numbers(trial, made(trial, map, [&](auto& m) { return engine_map(matrix, space, width, 300, m); }), map,
                  "engine's");
}

void try_splits(Trial& trial) {
    Random& random = trial.random;
    const double near = std::fabs(random.any_double()),
                 far = random.chance(0.5) ? near + std::fabs(random.any_double()) : random.any_double();
    const double share = random.below(8) == 0 ? random.any_double() : 0.125 * random.below(9);
    std::array<double, 9> depths{};
    const std::span<double> asked = std::span(depths).first(static_cast<std::size_t>(1 + random.below(9)));
    if (!made(trial, depths, [&](auto&) { return lanecull::split_depths(near, far, share, asked); })) return;
    if (asked.front() != near || asked.back() != far || !std::ranges::is_sorted(asked)) {
        trial.fail(Tally::untold, "splits do not grow from near to far", [&] { return written(depths); });
    }
}

void try_maps(Trial& trial) {
    constexpr void (*attempts[])(Trial&) = {try_directional_map, try_point_light_maps, try_engine_map, try_splits};
    attempts[trial.random.below(4)](trial);
}

}  // namespace

void casters_any(Trial& trial) { run_cases<try_casters>(trial); }
void casters_any_many(Trial& trial) { run_cases<try_many_lights>(trial); }
void casters_any_maps(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n < trial.plan.objects && !trial.stopped(); ++n) try_maps(trial);
}

}  // namespace properties
