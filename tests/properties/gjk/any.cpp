#include <cmath>
#include <limits>

#include "properties/gjk/subject.hpp"

/// Pairs of any kinds and of any numbers, none among them.
namespace properties::gjk_subject {
namespace {

template <class T, int N, class Hull = gjk::Hull<T, N>, class Any = specimens::Any<T, N>>
struct AnyKinds : specimens::KindList<Any, Hull, gjk::Rounded<gjk::Swept<Hull>>, gjk::Transformed<Hull>,
                                      gjk::Transformed<gjk::Transformed<Any>>, gjk::Sum<Hull, gjk::Negated<Any>>,
                                      gjk::Join<Hull, Hull>> {};
template <class T, int N>
using AnyShape = specimens::OneOf<true, AnyKinds<T, N>>;

template <class T, int N>
class AnyMaker {
public:
    using V = gjk::Vec<T, N>;
    using Hull = gjk::Hull<T, N>;
    using Any = specimens::Any<T, N>;

    explicit AnyMaker(Random& random) : random_(random), maker_(random) {}

    [[nodiscard]] bool finite() const { return finite_; }  ///< all numbers so far were
    [[nodiscard]] V vector() {
        return specimens::vector_of<T, N>([&] { return number(); });
    }
    /// Its numbers are any. Sizes are not negative; axes and maps are often those of a rotation, and of any scale.
    [[nodiscard]] AnyShape<T, N> shape() {
        constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
        constexpr T none[] = {inf, -inf, nan, -nan};
        AnyShape<T, N> made = skeleton();
        const bool usual = random_.chance(0.5);
        const T scale = random_.chance(0.5) ? T(1) : std::ldexp(T(1), random_.below(251) - 126);
        int spoilt = random_.chance(0.1) ? random_.below(12) : -1;  // this number of them is none
        each_number(made, [&](T& of, Unit unit) {
            if (unit == Unit::none) of = scale * (usual ? of : number());
            if (unit == Unit::length) of = number();
            if (unit == Unit::size) of = std::fabs(number());
            if (spoilt-- == 0) of = none[random_.below(4)];
            finite_ = finite_ && std::isfinite(of);
        });
        return made;
    }

private:
    [[nodiscard]] AnyShape<T, N> skeleton() {
        const gjk::Affine<T, N> turn{maker_.rotation(), {}};
        switch (random_.below(16)) {
            case 0:
                return {gjk::Rounded<gjk::Swept<Hull>>{{hull(), {}}, 0}};
            case 1:
                return {gjk::Transformed<Hull>{hull(), turn}};
            case 2:
                return {gjk::Transformed<gjk::Transformed<Any>>{{maker_.any({}), turn}, turn}};
            case 3:
                return {gjk::Sum<Hull, gjk::Negated<Any>>{hull(), {maker_.any({})}}};
            case 4:
                return {gjk::Join<Hull, Hull>{hull(), hull()}};
            case 5:
            case 6:
                return {hull()};
            default:
                return {maker_.any({})};
        }
    }
    [[nodiscard]] T number() {
        const float any = random_.any_float();
        finite_ = finite_ && std::isfinite(any);
        return T(any);
    }

    /// Of few points, or of as many as it takes to climb, with any adjacency.
    [[nodiscard]] Hull hull() {
        const bool climbs = random_.chance(0.5);
        const V center = vector();
        const auto size = static_cast<std::size_t>(1 + random_.below(8)) + (climbs ? Hull::linear : 0);
        std::vector<V>& points = points_.emplace_back(size);
        const auto coordinate = [&] { return T(0.5) * static_cast<T>(random_.below(256) - 128); };
        for (V& p : points) p = center + specimens::vector_of<T, N>(coordinate);
        if (!climbs) return Hull(points);
        std::vector<std::uint32_t>& first = lists_.emplace_back(1, 0);
        std::vector<std::uint32_t>& neighbors = lists_.emplace_back();
        for (std::size_t i = 0; i < size; ++i) {
            for (int k = random_.below(4); k > 0; --k) {
                neighbors.push_back(static_cast<std::uint32_t>(random_.below(static_cast<int>(size))));
            }
            first.push_back(static_cast<std::uint32_t>(neighbors.size()));
        }
        return Hull(points, {first, neighbors});
    }

    Random& random_;
    specimens::Maker<T, N> maker_;
    bool finite_ = true;
    std::deque<std::vector<V>> points_;
    std::deque<std::vector<std::uint32_t>> lists_;
};

/// Where all numbers are finite proofs hold; else there is none.
template <class T, int N>
void judge_any(const Trial& trial) {
    AnyMaker<T, N> maker(trial.random);
    const AnyShape<T, N> a = maker.shape(), b = maker.shape();
    const bool finite = maker.finite();
    const gjk::Vec<T, N> direction = maker.vector(), motion = maker.vector();
    const Judge judge(trial, a, b);
    const auto answer = gjk::intersect(a, b, {.direction = direction});
    const auto found = gjk::distance(a, b, {.direction = direction, .warm = &answer.simplex});
    const auto depth = gjk::penetration(a, b);
    const auto way = gjk::signed_distance(a, b);
    const auto contact = gjk::cast(a, motion, b);
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += finite;
    if (finite) {
        judge.certify(answer);
        judge.certify(found);
        // With adjacency that lacks edges climbing proves no depth.
        const bool climbing = a.climbs() || b.climbs();
        if (!(climbing && depth.verdict == Verdict::intersecting)) judge.certify(depth);
        if (!(climbing && way.verdict == Verdict::intersecting)) judge.certify(way);
    } else {
        const bool told = answer.verdict == Verdict::separated || !gjk::may_intersect(a, b) ||
                          found.verdict == Verdict::separated || depth.verdict == Verdict::separated ||
                          found.lower > 0 || way.lower > 0 ||
                          gjk::distance(a, b, {.limit = 1}).verdict == Verdict::separated;
        judge.expect(!told, Tally::invalid_told, "a number is none, yet they are apart");
    }
    if (finite && gjk::sum_norm(motion - motion) == 0) {
        judge.certify(contact, motion);
    } else {
        judge.expect(contact.earliest == 0, Tally::invalid_told, "a number is none, yet there is no contact at first");
    }
}

constexpr auto any_numbers = []<class T, int N>(const Trial& trial) {
    for (int i = 0; i < pairs_of(trial) / 16 && !trial.stopped(); ++i) judge_any<T, N>(trial);
};

constexpr Rate mostly_valid[] = {{Tally::reached, Tally::cases, 0.5, 0.95}};
constexpr Family any_family = {"gjk_any_numbers", "gjk", in_all<any_numbers>, mostly_valid, true};

}  // namespace
}  // namespace properties::gjk_subject

namespace properties {

std::span<const Family> gjk_families() {
    using namespace gjk_subject;
    static const std::vector<Family> all = [] {
        std::vector<Family> made{any_family};
        for (const auto of : {touching_families, climbing_families, support_families, nearest_families, depth_families,
                              signed_families, contact_families, turning_families, closed_families})
            made.insert(made.end(), of().begin(), of().end());
        return made;
    }();
    return all;
}

}  // namespace properties
