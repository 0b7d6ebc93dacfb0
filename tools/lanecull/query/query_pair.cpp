#include "query/query_pair.hpp"

#include <cstddef>
#include <lanecull/gjk.hpp>
#include <memory>
#include <utility>

#include "query/query_distance.hpp"
#include "query/query_numbers.hpp"
#include "query/query_solid.hpp"
#include "support/error.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

template <int N>
Json numbers(const gjk::Vec<double, N>& v) {
    if constexpr (N == 3)
        return Json::array({v.x, v.y, v.z});
    else
        return Json::array({v.x, v.y});
}

Json array_of(Json first, Json second) {
    Json result = Json::array();
    result.add(std::move(first)).add(std::move(second));
    return result;
}

template <class Read>
auto of_shape(const char* name, JsonValue query, Read&& read) -> decltype(read(query)) {
    const JsonValue shape = member(query, name);
    try {
        return read(shape);
    } catch (const Error& error) {
        fail("{}: {}", name, error.what());
    }
}

template <int N>
struct SolidPair {
    explicit SolidPair(JsonValue query) : a(of_shape("a", query, read)), b(of_shape("b", query, read)) {}

    static std::unique_ptr<QuerySolid<N>> read(JsonValue shape) { return std::make_unique<QuerySolid<N>>(shape); }

    std::unique_ptr<QuerySolid<N>> a, b;
};

/// A solid by reference, as a cast moves shapes that it holds.
template <int N>
struct Lent {
    using Vector = gjk::Vec<double, N>;
    const QuerySolid<N>& solid;

    static constexpr int roundings = QuerySolid<N>::roundings;
    [[nodiscard]] Vector support(const Vector& d) const { return solid.support(d); }
    [[nodiscard]] double magnitude() const { return solid.magnitude(); }
    [[nodiscard]] Vector inside() const { return solid.inside(); }
    [[nodiscard]] const SolidCore<N>& core() const { return solid.core(); }
    [[nodiscard]] double margin() const { return solid.margin(); }
};

const char* name_of(gjk::Verdict verdict) {
    static constexpr const char* names[] = {"undecided", "intersecting", "separated"};
    return names[static_cast<std::size_t>(verdict)];
}

/// When a, on its way by `motion`, first touches b.
template <int N>
void answer_cast(const SolidPair<N>& pair, JsonValue motion, Json& reply) {
    const auto found = gjk::cast(Lent<N>{*pair.a}, read_vector<N>(motion, "motion"), *pair.b);
    reply.set("verdict", name_of(found.verdict));
    if (found.verdict == gjk::Verdict::separated) return;
    const bool meet = found.verdict == gjk::Verdict::intersecting;
    reply.set("time", array_of(found.earliest, meet ? Json(found.latest) : Json()));
    reply.set("closest", array_of(numbers(found.a), numbers(found.b)));
}

template <int N>
void answer_in(JsonValue query, Json& reply) {
    const SolidPair<N> pair(query);
    if (query.contains("motion")) return answer_cast(pair, query["motion"], reply);
    const auto found = query_distance(*pair.a, *pair.b);
    reply.set("verdict", query_verdict(found.verdict));
    reply.set("distance", found.distance);
    reply.set("closest", array_of(numbers(found.a), numbers(found.b)));
    if (found.verdict == gjk::Verdict::separated) return;
    const auto overlap = gjk::penetration(*pair.a, *pair.b, {.max_steps = 1000, .relative = 1e-9});
    if (overlap.verdict == gjk::Verdict::intersecting) reply.set("depth", overlap.depth);
}

int dimension(JsonValue query) {
    const int of_a = of_shape("a", query, dimension_of_solid), of_b = of_shape("b", query, dimension_of_solid);
    if (of_a != of_b) fail("b: has points of {} numbers, those of a have {}", of_b, of_a);
    return of_a;
}

}  // namespace

void answer_pair(JsonValue query, Json& reply) {
    if (dimension(query) == 2)
        answer_in<2>(query, reply);
    else
        answer_in<3>(query, reply);
}

PairPicture picture_of_pair(JsonValue query) {
    if (dimension(query) == 2) {
        const SolidPair<2> pair(query);
        return pair_picture(*pair.a, *pair.b);
    }
    const SolidPair<3> pair(query);
    return pair_picture(*pair.a, *pair.b);
}

}  // namespace lanecull::program
