#include "properties/bounds/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "support/double3.hpp"
#include "support/random.hpp"

namespace properties {
namespace {

/// How far the points spread along three axes, and from where.
struct Spread {
    double size;
    Double3 origin{};
    std::array<Double3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double extent[3] = {1, 1, 1};
};

/// Any direction for zero, which two directions of the same bytes have for a product.
Double3 normalized(const Double3& a) { return length(a) > 1e-10 ? (1 / length(a)) * a : Double3{0, 0, 1}; }

std::array<Double3, 3> random_axes(Random& random) {
    const auto direction = [&] {
        return normalized({random.range(-1, 1), random.range(-1, 1), random.range(-1, 1.5)});
    };
    const Double3 u = direction(), w = normalized(cross(u, direction()));
    return {u, cross(w, u), w};
}

Spread random_spread(Random& random, double size) {
    Spread spread{size};
    if (random.chance(0.6)) spread.axes = random_axes(random);
    // Of any dimension, and as thin as roundings are.
    for (double& extent : spread.extent) {
        if (random.chance(0.3)) extent = random.chance(0.5) ? 0 : random.log_range(1e-9, 1);
    }
    if (random.chance(0.5)) {
        const double far = size * random.log_range(1e-2, 1e7);
        for (double& coordinate : spread.origin) coordinate = random.range(-far, far);
    }
    return spread;
}

Vertex random_point(Random& random, const Spread& spread) {
    Double3 p = spread.origin;
    for (std::size_t k = 0; k < 3; ++k) {
        const double along = spread.size * spread.extent[k] * random.range(-1, 1);
        for (std::size_t j = 0; j < 3; ++j) p[j] += along * spread.axes[k][j];
    }
    return {to_float(p[0]), to_float(p[1]), to_float(p[2])};
}

Cloud spread_cloud(Random& random, double size, std::size_t count) {
    const Spread spread = random_spread(random, size);
    Cloud cloud;
    while (cloud.size() < count) {
        const bool again = !cloud.empty() && random.chance(0.05);
        cloud.push_back(again ? cloud[static_cast<std::size_t>(random.below(static_cast<int>(cloud.size())))]
                              : random_point(random, spread));
    }
    return cloud;
}

/// On a ball's surface, up to roundings.
Cloud round_cloud(Random& random, double size, std::size_t count) {
    const Double3 middle = random_spread(random, size).origin;
    Cloud cloud;
    while (cloud.size() < count) {
        const Double3 p = middle + size * normalized({random.range(-1, 1), random.range(-1, 1), random.range(-1, 1.5)});
        cloud.push_back({to_float(p[0]), to_float(p[1]), to_float(p[2])});
    }
    return cloud;
}

/// Whole numbers times 2^exponent: the first points are as far from the middle in some cases as (0, 3, 4) is.
Cloud grid_cloud(Random& random, int exponent, std::size_t count) {
    constexpr int touching[][3] = {{5, 0, 0}, {0, 3, 4}, {0, -3, 4}, {-5, 0, 0}, {3, 0, -4}, {-4, 3, 0}};
    const int reach = 1 + random.below(9);
    const bool round = random.chance(0.5);
    int middle[3];
    for (int& coordinate : middle) coordinate = random.chance(0.5) ? 0 : random.below(64) - 32;
    Cloud cloud;
    while (cloud.size() < count) {
        Vertex& p = cloud.emplace_back();
        const auto& some = touching[random.below(6)];
        for (std::size_t k = 0; k < 3; ++k) {
            const int step = round ? some[k] : random.below(2 * reach + 1) - reach;
            p[k] = to_float(std::ldexp(middle[k] + step, exponent));
        }
    }
    return cloud;
}

std::size_t random_count(Random& random, std::size_t most) {
    const double top = static_cast<double>(most);
    return static_cast<std::size_t>(random.chance(0.3) ? random.range(1, 9) : random.log_range(1, top + 0.99));
}

}  // namespace

float to_float(double number) {
    constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
    return static_cast<float>(std::clamp(number, -most, most));
}

Cloud random_cloud(Random& random, std::size_t most) {
    const std::size_t count = random_count(random, most);
    if (random.chance(0.3)) return grid_cloud(random, random.below(250) - 149, count);
    const double size = random.chance(0.5) ? random.log_range(1e-3, 1e3) : random.log_range(1e-45, 3.4e38);
    return random.chance(0.3) ? round_cloud(random, size, count) : spread_cloud(random, size, count);
}

float not_finite(Random& random) {
    constexpr float numbers[] = {std::numeric_limits<float>::quiet_NaN(), HUGE_VALF, -HUGE_VALF};
    return numbers[random.below(3)];
}

Cloud any_cloud(Random& random, std::size_t most) {
    constexpr float max = std::numeric_limits<float>::max();
    constexpr float ends[] = {max, -max, 0x1p-149f, -0x1p-149f, 0, 1, -1, 3e19f, 1e-19f};
    constexpr float zeros[] = {0.0f, -0.0f, 0x1p-149f, -0x1p-149f};
    const int kind = random.below(6), some = 2 + random.below(3);
    Cloud cloud(1 + static_cast<std::size_t>(random.below(static_cast<int>(most))));
    for (Vertex& p : cloud) {
        for (float& coordinate : p) {
            coordinate = kind == 0   ? ends[random.below(std::size(ends))]
                         : kind == 1 ? zeros[random.below(some)]
                                     : random.any_float();
        }
    }
    for (Vertex& p : cloud) {
        for (float& coordinate : p) coordinate = std::isfinite(coordinate) ? coordinate : 0;
    }
    if (random.below(4) == 0) {
        Vertex& p = cloud[static_cast<std::size_t>(random.below(static_cast<int>(cloud.size())))];
        p[static_cast<std::size_t>(random.below(3))] = not_finite(random);
    }
    return cloud;
}

Cloud tiny_cloud(Random& random, std::size_t count) { return grid_cloud(random, -149, count); }

Cloud moderate_cloud(Random& random, std::size_t most) {
    const std::size_t count = random_count(random, most);
    if (random.chance(0.3)) return grid_cloud(random, random.below(20) - 10, count);
    Cloud cloud = spread_cloud(random, random.log_range(1e-3, 1e3), count);
    for (Vertex& p : cloud) {
        for (float& coordinate : p) coordinate = std::fabs(coordinate) < 0x1p-30f ? 0 : coordinate;
    }
    return cloud;
}

lanecull::Vertices lay_out(const Cloud& cloud, std::size_t stride, Memory& memory) {
    const std::size_t count = cloud.size();
    float* of[3];
    if (stride < 3) {
        for (float*& stream : of) stream = memory.array<float>((count - 1) * stride + 1);
    } else {
        of[0] = memory.array<float>((count - 1) * stride + 3);
        of[1] = of[0] + 1;
        of[2] = of[0] + 2;
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) of[k][i * stride] = cloud[i][k];
    }
    return {of[0], of[1], of[2], static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(stride * sizeof(float))};
}

std::string describe(const float* numbers, std::size_t count) { return written(std::span(numbers, count)); }

std::string describe(const Cloud& cloud) {
    constexpr std::size_t most = 40;
    std::string text = std::to_string(cloud.size()) + " vertices:";
    for (std::size_t i = 0; i < std::min(most, cloud.size()); ++i) text += " (" + describe(cloud[i].data(), 3) + ")";
    return text;
}

}  // namespace properties
