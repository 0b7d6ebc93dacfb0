#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lanecull/cull.h>

#include "support/double3.hpp"

/// Random views and objects that touch them all but exactly, the same on every platform: whole random numbers, and
/// doubles by operations that round correctly. No expression takes two random numbers, for compilers order them as they
/// like.

class PortableRandom {
public:
    explicit PortableRandom(std::uint64_t seed) : state_(seed) {}
    /// In [0, below).
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32) * limit >> 32); }
    /// In [-1, 1).
    double symmetric() { return static_cast<double>(static_cast<std::int64_t>(next() >> 11)) * 0x1p-52 - 1; }
    /// In [0, 1).
    double unit() { return static_cast<double>(static_cast<std::int64_t>(next() >> 11)) * 0x1p-53; }
    /// A power of two in [2^from, 2^to].
    double power(int from, int to);
    /// Such a power times a number in [1, 2), or in [-1, 1).
    double size(int from, int to);
    double either_sign(int from, int to);

private:
    std::uint64_t next();

    std::uint64_t state_;
};

using Vector = Double3;

/// A camera, and the view of it: a perspective matrix by either depth range, an orthographic one, or corners.
class HostileView {
public:
    explicit HostileView(std::uint32_t seed);

    lanecull::View view;
    lanecull::Status status;
    std::vector<double> numbers;  ///< what it was prepared from: a matrix, to be read by clip_space, or eight corners
    lanecull::ClipSpace clip_space{.layout = lanecull::MatrixLayout::row_major};

    /// A point of the volume's boundary, or inside, and a direction that points out of the volume there; world axes.
    struct Contact {
        Vector at, out;
    };
    [[nodiscard]] Contact contact(PortableRandom& random) const;

private:
    [[nodiscard]] Vector world(const Vector& v) const;
    [[nodiscard]] Vector point(double u, double v, double w) const;
    void prepare();

    std::uint32_t kind_;
    double tan_x_, tan_y_, near_, far_;
    Vector axis_[3], eye_;
};

/// A batch of one kind, with what it reads.
class HostileBatch {
public:
    static constexpr std::uint32_t kinds = 7, most_numbers = 18;

    HostileBatch(std::uint32_t kind, std::uint32_t count, const HostileView& around, PortableRandom& random);
    HostileBatch(const HostileBatch&) = delete;
    HostileBatch& operator=(const HostileBatch&) = delete;

    [[nodiscard]] lanecull::Batch batch() const;

private:
    void add_object(PortableRandom& random, const HostileView::Contact& contact);
    [[nodiscard]] double shape_at_origin(PortableRandom& random, const Vector& out);
    void place(const Vector& at);
    void make_hulls(PortableRandom& random);

    std::uint32_t kind_, count_;
    std::array<double, most_numbers> numbers_{};  ///< of the object that is being added
    std::vector<float> stream_[most_numbers];     ///< number k of every object
    std::vector<float> records_[2];               ///< the same numbers where a kind wants them in records
    std::vector<float> vertices_[3];
    lanecull::Hull hull_;
    std::vector<float> margin_, sweep_[3];
};
