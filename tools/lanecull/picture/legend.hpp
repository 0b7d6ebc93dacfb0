#pragma once

#include <cstdint>
#include <optional>

#include "picture/image.hpp"

namespace lanecull::program {

/// Colours for how much, 0 to 1: from dark blue over green to yellow, ever lighter, so that eyes and printers without
/// colours read it too.
[[nodiscard]] unsigned heat_color(double share);

/// A disc of a colour, how many objects have it, and which share of `whole` these are; without a count a line.
struct LegendRow {
    unsigned tone = 0;
    std::string name;
    std::optional<std::uint64_t> count = {};
    std::uint64_t whole = 0;
};

/// The card of words at a picture's upper left: what its colours and lines mean. Sizes are those of a picture of
/// 1600x900, times `scale`.
struct Legend {
    std::string title, caption;
    std::vector<LegendRow> rows;
    std::string least = {}, most = {};  ///< what the ends of a bar of heat colours mean; empty: no bar

    static constexpr float right_end = 548;
    [[nodiscard]] Rectangle card(float scale = 1) const;
    void draw(Image& image, float scale = 1) const;
};

}  // namespace lanecull::program
