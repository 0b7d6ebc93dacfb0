#include "properties/bounds/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/objects.hpp"

namespace properties {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Draws an object's numbers.
class Drawing {
public:
    Drawing(Random& random, Numbers numbers)
        : random_(random),
          any_(numbers == Numbers::any),
          size_(any_ && random.chance(0.5) ? random.log_range(1e-45, 1e37) : random.log_range(1e-3, 1e3)),
          far_(random.chance(0.5) ? size_ : std::fmin(size_ * random.log_range(1, 1e7), any_ ? 1e37 : 1e3)),
          split_(any_ && random.chance(0.3) ? random.below(253) - 126 : 0) {}

    float coordinate() { return number(far_); }
    /// Of the object's size, times or by the split's power of two.
    float spread(int with_split = 0) { return number(std::ldexp(size_, with_split * split_)); }
    float extent(int with_split = 0) { return random_.chance(0.1) ? 0 : std::fabs(spread(with_split)); }
    /// Of size 1, times or by the split's power of two.
    float factor(int with_split) { return number(std::ldexp(1, with_split * split_)); }
    float quaternion_length() {
        if (!any_ || random_.chance(0.5)) return static_cast<float>(random_.log_range(0.5, 2));
        return static_cast<float>(random_.log_range(2e-18, 5e17));
    }
    Random& random() { return random_; }

private:
    float number(double most) {
        // Multiples of a quarter or an eighth of the largest often coincide or touch.
        const double share = random_.chance(0.3) ? random_.below(17) / 8.0 - 1 : random_.range(-1, 1);
        const float drawn = to_float(most * share);
        return !any_ && std::fabs(drawn) < 0x1p-30f ? 0 : drawn;
    }

    Random& random_;
    bool any_;
    double size_, far_;
    int split_;
};

void draw_quaternion(Drawing& draw, float* q) {
    double drawn[4], square = 0;
    do {
        square = 0;
        for (double& component : drawn) {
            component = draw.random().chance(0.2) ? 0 : draw.random().range(-1, 1);
            square += component * component;
        }
    } while (square < 0.01);
    const double length = static_cast<double>(draw.quaternion_length()) / std::sqrt(square);
    for (std::size_t k = 0; k < 4; ++k) q[k] = static_cast<float>(length * drawn[k]);
}

void draw_fields(Drawing& draw, Kind kind, float* f) {
    for (std::size_t k = 0; k < 3; ++k) f[k] = draw.coordinate();
    switch (kind) {
        case Kind::sphere:
            f[3] = draw.extent();
            return;
        case Kind::box:
            for (std::size_t k = 0; k < 3; ++k) f[3 + k] = to_float(static_cast<double>(f[k] + draw.extent()));
            return;
        case Kind::centered_box:
            for (std::size_t k = 0; k < 3; ++k) f[3 + k] = draw.extent();
            return;
        case Kind::oriented_box:
            for (std::size_t k = 0; k < 9; ++k) f[3 + k] = draw.factor(1);
            for (std::size_t k = 0; k < 3; ++k) f[12 + k] = draw.extent(-1);
            return;
        case Kind::capsule:
        case Kind::cylinder:
        case Kind::cone:
        case Kind::round_cone:
            for (std::size_t k = 0; k < 3; ++k) f[3 + k] = to_float(static_cast<double>(f[k] + draw.spread()));
            f[6] = draw.extent();
            return;
        case Kind::quaternion_box:
        case Kind::ellipsoid:
            draw_quaternion(draw, f + 3);
            for (std::size_t k = 0; k < 3; ++k) f[7 + k] = draw.extent();
            return;
        case Kind::hull:
            for (std::size_t k = 0; k < 12; ++k) f[k] = k % 4 == 3 ? draw.coordinate() : draw.spread(1);
            return;
        case Kind::box_instance:
            for (std::size_t k = 0; k < 12; ++k) f[k] = k % 4 == 3 ? draw.coordinate() : draw.factor(1);
            for (std::size_t k = 12; k < 15; ++k) {
                f[k] = draw.spread(-1);
                f[3 + k] = to_float(static_cast<double>(f[k] + draw.extent(-1)));
            }
            return;
    }
}

/// Sizes above 0 and corners in order, mostly.
Object unchecked_shape(Random& random, Kind kind, std::size_t hull_count) {
    Object object;
    const auto [first, last] = size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        float& number = object.fields[k] = random.any_float();
        const int odd = random.below(64);
        if (odd == 0) number = not_finite(random);
        if (odd == 1 || !std::isfinite(number)) continue;
        if (k >= first && k < last) number = std::fabs(number);
        if (const auto corner = corner_fields(kind); corner && k >= *corner + 3) {
            number = std::fmax(number, object.fields[k - 3]);
        }
    }
    object.hull =
        static_cast<std::uint32_t>(random.below(static_cast<int>(hull_count) + (random.below(8) == 0 ? 1 : 0)));
    if (random.chance(0.5)) object.margin = random.any_size();
    if (random.chance(0.5)) object.sweep = {random.any_float(), random.any_float(), random.any_float()};
    return object;
}

void break_shape(Random& random, Kind kind, Object& object, std::size_t hull_count) {
    constexpr float numbers[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity};
    constexpr float below_0[] = {-1, -0x1p-149f, -1e30f};
    const auto any_field = static_cast<std::size_t>(random.below(static_cast<int>(field_count(kind))));
    const auto [first, last] = size_fields(kind);
    if (random.chance(0.4)) {
        object.fields[any_field] = numbers[random.below(3)];
    } else if (kind == Kind::hull && hull_count == 0) {
        object.fields[any_field] = numbers[0];
    } else if (kind == Kind::hull) {
        object.hull = static_cast<std::uint32_t>(hull_count) + static_cast<std::uint32_t>(random.below(3));
    } else if (const auto corner = corner_fields(kind)) {
        const auto k = *corner + static_cast<std::size_t>(random.below(3));
        object.fields[3 + k] = std::nextafter(object.fields[k], -infinity) - (random.chance(0.5) ? 0.0f : 1.0f);
    } else if (has_axis(kind) && random.chance(0.5)) {
        std::copy_n(object.fields.begin(), 3, object.fields.begin() + 3);
    } else if (has_quaternion(kind) && random.chance(0.5)) {
        // Too short or too long, by far, barely, or of length 0.
        constexpr float lengths[] = {0, 0x1p-149f, 1e-30f, 1e-19f, 0.999e-18f, 1.001e18f, 1e30f};
        const float length = lengths[random.below(std::size(lengths))];
        for (std::size_t k = 3; k < 7; ++k) object.fields[k] = k == 3 + any_field % 4 ? length : 0;
    } else {
        const auto k = first + static_cast<std::size_t>(random.below(static_cast<int>(last - first)));
        object.fields[k] = below_0[random.below(3)];
    }
    // What is lost by a size below 0 is not to come back.
    if (random.chance(0.5)) object.margin = 1e31f;
}

}  // namespace

void break_one(Random& random, Kind kind, Object& object, std::size_t hull_count) {
    constexpr float numbers[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, -1, -0x1p-149f};
    if (random.chance(0.7)) {
        break_shape(random, kind, object, hull_count);
    } else if (random.chance(0.5)) {
        object.margin = numbers[random.below(5)];
    } else {
        object.sweep[static_cast<std::size_t>(random.below(3))] = numbers[random.below(3)];
    }
}

HullSet random_hull_set(Random& random, Numbers numbers) {
    HullSet hulls(4);
    for (Vertices& hull : hulls) {
        switch (numbers) {
            case Numbers::moderate:
                hull = moderate_cloud(random, 12);
                break;
            case Numbers::any:
                hull = random_cloud(random, 12);
                break;
            case Numbers::unchecked:
                hull = any_cloud(random, 8);
                if (!all_finite(hull)) hull = {{0, 0, 0}, {1, 2, 3}};
        }
    }
    return hulls;
}

Object random_shape(Random& random, Kind kind, Numbers numbers, const HullSet& hulls) {
    if (numbers == Numbers::unchecked && random.below(4) != 0) return unchecked_shape(random, kind, hulls.size());
    Object object;
    Drawing draw(random, numbers);
    draw_fields(draw, kind, object.fields.data());
    keep_axis(kind, object);
    object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(hulls.size())));
    if (random.chance(0.5)) object.margin = draw.extent();
    if (random.chance(0.5)) object.sweep = {draw.spread(), draw.spread(), draw.spread()};
    if (numbers == Numbers::unchecked && random.chance(0.5)) break_one(random, kind, object, hulls.size());
    return object;
}

std::optional<bool> is_object(Kind kind, const Object& object, std::size_t hull_count) {
    const float* f = object.fields.data();
    const auto [first, last] = size_fields(kind);
    bool valid = all_finite(f, field_count(kind)) && all_finite(object.sweep.data(), 3) &&
                 std::isfinite(object.margin) && object.margin >= 0 &&
                 std::all_of(f + first, f + last, [](float size) { return size >= 0; });
    if (const auto corner = corner_fields(kind)) {
        for (std::size_t k = *corner; k < *corner + 3; ++k) valid = valid && f[k] <= f[3 + k];
    }
    if (kind == Kind::hull) valid = valid && object.hull < hull_count;
    if (has_axis(kind)) valid = valid && !std::equal(f, f + 3, f + 3);
    if (!valid || !has_quaternion(kind)) return valid;
    const double turn = square_of(f + 3, InDoubles{}).value;
    if (std::fabs(turn / 1e-36 - 1) < 1e-5 || std::fabs(turn / 1e36 - 1) < 1e-5) return std::nullopt;
    return turn > 1e-36 && turn < 1e36;
}

std::vector<lanecull::SphereBounds> spheres_of(const lanecull::Batch& batch) {
    const std::size_t n = batch.count();
    std::vector<float> numbers(4 * n);
    float* const s = numbers.data();
    lanecull::Status status;
    bool found = true;
    const float* center[3] = {s, s + n, s + 2 * n};
    if (const auto* hulls = batch.get_if<lanecull::HullInstances>()) {
        status = bounding_spheres(*hulls, s, s + n, s + 2 * n, s + 3 * n);
    } else if (const auto* instances = batch.get_if<lanecull::BoxInstances>()) {
        status = bounding_spheres(*instances, s, s + n, s + 2 * n, s + 3 * n);
    } else if (const auto* boxes = batch.get_if<lanecull::OrientedBoxes>()) {
        status = bounding_radii(*boxes, s + 3 * n);
        center[0] = boxes->x, center[1] = boxes->y, center[2] = boxes->z;
    } else {
        found = false;
    }
    std::vector<lanecull::SphereBounds> spheres;
    for (std::size_t i = 0; i < n && status && found; ++i) {
        spheres.push_back({{center[0][i], center[1][i], center[2][i]}, s[3 * n + i]});
    }
    return spheres;
}

lanecull::Batch unbounded_batch(Kind kind, std::span<const Object> objects, const HullSet& hulls, Memory& memory) {
    return make_batch(kind, objects, hulls, memory, {.bounds = false, .streams = {.margin = true, .sweep = true}});
}

Vertices points_of(Kind kind, const Object& object, const HullSet& hulls) {
    return has_transform(kind) ? local_points(kind, object, hulls) : Vertices(1);
}

std::array<double, 16> axis_camera(std::size_t axis, float sign) {
    std::array<double, 16> matrix{};
    matrix[4 * ((axis + 1) % 3)] = 1;
    matrix[4 * ((axis + 2) % 3) + 1] = 1;
    matrix[4 * axis + 2] = matrix[4 * axis + 3] = static_cast<double>(sign);
    matrix[14] = -1;
    return matrix;
}

bool reaches_beyond(const Side& side, Kind kind, const Object& object, const HullSet& hulls, Judge& judge) {
    return std::ranges::any_of(points_of(kind, object, hulls), [&](const Vertex& point) {
        return judge.sign([&](auto exactly) { return beyond(side, kind, object, point, exactly); }) > 0;
    });
}

Estimate farthest(const Side& side, Kind kind, const Object& object, const HullSet& hulls) {
    Estimate most{-HUGE_VAL, 0};
    for (const Vertex& point : points_of(kind, object, hulls)) {
        const Estimate of = beyond(side, kind, object, point, InDoubles{});
        most = {std::max(most.value, of.value), std::max(most.error, of.error)};
    }
    const double turned = factor_of(kind, object, InDoubles{}).value;
    return {most.value / turned, most.error / turned};
}

bool contains(const lanecull::SphereBounds& sphere, Kind kind, const Object& object, const HullSet& hulls,
              Judge& judge) {
    const auto holds = [&](const Vertex& point, int corner) {
        return judge.sign([&](auto exactly) {
            return squared_distance(sphere.center, kind, object, point, corner, exactly) -
                   square(exactly(sphere.radius));
        }) <= 0;
    };
    const Vertices points = points_of(kind, object, hulls);
    if (kind != Kind::oriented_box) return std::ranges::all_of(points, [&](const Vertex& p) { return holds(p, 0); });
    return holds({}, 0) && holds({}, 1) && holds({}, 2) && holds({}, 3);  // the other corners are opposite to these
}

}  // namespace properties
