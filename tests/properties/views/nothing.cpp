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
#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

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
    std::optional<Reach> reach{};  ///< of a ball, which takes no light

    [[nodiscard]] exact::Volume volume(const exact::HalfSpaces& limits) const {
        std::vector<exact::HalfSpaces> cut = parts;
        for (exact::HalfSpaces& part : cut) part.insert(part.end(), limits.begin(), limits.end());
        return exact::Volume::hull(cut);
    }
};

Camera any_perspective(Random& random) {
    Camera camera = random_camera(random);
    while (camera.projection == Projection::orthographic) camera = random_camera(random);
    camera.single = false;
    return camera;
}

Given of_matrix(Random& random) {
    const Camera camera = random_camera(random);
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

/// Clip planes that leave nothing, or next to nothing.
struct Cuts {
    std::vector<Plane> planes;
    bool is_told = false;  ///< of one bounded volume without a light: that nothing of it is left must be found
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

/// The last plane touches what the others leave, or misses or cuts it by some share of the coordinates. `limits`: what
/// cuts the volume besides.
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
        const double misses_by = random.chance(0.3) ? -share : share;
        cuts.is_told = volume.rays().empty() && misses_by > surely_empty;
        cuts.planes.push_back(plane(n, -(*reach + misses_by * largest * length(n))));
        // Some of the order is the caller's.
        if (random.chance(0.5)) std::reverse(cuts.planes.begin(), cuts.planes.end());
        break;
    }
    return cuts;
}

/// Of cubes around balls clip planes may leave something that is not of the ball.
Given of_ball(Random& random) {
    const Double3 center = (random.chance(0.5) ? 0 : random.log_range(1, 1e6)) * random_direction(random);
    const double radius = random.log_range(1e-2, 1e3);
    Given given;
    given.text = "ball" + written(center) + written(std::array{radius});
    given.reach = Reach{exact::point(center[0], center[1], center[2]), exact::rational(radius)};
    add_cube(given.parts.emplace_back(), given.reach->at, given.reach->range);
    given.prepare = [=](View& view, const ViewOptions& options) {
        return lanecull::prepare_view_from_ball(center, radius, view, options);
    };
    return given;
}

Given any_volume(Random& random) {
    constexpr Given (*makers[])(Random&) = {of_matrix, of_two_eyes, of_box, of_cascade, of_ball};
    return makers[random.below(static_cast<int>(std::size(makers)))](random);
}

/// The second plane leaves nothing of what the first does, by a share of the coordinates.
std::vector<Plane> gap(Random& random, const exact::Volume& whole, const Double3& seen) {
    const Double3 n = random.log_range(0.1, 10) * random_direction(random);
    double largest = 1;
    for (const exact::Point& p : whole.points()) largest = std::max(largest, length(vector(exact::to_double(p))));
    const double at = dot(n, seen), apart = random.log_range(1e-4, 10) * largest * length(n);
    std::vector<Plane> planes = {plane(n, -at - apart), plane(-1 * n, at)};
    if (random.chance(0.5)) std::swap(planes[0], planes[1]);
    return planes;
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

/// A volume, its clip planes, and the view of what they leave.
class EmptyTrial {
public:
    explicit EmptyTrial(Trial& trial) : trial_(trial), random_(trial.random), given_(any_volume(random_)) {}

    void run(bool by_a_gap) {
        const exact::Volume whole(given_.parts[0]);
        trial_.at(Tally::trials) = 1;
        if (whole.empty()) return;
        const Double3 seen = any_point(random_, whole);
        if (given_.needs_light || (!given_.reach && random_.chance(0.3))) {
            light_ = any_light(random_, seen, 1 + length(seen - any_point(random_, whole)));
        }
        const bool has_sides = light_ && !light_->sides.empty();
        margin_ = has_sides || random_.chance(0.7) ? 0 : random_.log_range(1e-4, 1);
        const exact::HalfSpaces limits = light_ ? light_->limits(margin_) : exact::HalfSpaces{};
        Cuts cuts;
        if (by_a_gap) {
            cuts = {gap(random_, whole, seen), whole.rays().empty()};
        } else {
            cuts = cuts_to_the_limit(random_, given_, random_.chance(0.5) ? limits : exact::HalfSpaces{});
            cuts.is_told = cuts.is_told && given_.parts.size() == 1 && !light_;
        }
        exact::HalfSpaces all = limits;
        add(all, cuts.planes);
        text_ = given_.text + describe(cuts.planes) + " margin " + std::to_string(margin_) +
                (light_ ? light_->describe() : std::string());
        check(cuts, given_.volume(all));
        if (by_a_gap) ++trial_.at(Tally::cases), trial_.at(Tally::reached) += view_.sees_nothing();
    }

private:
    void check(const Cuts& cuts, const exact::Volume& lit) {
        ViewOptions options = light_ ? light_->options(cuts.planes, margin_) : ViewOptions{};
        options.clip_planes = cuts.planes, options.margin = margin_;
        if (const Status status = given_.prepare(view_, options); !status) {
            return fail(Tally::untold, std::string("refused: ") + status.message().text);
        }
        if (!view_.sees_nothing()) {
            if (!lit.empty()) return check_objects(lit);
            if (cuts.is_told) fail(Tally::untold, "the view is not found to see nothing");
            return;
        }
        if (!lit.empty() && !is_dark(lit)) {
            return fail(Tally::views_small, "the view sees nothing of which something is left");
        }
        NothingTrial(trial_, view_, text_).run();
    }

    [[nodiscard]] std::optional<Reach> reach() const {
        if (light_) return light_->reach(margin_);
        if (!given_.reach) return std::nullopt;
        return Reach{given_.reach->at, given_.reach->range + exact::rational(margin_)};
    }
    [[nodiscard]] bool is_dark(const exact::Volume& lit) const {
        const std::optional<Reach> limit = reach();
        return limit && decide({{limit->at}, 0}, lit, limit->range).verdict == exact::Verdict::apart;
    }

    void check_objects(const exact::Volume& lit) {
        const std::size_t count = trial_.plan.objects;
        std::optional<Setting> setting;
        if (light_) {
            setting = fill_casters(random_, lit, *light_, margin_, view_, text_, count);
        } else {
            setting = fill(random_, setting_of(random_, lit.widened(exact::rational(margin_)), view_, text_), count,
                           any_touching);
            if (setting) setting->reach = reach();
            if (setting && setting->reach) setting->reach->is_dark = is_dark(lit);
        }
        if (setting) run_setting(*setting, trial_);
    }

    void fail(Tally::Count count, const std::string& what) {
        trial_.fail(count, what, [&] { return text_; });
    }

    Trial& trial_;
    Random& random_;
    const Given given_;
    std::optional<Light> light_;
    double margin_ = 0;
    View view_;
    std::string text_;
};

}  // namespace

void nothing(Trial& trial) { EmptyTrial(trial).run(false); }
void nothing_seen(Trial& trial) { EmptyTrial(trial).run(true); }

}  // namespace properties
