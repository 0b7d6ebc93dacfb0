#pragma once

#include <cstddef>

#include "gpu_device.hpp"

namespace lanecull::program {

/// Where finished pictures are shown.
class Display {
public:
    Display() = default;
    virtual ~Display() = default;
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    /// Gets something to draw on; false: nothing can be shown now. `slot`: which of the frames in flight.
    virtual bool acquire(std::size_t slot) = 0;
    /// Records how `picture`, in the layout of a copy's source, gets there.
    virtual void record(const vk::raii::CommandBuffer& commands, const Image2D& picture) = 0;
    /// What the frame waits for, and what it signals.
    [[nodiscard]] virtual vk::Semaphore ready() const = 0;
    [[nodiscard]] virtual vk::Semaphore drawn() const = 0;
    virtual void present() = 0;
};

}  // namespace lanecull::program
