#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <numbers>

#include "properties/gjk/sharing.hpp"
#include "properties/gjk/subject.hpp"

/// Hulls that climb from vertex to neighbour, alone and in composites. Far from the origin, where rounding decides
/// which of several vertices is taken, and with adjacency that leads nowhere or anywhere, climbing stops too early.
namespace properties::gjk_subject {
namespace {

template <class T, class Hull = gjk::Hull<T>>
struct ClimberKinds
    : specimens::KindList<Hull, gjk::Rounded<Hull>, gjk::Swept<Hull>, gjk::Negated<Hull>, gjk::Placed<Hull>,
                          gjk::Transformed<Hull>, gjk::Sum<Hull, Hull>, gjk::Join<Hull, Hull>> {};
template <class T>
using Climber = specimens::OneOf<true, ClimberKinds<T>>;

/// The vertices of a convex polygon with corners at integers: its edges are all directions up to (3, 3), by angle.
std::array<std::array<int, 2>, 32> lattice_polygon() {
    constexpr int edges[8][2] = {{1, 0}, {3, 1}, {2, 1}, {3, 2}, {1, 1}, {2, 3}, {1, 2}, {1, 3}};
    std::array<std::array<int, 2>, 32> corners{};
    int x = 0, y = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        corners[i] = {x, y};
        int dx = edges[i % 8][0], dy = edges[i % 8][1];
        for (std::size_t turn = 0; turn < i / 8; ++turn) std::swap(dx, dy), dx = -dx;
        x += dx;
        y += dy;
    }
    return corners;
}

/// A list of each vertex's neighbours.
struct Edges {
    std::vector<std::uint32_t> first{0}, neighbors;

    void add(std::span<const std::uint32_t> of_vertex) {
        neighbors.insert(neighbors.end(), of_vertex.begin(), of_vertex.end());
        first.push_back(static_cast<std::uint32_t>(neighbors.size()));
    }
};

/// Of a prism: vertices 0 to 31 around one end, 32 to 63 around the other.
const Edges& prism_edges() {
    static const Edges edges = [] {
        Edges made;
        for (std::uint32_t i = 0; i < 64; ++i) {
            const std::uint32_t end = i / 32 * 32;
            made.add(std::array{end + (i + 1) % 32, end + (i + 31) % 32, (i + 32) % 64});
        }
        return made;
    }();
    return edges;
}

template <class T>
class ClimberMaker : public sharing::Numbers<T, 3> {
    using Base = sharing::Numbers<T, 3>;

public:
    using typename Base::V;
    using Hull = gjk::Hull<T>;
    using Base::Base, Base::below, Base::chance, Base::power, Base::some, Base::vector;

    /// Contains p * 2^e and, as a rule, nothing else on that side of the normal.
    [[nodiscard]] Climber<T> operator()(const V& p, const V& normal, int e) {
        const T s = power(e), k = some(8);
        const V way = vector(64), rim{0, 3 * k, 4 * k};
        const typename Base::Split split = Base::split(e);
        switch (below(8)) {
            case 0:
                return {gjk::Rounded<Hull>{hull(p + rim, normal, e), 5 * k * s}};
            case 1:
                return {gjk::Swept<Hull>{hull(p - way, normal, e), s * way}};
            case 2:
                return {gjk::Negated<Hull>{hull(-p, -normal, e)}};
            case 3:
                return {gjk::Placed<Hull>{hull(way, transposed_times(split.axes, normal), e),
                                          {split.axes, s * (p - split.axes * way)}}};
            case 4:
                return {gjk::Transformed<Hull>{hull(way, transposed_times(split.axes, normal), std::ilogb(split.inner)),
                                               {split.scaled, s * (p - split.axes * way)}}};
            case 5:
                return {gjk::Sum<Hull, Hull>{hull(p - way, normal, e), hull(way, normal, e)}};
            case 6:
                return {gjk::Join<Hull, Hull>{hull(p, normal, e), hull(p + way, normal, e)}};
            default:
                return {hull(p, normal, e)};
        }
    }

private:
    static constexpr std::size_t count = Hull::linear + 12;

    /// The hull climbs, but for every eighth.
    [[nodiscard]] Hull hull(const V& p, const V& normal, int e) {
        if (chance(0.4)) return prism(p, e);
        std::vector<V>& points = points_.emplace_back();
        while (points.size() + 1 < count) {
            const V way = vector(4);
            points.push_back(power(e) * (p + (dot(normal, way) <= 0 ? way : -way)));
        }
        points.push_back(power(e) * p);  // climbing starts at the first
        if (chance(0.1)) return Hull(points);
        const Edges& edges = chance(0.5) ? edges_.emplace_back(any_edges()) : nowhere();
        return Hull(points, {edges.first, edges.neighbors});
    }

    /// With its own edges, sheared, and with one vertex at p.
    [[nodiscard]] Hull prism(const V& p, int e) {
        static const auto polygon = lattice_polygon();
        const typename Base::Split axes = Base::split(0);
        const T lean = Base::integer(3), tall = some(16);
        const std::size_t at = static_cast<std::size_t>(below(64));
        const auto vertex = [&](std::size_t i) {
            const T x = static_cast<T>(polygon[i % 32][0]), y = static_cast<T>(polygon[i % 32][1]);
            return axes.axes * V{i < 32 ? x : x + lean, y, i < 32 ? T(0) : tall};
        };
        std::vector<V>& points = points_.emplace_back();
        for (std::size_t i = 0; i < 64; ++i) points.push_back(power(e) * (p + (vertex(i) - vertex(at))));
        return Hull(points, {prism_edges().first, prism_edges().neighbors});
    }

    [[nodiscard]] static const Edges& nowhere() {
        static const Edges edges{std::vector<std::uint32_t>(count + 1, 0), {}};
        return edges;
    }
    [[nodiscard]] Edges any_edges() {
        Edges edges;
        const auto any = [&] { return static_cast<std::uint32_t>(below(static_cast<int>(count))); };
        for (std::size_t i = 0; i < count; ++i) edges.add(std::array{any(), any()});
        return edges;
    }

    std::deque<std::vector<V>> points_;
    std::deque<Edges> edges_;
};

/// Pairs that share a point; and pairs that are apart, or nearly: directions and bounds hold for all vertices, not for
/// those that climbing finds.
constexpr auto climb = []<class T>(const Trial& trial) {
    ClimberMaker<T> maker(trial.random);
    constexpr int far = sizeof(T) == 4 ? 1 << 20 : 1 << 30;
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> p = maker.vector(maker.chance(0.7) ? far : 64), normal = maker.vector(64);
        const int e = maker.chance(0.8) ? maker.below(60) - 30 : maker.scale();
        const Climber<T> a = maker(p, normal, e), b = maker(p, -normal, e);
        Meeting(trial, a, b).ask_all(maker.power(e) * normal);
        Meeting(trial, b, a).ask_from(-normal);
    }
    for (int i = 0; i < pairs_of(trial) / 32 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> p = maker.vector(64), normal = maker.vector(64), way = maker.vector(64);
        const Climber<T> a = maker(p, normal, 0), b = maker(p + maker.some(4) * normal, -normal, 0);
        const Judge judge(trial, a, b);
        judge.certify(gjk::intersect(a, b));
        judge.certify(gjk::distance(a, b));
        judge.certify(gjk::cast(a, way, b), way);
    }
};

/// A polytope with its edges: points on a sphere, in rings; a polygon closes it at either end.
struct Globe {
    std::vector<gjk::Vec3<double>> points;
    Edges edges;

    Globe(std::uint32_t rings, std::uint32_t around) {
        for (std::uint32_t v = 0; v < rings * around; ++v) {
            const std::uint32_t ring = v / around, k = v % around, first = v - k;
            const double z = -std::cos(std::numbers::pi * (ring + 1) / (rings + 1)), r = std::sqrt(1 - z * z);
            const double angle = 2 * std::numbers::pi * k / around;
            points.push_back({r * std::cos(angle), r * std::sin(angle), z});
            std::vector<std::uint32_t> beside{first + (k + 1) % around, first + (k + around - 1) % around};
            if (ring > 0) beside.push_back(v - around);
            if (ring + 1 < rings) beside.push_back(v + around);
            edges.add(beside);
        }
    }
};

/// By the right edges climbing finds what a search of all vertices does.
void climb_globes(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<double, 3> maker(random);
    const auto rings = static_cast<std::uint32_t>(7 + random.below(40)),
               around = static_cast<std::uint32_t>(8 + random.below(60));
    const Globe globe(rings, around);
    const gjk::Hull<double> climbing(globe.points, {globe.edges.first, globe.edges.neighbors}), searched(globe.points);
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        const gjk::Pose<double, 3> pose{maker.rotation(), maker.vector(2)};
        const gjk::Placed<gjk::Hull<double>> other{climbing, pose}, same{searched, pose};
        const Judge judge(trial, climbing, other);
        const auto d = maker.direction();
        judge.expect(climbing.climbs() && std::fabs(dot(climbing.support(d) - searched.support(d), d)) <= 1e-15,
                     Tally::untold, "climbing stops below the top");
        const auto verdict = gjk::intersect(searched, same).verdict;
        judge.expect(
            gjk::intersect(climbing, other).verdict == verdict &&
                std::fabs(gjk::distance(climbing, other).distance - gjk::distance(searched, same).distance) <= 1e-13,
            Tally::untold, "climbing changes the answer");
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += verdict == Verdict::separated;
    }
}

constexpr Rate some_apart[] = {{Tally::reached, Tally::cases, 0.2, 0.8}};

constexpr Family families[] = {{"gjk_climbing", "gjk", in_space<climb>, {}, true},
                               {"gjk_globes", "gjk", in_doubles<climb_globes>, some_apart}};

}  // namespace

std::span<const Family> climbing_families() { return families; }

}  // namespace properties::gjk_subject
