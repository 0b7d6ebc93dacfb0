#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

/// A picture's pixels, 0xRRGGBB, row by row; none if it is no PNG.
struct Pixels {
    int width = 0, height = 0;
    std::vector<unsigned> colors;

    /// Where the legend of the program's pictures ends, as a share of their width.
    static constexpr float legend_right = 548 / 1600.0F;

    explicit Pixels(const std::string& png) {
        int channels = 0;
        const std::unique_ptr<stbi_uc, void (*)(void*)> bytes(
            stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()), &width,
                                  &height, &channels, 3),
            stbi_image_free);
        for (int k = 0; bytes && k < width * height; ++k) {
            const stbi_uc* p = bytes.get() + 3 * k;
            colors.push_back(static_cast<unsigned>(p[0]) << 16 | static_cast<unsigned>(p[1]) << 8 | p[2]);
        }
    }
    /// How many are such a colour, right of the legend.
    [[nodiscard]] int on_map(const std::function<bool(unsigned)>& is_such) const {
        return count(is_such, legend_end(), width);
    }
    [[nodiscard]] int on_map(unsigned color) const { return on_map(is(color)); }
    [[nodiscard]] unsigned at(int x, int y) const { return colors[static_cast<std::size_t>(y * width + x)]; }
    [[nodiscard]] int in_legend(unsigned color) const { return count(is(color), 0, legend_end()); }

private:
    [[nodiscard]] int legend_end() const { return static_cast<int>(legend_right * static_cast<float>(width)); }
    static std::function<bool(unsigned)> is(unsigned color) {
        return [color](unsigned other) { return other == color; };
    }
    [[nodiscard]] int count(const std::function<bool(unsigned)>& is_such, int first, int last) const {
        int sum = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = first; x < last; ++x) sum += is_such(at(x, y));
        }
        return sum;
    }
};
