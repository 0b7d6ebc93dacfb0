#include "query/query_pair.hpp"

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using nlohmann::ordered_json;

template <int N>
gjk::Vec<double, N> vec(const std::array<double, static_cast<std::size_t>(N)>& p) {
    if constexpr (N == 3)
        return {p[0], p[1], p[2]};
    else
        return {p[0], p[1]};
}

/// `vertices`: filled by a hull, which refers to them.
template <int N>
typename SolidKinds<N>::Type kind_of(const GivenShape<N>& given, std::vector<gjk::Vec<double, N>>& vertices) {
    const auto point = [&](std::size_t k) { return vec<N>(given.points[k]); };
    const auto half = vec<N>(given.half_extents);
    gjk::Matrix<double, N> axes = gjk::identity<double, N>();
    for (std::size_t k = 0; given.axes && k < N; ++k) axes.column[k] = vec<N>((*given.axes)[k]);
    if (given.by_corners()) {
        const auto &low = given.points[0], &high = given.points[1];
        for (std::size_t k = 0; k < N; ++k) {
            if (high[k] < low[k]) fail("min is not to be above max");
        }
        return gjk::Box<double, N>{0.5 * (point(0) + point(1)), 0.5 * (point(1) - point(0))};
    }
    if (given.kind == "aabb") return gjk::Box<double, N>{point(0), half};
    if (given.kind == "obb") return gjk::OrientedBox<double, N>{point(0), axes, half};
    if (given.kind == "ellipsoid") return gjk::Ellipsoid<double, N>{point(0), axes, half};
    if constexpr (N == 3) {
        if (given.kind == "cylinder") return gjk::Cylinder<double>{point(0), point(1), given.radius};
        if (given.is_round) return gjk::SphericalSector<double>{point(0), point(1), given.radius};
        if (given.kind == "cone") return gjk::Cone<double>{point(0), point(1), given.radius};
    }
    if (given.kind == "hull") {
        for (const auto& vertex : given.points) vertices.push_back(vec<N>(vertex));
        return gjk::Hull<double, N>(vertices);
    }
    if (given.points.size() == 2) return gjk::Segment<double, N>{point(0), point(1)};
    return gjk::Point<double, N>{point(0)};
}

/// Names the shape in what its reader says.
auto of_shape(const char* name, const Json& query, const auto& read) {
    const Json& shape = member(query, name);
    try {
        return read(shape);
    } catch (const Error& error) {
        fail("{}: {}", name, error.what());
    }
}

/// Balls' radii are margins.
template <int N>
QuerySolid<N> read_solid(const char* name, const Json& query, std::vector<gjk::Vec<double, N>>& vertices) {
    return of_shape(name, query, [&](const Json& shape) {
        const GivenShape<N> given(shape, N == 3 ? ShapeUse::pair : ShapeUse::flat_pair);
        const bool is_ball = given.kind == "sphere" || given.kind == "capsule";
        const auto sweep = given.sweep ? vec<N>(*given.sweep) : gjk::Vec<double, N>{};
        return QuerySolid<N>({kind_of<N>(given, vertices), sweep}, (is_ball ? given.radius : 0) + given.margin);
    });
}

int dimension_of(const Json& shape) {
    if (!shape.is_object()) fail("a and b are to be objects");
    for (const char* name : {"p", "a", "center", "base", "min", "max"}) {
        if (shape.contains(name) && shape[name].is_array()) return shape[name].size() == 2 ? 2 : 3;
    }
    const Json& vertices = shape.contains("vertices") ? shape["vertices"] : Json();
    return vertices.is_array() && !vertices.empty() && is_array_of(vertices.front(), 2) ? 2 : 3;
}

template <int N>
ordered_json numbers_of(const gjk::Vec<double, N>& v) {
    if constexpr (N == 3)
        return {v.x, v.y, v.z};
    else
        return {v.x, v.y};
}

/// When a, on its way by `motion`, first touches b.
template <int N>
void answer_cast(const SolidPair<N>& pair, const Json& motion, ordered_json& reply) {
    const auto found = gjk::cast(pair.a, vec<N>(vector<N>(motion, "motion", bounded_number)), pair.b);
    reply["verdict"] = pair_verdict(found.verdict);
    if (found.verdict == gjk::Verdict::separated) return;
    reply["time"] = {found.earliest, nullptr};
    if (found.verdict == gjk::Verdict::intersecting) reply["time"][1] = found.latest;
    reply["closest"] = {numbers_of<N>(found.a), numbers_of<N>(found.b)};
}

template <int N>
void answer_in(const Json& query, ordered_json& reply) {
    const SolidPair<N> pair(query);
    if (query.contains("motion")) return answer_cast(pair, query["motion"], reply);
    const auto found = pair.distance();
    const bool apart = found.verdict == gjk::Verdict::separated;
    reply["verdict"] = apart ? "separated" : "intersecting";
    reply["distance"] = found.distance;
    reply["closest"] = {numbers_of<N>(found.a), numbers_of<N>(found.b)};
    if (apart) return;
    const auto overlap = gjk::penetration(pair.a, pair.b, {.max_steps = 1000, .relative = 1e-9});
    if (overlap.verdict == gjk::Verdict::intersecting) reply["depth"] = overlap.depth;
}

}  // namespace

template <int N>
SolidPair<N>::SolidPair(const Json& query)
    : a(read_solid<N>("a", query, vertices_of_a)), b(read_solid<N>("b", query, vertices_of_b)) {}

template struct SolidPair<2>;
template struct SolidPair<3>;

int dimension_of_pair(const Json& query) {
    const int of_a = of_shape("a", query, dimension_of), of_b = of_shape("b", query, dimension_of);
    if (of_a != of_b) fail("b: has points of {} numbers, those of a have {}", of_b, of_a);
    return of_a;
}

const char* pair_verdict(gjk::Verdict verdict) {
    static constexpr const char* names[] = {"undecided", "intersecting", "separated"};
    return names[static_cast<std::size_t>(verdict)];
}

void answer_pair(const Json& query, ordered_json& reply) {
    return dimension_of_pair(query) == 2 ? answer_in<2>(query, reply) : answer_in<3>(query, reply);
}

}  // namespace lanecull::program
