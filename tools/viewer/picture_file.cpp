#include "picture_file.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "picture/image.hpp"

namespace lanecull::program {

std::string png_of(std::span<const std::uint32_t> pixels, std::uint32_t width) {
    Image image({static_cast<int>(width), static_cast<int>(pixels.size() / width)});
    image.paint([&](int x, int y) {
        const std::uint32_t p = pixels[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
        return light_of((p & 0xFFU) << 16 | (p & 0xFF00U) | (p >> 16 & 0xFFU));
    });
    return std::move(image).file();
}

std::string png_of_depths(std::span<const float> depths, std::uint32_t width) {
    std::vector<std::uint32_t> pixels;
    for (const float depth : depths) {
        pixels.push_back(0x010101U * static_cast<std::uint32_t>(255 * std::clamp(depth, 0.0F, 1.0F)));
    }
    return png_of(pixels, width);
}

}  // namespace lanecull::program
