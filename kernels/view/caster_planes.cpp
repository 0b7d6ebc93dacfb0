#include "view/caster_planes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/fixed_list.hpp"
#include "view/edges.hpp"
#include "view/facets.hpp"
#include "view/lit_part.hpp"
#include "view/planes.hpp"
#include "view/planes_around.hpp"

namespace lanecull {
namespace {

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
    /// The volume's shadow's side has no end where the sun's way has none: its facets go along that.
    bool add_light() {
        if (!light_.is_sun) return joined_.add({light_.at, 1.0, 0});
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
    return lit.find(facets.all(), in_light.incidence(), light.is_sun, light.ends());
}

/// Finds those of add_caster_planes(), and returns whether they are all.
bool find_planes(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                 const Interval3x3& rotation, LitFacets& lit, PlanesAround& planes) {
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        if (!in_light.touches(k)) continue;
        Affine f = receivers.half_spaces[k];
        if (loosen(light, in_light.at_light(k), !receivers.generators.empty(), f)) planes.add(f);
    }
    if (in_light.hold_lamp()) {
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
    if (!light.is_sun) return add(middle(light.at));
    const double reach = length(middle(light.way));
    if (reach > 0) add_way(middle(light.way) * (light.endless ? size / reach : std::fmin(1, 2 * size / reach)));
}

}  // namespace

bool add_caster_planes(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                       const Interval3x3& rotation, LitFacets& lit, PreparedView& view) {
    PlanesAround planes;
    const bool complete = find_planes(receivers, in_light, light, rotation, lit, planes);
    Double3 low, high;
    if (planes.are_sorted()) bounds_of(receivers, light, low, high);
    planes.put_into(view, rotation, low, high);
    return complete;
}

}  // namespace lanecull
