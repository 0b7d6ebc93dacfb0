/// Views that are given without a matrix: the hull of eight corners, the intersection of half-spaces, and a ball.

#include <lanecull/view.h>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/fixed_list.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "view/caster_volume.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/planes.hpp"
#include "view/polytope_support.hpp"
#include "view/receivers.hpp"

namespace lanecull {
namespace {

/// Where a volume's origin and depth axis are put. Floats must be finest at the volume's small end, so the origin is
/// near the corner that has other corners closest around it.
struct Placement {
    Double3 origin;
    Double3 forward = {0, 0, 1};
};

/// Finds the corner whose three nearest neighbours are closest. The origin is the mean of these four corners (or
/// fewer). `forward` leads from there to the mean of the others, or along the rays.
Placement place(std::span<const Generator> generators) {
    Double3 points[Generators::capacity], rays{};
    std::size_t count = 0;
    for (const Generator& g : generators) {
        if (g.is_ray()) {
            rays = rays + normalized(middle(g.p));
        } else {
            points[count++] = middle(g.p);
        }
    }
    const std::size_t near_count = std::min<std::size_t>(count, 4);
    double least = HUGE_VAL;
    Double3 near{}, rest{};
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t order[Generators::capacity];
        for (std::size_t j = 0; j < count; ++j) order[j] = j;
        const auto distance = [&](std::size_t j) { return length(points[j] - points[i]); };
        std::partial_sort(order, order + near_count, order + count,
                          [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
        double sum = 0;
        Double3 inner{}, outer{};
        for (std::size_t j = 0; j < count; ++j) {
            if (j < near_count) sum += distance(order[j]);
            Double3& side = j < near_count ? inner : outer;
            side = side + points[order[j]];
        }
        if (!(sum < least)) continue;
        least = sum;
        near = inner * (1.0 / static_cast<double>(near_count));
        rest = count > near_count ? outer * (1.0 / static_cast<double>(count - near_count)) : near;
    }
    Placement placement{near, rest - near};
    if (length(rays) > 0) placement.forward = rays;
    if (!(length(placement.forward) > 0)) placement.forward = {0, 0, 1};
    return placement;
}

/// Whether the points are known well enough to choose an origin by them.
bool known_where(std::span<const Generator> generators) {
    double farthest = 0;
    for (const Generator& g : generators) {
        if (!g.is_ray()) farthest = std::fmax(farthest, largest_component(middle(g.p)));
    }
    return blur(generators) <= std::fmax(0x1p-10 * extent(generators), 0x1p-30 * farthest);
}

/// Makes the generators relative to c. They are no more than before, so they fit.
void move_to(const Interval3& c, Generators& generators) {
    const Generators before = generators;
    generators.clear();
    for (Generator g : before.all()) {
        if (!g.is_ray()) g.p = g.p + -c;
        static_cast<void>(generators.add(g));
    }
}

/// Half-spaces as they were given, in world coordinates.
struct WorldPlanes {
    Affine f[PreparedView::max_planes];
    const Plane* given[PreparedView::max_planes];
    std::uint32_t count = 0;

    Status add(std::span<const Plane> planes, const char* name) {
        for (std::size_t i = 0; i < planes.size(); ++i) {
            given[count] = &planes[i];
            if (Status status = read_plane(planes[i], name, i, f[count++]); !status) return status;
        }
        return {};
    }

    [[nodiscard]] WorldPlanes about(const Interval3& c) const {
        WorldPlanes moved = *this;
        for (std::uint32_t k = 0; k < count; ++k) moved.f[k] = f[k].about(c);
        return moved;
    }
    [[nodiscard]] std::span<const Affine> all() const& { return {f, count}; }
    std::span<const Affine> all() const&& = delete;  // of planes that are gone by then

    /// The mean of each plane's point nearest to 0: a place where the planes matter.
    [[nodiscard]] Double3 center() const {
        Double3 sum{};
        for (const Affine& plane : all()) sum = sum + middle(plane.linear) * -plane.constant.mid();
        return sum * (1.0 / count);
    }

    /// Whether two or three of them have no point in common, for certain: such as corners do not show.
    [[nodiscard]] bool any_exclude_one_another() const {
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                if (exclude_each_other(*given[i], *given[j])) return true;
                for (std::uint32_t k = 0; k < j; ++k) {
                    if (exclude_one_another(*given[i], *given[j], *given[k])) return true;
                }
            }
        }
        return false;
    }

private:
    /// Farkas: planes of which a sum of multiples with `weights`, none of them below 0 or none above, has no normal,
    /// and an offset of the other sign.
    template <std::size_t n>
    static bool prove_empty(const Interval (&weights)[n], const Plane* const (&planes)[n]) {
        Interval sum = 0.0;
        bool any_below = false, any_above = false;
        for (std::size_t i = 0; i < n; ++i) {
            sum = sum + weights[i] * Interval(planes[i]->offset);
            any_below = any_below || !(weights[i].lo >= 0);
            any_above = any_above || !(weights[i].hi <= 0);
        }
        return sum.finite() && ((!any_below && sum.hi < 0) || (!any_above && sum.lo > 0));
    }

    /// Back to back; or along one axis.
    static bool exclude_each_other(const Plane& a, const Plane& b) {
        if (std::equal(a.normal, a.normal + 3, b.normal, [](double x, double y) { return x == -y; })) {
            return prove_empty({1.0, 1.0}, {&a, &b});
        }
        const auto is_along = [](const Plane& p, std::size_t u, std::size_t v) {
            return p.normal[u] == 0 && p.normal[v] == 0;
        };
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
            if (!is_along(a, u, v) || !is_along(b, u, v)) continue;
            return prove_empty({Interval(b.normal[k]), Interval(-a.normal[k])}, {&a, &b});
        }
        return false;
    }

    /// Around one axis.
    static bool exclude_one_another(const Plane& a, const Plane& b, const Plane& c) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (a.normal[k] != 0 || b.normal[k] != 0 || c.normal[k] != 0) continue;
            const auto area = [&](const Plane& p, const Plane& q) {
                const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
                return Interval(p.normal[u]) * Interval(q.normal[v]) - Interval(p.normal[v]) * Interval(q.normal[u]);
            };
            if (prove_empty({area(b, c), area(c, a), area(a, b)}, {&a, &b, &c})) return true;
        }
        return false;
    }
};

/// The half-spaces that cut a hull: clip planes, then the limits of the light; or a ball's cube, then clip planes.
using Cuts = FixedList<Affine, PreparedView::max_planes + LightLimits::capacity>;

void add_all(std::span<const Affine> half_spaces, Cuts& cuts) {
    for (const Affine& f : half_spaces) static_cast<void>(cuts.add(f));  // there is room for all
}

/// Encloses the volume, where it has corners that can be enclosed, or finds that it has no point for certain.
Enclosed enclose(const WorldPlanes& planes, Generators& corners) {
    const Enclosed enclosed = enclose(planes.all(), corners);
    return enclosed != Enclosed::empty && planes.any_exclude_one_another() ? Enclosed::empty : enclosed;
}

Status prepare_corners(std::span<const double, 24> corners, const ViewOptions& options, PreparedView& view) {
    Generators hull;
    for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(std::fabs(corners[3 * i + k]) <= coordinate_limit)) {
                return failure("corners: number %zu of corner %zu is not a finite one up to 1e30", k, i);
            }
        }
        // All bits are set, for an edge may join any two corners. Eight fit.
        static_cast<void>(
            hull.add({exactly({corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]}), 1.0, ~std::uint32_t{0}}));
    }
    WorldPlanes limits;
    if (Status status = limits.add(options.clip_planes, "options.clip_planes"); !status) return status;

    const Placement placement = place(hull.all());
    const Interval3 c = choose_origin(placement.origin, view.frame);
    move_to(c, hull);
    const Generators whole = hull;
    const WorldPlanes seen = limits.about(c);
    LightLimits light;
    if (Status status = light.add(options, c); !status) return status;
    view.of_casters = casts_shadows(options);
    Cuts cuts;
    add_all(seen.all(), cuts);
    add_all(light.all(), cuts);
    if (!clip_where_known(cuts.all(), 0, hull)) {
        describe_nothing(view);
        return {};
    }
    if (casts_shadows(options)) {
        describe_casters({seen.all(), false, hull.all(), placement.forward}, options, c, view);
        return {};
    }
    const Interval3x3 rotation = choose_rotation_along(placement.forward, view.frame);
    // What clip planes leave may be known too badly; then it is described without them.
    if (!describe_polytope(hull.all(), rotation, view) && !describe_polytope(whole.all(), rotation, view)) {
        return failure("corners: too far apart to be told from one another");
    }
    const NormalsInView into_view(rotation);
    for (const Affine& limit : seen.all()) {
        if (!add_plane(limit, into_view, view)) return failure("options.clip_planes: too far away");
    }
    add_hull_planes(hull.all(), rotation, view);
    pad_planes(view);
    return {};
}

Status prepare_planes(std::span<const Plane> planes, const ViewOptions& options, PreparedView& view) {
    if (planes.empty()) return failure("planes: there must be at least one");
    if (planes.size() + options.clip_planes.size() > PreparedView::max_planes) {
        return failure("planes: at most %u, those of the options included, not %zu", PreparedView::max_planes,
                       planes.size() + options.clip_planes.size());
    }
    WorldPlanes world;
    if (Status status = world.add(planes, "planes"); !status) return status;
    if (Status status = world.add(options.clip_planes, "options.clip_planes"); !status) return status;

    // The volume is enclosed twice: first to see where it lies, then relative to the origin that was chosen there.
    Generators corners;
    const Enclosed enclosed = enclose(world, corners);
    const bool is_empty = enclosed == Enclosed::empty;
    Placement placement{world.center()};
    if (enclosed == Enclosed::whole && known_where(corners.all())) placement = place(corners.all());
    const Interval3 c = choose_origin(placement.origin, view.frame);
    const WorldPlanes seen = world.about(c);
    if (casts_shadows(options)) {
        LitPart lit;
        const Status status = is_empty ? lit.enclose_nothing(options) : lit.enclose(seen.all(), {}, options, c);
        if (status) describe_casters(lit, placement.forward, options, c, view);
        return status;
    }
    const Interval3x3 rotation = choose_rotation_along(placement.forward, view.frame);
    const NormalsInView into_view(rotation);
    for (const Affine& plane : seen.all()) {
        if (!add_plane(plane, into_view, view)) return failure("planes: too far away");
    }
    if (view.plane_count == 0) return failure("planes: they limit nothing");
    pad_planes(view);
    view.planes_suffice = view.inside_known = 1;
    if (is_empty) {
        describe_nothing(view);
        return {};
    }
    describe_by_corners(seen.all(), rotation, view);
    return {};
}

/// Whether the half-spaces, functions of points relative to the ball's middle or nearly, have no point of it in common
/// with the cube around it; or one of them none with the ball.
bool leave_nothing_of_ball(const LightLimits& ball, std::span<const Affine> half_spaces, double radius) {
    const auto excludes = [&](const Affine& f) { return ball.at_middle(f).hi < -radius * (1 + 0x1p-40); };
    if (std::any_of(half_spaces.begin(), half_spaces.end(), excludes)) return true;
    Cuts cuts;
    add_all(ball.cube(), cuts);
    const std::uint32_t first = cuts.size();
    add_all(half_spaces, cuts);
    Generators corners;
    return ball.cube_corners(0, corners) && !clip_where_known(cuts.all(), first, corners);
}

/// The planes of the cube around the ball, and the distance from its middle, which decides.
Status prepare_ball(std::span<const double, 3> center, double radius, const ViewOptions& options, PreparedView& view) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(std::fabs(center[k]) <= coordinate_limit)) {
            return failure("center: number %zu is not a finite one up to 1e30", k);
        }
    }
    if (!(radius > 0 && radius <= coordinate_limit)) return failure("radius: %g is not above 0, up to 1e30", radius);
    if (casts_shadows(options)) return failure("options: a ball has no light");
    WorldPlanes planes;
    if (Status status = planes.add(options.clip_planes, "options.clip_planes"); !status) return status;

    view.sight = sight_from(center.data());
    const Interval3 c = choose_origin({center[0], center[1], center[2]}, view.frame);
    const Interval3x3 rotation = choose_rotation({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, view.frame);
    const NormalsInView into_view(rotation);
    const PointLight point_light = {{center[0], center[1], center[2]}, radius};
    LightLimits limits;
    if (Status status = limits.add({.point_light = &point_light}, c); !status) return status;
    for (const Affine& side : limits.cube()) {
        if (!add_plane(side, into_view, view)) return failure("radius: too large");
    }
    const WorldPlanes cuts = planes.about(c);
    for (const Affine& limit : cuts.all()) {
        if (!add_plane(limit, into_view, view)) return failure("options.clip_planes: too far away");
    }
    pad_planes(view);
    limit_range(point_light, view);
    if (leave_nothing_of_ball(limits, cuts.all(), radius)) describe_nothing(view);
    return {};
}

/// What is the same in preparing all of these views. They have no eye of their own.
template <class Describe>
Status prepare(const ViewOptions& options, View* view, const Describe& describe) {
    const FloatModes modes;
    if (Status status = check_not_null(view, "view"); !status) return status;
    PreparedView prepared;
    if (Status status = check_options(options); !status) return status;
    if (Status status = describe(options, prepared); !status) return status;
    Eye none;
    none.sight = prepared.sight;  // a ball's
    finish(options, none, prepared);
    set_prepared(*view, prepared);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_prepare_view_from_corners(const double* corners, const lanecull_view_options* options,
                                                   lanecull_view* view) noexcept {
    if (Status status = check_not_null(corners, "corners"); !status) return status;
    return prepare(or_usual(options), view, [&](const ViewOptions& of, PreparedView& prepared) {
        return prepare_corners(std::span<const double, 24>(corners, 24), of, prepared);
    });
}

lanecull_status lanecull_prepare_view_from_planes(const lanecull_plane* planes, size_t plane_count,
                                                  const lanecull_view_options* options, lanecull_view* view) noexcept {
    const Span<const Plane> all = {planes, plane_count};
    if (Status status = check_span(all, "planes"); !status) return status;
    return prepare(or_usual(options), view,
                   [&](const ViewOptions& of, PreparedView& prepared) { return prepare_planes(all, of, prepared); });
}

lanecull_status lanecull_prepare_view_from_ball(const double* center, double radius,
                                                const lanecull_view_options* options, lanecull_view* view) noexcept {
    if (Status status = check_not_null(center, "center"); !status) return status;
    return prepare(or_usual(options), view, [&](const ViewOptions& of, PreparedView& prepared) {
        return prepare_ball(std::span<const double, 3>(center, 3), radius, of, prepared);
    });
}
