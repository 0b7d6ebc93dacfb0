#include "picture/heat.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/common.hpp>

#include "picture/picture_legend.hpp"
#include "picture/text.hpp"

namespace lanecull::program {
namespace {

constexpr std::array<unsigned, 6> stations{0x1B1F4B, 0x24507A, 0x2A7F83, 0x57AB6E, 0xB5CF57, 0xFFF3A1};

}  // namespace

glm::vec3 heat_color(double share) {
    constexpr double last = stations.size() - 1;
    const double at = last * std::clamp(share, 0.0, 1.0);
    const auto station = std::min(static_cast<std::size_t>(at), stations.size() - 2);
    return glm::mix(color(stations[station]), color(stations[station + 1]),
                    static_cast<float>(at - static_cast<double>(station)));
}

void draw_heat_bar(Image& image, const Rectangle& box, const std::string& least, const std::string& most) {
    const float width = box.upper.x - box.lower.x;
    for (int x = 0; x < static_cast<int>(width); ++x) {
        const float left = box.lower.x + static_cast<float>(x);
        image.fill({{left, box.lower.y}, {left + 1, box.upper.y}}, 0, heat_color(static_cast<double>(x) / width));
    }
    const Font font{Font::Weight::regular};
    constexpr float height = 19;
    const glm::vec3 ink = color(picture_color::ink);
    const float base = box.upper.y + height + 6;
    image.text(font, height, {box.lower.x, base}, least, ink);
    image.text(font, height, {box.upper.x - font.width(height, most), base}, most, ink);
}

}  // namespace lanecull::program
