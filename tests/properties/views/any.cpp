#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "properties/any.hpp"
#include "properties/candidates.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/checker.hpp"
#include "properties/views/families.hpp"
#include "support/culling.hpp"

namespace properties {
namespace {

using lanecull::Reason;
using lanecull::View;

// Views.

View some_view() {
    constexpr double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
    View view;
    if (!lanecull::prepare_view(matrix, {}, view)) throw std::logic_error("the usual camera is no view");
    return view;
}

/// Whether the view fails though the clip planes keep their rules, and it does not without them. Planes farther away
/// than any coordinate may move the view's origin there.
bool fails_by_what_is_left(const ViewArguments& arguments, std::string_view message) {
    const auto is_near = [](const lanecull::Plane& plane) {
        const Double3 normal = {plane.normal[0], plane.normal[1], plane.normal[2]};
        return std::fabs(plane.offset) <= 1e30 * length(normal);
    };
    const bool is_rule = message.starts_with("options") || message.starts_with("planes: at most");
    if (arguments.clip_planes.empty() || is_rule || !std::ranges::all_of(arguments.clip_planes, is_near) ||
        !std::ranges::all_of(arguments.planes, is_near)) {
        return false;
    }
    ViewArguments whole = arguments;
    whole.clip_planes.clear();
    View view;
    return whole.prepare(view).ok();
}

/// Some are in the middle of others: inside, then; some are on the way from there to the light, and may be balls.
std::vector<Object> any_points(Random& random, const ViewArguments& arguments) {
    std::vector<Object> points;
    const auto add = [&](const Double3& p, float radius = 0) {
        Object& object = points.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) object.fields[k] = static_cast<float>(p[k]);
        object.fields[3] = radius;
    };
    for (int i = random.below(4); i > 0; --i) add({random.any_double(), random.any_double(), random.any_double()});
    for (int i = random.below(5); i > 0; --i) {
        const Double3 a = arguments.corner(random), b = arguments.corner(random);
        const Double3 between = a + 0.125 * random.below(9) * (b - a);
        add(a);
        add(between);
        add(between + arguments.way_to_light(random, between), random.chance(0.5) ? 0 : random.any_size());
    }
    return points;
}

bool is_moderate(Kind kind, const Object& object, const HullSet& hulls) {
    const auto all_moderate = [](std::span<const float> numbers) { return std::ranges::all_of(numbers, moderate); };
    return all_moderate(std::span(object.fields).first(field_count(kind))) && moderate(object.margin) &&
           all_moderate(object.sweep) &&
           (kind != Kind::hull ||
            std::ranges::all_of(hulls[object.hull], [&](const auto& vertex) { return all_moderate(vertex); }));
}

/// Points and balls that share a point with the view's volume and are culled, or a volume that has points though the
/// view sees nothing.
void check_points(const ViewArguments& arguments, const View& view, Trial& trial) {
    const std::vector<Object> points = any_points(trial.random, arguments);
    if (!arguments.moderate()) return;
    std::optional<ExactView> exact_view;
    if (view.sees_nothing()) {
        exact_view.emplace(arguments);
        if (exact_view->certainly_has_a_point()) {
            trial.fail(Tally::views_small, "it sees nothing, yet has a point", [&] { return arguments.describe(); });
        }
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::sphere, points, {}, memory);
    const Complaint fail{trial, [&] { return arguments.describe(); }, Kind::sphere, points, {}};
    std::vector<const Verdicts*> culled(points.size());
    const auto all = all_verdicts_of(batch, view, all_methods, trial, fail);
    for (const Verdicts& verdicts : all) {
        for (std::size_t i = 0; i < points.size(); ++i) culled[i] = verdicts.visible(i) ? culled[i] : &verdicts;
    }
    const bool is_lit = arguments.light.directional_light || arguments.light.point_light;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_moderate(Kind::sphere, points[i], {}) || points[i].fields[3] < 0) continue;
        if (culled[i] == nullptr && !is_lit) continue;
        if (!exact_view) exact_view.emplace(arguments);
        const bool meets = exact_view->certainly_meets(exact_solid_of(Kind::sphere, points[i], {}));
        trial.at(Tally::oracle_objects) += is_lit;
        trial.at(Tally::oracle_visible) += is_lit && meets;
        if (meets && culled[i] != nullptr) fail(Tally::false_culls, i, *culled[i], "a point in the view is culled");
    }
}

void check_view(Trial& trial) {
    static const View before = some_view();
    const ViewArguments arguments(trial.random);
    View view = before;
    const lanecull::Status status = arguments.prepare(view);
    const lanecull::Message message = status.message();
    const auto fail = [&](const char* what) {
        trial.fail(Tally::untold, what, [&] { return message.text + ("\n" + arguments.describe()); });
    };
    ++trial.at(Tally::cases);
    if (!status) {
        if (std::memcmp(&view, &before, sizeof view) != 0) fail("a failure changes the view");
        if (message[0] == 0) fail("a failure says nothing");
        if (fails_by_what_is_left(arguments, message.text)) fail("clip planes make it fail");
        return;
    }
    ++trial.at(Tally::reached);
    const bool two_lights = arguments.light.directional_light && arguments.light.point_light;
    if (!view.prepared() || two_lights) fail("it succeeds against the rules, or is not prepared");
    check_points(arguments, view, trial);
}

// Objects.

/// Objects of one kind and what they carry, as the library and as the exact oracle take them.
struct AnyObjects {
    Kind kind;
    HullSet hulls;
    std::vector<Object> objects;
    Format format;

    explicit AnyObjects(Random& random) : kind(all_kinds[random.below(std::size(all_kinds))]) {
        hulls = read_hulls(random, kind == Kind::hull);
        format.bounds = random.chance(0.5);
        if (random.chance(0.5)) format.stride_floats = static_cast<std::size_t>(12 + random.below(11));
        objects.resize(static_cast<std::size_t>(1 + (random.below(13) == 0 ? 32 + random.below(41) : random.below(9))));
        for (Object& object : objects) object = read_object(random, kind, hulls.size());
        if (random.below(4) == 0) format.streams = read_streams(random);
        for (Object& object : objects) read_attributes(random, format.streams, object);
    }

    [[nodiscard]] lanecull::Batch batch_of(std::size_t first, std::size_t end, Memory& memory) const {
        return make_batch(kind, std::span(objects).subspan(first, end - first), hulls, memory, format);
    }
    [[nodiscard]] bool is_left_out(std::size_t i, std::uint32_t layers) const {
        return (objects[i].flags & lanecull::object_disabled) != 0 ||
               (format.streams.layers && (objects[i].layers & layers) == 0);
    }
};

/// What exact arithmetic can decide in little time.
class Expectation {
public:
    Expectation(const ViewArguments& arguments, const View& view, const AnyObjects& of)
        : arguments_(arguments), of_(of), boxes_(boxes_around(of.hulls)) {
        if (!arguments.moderate()) return;
        exact_view_.emplace(arguments);
        if (exact_view_->volume() != nullptr) checker_.emplace(*exact_view_->volume(), view);
    }

    [[nodiscard]] bool must_be_visible(std::size_t i) const {
        const Object& object = of_.objects[i];
        if (of_.is_left_out(i, arguments_.layer_mask)) return false;
        if ((object.flags & lanecull::object_always_visible) != 0 || is_invalid(of_.kind, object)) return true;
        if (!exact_view_ || !is_moderate(of_.kind, object, of_.hulls)) return false;
        const bool has_scale = arguments_.has_own_eye() || arguments_.size_scale != 0;
        if (has_scale && object.min_projected_size != 0) return false;
        const exact::Solid solid = exact_solid_of(of_.kind, object, of_.hulls);
        return !may_be_too_far(solid, object.max_distance) && !may_be_too_near(object) &&
               exact_view_->certainly_meets(solid);
    }

    [[nodiscard]] bool may_be_proved_by(const lanecull::Certificate& certificate, std::size_t i) {
        const bool by_shape = certificate.reason == Reason::culled_plane || certificate.reason == Reason::culled_gjk;
        if (!by_shape || !checker_ || !is_moderate(of_.kind, of_.objects[i], of_.hulls)) return true;
        return checker_->proves(certificate, of_.kind, of_.objects[i], of_.hulls);
    }

private:
    [[nodiscard]] bool has_eye() const { return arguments_.eye || arguments_.has_own_eye(); }
    /// Whether it is not known here where a distance is from, or the oracle takes long for it.
    [[nodiscard]] bool is_not_asked(float limit) const { return !arguments_.eye || !moderate(limit) || limit < 0; }
    /// Whether the solid has a point no farther from the eye than that.
    [[nodiscard]] bool reaches_into(const exact::Solid& solid, double distance) const {
        const exact::Point eye[] = {exact::point((*arguments_.eye)[0], (*arguments_.eye)[1], (*arguments_.eye)[2])};
        const exact::Volume near = exact::Volume::hull(eye).widened(exact::rational(distance));
        return decide(solid, near).verdict == exact::Verdict::visible;
    }
    [[nodiscard]] bool may_be_too_far(const exact::Solid& solid, float most) const {
        if (most == HUGE_VALF || !has_eye()) return false;
        return is_not_asked(most) || !reaches_into(solid, static_cast<double>(most));
    }
    /// A hull's distance is its box's. The view's margin makes objects larger.
    [[nodiscard]] bool may_be_too_near(const Object& object) const {
        const float least = object.min_distance;
        if (least == 0 || !has_eye()) return false;
        return is_not_asked(least) ||
               reaches_into(exact_solid_of(of_.kind, object, boxes_), static_cast<double>(least) + arguments_.margin);
    }

    const ViewArguments& arguments_;
    const AnyObjects& of_;
    const HullSet boxes_;
    std::optional<ExactView> exact_view_;
    std::optional<Checker> checker_;
};

/// The objects in three batches, one after the other, some of which may be empty; only some of them are candidates.
void check_parts(const AnyObjects& of, const ViewArguments& arguments, const View& view, Trial& trial) {
    const std::size_t count = of.objects.size();
    const auto cut = [&](std::size_t from) {
        return from + static_cast<std::size_t>(trial.random.below(static_cast<int>(count - from + 1)));
    };
    const std::size_t first = cut(0), second = cut(first);
    HeapMemory memory;
    const std::size_t begin[] = {0, first, second};
    const lanecull::Batch batches[] = {of.batch_of(0, first, memory), of.batch_of(first, second, memory),
                                       of.batch_of(second, count, memory)};
    const auto object = [&](std::size_t b, std::size_t i) -> const Object& { return of.objects[begin[b] + i]; };
    // Products with a view's numbers may overflow as well.
    const bool is_moderate_view = arguments.moderate();
    check_candidates(
        std::span<const lanecull::Batch>(batches), view, all_methods, trial,
        [&](std::size_t b, std::size_t i) { return is_moderate_view && !products_may_overflow(of.kind, object(b, i)); },
        [&](std::size_t b, std::size_t i) {
            return arguments.describe() + "\n" + describe(of.kind, object(b, i), of.hulls);
        });
}

void check_objects(Trial& trial) {
    const ViewArguments arguments(trial.random);
    View view;
    if (!arguments.prepare(view)) return;
    const AnyObjects of(trial.random);
    check_parts(of, arguments, view, trial);

    HeapMemory memory;
    const lanecull::Batch batch = of.batch_of(0, of.objects.size(), memory);
    const Complaint fail{trial, [&] { return arguments.describe(); }, of.kind, of.objects, of.hulls};
    Expectation expectation(arguments, view, of);
    std::vector<const Verdicts*> culled(of.objects.size());
    const std::vector<Verdicts> all = all_verdicts_of(batch, view, all_methods, trial, fail);
    for (const Verdicts& verdicts : all) {
        for (std::size_t i = 0; i < of.objects.size(); ++i) {
            if (verdicts.visible(i)) {
                if (of.is_left_out(i, arguments.layer_mask)) {
                    fail(Tally::untold, i, verdicts, "disabled or on no layer, yet visible");
                }
                continue;
            }
            culled[i] = &verdicts;
            if (!expectation.may_be_proved_by(verdicts.certificates[i], i)) {
                fail(Tally::unproved, i, verdicts, "its certificate proves nothing");
            }
        }
    }
    for (std::size_t i = 0; i < of.objects.size(); ++i) {
        ++trial.at(Tally::cases);
        if (culled[i] == nullptr) continue;
        ++trial.at(Tally::reached);
        if (expectation.must_be_visible(i)) fail(Tally::false_culls, i, *culled[i], "in the view, yet culled");
    }
}

template <void (*check)(Trial&), std::size_t share>
void repeat(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n < std::max<std::size_t>(trial.plan.objects / share, 1) && !trial.stopped(); ++n)
        check(trial);
}

}  // namespace

void any_views(Trial& trial) { repeat<check_view, 4>(trial); }
void any_objects_in_any_views(Trial& trial) { repeat<check_objects, 8>(trial); }

}  // namespace properties
