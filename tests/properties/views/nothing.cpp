#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "properties/verdicts.hpp"
#include "properties/views/casters.hpp"
#include "properties/views/filling.hpp"
#include "properties/views/lit.hpp"
#include "support/culling.hpp"
#include "support/samples.hpp"
#include "support/written.hpp"

namespace properties {
namespace {

using lanecull::Plane;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

/// Of the coordinates. What is empty by more must be found to be.
constexpr double surely_empty = 0x1p-20;

Double3 vector(const exact::Vec<double>& v) { return {v.x, v.y, v.z}; }

/// A volume before clip planes cut it.
struct Given {
    std::vector<exact::HalfSpaces> parts;  ///< one, or those of two eyes
    std::function<Status(View&, const ViewOptions&)> prepare;
    std::string text;
    bool needs_light = false;
    std::size_t most_planes = 4;

    [[nodiscard]] exact::Volume volume(const exact::HalfSpaces& limits) const {
        std::vector<exact::HalfSpaces> cut = parts;
        for (exact::HalfSpaces& part : cut) part.insert(part.end(), limits.begin(), limits.end());
        return exact::Volume::hull(cut);
    }
};

Camera any_camera(Random& random) {
    return random_camera(random, all_projections[random.below(static_cast<int>(std::size(all_projections)))]);
}

Camera any_perspective(Random& random) {
    Camera camera = any_camera(random);
    while (camera.projection == Projection::orthographic) camera = any_camera(random);
    camera.single = false;
    return camera;
}

Given of_matrix(Random& random) {
    const Camera camera = any_camera(random);
    return {{exact_half_spaces_of(camera)},
            [camera](View& view, const ViewOptions& options) { return camera.prepare(view, options); },
            camera.describe()};
}

/// The right eye is beside the left one.
Given of_two_eyes(Random& random) {
    const Camera camera = any_perspective(random);
    std::array<double, 16> right = camera.matrix;
    const double apart = camera.depth[0] * random.log_range(0.01, 10);
    const bool by_rows = camera.clip_space.layout == lanecull::MatrixLayout::row_major;
    for (std::size_t r = 0; r < 4; ++r) {
        const auto at = [&](std::size_t c) { return by_rows ? 4 * r + c : 4 * c + r; };
        for (std::size_t k = 0; k < 3; ++k) right[at(3)] -= apart * camera.axis[0][k] * camera.matrix[at(k)];
    }
    return {{exact::half_spaces(camera.matrix, camera.clip_space), exact::half_spaces(right, camera.clip_space)},
            [camera, right](View& view, const ViewOptions& options) {
                return lanecull::prepare_stereo_view(camera.matrix, right, camera.clip_space, view, options);
            },
            camera.describe() + "\n  right" + written(right)};
}

/// A box along the axes, some without thickness, by its corners or by its planes, some of which may be left out.
Given of_box(Random& random) {
    double low[3], high[3];
    const double away = random.chance(0.5) ? 0 : random.log_range(1, 1e6);
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = random.range(-away, away) + random.range(-1, 1);
        high[k] = low[k] + (random.chance(0.1) ? 0 : random.log_range(1e-3, 1e3));
    }
    std::array<double, 24> corners{};
    for (std::size_t i = 0; i < 24; ++i) corners[i] = ((i / 3) >> (i % 3) & 1) != 0 ? high[i % 3] : low[i % 3];
    std::vector<Plane> planes;
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double side : {1.0, -1.0}) {
            Plane& p = planes.emplace_back();
            p.normal[k] = side, p.offset = side > 0 ? -low[k] : high[k];
        }
    }
    Given given;
    given.text = "box" + written(low) + written(high);
    const bool by_corners = random.chance(0.5);
    if (!by_corners) {
        for (int k = random.below(6); k > 0; --k)
            planes.erase(planes.begin() + random.below(static_cast<int>(planes.size())));
        given.text += describe(planes);
    }
    exact::HalfSpaces& part = given.parts.emplace_back();
    add(part, planes);
    given.prepare = [=](View& view, const ViewOptions& options) {
        return by_corners ? lanecull::prepare_view_from_corners(corners, view, options)
                          : lanecull::prepare_view_from_planes(planes, view, options);
    };
    return given;
}

/// What casts shadows into a slice, of receivers in a large box.
Given of_cascade(Random& random) {
    const Camera camera = any_perspective(random);
    const double nearest = std::max(camera.depth[0], 1e-3), farthest = std::min(camera.depth[1], 1000 * nearest);
    const double near = nearest + random.unit() * (farthest - nearest);
    const double far = near + random.log_range(1e-3, 1) * (farthest - near) + 1e-3 * near;
    const Double3 middle = camera.point(0.5 * (camera.x[0] + camera.x[1]), 0.5 * (camera.y[0] + camera.y[1]), near);
    lanecull::WorldBox box;
    exact::HalfSpaces part = exact_half_spaces_of(camera);
    for (std::size_t k = 0; k < 3; ++k) {
        box.lower[k] = std::floor(middle[k] - 10 * far), box.upper[k] = std::ceil(middle[k] + 10 * far);
    }
    add(part, box);
    Plane planes[2];
    const Status status = lanecull::slice_planes({camera.matrix, camera.clip_space, near, far}, planes);
    for (const Plane& p : planes) part.push_back(half_space(status ? p : Plane{{0, 0, 1}, 0}));
    return {
        {part},
        [=](View& view, const ViewOptions& options) {
            return lanecull::prepare_cascade_casters({camera.matrix, camera.clip_space, near, far}, box, options, view);
        },
        camera.describe() + " slice" + written(std::array{near, far}),
        true,
        2};
}

Double3 any_point(Random& random, const exact::Volume& volume) {
    const auto points = volume.points();
    const auto any = [&] {
        return vector(
            exact::to_double(points[static_cast<std::size_t>(random.below(static_cast<int>(points.size())))]));
    };
    Double3 p = any();
    for (int k = random.below(4); k > 0; --k) p = p + random.unit() * (any() - p);
    return p;
}

Double3 any_normal(Random& random, const exact::HalfSpaces& half_spaces) {
    if (random.chance(0.4)) return random_direction(random);
    if (random.chance(0.2)) {
        Double3 axis{};
        axis[static_cast<std::size_t>(random.below(3))] = random.sign();
        return axis;
    }
    // Away from a half-space, as good as parallel to its plane or along its edge with another.
    const auto of_one = [&] {
        const exact::Point& n =
            half_spaces[static_cast<std::size_t>(random.below(static_cast<int>(half_spaces.size())))].normal;
        const Double3 away = -1 * vector(exact::to_double(n));
        return length(away) > 0 ? 1 / length(away) * away : Double3{0, 0, 1};
    };
    const Double3 n = of_one() + (random.chance(0.5) ? 0 : random.unit()) * of_one();
    return n + (random.chance(0.5) ? 0 : random.log_range(1e-15, 1e-3)) * random_direction(random);
}

/// Clip planes, and by how much the last one misses what the others leave, as a share of the coordinates; negative if
/// it cuts it.
struct Cuts {
    std::vector<Plane> planes;
    double misses_by = -1;
    bool bounded = false;  ///< what the others leave has an end: that nothing of it is left can be told
};

/// How far the volume reaches along n, and the largest coordinate of its corners; none if it has no end there.
std::optional<double> reach_along(const Double3& n, const exact::Volume& volume, double& largest) {
    const exact::Point way = exact::point(n[0], n[1], n[2]);
    for (const exact::Point& ray : volume.rays()) {
        if (exact::dot(way, ray) >= 0) return std::nullopt;
    }
    exact::Rational most = exact::dot(way, volume.points()[0]);
    largest = 0;
    for (const exact::Point& p : volume.points()) {
        most = std::max<exact::Rational>(most, exact::dot(way, p));
        const auto at = exact::to_double(p);
        largest = std::max({largest, std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
    }
    return exact::to_double({most, 0, 0}).x;
}

/// Back to back with a half-space: nothing is between the two, or as much as a rounding.
Plane opposite(Random& random, const exact::HalfSpaces& half_spaces) {
    const exact::HalfSpace& h =
        half_spaces[static_cast<std::size_t>(random.below(static_cast<int>(half_spaces.size())))];
    const double offset = -exact::to_double({h.offset, 0, 0}).x;
    const double moved = random.chance(0.5) ? 0 : offset * random.range(-4, 4) * 0x1p-52;
    return plane(-1 * vector(exact::to_double(h.normal)), offset + moved);
}

/// `limits`: what cuts the volume besides.
Cuts cuts_to_the_limit(Random& random, const Given& given, const exact::HalfSpaces& limits) {
    Cuts cuts;
    exact::HalfSpaces left = given.parts[0];
    left.insert(left.end(), limits.begin(), limits.end());
    exact::Volume volume(left);
    if (volume.empty()) return cuts;
    for (int k = random.below(static_cast<int>(given.most_planes)); k > 0; --k) {
        const Double3 n = random.log_range(0.1, 10) * any_normal(random, left), at = any_point(random, volume);
        const Plane p = plane(n, -dot(n, at));
        exact::HalfSpaces cut = left;
        cut.push_back(half_space(p));
        exact::Volume less(cut);
        if (less.empty()) continue;
        left = std::move(cut), volume = std::move(less);
        cuts.planes.push_back(p);
    }
    if (random.chance(0.2)) {
        const Plane p = opposite(random, left);
        const Double3 n = {p.normal[0], p.normal[1], p.normal[2]};
        if (length(n) > 0) cuts.planes.push_back(p);
        return cuts;
    }
    for (int attempt = 0; attempt < 8; ++attempt) {
        const Double3 n = random.log_range(0.1, 10) * any_normal(random, left);
        double largest = 0;
        const std::optional<double> reach = reach_along(n, volume, largest);
        if (!reach || !(length(n) > 0)) continue;
        const double share = random.chance(0.2) ? 0 : std::exp2(random.range(-60, random.chance(0.2) ? 0 : -18));
        cuts.misses_by = random.chance(0.3) ? -share : share;
        cuts.bounded = volume.rays().empty();
        cuts.planes.push_back(plane(n, -(*reach + cuts.misses_by * largest * length(n))));
        // Some of the order is the caller's.
        if (random.chance(0.5)) std::reverse(cuts.planes.begin(), cuts.planes.end());
        break;
    }
    return cuts;
}

/// Objects anywhere about the volume that is not there. None of them meets it, nor casts a shadow into it.
Setting around(Random& random, const exact::Volume& none, const View& view, const std::string& text, const Double3& at,
               std::size_t count) {
    Setting setting{none, view, text, random_hulls(random, 7), {}, false, false, false, Reach{{}, 0, true}};
    for (const Kind kind : all_kinds) {
        std::vector<Object>& objects = setting.objects.emplace_back();
        for (std::size_t i = 0; i < count; ++i) {
            const double size = random.log_range(1e-3, 1e6);
            objects.push_back(object_at(random, kind, at + size * random_direction(random),
                                        size * random.log_range(1e-3, 10), setting.hulls));
        }
    }
    return setting;
}

Given any_volume(Random& random) {
    constexpr Given (*makers[])(Random&) = {of_matrix, of_matrix, of_two_eyes, of_box, of_box, of_cascade};
    return makers[random.below(static_cast<int>(std::size(makers)))](random);
}

/// Of cubes around balls clip planes may leave something that is not of the ball.
Given of_ball(Random& random) {
    const Double3 center = (random.chance(0.5) ? 0 : random.log_range(1, 1e6)) * random_direction(random);
    const double radius = random.log_range(1e-2, 1e3);
    Given given;
    given.text = "ball" + written(center) + written(std::array{radius});
    add_cube(given.parts.emplace_back(), exact::point(center[0], center[1], center[2]), exact::rational(radius));
    given.prepare = [=](View& view, const ViewOptions& options) {
        return lanecull::prepare_view_from_ball(center, radius, view, options);
    };
    return given;
}

/// A view that sees nothing, and what it answers.
class NothingTrial {
public:
    NothingTrial(Trial& trial, const View& view, const std::string& text) : trial_(trial), view_(view), text_(text) {}

    void run() {
        expect(view_.prepared() && view_.exact(), "a view of nothing is not exact");
        const HullSet hulls = random_hulls(trial_.random, 3);
        for (const Kind kind : all_kinds) check_objects(kind, hulls);
        check_exceptions();
        check_occluders();
    }

private:
    void expect(bool holds, const char* what) const {
        if (!holds) trial_.fail(Tally::untold, what, [this] { return text_; });
    }

    /// Balls as large as are valid, and others of all kinds.
    Object any_object(Kind kind, const HullSet& hulls) const {
        Random& random = trial_.random;
        const double huge = has_transform(kind) ? 1e27 : 1e33;  // vertices may be far from their own origin
        const double size = random.chance(0.3) ? random.log_range(1e20, huge) : random.log_range(1e-3, 1e4);
        const Double3 at = random.log_range(1e-3, random.chance(0.2) ? 1e30 : 10) * random_direction(random);
        Object object = object_at(random, kind, at, size, hulls);
        if (random.chance(0.25)) grow(random, kind, hulls, {.margin = true, .sweep = true}, object);
        return object;
    }

    void check_objects(Kind kind, const HullSet& hulls) const {
        std::vector<Object> objects;
        while (objects.size() <= trial_.plan.objects / 8) objects.push_back(any_object(kind, hulls));
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, objects, hulls, memory,
                       {.bounds = trial_.random.chance(0.5), .streams = {.margin = true, .sweep = true}});
        const auto fail = [this](Tally::Count, std::size_t, const Verdicts&, const char* what) { expect(false, what); };
        for (const Verdicts& v : all_verdicts_of(batch, view_, all_methods, trial_, fail)) {
            expect(v.counts[lanecull::Reason::culled_plane] == objects.size() &&
                       std::ranges::all_of(v.words, [](std::uint64_t word) { return word == 0; }),
                   "nothing is seen, yet something is kept");
        }
        check_scene(batch);
    }

    void check_scene(const lanecull::Batch& batch) const {
        lanecull::Scene scene;
        std::vector<lanecull::Handle> handles(batch.count());
        const bool added = scene.add({&batch, 1}, handles).ok();
        std::vector<std::uint64_t> visible(lanecull::visibility_words(scene));
        std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
        lanecull::SceneOutput of_scene;
        lanecull::Explanation why;
        lanecull::Output output{.visible = visible, .scene = &of_scene, .explanation = &why};
        expect(added && lanecull::cull(scene, {&view_, 1}, {&output, 1}, scratch) && output.visible_count == 0 &&
                   of_scene.outside_objects + why.counts[lanecull::Reason::culled_plane] == batch.count(),
               "nothing is seen, yet something of a scene is kept");
    }

    /// Flags keep objects visible, and so do numbers that are none.
    void check_exceptions() const {
        const float x[] = {0, 0, 0, 0}, radius[] = {1, 1, std::numeric_limits<float>::quiet_NaN(), 3e37f};
        const std::uint32_t flags[] = {0, lanecull::object_always_visible, 0, 0};
        lanecull::Batch batch = lanecull::Spheres{x, x, x, radius, 4};
        batch.attributes.flags = flags;
        for (const lanecull::Isa isa : trial_.plan.isas) {
            for (const lanecull::Method method : all_methods) {
                const Verdicts v = verdicts_of(batch, view_, isa, method);
                expect(v.words[0] == 0b1110u && v.counts[lanecull::Reason::visible_always] == 1 &&
                           v.counts[lanecull::Reason::visible_invalid] == 2,
                       "a flag or an invalid number is not heard");
            }
        }
    }

    /// Nothing is chosen to hide something in it.
    void check_occluders() const {
        constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0};
        lanecull::Viewpoint eye;
        const lanecull::SolidBox boxes[] = {{{-1, -1, 4}, {1, 1, 5}}, {{-9, -9, -9}, {-8, -8, 9}}};
        const lanecull::SolidSet solids{.boxes = boxes};
        lanecull::Occluder occluders[2];
        std::uint32_t indices[2], count = 7;
        std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(2));
        expect(lanecull::prepare_viewpoint(camera, {.layout = lanecull::MatrixLayout::row_major}, eye) &&
                   lanecull::choose_occluders(solids, view_, eye, occluders, indices, scratch, count) && count == 0,
               "occluders are chosen where nothing is seen");
    }

    Trial& trial_;
    const View& view_;
    const std::string& text_;
};

}  // namespace

void nothing_seen(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    const bool is_ball = random.chance(0.2);
    const Given given = is_ball ? of_ball(random) : any_volume(random);
    const exact::Volume whole(given.parts[0]);
    if (whole.empty()) return;
    const Double3 seen = any_point(random, whole);
    std::optional<Light> light;
    if (given.needs_light || (!is_ball && random.chance(0.3))) light = any_light(random, seen, 1);
    // The second plane leaves nothing of what the first does, by a share of the coordinates.
    const Double3 n = random.log_range(0.1, 10) * random_direction(random);
    double largest = 1;
    for (const exact::Point& p : whole.points()) largest = std::max(largest, length(vector(exact::to_double(p))));
    const double at = dot(n, seen), apart = random.log_range(1e-4, 10) * largest * length(n);
    std::vector<Plane> planes = {plane(n, -at - apart), plane(-1 * n, at)};
    if (random.chance(0.5)) std::swap(planes[0], planes[1]);
    ViewOptions options = light ? light->options(planes, 0) : ViewOptions{};
    options.clip_planes = planes;
    if (random.chance(0.3)) options.margin = random.log_range(1e-4, 1);
    if (light && !light->sides.empty()) options.margin = 0;
    const std::string text = given.text + describe(planes) + (light ? light->describe() : std::string());
    View view;
    const Status status = given.prepare(view, options);
    const bool is_told = whole.rays().empty();
    if (!status || (is_told && !view.sees_nothing())) {
        return trial.fail(Tally::untold, "refused, or something is seen between planes that leave nothing",
                          [&] { return status.message().text + text; });
    }
    trial.at(Tally::cases) = 1;
    if (!view.sees_nothing()) return;
    trial.at(Tally::reached) = 1;
    NothingTrial(trial, view, text).run();
}

void nothing(Trial& trial) {
    Random& random = trial.random;
    const Given given = any_volume(random);
    trial.at(Tally::trials) = 1;
    const exact::Volume whole(given.parts[0]);
    if (whole.empty()) return;
    const Double3 seen = any_point(random, whole);
    std::optional<Light> light;
    if (given.needs_light || random.chance(0.3))
        light = any_light(random, seen, 1 + length(seen - any_point(random, whole)));
    const double margin = light && !light->sides.empty() ? 0 : random.chance(0.7) ? 0 : random.log_range(1e-4, 1);
    const exact::HalfSpaces limits = light ? light->limits(margin) : exact::HalfSpaces{};
    const Cuts cuts = cuts_to_the_limit(random, given, random.chance(0.5) ? limits : exact::HalfSpaces{});

    exact::HalfSpaces all = limits;
    add(all, cuts.planes);
    const exact::Volume lit = given.volume(all);
    const std::string text = given.text + describe(cuts.planes) + " margin " + std::to_string(margin) +
                             (light ? light->describe() : std::string());
    ViewOptions options = light ? light->options(cuts.planes, margin) : ViewOptions{};
    options.clip_planes = cuts.planes, options.margin = margin;
    View view;
    const auto fail = [&](Tally::Count count, const std::string& what) {
        trial.fail(count, what, [&] { return text; });
    };
    if (const Status status = given.prepare(view, options); !status) {
        return fail(Tally::untold, std::string("refused: ") + status.message().text);
    }
    if (view.sees_nothing() && !lit.empty()) {
        const bool is_dark =
            light && light->reach(margin) &&
            decide({{light->reach(margin)->at}, 0}, lit, light->reach(margin)->range).verdict == exact::Verdict::apart;
        if (!is_dark) return fail(Tally::views_small, "the view sees nothing of which something is left");
    }
    const bool is_told = given.parts.size() == 1 && !light && cuts.bounded && cuts.misses_by > surely_empty;
    if (lit.empty() && is_told && !view.sees_nothing()) {
        fail(Tally::untold, "the view is not found to see nothing");
    }
    if (lit.empty()) return run_setting(around(random, lit, view, text, seen, trial.plan.objects), trial);
    std::optional<Setting> setting =
        light ? fill_casters(random, lit, *light, margin, view, text, trial.plan.objects)
              : fill(random, setting_of(random, lit.widened(exact::rational(margin)), view, text), trial.plan.objects,
                     any_touching);
    if (setting) run_setting(*setting, trial);
}

}  // namespace properties
