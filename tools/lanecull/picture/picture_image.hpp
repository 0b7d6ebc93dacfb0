#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "picture/text.hpp"

/// Pictures in linear light, with the little 2D drawing that an overlay needs.
namespace lanecull::program {

/// Linear light of the colour 0xRRGGBB (sRGB).
[[nodiscard]] glm::vec3 color(unsigned rgb);

struct Rectangle {
    glm::vec2 lower{0}, upper{0};
};

class Image {
public:
    explicit Image(glm::ivec2 size);

    [[nodiscard]] glm::ivec2 size() const { return size_; }
    [[nodiscard]] glm::vec3& at(int x, int y) { return pixels_[index(x, y)]; }
    [[nodiscard]] const glm::vec3& at(int x, int y) const { return pixels_[index(x, y)]; }

    // Coordinates are in pixels, the first pixel's centre is (0.5, 0.5). Edges are smooth. Opacity 0 to 1.

    void fill(const Rectangle& box, float corner_radius, const glm::vec3& ink, float opacity = 1);
    void line(const glm::vec2& from, const glm::vec2& to, float width, const glm::vec3& ink, float opacity = 1);
    void disc(const glm::vec2& center, float radius, const glm::vec3& ink, float opacity = 1);
    /// Writes UTF-8 text, its baseline at `origin`; returns its width.
    float text(const Font& font, float height, const glm::vec2& origin, std::string_view utf8, const glm::vec3& ink);
    /// Copies a picture to `corner`, its corners rounded.
    void paste(const Image& picture, glm::ivec2 corner, float corner_radius);

    /// The bytes of a PNG file.
    [[nodiscard]] std::string png() const;

private:
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(x);
    }
    /// Blends `ink` over the pixels in a box, by `coverage(centre of the pixel)`.
    template <class Coverage>
    void blend(const Rectangle& box, const glm::vec3& ink, float opacity, Coverage coverage);

    glm::ivec2 size_;
    std::vector<glm::vec3> pixels_;
};

}  // namespace lanecull::program
