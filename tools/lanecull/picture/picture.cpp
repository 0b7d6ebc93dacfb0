#include "picture/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vector_relational.hpp>
#include <optional>
#include <vector>

#include "picture/observer.hpp"
#include "picture/picture_overlay.hpp"
#include "picture/picture_scene.hpp"
#include "picture/picture_shade.hpp"
#include "picture/picture_volume.hpp"

namespace lanecull::program {

namespace {

constexpr int shadow_size = 3072;

/// `direction` without its part along `up`; any level direction when it has no other.
glm::dvec3 level(const glm::dvec3& direction, const glm::dvec3& up) {
    const glm::dvec3 flat = direction - glm::dot(direction, up) * up;
    if (glm::length(flat) > 1e-3 * glm::length(direction)) return glm::normalize(flat);
    return glm::normalize(glm::cross(up, std::abs(up.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
}

/// A level direction turned to the left, then tilted down; in radians.
glm::dvec3 turned(const glm::dvec3& ahead, const glm::dvec3& up, double left, double down) {
    const glm::dvec3 flat = std::cos(left) * ahead + std::sin(left) * glm::cross(up, ahead);
    return std::cos(down) * flat - std::sin(down) * up;
}

/// 1, 2 or 5 times a power of ten: the largest not above `most`.
double round_length(double most) {
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double digit : {5.0, 2.0}) {
        if (digit * power <= most) return digit * power;
    }
    return power;
}

/// Where an observer looks, in degrees: to the left of where the camera does, and down.
struct Direction {
    double left, down;
};

/// From behind the camera's right shoulder, high above: the volume opens to the upper right.
constexpr Direction usual{56, 35};

class Picture {
public:
    explicit Picture(const PictureInput& input);
    [[nodiscard]] Image draw() const;

private:
    [[nodiscard]] Canvas canvas(const Projection& projection, JudgedScene::Show show) const;
    [[nodiscard]] Image inset() const;
    [[nodiscard]] glm::ivec2 inset_size() const;
    [[nodiscard]] LegendText legend() const;
    [[nodiscard]] float scale() const { return static_cast<float>(input_.size.y) / 900; }
    [[nodiscard]] std::vector<Rectangle> cards() const;
    [[nodiscard]] bool is_clear_of_cards(const Projection& projection) const;
    [[nodiscard]] Projection outside(const Direction& direction, glm::ivec2 size) const;
    [[nodiscard]] Projection outside() const { return outside(observer_, input_.size); }
    [[nodiscard]] Projection sun() const;
    [[nodiscard]] SightSeen seen_from(const Direction& direction, const Sight& sight) const;
    void open();
    void frame_false_positives();

    const PictureInput& input_;
    JudgedScene scene_;
    Bounds bounds_;
    Polyhedron volume_;
    std::vector<glm::dvec3> framed_;  // points to be seen
    Setting setting_;
    std::optional<Section> section_;  // of a scene that is cut open
    Direction observer_ = usual;
    glm::dvec3 ahead_;  // where the camera looks, level
    double ground_ = 0;
};

Picture::Picture(const PictureInput& input)
    : input_(input),
      scene_(input.scene, input.visible, input.kept_by_planes, input.visible_without),
      bounds_(main_bounds(input.scene)),
      volume_(shown_volume(input.camera, bounds_, input.scene.up)),
      framed_(volume_.corners()),
      ahead_(level(input.camera.forward, input.scene.up)) {
    if (bounds_.empty()) bounds_.add(input.camera.eye);
    framed_.push_back(input.camera.eye);
    if (scene_.counts().visible == 0) {  // the volume may be far from everything
        const auto [low, high] = bounds_;
        for (const double x : {low.x, high.x}) {
            for (const double y : {low.y, high.y}) framed_.insert(framed_.end(), {{x, y, low.z}, {x, y, high.z}});
        }
    }
    const glm::dvec3& up = input.scene.up;
    Bounds shown;
    for (const glm::dvec3& point : framed_) shown.add(point);
    setting_.up = up;
    setting_.middle = shown.center();
    setting_.extent = 0;
    for (const glm::dvec3& point : framed_) {
        setting_.extent = std::max(setting_.extent, glm::distance(point, setting_.middle));
    }
    setting_.haze = 2 * setting_.extent;
    setting_.grid = round_length(0.15 * setting_.extent);
    setting_.sun = -turned(ahead_, up, glm::radians(-25.0), glm::radians(46.0));
    setting_.volume = &volume_;
    // A little lower than the scene's own ground, which is to be seen where it has one.
    ground_ = std::min(glm::dot(up, bounds_.lower), glm::dot(up, bounds_.upper)) - 5e-4 * setting_.extent;
    open();
}

/// Cuts the scene open, if it is to be, and finds the observer who then sees most; of two who see about the same, the
/// one whose view is the more usual.
void Picture::open() {
    if (input_.cutaway == CutawayChoice::off) return;
    const Sight sight = sight_of(scene_, input_.camera, volume_);
    if (input_.cutaway == CutawayChoice::automatic && !seen_from(usual, sight).is_enclosed()) return;
    section_.emplace(input_.camera, setting_.up, volume_);
    frame_false_positives();
    double best = -1;
    for (const double left : {usual.left, -usual.left, 180 - usual.left, usual.left - 180}) {
        for (const double down : {usual.down, 50.0, 65.0}) {
            const SightSeen share = seen_from({left, down}, sight);
            const double unusual = 0.004 * (down - usual.down) + (left == usual.left ? 0 : 0.03);
            const double score = 0.5 * share.places + 0.5 * share.false_positives - unusual;
            if (score <= best) continue;
            best = score;
            observer_ = {left, down};
        }
    }
}

/// Those of their corners that are not far off are to be seen too.
void Picture::frame_false_positives() {
    for (const Solid& solid : scene_.false_positives()) {
        const glm::dmat3 half(solid.half_edges());
        for (unsigned corner = 0; corner < 8; ++corner) {
            glm::dvec3 point = solid.center;
            for (unsigned k = 0; k < 3; ++k)
                point += (corner >> k & 1U) != 0 ? half[static_cast<int>(k)] : -half[static_cast<int>(k)];
            if (glm::distance(point, setting_.middle) < 1.3 * setting_.extent) framed_.push_back(point);
        }
    }
}

SightSeen Picture::seen_from(const Direction& direction, const Sight& sight) const {
    const glm::ivec2 small = glm::ivec2(glm::vec2(160) * glm::vec2(input_.size) / static_cast<float>(input_.size.x));
    std::vector<Rectangle> covered = cards();
    for (Rectangle& card : covered) card.lower /= glm::vec2(input_.size), card.upper /= glm::vec2(input_.size);
    return seen_on(sight, canvas(outside(direction, small), JudgedScene::Show::all_and_volume), covered);
}

/// Whether no card hides the camera's pin; in a scene that is cut open, nor anything else that is to be seen.
bool Picture::is_clear_of_cards(const Projection& projection) const {
    const float shrunk = static_cast<float>(projection.size.y) / static_cast<float>(pixel_side * input_.size.y);
    const std::vector<Rectangle> all = cards();
    const auto pixel = [&](const glm::dvec3& point) {
        return projection.sample(projection.view(point)) / (shrunk * static_cast<float>(pixel_side));
    };
    const auto is_clear = [&](const Rectangle& shown) {
        return std::none_of(all.begin(), all.end(), [&](const Rectangle& card) {
            return glm::all(glm::lessThan(card.lower, shown.upper)) && glm::all(glm::lessThan(shown.lower, card.upper));
        });
    };
    if (!is_clear(Overlay::camera_pin(pixel(input_.camera.eye), scale()))) return false;
    if (!section_) return true;
    return std::all_of(framed_.begin(), framed_.end(), [&](const glm::dvec3& point) {
        return is_clear({pixel(point) - 1.0F, pixel(point) + 1.0F});
    });
}

/// As near as can be clear of the cards: beside or below them, if not around them.
Projection Picture::outside(const Direction& direction, glm::ivec2 size) const {
    const glm::dvec3 forward = turned(ahead_, setting_.up, glm::radians(direction.left), glm::radians(direction.down));
    double left = 0, right = 0, below = 0;  // of the cards, as shares
    for (const Rectangle& card : cards()) {
        const glm::dvec2 lower = glm::dvec2(card.lower) / glm::dvec2(input_.size);
        const glm::dvec2 upper = glm::dvec2(card.upper) / glm::dvec2(input_.size);
        (lower.x < 0.5 ? left : right) = lower.x < 0.5 ? upper.x + 0.04 : 1 - lower.x + 0.04;
        below = std::clamp(upper.y + 0.09, below, 0.6);
    }
    constexpr double side = 0.08, top = 0.17, bottom = 0.08;  // where no card is in the way
    std::optional<Projection> nearest;
    Projection last;
    for (const Margins& margins :
         {Margins{side, side, top, bottom}, Margins{left, side, top, bottom}, Margins{side, right, top, bottom},
          Margins{side, side, below, bottom}, Margins{left, right, top, bottom}}) {
        last = framing(framed_, forward, setting_.up, glm::radians(30.0), pixel_side * size, margins);
        const auto away = [&](const Projection& p) { return glm::distance(p.eye, setting_.middle); };
        if (is_clear_of_cards(last) && (!nearest || away(last) < away(*nearest))) nearest = last;
    }
    return nearest.value_or(last);
}

Projection Picture::sun() const {
    constexpr double distance = 12, reach = 1.7;  // in extents
    return Projection::looking(setting_.middle + distance * setting_.extent * setting_.sun, -setting_.sun, ahead_,
                               2 * std::atan(reach / distance), glm::ivec2(shadow_size));
}

Canvas Picture::canvas(const Projection& projection, JudgedScene::Show show) const {
    Canvas canvas(projection);
    if (section_ && show == JudgedScene::Show::all_and_volume) canvas.cut_away(section_->seen_by(projection));
    scene_.draw(canvas, volume_, show);
    if (glm::dot(setting_.up, projection.eye) <= ground_) return canvas;
    const double reach = 40 * setting_.extent;
    const glm::dvec3 u = reach * ahead_, v = reach * glm::cross(setting_.up, ahead_);
    const glm::dvec3 foot = setting_.middle + (ground_ - glm::dot(setting_.up, setting_.middle)) * setting_.up;
    const std::array corners{projection.view(foot - u - v), projection.view(foot + u - v),
                             projection.view(foot + u + v), projection.view(foot - u + v)};
    const glm::vec3 normal(projection.view_from_world * setting_.up);
    canvas.fill(corners, normal, {Material::ground, 0}, {0, projection.size.y});
    return canvas;
}

glm::ivec2 Picture::inset_size() const {
    const int width = input_.size.x / 4;
    return {width, static_cast<int>(std::clamp(width / input_.camera.aspect, 0.1 * width, 0.75 * width))};
}

LegendText Picture::legend() const {
    return {"lanecull: " + input_.scene.name, input_.caption,      scene_.counts(), input_.occluders.size(),
            count_blocks(input_.blocks),      section_.has_value()};
}

/// Of the legend and of the insets; a map of blocks is as high as it is wide at most.
std::vector<Rectangle> Picture::cards() const {
    std::vector<Rectangle> all{Overlay::legend_card(legend(), scale()),
                               Overlay::inset_card(inset_size(), input_.size.x, scale())};
    if (!input_.blocks.empty()) all.back().upper.y += static_cast<float>(input_.size.x) / 4 + 54 * scale();
    return all;
}

Image Picture::inset() const {
    const Camera& camera = input_.camera;
    const glm::ivec2 size = inset_size();
    Setting setting = setting_;
    setting.volume = nullptr;
    setting.grid = 0;
    setting.middle = camera.eye;
    setting.haze = 4 * setting.extent;
    const Projection own = seen_through(camera, pixel_side * size);
    return shade(canvas(own, JudgedScene::Show::visible), setting);
}

Image Picture::draw() const {
    Canvas shadows(sun());
    if (section_) shadows.cut_away(section_->cut_by(shadows.projection(), false));
    scene_.draw(shadows, volume_, JudgedScene::Show::all);
    Setting setting = setting_;
    setting.shadows = &shadows;
    setting.occluders = input_.occluders;
    setting.eye = input_.camera.eye;
    const Canvas scene = canvas(outside(), JudgedScene::Show::all_and_volume);
    Image image = shade(scene, setting);

    Overlay overlay(image, scene, scale());
    overlay.edges(volume_);
    overlay.outlines(input_.occluders);
    overlay.false_positives(scene_.false_positives());
    overlay.camera(input_.camera.eye);
    overlay.legend(legend());
    overlay.inset("what the camera sees", inset());
    if (!input_.blocks.empty()) {
        const BlockMap map{input_.blocks, volume_, input_.camera.eye, input_.scene.up};
        overlay.inset("the ordered scene's blocks, from above", draw_block_map(map, input_.size.x / 4));
    }
    return image;
}

}  // namespace

std::string draw_picture(const PictureInput& input) { return Picture(input).draw().png(); }

}  // namespace lanecull::program
