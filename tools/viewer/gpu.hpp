#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// A Vulkan device, to be handed round: what it is made of is in gpu_device.hpp.
namespace lanecull::program {

class Gpu;

struct GpuOptions {
    bool validate = false;                         ///< by VK_LAYER_KHRONOS_validation, which must be there
    std::vector<std::string> instance_extensions;  ///< what a window needs
    std::vector<std::string> device_extensions;
};

/// Fails saying what is missing.
[[nodiscard]] std::shared_ptr<Gpu> open_gpu(const GpuOptions& options);

[[nodiscard]] std::string gpu_name(const Gpu& gpu);
/// Bits of vertex positions below a pixel.
[[nodiscard]] std::uint32_t sub_pixel_bits(const Gpu& gpu);

/// How often the validation layers had something to say; each is printed on stderr.
[[nodiscard]] std::uint64_t validation_messages(const Gpu& gpu);

}  // namespace lanecull::program
