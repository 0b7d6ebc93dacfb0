#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frame.hpp"

namespace lanecull::program {

/// One frame of the timeline. Times are seconds of std::chrono::steady_clock.
struct TimelineFrame {
    double cull_begin = 0, cull_end = 0;  ///< the host's: maps planned, views prepared and culled
    double submitted = 0;                 ///< when the device got the frame
    CullResult drawn;
    std::vector<PassTime> passes;  ///< the device's
};

[[nodiscard]] double seconds_now();

/// The timeline as JSON, in milliseconds from the first cull on (tools/viewer/README.md has the members).
[[nodiscard]] std::string timeline_json(const std::vector<TimelineFrame>& frames, const std::string& device,
                                        const std::string& scene);

/// How many frames were culled while the device had the frame before.
[[nodiscard]] std::size_t overlapping(const std::vector<TimelineFrame>& frames);

}  // namespace lanecull::program
