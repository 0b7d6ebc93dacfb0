#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lanecull/batch.h>
#include <lanecull/cull.h>

#include "support/double3.hpp"

/// Objects of one kind, by its number: spheres, boxes, centered boxes, oriented boxes, capsules, hulls, boxes under
/// transforms.
struct NumbersOfBatch {
    const float* const* stream;  ///< number k of every object
    const float* records[2];     ///< axes and half-extents, or the columns of transforms
    const lanecull::Hull* hull = nullptr;
    std::uint32_t count = 1;
    lanecull::Attributes attributes = {};
};

inline lanecull::Batch batch_of(std::uint32_t kind, const NumbersOfBatch& of) {
    const float* const* const s = of.stream;
    const lanecull::Transforms transforms{.first = of.records[0], .layout = lanecull::TransformLayout::columns_3x4};
    switch (kind) {
        case 0:
            return {lanecull::Spheres{s[0], s[1], s[2], s[3], of.count}, of.attributes};
        case 1:
            return {lanecull::Boxes{s[0], s[1], s[2], s[3], s[4], s[5], of.count}, of.attributes};
        case 2:
            return {lanecull::CenteredBoxes{s[0], s[1], s[2], s[3], s[4], s[5], of.count}, of.attributes};
        case 3: {
            lanecull::OrientedBoxes boxes{.x = s[0], .y = s[1], .z = s[2]};
            boxes.axes.first = of.records[0], boxes.half_extents.first = of.records[1];
            boxes.count = of.count;
            return {boxes, of.attributes};
        }
        case 4:
            return {lanecull::Capsules{s[0], s[1], s[2], s[3], s[4], s[5], s[6], of.count}, of.attributes};
        case 5: {
            lanecull::HullInstances hulls{.transforms = transforms, .hulls = of.hull, .hull_count = 1};
            hulls.count = of.count;
            return {hulls, of.attributes};
        }
        default: {
            lanecull::BoxInstances boxes{.transforms = transforms};
            boxes.local.boxes = {s[15], s[16], s[17], s[12], s[13], s[14], of.count};
            boxes.count = of.count;
            return {boxes, of.attributes};
        }
    }
}

/// The labelled cases, in the form that pack_cases writes.
struct LabelledCase {
    enum class Expect : std::uint32_t { either, visible, culled };

    Expect expect;
    std::uint32_t shape_kind, view_kind, light_kind, vertices;
    std::vector<float> view, light, sweep, shape;

    [[nodiscard]] lanecull::Status prepare(lanecull::View& to) const;
    /// Calls cull() with the case's object alone.
    [[nodiscard]] lanecull::Status ask(const lanecull::View& in, const lanecull::CullOptions& options, bool& visible,
                                       lanecull::Certificate& certificate) const;
};

/// Empty if the file cannot be read, is cut short or has more to it.
[[nodiscard]] std::vector<LabelledCase> read_cases(const char* path);

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
