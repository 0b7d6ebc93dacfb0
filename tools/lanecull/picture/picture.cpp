#include "picture/picture.hpp"

#include <cmath>

#include "picture/legend.hpp"
#include "picture/overlay.hpp"
#include "picture/shading.hpp"
#include "support/text.hpp"

namespace lanecull::program {

namespace {

using glm::dvec3;

constexpr std::array inks{0xE9E8E4U, verdict_color::culled, verdict_color::visible, verdict_color::false_positive,
                          verdict_color::hidden};

/// `direction` without its part along `up`; any level direction when it has no other.
dvec3 level(const dvec3& direction, const dvec3& up) {
    const dvec3 flat = direction - glm::dot(direction, up) * up;
    if (glm::length(flat) > 1e-3 * glm::length(direction)) return glm::normalize(flat);
    return glm::normalize(glm::cross(up, std::abs(up.x) < 0.6 ? dvec3(1, 0, 0) : dvec3(0, 1, 0)));
}

/// 1, 2 or 5 times a power of ten: the largest not above `most`.
double round_length(double most) {
    const double power = std::pow(10, std::floor(std::log10(most)));
    return 5 * power <= most ? 5 * power : 2 * power <= most ? 2 * power : power;
}

/// Where an observer looks, in degrees: to the left of where the camera does, and down.
struct Direction {
    double left, down;

    [[nodiscard]] dvec3 from(const dvec3& ahead, const dvec3& up) const {
        const double turn = glm::radians(left), tilt = glm::radians(down);
        const dvec3 flat = std::cos(turn) * ahead + std::sin(turn) * glm::cross(up, ahead);
        return std::cos(tilt) * flat - std::sin(tilt) * up;
    }
};

/// From behind the camera's right shoulder, high above: the volume opens to the upper right.
constexpr Direction usual{56, 35};

class Picture {
public:
    explicit Picture(const PictureInput& input)
        : input_(input),
          scene_(input.scene, input.visible, input.kept_by_planes, input.visible_without),
          bounds_(main_bounds(input.scene)),
          volume_(shown_volume(input.camera, bounds_, input.scene.up)),
          framed_(volume_.corners()),
          ahead_(level(input.camera.forward, input.scene.up)) {
        const dvec3& up = input.scene.up;
        if (bounds_.empty()) bounds_.add(input.camera.eye);
        framed_.push_back(input.camera.eye);
        if (scene_.counts().visible == 0) {  // the volume may be far from everything
            const auto [low, high] = bounds_;
            for (const double x : {low.x, high.x}) {
                for (const double y : {low.y, high.y}) framed_.insert(framed_.end(), {{x, y, low.z}, {x, y, high.z}});
            }
        }
        Bounds shown;
        for (const dvec3& point : framed_) shown.add(point);
        setting_.inks = inks;
        setting_.up = up;
        setting_.middle = shown.center();
        setting_.extent = 0;
        for (const dvec3& p : framed_) setting_.extent = std::max(setting_.extent, glm::distance(p, setting_.middle));
        setting_.haze = 2 * setting_.extent;
        setting_.grid = round_length(0.15 * setting_.extent);
        setting_.sun = -Direction{-25, 46}.from(ahead_, up);
        // A little lower than the scene's own ground, which is to be seen where it has one.
        ground_ = std::min(glm::dot(up, bounds_.lower), glm::dot(up, bounds_.upper)) - 5e-4 * setting_.extent;
        open();
    }

    [[nodiscard]] Image draw() const {
        const Canvas sunlit = shadows();
        Setting setting = setting_;
        setting.shadows = &sunlit;
        setting.volume = &volume_;
        setting.occluders = input_.occluders;
        setting.eye = input_.camera.eye;
        const Canvas scene = canvas(outside(observer_, input_.size), JudgedScene::Show::all_and_volume);
        Image image = shade(scene, setting);

        Overlay overlay(image, scene, scale());
        overlay.edges(volume_);
        overlay.outlines(input_.occluders);
        overlay.false_positives(scene_.false_positives());
        overlay.camera(input_.camera.eye);
        legend().draw(image, scale());
        overlay.inset("what the camera sees", inset());
        if (!input_.blocks.empty()) {
            overlay.inset("the ordered scene's blocks, from above",
                          draw_block_map(input_.blocks, volume_, input_.camera.eye, setting_.up, input_.size.x / 4));
        }
        return image;
    }

private:
    /// Cuts the scene open, if it is to be, and finds the observer who then sees most; of two who see about the same,
    /// the one whose view is the more usual.
    void open() {
        if (input_.cutaway == CutawayChoice::off) return;
        const Sight sight(scene_, input_.camera, volume_);
        if (input_.cutaway == CutawayChoice::automatic && !seen_from(usual, sight).is_enclosed()) return;
        section_.emplace(input_.camera, setting_.up);
        frame_false_positives();
        double best = -1;
        for (const double left : {usual.left, -usual.left, 180 - usual.left, usual.left - 180}) {
            for (const double down : {usual.down, 50.0, 65.0}) {
                const Sight::Seen share = seen_from({left, down}, sight);
                const double unusual = 0.004 * (down - usual.down) + (left == usual.left ? 0 : 0.03);
                const double score = 0.5 * share.places + 0.5 * share.false_positives - unusual;
                if (score <= best) continue;
                best = score;
                observer_ = {left, down};
            }
        }
    }

    /// Those of their corners that are not far off are to be seen too.
    void frame_false_positives() {
        for (const Solid& solid : scene_.false_positives()) {
            const glm::dmat3 half(solid.half_edges());
            for (const glm::vec3& corner : box_mesh().points) {
                const dvec3 point = solid.center + half * dvec3(corner);
                if (glm::distance(point, setting_.middle) < 1.3 * setting_.extent) framed_.push_back(point);
            }
        }
    }

    [[nodiscard]] Sight::Seen seen_from(const Direction& direction, const Sight& sight) const {
        const glm::ivec2 small(160, 160 * input_.size.y / input_.size.x);
        std::vector<Rectangle> covered = cards();
        for (Rectangle& card : covered) card.lower /= glm::vec2(input_.size), card.upper /= glm::vec2(input_.size);
        return sight.seen_on(canvas(outside(direction, small), JudgedScene::Show::all_and_volume), covered);
    }

    /// As near as can be clear of the cards: beside or below them, if not around them.
    [[nodiscard]] Projection outside(const Direction& direction, glm::ivec2 size) const {
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
            last = framing(framed_, direction.from(ahead_, setting_.up), setting_.up, glm::radians(30.0),
                           pixel_side * size, margins);
            const auto away = [&](const Projection& p) { return glm::distance(p.eye, setting_.middle); };
            if (is_clear_of_cards(last) && (!nearest || away(last) < away(*nearest))) nearest = last;
        }
        return nearest.value_or(last);
    }

    /// Whether no card hides the camera's pin; in a scene that is cut open, nor anything else that is to be seen.
    [[nodiscard]] bool is_clear_of_cards(const Projection& projection) const {
        const std::vector<Rectangle> all = cards();
        const auto pixel = [&](const dvec3& point) {
            return projection.sample(projection.view(point)) * glm::vec2(input_.size) / glm::vec2(projection.size);
        };
        const auto is_clear = [&](const Rectangle& shown) {
            return std::ranges::none_of(all, [&](const Rectangle& card) {
                return glm::all(glm::lessThan(card.lower, shown.upper)) &&
                       glm::all(glm::lessThan(shown.lower, card.upper));
            });
        };
        if (!is_clear(Overlay::camera_pin(pixel(input_.camera.eye), scale()))) return false;
        return !section_ || std::ranges::all_of(framed_, [&](const dvec3& point) {
            return is_clear({pixel(point) - 1.0F, pixel(point) + 1.0F});
        });
    }

    /// Of the legend and of the insets; a map of blocks is as high as it is wide at most.
    [[nodiscard]] std::vector<Rectangle> cards() const {
        std::vector<Rectangle> all{legend().card(scale()), Overlay::inset_card(inset_size(), input_.size.x, scale())};
        if (!input_.blocks.empty()) all.back().upper.y += static_cast<float>(input_.size.x) / 4 + 54 * scale();
        return all;
    }

    /// What the card says; of blocks and occluders where there are any.
    [[nodiscard]] Legend legend() const {
        const JudgedScene::Counts& counts = scene_.counts();
        const auto objects = [&](unsigned tone, const char* name, std::uint64_t count) {
            return LegendRow{tone, name, count, counts.objects};
        };
        Legend card{"lanecull: " + input_.scene.name,
                    counted(counts.objects, "object") + ", " + input_.caption,
                    {objects(verdict_color::visible, "visible", counts.visible),
                     objects(verdict_color::culled, "culled", counts.culled()),
                     objects(verdict_color::false_positive, "of these, kept by six planes", counts.false_positives)}};
        std::vector<LegendRow>& rows = card.rows;
        const bool occluded = !input_.occluders.empty();
        if (occluded) rows.push_back(objects(verdict_color::hidden, "of these, behind occluders", counts.hidden));
        rows.push_back({picture_color::ink, "edges of the view volume"});
        if (section_) rows.push_back({verdict_color::section, "cut open at the camera's height"});
        if (occluded) rows.push_back({verdict_color::hidden, "edges of occluders"});
        if (input_.blocks.empty()) return card;
        const auto blocks = [&](unsigned tone, const char* name, BlockOutcome outcome) {
            const auto count = std::ranges::count(input_.blocks, outcome, &JudgedBlock::outcome);
            rows.push_back({tone, name, static_cast<std::uint64_t>(count), input_.blocks.size()});
        };
        blocks(block_color::inside, "blocks inside", BlockOutcome::inside);
        blocks(block_color::mixed, "blocks on its boundary", BlockOutcome::mixed);
        blocks(block_color::outside, "blocks outside", BlockOutcome::outside);
        return card;
    }

    [[nodiscard]] float scale() const { return static_cast<float>(input_.size.y) / 900; }

    [[nodiscard]] glm::ivec2 inset_size() const {
        const int width = input_.size.x / 4;
        return {width, static_cast<int>(std::clamp(width / input_.camera.aspect, 0.1 * width, 0.75 * width))};
    }

    [[nodiscard]] Image inset() const {
        Setting setting = setting_;
        setting.grid = 0;
        setting.middle = input_.camera.eye;
        setting.haze = 4 * setting.extent;
        const Projection own = seen_through(input_.camera, pixel_side * inset_size());
        return shade(canvas(own, JudgedScene::Show::visible), setting);
    }

    [[nodiscard]] Canvas canvas(const Projection& projection, JudgedScene::Show show) const {
        const bool opened = section_ && show == JudgedScene::Show::all_and_volume;
        Canvas canvas(projection, opened ? std::optional(section_->seen_by(projection, &volume_)) : std::nullopt);
        scene_.draw(canvas, volume_, show);
        if (glm::dot(setting_.up, projection.eye) <= ground_) return canvas;
        const double reach = 40 * setting_.extent;
        const dvec3 u = reach * ahead_, v = reach * glm::cross(setting_.up, ahead_);
        const dvec3 foot = setting_.middle + (ground_ - glm::dot(setting_.up, setting_.middle)) * setting_.up;
        const std::array corners{projection.view(foot - u - v), projection.view(foot + u - v),
                                 projection.view(foot + u + v), projection.view(foot - u + v)};
        canvas.fill(corners, projection.view_from_world * setting_.up, {.ink = ground}, {0, projection.size.y});
        return canvas;
    }

    /// What the sun sees.
    [[nodiscard]] Canvas shadows() const {
        constexpr double distance = 12, reach = 1.7;  // in extents
        const Projection sun =
            Projection::looking(setting_.middle + distance * setting_.extent * setting_.sun, -setting_.sun, ahead_,
                                2 * std::atan(reach / distance), glm::ivec2(3072));
        Canvas canvas(sun, section_ ? std::optional(section_->seen_by(sun)) : std::nullopt);
        scene_.draw(canvas, volume_, JudgedScene::Show::all);
        return canvas;
    }

    const PictureInput& input_;
    JudgedScene scene_;
    Bounds bounds_;
    Polyhedron volume_;
    std::vector<dvec3> framed_;  // points to be seen
    Setting setting_;
    std::optional<Section> section_;  // of a scene that is cut open
    Direction observer_ = usual;
    dvec3 ahead_;  // where the camera looks, level
    double ground_ = 0;
};

}  // namespace

std::string draw_picture(const PictureInput& input) { return Picture(input).draw().file(); }

}  // namespace lanecull::program
