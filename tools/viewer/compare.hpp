#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Are two pictures the same, and two shadow maps?
namespace lanecull::program {

struct Differences {
    std::uint64_t compared = 0;  ///< pixels or texels
    std::uint64_t count = 0;     ///< of those, different ones
    std::size_t first = 0;       ///< the first of these

    void note(std::size_t at, bool same) {
        ++compared;
        if (!same && count++ == 0) first = at;
    }
};

/// Of two lists of the same length.
[[nodiscard]] Differences compare_colors(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> found);
[[nodiscard]] Differences compare_depths(std::span<const float> expected, std::span<const float> found);

/// At the texels that shading has read. `deepest[i]` are the bits of the deepest number in (0, 1] that it compared with
/// texel i, 0 where it read nothing. What the texel holds beyond that depth is behind all receivers: it shades none,
/// and is left out of the comparison.
[[nodiscard]] Differences compare_read_depths(std::span<const float> expected, std::span<const float> found,
                                              std::span<const std::uint32_t> deepest);

}  // namespace lanecull::program
