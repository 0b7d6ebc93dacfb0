#pragma once

#include <cairo/cairo.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

/// A picture's pixels, 0xRRGGBB, row by row; none if it is no PNG.
struct Pixels {
    int width = 0, height = 0;
    std::vector<unsigned> colors;

    /// Where the legend of the program's pictures ends, as a share of their width.
    static constexpr float legend_right = 548 / 1600.0F;

    explicit Pixels(std::string png) {
        const auto next = [](void* file, unsigned char* bytes, unsigned size) {
            auto* rest = static_cast<std::string*>(file);
            if (rest->size() < size) return CAIRO_STATUS_READ_ERROR;
            std::memcpy(bytes, rest->data(), size);
            rest->erase(0, size);
            return CAIRO_STATUS_SUCCESS;
        };
        cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(next, &png);
        width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
        for (int y = 0; y < height; ++y) {
            const unsigned char* row =
                cairo_image_surface_get_data(surface) + std::ptrdiff_t{y} * cairo_image_surface_get_stride(surface);
            for (int x = 0; x < width; ++x) {
                std::uint32_t pixel = 0;
                std::memcpy(&pixel, row + 4 * std::ptrdiff_t{x}, 4);
                colors.push_back(pixel & 0xFFFFFFU);
            }
        }
        cairo_surface_destroy(surface);
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
