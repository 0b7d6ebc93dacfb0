#pragma once

/// From a bit array a view to a mask of views an object: 64x64 bits transposed at a time.

#include <cstdint>

namespace lanecull {

/// Bit c of word r becomes bit r of word c. Blocks beside the diagonal change places, 32x32 first, then within each.
inline void transpose(std::uint64_t (&words)[64]) {
    std::uint64_t low_half = 0x0000'0000'ffff'ffff;  // of each pair of blocks
    for (unsigned size = 32; size != 0; size /= 2, low_half ^= low_half << size) {
        for (unsigned r = 0; r < 64; r = (r + size + 1) & ~size) {
            const std::uint64_t moved = (words[r] >> size ^ words[r + size]) & low_half;
            words[r] ^= moved << size;
            words[r + size] ^= moved;
        }
    }
}

}  // namespace lanecull
