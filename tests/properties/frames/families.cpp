#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "frame/reference.hpp"
#include "properties/family.hpp"
#include "support/culling.hpp"

/// No shadow that can be seen is missing from a pass, over batches and over a scene. What stands between a light and a
/// point of a ball that is seen is in every map that covers the point, by the formulas of geometry.
namespace properties {

// With a file each.
void frames_alike(Trial& trial);
void frames_any(Trial& trial);
void frames_hidden(Trial& trial);

namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;

struct Ball {
    Double3 at;
    double radius;
};

/// The world's balls alone, without what they are drawn with.
std::vector<Ball> balls_of(const World& world) {
    std::vector<Ball> balls;
    for (std::uint32_t i = 0; i < world.count(); ++i) {
        balls.push_back(
            {{static_cast<double>(world.x[i]), static_cast<double>(world.y[i]), static_cast<double>(world.z[i])},
             static_cast<double>(world.half[i])});
    }
    return balls;
}

/// How near the segment from a to b comes to the ball's centre.
double distance_to_segment(const Ball& ball, const Double3& a, const Double3& b) {
    const Double3 way = b - a;
    const double t = std::clamp(dot(ball.at - a, way) / dot(way, way), 0.0, 1.0);
    return length(a + t * way - ball.at);
}

bool is_well_inside(const lanecull::Plane& plane, const Double3& p) {
    const Double3 n{plane.normal[0], plane.normal[1], plane.normal[2]};
    return dot(n, p) + plane.offset > 1e-3 * length(n);
}

/// Points of visible balls, of depths between `near` and `far`, well within the camera's view.
std::vector<Double3> visible_points(const Looking& look, std::span<const lanecull::Plane> planes,
                                    const std::vector<Ball>& balls, double near, double far, Random& random) {
    std::vector<Double3> points;
    for (const Ball& ball : balls) {
        const Double3 p = ball.at + 0.9 * ball.radius * random_direction(random);
        const Double3 q = p - look.eye;
        const double depth = dot(q, look.forward);
        if (depth < near + 0.01 || depth > far - 0.01) continue;
        if (std::fabs(dot(q, look.right)) > 0.999 * look.tan_x * depth) continue;
        if (std::fabs(dot(q, look.up)) > 0.999 * look.tan_y * depth) continue;
        if (std::ranges::all_of(planes, [&](const auto& plane) { return is_well_inside(plane, p); })) {
            points.push_back(p);
        }
    }
    return points;
}

/// Some cameras, and point lights that are near what they see.
void fill_near(Made& made, Random& random) {
    fill(made, random);
    for (int l = 0; l < 12; ++l) {
        const Looking& look = made.looking[static_cast<std::size_t>(l) % made.looking.size()];
        made.add_point_light(look.point(random.range(-1, 1), random.range(-1, 1), random.range(5, 60)), 50);
    }
    for (PassCamera& camera : made.cameras) camera.options.hidden_layers = 0;
    for (PassPointLight& point_light : made.point_lights) point_light.hidden_layers = 0;
}

/// The same with up to three clip planes a camera.
void fill_cut(Made& made, Random& random) {
    fill_near(made, random);
    for (PassCamera& camera : made.cameras) {
        std::vector<lanecull::Plane> planes(camera.options.clip_planes.begin(), camera.options.clip_planes.end());
        for (int k = random.below(4); k > 0; --k) {
            const Double3 n = random_direction(random);
            planes.push_back({{n[0], n[1], n[2]}, random.range(-150, 150)});
        }
        made.let_cut(camera, std::move(planes));
    }
}

/// Calls visit(number of the view, ball) for each ball that stands between a point light and a point that a camera
/// sees, and each map that covers the point. No shadow is cast by what is nearer to the light than its maps begin.
template <class Visit>
void for_each_point_light_shadow(const Made& made, const lanecull::CullPass& pass, const std::vector<Ball>& balls,
                                 Random& random, const Visit& visit) {
    const auto covers = [&](std::size_t view, const Double3& p) {
        const lanecull::ShadowMap& map = pass.maps()[view - made.cameras.size()];
        return std::ranges::all_of(map.sides, [&](const auto& side) { return is_well_inside(side, p); });
    };
    const auto visit_point = [&](std::size_t l, const Double3& p) {
        const PassPointLight& point_light = made.point_lights[l];
        const Double3 at{point_light.at[0], point_light.at[1], point_light.at[2]};
        const double distance = length(p - at);
        if (distance > 0.999 * point_light.range || distance < 3 * point_light.near_depth) return;
        const Double3 begin = at + 2 * point_light.near_depth / distance * (p - at);
        const std::size_t first = pass.first_point_light_view(l), end = first + (point_light.spot != nullptr ? 1 : 6);
        for (std::size_t view = first; view < end; ++view) {
            if (!covers(view, p)) continue;
            for (std::uint32_t i = 0; i < balls.size(); ++i) {
                if (distance_to_segment(balls[i], begin, p) <= 0.99 * balls[i].radius) visit(view, i);
            }
        }
    };
    for (std::uint32_t c = 0; c < made.cameras.size(); ++c) {
        const Looking& look = made.looking[c];
        const auto points =
            visible_points(look, made.cameras[c].options.clip_planes, balls, look.near, look.far, random);
        for (std::size_t l = 0; l < made.point_lights.size(); ++l) {
            if (!sees(made.point_lights[l], c)) continue;
            for (const Double3& p : points) visit_point(l, p);
        }
    }
}

/// The same of directional lights and their cascades. Directional lights have no end.
template <class Visit>
void for_each_directional_light_shadow(const Made& made, const lanecull::CullPass& pass, const std::vector<Ball>& balls,
                                       Random& random, const Visit& visit) {
    for (std::uint32_t c = 0; c < made.cameras.size(); ++c) {
        if (made.cameras[c].directional_light == nullptr) continue;
        const double* toward = made.cameras[c].directional_light->directional_light.toward;
        const Double3 way = 1000 * Double3{toward[0], toward[1], toward[2]};
        for (std::size_t k = 0; k < pass.cascades(c).size(); ++k) {
            const lanecull::Cascade& cascade = pass.cascades(c)[k];
            const auto points = visible_points(made.looking[c], made.cameras[c].options.clip_planes, balls,
                                               cascade.near_depth, cascade.far_depth, random);
            for (const Double3& p : points) {
                for (std::uint32_t i = 0; i < balls.size(); ++i) {
                    if (distance_to_segment(balls[i], p, p + way) <= 0.99 * balls[i].radius)
                        visit(pass.first_cascade_view(c) + k, i);
                }
            }
        }
    }
}

class FrameTrial {
public:
    explicit FrameTrial(Trial& trial) : trial_(trial), world_(balls, trial.random.bits()) {}

    void run() {
        trial_.at(Tally::trials) = 1;
        trial_.random.chance(0.5) ? fill_cut(made_, trial_.random) : fill_near(made_, trial_.random);
        for (std::uint32_t i = balls / 2; i < balls; ++i) put_before_light(i);
        const Ordered ordered(world_);
        for (const lanecull::Isa isa : trial_.plan.isas) {
            for (const Casters casters : {Casters::volume, Casters::frustum}) {
                if (trial_.stopped()) return;
                CullPass pass;
                lanecull::Status status = pass.reserve(made_.limits(), world_.batches);
                if (status) status = pass.reserve(made_.limits(), ordered.scene);
                if (status) status = ask(pass, ordered, casters, {.isa = isa});
                if (!status) fail(Tally::untold, status.message());
            }
        }
    }

private:
    static constexpr std::uint32_t balls = 500;

    /// Moves ball i to somewhere between a point light, or a directional light, and another ball; it may be much
    /// smaller than that.
    void put_before_light(std::uint32_t i) {
        Random& random = trial_.random;
        const auto other = static_cast<std::uint32_t>(random.below(static_cast<int>(balls / 2)));
        const Double3 to{static_cast<double>(world_.x[other]), static_cast<double>(world_.y[other]),
                         static_cast<double>(world_.z[other])};
        const std::size_t light = random.bits() % (made_.point_lights.size() + made_.directional_lights.size());
        Double3 way;
        for (std::size_t k = 0; k < 3; ++k) {
            way[k] =
                light < made_.point_lights.size()
                    ? made_.point_lights[light].at[k] - to[k]
                    : 300 * made_.directional_lights[light - made_.point_lights.size()].directional_light.toward[k];
        }
        const Double3 at = to + random.unit() * way + random.log_range(1e-3, 3) * random_direction(random);
        world_.x[i] = static_cast<float>(at[0]);
        world_.y[i] = static_cast<float>(at[1]);
        world_.z[i] = static_cast<float>(at[2]);
        world_.half[i] = static_cast<float>(random.log_range(1e-3, 5));
    }

    lanecull::Status ask(CullPass& pass, const Ordered& ordered, Casters casters,
                         const lanecull::CullOptions& options) {
        const std::size_t views = lanecull::view_count(made_.frame());
        FlatLists flat(world_, views);
        if (lanecull::Status status = pass.run(made_.frame(), world_.batches, flat.outputs, casters, options); !status)
            return status;
        trial_.at(Tally::cases) += made_.limits().cascades;
        for (std::size_t v = 0; v < views; ++v) trial_.at(Tally::reached) += pass.view(v).sees_nothing();
        for (std::size_t v = 0; v < views; ++v) {
            count(flat.outputs[v].explanation->counts);
            trial_.answers.add_words(flat.views[v].visible);
        }
        check_shadows(pass, [&](std::size_t view, std::uint32_t ball) { return has(flat.views[view].visible, ball); });

        SceneLists scene(ordered.scene, views);
        if (lanecull::Status status = pass.run(made_.frame(), ordered.scene, scene.outputs, casters, options); !status)
            return status;
        for (std::size_t v = 0; v < views; ++v) trial_.answers.add_words(scene.views[v].visible);
        check_shadows(pass, [&](std::size_t view, std::uint32_t ball) {
            return has(scene.views[view].visible, ordered.slots[ball]);
        });
        return {};
    }

    void count(const lanecull::Counts& counts) const {
        trial_.at(Tally::verdicts) += counts.objects();
        trial_.at(Tally::culled_plane) += counts[lanecull::Reason::culled_plane];
        trial_.at(Tally::culled_gjk) += counts[lanecull::Reason::culled_gjk];
    }

    template <class Keeps>
    void check_shadows(const CullPass& pass, const Keeps& keeps) {
        const std::vector<Ball> all = balls_of(world_);
        const auto check = [&](std::size_t view, std::uint32_t ball) {
            ++trial_.at(Tally::oracle_objects), ++trial_.at(Tally::oracle_visible);
            if (!keeps(view, ball)) fail(Tally::false_culls, "what casts a shadow is not in the map", view, ball);
        };
        for_each_point_light_shadow(made_, pass, all, trial_.random, check);
        for_each_directional_light_shadow(made_, pass, all, trial_.random, check);
    }

    void fail(Tally::Count count, const char* what, std::size_t view = 0, std::uint32_t ball = 0) const {
        trial_.fail(count, what, [&] { return "view " + std::to_string(view) + ", ball " + std::to_string(ball); });
    }

    Trial& trial_;
    World world_;
    Made made_;
};

void frames(Trial& trial) { FrameTrial(trial).run(); }

constexpr Rate many_shadows[] = {{Tally::oracle_objects, Tally::verdicts, 0.0005},
                                 {Tally::reached, Tally::cases, 0.05, 1}};
constexpr Rate smaller_receivers[] = {{Tally::reached, Tally::cases, 0.5}};
/// Of what is kept without occluders, what they hide.
constexpr Rate some_hidden[] = {{Tally::reached, Tally::cases, 0.02, 0.9}};
constexpr Rate often_taken[] = {{Tally::reached, Tally::cases, 0.1, 0.95}};

/// No fingerprints: the views and the culls have theirs.
constexpr Family all_families[] = {{"frames", "frames", frames, many_shadows},
                                   {"frames_alike", "frames", frames_alike, smaller_receivers},
                                   {"frames_hidden", "frames", frames_hidden, some_hidden, true},
                                   {"frames_any", "frames", frames_any, often_taken, true}};

}  // namespace

std::span<const Family> frame_families() { return all_families; }

}  // namespace properties
