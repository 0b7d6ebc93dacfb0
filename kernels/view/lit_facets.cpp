#include "view/lit_facets.hpp"

namespace lanecull {
namespace {

/// Facets at infinity, in which a volume's rays end, have no normal, and no edge that can be seen.
bool is_finite_facet(const FacetInLight& facet) { return largest_component(facet.normal) > 0; }

}  // namespace

void LitFacets::join(const FacetInLight& kept, const FacetInLight& seen, std::uint64_t on, bool moved) {
    const Double3 sum = kept.normal * -seen.at_light + seen.normal * std::fmax(0, kept.at_light);
    if (!(largest_component(sum) > 1e-100)) return;  // a sun's, at infinity
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

bool LitFacets::find(std::span<const FacetInLight> facets, const Incidence& incidence, bool is_sun, bool moved) {
    const std::uint32_t at_infinity = std::countr_zero(plane_at_infinity);
    const FacetInLight last = {{}, is_sun ? 0.0 : 1.0, false};  // that of infinity is 1 at points and 0 along rays
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
