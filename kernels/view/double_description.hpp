#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/affine.hpp"

namespace lanecull {

/// A point or, with weight 0, a direction in which the volume has no end. What it really is lies within p's error.
struct Generator {
    Interval3 p;
    double weight;  ///< 1 or 0
    /// Set: lies on that half-space's plane, or may. The hull's edges join generators that share two planes.
    std::uint32_t planes;
    /// Of these, the planes that it lies on for certain.
    std::uint32_t sure = 0;

    [[nodiscard]] bool is_ray() const { return weight == 0; }
};

/// Of Generator::planes: rays lie on it.
inline constexpr std::uint32_t plane_at_infinity = 1u << 31;

/// Adds to `count` generators, of which there is room for `capacity`. A generator that may be the same as one that is
/// there becomes one with it, which holds both. False, and nothing is added, when there is no room.
[[nodiscard]] bool add_generator(const Generator& generator, Generator* generators, std::uint32_t& count,
                                 std::uint32_t capacity);

/// The points and rays that a volume is the hull of; a fixed array, since preparing a view allocates nothing. Whoever
/// adds must not go on with a hull that lacks one: planes around it would cut the volume.
template <std::uint32_t capacity_>
class GeneratorArray {
public:
    static constexpr std::uint32_t capacity = capacity_;

    GeneratorArray() {}
    /// Those of another array, all of which fit.
    explicit GeneratorArray(std::span<const Generator> distinct)
        : count_(static_cast<std::uint32_t>(std::min<std::size_t>(distinct.size(), capacity))) {
        std::copy_n(distinct.data(), count_, generators_);
    }
    GeneratorArray(const GeneratorArray& other) : count_(other.count_) {
        std::copy_n(other.generators_, count_, generators_);
    }
    GeneratorArray& operator=(const GeneratorArray& other) {
        if (this == &other) return *this;
        count_ = other.count_;
        std::copy_n(other.generators_, count_, generators_);
        return *this;
    }

    [[nodiscard]] std::span<const Generator> all() const { return {generators_, count_}; }
    [[nodiscard]] std::uint32_t size() const { return count_; }
    [[nodiscard]] bool add(const Generator& generator) {
        return add_generator(generator, generators_, count_, capacity);
    }
    void clear() { count_ = 0; }
    /// What there is may be changed, and made less, in place.
    [[nodiscard]] Generator* data() { return generators_; }
    void keep_first(std::uint32_t count) { count_ = count; }

private:
    union {  // costs nothing before it is filled
        Generator generators_[capacity];
    };
    std::uint32_t count_ = 0;
};

using Generators = GeneratorArray<64>;
/// A volume and the light that it is joined with or swept by.
using LitGenerators = GeneratorArray<Generators::capacity + 1>;

enum class Enclosed {
    whole,    ///< the hull of the generators, wherever within their errors they are, contains the volume
    empty,    ///< there is no such point, with room to spare
    unknown,  ///< no corner, or corners that are not known well enough, or too many
};

/// The generators of the intersection of half-spaces (f >= 0 inside; normals of length 1 or so), at most 31 of them.
[[nodiscard]] Enclosed enclose(std::span<const Affine> half_spaces, Generators& generators);

/// The largest difference of two points' coordinates; what lies in no direction without end.
[[nodiscard]] double extent(std::span<const Generator> generators);
/// How far a point may be from where it is taken to be, in a component.
[[nodiscard]] double blur(std::span<const Generator> generators);

/// Leaves what is on the inner side of one more of the half-spaces, the `index`-th. Those that generators lie on are
/// among them.
[[nodiscard]] Enclosed clip(std::span<const Affine> half_spaces, std::uint32_t index, Generators& generators);
/// Leaves what is on the inner side of each of the half-spaces from the `first`-th on, but for those that leave what is
/// not known: they cut nothing. Half-spaces before the first are those that generators lie on. False if nothing is
/// left, for certain.
[[nodiscard]] bool clip_where_known(std::span<const Affine> half_spaces, std::uint32_t first, Generators& generators);
/// Leaves what is on the inner sides of the half-spaces from the `first`-th to before the `end`-th. Then finds badly
/// known generators anew from the planes that they lie on, which may be those of any half-space. No generators stay
/// none, which counts as whole.
[[nodiscard]] Enclosed clip_all(std::span<const Affine> half_spaces, std::uint32_t first, std::uint32_t end,
                                Generators& generators);

}  // namespace lanecull
