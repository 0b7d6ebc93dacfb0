#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>

#include "picture/picture_image.hpp"
#include "picture/text.hpp"

/// The card of words in a picture: what its colours and lines mean, and how many objects have each.
namespace lanecull::program {

namespace picture_color {
inline constexpr unsigned ink = 0x1D2B3A;
inline constexpr unsigned faint_ink = 0x5B6876;
inline constexpr unsigned paper = 0xFFFFFF;
}  // namespace picture_color

/// Draws its rows from top to bottom, in the order of the calls. Sizes are those of a picture of 1600x900, times
/// `scale`.
class Legend {
public:
    /// The empty card, at the upper left.
    Legend(Image& image, float height, float scale);

    void heading(const std::string& title, const std::string& caption);
    /// A disc of a colour, how many objects have it, and which fraction of `whole` these are.
    void objects(unsigned swatch, const char* name, std::uint64_t count, std::uint64_t whole);
    void line(unsigned tone, const char* name);

    static constexpr float right_end = 548;  ///< of the card
    /// Of a card with so many rows below its heading.
    [[nodiscard]] static constexpr float height(int rows) { return 92 + 36 * static_cast<float>(rows); }
    /// Where a card of a height is, in pixels.
    [[nodiscard]] static Rectangle card(float height, float scale);

private:
    Image& image_;
    float scale_;
    glm::vec2 base_;  ///< of the next row
    float width_;
    Font regular_{Font::Weight::regular}, bold_{Font::Weight::bold};
};

}  // namespace lanecull::program
