#include "objects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace {

Vector normalized(const Vector& a) { return 1 / length(a) * a; }
Vector random_vector(PortableRandom& random) {
    const double x = random.symmetric(), y = random.symmetric(), z = random.symmetric();
    return {x, y, z};
}

/// Three axes at right angles, or all but.
void random_axes(PortableRandom& random, Vector (&axis)[3]) {
    const double w = random.symmetric(), x = random.symmetric(), y = random.symmetric(), z = random.symmetric();
    const double s = 2 / (w * w + x * x + y * y + z * z);
    axis[0] = {1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)};
    axis[1] = {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)};
    axis[2] = {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)};
}

constexpr float specials[] = {std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(),
                              0.0f,
                              -0.0f,
                              1e-45f,
                              -1e-39f,
                              3e38f,
                              -3e38f,
                              1e20f};

}  // namespace

std::uint64_t PortableRandom::next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

double PortableRandom::power(int from, int to) {
    return std::ldexp(1.0, from + static_cast<int>(below(static_cast<std::uint32_t>(to - from + 1))));
}

double PortableRandom::size(int from, int to) {
    const double least = power(from, to);
    return least * (1 + unit());
}

double PortableRandom::either_sign(int from, int to) {
    const double most = power(from, to);
    return most * symmetric();
}

HostileView::HostileView(std::uint32_t seed) : kind_(seed % 4) {
    PortableRandom random(seed);
    tan_x_ = random.size(-3, 1);
    tan_y_ = random.size(-3, 1);
    near_ = random.size(-6, 0);
    far_ = near_ * random.power(2, 12);
    random_axes(random, axis_);
    eye_ = random_vector(random);
    eye_ = (random.below(4) == 0 ? 0 : random.power(-2, 20)) * eye_;
    prepare();
}

Vector HostileView::world(const Vector& v) const {
    Vector to{};
    for (std::size_t k = 0; k < 3; ++k) to = to + v[k] * axis_[k];
    return to;
}

/// Of the volume: -1 and 1 are its sides.
Vector HostileView::point(double u, double v, double w) const {
    const double depth = near_ + (far_ - near_) * (w + 1) * 0.5;
    const double wide = kind_ == 2 ? far_ : depth;
    return eye_ + world({u * tan_x_ * wide, v * tan_y_ * wide, depth});
}

void HostileView::prepare() {
    if (kind_ == 3) {
        for (std::size_t i = 0; i < 8; ++i) {
            const Vector corner = point(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
            numbers.insert(numbers.end(), corner.begin(), corner.end());
        }
        status = lanecull::prepare_view_from_corners(std::span<const double, 24>(numbers), view);
        return;
    }
    const bool orthographic = kind_ == 2, from_minus_one = kind_ == 1;
    const double span = far_ - near_, wide = orthographic ? far_ : 1;
    double clip[4][4] = {{1 / (tan_x_ * wide)}, {0, 1 / (tan_y_ * wide)}};
    clip[2][2] = orthographic ? 1 / span : from_minus_one ? (far_ + near_) / span : far_ / span;
    clip[2][3] = orthographic ? -near_ / span : (from_minus_one ? -2 : -1) * far_ * near_ / span;
    clip[3][orthographic ? 3 : 2] = 1;
    for (std::size_t r = 0; r < 4; ++r) {
        Vector row{};
        for (std::size_t k = 0; k < 3; ++k) row = row + clip[r][k] * axis_[k];
        numbers.insert(numbers.end(), row.begin(), row.end());
        numbers.push_back(clip[r][3] - dot(row, eye_));
    }
    if (from_minus_one) clip_space.depth = lanecull::DepthRange::minus_one_to_one;
    status = lanecull::prepare_view(std::span<const double, 16>(numbers), clip_space, view);
}

HostileView::Contact HostileView::contact(PortableRandom& random) const {
    double place[3];
    Vector out{};
    const double slant = kind_ == 2 ? 0 : 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t choice = random.below(4);
        place[k] = choice == 0 ? -1 : choice == 1 ? 1 : random.symmetric();
        if (choice > 1) continue;
        Vector normal{};
        normal[k] = place[k];
        if (k == 0) normal[2] = -tan_x_ * slant;
        if (k == 1) normal[2] = -tan_y_ * slant;
        out = out + (random.below(8) == 0 ? 0x1p-20 : random.unit()) * normalized(normal);
    }
    if (dot(out, out) < 0x1p-60) out = random_vector(random);
    return {point(place[0], place[1], place[2]), world(normalized(out))};
}

HostileBatch::HostileBatch(std::uint32_t kind, std::uint32_t count, const HostileView& around, PortableRandom& random)
    : kind_(kind), count_(count) {
    if (kind_ == 5) make_hulls(random);
    const bool has_attributes = random.below(4) == 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        add_object(random, around.contact(random));
        if (!has_attributes) continue;
        margin_.push_back(static_cast<float>(random.size(-13, -3)));
        for (auto& sweep : sweep_) sweep.push_back(static_cast<float>(random.either_sign(-12, 0)));
    }
}

void HostileBatch::make_hulls(PortableRandom& random) {
    for (std::uint32_t i = 0; i < 12; ++i) {
        for (auto& axis : vertices_) axis.push_back(static_cast<float>(random.symmetric()));
    }
    if (!lanecull::prepare_hull(vertices_[0].data(), vertices_[1].data(), vertices_[2].data(), 12, hull_)) count_ = 0;
}

/// Chooses a shape around the origin. Returns how far it reaches against `out`.
double HostileBatch::shape_at_origin(PortableRandom& random, const Vector& out) {
    const double size = random.power(-10, 4);
    numbers_ = {};
    const auto some = [&] { return size * (0x1p-10 + random.unit()); };
    Vector axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (kind_ == 0) return numbers_[3] = random.below(16) == 0 ? 0 : some();
    if (kind_ == 4) {
        const Vector half = size * random_vector(random);
        numbers_[6] = random.below(4) == 0 ? 0 : some();
        for (std::size_t k = 0; k < 3; ++k) numbers_[k] = -half[k], numbers_[3 + k] = half[k];
        return std::fabs(dot(half, out)) + numbers_[6];
    }
    if (kind_ == 3 || kind_ >= 5) random_axes(random, axis);
    if (kind_ == 5) {
        double reach = -1e300;
        for (std::size_t k = 0; k < 3; ++k) axis[k] = some() * axis[k];
        for (std::size_t i = 0; i < vertices_[0].size(); ++i) {
            Vector vertex{};
            for (std::size_t k = 0; k < 3; ++k) vertex = vertex + static_cast<double>(vertices_[k][i]) * axis[k];
            reach = std::max(reach, -dot(vertex, out));
        }
        for (std::size_t k = 0; k < 9; ++k) numbers_[3 + k] = axis[k / 3][k % 3];
        return reach;
    }
    double reach = 0;
    const std::size_t halves = kind_ == 3 || kind_ == 6 ? 12 : 3;
    for (std::size_t k = 0; k < 3; ++k) {
        numbers_[halves + k] = some();
        reach += numbers_[halves + k] * std::fabs(dot(axis[k], out));
        for (std::size_t j = 0; j < 3 && halves == 12; ++j) numbers_[3 + 3 * k + j] = axis[k][j];
    }
    return reach;
}

/// Moves the shape, and rounds its numbers to floats. Boxes by their ends get them here.
void HostileBatch::place(const Vector& at) {
    for (std::size_t k = 0; k < 3; ++k) {
        numbers_[k] += at[k];
        if (kind_ == 4) numbers_[3 + k] += at[k];
        if (kind_ == 1) {
            const double half = numbers_[3 + k];
            numbers_[3 + k] = numbers_[k] + half;
            numbers_[k] -= half;
        }
    }
}

void HostileBatch::add_object(PortableRandom& random, const HostileView::Contact& contact) {
    const double reach = shape_at_origin(random, contact.out);
    const double off = random.below(4) == 0 ? 0 : random.either_sign(-30, 0);
    place(contact.at + reach * (1 + off) * contact.out);
    float number[most_numbers];
    for (std::size_t k = 0; k < most_numbers; ++k) number[k] = static_cast<float>(numbers_[k]);
    if (random.below(64) == 0) {
        const std::uint32_t which = random.below(most_numbers);
        number[which] = specials[random.below(std::size(specials))];
    }
    for (std::size_t k = 0; k < most_numbers; ++k) stream_[k].push_back(number[k]);
    if (kind_ == 3) {
        records_[0].insert(records_[0].end(), number + 3, number + 12);
        records_[1].insert(records_[1].end(), number + 12, number + 15);
    } else if (kind_ >= 5) {  // the columns of a transform
        records_[0].insert(records_[0].end(), number + 3, number + 12);
        records_[0].insert(records_[0].end(), number, number + 3);
        for (std::size_t k = 0; k < 3; ++k) stream_[15 + k].back() = -number[12 + k];
    }
}

lanecull::Batch HostileBatch::batch() const {
    const float* s[most_numbers];
    for (std::size_t k = 0; k < most_numbers; ++k) s[k] = stream_[k].data();
    lanecull::Attributes also;
    if (!margin_.empty()) {
        also.margin = margin_.data();
        also.sweep_x = sweep_[0].data(), also.sweep_y = sweep_[1].data(), also.sweep_z = sweep_[2].data();
    }
    return batch_of(kind_, {s, {records_[0].data(), records_[1].data()}, &hull_, count_, also});
}
