#pragma once

/// Records of floats to streams, W records at a time: four floats of each of W records are transposed in registers, 4x4
/// floats in every 16-byte part of them.

namespace lanecull {
namespace {

template <std::uint32_t N>
struct VectorOf {
    typedef float type __attribute__((vector_size(4 * N)));
    typedef type unaligned __attribute__((aligned(4), may_alias));
};

/// Floats k .. k + 3 of records 0, 4, 8, ..., one 16-byte part of the register each.
template <std::uint32_t N>
LANE_INLINE typename VectorOf<N>::type load_parts(const float* from, std::size_t stride) {
    if constexpr (N == 4) {
        return *reinterpret_cast<const VectorOf<4>::unaligned*>(from);
    } else if constexpr (N == 8) {
        return __builtin_shufflevector(load_parts<4>(from, stride), load_parts<4>(from + 4 * stride, stride),  //
                                       0, 1, 2, 3, 4, 5, 6, 7);
    } else {
        return __builtin_shufflevector(load_parts<8>(from, stride), load_parts<8>(from + 8 * stride, stride),  //
                                       0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
}

/// In every part, floats A, B, C, D of the 8 that a and b have there (b's are 4 to 7).
template <int A, int B, int C, int D, class Vector>
LANE_INLINE Vector shuffle_parts(Vector a, Vector b) {
    constexpr int n = sizeof(Vector) / sizeof(float);
    constexpr auto at = [](int part, int k) { return 4 * part + (k < 4 ? k : k - 4 + n); };
    if constexpr (n == 4) {
        return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D));
    } else if constexpr (n == 8) {
        return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D),  //
                                       at(1, A), at(1, B), at(1, C), at(1, D));
    } else {
        return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D),  //
                                       at(1, A), at(1, B), at(1, C), at(1, D),        //
                                       at(2, A), at(2, B), at(2, C), at(2, D),        //
                                       at(3, A), at(3, B), at(3, C), at(3, D));
    }
}

/// Four floats of each of the records at `from`, whole packs of W, to `to`; where that is null they are skipped.
template <std::uint32_t W>
LANE_INLINE void unpack_four(const float* from, std::size_t stride, std::size_t count, float* to0, float* to1,
                             float* to2, float* to3) {
    using Vector = typename VectorOf<W>::type;
    for (std::size_t i = 0, offset = 0; i < count; i += W, offset += W * stride) {
        const float* at = from + offset;
        const Vector a = load_parts<W>(at, stride), b = load_parts<W>(at + stride, stride),
                     c = load_parts<W>(at + 2 * stride, stride), d = load_parts<W>(at + 3 * stride, stride);
        const Vector ab_low = shuffle_parts<0, 4, 1, 5>(a, b), ab_high = shuffle_parts<2, 6, 3, 7>(a, b),
                     cd_low = shuffle_parts<0, 4, 1, 5>(c, d), cd_high = shuffle_parts<2, 6, 3, 7>(c, d);
        const auto put = [i](float* to, Vector values) LANE_LAMBDA {
            if (to != nullptr) *reinterpret_cast<typename VectorOf<W>::unaligned*>(to + i) = values;
        };
        put(to0, shuffle_parts<0, 1, 4, 5>(ab_low, cd_low));
        put(to1, shuffle_parts<2, 3, 6, 7>(ab_low, cd_low));
        put(to2, shuffle_parts<0, 1, 4, 5>(ab_high, cd_high));
        put(to3, shuffle_parts<2, 3, 6, 7>(ab_high, cd_high));
    }
}

/// Whole packs of W records, four floats after four: the caller's loop keeps `count` so small that the records stay in
/// the nearest cache.
template <std::uint32_t W>
LANE_INLINE void unpack_packs(const float* records, std::size_t stride, std::size_t floats, std::size_t first,
                              std::size_t count, float* const* streams) {
    for (std::size_t k = 0; k < floats; k += 4) {
        // The last four overlap the four before.
        const std::size_t at = k + 4 <= floats || floats < 4 ? k : floats - 4;
        const auto to = [&](std::size_t j) LANE_LAMBDA {
            return at + j >= k && at + j < floats && streams[at + j] != nullptr ? streams[at + j] + first : nullptr;
        };
        unpack_four<W>(records + first * stride + at, stride, count, to(0), to(1), to(2), to(3));
    }
}

void unpack(const float* records, std::size_t stride, std::size_t floats, std::uint32_t count, float* const* streams) {
    constexpr std::size_t in_cache = 256;
    // Records of fewer than four floats are read beyond their end: as many are left to the plain loop as it takes to
    // stay within the last one.
    const std::size_t kept_back = floats < 4 ? (4 - floats + stride - 1) / stride : 0;
    const std::size_t in_packs = lanes < 4 || count < kept_back ? 0 : (count - kept_back) / lanes * lanes;
    for (std::size_t first = 0; first < count; first += in_cache) {
        const std::size_t end = count - first < in_cache ? count : first + in_cache;
        const std::size_t end_of_packs = in_packs < first ? first : in_packs < end ? in_packs : end;
        if constexpr (lanes >= 4) {
            unpack_packs<lanes>(records, stride, floats, first, end_of_packs - first, streams);
        }
        for (std::size_t k = 0; k < floats; ++k) {
            if (streams[k] == nullptr) continue;
            for (std::size_t i = end_of_packs; i < end; ++i) streams[k][i] = records[i * stride + k];
        }
    }
}

}  // namespace
}  // namespace lanecull
