#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include <lanecull/gjk.hpp>

#include "support/queries.hpp"

/// Pairs from the tests of seven other projects, labelled independently, as a user's own code calls the library: their
/// shapes by their own types, in floats and in doubles. `lanecull query` answers the same file.

namespace {

namespace gjk = lanecull::gjk;
using nlohmann::json;

template <class T, int N>
gjk::Vec<T, N> vector(const json& v) {
    const auto number = [&](std::size_t k) { return static_cast<T>(v.at(k).get<double>()); };
    if constexpr (N == 3)
        return {number(0), number(1), number(2)};
    else
        return {number(0), number(1)};
}

template <class T, int N>
struct Kinds;
template <class T>
struct Kinds<T, 3> {
    using Type = std::variant<gjk::Point<T>, gjk::Sphere<T>, gjk::Capsule<T>, gjk::Box<T>, gjk::Hull<T>,
                              gjk::OrientedBox<T>, gjk::Cylinder<T>>;
};
template <class T>
struct Kinds<T, 2> {
    using Type = std::variant<gjk::Point<T, 2>, gjk::Circle<T>, gjk::Capsule<T, 2>, gjk::Box<T, 2>, gjk::Polygon<T>>;
};

/// A shape of the file, and the vertices that a hull points to.
template <class T, int N>
struct Shape {
    using V = gjk::Vec<T, N>;
    using Kind = typename Kinds<T, N>::Type;
    std::vector<V> vertices;
    Kind kind;

    explicit Shape(const json& shape) : vertices(vertices_of(shape)), kind(make(shape, vertices)) {}
    Shape(const Shape&) = delete;
    Shape& operator=(const Shape&) = delete;

private:
    static std::vector<V> vertices_of(const json& shape) {
        std::vector<V> vertices;
        if (!shape.contains("vertices")) return vertices;
        for (const json& v : shape["vertices"]) vertices.push_back(vector<T, N>(v));
        return vertices;
    }

    static Kind make(const json& shape, const std::vector<V>& vertices) {
        const auto point = [&](const char* name) { return vector<T, N>(shape.at(name)); };
        const auto radius = [&] { return static_cast<T>(shape.at("radius").get<double>()); };
        const std::string kind = shape.at("kind");
        if (kind == "point") return gjk::Point<T, N>{point("p")};
        if (kind == "sphere") return gjk::Sphere<T, N>{point("center"), radius()};
        if (kind == "capsule") return gjk::Capsule<T, N>{point("a"), point("b"), radius()};
        if (kind == "hull") return gjk::Hull<T, N>(vertices);
        if (kind == "aabb") {
            const V low = point("min"), high = point("max");
            return gjk::Box<T, N>{T(0.5) * (low + high), T(0.5) * (high - low)};
        }
        if constexpr (N == 3) {
            if (kind == "cylinder") return gjk::Cylinder<T>{point("a"), point("b"), radius()};
            if (kind == "obb") {
                const auto axis = [&](std::size_t k) { return gjk::unit(vector<T, N>(shape.at("axes").at(k))); };
                return gjk::OrientedBox<T>{point("center"), {{axis(0), axis(1), axis(2)}}, point("half_extents")};
            }
        }
        ADD_FAILURE() << kind;
        return gjk::Point<T, N>{};
    }
};

[[nodiscard]] int dimension_of(const json& shape) {
    for (const char* name : {"p", "center", "a", "min"}) {
        if (shape.contains(name)) return static_cast<int>(shape[name].size());
    }
    return static_cast<int>(shape.at("vertices").at(0).size());
}

/// How far a point is from the shape that the file describes.
template <int N>
double distance_from(const gjk::Vec<double, N>& p, const json& shape) {
    const Shape<double, N> of(shape);
    return std::visit([&](const auto& s) { return gjk::distance(gjk::Point<double, N>{p}, s).distance; }, of.kind);
}

/// Labels call touching what is apart by less than a millionth, and that is as much as floats can decide.
template <class T, int N>
void expect_labels() {
    constexpr double resolution = 1e-6, accuracy = sizeof(T) == 4 ? 1e-5 : 1e-6;
    std::ifstream file(LANECULL_TEST_DATA "/suites.jsonl");
    int pairs = 0, apart = 0, together = 0, undecided = 0;
    double worst = 0;
    for (std::string line; std::getline(file, line);) {
        const json query = json::parse(line);
        if (!query.contains("a") || dimension_of(query["a"]) != N) continue;
        SCOPED_TRACE(line);
        ++pairs;
        const Shape<T, N> a(query["a"]), b(query["b"]);
        const double size = std::max(size_of(query["a"]), size_of(query["b"])), label = query.at("distance");
        const auto found = std::visit([](const auto& p, const auto& q) { return gjk::distance(p, q); }, a.kind, b.kind);
        const auto answer =
            std::visit([](const auto& p, const auto& q) { return gjk::intersect(p, q); }, a.kind, b.kind);

        const double off = std::fabs(double{found.distance} - label) / size;
        EXPECT_LE(off, accuracy);
        worst = std::max(worst, off);
        EXPECT_LE(double{found.lower}, label + resolution * size);
        EXPECT_GE(double{found.upper}, label - resolution * size);

        const bool is_apart = query.at("expect") == "separated" && label > resolution * size;
        const bool is_together = query.at("expect") == "intersecting" && query.contains("depth") &&
                                 query["depth"].is_number() && query["depth"].get<double>() > resolution * size;
        apart += is_apart;
        together += is_together;
        for (const gjk::Verdict verdict : {found.verdict, answer.verdict}) {
            EXPECT_FALSE(is_apart && verdict != gjk::Verdict::separated);
            EXPECT_FALSE(is_together && verdict != gjk::Verdict::intersecting);
            undecided += verdict == gjk::Verdict::undecided;
        }
        if (!is_apart) continue;
        const gjk::Vec<double, N> on_a = gjk::cast<double>(found.a), on_b = gjk::cast<double>(found.b);
        EXPECT_NEAR(std::sqrt(dot(on_a - on_b, on_a - on_b)), label, accuracy * size);
        EXPECT_LE(distance_from(on_a, query["a"]), accuracy * size);
        EXPECT_LE(distance_from(on_b, query["b"]), accuracy * size);
    }
    std::printf("%d pairs: %d apart, %d together, %d verdicts undecided; off by %.2g of the size\n", pairs, apart,
                together, undecided, worst);
    EXPECT_EQ(pairs, N == 3 ? 322 : 185);
    EXPECT_GE(apart, N == 3 ? 150 : 80);
    EXPECT_GE(together, N == 3 ? 130 : 80);
    EXPECT_LE(undecided, 2 * (pairs - apart - together));
}

TEST(Suites, AreAnsweredByTheirLabels) {
    expect_labels<float, 2>();
    expect_labels<double, 2>();
    expect_labels<float, 3>();
    expect_labels<double, 3>();
}

}  // namespace
