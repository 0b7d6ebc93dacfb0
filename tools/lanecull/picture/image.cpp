#include "picture/image.hpp"

#include <cairo/cairo-svg.h>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/error.hpp"
#include "support/parallel.hpp"

namespace lanecull::program {

namespace {

constexpr double pi = std::numbers::pi;

cairo_status_t append(void* file, const unsigned char* data, unsigned size) {
    static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
}

/// Cairo draws nothing more once a string was not UTF-8.
std::string drawable(const std::string& utf8, cairo_t* context) {
    cairo_glyph_t* glyphs = nullptr;
    int count = 0;
    const bool is_utf8 = cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(context), 0, 0, utf8.data(),
                                                          static_cast<int>(utf8.size()), &glyphs, &count, nullptr,
                                                          nullptr, nullptr) == CAIRO_STATUS_SUCCESS;
    cairo_glyph_free(glyphs);
    std::string text = utf8;
    std::ranges::replace_if(
        text, [&](unsigned char c) { return c < 32 || (c >= 127 && !is_utf8); }, '?');
    return text;
}

}  // namespace

glm::vec3 light_of(unsigned rgb) {
    const auto channel = [&](unsigned shift) {
        const float value = static_cast<float>(rgb >> shift & 255U) / 255;
        return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
    };
    return {channel(16), channel(8), channel(0)};
}

unsigned rgb_of(const glm::vec3& light) {
    unsigned rgb = 0;
    for (int k = 0; k < 3; ++k) {
        const float value = std::clamp(light[k], 0.0F, 1.0F);
        const float encoded = value <= 0.0031308F ? 12.92F * value : 1.055F * std::pow(value, 1 / 2.4F) - 0.055F;
        rgb = rgb << 8 | static_cast<unsigned>(std::lround(255 * encoded));
    }
    return rgb;
}

Image::Image(glm::ivec2 size, unsigned background, Format format)
    : size_(size),
      format_(format),
      surface_(format == Format::svg ? cairo_svg_surface_create_for_stream(append, bytes_.get(), size.x, size.y)
                                     : cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.x, size.y)),
      context_(cairo_create(surface_.get())) {
    cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
    if (format == Format::svg) cairo_svg_surface_set_document_unit(surface_.get(), CAIRO_SVG_UNIT_PX);
    set_ink(background, 1);
    cairo_paint(context_.get());
}

void Image::paint(const std::function<glm::vec3(int, int)>& light) {
    cairo_surface_flush(surface_.get());
    unsigned char* data = cairo_image_surface_get_data(surface_.get());
    const int stride = cairo_image_surface_get_stride(surface_.get());
    in_parallel(size_.y, [&](int y) {
        auto* row = reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t{y} * stride);
        for (int x = 0; x < size_.x; ++x) row[x] = rgb_of(light(x, y));
    });
    cairo_surface_mark_dirty(surface_.get());
}

void Image::set_ink(unsigned rgb, float opacity) const {
    const auto channel = [&](unsigned shift) { return static_cast<double>(rgb >> shift & 255U) / 255; };
    cairo_set_source_rgba(context_.get(), channel(16), channel(8), channel(0), static_cast<double>(opacity));
}

void Image::trace(const std::vector<glm::vec2>& points) const {
    for (const glm::dvec2 p : points) cairo_line_to(context_.get(), p.x, p.y);
}

void Image::trace(const Rectangle& box, float corner_radius) const {
    const auto radius = static_cast<double>(corner_radius);
    const glm::dvec2 low = glm::dvec2(box.lower) + radius, high = glm::dvec2(box.upper) - radius;
    cairo_new_path(context_.get());
    cairo_arc(context_.get(), high.x, high.y, radius, 0, 0.5 * pi);
    cairo_arc(context_.get(), low.x, high.y, radius, 0.5 * pi, pi);
    cairo_arc(context_.get(), low.x, low.y, radius, pi, 1.5 * pi);
    cairo_arc(context_.get(), high.x, low.y, radius, 1.5 * pi, 2 * pi);
    cairo_close_path(context_.get());
}

void Image::fill(const Rectangle& box, float corner_radius, unsigned ink, float opacity) {
    trace(box, corner_radius);
    set_ink(ink, opacity);
    cairo_fill(context_.get());
}

void Image::polygon(const std::vector<glm::vec2>& corners, unsigned ink, float opacity) {
    trace(corners);
    set_ink(ink, opacity);
    cairo_fill(context_.get());
}

void Image::line(const std::vector<glm::vec2>& points, float width, unsigned ink, float opacity, float dash) {
    trace(points);
    stroke(width, ink, opacity, dash);
}

void Image::stroke(float width, unsigned ink, float opacity, float dash) {
    const double length{dash};
    cairo_set_dash(context_.get(), &length, dash > 0 ? 1 : 0, 0);
    cairo_set_line_width(context_.get(), static_cast<double>(width));
    set_ink(ink, opacity);
    cairo_stroke(context_.get());
}

void Image::dots(const std::vector<glm::vec2>& points, float width, unsigned ink) {
    for (const glm::dvec2 p : points) {
        cairo_move_to(context_.get(), p.x, p.y);
        cairo_line_to(context_.get(), p.x, p.y);
    }
    stroke(width, ink);
}

void Image::rimmed_line(const std::vector<glm::vec2>& points, float width, unsigned ink) {
    line(points, width + 2.4F, picture_color::paper, 0.8F);
    line(points, width, ink);
}

void Image::disc(const glm::vec2& center, float radius, unsigned ink, float opacity) {
    fill({center - radius, center + radius}, radius, ink, opacity);
}

void Image::ring(const glm::vec2& center, float radius, float width, unsigned ink) {
    trace({center - radius, center + radius}, radius);
    stroke(width, ink);
}

void Image::rimmed_disc(const glm::vec2& center, float radius, unsigned ink) {
    disc(center, 1.4F * radius, picture_color::paper);
    disc(center, radius, ink);
}

void Image::paste(const Image& picture, glm::ivec2 corner, float corner_radius) {
    cairo_surface_flush(picture.surface_.get());
    cairo_set_source_surface(context_.get(), picture.surface_.get(), corner.x, corner.y);
    trace({glm::vec2(corner), glm::vec2(corner + picture.size())}, corner_radius);
    cairo_fill(context_.get());
}

/// DejaVu Sans, or else what fontconfig finds, or else cairo's own plain font. No machine's settings change it.
void Image::set_font(float height, Weight weight) const {
    cairo_select_font_face(context_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           weight == Weight::bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    constexpr double em = 1 / 1.164;  // of a line of DejaVu Sans
    cairo_set_font_size(context_.get(), em * static_cast<double>(height));
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(context_.get(), options);
    cairo_font_options_destroy(options);
}

void Image::text(float height, const glm::vec2& origin, const std::string& utf8, unsigned ink, Weight weight) {
    set_font(height, weight);
    set_ink(ink, 1);
    cairo_move_to(context_.get(), static_cast<double>(origin.x), static_cast<double>(origin.y));
    cairo_show_text(context_.get(), drawable(utf8, context_.get()).c_str());
    cairo_new_path(context_.get());
}

float Image::width(float height, const std::string& utf8, Weight weight) const {
    set_font(height, weight);
    cairo_text_extents_t extents;
    cairo_text_extents(context_.get(), drawable(utf8, context_.get()).c_str(), &extents);
    return static_cast<float>(extents.x_advance);
}

std::string Image::file() && {
    if (const cairo_status_t status = cairo_status(context_.get()); status != CAIRO_STATUS_SUCCESS) {
        fail("cannot draw: {}", cairo_status_to_string(status));
    }
    if (format_ == Format::svg)
        cairo_surface_finish(surface_.get());
    else
        cairo_surface_write_to_png_stream(surface_.get(), append, bytes_.get());
    return std::move(*bytes_);
}

}  // namespace lanecull::program
