#include "compare.hpp"

#include <algorithm>
#include <bit>

namespace lanecull::program {

Differences compare_colors(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> found) {
    Differences result;
    for (std::size_t i = 0; i < expected.size(); ++i) result.note(i, expected[i] == found[i]);
    return result;
}

Differences compare_depths(std::span<const float> expected, std::span<const float> found) {
    Differences result;
    for (std::size_t i = 0; i < expected.size(); ++i) result.note(i, expected[i] == found[i]);
    return result;
}

Differences compare_read_depths(std::span<const float> expected, std::span<const float> found,
                                std::span<const std::uint32_t> deepest) {
    Differences result;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (deepest[i] == 0) continue;
        const auto reach = std::bit_cast<float>(deepest[i]);
        result.note(i, std::min(expected[i], reach) == std::min(found[i], reach));
    }
    return result;
}

}  // namespace lanecull::program
