#pragma once

/// How W objects are fetched from a batch: side by side for stage 1, by index for the few that stage 1 leaves
/// undecided.

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.h>

#include "base/transforms.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transpose.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// How many numbers of `Number` it is from one record of `numbers` of them to the next.
template <class Number = float>
constexpr std::size_t numbers_apart(std::size_t stride_bytes, std::size_t numbers) {
    return stride_bytes != 0 ? stride_bytes / sizeof(Number) : numbers;
}

/// One record of `Floats` numbers in each lane. Four neighbouring floats of a record are loaded at once and transposed.
/// With a gather for each float instead, gathers take most of an oriented box's time where they are slow (Zen 4: 22
/// cycles for 16 lanes). Nothing beyond a record is read.
template <std::size_t Floats>
struct RecordsW {
    FloatW value[Floats];

    LANE_INLINE RecordsW(const float* from, IndexW offsets) {
        if constexpr (lanes == 1) {
            for (std::size_t k = 0; k < Floats; ++k) value[k] = gather(from + k, offsets);
        } else {
            alignas(64) std::int32_t offset[lanes];
            store(offset, offsets);
            transpose<0, lanes>([&](std::size_t lane) LANE_LAMBDA { return from + offset[lane]; });
        }
    }
    /// The records of objects in a row.
    LANE_INLINE RecordsW(const float* from, std::size_t stride) {
        if (stride == Floats) {
            follow_each_other(from);
        } else {
            transpose<0, lanes>([&](std::size_t lane) LANE_LAMBDA { return from + lane * stride; });
        }
    }
    /// The records of objects anywhere: a lane's begins at record(lane).
    template <class Record>
    explicit LANE_INLINE RecordsW(const Record& record) {
        if constexpr (lanes == 1) {
            for (std::size_t k = 0; k < Floats; ++k) value[k] = load(record(0) + k);
        } else {
            transpose<0, lanes>(record);
        }
    }
    LANE_INLINE Vec3W three(std::size_t k) const { return {value[k], value[k + 1], value[k + 2]}; }

private:
    /// Records without gaps. Those of three vectors or one are loaded in whole registers and sorted by blends and
    /// permutations, without an address for each lane. A straddling oriented box: 16 % less time.
    LANE_INLINE void follow_each_other(const float* from) {
        if constexpr (lanes > 1 && (Floats == 3 || Floats == 9)) {
            using Vector = VectorOf<lanes>;
            typename Vector::type part[Floats];
            for (std::size_t k = 0; k < Floats; ++k) {
                part[k] = *reinterpret_cast<const typename Vector::unaligned*>(from + k * lanes);
            }
            for (std::size_t k = 0; k < Floats; k += 3) split_threes<lanes>(part[k], part[k + 1], part[k + 2]);
            if constexpr (Floats == 9) {
                for (std::size_t k = 0; k < 3; ++k) split_threes<lanes>(part[k], part[k + 3], part[k + 6]);
            }
            for (std::size_t k = 0; k < Floats; ++k) value[k] = lanes_of(part[k]);
        } else {
            transpose<0, lanes>([&](std::size_t lane) LANE_LAMBDA { return from + lane * Floats; });
        }
    }
    /// Floats K and up. A recursion: gcc would leave a loop as it is, with `value` in memory.
    template <std::size_t K, std::uint32_t W, class Record>
    LANE_INLINE void transpose(const Record& record) {
        constexpr std::size_t part = Floats < 4 ? Floats : 4;
        constexpr std::size_t at = K + part <= Floats ? K : Floats - part;  // the last may overlap the one before
        typename VectorOf<W>::type column[4];
        transpose_parts<W>([&](std::size_t lane) LANE_LAMBDA { return load_part<part>(record(lane) + at); }, column);
        if constexpr (part == 3) column[2] = column[3];  // load_part() gives 0, 1, 1, 2
        for (std::size_t i = K - at; i < part; ++i) value[at + i] = lanes_of(column[i]);
        if constexpr (K + part < Floats) transpose<K + part, W>(record);
    }
};

/// Objects first .. first + W - 1.
struct RunOfObjects {
    std::uint32_t first;
    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t lane) const { return first + lane; }
    LANE_INLINE FloatW operator()(const float* stream) const { return load(stream + first); }
    LANE_INLINE IndexW operator()(const std::uint32_t* stream) const {
        return load(reinterpret_cast<const std::int32_t*>(stream + first));
    }
    /// The objects' records of `Floats` numbers, `stride` floats from one to the next.
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        if constexpr (lanes == 1) {
            return {from + first * stride, IndexW(0)};
        } else {
            return {from + first * stride, stride};
        }
    }
};

/// Prefetches the first cache lines of the streams and records, from object `first` on: hardware that reads ahead has
/// to see a stream's first lines before it follows the stream.
struct AheadOfObjects {
    static constexpr std::uint32_t objects = 128;  // 8 cache lines of floats

    std::uint32_t first;
    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t) const { return first; }
    LANE_INLINE FloatW operator()(const float* stream) const {
        for (std::uint32_t at = 0; at < objects; at += 16) __builtin_prefetch(stream + first + at);
        return FloatW(0.0f);
    }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        const float* const at = from + first * stride;
        for (std::uint32_t line = 0; line < objects / 16; ++line) __builtin_prefetch(at + line * std::size_t{16});
        const float none[Floats] = {};
        return RecordsW<Floats>([&](std::size_t) LANE_LAMBDA { return none; });
    }
};

/// The last n <= W objects of a batch. The other lanes are masked: zeros of streams, the last object's records.
struct TailOfObjects {
    std::uint32_t first, n;
    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t lane) const { return first + (lane < n ? lane : n - 1); }
    LANE_INLINE FloatW operator()(const float* stream) const { return load_first(stream + first, n); }
    LANE_INLINE IndexW operator()(const std::uint32_t* stream) const {
        return load_first(reinterpret_cast<const std::int32_t*>(stream + first), n);
    }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        return RecordsW<Floats>([&](std::size_t lane) LANE_LAMBDA { return from + object(lane) * stride; });
    }
};

/// Objects base + index[lane]. Indices are small (one chunk), so that index times stride fits 32 bits.
struct GatheredObjects {
    std::uint32_t base;
    IndexW index;
    bool neighbours;      // set: index counts up by one, and a plain load will do
    std::uint32_t first;  // base + index[0]

    /// Objects base + from and on.
    static LANE_INLINE GatheredObjects in_a_row(std::uint32_t base, std::uint32_t from) {
        return {base, lane_numbers() + IndexW(static_cast<std::int32_t>(from)), true, base + from};
    }

    LANE_INLINE FloatW operator()(const float* stream) const {
        return neighbours ? load(stream + first) : gather(stream + base, index);
    }

    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t lane) const {
        alignas(64) std::int32_t objects[lanes];
        store(objects, index);
        return base + static_cast<std::uint32_t>(objects[lane]);
    }

    /// The objects' records of `Floats` numbers, `stride` floats from one to the next.
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        if constexpr (lanes > 1) {
            if (neighbours) return {from + first * stride, stride};
        }
        return {from + base * stride, index * IndexW(static_cast<std::int32_t>(stride))};
    }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const Records& of) const {
        return records<Floats>(of.first, numbers_apart(of.stride_bytes, Floats));
    }

    /// The index of the hull of `lane`'s instance.
    LANE_INLINE std::uint32_t hull_index(const HullInstances& s, std::uint32_t lane) const {
        return s.hull_index == nullptr ? 0 : s.hull_index[object(lane)];
    }
};

}  // namespace
}  // namespace lanecull
