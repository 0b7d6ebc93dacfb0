#include <deque>

#include "gjk/sharing.hpp"
#include "prove/gjk/families.hpp"
#include "prove/gjk/meeting.hpp"

/// Maps of maps, with sizes split between both and the shape: directions and points overflow and underflow on the way.
namespace prove::gjk_subject {
namespace {

template <class T, int N>
struct Mapped {
    using Any = specimens::Any<T, N>;
    using Vector = gjk::Vec<T, N>;
    std::variant<gjk::Transformed<gjk::Transformed<Any>>, gjk::Transformed<gjk::Transformed<gjk::Sum<Any, Any>>>,
                 gjk::Transformed<gjk::Transformed<gjk::Join<Any, Any>>>,
                 gjk::Transformed<gjk::Transformed<gjk::Rounded<gjk::Swept<Any>>>>>
        specimen;

    static constexpr int roundings = 2 * Any::roundings + 32;
    [[nodiscard]] Vector support(const Vector& d) const {
        return std::visit([&](const auto& shape) { return shape.support(d); }, specimen);
    }
    [[nodiscard]] T magnitude() const {
        return std::visit([](const auto& shape) { return shape.magnitude(); }, specimen);
    }
    [[nodiscard]] Vector inside() const {
        return std::visit([](const auto& shape) { return shape.inside(); }, specimen);
    }
};

/// The sizes that a shape has before, between and after two maps.
struct Sizes {
    int inner, middle, outer;
};

template <class T, int N>
class MappedMaker {
public:
    using Maker = sharing::Maker<T, N>;
    using V = gjk::Vec<T, N>;
    using Any = specimens::Any<T, N>;

    explicit MappedMaker(Maker& maker) : maker_(maker) {}

    /// Contains p * 2^e.
    [[nodiscard]] Mapped<T, N> operator()(const V& p, int e) {
        const Sizes sizes = split(e);
        const V at = maker_.vector(64), way = maker_.vector(64);
        switch (maker_.below(4)) {
            case 0:
                return mapped(maker_.shape(at, sizes.inner), at, p, sizes);
            case 1:
                return mapped(gjk::Sum<Any, Any>{maker_.shape(at - way, sizes.inner), maker_.shape(way, sizes.inner)},
                              at, p, sizes);
            case 2:
                return mapped(gjk::Join<Any, Any>{maker_.shape(at, sizes.inner), maker_.shape(way, sizes.inner)}, at, p,
                              sizes);
            default: {
                const T s = maker_.power(sizes.inner);
                const gjk::Swept<Any> swept{maker_.shape(at - way, sizes.inner), s * way};
                return mapped(gjk::Rounded{swept, maker_.some(4) * s}, at, p, sizes);
            }
        }
    }

private:
    /// Every size, and what leads from one to the next, is a number.
    [[nodiscard]] Sizes split(int e) {
        const auto is_number = [](int k) { return k >= Maker::least_exponent && k <= Maker::most_exponent; };
        for (;;) {
            const Sizes sizes{maker_.scale(), maker_.scale(), e};
            if (is_number(sizes.outer - sizes.middle) && is_number(sizes.middle - sizes.inner)) return sizes;
        }
    }

    /// The shape contains `at` times its size.
    template <class S>
    [[nodiscard]] Mapped<T, N> mapped(const S& shape, const V& at, const V& p, const Sizes& sizes) {
        const V between = maker_.vector(64);
        const gjk::Matrix<T, N> first = maker_.split(0).axes, second = maker_.split(0).axes;
        const auto map = [&](const gjk::Matrix<T, N>& axes, int from, int to, const V& way) {
            gjk::Affine<T, N> made{axes, maker_.power(to) * way};
            for (V& column : made.linear.column) column = maker_.power(to - from) * column;
            return made;
        };
        return {
            gjk::Transformed<gjk::Transformed<S>>{{shape, map(first, sizes.inner, sizes.middle, between - first * at)},
                                                  map(second, sizes.middle, sizes.outer, p - second * between)}};
    }

    Maker& maker_;
};

template <class T, int N>
void map_twice(const Trial& trial) {
    sharing::Maker<T, N> maker(trial.random);
    MappedMaker<T, N> mapped(maker);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const int e = maker.chance(0.5) ? maker.scale() : maker.below(200) - 100;
        const gjk::Vec<T, N> p = maker.vector(64);
        const Mapped<T, N> a = mapped(p, e), b = mapped(p, e);
        Meeting(trial, a, b).ask_all(maker.direction());
        Meeting(trial, a, b).ask_intersect(maker.diagonal());
    }
}

}  // namespace

void run_split(Trial& trial) {
    map_twice<float, 3>(trial);
    map_twice<double, 3>(trial);
    map_twice<float, 2>(trial);
    map_twice<double, 2>(trial);
}

}  // namespace prove::gjk_subject
