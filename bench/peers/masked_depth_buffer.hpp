#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lanecull/occluder.h>

#include "workloads/box_streams.hpp"
#include "workloads/camera.hpp"

namespace bench {

/// A masked software depth buffer (github.com/GameTechDev/MaskedOcclusionCulling): solid boxes are drawn into it, and
/// objects are tested by their rectangles on the screen and their least depths. Where its sources were given
/// (LANECULL_BENCH_MASKED_OCCLUSION in CMake).
class MaskedDepthBuffer {
public:
    MaskedDepthBuffer(std::uint32_t width, std::uint32_t height);
    ~MaskedDepthBuffer();
    MaskedDepthBuffer(const MaskedDepthBuffer&) = delete;
    MaskedDepthBuffer& operator=(const MaskedDepthBuffer&) = delete;

    /// Draws the boxes as the camera sees them, in place of what was drawn before.
    void draw(const Camera& camera, std::span<const lanecull::SolidBox> boxes);
    /// Tests the boxes whose bits are set in `asked`, and writes the bits of those that are not hidden to `visible`.
    /// Returns how many.
    std::uint64_t ask(const Camera& camera, const BoxStreams& boxes, std::span<const std::uint64_t> asked,
                      std::span<std::uint64_t> visible) const;
    /// "avx512", "avx2", ...: what it runs on here.
    [[nodiscard]] const char* set() const;

private:
    struct Buffer;
    std::unique_ptr<Buffer> buffer_;
};

}  // namespace bench
