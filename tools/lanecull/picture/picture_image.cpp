#include "picture/picture_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

namespace lanecull::program {

namespace {

float linear_from_srgb(float value) {
    return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

float srgb_from_linear(float value) {
    return value <= 0.0031308F ? 12.92F * value : 1.055F * std::pow(value, 1 / 2.4F) - 0.055F;
}

/// Signed distance to a box with rounded corners.
float distance_to_box(const glm::vec2& p, const Rectangle& box, float corner_radius) {
    const glm::vec2 half = 0.5F * (box.upper - box.lower) - corner_radius;
    const glm::vec2 beyond = glm::abs(p - 0.5F * (box.lower + box.upper)) - half;
    const float outside = glm::length(glm::max(beyond, 0.0F));
    return outside + std::min(std::max(beyond.x, beyond.y), 0.0F) - corner_radius;
}

float distance_to_segment(const glm::vec2& p, const glm::vec2& a, const glm::vec2& b) {
    const glm::vec2 along = b - a;
    const float square = glm::dot(along, along);
    const float t = square > 0 ? std::clamp(glm::dot(p - a, along) / square, 0.0F, 1.0F) : 0;
    return glm::distance(p, a + t * along);
}

/// How much of a pixel lies within an edge, given the centre's signed distance to it.
float coverage_at(float distance) { return std::clamp(0.5F - distance, 0.0F, 1.0F); }

}  // namespace

glm::vec3 color(unsigned rgb) {
    const auto channel = [&](unsigned shift) {
        return linear_from_srgb(static_cast<float>(rgb >> shift & 255U) / 255);
    };
    return {channel(16), channel(8), channel(0)};
}

Image::Image(glm::ivec2 size)
    : size_(size), pixels_(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y)) {}

template <class Coverage>
void Image::blend(const Rectangle& box, const glm::vec3& ink, float opacity, Coverage coverage) {
    const glm::ivec2 low(glm::clamp(glm::floor(box.lower), glm::vec2(0), glm::vec2(size_)));
    const glm::ivec2 high(glm::clamp(glm::ceil(box.upper), glm::vec2(0), glm::vec2(size_)));
    for (int y = low.y; y < high.y; ++y) {
        for (int x = low.x; x < high.x; ++x) {
            at(x, y) = glm::mix(at(x, y), ink, opacity * coverage(glm::vec2(x, y) + 0.5F));
        }
    }
}

void Image::fill(const Rectangle& box, float corner_radius, const glm::vec3& ink, float opacity) {
    blend(box, ink, opacity, [&](const glm::vec2& p) { return coverage_at(distance_to_box(p, box, corner_radius)); });
}

void Image::line(const glm::vec2& from, const glm::vec2& to, float width, const glm::vec3& ink, float opacity) {
    const Rectangle box{glm::min(from, to) - width, glm::max(from, to) + width};
    blend(box, ink, opacity,
          [&](const glm::vec2& p) { return coverage_at(distance_to_segment(p, from, to) - 0.5F * width); });
}

void Image::disc(const glm::vec2& center, float radius, const glm::vec3& ink, float opacity) {
    line(center, center, 2 * radius, ink, opacity);
}

float Image::text(const Font& font, float height, const glm::vec2& origin, std::string_view utf8,
                  const glm::vec3& ink) {
    return font.draw(height, origin, utf8, [&](glm::ivec2 p, float coverage) {
        if (p.x < 0 || p.y < 0 || p.x >= size_.x || p.y >= size_.y) return;
        at(p.x, p.y) = glm::mix(at(p.x, p.y), ink, coverage);
    });
}

void Image::paste(const Image& picture, glm::ivec2 corner, float corner_radius) {
    const Rectangle box{glm::vec2(0), glm::vec2(picture.size())};
    for (int y = 0; y < picture.size().y; ++y) {
        for (int x = 0; x < picture.size().x; ++x) {
            const glm::ivec2 p = corner + glm::ivec2(x, y);
            if (p.x < 0 || p.y < 0 || p.x >= size_.x || p.y >= size_.y) continue;
            const float coverage = coverage_at(distance_to_box(glm::vec2(x, y) + 0.5F, box, corner_radius));
            at(p.x, p.y) = glm::mix(at(p.x, p.y), picture.at(x, y), coverage);
        }
    }
}

std::string Image::png() const {
    std::vector<unsigned char> bytes;
    bytes.reserve(3 * pixels_.size());
    for (const glm::vec3& pixel : pixels_) {
        for (int k = 0; k < 3; ++k) {
            const float value = srgb_from_linear(std::clamp(pixel[k], 0.0F, 1.0F));
            bytes.push_back(static_cast<unsigned char>(std::lround(255 * value)));
        }
    }
    std::string file;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &file, size_.x, size_.y, 3, bytes.data(), 3 * size_.x);
    return file;
}

}  // namespace lanecull::program
