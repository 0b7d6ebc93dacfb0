#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gpu_device.hpp"

/// A frame as a list of passes that say what they read and write. The barriers between them follow from that.
namespace lanecull::program {

/// How a pass uses a resource.
enum class Use {
    host_write,     ///< mapped memory, by the host before the frame is submitted: what the cull pass writes
    draw_commands,  ///< draw commands and their count
    depth_target,
    color_target,
    sampled,       ///< by fragment shaders
    shader_write,  ///< a buffer, by fragment shaders
    copy_source,
    copy_destination,
    host_read,  ///< mapped memory, after the frame
};

/// One resource of a pass: an image or a buffer.
struct Resource {
    Use use;
    Image2D* image = nullptr;
    HostBuffer* buffer = nullptr;

    Resource(Use how, Image2D& what) : use(how), image(&what) {}
    Resource(Use how, HostBuffer& what) : use(how), buffer(&what) {}
};

struct Pass {
    const char* name;
    std::vector<Resource> inputs, outputs;
    std::function<void(const vk::raii::CommandBuffer&)> record;  ///< empty: the host's own work, done already
};

/// Records the passes in order, each behind the barriers that its inputs and outputs need, and a timestamp at either
/// end: queries 2 k and 2 k + 1 of pass k.
void record_passes(std::span<const Pass> passes, const vk::raii::CommandBuffer& commands, vk::QueryPool timestamps);

}  // namespace lanecull::program
