#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "oracle/exact_objects.hpp"
#include "support/generate.hpp"
#include "support/samples.hpp"
#include "support/written.hpp"

namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;
using lanecull::View;
using lanecull::ViewOptions;

const Double3& any_anchor(Random& random, const Sample& sample) {
    return sample.anchors[static_cast<std::size_t>(random.below(static_cast<int>(sample.anchors.size())))];
}

double size_of(const Sample& sample) {
    double size = 0;
    for (const Double3& p : sample.anchors) size = std::max(size, length(p - sample.anchors[0]));
    return size > 0 ? size : 1;
}

exact::Point exactly(const double (&v)[3]) { return exact::point(v[0], v[1], v[2]); }
void put(const Double3& from, double (&to)[3]) { std::copy(from.begin(), from.end(), to); }

/// Any way, along an axis of the world or along an edge of the volume, either way.
Double3 random_way(Random& random, const Sample& sample) {
    const double size = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
    if (random.chance(0.15)) {
        Double3 axis{};
        axis[static_cast<std::size_t>(random.below(3))] = random.sign() * size;
        return axis;
    }
    const Double3 edge = any_anchor(random, sample) - any_anchor(random, sample);
    if (random.chance(0.15) && length(edge) > 0) return random.sign() * size / length(edge) * edge;
    return size * random_direction(random);
}

Sample by_directional_light(Random& random, Sample sample, bool endless) {
    DirectionalLight light;
    const Double3 way = random_way(random, sample);
    put(way, light.toward);
    if (endless) {
        sample.volume = sample.volume->swept_endlessly(exactly(light.toward));
        // Where it shines from behind, the near end's surroundings are shaded from the far one's.
        const bool from_behind = std::any_of(sample.anchors.begin(), sample.anchors.end(),
                                             [&](const Double3& p) { return dot(p - sample.near_end, way) < 0; });
        if (from_behind) sample.near_size += size_of(sample);
    } else {
        light.reach = random.chance(0.05) ? 0x1p-200 : sample.near_size * random.log_range(0.01, 100) / length(way);
        sample.near_size += light.reach * length(way);
        sample.volume = sample.volume->swept(exact::rational(light.reach) * exactly(light.toward));
    }
    const std::size_t count = sample.anchors.size();
    for (std::size_t i = 0; i < count; ++i) {
        const double share = endless ? sample.near_size * random.log_range(0.1, 10) / length(way) : light.reach;
        sample.anchors.push_back(sample.anchors[i] + share * way);
    }
    sample.text += " directional light" + written(light.toward) + written(std::array{light.reach});
    sample.prepare = [light, prepare = sample.prepare](View& view, ViewOptions options) {
        options.directional_light = &light;
        return prepare(view, options);
    };
    return sample;
}

/// Near the near end, between corners, at the near end, or far from all of it.
Double3 random_place_of_light(Random& random, const Sample& sample) {
    switch (random.below(4)) {
        case 0:
            return sample.near_end + sample.near_size * random.log_range(0.1, 100) * random_direction(random);
        case 1:
            return any_anchor(random, sample) + random.unit() * (any_anchor(random, sample) - sample.near_end);
        case 2:
            return sample.near_end;
        default:
            return any_anchor(random, sample) + random.log_range(0.01, 10) * size_of(sample) * random_direction(random);
    }
}

Sample by_point_light(const Double3& at, const std::vector<Plane>& sides, Sample sample) {
    sample.near_size += length(at - sample.near_end);
    const std::size_t count = sample.anchors.size();
    for (std::size_t i = 0; i < count; i += 2) sample.anchors.push_back(at);
    sample.text += " point light" + written(at) + describe(sides);
    sample.volume = sample.volume->joined(exact::point(at[0], at[1], at[2]));
    sample.prepare = [at, sides, prepare = sample.prepare](View& view, ViewOptions options) {
        PointLight light;
        put(at, light.at);
        light.sides = sides;
        options.point_light = &light;
        return prepare(view, options);
    };
    return sample;
}

Sample by_point_light(Random& random, Sample sample) {
    const Double3 at = random_place_of_light(random, sample);
    return by_point_light(at, {}, std::move(sample));
}

/// Three to six planes through the light around the way to somewhere between corners of the volume.
Sample by_spot(Random& random, Sample sample) {
    const Double3 at = random_place_of_light(random, sample);
    Double3 axis = any_anchor(random, sample) + random.unit() * (any_anchor(random, sample) - at) - at;
    if (!(length(axis) > 0)) axis = random_direction(random);
    axis = 1 / length(axis) * axis;
    Double3 across = cross(axis, random_direction(random));
    across = 1 / length(across) * across;
    const Double3 other = cross(axis, across);
    const int count = 3 + random.below(4);
    const double slope = random.log_range(0.05, 2);
    std::vector<Plane> sides;
    exact::HalfSpaces lit(sample.volume->half_spaces().begin(), sample.volume->half_spaces().end());
    for (int k = 0; k < count; ++k) {
        const double angle = (k + 0.8 * random.unit()) * 2 * 3.141592653589793 / count;
        const Double3 n = slope * axis + std::cos(angle) * across + std::sin(angle) * other;
        sides.push_back({{n[0], n[1], n[2]}, -dot(n, at)});
        lit.push_back(exact::half_space(n[0], n[1], n[2], sides.back().offset));
    }
    sample.volume = exact::Volume(lit);
    sample.takes_margin = false;  // what the sides let through is widened as well
    return by_point_light(at, sides, std::move(sample));
}

}  // namespace

Sample directional_casters(Random& random) { return by_directional_light(random, plain_camera(random), false); }
Sample endless_directional_casters(Random& random) { return by_directional_light(random, plain_camera(random), true); }
Sample point_light_casters(Random& random) { return by_point_light(random, plain_camera(random)); }
Sample spot_casters(Random& random) { return by_spot(random, plain_camera(random)); }

Sample casters_of_any_view(Random& random) {
    constexpr Sample (*views[])(Random&) = {corners_of_a_camera, any_corners,    planes_of_a_camera, any_polytope,
                                            endless_planes,      clipped_camera, stereo_pair};
    const int chosen = random.below(7);
    Sample sample = views[chosen](random);
    const int light = random.below(sample.volume->half_spaces().empty() || sample.volume->empty() ? 3 : 4);
    if (sample.volume->empty()) return sample;
    return light == 0   ? by_directional_light(random, std::move(sample), false)
           : light == 1 ? by_directional_light(random, std::move(sample), true)
           : light == 2 ? by_point_light(random, std::move(sample))
                        : by_spot(random, std::move(sample));
}
