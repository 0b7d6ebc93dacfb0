#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanecull/batch.h>

namespace bench {

/// Boxes by their corners, as streams that grow.
struct BoxStreams {
    std::array<std::vector<float>, 6> streams;

    void add(const std::array<float, 3>& lower, const std::array<float, 3>& upper) {
        for (std::size_t k = 0; k < 3; ++k) {
            streams[k].push_back(lower[k]);
            streams[3 + k].push_back(upper[k]);
        }
    }
    [[nodiscard]] lanecull::Boxes boxes() const {
        const auto& s = streams;
        const auto count = static_cast<std::uint32_t>(s[0].size());
        return {s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data(), count};
    }
};

}  // namespace bench
