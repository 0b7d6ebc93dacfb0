#pragma once

#include <algorithm>
#include <cstdint>

namespace lanecull::program {

/// Items 0 to items - 1 in bundles of `size`, the last one shorter: what a team hands out, does and notes at a time.
struct Bundles {
    std::uint64_t items = 0, size = 1;

    [[nodiscard]] std::uint64_t count() const { return (items + size - 1) / size; }
    [[nodiscard]] std::uint64_t first(std::uint64_t bundle) const { return bundle * size; }
    [[nodiscard]] std::uint64_t length(std::uint64_t bundle) const { return std::min(size, items - first(bundle)); }
};

}  // namespace lanecull::program
