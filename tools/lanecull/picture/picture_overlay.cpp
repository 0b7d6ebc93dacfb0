#include "picture/picture_overlay.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <vector>

#include "picture/picture_legend.hpp"
#include "picture/picture_shade.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {

namespace {

const glm::vec3 ink = color(picture_color::ink);
const glm::vec3 paper = color(picture_color::paper);

constexpr const char* pin_name = "camera";
constexpr float pin_text = 19, pin_height = 58, pin_half_height = 15;
constexpr float inset_frame = 4, inset_head = 34, inset_right = 28;

}  // namespace

glm::vec2 Overlay::pixel(const glm::vec3& view) const {
    return canvas_.projection().sample(view) / static_cast<float>(pixel_side);
}

Sample Overlay::sample(const glm::vec2& pixel) const {
    const glm::vec2 at = pixel * static_cast<float>(pixel_side), size(canvas_.projection().size);
    const bool inside = at.x >= 0 && at.y >= 0 && at.x < size.x && at.y < size.y;
    return inside ? canvas_.at(static_cast<int>(at.x), static_cast<int>(at.y)) : Sample();
}

void Overlay::edge(const glm::dvec3& a, const glm::dvec3& b, float width, float opacity, const glm::vec3& tone) {
    glm::vec3 from = canvas_.projection().view(a), to = canvas_.projection().view(b);
    const float near = 1e-3F * std::max(from.z, to.z);
    if (!(near > 0)) return;
    if (from.z < near) from = glm::mix(from, to, (near - from.z) / (to.z - from.z));
    if (to.z < near) to = glm::mix(to, from, (near - to.z) / (from.z - to.z));
    const glm::vec2 start = pixel(from), end = pixel(to);
    const float piece = 4 * scale_;
    const auto pieces = static_cast<int>(std::clamp(glm::distance(start, end) / piece, 1.0F, 4000.0F));
    const auto fraction = [&](int i) { return static_cast<float>(i) / static_cast<float>(pieces); };
    const auto is_hidden = [&](int i) {  // 1 / depth is linear along the line in the picture
        const float t = fraction(i) + 0.5F * fraction(1);
        return sample(glm::mix(start, end, t)).inverse_depth > 1.004F * glm::mix(1 / from.z, 1 / to.z, t);
    };
    for (int i = 0; i < pieces;) {
        const bool broken = is_hidden(i);
        int last = i + 1;
        while (last < pieces && is_hidden(last) == broken) ++last;
        const auto stroke = [&](int first, int beyond, float strength) {
            const glm::vec2 p = glm::mix(start, end, fraction(first)), q = glm::mix(start, end, fraction(beyond));
            image_.line(p, q, (width + 2) * scale_, paper, 0.4F * strength * opacity);
            image_.line(p, q, width * scale_, tone, strength * opacity);
        };
        if (!broken) stroke(i, last, 1);
        for (int dash = i; broken && dash < last; dash += 4) stroke(dash, std::min(dash + 2, last), 0.7F);
        i = last;
    }
}

void Overlay::edges(const Polyhedron& volume) {
    for (const Polyhedron::Edge& e : volume.edges()) {
        if (e.cut)
            edge(e.a, e.b, 1.6F, 0.75F, ink);
        else
            edge(e.a, e.b, 2.8F, 1, ink);
    }
}

void Overlay::outlines(std::span<const BoxEdges> boxes) {
    for (const BoxEdges& box : boxes) {
        for (int k = 0; k < 3; ++k) {
            const glm::dvec3 along = box.half[k], u = box.half[(k + 1) % 3], v = box.half[(k + 2) % 3];
            for (const glm::dvec3& corner : {u + v, u - v, v - u, -u - v}) {
                edge(box.center + corner - along, box.center + corner + along, 2, 1, color(verdict_color::hidden));
            }
        }
    }
}

void Overlay::false_positives(std::span<const Solid> solids) {
    struct Stroke {
        glm::vec2 from, to;
    };
    std::vector<Stroke> strokes;
    const Projection& projection = canvas_.projection();
    const glm::mat3 rotation(projection.view_from_world);
    for (const Solid& solid : solids) {
        const glm::vec3 middle = projection.view(solid.center);
        glm::mat3 half = rotation * solid.half_edges();
        for (int k = 1; k < 3; ++k) {
            if (glm::dot(half[k], half[k]) > glm::dot(half[0], half[0])) std::swap(half[0], half[k]);
        }
        if (!(middle.z > glm::length(half[0]))) continue;
        const float pixels = projection.focal / (middle.z * static_cast<float>(pixel_side));
        const float breadth = std::max(glm::length(half[1]), glm::length(half[2])) * pixels;
        const bool shows = sample(pixel(middle)).surface.material == Material::false_positive;
        if (shows && breadth > 5 * scale_) continue;
        const glm::vec3 reach = glm::length(half[0]) * pixels > 2 * breadth ? half[0] : glm::vec3(0);
        strokes.push_back({pixel(middle - reach), pixel(middle + reach)});
    }
    const float core = (strokes.size() > 2000 ? 3.0F : 5.0F) * scale_;
    for (const Stroke& s : strokes) image_.line(s.from, s.to, core + 2.5F * scale_, paper, 0.9F);
    for (const Stroke& s : strokes) image_.line(s.from, s.to, core, color(verdict_color::false_positive));
}

Rectangle Overlay::camera_pin(const glm::vec2& foot, float scale) {
    const Font font{Font::Weight::regular};
    const float half_width = 0.5F * font.width(pin_text * scale, pin_name) + 10 * scale;
    return {foot - glm::vec2(half_width, (pin_height + pin_half_height) * scale),
            foot + glm::vec2(half_width, 8.5F * scale)};
}

void Overlay::camera(const glm::dvec3& eye) {
    const glm::vec3 view = canvas_.projection().view(eye);
    if (!(view.z > 0)) return;
    const glm::vec2 foot = pixel(view);
    const float height = pin_text * scale_;
    const float half_width = 0.5F * regular_.width(height, pin_name) + 10 * scale_;
    const glm::vec2 head = foot - glm::vec2(0, pin_height * scale_);
    image_.line(foot, head, 5 * scale_, paper, 0.9F);
    image_.line(foot, head, 2.4F * scale_, ink);
    image_.disc(foot, 8.5F * scale_, paper);
    image_.disc(foot, 6 * scale_, ink);
    const glm::vec2 half(half_width, pin_half_height * scale_);
    image_.fill({head - half, head + half}, 6 * scale_, ink);
    image_.text(regular_, height, head + glm::vec2(10 * scale_ - half_width, 6 * scale_), pin_name, paper);
}

int LegendText::rows() const { return 4 + (cut_open ? 1 : 0) + (occluders > 0 ? 2 : 0) + (blocks.all() > 0 ? 3 : 0); }

Rectangle Overlay::legend_card(const LegendText& text, float scale) {
    return Legend::card(Legend::height(text.rows()), scale);
}

void Overlay::legend(const LegendText& text) {
    const auto& [title, caption, counts, occluders, blocks, cut_open] = text;
    Legend card(image_, Legend::height(text.rows()), scale_);
    card.heading(title, grouped(counts.objects) + (counts.objects == 1 ? " object, " : " objects, ") + caption);
    card.objects(verdict_color::visible, "visible", counts.visible, counts.objects);
    card.objects(verdict_color::culled, "culled", counts.culled(), counts.objects);
    card.objects(verdict_color::false_positive, "of these, kept by six planes", counts.false_positives, counts.objects);
    if (occluders > 0) card.objects(verdict_color::hidden, "of these, behind occluders", counts.hidden, counts.objects);
    card.line(picture_color::ink, "edges of the view volume");
    if (cut_open) card.line(verdict_color::section, "cut open at the camera's height");
    if (occluders > 0) card.line(verdict_color::hidden, "edges of occluders");
    if (blocks.all() == 0) return;
    card.objects(block_color::inside, "blocks inside", blocks.inside, blocks.all());
    card.objects(block_color::mixed, "blocks on its boundary", blocks.mixed, blocks.all());
    card.objects(block_color::outside, "blocks outside", blocks.outside, blocks.all());
}

void Overlay::inset(const char* title, const Image& picture) {
    const glm::vec2 size(picture.size());
    const float frame = inset_frame * scale_, head = inset_head * scale_;
    const glm::vec2 corner = glm::floor(glm::vec2(
        static_cast<float>(image_.size().x) - size.x - inset_right * scale_ - frame, inset_top_ * scale_ + head));
    image_.fill({corner - glm::vec2(frame + 1, head + 1), corner + size + frame + 1.0F}, 11 * scale_, color(0x8A97A3),
                0.5F);
    image_.fill({corner - glm::vec2(frame, head), corner + size + frame}, 10 * scale_, paper, 0.95F);
    image_.text(regular_, 18 * scale_, corner + glm::vec2(10, -11) * scale_, title, ink);
    image_.paste(picture, glm::ivec2(corner), 7 * scale_);
    inset_top_ += (size.y + head + frame) / scale_ + 16;
}

Rectangle Overlay::inset_card(glm::ivec2 size, int width, float scale) {
    const float frame = inset_frame * scale, right = static_cast<float>(width) - inset_right * scale;
    const float top = first_inset_top * scale, whole = static_cast<float>(size.y) + inset_head * scale + frame;
    return {{right - static_cast<float>(size.x) - 2 * frame, top}, {right, top + whole}};
}

}  // namespace lanecull::program
