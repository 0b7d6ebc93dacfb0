#include "bounds/world_cases.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "support/written.hpp"

namespace world_tests {
namespace {

using lanecull::TransformLayout;

float as_float(double x) { return static_cast<float>(x); }
double wide(float x) { return static_cast<double>(x); }

/// Any float of either sign with an exponent in the range.
float any_float(Random& random, int least, int most) {
    return as_float(random.sign() * random.range(1, 2) * std::ldexp(1.0, least + random.below(most - least)));
}

std::array<float, 9> rotation_times(Random& random, double scale) {
    double q[4], square = 0;
    do {
        square = 0;
        for (double& component : q) component = random.range(-1, 1), square += component * component;
    } while (square < 0.01 || square > 1);
    const double s = 2 / square, x = q[0], y = q[1], z = q[2], w = q[3];
    const double m[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                         s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                         s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
    std::array<float, 9> result;
    double scales[3];
    const bool uniform = random.chance(0.5);
    for (double& factor : scales) factor = uniform ? scale : scale * random.log_range(0.1, 10) * random.sign();
    for (std::size_t k = 0; k < 9; ++k) result[k] = as_float(m[k] * scales[k % 3]);
    return result;
}

void set_box(Random& random, WorldCase& made, double center, double half) {
    for (std::size_t k = 0; k < 3; ++k) {
        const double c = random.range(-center, center), h = half * random.unit();
        made.lower[k] = as_float(c - h);
        made.upper[k] = std::max(made.lower[k], as_float(c + h));
    }
}

/// min <= max, each of any size.
void set_any_box(Random& random, WorldCase& made, int least, int most) {
    for (std::size_t k = 0; k < 3; ++k) {
        const float a = any_float(random, least, most), b = any_float(random, least, most);
        made.lower[k] = std::min(a, b);
        made.upper[k] = std::max(a, b);
    }
}

WorldCase ordinary(Random& random) {
    WorldCase made{};
    const double size = random.log_range(1e-3, 1e3);
    made.linear = rotation_times(random, random.log_range(0.01, 100));
    set_box(random, made, random.chance(0.5) ? 0 : size, size);
    for (float& t : made.translation) t = as_float(random.range(-1e4, 1e4));
    return made;
}

WorldCase sheared(Random& random) {
    WorldCase made = ordinary(random);
    const int least = random.chance(0.5) ? -3 : -30;
    for (float& a : made.linear) a = random.chance(0.1) ? 0 : any_float(random, least, 4);
    return made;
}

WorldCase singular(Random& random) {
    WorldCase made = random.chance(0.5) ? ordinary(random) : sheared(random);
    const auto from = static_cast<std::size_t>(random.below(3)), to = static_cast<std::size_t>(random.below(3));
    const float factor = random.chance(0.3) ? 0 : as_float(random.sign());
    for (std::size_t row = 0; row < 3; ++row) made.linear[3 * row + to] = factor * made.linear[3 * row + from];
    for (std::size_t k = 0; k < 3; ++k) {
        if (random.chance(0.3)) made.upper[k] = made.lower[k];
    }
    return made;
}

WorldCase split(Random& random) {
    WorldCase made = sheared(random);
    const float factor = std::ldexp(1.0f, random.below(253) - 126);
    for (float& a : made.linear) a *= factor;
    for (std::size_t k = 0; k < 3; ++k) made.lower[k] /= factor, made.upper[k] /= factor;
    if (random.chance(0.5)) made.translation = {};
    return made;
}

WorldCase extreme(Random& random) {
    WorldCase made{};
    const bool product_fits = random.chance(0.7);
    const int most = product_fits ? 60 : 120;
    for (float& a : made.linear) a = any_float(random, -149, most);
    for (float& t : made.translation) t = random.chance(0.3) ? 0 : any_float(random, -149, 120);
    set_any_box(random, made, -149, most);
    return made;
}

/// What is far from the mesh's own origin comes back near the world's.
WorldCase far_away(Random& random) {
    WorldCase made = ordinary(random);
    const double away = random.log_range(1e2, 1e7);
    set_box(random, made, away, random.log_range(1e-3, 1e3));
    for (std::size_t row = 0; row < 3; ++row) {
        double sum = random.range(-10, 10);
        for (std::size_t k = 0; k < 3; ++k) sum -= wide(made.linear[3 * row + k]) * wide(made.lower[k]);
        made.translation[row] = as_float(sum);
    }
    return made;
}

WorldCase make(Random& random, Family family) {
    switch (family) {
        case Family::sheared:
            return sheared(random);
        case Family::singular:
            return singular(random);
        case Family::split:
            return split(random);
        case Family::extreme:
            return extreme(random);
        case Family::far_away:
            return far_away(random);
        default:
            return ordinary(random);
    }
}

/// The numbers of a case in a layout, 12 or 16 of them.
std::vector<float> numbers_of(const WorldCase& of, TransformLayout layout) {
    const auto& a = of.linear;
    const auto& t = of.translation;
    switch (layout) {
        case TransformLayout::rows_3x4:
            return {a[0], a[1], a[2], t[0], a[3], a[4], a[5], t[1], a[6], a[7], a[8], t[2]};
        case TransformLayout::columns_3x4:
            return {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8], t[0], t[1], t[2]};
        case TransformLayout::rows_4x4:
            return {a[0], a[1], a[2], t[0], a[3], a[4], a[5], t[1], a[6], a[7], a[8], t[2], 0, 0, 0, 1};
        default:
            return {a[0], a[3], a[6], 0, a[1], a[4], a[7], 0, a[2], a[5], a[8], 0, t[0], t[1], t[2], 1};
    }
}

}  // namespace

World::World(Random& random, Family family, std::size_t size) : has_positions(family == Family::relative) {
    layout = static_cast<TransformLayout>(1 + random.below(4));
    const double far = random.log_range(1e3, 1e9);
    for (double& component : origin) component = has_positions ? random.range(-far, far) : 0;
    cases.reserve(size);
    while (cases.size() < size) {
        WorldCase& made = cases.emplace_back(make(random, family));
        if (!has_positions) continue;
        if (random.chance(0.5)) made.translation = {};
        const double near = random.log_range(1, 1e4);
        for (std::size_t k = 0; k < 3; ++k) made.position[k] = origin[k] + random.range(-near, near);
    }
    if (random.chance(0.5)) share_boxes(random);
    boxes_are_records = random.chance(0.3);
    lay_out();
}

World::World(std::vector<WorldCase> given, TransformLayout how, const std::array<double, 3>* given_origin)
    : cases(std::move(given)), layout(how), has_positions(given_origin != nullptr) {
    if (has_positions) origin = *given_origin;
    lay_out();
}

/// Some objects take the boxes of objects before them.
void World::share_boxes(Random& random) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool shares = i > 0 && random.chance(0.3);
        const auto other = shares ? static_cast<std::size_t>(random.below(static_cast<int>(i))) : i;
        index.push_back(shares ? index[other] : static_cast<std::uint32_t>(i));
        cases[i].lower = cases[index[i]].lower;
        cases[i].upper = cases[index[i]].upper;
    }
}

void World::lay_out() {
    for (std::vector<float>& stream : boxes) stream.reserve(cases.size());
    for (const WorldCase& of : cases) {
        for (std::size_t k = 0; k < 3; ++k) boxes[k].push_back(of.lower[k]), boxes[3 + k].push_back(of.upper[k]);
        const std::vector<float> numbers = numbers_of(of, layout);
        matrices.insert(matrices.end(), numbers.begin(), numbers.end());
    }
}

lanecull::LocalBoxes World::local() const {
    if (boxes_are_records && !cases.empty()) {
        return {{.count = count()},
                index.empty() ? nullptr : index.data(),
                {cases[0].lower.data(), sizeof(WorldCase)},
                {cases[0].upper.data(), sizeof(WorldCase)}};
    }
    return {{boxes[0].data(), boxes[1].data(), boxes[2].data(), boxes[3].data(), boxes[4].data(), boxes[5].data(),
             static_cast<std::uint32_t>(boxes[0].size())},
            index.empty() ? nullptr : index.data()};
}

lanecull::Transforms World::transforms() const {
    lanecull::Transforms result{.first = matrices.data(), .layout = layout};
    if (has_positions) result.positions = {cases[0].position.data(), sizeof(WorldCase)};
    std::copy(origin.begin(), origin.end(), result.origin);
    return result;
}

std::string World::describe(std::size_t i) const {
    const WorldCase& of = cases[i];
    std::string text = "A";
    text += written(of.linear) + " t" + written(of.translation) + " box" + written(of.lower) + written(of.upper);
    return has_positions ? text + " position" + written(of.position) + " origin" + written(origin) : text;
}

float* copied(Memory& memory, const std::vector<float>& values) {
    float* const copy = memory.array<float>(values.size());
    std::copy(values.begin(), values.end(), copy);
    return copy;
}

WorldInputs copied(Memory& memory, const World& world) {
    WorldInputs inputs{world.local(), world.transforms()};
    lanecull::Boxes& boxes = inputs.local.boxes;
    const float** const streams[] = {&boxes.min_x, &boxes.min_y, &boxes.min_z,
                                     &boxes.max_x, &boxes.max_y, &boxes.max_z};
    for (std::size_t k = 0; k < 6; ++k) *streams[k] = copied(memory, world.boxes[k]);
    inputs.transforms.first = copied(memory, world.matrices);
    if (!world.boxes_are_records) return inputs;
    float* const corners = memory.array<float>(6 * world.cases.size());
    for (std::size_t i = 0; i < world.cases.size(); ++i) {
        for (std::size_t k = 0; k < 6; ++k) corners[6 * i + k] = world.boxes[k][i];
    }
    constexpr std::size_t stride = 6 * sizeof(float);
    boxes = {.count = world.count()};
    inputs.local.lower = {corners, stride}, inputs.local.upper = {corners + 3, stride};
    return inputs;
}

WorldBounds bounds_of(const World& world, lanecull::Isa isa, const lanecull::Runner& runner) {
    WorldBounds made;
    for (auto& stream : made.boxes) stream.resize(world.cases.size());
    for (auto& stream : made.spheres) stream.resize(world.cases.size());
    auto& b = made.boxes;
    auto& s = made.spheres;
    const lanecull::WorldBoundsOptions options{.isa = isa, .runner = runner};
    for (const lanecull::Status& status :
         {lanecull::world_boxes(world.local(), world.transforms(), world.count(),
                                {b[0].data(), b[1].data(), b[2].data(), b[3].data(), b[4].data(), b[5].data()},
                                options),
          lanecull::world_spheres(world.local(), world.transforms(), world.count(),
                                  {s[0].data(), s[1].data(), s[2].data(), s[3].data()}, options)}) {
        if (!status) throw std::runtime_error(status.message());
    }
    return made;
}

bool OrientedBounds::is_finite(std::size_t i) const {
    bool finite = std::isfinite(radius[i]);
    for (std::size_t k = 0; k < 3; ++k)
        finite = finite && std::isfinite(center[k][i]) && std::isfinite(half[3 * i + k]);
    return finite;
}

void OrientedBounds::take(const OrientedBounds& from, std::size_t i) {
    for (std::size_t k = 0; k < 3; ++k) center[k][i] = from.center[k][i], half[3 * i + k] = from.half[3 * i + k];
    for (std::size_t k = i * width(); k < (i + 1) * width(); ++k) turned[k] = from.turned[k];
    radius[i] = from.radius[i];
}

OrientedBounds oriented_bounds_of(const World& world, bool by_axes, lanecull::Isa isa, const lanecull::Runner& runner) {
    OrientedBounds made;
    made.by_axes = by_axes;
    const std::size_t count = world.cases.size();
    for (auto& stream : made.center) stream.resize(count);
    made.turned.resize(made.width() * count);
    made.half.resize(3 * count);
    made.radius.resize(count);
    lanecull::OrientedBoxStreams out{.x = made.center[0].data(),
                                     .y = made.center[1].data(),
                                     .z = made.center[2].data(),
                                     .half_extents = {made.half.data()},
                                     .bounding_radius = made.radius.data()};
    (by_axes ? out.axes : out.quaternions) = {made.turned.data()};
    const lanecull::Status status = lanecull::world_oriented_boxes(world.local(), world.transforms(), world.count(),
                                                                   out, {.isa = isa, .runner = runner});
    if (!status) throw std::runtime_error(status.message());
    return made;
}

}  // namespace world_tests
