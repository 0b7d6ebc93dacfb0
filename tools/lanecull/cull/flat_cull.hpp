#pragma once

#include <lanecull/flat.h>

#include "scene/formats.hpp"
#include "support/report.hpp"

namespace lanecull::program {

/// What to make of a list of boxes of the plane.
struct FlatCullOptions {
    Isa isa;
    int threads = 0;  ///< 0: all that oneTBB finds; 1: the calling thread alone
    /// The view: x and y of its centre, width, height, and by how many degrees it is turned.
    std::vector<double> window;
};

struct FlatMeasurement {
    std::string name;
    FlatBoxes boxes;
    flat::TurnedRectangle window;
    Isa isa{};
    int threads = 1;
    double seconds = 0;  ///< of one cull: the median of many
    Counts counts;
    std::vector<std::uint64_t> visible, inside;  ///< bits

    [[nodiscard]] flat::Batch batch() const;
};

/// Reads the list and culls it. Without a window the view is the middle of the boxes, a quarter of them each way.
[[nodiscard]] FlatMeasurement measure_flat(const std::string& file, const FlatCullOptions& options);

[[nodiscard]] Report flat_report(const FlatMeasurement& measurement);
[[nodiscard]] std::string flat_table(const FlatMeasurement& measurement);
/// A map of the boxes, what is kept and what is culled, and the view: the bytes of a PNG file.
[[nodiscard]] std::string draw_flat_picture(const FlatMeasurement& measurement);

}  // namespace lanecull::program
