/// Polytopes inscribed in hulls, in doubles. Nothing is proved here but that corners are vertices: what a polytope
/// hides is proved where it is prepared (hull_solid.cpp).

#include <lanecull/solids.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>

#include "base/affine.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t no_vertex = 0xffffffff;

/// The vertices in doubles, relative to the first.
class CornerPlaces {
public:
    explicit CornerPlaces(const Vertices& vertices) : vertices_(vertices) { first_ = world(0); }
    [[nodiscard]] std::uint32_t count() const { return vertices_.count; }
    [[nodiscard]] Double3 at(std::uint32_t i) const { return world(i) - first_; }
    /// The vertex that `measure` is greatest of; none if it is never more than `least`.
    template <class Measure>
    [[nodiscard]] std::uint32_t most(double least, const Measure& measure) const {
        std::uint32_t found = no_vertex;
        for (std::uint32_t i = 0; i < count(); ++i) {
            const double value = measure(at(i));
            if (value > least) found = i, least = value;
        }
        return found;
    }

private:
    [[nodiscard]] Double3 world(std::uint32_t i) const {
        const std::size_t k = i * floats_apart(vertices_);
        return {static_cast<double>(vertices_.x[k]), static_cast<double>(vertices_.y[k]),
                static_cast<double>(vertices_.z[k])};
    }

    const Vertices& vertices_;
    Double3 first_;
};

/// A polytope that grows by one vertex at a time, as in incremental convex hulls.
class Polytope {
public:
    static constexpr std::uint32_t most_corners = SolidHull::max_corners, most_facets = SolidHull::max_triangles;
    static constexpr double flat = 0x1p-40;  ///< what is so thin, as a share of the extent, counts as a plane

    /// A tetrahedron of four far vertices. False if there is none.
    [[nodiscard]] bool begin(const CornerPlaces& places) {
        const std::uint32_t some = places.most(0, [](const Double3& p) { return length(p); });
        if (some == no_vertex) return false;
        const Double3 b = places.at(some);
        const std::uint32_t farthest = places.most(0, [&](const Double3& p) { return length(p - b); });
        const Double3 a = places.at(farthest);
        extent_ = length(b - a);
        const Double3 along = normalized(b - a);
        const std::uint32_t aside =
            places.most(flat * extent_, [&](const Double3& p) { return length(cross(along, p - a)); });
        if (aside == no_vertex) return false;
        const Double3 across = normalized(cross(along, places.at(aside) - a));
        const std::uint32_t above =
            places.most(flat * extent_, [&](const Double3& p) { return std::fabs(dot(across, p - a)); });
        if (above == no_vertex) return false;
        const std::uint32_t chosen[4] = {farthest, some, aside, above};
        for (std::uint32_t k = 0; k < 4; ++k) {
            vertex_[k] = chosen[k];
            place_[k] = places.at(chosen[k]);
            middle_ = middle_ + place_[k] * 0.25;
        }
        constexpr std::uint8_t faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
        for (const auto& f : faces) {
            facet_[facets_] = facet_of(f[0], f[1], f[2]);
            if (facet_[facets_].above(middle_) > 0) facet_[facets_] = facet_of(f[0], f[2], f[1]);
            ++facets_;
        }
        return true;
    }

    /// By how much adding a vertex enlarges it, six times.
    [[nodiscard]] double gain(const Double3& p) const {
        double sum = 0;
        for (std::uint32_t i = 0; i < facets_; ++i) {
            const double volume = facet_[i].above(p);
            if (volume > facet_[i].doubt) sum += volume;
        }
        return sum;
    }

    [[nodiscard]] bool is_full() const { return free_corner() == most_corners; }

    /// Joins a vertex with the outline that it sees. False, and nothing changes, if roundings spoil the surface.
    bool add(std::uint32_t vertex, const Double3& p) {
        const std::uint32_t corner = free_corner();
        vertex_[corner] = vertex;
        place_[corner] = p;
        std::uint32_t seen = 0;
        bool seen_edge[most_corners][most_corners] = {};
        for (std::uint32_t i = 0; i < facets_; ++i) {
            if (!(facet_[i].above(p) > facet_[i].doubt)) continue;
            seen |= std::uint32_t{1} << i;
            for (std::uint32_t e = 0; e < 3; ++e) seen_edge[facet_[i].from(e)][facet_[i].to(e)] = true;
        }
        Facet grown[most_facets];
        std::uint32_t count = 0;
        const auto take = [&](const Facet& facet) {
            if (count == most_facets || !(facet.above(middle_) < -facet.doubt)) return false;
            grown[count++] = facet;
            return true;
        };
        for (std::uint32_t i = 0; i < facets_; ++i) {
            const Facet& facet = facet_[i];
            if ((seen >> i & 1) == 0) {
                if (!take(facet)) return false;
                continue;
            }
            for (std::uint32_t e = 0; e < 3; ++e) {
                if (seen_edge[facet.to(e)][facet.from(e)]) continue;
                if (!take(facet_of(facet.from(e), facet.to(e), static_cast<std::uint8_t>(corner)))) return false;
            }
        }
        if (count + 4 != 2 * corners_of({grown, count})) return false;
        std::copy_n(grown, count, facet_);
        facets_ = count;
        return true;
    }

    /// Corners that are in use, and triangles.
    void write(const Vertices& vertices, SolidHull& hull) const {
        std::uint8_t number[most_corners];
        const std::uint32_t used = corners();
        hull.corner_count = 0;
        for (std::uint32_t k = 0; k < most_corners; ++k) {
            if ((used >> k & 1) == 0) continue;
            const std::size_t at = vertex_[k] * floats_apart(vertices);
            number[k] = static_cast<std::uint8_t>(hull.corner_count);
            float(&corner)[3] = hull.corner[hull.corner_count++];
            corner[0] = vertices.x[at], corner[1] = vertices.y[at], corner[2] = vertices.z[at];
        }
        hull.triangle_count = facets_;
        for (std::uint32_t i = 0; i < facets_; ++i) {
            for (std::uint32_t e = 0; e < 3; ++e) hull.triangle[i][e] = number[facet_[i].corner[e]];
        }
    }

private:
    struct Facet {
        std::uint8_t corner[3];
        Double3 outward;
        double offset;
        double doubt;  ///< above() is off by less

        [[nodiscard]] double above(const Double3& p) const { return dot(outward, p) - offset; }
        [[nodiscard]] std::uint8_t from(std::uint32_t e) const { return corner[e]; }
        [[nodiscard]] std::uint8_t to(std::uint32_t e) const { return corner[(e + 1) % 3]; }
    };

    [[nodiscard]] Facet facet_of(std::uint8_t a, std::uint8_t b, std::uint8_t c) const {
        const Double3 outward = cross(place_[b] - place_[a], place_[c] - place_[a]);
        return {{a, b, c}, outward, dot(outward, place_[a]), flat * length(outward) * extent_};
    }
    [[nodiscard]] static std::uint32_t corners_among(std::span<const Facet> facets) {
        std::uint32_t bits = 0;
        for (const Facet& facet : facets) {
            for (const std::uint8_t c : facet.corner) bits |= std::uint32_t{1} << c;
        }
        return bits;
    }
    [[nodiscard]] static std::uint32_t corners_of(std::span<const Facet> facets) {
        return static_cast<std::uint32_t>(std::popcount(corners_among(facets)));
    }
    [[nodiscard]] std::uint32_t corners() const { return corners_among({facet_, facets_}); }
    [[nodiscard]] std::uint32_t free_corner() const {
        return std::min(static_cast<std::uint32_t>(std::countr_one(corners())), most_corners);
    }

    std::uint32_t vertex_[most_corners] = {};
    Double3 place_[most_corners];
    Facet facet_[most_facets] = {};
    std::uint32_t facets_ = 0;
    Double3 middle_;  ///< inside
    double extent_ = 0;
};

/// Vertices that would spoil the surface.
class Spoilers {
public:
    [[nodiscard]] bool contain(std::uint32_t vertex) const {
        return std::find(all_, all_ + count_, vertex) != all_ + count_;
    }
    [[nodiscard]] bool are_many() const { return count_ == most; }
    void add(std::uint32_t vertex) { all_[count_++] = vertex; }

private:
    static constexpr std::uint32_t most = 16;
    std::uint32_t all_[most] = {};
    std::uint32_t count_ = 0;
};

Status check_coordinates(const Vertices& vertices) {
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        const std::size_t at = i * floats_apart(vertices);
        for (const float a : {vertices.x[at], vertices.y[at], vertices.z[at]}) {
            if (is_coordinate(a)) continue;
            return failure("vertices[%u]: a coordinate is not finite or is beyond 1e30", i);
        }
    }
    return {};
}

Status inscribe(const Vertices& vertices, SolidHull& hull) {
    if (Status status = check(vertices); !status) return status;
    if (Status status = check_coordinates(vertices); !status) return status;
    const CornerPlaces places(vertices);
    Polytope polytope;
    if (!polytope.begin(places)) return failure("vertices: they lie in a plane, but for 2^-40 of their extent");
    Spoilers spoilers;
    while (!polytope.is_full() && !spoilers.are_many()) {
        double greatest = 0;
        std::uint32_t best = no_vertex;
        for (std::uint32_t i = 0; i < places.count(); ++i) {
            const double gain = polytope.gain(places.at(i));
            if (gain > greatest && !spoilers.contain(i)) best = i, greatest = gain;
        }
        if (best == no_vertex) break;
        if (!polytope.add(best, places.at(best))) spoilers.add(best);
    }
    SolidHull found;
    if (Status status = bounding_box(vertices, found.drawn); !status) return status;
    polytope.write(vertices, found);
    hull = found;
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_inscribe_hull(const lanecull_vertices* vertices, lanecull_solid_hull* hull) noexcept {
    const FloatModes modes;
    Status status = check_not_null(vertices, "vertices");
    if (status) status = check_not_null(hull, "hull");
    return status ? inscribe(*vertices, *hull) : status;
}
