#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <string_view>

/// Text for pictures.
namespace lanecull::program {

/// DejaVu Sans where the machine has it (Debian's fonts-dejavu-core), else a plain built-in font of ASCII.
class Font {
public:
    enum class Weight { regular, bold };

    explicit Font(Weight weight);
    ~Font();
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    /// Advance of a line of UTF-8 text whose capitals and descenders together take `height` pixels.
    [[nodiscard]] float width(float height, std::string_view utf8) const;

    /// Calls `pixel(position, coverage)`, coverage in (0, 1], for each pixel that the line touches when its baseline
    /// starts at `origin`. Returns the advance.
    float draw(float height, const glm::vec2& origin, std::string_view utf8,
               const std::function<void(glm::ivec2, float)>& pixel) const;

private:
    struct Outlines;
    std::unique_ptr<Outlines> outlines_;  // null: the built-in font
};

}  // namespace lanecull::program
