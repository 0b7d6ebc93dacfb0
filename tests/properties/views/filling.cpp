#include "properties/views/filling.hpp"

#include <cmath>

namespace properties {
namespace {

/// Three degenerate ones besides the usual: one vertex many times, vertices in a line, in a plane.
HullSet hulls_of(Random& random) {
    HullSet hulls = random_hulls(random, 4);
    const auto grid = [](float x, float y, float z) { return std::array<float, 3>{x, y, z}; };
    hulls.push_back(Vertices(7, grid(0.25f, -0.5f, 1)));
    Vertices line, plane;
    for (int i = 0; i < 9; ++i) {
        const float a = static_cast<float>(i - 4), b = static_cast<float>(i % 3 - 1);
        line.push_back(grid(a, 2 * a, -a));
        plane.push_back(grid(a, b, a + b));
    }
    hulls.push_back(line);
    hulls.push_back(plane);
    return hulls;
}

double from_reference(const Setting& setting, const Double3& p) {
    const lanecull::Frame& frame = contents_of(setting.view).frame;
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double d = p[k] - static_cast<double>(frame.origin_hi[k]);
        square += d * d;
    }
    return std::sqrt(square);
}

}  // namespace

std::optional<Setting> setting_of(Random& random, exact::Volume volume, const lanecull::View& view, std::string text) {
    if (volume.empty()) return std::nullopt;
    return Setting{std::move(volume), view, std::move(text), hulls_of(random), {}, false, false, false, {}};
}

std::optional<Setting> fill(Random& random, std::optional<Setting> setting, std::size_t count, const MakeObject& make) {
    if (!setting) return setting;
    const Boundary boundary(setting->volume);
    for (const Kind kind : all_kinds) {
        std::vector<Object>& objects = setting->objects.emplace_back();
        for (std::size_t i = 0; i < count; ++i) objects.push_back(make(random, *setting, boundary, kind));
    }
    return setting;
}

std::uint32_t point_hull(const HullSet& hulls) { return static_cast<std::uint32_t>(hulls.size()) - 3; }

double grazing(Random& random, double magnitude) {
    if (random.chance(0.2)) return 0;
    return random.sign() * magnitude * random.log_range(0x1p-27, 0x1p-16);
}

Object touch(Random& random, const Setting& setting, Kind kind, const Object& object, const Boundary::Spot& spot,
             double size) {
    return touching(kind, object, setting.hulls, spot, grazing(random, from_reference(setting, spot.at) + size));
}

double size_at(Random& random, const Setting& setting, const Boundary& boundary, const Double3& at) {
    const double scale = random.chance(0.5) ? boundary.size() : from_reference(setting, at);
    return scale * random.log_range(1e-4, 1);
}

Object any_touching(Random& random, const Setting& setting, const Boundary& boundary, Kind kind) {
    return touching_at(random, setting, boundary, kind, boundary.spot(random), [](Object&) {});
}

}  // namespace properties
