#include "view/caster_volume.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <lanecull/view.h>

#include "base/fixed_list.hpp"
#include "base/interval.hpp"
#include "view/edges.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/planes.hpp"
#include "view/planes_around.hpp"
#include "view/polytope_support.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

// The axis that depth is counted along.

/// The point nearest to 0 of the hull of these points, nearly: from their mean towards whichever point is worst, as far
/// as it helps. Of directions of length 1 it is the one closest to all of them. Ends once `share` of its distance is
/// reached along its own direction by all of the hull, or as soon as the point is within `near_enough`. (Frank and
/// Wolfe, An algorithm for quadratic programming, 1956.)
Double3 nearest_to_zero(std::span<const Double3> points, double share, double near_enough = 0) {
    constexpr int steps = 24;
    Double3 p{};
    for (const Double3& d : points) p = p + d * (1.0 / static_cast<double>(points.size()));
    for (int k = 0; k < steps; ++k) {
        double least = HUGE_VAL;
        Double3 worst{};
        for (const Double3& d : points) {
            const double along = dot(p, d);
            if (along < least) least = along, worst = d;
        }
        const double size = length_squared(p);
        if (size <= near_enough * near_enough || least >= share * size) break;
        const Double3 way = worst - p;
        p = p + way * std::fmin(1, (size - least) / length_squared(way));
    }
    return p;
}

/// Whether all of these directions, of length 1, lead along `forward` by so much at least.
bool all_lead(std::span<const Double3> directions, const Double3& forward, double least) {
    const double size = length(forward);
    return size > 0 && std::all_of(directions.begin(), directions.end(),
                                   [&](const Double3& d) { return dot(d, forward) >= least * size; });
}

/// The largest if there are fewer.
double fourth_least(std::span<const double> numbers) {
    double least[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};  // in order
    for (double x : numbers) {
        for (double& y : least) {
            const double smaller = std::min(x, y);
            x = std::max(x, y), y = smaller;
        }
    }
    return least[std::min<std::size_t>(3, numbers.size() - 1)];
}

/// Directions in which the caster volume goes on for ever, then those in which it is far larger than at its near end.
/// Depth along which all of them lead keeps what is far away out of the bound of what is near.
class FarDirections {
public:
    FarDirections(const Receivers& receivers, const Light& light) {
        for (const Generator& g : receivers.generators) {
            if (g.is_ray()) add(middle(g.p));
        }
        if (light.is_directional && light.endless) add(middle(light.way));
        endless_ = count_;
        double distance[Generators::capacity];
        std::size_t points = 0;
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) distance[points++] = length(middle(g.p));
        }
        if (points == 0) return;
        const double near = fourth_least({distance, points});
        const auto add_if_far = [&](const Double3& p, double size) {
            if (size > 8 * near) add(p);
        };
        points = 0;
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) add_if_far(middle(g.p), distance[points++]);
        }
        without_light_ = count_;
        if (!light.is_directional) add_if_far(middle(light.at), length(middle(light.at)));
        if (light.is_directional && !light.endless) add_if_far(middle(light.way), length(middle(light.way)));
    }

    /// See choose_caster_depth().
    [[nodiscard]] bool choose(const Double3& given, Double3& forward) const {
        for (const std::size_t count : {count_, without_light_, endless_}) {
            if (count == 0) continue;
            forward = nearest_to_zero({directions_, count}, 0.9);
            if (all_lead({directions_, count}, forward, 0.05)) return true;
        }
        forward = given;
        return endless_ == 0;
    }

private:
    void add(const Double3& direction) { directions_[count_++] = normalized(direction); }

    Double3 directions_[Generators::capacity + 2];
    std::size_t count_ = 0, endless_ = 0, without_light_ = 0;
};

/// Depth's direction: along as many as possible of the directions in which the volume goes on for ever, or is far
/// larger than at its near end; the receivers' own where there are none. False where even the endless ones have nothing
/// in common: no depth limits the volume.
bool choose_caster_depth(const Receivers& receivers, const Light& light, Double3& forward) {
    return FarDirections(receivers, light).choose(receivers.forward, forward);
}

// How far a point light reaches.

/// Whether V is farther from the light than its range, for certain: behind one of its own planes as seen from there, or
/// along the way to its nearest point. The light is at `at`.
bool out_of_range(const Receivers& receivers, const HalfSpacesInLight& in_light, const ViewOptions& options,
                  const Interval3& at) {
    const double reach = reach_of(options);
    if (!std::isfinite(reach) || in_light.hold_light()) return false;
    const auto farther = [&](const Interval3& n, double distance) {
        return distance > reach * (length(middle(n)) * (1 + 0x1p-40));
    };
    bool may_be_inside = receivers.half_spaces_suffice;
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        if (!in_light.touches(k) || in_light.at_light(k).hi >= 0) continue;
        if (farther(receivers.half_spaces[k].linear, -in_light.at_light(k).hi)) return true;
        may_be_inside = false;
    }
    if (may_be_inside || receivers.generators.empty()) return false;
    Double3 ways[Generators::capacity];
    std::size_t count = 0;
    for (const Generator& g : receivers.generators) {
        if (!g.is_ray()) ways[count++] = middle(g.p + -at);
    }
    const Interval3 n = exactly(nearest_to_zero({ways, count}, 0.999, reach));
    double least = HUGE_VAL;
    for (const Generator& g : receivers.generators) {
        const double along = dot(n, g.is_ray() ? g.p : g.p + -at).lo;
        least = g.is_ray() ? (along < 0 ? -HUGE_VAL : least) : std::fmin(least, along);
    }
    return farther(n, least);
}

// Planes.

/// Whether the light is on the outer side of one of V's half-spaces. `at_light` is the half-space's value at a point
/// light, or the part of a directional light's way along its normal. Of a point light that must be certain, of a
/// directional light it is enough that it may be.
bool sees(const Light& light, Interval at_light) { return light.is_directional ? at_light.lo < 0 : at_light.hi < 0; }

/// V's own half-space as one of the caster volume: pushed out by as much as the sweep leaves it. False where it would
/// be none, or one that other planes make better.
bool loosen(const Light& light, Interval at_light, bool corners_known, Affine& f) {
    const bool gone = light.is_directional ? light.endless : corners_known;
    if (gone && sees(light, at_light)) return false;
    f.constant = f.constant + Interval(std::fmax(0, -at_light.lo));
    return true;
}

/// The points and rays that touching planes are proved against. A sweep that ends is added to a plane's offset instead.
class Touching {
public:
    Touching(const Receivers& receivers, const Light& light, const Double3& forward)
        : light_(light),
          forward_(forward),
          joined_(receivers.generators),
          known_(!receivers.generators.empty() && add_light()),
          hull_(joined_.all()) {}

    /// The light must be among them.
    [[nodiscard]] bool known() const { return known_; }
    [[nodiscard]] std::span<const Generator> all() const { return joined_.all(); }

    void add_plane_to(PlanesAround& planes, const Double3& normal) const {
        Affine f;
        if (!touching_plane(normal, forward_, hull_, f)) return;
        if (light_.ends()) f.constant = f.constant + Interval(std::fmax(0, -dot(f.linear, light_.way).lo));
        planes.add(f);
    }

private:
    /// The volume's shadow's side has no end where the light's way has none: its facets go along that.
    bool add_light() {
        if (!light_.is_directional) return joined_.add({light_.at, 1.0, 0});
        return !light_.endless || joined_.add({light_.way, 0.0, 0});
    }

    const Light& light_;
    Double3 forward_;
    LitGenerators joined_;
    bool known_;
    HullSupport hull_;
};

/// The facets of a volume whose edges are not known. Whatever is taken for one makes a sound plane: it touches the
/// volume from outside. False if the hull is flat or too large.
bool search_facets(const Receivers& receivers, const Light& light, const Touching& touching, PlanesAround& planes) {
    LitGenerators facing(touching.all());
    bool fits = true;
    if (light.ends()) fits = facing.add({light.way, 0.0, 0}) && fits;
    if (!fits) return false;
    const auto add = [&](const Double3& normal) { touching.add_plane_to(planes, normal); };
    bool solid = true;
    if (light.ends() && !receivers.half_spaces_suffice) solid = for_each_facet(receivers.generators, add);
    return for_each_facet(facing.all(), add) && solid;
}

/// False if V's edges are not known, or make too many facets.
bool find_lit_facets(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                     LitFacets& lit) {
    if (!in_light.edges_known()) return false;
    FixedList<FacetInLight, PreparedView::max_planes + LightLimits::capacity> facets;
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        FacetInLight facet = {middle(receivers.half_spaces[k].linear)};
        if (in_light.touches(k)) {
            facet.at_light = in_light.at_light(k).mid();
            facet.seen = sees(light, in_light.at_light(k));
        }
        static_cast<void>(facets.add(facet));  // there is room for all
    }
    return lit.find(facets.all(), in_light.incidence(), light.is_directional, light.ends());
}

/// Finds those of add_caster_planes(), and returns whether they are all.
bool find_planes(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                 const Interval3x3& rotation, LitFacets& lit, PlanesAround& planes) {
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        if (!in_light.touches(k)) continue;
        Affine f = receivers.half_spaces[k];
        if (loosen(light, in_light.at_light(k), !receivers.generators.empty(), f)) planes.add(f);
    }
    if (in_light.hold_light()) {
        if (lit.wants_edges()) static_cast<void>(find_lit_facets(receivers, in_light, light, lit));
        return !planes.incomplete();
    }
    const Double3 axes[3] = {middle(rotation.row[0]), middle(rotation.row[1]), middle(rotation.row[2])};
    const Touching touching(receivers, light, axes[2]);
    if (!touching.known()) return false;
    if (find_lit_facets(receivers, in_light, light, lit)) {
        for (const Double3& normal : lit.normals()) touching.add_plane_to(planes, normal);
        return !planes.incomplete();
    }
    const bool solid = search_facets(receivers, light, touching, planes);
    for (int k = 0; k < 3 && !solid; ++k) {
        touching.add_plane_to(planes, axes[k]);
        touching.add_plane_to(planes, axes[k] * -1);
    }
    return solid && !planes.incomplete();
}

/// A box around the volume where it matters, to choose planes by.
void bounds_of(const Receivers& receivers, const Light& light, Double3& low, Double3& high) {
    bool first = true;
    const auto add = [&](const Double3& p) {
        if (first) low = high = p;
        first = false;
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    };
    for (const Generator& g : receivers.generators) {
        if (!g.is_ray()) add(middle(g.p));
    }
    if (first) add({});
    const double size = length(high - low);
    const Double3 from = (low + high) * 0.5;
    const auto add_way = [&](const Double3& way) { add(low + way), add(high + way); };
    for (const Generator& g : receivers.generators) {
        if (g.is_ray()) add(from + normalized(middle(g.p)) * (100 * size));
    }
    if (!light.is_directional) return add(middle(light.at));
    const double reach = length(middle(light.way));
    if (reach > 0) add_way(middle(light.way) * (light.endless ? size / reach : std::fmin(1, 2 * size / reach)));
}

/// Adds the planes of the volume of casters: those of V, moved out or left alone, and those along the light's
/// silhouette. `lit` finds these, and the volume's edges, where V's are known. Returns whether they are all planes of
/// the volume.
bool add_caster_planes(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                       const Interval3x3& rotation, LitFacets& lit, PreparedView& view) {
    PlanesAround planes;
    const bool complete = find_planes(receivers, in_light, light, rotation, lit, planes);
    Double3 low, high;
    if (planes.are_sorted()) bounds_of(receivers, light, low, high);
    planes.put_into(view, rotation, low, high);
    return complete;
}

// The support mapping.

/// A directional light's way in view space. Polytopes alone are swept. Where depth does not grow along an endless way,
/// nothing would limit it.
struct Sweep {
    Interval3 way;
    double size;    ///< 0: the volume is not swept
    float inverse;  ///< how much of the way a unit of depth takes, at most; 0: depth does not grow
    bool works;

    Sweep(const Light& light, const Interval3x3& rotation)
        : way(rotation * light.way), size(way.largest()), inverse(0), works(way.finite() && size <= coordinate_limit) {
        const double deeper = way.in_z().lo;
        if (deeper > 0.01 * size) inverse = float_up(1 / deeper * (1 + 0x1p-40));
        if (!(inverse < HUGE_VALF)) inverse = 0;
        works = works && !(light.endless && size > 0 && inverse == 0);
    }

    void describe(const Light& light, PreparedView& view) const {
        if (size == 0) return;
        view.is_swept = 1;
        view.sweep[0] = static_cast<float>(way.x);
        view.sweep[1] = static_cast<float>(way.y);
        view.sweep[2] = static_cast<float>(way.z);
        view.sweep_limit = light.endless ? HUGE_VALF : 1.0f;
        view.sweep_magnitude = float_up(size * (1 + 0x1p-20));
        view.sweep_inverse = inverse;
        if (inverse > 0) return;
        const double back = std::max(0.0, -way.in_z().lo);
        view.near_depth = float_down(next_down(static_cast<double>(view.near_depth) - back));
    }
};

/// Fills in the support mapping of the volume of casters. Does nothing where its corners are not known well enough, or
/// where nothing limits its sweep: planes alone decide then.
void describe_caster_support(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                             const Interval3x3& rotation, PreparedView& view) {
    const auto describe = [&](std::span<const Generator> generators) {
        return receivers.half_spaces_suffice ? describe_if_known_well(generators, rotation, view)
                                             : describe_polytope(generators, rotation, view);
    };
    if (light.is_directional) {
        const Sweep sweep(light, rotation);
        if (sweep.works && describe(receivers.generators)) sweep.describe(light, view);
        return;
    }
    if (in_light.hold_light()) {
        describe(receivers.generators);
        return;
    }
    Generators joined(receivers.generators);
    if (joined.add({light.at, 1.0, 0})) describe(joined.all());
}

/// The outlines of all that the volume is the hull of.
void outline_casters(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                     std::span<const FacetPair> edges, PreparedView& view) {
    if (in_light.hold_light()) return describe_outlines(receivers.generators, edges, view);
    Generators all(receivers.generators);
    bool fits = true;
    if (!light.is_directional) {
        fits = all.add({light.at, 1.0, 0}) && fits;
    } else if (light.endless) {
        fits = all.add({light.way, 0.0, 0}) && fits;
    } else {
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) fits = all.add({g.p + light.way, 1.0, 0}) && fits;
        }
    }
    if (fits) describe_outlines(all.all(), edges, view);
}

}  // namespace

void limit_range(const PointLight& point_light, PreparedView& view) {
    const double range = range_of(point_light);
    if (!(range <= coordinate_limit)) return;
    choose_origin({point_light.at[0], point_light.at[1], point_light.at[2]}, view.light);
    double off = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double hi = static_cast<double>(view.light.origin_hi[k]),
                     lo = static_cast<double>(view.light.origin_lo[k]);
        off = std::fmax(off, std::fabs((point_light.at[k] - hi) - lo));
    }
    view.light_error = apex_error_of(off, view.light);
    view.light_range = float_up(range);
}

void describe_casters(const Receivers& receivers, const ViewOptions& options, const Interval3& c, PreparedView& view) {
    view.of_casters = 1;
    const Light light = light_of(options, c);
    const HalfSpacesInLight in_light(receivers, light);
    if (!light.is_directional && out_of_range(receivers, in_light, options, light.at)) return describe_nothing(view);
    Double3 forward;
    const bool supported = choose_caster_depth(receivers, light, forward) && !receivers.generators.empty();
    const Interval3x3 rotation = choose_rotation_along(forward, view.frame);

    const bool outlined = options.margin == 0;
    LitFacets lit(outlined);
    const bool complete = add_caster_planes(receivers, in_light, light, rotation, lit, view);
    view.planes_suffice = complete;
    if (view.plane_count == 0) view.plane_count = 1;  // of no effect
    pad_planes(view);
    if (complete && outlined) outline_casters(receivers, in_light, light, lit.edges(), view);
    if (supported) describe_caster_support(receivers, in_light, light, rotation, view);
    if (!light.is_directional) limit_range(*options.point_light, view);
}

void describe_casters(const LitPart& lit, const Double3& forward, const ViewOptions& options, const Interval3& c,
                      PreparedView& view) {
    view.of_casters = 1;
    if (lit.unlit()) return describe_nothing(view);
    describe_casters({lit.half_spaces(), true, lit.corners(), forward}, options, c, view);
}

}  // namespace lanecull
