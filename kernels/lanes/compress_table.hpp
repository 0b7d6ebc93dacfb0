#pragma once

/// A table of permutations, for store_compressed() in sets without an instruction for it.

#include <cstdint>

namespace lanecull {
namespace {

/// For each set of up to 8 lanes: the lane that moves to each place when the chosen ones move to the front.
template <std::uint32_t W>
struct CompressTable {
    alignas(64) std::uint32_t order[1u << W][W] = {};

    constexpr CompressTable() {
        for (std::uint32_t bits = 0; bits < (1u << W); ++bits) {
            std::uint32_t place = 0;
            for (std::uint32_t lane = 0; lane < W; ++lane) {
                if (bits >> lane & 1u) order[bits][place++] = lane;
            }
        }
    }
};

/// The same by bytes, for sets that permute bytes.
template <std::uint32_t W>
struct CompressBytes {
    alignas(64) std::uint8_t order[1u << W][4 * W] = {};

    constexpr CompressBytes() {
        const CompressTable<W> by_lane;
        for (std::uint32_t bits = 0; bits < (1u << W); ++bits) {
            for (std::uint32_t byte = 0; byte < 4 * W; ++byte) {
                order[bits][byte] = static_cast<std::uint8_t>(4 * by_lane.order[bits][byte / 4] + byte % 4);
            }
        }
    }
};

}  // namespace
}  // namespace lanecull
