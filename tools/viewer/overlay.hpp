#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "controls.hpp"

/// The text and graphs over the window's picture.
namespace lanecull::program {

/// What the overlay shows of a frame.
struct OverlayInput {
    const Controls& controls;
    std::size_t objects;
    CullResult drawn;
    double cull_seconds = 0;
    std::vector<PassTime> passes;          ///< the device's, of some frame before
    const std::deque<float>& frame_times;  ///< milliseconds, latest last
    const std::deque<float>& cull_times;
    std::string device, notice;  ///< the notice is what the last key did
};

/// Between ImGui::NewFrame() and ImGui::Render().
void draw_overlay(const OverlayInput& input);

}  // namespace lanecull::program
