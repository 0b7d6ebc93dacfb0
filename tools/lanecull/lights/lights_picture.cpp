#include <cmath>

#include "lights/lights.hpp"
#include "picture/image.hpp"
#include "picture/legend.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

constexpr float left = 580, top = 26, width = 1000, height = 850, gap = 12, words = 22;

/// Where panel k of a number of slices stands: rows of panels as wide as the picture lets them be.
struct Panels {
    int columns;
    glm::vec2 size;

    Panels(std::uint32_t slices, double aspect) : columns(1), size(0) {
        for (int across = 1; across <= static_cast<int>(slices); ++across) {
            const int down = (static_cast<int>(slices) + across - 1) / across;
            const glm::vec2 room((width + gap) / static_cast<float>(across) - gap,
                                 height / static_cast<float>(down) - words - gap);
            const float wide = std::min(room.x, room.y * static_cast<float>(aspect));
            if (wide <= size.x) continue;
            size = {wide, wide / static_cast<float>(aspect)}, columns = across;
        }
    }
    [[nodiscard]] glm::vec2 corner(std::uint32_t k) const {
        const int row = static_cast<int>(k) / columns, column = static_cast<int>(k) % columns;
        return {left + static_cast<float>(column) * (size.x + gap),
                top + words + static_cast<float>(row) * (size.y + words + gap)};
    }
};

}  // namespace

std::string draw_lights_picture(const Scene& scene, const LightsMeasurement& measurement,
                                const LightsOptions& options) {
    const CellsOfFrame& cells = measurement.picked;
    const std::uint32_t most = std::max(1U, std::ranges::max(cells.counts));
    const Panels panels(options.slices, 1.0 * options.tiles_x / options.tiles_y);
    Image image({1600, 900});
    for (std::uint32_t k = 0; k < options.slices; ++k) {
        const glm::vec2 corner = panels.corner(k);
        image.text(14, corner - glm::vec2(0, 5), fmt::format("{:.4g} to {:.4g}", cells.depths[k], cells.depths[k + 1]),
                   picture_color::faint_ink);
        const glm::vec2 cell = panels.size / glm::vec2(options.tiles_x, options.tiles_y);
        for (std::uint32_t j = 0; j < options.tiles_y; ++j) {
            for (std::uint32_t i = 0; i < options.tiles_x; ++i) {
                const std::uint32_t lights = cells.counts[(k * options.tiles_y + j) * options.tiles_x + i];
                const glm::vec2 at = corner + cell * glm::vec2(i, options.tiles_y - 1 - j);
                image.fill({at, at + cell}, 0, heat_color(std::sqrt(lights / static_cast<double>(most))));
            }
        }
    }
    std::uint64_t filled = 0;
    for (const std::uint32_t lights : cells.counts) filled += lights != 0 ? 1 : 0;
    Legend{.title = "lanecull lights: " + scene.name,
           .caption = fmt::format("frame {} of {}, a panel a slice in depth", cells.frame, measurement.frames),
           .rows = {{heat_color(0), "cells without lights", cells.counts.size() - filled, cells.counts.size()},
                    {heat_color(1), "cells with lights", filled, cells.counts.size()}},
           .least = "none",
           .most = counted(most, "light")}
        .draw(image);
    return std::move(image).file();
}

}  // namespace lanecull::program
