/// Two shapes or composites of any numbers and kinds, with hulls that climb by any adjacency, in gjk.hpp. Whatever an
/// answer claims to prove is verified in 50 digits, and shapes with a number that is not finite are never apart.

#include <cstdint>
#include <deque>
#include <variant>
#include <vector>

#include <lanecull/gjk.hpp>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "prove/gjk/claims.hpp"
#include "prove/gjk/numbers.hpp"

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using T = float;
using V = gjk::Vec3<T>;
using Hull = gjk::Hull<T>;
using Box = gjk::OrientedBox<T>;

/// Any shape, behind one type that climbs if it does.
struct Fuzzed {
    using Vector = V;
    std::variant<gjk::Segment<T>, gjk::Triangle<T>, gjk::Sphere<T>, gjk::Capsule<T>, gjk::Box<T>, Box,
                 gjk::Ellipsoid<T>, gjk::Cylinder<T>, gjk::Cone<T>, Hull, gjk::Rounded<gjk::Swept<Box>>,
                 gjk::Placed<gjk::Join<gjk::Cone<T>, gjk::Sphere<T>>>, gjk::Transformed<gjk::Transformed<Box>>,
                 gjk::Transformed<Hull>, gjk::Sum<Hull, gjk::Negated<gjk::Ellipsoid<T>>>, gjk::Join<Hull, Hull>>
        specimen;

    static constexpr int roundings = 40;  // at least as many as any kind has
    [[nodiscard]] V support(const V& d) const {
        return std::visit([&](const auto& shape) -> V { return shape.support(d); }, specimen);
    }
    [[nodiscard]] T magnitude() const {
        return std::visit([](const auto& shape) { return gjk::magnitude(shape); }, specimen);
    }
    [[nodiscard]] V inside() const {
        return std::visit([](const auto& shape) -> V { return gjk::inside(shape); }, specimen);
    }
    [[nodiscard]] bool climbs() const {
        return std::visit([](const auto& shape) { return gjk::climbs(shape); }, specimen);
    }
    [[nodiscard]] Fuzzed exhaustive() const {
        return std::visit([](const auto& shape) { return Fuzzed{gjk::exhaustive(shape)}; }, specimen);
    }
};

class Maker {
public:
    explicit Maker(Input& input) : input_(input) {}

    [[nodiscard]] bool finite() const { return finite_; }

    [[nodiscard]] V vector() {
        const V v{input_.single(), input_.single(), input_.single()};
        finite_ = finite_ && std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
        return v;
    }

    [[nodiscard]] Fuzzed shape() {
        switch (input_.up_to(15)) {
            case 0:
                return {gjk::Segment<T>{vector(), vector()}};
            case 1:
                return {gjk::Triangle<T>{vector(), vector(), vector()}};
            case 2:
                return {gjk::Sphere<T>{vector(), size()}};
            case 3:
                return {gjk::Capsule<T>{vector(), vector(), size()}};
            case 4:
                return {gjk::Box<T>{vector(), sizes()}};
            case 5:
                return {box()};
            case 6:
                return {ellipsoid()};
            case 7:
                return {gjk::Cylinder<T>{vector(), vector(), size()}};
            case 8:
                return {gjk::Cone<T>{vector(), vector(), size()}};
            default:
                return composite();
        }
    }

private:
    [[nodiscard]] Fuzzed composite() {
        switch (input_.up_to(6)) {
            case 0:
                return {gjk::Rounded<gjk::Swept<Box>>{{box(), vector()}, size()}};
            case 1:
                return {gjk::Placed<gjk::Join<gjk::Cone<T>, gjk::Sphere<T>>>{
                    {{vector(), vector(), size()}, {vector(), size()}}, {rotation(), vector()}}};
            case 2:
                return {gjk::Transformed<gjk::Transformed<Box>>{{box(), {matrix(), vector()}}, {matrix(), vector()}}};
            case 3:
                return {gjk::Transformed<Hull>{hull(), {matrix(), vector()}}};
            case 4:
                return {gjk::Sum<Hull, gjk::Negated<gjk::Ellipsoid<T>>>{hull(), {ellipsoid()}}};
            case 5:
                return {gjk::Join<Hull, Hull>{hull(), hull()}};
            default:
                return {hull()};
        }
    }

    /// Sizes are not negative.
    [[nodiscard]] T size() {
        const T s = std::fabs(input_.single());
        finite_ = finite_ && std::isfinite(s);
        return s;
    }
    [[nodiscard]] V sizes() { return {size(), size(), size()}; }
    [[nodiscard]] gjk::Matrix<T, 3> matrix() {
        const T scale = input_.flag() ? T(1) : std::ldexp(T(1), static_cast<int>(input_.up_to(250)) - 126);
        gjk::Matrix<T, 3> m = rotation();
        for (V& column : m.column) column = scale * (input_.flag() ? column : vector());
        for (const V& column : m.column) finite_ = finite_ && gjk::sum_norm(column - column) == 0;
        return m;
    }
    [[nodiscard]] gjk::Matrix<T, 3> rotation() {
        if (input_.flag()) return gjk::identity<T, 3>();
        return {{{0.6f, 0.8f, 0}, {0, 0, 1}, {0.8f, -0.6f, 0}}};
    }
    [[nodiscard]] Box box() { return {vector(), matrix(), sizes()}; }
    [[nodiscard]] gjk::Ellipsoid<T> ellipsoid() { return {vector(), matrix(), sizes()}; }

    /// Of few points, or of as many as it takes to climb, with any adjacency.
    [[nodiscard]] Hull hull() {
        const bool climbs = input_.flag();
        const V center = vector();
        std::vector<V>& points =
            points_.emplace_back(climbs ? Hull::linear + 1 + input_.up_to(7) : 1 + input_.up_to(7));
        const auto coordinate = [&] { return 0.5f * (static_cast<T>(input_.up_to(255)) - 128); };
        for (V& p : points) p = center + V{coordinate(), coordinate(), coordinate()};
        if (!climbs) return Hull(points);
        std::vector<std::uint32_t>& first = lists_.emplace_back(1, 0);
        std::vector<std::uint32_t>& neighbors = lists_.emplace_back();
        const std::uint32_t last = static_cast<std::uint32_t>(points.size()) - 1;
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (std::uint32_t k = input_.up_to(3); k > 0; --k) neighbors.push_back(input_.up_to(last));
            first.push_back(static_cast<std::uint32_t>(neighbors.size()));
        }
        return Hull(points, {first, neighbors});
    }

    Input& input_;
    bool finite_ = true;
    std::deque<std::vector<V>> points_;
    std::deque<std::vector<std::uint32_t>> lists_;
};

/// The claims of all answers, of which the first ones are `found` and `answer`.
void check_claims(const Fuzzed& a, const Fuzzed& b, const V& direction, const V& motion, bool finite) {
    using prove::gjk_subject::describe;
    const prove::gjk_subject::Claims<Fuzzed, Fuzzed> claims(a, b);
    const auto expect = [&](const char* broken) {
        check(broken == nullptr, broken == nullptr ? "" : broken, "a " + describe(a) + "\nb " + describe(b));
    };
    const auto answer = gjk::intersect(a, b, {.direction = direction});
    const auto found = gjk::distance(a, b, {.direction = direction, .warm = &answer.simplex});
    const auto depth = gjk::penetration(a, b);
    const auto contact = gjk::cast(a, motion, b);
    if (finite) {
        expect(claims.broken(answer));
        expect(claims.broken(found));
        // With adjacency that lacks edges climbing proves no depth.
        const bool deep = depth.verdict == Verdict::intersecting && (a.climbs() || b.climbs());
        expect(deep ? nullptr : claims.broken(depth));
    } else {
        const bool told = answer.verdict == Verdict::separated || found.verdict == Verdict::separated ||
                          depth.verdict == Verdict::separated || found.lower > 0;
        expect(told ? "a number is none, yet they are apart" : nullptr);
    }
    const bool moves = gjk::sum_norm(motion - motion) == 0;
    if (finite && moves) return expect(claims.broken(contact, motion));
    expect(contact.earliest == 0 ? nullptr : "cast: a number is none, yet there is no contact at first");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    Maker maker(input);
    const Fuzzed a = maker.shape(), b = maker.shape();
    const bool finite = maker.finite();
    const V direction = maker.vector(), motion = maker.vector();
    check_claims(a, b, direction, motion, finite);
    return 0;
}
