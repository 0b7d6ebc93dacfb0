#pragma once

#include <lanecull/lanecull.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

/// Culls two spheres against the cube [-1, 1]^3: one in its middle, one a unit beyond its right side. Whether the first
/// is visible and the second is not.
inline bool two_spheres_are_told_apart(const lanecull::Runner& runner) {
    const std::array<double, 16> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::View view;
    const lanecull::ClipSpace clip_space{.depth = lanecull::DepthRange::minus_one_to_one};
    if (!lanecull::prepare_view(identity, clip_space, view)) return false;

    const std::array<float, 2> x = {0, 3};
    const std::array<float, 2> zero = {};
    const std::array<float, 2> radius = {1, 1};
    const std::array<lanecull::Batch, 1> batches = {
        lanecull::Spheres{.x = x.data(), .y = zero.data(), .z = zero.data(), .radius = radius.data(), .count = 2}};

    std::array<std::uint64_t, 1> visible = {};
    std::array<lanecull::Output, 1> outputs = {{{.visible = visible}}};
    std::array<std::byte, 4096> scratch;
    if (scratch.size() < lanecull::scratch_bytes(batches, 1)) return false;
    const lanecull::Status status = lanecull::cull(batches, {&view, 1}, outputs, scratch, {.runner = runner});
    return status.ok() && visible[0] == 1 && outputs[0].visible_count == 1;
}
