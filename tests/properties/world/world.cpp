#include "properties/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "support/random.hpp"

namespace world_tests {
namespace {

using lanecull::TransformLayout;

float as_float(double x) { return static_cast<float>(x); }
double wide(float x) { return static_cast<double>(x); }

/// Any float of either sign with an exponent in the range.
float any_float(Random& random, int least, int most) {
    return as_float(random.sign() * random.range(1, 2) * std::ldexp(1.0, least + random.below(most - least)));
}

/// Calls change(number) for the nine numbers of a transform that are not its place.
template <class Change>
void change_linear(WorldCase& made, const Change& change) {
    for (std::size_t k = 0; k < 12; ++k) {
        if (k % 4 != 3) change(made.transform[k]);
    }
}

void set_rotation(Random& random, WorldCase& made, double scale) {
    double q[4], square = 0;
    do {
        square = 0;
        for (double& component : q) component = random.range(-1, 1), square += component * component;
    } while (square < 0.01 || square > 1);
    const double s = 2 / square, x = q[0], y = q[1], z = q[2], w = q[3];
    const double m[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                         s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                         s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
    double scales[3];
    const bool uniform = random.chance(0.5);
    for (double& factor : scales) factor = uniform ? scale : scale * random.log_range(0.1, 10) * random.sign();
    for (std::size_t k = 0; k < 9; ++k) made.transform[k / 3 * 4 + k % 3] = as_float(m[k] * scales[k % 3]);
}

void set_box(Random& random, WorldCase& made, double center, double half) {
    for (std::size_t k = 0; k < 3; ++k) {
        const double c = random.range(-center, center), h = half * random.unit();
        made.lower[k] = as_float(c - h);
        made.upper[k] = std::max(made.lower[k], as_float(c + h));
    }
}

WorldCase ordinary(Random& random) {
    WorldCase made{};
    const double size = random.log_range(1e-3, 1e3);
    set_rotation(random, made, random.log_range(0.01, 100));
    set_box(random, made, random.chance(0.5) ? 0 : size, size);
    for (const std::size_t k : {3u, 7u, 11u}) made.transform[k] = as_float(random.range(-1e4, 1e4));
    return made;
}

WorldCase sheared(Random& random) {
    WorldCase made = ordinary(random);
    const int least = random.chance(0.5) ? -3 : -30;
    change_linear(made, [&](float& a) { a = random.chance(0.1) ? 0 : any_float(random, least, 4); });
    return made;
}

WorldCase singular(Random& random) {
    WorldCase made = random.chance(0.5) ? ordinary(random) : sheared(random);
    const auto from = static_cast<std::size_t>(random.below(3)), to = static_cast<std::size_t>(random.below(3));
    const float factor = random.chance(0.3) ? 0 : as_float(random.sign());
    for (std::size_t row = 0; row < 12; row += 4) made.transform[row + to] = factor * made.transform[row + from];
    for (std::size_t k = 0; k < 3; ++k) {
        if (random.chance(0.3)) made.upper[k] = made.lower[k];
    }
    return made;
}

WorldCase split(Random& random) {
    WorldCase made = sheared(random);
    const float factor = std::ldexp(1.0f, random.below(253) - 126);
    change_linear(made, [&](float& a) { a *= factor; });
    for (std::size_t k = 0; k < 3; ++k) made.lower[k] /= factor, made.upper[k] /= factor;
    if (random.chance(0.5)) made.transform[3] = made.transform[7] = made.transform[11] = 0;
    return made;
}

WorldCase extreme(Random& random) {
    WorldCase made{};
    const int most = random.chance(0.7) ? 60 : 120;  // a product of two fits, or not
    change_linear(made, [&](float& a) { a = any_float(random, -149, most); });
    for (std::size_t k = 0; k < 3; ++k) {
        made.transform[4 * k + 3] = random.chance(0.3) ? 0 : any_float(random, -149, 120);
        std::tie(made.lower[k], made.upper[k]) =
            std::minmax({any_float(random, -149, most), any_float(random, -149, most)});
    }
    return made;
}

/// What is far from the mesh's own origin comes back near the world's.
WorldCase far_away(Random& random) {
    WorldCase made = ordinary(random);
    const double away = random.log_range(1e2, 1e7);
    set_box(random, made, away, random.log_range(1e-3, 1e3));
    for (std::size_t row = 0; row < 12; row += 4) {
        double sum = random.range(-10, 10);
        for (std::size_t k = 0; k < 3; ++k) sum -= wide(made.transform[row + k]) * wide(made.lower[k]);
        made.transform[row + 3] = as_float(sum);
    }
    return made;
}

WorldCase any(Random& random) {
    WorldCase made{};
    for (float& number : made.transform) number = random.any_float();
    for (std::size_t k = 0; k < 3; ++k) {
        made.lower[k] = random.any_float();
        made.upper[k] = random.below(16) == 0 ? random.any_float() : made.lower[k] + random.any_size();
        made.position[k] = random.any_double();
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
        case Family::any:
            return any(random);
        default:
            return ordinary(random);
    }
}

float* copied(Memory& memory, const std::vector<float>& values) {
    float* const copy = memory.array<float>(values.size());
    std::copy(values.begin(), values.end(), copy);
    return copy;
}

/// What the functions read of a world.
struct Inputs {
    lanecull::LocalBoxes local;
    lanecull::Transforms transforms;

    /// Boxes and matrices are in that memory, such as one between guard pages; boxes that are records so many floats
    /// from each other.
    Inputs(Memory& memory, const World& world, std::size_t gap) : local(world.local()), transforms(world.transforms()) {
        transforms.first = copied(memory, world.matrices);
        if (world.boxes_are_records) {
            const std::size_t count = world.cases.size(), stride = 6 + gap;
            float* const corners = memory.array<float>(count * stride - gap);
            for (std::size_t k = 0; k < 6 * count; ++k) corners[k / 6 * stride + k % 6] = world.boxes[k % 6][k / 6];
            local.lower = {corners, stride * sizeof(float)}, local.upper = {corners + 3, stride * sizeof(float)};
            return;
        }
        lanecull::Boxes& boxes = local.boxes;
        const float** const streams[] = {&boxes.min_x, &boxes.min_y, &boxes.min_z,
                                         &boxes.max_x, &boxes.max_y, &boxes.max_z};
        for (std::size_t k = 0; k < 6; ++k) *streams[k] = copied(memory, world.boxes[k]);
    }
};

/// Where the functions write.
class Outputs {
public:
    Outputs(Memory& memory, std::size_t count, const Written& how)
        : width_(how.by_axes ? 9 : 4), gap_(how.gap), stride_(width_ + 3 + 2 * gap_) {
        const auto array = [&](std::size_t size) { return copied(memory, std::vector<float>(size, untouched)); };
        for (float*& stream : streams_) stream = array(count);
        structs_ = array(count * stride_ - gap_);  // the last one ends with its half-extents
        if (!how.has_radius) streams_.back() = nullptr;
    }

    [[nodiscard]] lanecull::BoxStreams boxes() const {
        const auto& s = streams_;
        return {s[0], s[1], s[2], s[3], s[4], s[5]};
    }
    [[nodiscard]] lanecull::SphereStreams spheres() const {
        return {streams_[6], streams_[7], streams_[8], streams_[9]};
    }
    [[nodiscard]] lanecull::OrientedBoxStreams oriented() const {
        const std::size_t bytes = stride_ * sizeof(float);
        lanecull::OrientedBoxStreams out{
            .x = streams_[10], .y = streams_[11], .z = streams_[12], .bounding_radius = streams_[13]};
        out.half_extents = {structs_ + width_ + gap_, bytes};
        (width_ == 9 ? out.axes : out.quaternions) = {structs_, bytes};
        return out;
    }

    [[nodiscard]] FoundBounds of(std::size_t i) const {
        FoundBounds found{};
        for (std::size_t k = 0; k < 6; ++k) found.box[k] = streams_[k][i];
        for (std::size_t k = 0; k < 4; ++k) found.sphere[k] = streams_[6 + k][i];
        for (std::size_t k = 0; k < 3; ++k) found.center[k] = streams_[10 + k][i];
        if (streams_[13] != nullptr) found.radius = streams_[13][i];
        const float* const one = structs_ + i * stride_;
        std::copy_n(one, width_, found.turned.begin());
        std::copy_n(one + width_ + gap_, 3, found.half.begin());
        return found;
    }
    [[nodiscard]] bool has_untouched_gaps(std::size_t count) const {
        bool are = true;
        for (std::size_t k = 0; k < count * stride_ - gap_; ++k) {
            const std::size_t at = k % stride_;
            const bool is_gap = at >= width_ + gap_ + 3 || (at >= width_ && at < width_ + gap_);
            are = are && (!is_gap || structs_[k] == untouched);
        }
        return are;
    }

private:
    static constexpr float untouched = -1;

    std::size_t width_, gap_, stride_;
    std::array<float*, 14> streams_{};  ///< 6 of boxes, 4 of spheres, 3 of centres, and of radii
    float* structs_;
};

}  // namespace

World::World(Random& random, Family family, std::size_t size)
    : layout(static_cast<TransformLayout>(1 + random.below(4))), has_positions(family == Family::relative) {
    const double far = random.log_range(1e3, 1e9);
    for (double& component : origin) component = has_positions ? random.range(-far, far) : 0;
    if (family == Family::any && random.chance(0.5)) {
        for (double& component : origin) component = random.any_double();
        has_positions = std::isfinite(origin[0] + origin[1] + origin[2]);
        if (!has_positions) origin = {};
    }
    while (cases.size() < size) {
        WorldCase& made = cases.emplace_back(make(random, family));
        if (family != Family::relative) continue;
        if (random.chance(0.5)) made.transform[3] = made.transform[7] = made.transform[11] = 0;
        const double near = random.log_range(1, 1e4);
        for (std::size_t k = 0; k < 3; ++k) made.position[k] = origin[k] + random.range(-near, near);
    }
    if (family != Family::any && random.chance(0.5)) share_boxes(random);
    boxes_are_records = random.chance(0.3);
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
    const bool by_rows = layout == TransformLayout::rows_3x4 || layout == TransformLayout::rows_4x4;
    const bool has_last_row = layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4;
    const std::size_t rows = has_last_row ? 4 : 3;
    for (const WorldCase& of : cases) {
        for (std::size_t k = 0; k < 3; ++k) boxes[k].push_back(of.lower[k]), boxes[3 + k].push_back(of.upper[k]);
        for (std::size_t n = 0; n < 4 * rows; ++n) {
            const std::size_t row = by_rows ? n / 4 : n % rows, column = by_rows ? n % 4 : n / rows;
            matrices.push_back(row < 3 ? of.transform[4 * row + column] : column == 3 ? 1.0f : 0.0f);
        }
    }
}

lanecull::LocalBoxes World::local() const {
    const std::uint32_t* const by_index = index.empty() ? nullptr : index.data();
    if (boxes_are_records && !cases.empty()) {
        return {{.count = count()},
                by_index,
                {cases[0].lower.data(), sizeof(WorldCase)},
                {cases[0].upper.data(), sizeof(WorldCase)}};
    }
    return {{boxes[0].data(), boxes[1].data(), boxes[2].data(), boxes[3].data(), boxes[4].data(), boxes[5].data(),
             static_cast<std::uint32_t>(boxes[0].size())},
            by_index};
}

lanecull::Transforms World::transforms() const {
    lanecull::Transforms result{.first = matrices.data(), .layout = layout};
    if (has_positions) result.positions = {cases[0].position.data(), sizeof(WorldCase)};
    std::copy(origin.begin(), origin.end(), result.origin);
    return result;
}

std::string World::describe(std::size_t i) const {
    const WorldCase& of = cases[i];
    std::string text = "transform" + written(of.transform) + " box" + written(of.lower) + written(of.upper);
    return has_positions ? text + " position" + written(of.position) + " origin" + written(origin) : text;
}

std::vector<FoundBounds> bounds_of(const World& world, const Written& how, const lanecull::WorldBoundsOptions& options,
                                   Memory& memory) {
    const Inputs in(memory, world, how.gap);
    const Outputs out(memory, world.cases.size(), how);
    for (const lanecull::Status& status :
         {lanecull::world_boxes(in.local, in.transforms, world.count(), out.boxes(), options),
          lanecull::world_spheres(in.local, in.transforms, world.count(), out.spheres(), options),
          lanecull::world_oriented_boxes(in.local, in.transforms, world.count(), out.oriented(), options)}) {
        if (!status) throw std::runtime_error(status.message());
    }
    if (!out.has_untouched_gaps(world.cases.size())) throw std::runtime_error("what is between structs was written to");
    std::vector<FoundBounds> found;
    for (std::size_t i = 0; i < world.cases.size(); ++i) found.push_back(out.of(i));
    return found;
}

}  // namespace world_tests
