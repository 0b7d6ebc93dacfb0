#pragma once

#include <cairo/cairo.h>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <vector>

namespace lanecull::program {

/// Colours are 0xRRGGBB (sRGB) where lines and words have them, and linear light where they are computed.
[[nodiscard]] glm::vec3 light_of(unsigned rgb);
[[nodiscard]] unsigned rgb_of(const glm::vec3& light);

namespace picture_color {
inline constexpr unsigned ink = 0x1D2B3A, faint_ink = 0x5B6876, paper = 0xFFFFFF, frame = 0x8A97A3;
}

struct Rectangle {
    glm::vec2 lower{0}, upper{0};
};

/// A picture, and what is drawn over it by cairo. Coordinates are in pixels, y down; the first pixel's centre is
/// (0.5, 0.5). Opacity is 0 to 1.
class Image {
public:
    enum class Format { png, svg };

    explicit Image(glm::ivec2 size, unsigned background = picture_color::paper, Format format = Format::png);
    [[nodiscard]] glm::ivec2 size() const { return size_; }

    /// Sets each pixel of a PNG to the linear light of (x, y), on all cores.
    void paint(const std::function<glm::vec3(int, int)>& light);

    void fill(const Rectangle& box, float corner_radius, unsigned ink, float opacity = 1);
    void polygon(const std::vector<glm::vec2>& corners, unsigned ink, float opacity = 1);
    /// Through all points, with round ends. `dash`: the length of the dashes and of the gaps between them.
    void line(const std::vector<glm::vec2>& points, float width, unsigned ink, float opacity = 1, float dash = 0);
    /// The same with a rim of paper.
    void rimmed_line(const std::vector<glm::vec2>& points, float width, unsigned ink);
    void disc(const glm::vec2& center, float radius, unsigned ink, float opacity = 1);
    void dots(const std::vector<glm::vec2>& points, float width, unsigned ink);
    void ring(const glm::vec2& center, float radius, float width, unsigned ink);
    void rimmed_disc(const glm::vec2& center, float radius, unsigned ink);
    /// Copies a picture to `corner`, its corners rounded.
    void paste(const Image& picture, glm::ivec2 corner, float corner_radius);

    enum class Weight { regular, bold };
    /// Writes UTF-8 text whose capitals and descenders together take `height` pixels; its baseline starts at `origin`.
    void text(float height, const glm::vec2& origin, const std::string& utf8, unsigned ink,
              Weight weight = Weight::regular);
    [[nodiscard]] float width(float height, const std::string& utf8, Weight weight = Weight::regular) const;

    /// The bytes of the file. The picture is then finished.
    [[nodiscard]] std::string file() &&;

private:
    template <class Type, void (*destroy)(Type*)>
    struct Destroy {
        void operator()(Type* object) const { destroy(object); }
    };

    void stroke(float width, unsigned ink, float opacity = 1, float dash = 0);
    void set_ink(unsigned rgb, float opacity) const;
    void set_font(float height, Weight weight) const;
    void trace(const std::vector<glm::vec2>& points) const;
    void trace(const Rectangle& box, float corner_radius) const;

    glm::ivec2 size_;
    Format format_;
    std::unique_ptr<std::string> bytes_ = std::make_unique<std::string>();
    std::unique_ptr<cairo_surface_t, Destroy<cairo_surface_t, cairo_surface_destroy>> surface_;
    std::unique_ptr<cairo_t, Destroy<cairo_t, cairo_destroy>> context_;
};

}  // namespace lanecull::program
