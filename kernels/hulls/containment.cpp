#include <algorithm>
#include <cmath>

#include "hulls/surface.hpp"

/// Proofs that points are in the hull of others, in doubles, with all roundings.
///
/// Let Q be the hull's points, C their convex hull, and u = 2^-53. A mixture y = sum l_i q_i / sum l_i with l_i >= 0 is
/// in C whatever the l_i are, so the l_i need no accuracy. For a point x this file computes weights and a bound on |x -
/// y|_1. Each component of r = sum l_i (x - q_i) has a rounding error of at most 8 u sum l_i |x - q_i|: a difference, a
/// product and four sums, with slack for the second order. And x - y = r / sum l_i.
///
///   1. The middle m = (sum of Q) / n, computed as c, is at most (n + 2) u max |q| away in each component.
///   2. Octahedron: the six points c +- R e_k, each at most d from a mixture of Q and m. If a convex set comes within d
///      (by |.|_1) of every corner of an octahedron, it contains the octahedron of radius R - d around the same centre:
///      its support function along v is at least v . c + R |v|_inf - d |v|_inf.
///   3. Any other x is mixed from three points of Q with weights l_i and from c with weight l_0 = 1 - sum l_i. If the
///      rest r of that has |r|_1 <= l_0 (R - d), then x = sum l_i q_i + l_0 (c + r / l_0), and c + r / l_0 is in C.
///
/// Step 3 fails for points of the surface (l_0 = 0). That is why hulls are moved outward first.
namespace lanecull::hulls {
namespace {

constexpr double unit = 0x1p-53;

double norm1(Double3 a) { return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z); }

struct Mixture {
    std::array<double, 4> weight{};  ///< >= 0: of the facet's corners, and of the middle
    double rest = 0;                 ///< an upper bound of |x - mixture|_1
};

class Container {
public:
    explicit Container(const Mesh& mesh) : mesh_(mesh), facets_(facets_of(mesh)) {
        if (facets_.empty()) return;
        find_middle();
        prove_octahedron();
    }

    [[nodiscard]] bool proves(Double3 x) {
        if (!(radius_ > 0)) return false;
        const Facet& facet = facets_[facet_towards(x - middle_)];
        for (const std::uint32_t corner : facet.corners) {
            const Double3 q = mesh_.points[corner];
            if (q.x == x.x && q.y == x.y && q.z == x.z) return true;
        }
        const Mixture mixture = mix(facet, x);
        return mixture.rest <= mixture.weight[3] * (1 - 4 * unit) * radius_;
    }

private:
    void find_middle() {
        const double share = 1 / static_cast<double>(mesh_.points.size());
        double largest = 0;
        for (const Double3& q : mesh_.points) {
            middle_ = middle_ + q * share;
            largest = std::max(largest, largest_component(q));
        }
        middle_error_ = 3 * (static_cast<double>(mesh_.points.size()) + 4) * unit * largest;
    }

    void prove_octahedron() {
        double depth = 1e300;
        for (const Facet& facet : facets_) {
            if (facet.area > 0) depth = std::min(depth, -facet.plane.height(middle_));
        }
        const double radius = 0.5 * depth;
        double off = 0;
        for (const Double3 axis : {Double3{1, 0, 0}, Double3{0, 1, 0}, Double3{0, 0, 1}}) {
            for (const double sign : {-1.0, 1.0}) {
                const Double3 x = middle_ + axis * (sign * radius);
                const Double3 step = x - middle_;  // rounded, so the true octahedron's radius may be less
                off = std::max(off, mix(facets_[facet_towards(step)], x).rest + middle_error_ +
                                        std::fabs(norm1(step) - radius) + 4 * unit * norm1(x));
            }
        }
        radius_ = radius - 2 * off;
    }

    /// Finds weights >= 0 that sum to 1 up to rounding, and how far their mixture of corners and middle is from x.
    [[nodiscard]] Mixture mix(const Facet& facet, Double3 x) const {
        const std::array<Double3, 3> q = {mesh_.points[facet.corners[0]], mesh_.points[facet.corners[1]],
                                          mesh_.points[facet.corners[2]]};
        const Double3 a = q[0] - middle_, b = q[1] - middle_, c = q[2] - middle_, d = x - middle_;
        const double volume = dot(a, cross(b, c));
        Mixture result;
        result.weight = {dot(d, cross(b, c)) / volume, dot(d, cross(c, a)) / volume, dot(d, cross(a, b)) / volume, 0};
        for (double& weight : result.weight) weight = weight > 0 ? weight : 0;  // NaN becomes 0, too
        result.weight[3] = std::max(0.0, 1 - (result.weight[0] + result.weight[1] + result.weight[2]));
        Double3 rest = (x - middle_) * result.weight[3];
        double size = norm1(rest), sum = result.weight[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const Double3 term = (x - q[k]) * result.weight[k];
            rest = rest + term;
            size += norm1(term);
            sum += result.weight[k];
        }
        result.rest = (norm1(rest) + 16 * unit * size) / (sum * (1 - 8 * unit));
        result.weight[3] /= sum * (1 + 8 * unit);
        return result;
    }

    /// The facet that a ray from the middle passes through. Walks from the last facet over edges that the ray lies
    /// beyond.
    [[nodiscard]] std::uint32_t facet_towards(Double3 direction) {
        for (std::size_t step = 0; step < facets_.size(); ++step) {
            const Facet& facet = facets_[last_];
            double worst = 0;
            std::size_t edge = 3;
            for (std::size_t k = 0; k < 3; ++k) {
                const Double3 from = mesh_.points[facet.corners[k]] - middle_;
                const Double3 to = mesh_.points[facet.corners[(k + 1) % 3]] - middle_;
                const double side = dot(cross(from, to), direction);
                if (side < worst) worst = side, edge = k;
            }
            if (edge == 3) break;
            last_ = facet.across[edge];
        }
        return last_;
    }

    const Mesh& mesh_;
    std::vector<Facet> facets_;
    Double3 middle_;
    double middle_error_ = 0;  ///< |c - m|_1
    double radius_ = 0;        ///< of an octahedron around c that the hull contains; <= 0: none is known
    std::uint32_t last_ = 0;
};

}  // namespace

bool proved_to_contain(const Mesh& mesh, std::span<const Double3> points) {
    Container container(mesh);
    return std::all_of(points.begin(), points.end(), [&](Double3 p) { return container.proves(p); });
}

}  // namespace lanecull::hulls
