/// Unpacks records of floats into streams, W records at a time (transpose.hpp).

#include <cstddef>
#include <cstdint>

#include "bounds/kernels.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transpose.hpp"

namespace lanecull {
namespace {

/// Unpacks four floats of each record at `from`, in whole packets of W records. Floats whose `to` is null are skipped.
template <std::uint32_t W>
LANE_INLINE void unpack_four(const float* from, std::size_t stride, std::size_t count, float* to0, float* to1,
                             float* to2, float* to3) {
    using Vector = typename VectorOf<W>::type;
    for (std::size_t i = 0, offset = 0; i < count; i += W, offset += W * stride) {
        const float* at = from + offset;
        Vector four[4];
        const auto record = [&](std::size_t lane) LANE_LAMBDA { return load_part<4>(at + lane * stride); };
        transpose_parts<W>(record, four);
        const auto put = [i](float* to, Vector values) LANE_LAMBDA {
            if (to != nullptr) *reinterpret_cast<typename VectorOf<W>::unaligned*>(to + i) = values;
        };
        put(to0, four[0]);
        put(to1, four[1]);
        put(to2, four[2]);
        put(to3, four[3]);
    }
}

/// Unpacks whole packets of W records, four floats at a time. The caller's loop keeps `count` so small that the records
/// stay in the nearest cache.
template <std::uint32_t W>
LANE_INLINE void unpack_packets(const float* records, std::size_t stride, std::size_t floats, std::size_t first,
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

}  // namespace

template <>
void BoundsKernels<this_isa>::unpack(const float* records, std::size_t stride, std::size_t floats, std::uint32_t count,
                                     float* const* streams) {
    constexpr std::size_t in_cache = 256;
    // Records of fewer than four floats are read beyond their end. So the plain loop takes as many of the last records
    // as it needs for the reads to stay within the last record.
    const std::size_t kept_back = floats < 4 ? (4 - floats + stride - 1) / stride : 0;
    const std::size_t in_packets = lanes < 4 || count < kept_back ? 0 : (count - kept_back) / lanes * lanes;
    for (std::size_t first = 0; first < count; first += in_cache) {
        const std::size_t end = count - first < in_cache ? count : first + in_cache;
        const std::size_t end_of_packets = in_packets < first ? first : in_packets < end ? in_packets : end;
        if constexpr (lanes >= 4) {
            unpack_packets<lanes>(records, stride, floats, first, end_of_packets - first, streams);
        }
        for (std::size_t k = 0; k < floats; ++k) {
            if (streams[k] == nullptr) continue;
            for (std::size_t i = end_of_packets; i < end; ++i) streams[k][i] = records[i * stride + k];
        }
    }
}

}  // namespace lanecull
