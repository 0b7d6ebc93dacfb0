#include "picture/text.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb/stb_easy_font.h>
#include <stb/stb_truetype.h>

namespace lanecull::program {

namespace {

constexpr char32_t replacement = U'?';

/// Takes the next character off the text. Whatever is not UTF-8 becomes question marks.
char32_t next_character(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    char32_t character = length == 1 ? lead : lead & (0x7FU >> length);
    bool good = length > 0 && length <= text.size() && lead >= 0x20;
    for (std::size_t i = 1; good && i < length; ++i) {
        good = byte(i) >> 6 == 2;
        character = character << 6 | (byte(i) & 0x3FU);
    }
    text.remove_prefix(good ? length : 1);
    return good ? character : replacement;
}

std::string ascii(std::string_view utf8) {
    std::string result;
    while (!utf8.empty()) {
        const char32_t character = next_character(utf8);
        result += static_cast<char>(character < 0x7F ? character : replacement);
    }
    return result;
}

/// The built-in font: 12 units a line, made of rectangles.
float draw_built_in(float height, const glm::vec2& origin, std::string_view utf8,
                    const std::function<void(glm::ivec2, float)>* pixel) {
    std::string text = ascii(utf8);
    const float scale = height / 12;
    if (pixel) {
        struct Vertex {
            float x, y, z;
            std::array<unsigned char, 4> color;
        };
        std::vector<Vertex> vertices(4 * 64 * (text.size() + 1));  // 64 rectangles a character are more than any has
        const int quads = stb_easy_font_print(0, 0, text.data(), nullptr, vertices.data(),
                                              static_cast<int>(vertices.size() * sizeof(Vertex)));
        for (std::size_t q = 0; q < static_cast<std::size_t>(quads); ++q) {
            const Vertex &low = vertices[4 * q], &high = vertices[4 * q + 2];
            const auto across = [&](float x) { return static_cast<int>(std::lround(origin.x + scale * x)); };
            const auto down = [&](float y) { return static_cast<int>(std::lround(origin.y + scale * (y - 7))); };
            for (int y = down(low.y); y < down(high.y); ++y) {
                for (int x = across(low.x); x < across(high.x); ++x) (*pixel)({x, y}, 1);
            }
        }
    }
    return scale * static_cast<float>(stb_easy_font_width(text.data()));
}

std::vector<unsigned char> read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

struct Font::Outlines {
    std::vector<unsigned char> file;
    stbtt_fontinfo info{};
};

Font::Font(Weight weight) {
    const char* path = weight == Weight::bold ? "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
                                              : "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
    auto outlines = std::make_unique<Outlines>();
    outlines->file = read_file(path);
    if (!outlines->file.empty() && stbtt_InitFont(&outlines->info, outlines->file.data(), 0) != 0) {
        outlines_ = std::move(outlines);
    }
}

Font::~Font() = default;

float Font::width(float height, std::string_view utf8) const {
    if (!outlines_) return draw_built_in(height, {0, 0}, utf8, nullptr);
    const stbtt_fontinfo& font = outlines_->info;
    const float scale = stbtt_ScaleForPixelHeight(&font, height);
    float advance = 0;
    for (char32_t previous = 0; !utf8.empty();) {
        const char32_t character = next_character(utf8);
        int step = 0, bearing = 0;
        stbtt_GetCodepointHMetrics(&font, static_cast<int>(character), &step, &bearing);
        if (previous != 0) {
            step += stbtt_GetCodepointKernAdvance(&font, static_cast<int>(previous), static_cast<int>(character));
        }
        advance += scale * static_cast<float>(step);
        previous = character;
    }
    return advance;
}

float Font::draw(float height, const glm::vec2& origin, std::string_view utf8,
                 const std::function<void(glm::ivec2, float)>& pixel) const {
    if (!outlines_) return draw_built_in(height, origin, utf8, &pixel);
    const stbtt_fontinfo& font = outlines_->info;
    const float scale = stbtt_ScaleForPixelHeight(&font, height);
    std::vector<unsigned char> bitmap;
    for (std::string_view rest = utf8; !rest.empty();) {
        const float advance = width(height, utf8.substr(0, utf8.size() - rest.size()));
        const auto character = static_cast<int>(next_character(rest));
        const float x = origin.x + advance, whole = std::floor(x);
        int left = 0, top = 0, right = 0, bottom = 0;
        stbtt_GetCodepointBitmapBoxSubpixel(&font, character, scale, scale, x - whole, 0, &left, &top, &right, &bottom);
        if (right <= left || bottom <= top) continue;
        bitmap.assign(static_cast<std::size_t>(right - left) * static_cast<std::size_t>(bottom - top), 0);
        stbtt_MakeCodepointBitmapSubpixel(&font, bitmap.data(), right - left, bottom - top, right - left, scale, scale,
                                          x - whole, 0, character);
        const glm::ivec2 corner(static_cast<int>(whole) + left, static_cast<int>(std::lround(origin.y)) + top);
        for (std::size_t i = 0; i < bitmap.size(); ++i) {
            if (bitmap[i] == 0) continue;
            const auto offset = static_cast<int>(i);
            pixel(corner + glm::ivec2(offset % (right - left), offset / (right - left)),
                  static_cast<float>(bitmap[i]) / 255);
        }
    }
    return width(height, utf8);
}

}  // namespace lanecull::program
