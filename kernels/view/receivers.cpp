#include "view/receivers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <lanecull/view.h>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "base/interval.hpp"
#include "view/frame.hpp"
#include "view/planes.hpp"

namespace lanecull {
namespace {

/// Of corners, relative to the volume's extent. Where it is more, edges decide less than any three corners do.
constexpr double most_blur = 0x1p-30;

/// Facets at infinity, in which a volume's rays end, have no normal, and no edge that can be seen.
bool is_finite_facet(const FacetInLight& facet) { return largest_component(facet.normal) > 0; }

}  // namespace

double reach_of(const ViewOptions& options) { return next_up(range_of(*options.point_light) + options.margin); }

Status check_lights(const ViewOptions& options) {
    if (options.directional_light != nullptr && options.point_light != nullptr) {
        return failure("options.point_light: a view has one light, and options.directional_light is given too");
    }
    if (options.directional_light != nullptr) {
        if (!is_cleared(*options.directional_light)) return not_cleared("options.directional_light.reserved");
        const double* toward = options.directional_light->toward;
        const double size = length({toward[0], toward[1], toward[2]});
        const bool finite = std::isfinite(toward[0]) && std::isfinite(toward[1]) && std::isfinite(toward[2]);
        if (!finite || !(size >= 1e-150 && size <= 1e150)) {
            return failure("options.directional_light.toward: not finite, zero, or of a length beyond 1e-150 to 1e150");
        }
        const double reach = reach_of(*options.directional_light);
        if (!(reach >= 0)) return failure("options.directional_light.reach: %g is no length", reach);
        if (std::isfinite(reach) && !(reach * size <= coordinate_limit)) {
            return failure("options.directional_light.reach: %g times toward is longer than 1e30", reach);
        }
    }
    if (options.point_light == nullptr) return {};
    if (!is_cleared(*options.point_light)) return not_cleared("options.point_light.reserved");
    for (const double coordinate : options.point_light->at) {
        if (!(std::fabs(coordinate) <= coordinate_limit)) {
            return failure("options.point_light.at: %g is not a finite coordinate up to 1e30", coordinate);
        }
    }
    if (!(range_of(*options.point_light) > 0)) {
        return failure("options.point_light.range: %g is no length", options.point_light->range);
    }
    if (Status status = check_span(options.point_light->sides, "options.point_light.sides"); !status) return status;
    if (options.point_light->sides.size() > LightLimits::max_sides) {
        return failure("options.point_light.sides: at most %zu, not %zu", LightLimits::max_sides,
                       options.point_light->sides.size());
    }
    return {};
}

bool LightLimits::is_smaller_than(std::span<const Generator> corners) const {
    return std::any_of(corners.begin(), corners.end(), [&](const Generator& g) {
        return g.is_ray() || largest_component(middle(g.p) - middle(corners[0].p)) > 2 * reach_;
    });
}

Status LightLimits::check(const ViewOptions& options) {
    const std::size_t count = options.point_light == nullptr ? 0 : options.point_light->sides.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (Status status = check_plane(options.point_light->sides[i], "options.point_light.sides", i); !status) {
            return status;
        }
    }
    return {};
}

Status LightLimits::add(const ViewOptions& options, const Interval3& c) {
    if (options.point_light == nullptr) return {};
    const PointLight& point_light = *options.point_light;
    const Interval margin(options.margin);
    margin_ = options.margin;
    for (std::size_t i = 0; i < point_light.sides.size(); ++i) {
        Affine side;
        if (Status status = read_plane(point_light.sides[i], "options.point_light.sides", i, side); !status) {
            return status;
        }
        side.constant = side.constant + margin * (1 + 0x1p-40);  // no normal is longer
        f_[count_++] = side.about(c);
    }
    if (!(range_of(point_light) <= coordinate_limit)) return {};
    cube_ = count_;
    reach_ = reach_of(options);
    const double* at = point_light.at;
    at_ = exactly({at[0], at[1], at[2]}) - c;
    const Interval center[3] = {at_.in_x(), at_.in_y(), at_.in_z()};
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double side : {1.0, -1.0}) {
            const Interval3 n(k == 0 ? side : 0, k == 1 ? side : 0, k == 2 ? side : 0);
            f_[count_++] = {n, Interval(reach_) + (side > 0 ? -center[k] : center[k])};
        }
    }
    return {};
}

bool LightLimits::cube_corners(std::uint32_t first, Generators& corners) const {
    corners.clear();
    for (std::uint32_t k = 0; k < 8; ++k) {
        const auto side = [&](std::uint32_t axis) { return (k >> axis & 1) != 0 ? -reach_ : reach_; };
        const auto plane = [&](std::uint32_t axis) { return 1u << (first + 2 * axis + 1 - (k >> axis & 1)); };
        const Interval3 corner = at_ + Interval3(side(0), side(1), side(2));
        if (!corners.add({corner, 1.0, plane(0) | plane(1) | plane(2)})) return false;
    }
    return corners.size() == 8;
}

bool LightLimits::holds_cube(const Affine& f) const {
    const Near at_center = near_dot(f.linear, at_);
    const double spread = reach_ * (f.linear.one_norm() + 3 * f.linear.off) * (1 + 0x1p-40);
    return f.constant.lo + (at_center.at - at_center.off) > spread * (1 + 0x1p-40);
}

namespace {

bool any_ray(std::span<const Generator> generators) {
    return std::any_of(generators.begin(), generators.end(), [](const Generator& g) { return g.is_ray(); });
}

/// Whether the half-space ends all rays, to the precision of doubles.
bool ends_all(const Affine& f, std::span<const Generator> generators) {
    return std::all_of(generators.begin(), generators.end(),
                       [&](const Generator& g) { return !g.is_ray() || dot(middle(f.linear), middle(g.p)) < 0; });
}

/// Whether no generator is farther than `least` on the half-space's outer side, to the precision of doubles.
bool cuts_little(const Affine& f, std::span<const Generator> generators, double least) {
    return std::all_of(generators.begin(), generators.end(), [&](const Generator& g) {
        return !g.is_ray() && dot(middle(f.linear), middle(g.p)) + f.constant.lo > -least;
    });
}

}  // namespace

Status LitPart::enclose(std::span<const Affine> half_spaces, std::span<const Generator> corners,
                        const ViewOptions& options, const Interval3& c) {
    LightLimits limits;
    if (Status status = limits.add(options, c); !status) return status;
    const auto first = static_cast<std::uint32_t>(half_spaces.size());
    std::copy(half_spaces.begin(), half_spaces.end(), f_);
    count_ = first;
    const bool given = !corners.empty();
    if (!given) enclosed_ = lanecull::enclose(half_spaces, corners_);
    const bool known = given || enclosed_ == Enclosed::whole;
    if (unlit()) return {};
    const bool from_light = limits.has_cube() && (!known || limits.is_smaller_than(given ? corners : corners_.all()));
    if (from_light && clip_light(limits)) return {};
    count_ = first;
    if (given || from_light) corners_ = Generators(corners);
    for (const Affine& f : limits.sides()) f_[count_++] = f;
    for (const Affine& f : limits.cube()) f_[count_++] = f;
    enclosed_ = Enclosed::unknown;
    if (known && corners_.size() > 0) {
        enclosed_ = clip_all(this->half_spaces(), first, static_cast<std::uint32_t>(count_), corners_);
    }
    if (enclosed_ == Enclosed::unknown) enclosed_ = lanecull::enclose(this->half_spaces(), corners_);
    return {};
}

bool LitPart::clip_light(const LightLimits& limits) {
    const std::size_t first = count_;
    enclosed_ = Enclosed::unknown;
    const auto add = [&](const Affine& f) {
        f_[count_++] = f;
        enclosed_ = clip(half_spaces(), static_cast<std::uint32_t>(count_ - 1), corners_);
        return enclosed_ == Enclosed::whole;
    };
    if (limits.sides().size() < 3) {
        for (const Affine& f : limits.cube()) f_[count_++] = f;
        if (!limits.cube_corners(static_cast<std::uint32_t>(first), corners_)) return false;
        for (const Affine& f : limits.sides()) {
            if (!add(f)) return unlit();
        }
    } else {
        for (const Affine& f : limits.sides()) f_[count_++] = f;
        enclosed_ = lanecull::enclose(limits.sides(), corners_);
        if (enclosed_ != Enclosed::whole) return unlit();
        for (Generator& corner : std::span(corners_.data(), corners_.size())) {
            corner.planes = (corner.planes & ~plane_at_infinity) << first | (corner.planes & plane_at_infinity);
            corner.sure <<= first;
        }
        std::span<const Affine> cube = limits.cube();
        const Affine* end = std::find_if(cube.data(), cube.data() + cube.size(),
                                         [&](const Affine& f) { return ends_all(f, corners_.all()); });
        if (any_ray(corners_.all()) && end != cube.data() + cube.size() && !add(*end)) return unlit();
        for (const Affine& f : cube) {
            if (&f == end || cuts_little(f, corners_.all(), limits.slack())) continue;
            if (!add(f)) return unlit();
        }
    }
    enclosed_ = Enclosed::whole;
    for (std::uint32_t k = 0; k < first; ++k) {
        if (limits.holds_cube(f_[k])) continue;
        enclosed_ = clip(half_spaces(), k, corners_);
        if (enclosed_ != Enclosed::whole) return unlit();
    }
    return true;
}

Light light_of(const ViewOptions& options, const Interval3& c) {
    Light light;
    if (options.directional_light == nullptr) {
        const double* at = options.point_light->at;
        light.at = exactly({at[0], at[1], at[2]}) + -c;
        return light;
    }
    const Double3 toward = {options.directional_light->toward[0], options.directional_light->toward[1],
                            options.directional_light->toward[2]};
    light.is_directional = true;
    light.endless = std::isinf(reach_of(*options.directional_light));
    light.way = exactly(toward) * (light.endless ? 1 / length(toward) : reach_of(*options.directional_light));
    return light;
}

HalfSpacesInLight::HalfSpacesInLight(const Receivers& receivers, const Light& light)
    : incidence_(receivers.generators),
      edges_known_(receivers.half_spaces_suffice && incidence_.solid(receivers.half_spaces.size()) &&
                   blur(receivers.generators) <= most_blur * extent(receivers.generators)),
      hold_light_(receivers.half_spaces_suffice && !light.is_directional) {
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        if (!touches(k)) continue;
        const Affine& f = receivers.half_spaces[k];
        at_light_[k] = light.is_directional ? dot(f.linear, light.way) : f.at(light.at);
        hold_light_ = hold_light_ && at_light_[k].lo >= 0;
    }
}

void LitFacets::join(const FacetInLight& kept, const FacetInLight& seen, std::uint64_t on, bool moved) {
    const Double3 sum = kept.normal * -seen.at_light + seen.normal * std::fmax(0, kept.at_light);
    if (!(largest_component(sum) > 1e-100)) return;  // a directional light's, at infinity
    complete_ = complete_ && dot(kept.normal, seen.normal) > -1 + 0x1p-40;
    const Double3 normal = normalized(sum);
    const std::uint32_t count = normals_.size();
    complete_ = complete_ && normals_.add(normal);
    if (!complete_) return;
    if (is_finite_facet(kept)) add_edge(kept.normal, normal);
    if (moved && is_finite_facet(seen)) add_edge(normal, seen.normal);
    for (std::uint32_t k = 0; k < count; ++k) {
        if ((on_[k] & on) != 0) add_edge(normals_[k], normal);
    }
    on_[count] = on;
}

bool LitFacets::find(std::span<const FacetInLight> facets, const Incidence& incidence, bool is_directional,
                     bool moved) {
    const std::uint32_t at_infinity = std::countr_zero(plane_at_infinity);
    // That of infinity: 1 at points and 0 along rays.
    const FacetInLight last = {{}, is_directional ? 0.0 : 1.0, false};
    const auto count = static_cast<std::uint32_t>(facets.size());
    const auto facet = [&](std::uint32_t i) -> const FacetInLight& { return i < count ? facets[i] : last; };
    for (std::uint32_t i = 0; i < count; ++i) {
        if (incidence.on(i) == 0) continue;
        for (std::uint32_t j = i + 1; j <= count; ++j) {
            const std::uint64_t on = incidence.edge(i, j < count ? j : at_infinity);
            if (on == 0) continue;
            const FacetInLight &a = facet(i), &b = facet(j);
            if (a.seen != b.seen) {
                join(a.seen ? b : a, a.seen ? a : b, on, moved);
            } else if ((!a.seen || moved) && is_finite_facet(a) && is_finite_facet(b)) {
                add_edge(a.normal, b.normal);
            }
        }
    }
    return complete_ && (!wants_edges_ || !edges_.all().empty());
}

}  // namespace lanecull
