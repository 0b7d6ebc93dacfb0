#include "picture/overlay.hpp"

#include <cmath>

#include "picture/judged_scene.hpp"

namespace lanecull::program {

namespace {

using glm::vec2;
using glm::vec3;
using picture_color::ink;
using picture_color::paper;

constexpr float pin_height = 58, pin_half_width = 41, pin_half_height = 15;
constexpr float inset_frame = 4, inset_head = 34, inset_right = 28, inset_top = 26;

}  // namespace

void Overlay::edge(const glm::dvec3& a, const glm::dvec3& b, float width, float opacity, unsigned tone) {
    vec3 from = canvas_.projection().view(a), to = canvas_.projection().view(b);
    const float near = 1e-3F * std::max(from.z, to.z);
    if (!(near > 0)) return;
    if (from.z < near) from = glm::mix(from, to, (near - from.z) / (to.z - from.z));
    if (to.z < near) to = glm::mix(to, from, (near - to.z) / (from.z - to.z));
    const vec2 start = pixel(from), end = pixel(to);
    const auto pieces = static_cast<int>(std::clamp(glm::distance(start, end) / (4 * scale_), 1.0F, 4000.0F));
    const auto at = [&](float piece) { return glm::mix(start, end, piece / static_cast<float>(pieces)); };
    const auto is_hidden = [&](int i) {  // 1 / depth is linear along the line in the picture
        const float middle = static_cast<float>(i) + 0.5F;
        const float own = glm::mix(1 / from.z, 1 / to.z, middle / static_cast<float>(pieces));
        return canvas_.at(at(middle) * static_cast<float>(pixel_side)).inverse_depth > 1.004F * own;
    };
    for (int i = 0; i < pieces;) {
        const bool broken = is_hidden(i);
        int last = i + 1;
        while (last < pieces && is_hidden(last) == broken) ++last;
        const float dash = broken ? 9 * scale_ : 0;
        const std::vector<vec2> way{at(static_cast<float>(i)), at(static_cast<float>(last))};
        image_.line(way, (width + 2) * scale_, paper, (broken ? 0.8F : 0.6F) * opacity, dash);
        image_.line(way, width * scale_, tone, (broken ? 0.5F : 1) * opacity, dash);
        i = last;
    }
}

void Overlay::edges(const Polyhedron& volume) {
    for (const auto& [a, b, cut] : volume.edges()) edge(a, b, cut ? 1.6F : 2.8F, cut ? 0.75F : 1, ink);
}

void Overlay::outlines(std::span<const BoxEdges> boxes) {
    for (const BoxEdges& box : boxes) {
        for (int k = 0; k < 3; ++k) {
            const glm::dvec3 along = box.half[k], u = box.half[(k + 1) % 3], v = box.half[(k + 2) % 3];
            for (const glm::dvec3& corner : {u + v, u - v, v - u, -u - v}) {
                edge(box.center + corner - along, box.center + corner + along, 2, 1, verdict_color::hidden);
            }
        }
    }
}

void Overlay::false_positives(std::span<const Solid> solids) {
    std::vector<std::vector<vec2>> strokes;
    const Projection& projection = canvas_.projection();
    const glm::mat3 rotation(projection.view_from_world);
    for (const Solid& solid : solids) {
        const vec3 middle = projection.view(solid.center);
        glm::mat3 half = rotation * solid.half_edges();
        for (int k = 1; k < 3; ++k) {
            if (glm::dot(half[k], half[k]) > glm::dot(half[0], half[0])) std::swap(half[0], half[k]);
        }
        if (!(middle.z > glm::length(half[0]))) continue;
        const float pixels = projection.focal / (middle.z * static_cast<float>(pixel_side));
        const float breadth = std::max(glm::length(half[1]), glm::length(half[2])) * pixels;
        const bool shows = canvas_.at(projection.sample(middle)).surface.ink == false_positive;
        if (shows && breadth > 5 * scale_) continue;
        const vec3 reach = glm::length(half[0]) * pixels > 2 * breadth ? half[0] : vec3(0);
        strokes.push_back({pixel(middle - reach), pixel(middle + reach)});
    }
    const float core = (strokes.size() > 2000 ? 3.0F : 5.0F) * scale_;
    for (const auto& stroke : strokes) image_.line(stroke, core + 2.5F * scale_, paper, 0.9F);
    for (const auto& stroke : strokes) image_.line(stroke, core, verdict_color::false_positive);
}

Rectangle Overlay::camera_pin(const vec2& foot, float scale) {
    return {foot - scale * vec2(pin_half_width, pin_height + pin_half_height),
            foot + scale * vec2(pin_half_width, 8.5F)};
}

void Overlay::camera(const glm::dvec3& eye) {
    const vec3 view = canvas_.projection().view(eye);
    if (!(view.z > 0)) return;
    const vec2 foot = pixel(view), head = foot - vec2(0, pin_height * scale_);
    image_.rimmed_line({foot, head}, 2.4F * scale_, ink);
    image_.rimmed_disc(foot, 6 * scale_, ink);
    const vec2 half = scale_ * vec2(pin_half_width, pin_half_height);
    image_.fill({head - half, head + half}, 6 * scale_, ink);
    const float height = 19 * scale_;
    image_.text(height, head + vec2(-0.5F * image_.width(height, "camera"), 6 * scale_), "camera", paper);
}

Rectangle Overlay::inset_card(glm::ivec2 size, int width, float scale) {
    const float right = static_cast<float>(width) - inset_right * scale;
    const vec2 whole = vec2(size) + scale * vec2(2 * inset_frame, inset_head + inset_frame);
    return {{right - whole.x, inset_top * scale}, {right, inset_top * scale + whole.y}};
}

void Overlay::inset(const std::string& title, const Image& picture) {
    Rectangle card = inset_card(picture.size(), image_.size().x, scale_);
    card.lower = glm::floor(card.lower + vec2(0, inset_shift_));
    card.upper = glm::floor(card.upper + vec2(0, inset_shift_));
    image_.fill({card.lower - 1.0F, card.upper + 1.0F}, 11 * scale_, picture_color::frame, 0.5F);
    image_.fill(card, 10 * scale_, paper, 0.95F);
    const vec2 corner = card.lower + scale_ * vec2(inset_frame, inset_head);
    image_.text(18 * scale_, corner + vec2(10, -11) * scale_, title, ink);
    image_.paste(picture, glm::ivec2(corner), 7 * scale_);
    inset_shift_ += card.upper.y - card.lower.y + 16 * scale_;
}

Image draw_block_map(std::span<const JudgedBlock> blocks, const Polyhedron& volume, const glm::dvec3& eye,
                     const glm::dvec3& up, int width) {
    using glm::dvec2;
    const glm::dvec3 right(up.z, up.x, up.y), ahead = glm::cross(up, right);
    const auto flat = [&](const glm::dvec3& p) { return dvec2(glm::dot(right, p), -glm::dot(ahead, p)); };
    struct Shown {
        dvec2 low, high;
        unsigned tone;
    };
    std::vector<Shown> all;
    dvec2 low(1e300), high(-1e300);
    for (const auto& [block, outcome] : blocks) {
        Bounds bounds;
        for (int k = 0; k < 3; ++k) {
            bounds.lower[k] = block.origin[k] + static_cast<double>(block.lower[k]);
            bounds.upper[k] = block.origin[k] + static_cast<double>(block.upper[k]);
        }
        if (bounds.empty()) continue;
        const dvec2 a = flat(bounds.lower), b = flat(bounds.upper);
        const unsigned tone = outcome == BlockOutcome::inside  ? block_color::inside
                              : outcome == BlockOutcome::mixed ? block_color::mixed
                                                               : block_color::outside;
        all.push_back({glm::min(a, b), glm::max(a, b), tone});
        low = glm::min(low, all.back().low), high = glm::max(high, all.back().high);
    }
    if (all.empty()) low = high = flat(eye);
    // Large ones below small ones, which say more.
    const auto area = [](const Shown& s) { return (s.high.x - s.low.x) * (s.high.y - s.low.y); };
    std::ranges::stable_sort(all, [&](const Shown& a, const Shown& b) { return area(a) > area(b); });

    const dvec2 size = high - low;
    const double scale = width / std::max({size.x, size.y, 1e-30});
    const auto pixel = [&](const dvec2& p) { return vec2(scale * (p - low)); };
    Image image({width, std::clamp(static_cast<int>(std::ceil(scale * size.y)), 1, width)});
    for (const Shown& s : all) {  // at least a pixel wide
        const vec2 middle = pixel(0.5 * (s.low + s.high)), half = glm::max(pixel(s.high) - middle, vec2(0.5F));
        image.fill({middle - half, middle + half}, 0, s.tone, 0.5F);
    }
    const float stroke = static_cast<float>(width) / 250;
    for (const auto& e : volume.edges()) image.line({pixel(flat(e.a)), pixel(flat(e.b))}, stroke, ink);
    image.disc(pixel(flat(eye)), 3 * stroke, ink);
    return image;
}

}  // namespace lanecull::program
