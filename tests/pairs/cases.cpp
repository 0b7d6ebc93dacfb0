#include "pairs/cases.hpp"

#include <lanecull/gjk.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/exact_objects.hpp"
#include "support/generate.hpp"

namespace pair_tests {
namespace {

namespace gjk = lanecull::gjk;
using V = gjk::Vec3<double>;

double reach(const exact::Solid& solid) {
    double farthest = 0;
    for (const exact::Point& p : solid.points) {
        const exact::Vec<double> v = exact::to_double(p - solid.points[0]);
        farthest = std::max(farthest, std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
    }
    return farthest + static_cast<double>(solid.radius);
}

Double3 middle(const exact::Solid& solid) {
    Double3 sum{};
    for (const exact::Point& p : solid.points) {
        const exact::Vec<double> v = exact::to_double(p);
        sum = sum + 1.0 / static_cast<double>(solid.points.size()) * Double3{v.x, v.y, v.z};
    }
    return sum;
}

struct Placing {
    double size_a, size_b, place, apart;  ///< `apart`: of the middles, as a share of the sizes' sum
};

Placing placing_of(Random& random, Family family) {
    const double size = random.log_range(0.01, 10);
    switch (family) {
        case Family::touching:
        case Family::near:
            return {size, size * random.log_range(0.2, 5), 20, random.range(0, 1.5)};
        case Family::deep:
            return {size, size * random.log_range(0.5, 2), 20, random.chance(0.3) ? 0 : random.range(0, 0.05)};
        case Family::uneven:
            return {size, size * random.log_range(1e-6, 1e6), 10, random.range(0.5, 1.1)};
        case Family::tiny:
            return {1e-12 * size, 1e-12 * size, 1e-11, random.range(0, 1.5)};
        case Family::huge:
            return {1e12 * size, 1e12 * size, 1e13, random.range(0, 1.5)};
        default:
            return {size, size, 1e6 * size, random.range(0, 2)};
    }
}

std::vector<V> vertices(const exact::Solid& solid) {
    std::vector<V> points;
    for (const exact::Point& p : solid.points) {
        const exact::Vec<double> v = exact::to_double(p);
        points.push_back({v.x, v.y, v.z});
    }
    return points;
}

double distance_between(const exact::Solid& a, const exact::Solid& b) {
    const std::vector<V> of_a = vertices(a), of_b = vertices(b);
    const gjk::Rounded<gjk::Hull<double>> hull_a{gjk::Hull<double>(of_a), static_cast<double>(a.radius)};
    const gjk::Rounded<gjk::Hull<double>> hull_b{gjk::Hull<double>(of_b), static_cast<double>(b.radius)};
    return gjk::distance(hull_a, hull_b).distance;
}

/// What a hull's vertices add to the instance's coordinates: they may be far from their own origin.
double magnitude(const Object& instance, const Vertices& vertices) {
    double sum = 0;
    for (std::size_t column = 0; column < 3; ++column) {
        float largest = 0, size = 0;
        for (const auto& vertex : vertices) largest = std::max(largest, std::abs(vertex[column]));
        for (std::size_t row = 0; row < 3; ++row) size += std::abs(instance.fields[4 * row + column]);
        sum += static_cast<double>(largest) * static_cast<double>(size);
    }
    return sum;
}

exact::Solid translated(exact::Solid solid, const exact::Point& by) {
    for (exact::Point& p : solid.points) p = p + by;
    return solid;
}

}  // namespace

const char* family_name(Family family) {
    constexpr const char* names[] = {"near", "touching", "deep", "uneven", "tiny", "huge", "far away", "identical"};
    return names[static_cast<std::size_t>(family)];
}

Cases::Cases(Random& random, Kind a, Kind b, std::size_t count) : kind_a(a), kind_b(b), hulls(random_hulls(random, 5)) {
    while (pairs.size() < count) {
        const Family family = all_families[pairs.size() % std::size(all_families)];
        const Placing placing = placing_of(random, family);
        const Double3 at = placing.place * random_direction(random);
        PairCase made{object_at(random, a, at, placing.size_a, hulls), {}, family, {}};
        const double apart = placing.apart * (placing.size_a + placing.size_b);
        const Double3 way = random_direction(random);
        made.b = object_at(random, b, at + apart * way, placing.size_b, hulls);
        if (family == Family::identical && a == b) made.b = made.a;
        const exact::Solid solid_a = exact_solid_of(a, made.a, hulls), solid_b = exact_solid_of(b, made.b, hulls);
        const Double3 between = middle(solid_b) - middle(solid_a);
        if (family == Family::touching && length(between) > 0) {
            const double gap = distance_between(solid_a, solid_b);
            made.b = moved(b, made.b, -(gap / length(between)) * between);
        }
        const Double3 aside = (reach(solid_a) + reach(solid_b)) * random.range(0, 1) * random_direction(random);
        const Double3 motion = random.range(0.2, 3) * between + aside;
        for (std::size_t k = 0; k < 3; ++k) made.motion[k] = static_cast<float>(motion[k]);
        pairs.push_back(made);
    }
}

std::string Cases::describe(std::size_t i) const {
    const PairCase& pair = pairs[i];
    return std::string(family_name(pair.family)) + ": " + ::describe(kind_a, pair.a, hulls) + " and " +
           ::describe(kind_b, pair.b, hulls) + " motion " + testing::PrintToString(pair.motion);
}

ExactPair::ExactPair(Kind kind_a, const Object& object_a, Kind kind_b, const Object& object_b, const HullSet& hulls,
                     const std::array<float, 3>& m)
    : a(exact_solid_of(kind_a, object_a, hulls)), b(exact_solid_of(kind_b, object_b, hulls)) {
    motion = exact::point(m[0], m[1], m[2]);
    origin = b.points[0];
    const exact::Point back = exact::Rational(-1) * origin;
    a = translated(a, back);
    b = translated(b, back);
    const exact::Vec<double> between = exact::to_double(a.points[0]);
    size = reach(a) + reach(b) + std::hypot(between.x, between.y, between.z);
    way_size = std::hypot(double{m[0]}, double{m[1]}, double{m[2]});
    for (const auto& [kind, object] : {std::pair{kind_a, &object_a}, {kind_b, &object_b}}) {
        if (has_transform(kind)) size += magnitude(*object, local_points(kind, *object, hulls));
    }
}

ExactPair::ExactPair(const Cases& cases, std::size_t i)
    : ExactPair(cases.kind_a, cases.pairs[i].a, cases.kind_b, cases.pairs[i].b, cases.hulls, cases.pairs[i].motion) {}

bool ExactPair::meet(const exact::Rational& grow, const exact::Rational& time) const {
    const exact::Volume volume = exact::Volume::hull(b.points).widened(b.radius);
    const exact::Answer answer = exact::decide(translated(a, time * motion), volume, grow);
    EXPECT_NE(answer.verdict, exact::Verdict::unclear);
    return answer.verdict != exact::Verdict::apart;
}

bool ExactPair::meet_by(const exact::Rational& time, const exact::Rational& grow) const {
    const exact::Volume volume = exact::Volume::hull(b.points).widened(b.radius);
    return exact::decide(exact::swept(a, time * motion), volume, grow).verdict != exact::Verdict::apart;
}

double ExactPair::distance() const { return distance_between(a, b); }

double ExactPair::distance_to(const exact::Solid& solid, const std::array<float, 3>& world) const {
    exact::Solid point;
    const exact::Rational back = -1;
    point.points = {exact::point(world[0], world[1], world[2]) + back * origin};
    return distance_between(point, solid);
}

Batches::Batches(const Cases& cases) : a(lanecull::Spheres{}), b(lanecull::Spheres{}) {
    std::vector<Object> first, second;
    for (std::size_t i = 0; i < cases.pairs.size(); ++i) {
        first.push_back(cases.pairs[i].a);
        second.push_back(cases.pairs[i].b);
        index.push_back(static_cast<std::uint32_t>(i));
    }
    a = make_batch(cases.kind_a, first, cases.hulls, memory);
    b = make_batch(cases.kind_b, second, cases.hulls, memory);
}

Separated run_separate(const lanecull::Batch& a, const lanecull::Batch& b, const lanecull::PairIndices& pairs,
                       lanecull::Isa isa, const lanecull::Runner& runner) {
    Separated result{std::vector<std::uint64_t>((pairs.count + 63) / 64, ~std::uint64_t{0})};
    const lanecull::Status status = lanecull::separate_pairs(a, b, pairs, result.words, {isa}, runner);
    EXPECT_TRUE(status) << status.message();
    return result;
}

Distances run_distances(const lanecull::Batch& a, const lanecull::Batch& b, const lanecull::PairIndices& pairs,
                        const lanecull::PairDistanceOptions& options, const lanecull::Runner& runner) {
    Distances result{std::vector<float>(pairs.count), std::vector<float>(pairs.count), {}};
    for (std::vector<float>& stream : result.points) stream.resize(pairs.count);
    const auto& p = result.points;
    const auto to = [&](std::size_t k) { return const_cast<float*>(p[k].data()); };
    const lanecull::Status status = lanecull::pair_distances(
        a, b, pairs, {result.lower.data(), result.upper.data(), to(0), to(1), to(2), to(3), to(4), to(5)}, options,
        runner);
    EXPECT_TRUE(status) << status.message();
    return result;
}

Casts run_casts(const Batches& batches, const Cases& cases, lanecull::Isa isa, const lanecull::Runner& runner) {
    const std::size_t count = cases.pairs.size();
    std::vector<float> motion[3];
    for (std::size_t k = 0; k < 3; ++k) {
        for (const PairCase& pair : cases.pairs) motion[k].push_back(pair.motion[k]);
    }
    Casts result{std::vector<float>(count), std::vector<float>(count)};
    lanecull::PairCastOptions options;
    options.isa = isa;
    const lanecull::Status status = lanecull::cast_pairs(
        batches.a, batches.b, batches.pairs(), {motion[0].data(), motion[1].data(), motion[2].data()},
        {result.earliest.data(), result.latest.data()}, options, runner);
    EXPECT_TRUE(status) << status.message();
    return result;
}

}  // namespace pair_tests
