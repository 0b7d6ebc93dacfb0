#include "view/casters.hpp"

#include <algorithm>
#include <cmath>

#include "view/facets.hpp"
#include "view/frame.hpp"
#include "view/lit_facets.hpp"
#include "view/planes.hpp"
#include "view/polytope_support.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

constexpr double infinity = HUGE_VAL;

/// The way that V is swept by, or the lamp that it is joined with.
struct Light {
    bool is_sun = false;
    bool endless = false;  ///< the sun's reach
    Interval3 way;         ///< the sun's: all of it, or of length 1 or so where it is endless
    Interval3 at;          ///< the lamp's place

    [[nodiscard]] bool ends() const { return is_sun && !endless && largest_component(middle(way)) > 0; }
};

Light light_of(const ViewOptions& options, const Interval3& c) {
    Light light;
    if (options.sun == nullptr) {
        const double* at = options.lamp->at;
        light.at = exactly({at[0], at[1], at[2]}) + -c;
        return light;
    }
    const Double3 toward = {options.sun->toward[0], options.sun->toward[1], options.sun->toward[2]};
    light.is_sun = true;
    light.endless = std::isinf(options.sun->reach);
    light.way = exactly(toward) * (light.endless ? 1 / length(toward) : options.sun->reach);
    return light;
}

// The depth axis.

/// The point nearest to 0 of the hull of these points, nearly: from their mean towards whichever point is worst, as far
/// as it helps. Of directions of length 1 it is the one closest to all of them. Ends once `share` of its distance is
/// reached along its own direction by all of the hull, or as soon as the point is within `near_enough`. (Frank and
/// Wolfe, An algorithm for quadratic programming, 1956.)
Double3 nearest_to_zero(std::span<const Double3> points, double share, double near_enough = 0) {
    constexpr int steps = 100;
    Double3 p{};
    for (const Double3& d : points) p = p + d * (1.0 / static_cast<double>(points.size()));
    for (int k = 0; k < steps; ++k) {
        double least = infinity;
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

/// Directions in which the caster volume goes on for ever, then those in which it is far larger than at its near end.
/// Depth along which all of them lead keeps what is far away out of the bound of what is near.
class FarDirections {
public:
    FarDirections(const Receivers& receivers, const Light& light) {
        for (const Generator& g : receivers.generators) {
            if (g.is_ray()) add(middle(g.p));
        }
        if (light.is_sun && light.endless) add(middle(light.way));
        endless_ = count_;
        double distance[Generators::capacity + 1], near = 0;
        std::size_t points = 0;
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) distance[points++] = length(middle(g.p));
        }
        if (points == 0) return;
        const std::size_t fourth = std::min<std::size_t>(3, points - 1);
        std::nth_element(distance, distance + fourth, distance + points);
        near = distance[fourth];
        const auto add_if_far = [&](const Double3& p) {
            if (length(p) > 8 * near) add(p);
        };
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) add_if_far(middle(g.p));
        }
        without_light_ = count_;
        if (!light.is_sun) add_if_far(middle(light.at));
        if (light.is_sun && !light.endless) add_if_far(middle(light.way));
    }

    /// Depth's direction: along as many of them as possible; `given` where there are none; none where even the endless
    /// ones have nothing in common.
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

// Planes.

constexpr std::size_t samples = 128;

/// Points of the unit cube, evenly spread without a pattern: multiples, but for whole numbers, of powers of the number
/// that does for three dimensions what the golden ratio does for one.
struct Samples {
    float of[3][samples] = {};

    constexpr Samples() {
        constexpr double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t i = 0; i < samples; ++i) {
                const double multiple = steps[j] * static_cast<double>(i + 1);
                of[j][i] = static_cast<float>(multiple - static_cast<double>(static_cast<int>(multiple)));
            }
        }
    }
};

/// Half-spaces that hold the caster volume.
class PlanesAround {
public:
    static constexpr std::size_t capacity = 64;

    void add(const Affine& half_space) {
        const Affine f = scaled_to(half_space, 1);
        if (!f.finite()) return;
        const Double3 n = middle(f.linear);
        for (std::size_t k = 0; k < count_; ++k) {
            const Double3 known = middle(f_[k].linear);
            if (!(dot(n, known) > 1 - 1e-10)) continue;
            // The same plane from other points, or another that is as good as parallel: then the one closer at the
            // view's origin. At p it holds at most |n - known| |p| more than the other; up to 2^-30 |p| is far below
            // what the bound at p allows.
            merged_ = merged_ || length(n - known) > 0x1p-30;
            if (f.constant.hi < f_[k].constant.hi) f_[k] = f;
            return;
        }
        if (count_ == capacity) {
            overflowed_ = true;
            return;
        }
        f_[count_++] = f;
    }

    /// Whether the view will have less than all of them.
    [[nodiscard]] bool incomplete() const { return merged_ || overflowed_ || count_ > PreparedView::max_planes; }

    /// The planes into the view. Stage 1 looks at the first six alone: each is the one that rejects most of the points
    /// around the volume that those before leave.
    void put_into(PreparedView& view, const Interval3x3& rotation, const Double3& low, const Double3& high) const {
        const IntoViewSpace seen(rotation);
        std::size_t order[capacity];
        for (std::size_t k = 0; k < count_; ++k) order[k] = k;
        if (count_ > PreparedView::stage_one_planes) sort_by_rejection(low, high, order);
        for (std::size_t n = 0; n < std::min<std::size_t>(count_, PreparedView::max_planes); ++n) {
            add_plane(f_[order[n]], seen, view);
        }
    }

private:
    /// Puts the planes for stage 1 first. Numbers are floats: nothing depends on the order but time.
    void sort_by_rejection(const Double3& low, const Double3& high, std::size_t (&order)[capacity]) const {
        static constexpr Samples share;
        const Double3 corner = (low + high) * 0.5 - (high - low) * 0.75, size = (high - low) * 1.5;
        std::uint8_t rejected[capacity][samples];
        for (std::size_t k = 0; k < count_; ++k) {
            const Double3 n = middle(f_[k].linear);
            const auto x = static_cast<float>(n.x * size.x), y = static_cast<float>(n.y * size.y),
                       z = static_cast<float>(n.z * size.z);
            const auto least = static_cast<float>(-dot(n, corner) - f_[k].constant.hi);
            for (std::size_t i = 0; i < samples; ++i) {
                rejected[k][i] = x * share.of[0][i] + y * share.of[1][i] + z * share.of[2][i] < least ? 1 : 0;
            }
        }
        std::uint8_t open[samples];
        std::fill_n(open, samples, std::uint8_t{1});
        for (std::size_t n = 0; n < PreparedView::stage_one_planes; ++n) {
            std::size_t best = n;
            int most = -1;
            for (std::size_t m = n; m < count_; ++m) {
                int more = 0;
                for (std::size_t i = 0; i < samples; ++i) more += rejected[order[m]][i] & open[i];
                if (more > most) most = more, best = m;
            }
            std::rotate(order + n, order + best, order + best + 1);
            for (std::size_t i = 0; i < samples; ++i) open[i] &= static_cast<std::uint8_t>(1 - rejected[order[n]][i]);
        }
    }

    Affine f_[capacity];
    std::size_t count_ = 0;
    bool merged_ = false, overflowed_ = false;
};

/// Of corners, relative to the volume's extent. Where it is more, edges tell less than any three corners do.
constexpr double most_blur = 0x1p-30;

/// Whether the light is on the outer side of one of V's half-spaces. `at_light` is the half-space's value at a lamp, or
/// the part of a sun's way along its normal. Of a lamp that must be certain, of a sun it is enough that it may be.
bool sees(const Light& light, Interval at_light) { return light.is_sun ? at_light.lo < 0 : at_light.hi < 0; }

/// V's own half-space as one of the caster volume: pushed out by as much as the sweep leaves it. False where it would
/// be none, or one that other planes make better.
bool loosen(const Light& light, Interval at_light, bool corners_known, Affine& f) {
    const bool gone = light.is_sun ? light.endless : corners_known;
    if (gone && sees(light, at_light)) return false;
    f.constant = f.constant + Interval(std::fmax(0, -at_light.lo));
    return true;
}

/// The points and rays that touching planes are proved against. A sweep that ends is added to a plane's offset instead.
class Touching {
public:
    Touching(const Receivers& receivers, const Light& light, const Double3& forward)
        : light_(light), forward_(forward), known_(!receivers.generators.empty()) {
        for (const Generator& g : receivers.generators) known_ = joined_.add(g) && known_;
        // The volume's shadow's side has no end: its facets go along the sun's way.
        if (light.is_sun && light.endless) known_ = joined_.add({light.way, 0.0, 0}) && known_;
        if (!light.is_sun) known_ = joined_.add({light.at, 1.0, 0}) && known_;
    }

    /// The light must be among them.
    [[nodiscard]] bool known() const { return known_; }
    [[nodiscard]] std::span<const Generator> all() const { return joined_.all(); }

    void add_plane_to(PlanesAround& planes, const Double3& normal) const {
        Affine f;
        if (!touching_plane(normal, forward_, joined_.all(), f)) return;
        if (light_.ends()) f.constant = f.constant + Interval(std::fmax(0, -dot(f.linear, light_.way).lo));
        planes.add(f);
    }

private:
    const Light& light_;
    Double3 forward_;
    LitGenerators joined_;
    bool known_;
};

/// The facets of a volume whose edges are not known. Whatever is taken for one makes a sound plane: it touches the
/// volume from outside. False if the hull is flat or too large.
bool search_facets(const Receivers& receivers, const Light& light, const Touching& touching, PlanesAround& planes) {
    LitGenerators facing;
    bool fits = true;
    for (const Generator& g : touching.all()) fits = facing.add(g) && fits;
    if (light.ends()) fits = facing.add({light.way, 0.0, 0}) && fits;
    if (!fits) return false;
    const auto add = [&](const Double3& normal) { touching.add_plane_to(planes, normal); };
    bool solid = true;
    if (light.ends() && !receivers.half_spaces_suffice) solid = for_each_facet(receivers.generators, add);
    return for_each_facet(facing.all(), add) && solid;
}

/// The planes of V, moved out or left alone, and those along the light's silhouette. `lit` finds these and the volume's
/// edges where V's are known. Returns whether they are all planes of the volume.
bool find_planes(const Receivers& receivers, const Light& light, const Interval3x3& rotation, LitFacets& lit,
                 PlanesAround& planes) {
    const Incidence incidence(receivers.generators);
    const bool edges_known = receivers.half_spaces_suffice && incidence.solid(receivers.half_spaces.size()) &&
                             blur(receivers.generators) <= most_blur * extent(receivers.generators);
    FacetInLight facets[PreparedView::max_planes + LightLimits::capacity];
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        Affine f = receivers.half_spaces[k];
        const Interval at_light = light.is_sun ? dot(f.linear, light.way) : f.at(light.at);
        facets[k] = {middle(f.linear), at_light.mid(), sees(light, at_light)};
        if (edges_known && incidence.on(static_cast<std::uint32_t>(k)) == 0) continue;  // V is inside, for certain
        if (loosen(light, at_light, !receivers.generators.empty(), f)) planes.add(f);
    }
    const Double3 axes[3] = {middle(rotation.row[0]), middle(rotation.row[1]), middle(rotation.row[2])};
    const Touching touching(receivers, light, axes[2]);
    if (!touching.known()) return false;
    const std::span<const FacetInLight> all(facets, receivers.half_spaces.size());
    if (edges_known && lit.find(all, incidence, light.is_sun, light.ends())) {
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
        low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y), std::fmin(low.z, p.z)};
        high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y), std::fmax(high.z, p.z)};
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
    if (!light.is_sun) return add(middle(light.at));
    const double reach = length(middle(light.way));
    if (reach > 0) add_way(middle(light.way) * (light.endless ? size / reach : std::fmin(1, 2 * size / reach)));
}

/// The outlines of all that the volume is the hull of.
void outline_casters(const Receivers& receivers, const Light& light, std::span<const FacetPair> edges,
                     PreparedView& view) {
    Generators all;
    bool fits = true;
    for (const Generator& g : receivers.generators) fits = all.add(g) && fits;
    if (!light.is_sun) {
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

// The support mapping.

/// Polytopes alone are swept. Where depth does not grow along an endless way, nothing would limit it.
bool describe_sweep(const Light& light, const Interval3x3& rotation, PreparedView& view) {
    const Interval3 way = {dot(rotation.row[0], light.way), dot(rotation.row[1], light.way),
                           dot(rotation.row[2], light.way)};
    const double size = largest_component(middle(way));
    if (!way.finite() || !(size <= coordinate_limit)) return false;
    if (size == 0) return true;
    const bool deepens = way.z.lo > 0.01 * size;
    if (light.endless && !deepens) return false;
    view.is_swept = 1;
    view.sweep[0] = static_cast<float>(way.x.mid());
    view.sweep[1] = static_cast<float>(way.y.mid());
    view.sweep[2] = static_cast<float>(way.z.mid());
    view.sweep_limit = light.endless ? HUGE_VALF : 1.0f;
    view.sweep_magnitude = float_up(size * (1 + 0x1p-20));
    view.sweep_inverse = deepens ? float_up(1 / way.z.lo * (1 + 0x1p-40)) : 0.0f;
    if (!(view.sweep_inverse < HUGE_VALF)) view.sweep_inverse = 0;
    if (light.endless && view.sweep_inverse == 0) return false;
    if (view.sweep_inverse == 0) {
        const double back = std::fmax(0, -way.z.lo);
        view.near_depth = float_down(next_down(static_cast<double>(view.near_depth) - back));
    }
    return true;
}

void describe_support(const Receivers& receivers, const Light& light, const Interval3x3& rotation, PreparedView& view) {
    Generators joined;
    for (const Generator& g : receivers.generators) {
        if (!joined.add(g)) return;
    }
    if (!light.is_sun && !joined.add({light.at, 1.0, 0})) return;
    PreparedView described = view;
    if (receivers.half_spaces_suffice) {
        describe_if_known_well(joined.all(), rotation, described);
    } else if (!describe_polytope(joined.all(), rotation, described)) {
        return;
    }
    if (described.volume != VolumeKind::polytope) return;
    if (light.is_sun && !describe_sweep(light, rotation, described)) return;
    view = described;
}

// What a lamp reaches.

double reach_of(const ViewOptions& options) { return next_up(options.lamp->range + options.margin); }

/// Whether V is farther from the lamp than its range, for certain: behind one of its own planes as seen from there, or
/// along the way to its nearest point.
bool out_of_range(const Receivers& receivers, const ViewOptions& options, const Interval3& at) {
    const double reach = reach_of(options);
    if (!std::isfinite(reach)) return false;
    const auto farther = [&](const Interval3& n, double distance) {
        return distance > reach * (length(middle(n)) * (1 + 0x1p-40));
    };
    for (const Affine& f : receivers.half_spaces) {
        if (farther(f.linear, -f.at(at).hi)) return true;
    }
    if (receivers.generators.empty()) return false;
    Double3 ways[Generators::capacity];
    std::size_t count = 0;
    for (const Generator& g : receivers.generators) {
        if (!g.is_ray()) ways[count++] = middle(g.p + -at);
    }
    const Interval3 n = exactly(nearest_to_zero({ways, count}, 0.999, reach));
    double least = infinity;
    for (const Generator& g : receivers.generators) {
        const double along = dot(n, g.is_ray() ? g.p : g.p + -at).lo;
        least = g.is_ray() ? (along < 0 ? -infinity : least) : std::fmin(least, along);
    }
    return farther(n, least);
}

void limit_range(const ViewOptions& options, PreparedView& view) {
    const Lamp& lamp = *options.lamp;
    if (!(lamp.range <= coordinate_limit)) return;
    choose_origin({lamp.at[0], lamp.at[1], lamp.at[2]}, view.light);
    double off = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double hi = static_cast<double>(view.light.origin_hi[k]),
                     lo = static_cast<double>(view.light.origin_lo[k]);
        off = std::fmax(off, std::fabs((lamp.at[k] - hi) - lo));
    }
    view.light_error = apex_error_of(off, view.light);
    view.light_range = float_up(lamp.range);
}

}  // namespace

Status check_lights(const ViewOptions& options) {
    if (options.sun != nullptr && options.lamp != nullptr) {
        return Status::failure("options.lamp: a view has one light, and options.sun is given too");
    }
    if (options.sun != nullptr) {
        const double* toward = options.sun->toward;
        const double size = length({toward[0], toward[1], toward[2]});
        const bool finite = std::isfinite(toward[0]) && std::isfinite(toward[1]) && std::isfinite(toward[2]);
        if (!finite || !(size >= 1e-150 && size <= 1e150)) {
            return Status::failure("options.sun.toward: not finite, zero, or of a length beyond 1e-150 to 1e150");
        }
        const double reach = options.sun->reach;
        if (!(reach >= 0)) return Status::failure("options.sun.reach: %g is no length", reach);
        if (std::isfinite(reach) && !(reach * size <= coordinate_limit)) {
            return Status::failure("options.sun.reach: %g times toward is longer than 1e30", reach);
        }
    }
    if (options.lamp == nullptr) return {};
    for (const double coordinate : options.lamp->at) {
        if (!(std::fabs(coordinate) <= coordinate_limit)) {
            return Status::failure("options.lamp.at: %g is not a finite coordinate up to 1e30", coordinate);
        }
    }
    if (!(options.lamp->range > 0)) {
        return Status::failure("options.lamp.range: %g is not above 0", options.lamp->range);
    }
    if (options.lamp->sides.size() > LightLimits::max_sides) {
        return Status::failure("options.lamp.sides: at most %zu, not %zu", LightLimits::max_sides,
                               options.lamp->sides.size());
    }
    return {};
}

Status LightLimits::add(const ViewOptions& options, const Interval3& c) {
    if (options.lamp == nullptr) return {};
    const Lamp& lamp = *options.lamp;
    const Interval margin(options.margin);
    for (std::size_t i = 0; i < lamp.sides.size(); ++i) {
        Affine side;
        if (Status status = read_plane(lamp.sides[i], "options.lamp.sides", i, side); !status) return status;
        side.constant = side.constant + margin * (length(middle(side.linear)) * (1 + 0x1p-40));
        f_[count_++] = side.about(c);
    }
    if (!(lamp.range <= coordinate_limit)) return {};
    const Interval reach(reach_of(options));
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double side : {1.0, -1.0}) {
            const Interval n[3] = {k == 0 ? side : 0.0, k == 1 ? side : 0.0, k == 2 ? side : 0.0};
            f_[count_++] = Affine{{n[0], n[1], n[2]}, reach - Interval(side * lamp.at[k])}.about(c);
        }
    }
    return {};
}

void describe_no_casters(PreparedView& view) {
    view.plane_count = 1;
    pad_planes(view);
    std::fill_n(&view.normal[0][0], 3 * PreparedView::max_planes, 0.0f);
    std::fill_n(&view.view_normal[0][0], 3 * PreparedView::max_planes, 0.0f);
    view.view_normal_one_norm = 0;
    view.offset[0] = view.view_offset[0] = -static_cast<float>(coordinate_limit);
}

void describe_casters(const Receivers& receivers, const ViewOptions& options, const Interval3& c, PreparedView& view) {
    const Light light = light_of(options, c);
    if (!light.is_sun && out_of_range(receivers, options, light.at)) return describe_no_casters(view);
    Double3 forward;
    const bool supported =
        FarDirections(receivers, light).choose(receivers.forward, forward) && !receivers.generators.empty();
    const Interval3x3 rotation = choose_rotation_along(forward, view.frame);

    LitFacets lit;
    PlanesAround planes;
    const bool complete = find_planes(receivers, light, rotation, lit, planes);
    Double3 low, high;
    bounds_of(receivers, light, low, high);
    planes.put_into(view, rotation, low, high);
    view.planes_suffice = complete;
    if (view.plane_count == 0) view.plane_count = 1;  // of no effect
    pad_planes(view);
    if (complete) outline_casters(receivers, light, lit.edges(), view);
    if (supported) describe_support(receivers, light, rotation, view);
    if (!light.is_sun) limit_range(options, view);
}

Status LitPart::enclose(std::span<const Affine> half_spaces, std::span<const Generator> corners, const char* name,
                        const ViewOptions& options, const Interval3& c) {
    LightLimits limits;
    if (Status status = limits.add(options, c); !status) return status;
    for (const Affine& f : half_spaces) f_[count_++] = f;
    for (const Affine& f : limits.all()) f_[count_++] = f;
    bool fits = true;
    for (const Generator& corner : corners) fits = corners_.add(corner) && fits;
    if (!fits) corners_.clear();
    if (corners.empty() || !fits) enclosed_ = lanecull::enclose(half_spaces, corners_);
    if (unlit()) return Status::failure("%s: the volume is empty", name);
    const bool known = (fits && !corners.empty()) || enclosed_ == Enclosed::whole;
    if (known) enclosed_ = clip_all(limits.all(), static_cast<std::uint32_t>(half_spaces.size()), corners_);
    if (enclosed_ == Enclosed::unknown) enclosed_ = lanecull::enclose(this->half_spaces(), corners_);
    return {};
}

void describe_casters(const LitPart& lit, const Double3& forward, const ViewOptions& options, const Interval3& c,
                      PreparedView& view) {
    if (lit.unlit()) return describe_no_casters(view);
    describe_casters({lit.half_spaces(), true, lit.corners(), forward}, options, c, view);
}

}  // namespace lanecull
