#pragma once

#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/library.h>
#include <cstdint>
#include <string>
#include <vector>

#include "scene/box_list.hpp"

namespace lanecull::program {

/// What to make of a list of boxes of the plane.
struct FlatCullOptions {
    CullOptions culling;
    int threads = 0;  ///< 0: all that oneTBB finds; 1: the calling thread alone
    std::vector<double>
        window;  ///< the view: x and y of its centre, width, height, and by how many degrees it is turned
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

[[nodiscard]] std::string flat_report_table(const FlatMeasurement& measurement);
[[nodiscard]] std::string flat_report_json(const FlatMeasurement& measurement);

}  // namespace lanecull::program
