#include "picture/picture_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <utility>
#include <vector>

#include "picture/picture_legend.hpp"

namespace lanecull::program {

namespace {

Bounds bounds_of(const SceneBlock& block) {
    Bounds bounds;
    for (int j = 0; j < 3; ++j) {
        bounds.lower[j] = block.origin[j] + static_cast<double>(block.lower[j]);
        bounds.upper[j] = block.origin[j] + static_cast<double>(block.upper[j]);
    }
    return bounds;
}

/// From the world to the map's pixels: two axes of the world, the second from bottom to top.
class Ground {
public:
    Ground(const Bounds& shown, const glm::dvec3& up, int width) {
        int k = 0;
        for (int j = 1; j < 3; ++j) k = std::abs(up[j]) > std::abs(up[k]) ? j : k;
        axis_[0] = (k + 1) % 3;
        axis_[1] = (k + 2) % 3;
        if (up[k] < 0) std::swap(axis_[0], axis_[1]);
        const glm::dvec2 size = flat(shown.size());
        scale_ = width / std::max({size.x, size.y, 1e-30});
        lower_ = flat(shown.lower);
        size_ = {width, std::clamp(static_cast<int>(std::ceil(scale_ * size.y)), 1, width)};
    }

    [[nodiscard]] glm::ivec2 size() const { return size_; }
    [[nodiscard]] glm::vec2 pixel(const glm::dvec3& p) const {
        const glm::dvec2 at = scale_ * (flat(p) - lower_);
        return {static_cast<float>(at.x), static_cast<float>(size_.y - at.y)};
    }
    /// At least a pixel wide.
    [[nodiscard]] Rectangle box(const Bounds& bounds) const {
        const glm::vec2 a = pixel(bounds.lower), b = pixel(bounds.upper);
        const glm::vec2 middle = 0.5F * (a + b), half = glm::max(0.5F * glm::abs(b - a), glm::vec2(0.5F));
        return {middle - half, middle + half};
    }

private:
    [[nodiscard]] glm::dvec2 flat(const glm::dvec3& p) const { return {p[axis_[0]], p[axis_[1]]}; }

    int axis_[2] = {};
    double scale_ = 1;
    glm::dvec2 lower_{0};
    glm::ivec2 size_{1};
};

struct ShownBlock {
    Rectangle box;
    BlockOutcome outcome;

    [[nodiscard]] float area() const { return (box.upper.x - box.lower.x) * (box.upper.y - box.lower.y); }
};

/// Large ones below small ones, which say more.
std::vector<ShownBlock> shown_blocks(std::span<const JudgedBlock> blocks, const Ground& ground) {
    std::vector<ShownBlock> shown;
    for (const JudgedBlock& b : blocks) {
        const Bounds bounds = bounds_of(b.block);
        if (!bounds.empty()) shown.push_back({ground.box(bounds), b.outcome});
    }
    std::stable_sort(shown.begin(), shown.end(),
                     [](const ShownBlock& a, const ShownBlock& b) { return a.area() > b.area(); });
    return shown;
}

unsigned tone_of(BlockOutcome outcome) {
    switch (outcome) {
        case BlockOutcome::outside:
        case BlockOutcome::hidden:
            return block_color::outside;
        case BlockOutcome::inside:
            return block_color::inside;
        case BlockOutcome::mixed:
            break;
    }
    return block_color::mixed;
}

}  // namespace

BlockCounts count_blocks(std::span<const JudgedBlock> blocks) {
    BlockCounts counts;
    for (const JudgedBlock& b : blocks) {
        counts.outside += b.outcome == BlockOutcome::outside;
        counts.inside += b.outcome == BlockOutcome::inside;
        counts.mixed += b.outcome == BlockOutcome::mixed;
    }
    return counts;
}

Image draw_block_map(const BlockMap& map, int width) {
    Bounds shown;
    for (const JudgedBlock& b : map.blocks) {
        const Bounds bounds = bounds_of(b.block);
        if (!bounds.empty()) shown.add(bounds);
    }
    if (shown.empty()) shown.add(map.eye);
    const Ground ground(shown, map.up, width);
    Image image(ground.size());
    image.fill({glm::vec2(0), glm::vec2(ground.size())}, 0, color(picture_color::paper));
    for (const ShownBlock& block : shown_blocks(map.blocks, ground)) {
        image.fill(block.box, 0, color(tone_of(block.outcome)), 0.5F);
    }
    const float stroke = static_cast<float>(width) / 250;
    for (const Polyhedron::Edge& e : map.volume.edges()) {
        image.line(ground.pixel(e.a), ground.pixel(e.b), stroke, color(picture_color::ink));
    }
    image.disc(ground.pixel(map.eye), 3 * stroke, color(picture_color::ink));
    return image;
}

}  // namespace lanecull::program
