/// A box around what is visible. Plain doubles, an object at a time: what they round away is added with much to spare.

#include <lanecull/cull.hpp>
#include <lanecull/shadow.hpp>

#include <bit>
#include <cmath>
#include <cstring>

#include "base/affine.hpp"
#include "base/float_modes.hpp"
#include "calls/check.hpp"

namespace lanecull {
namespace {

/// Of the magnitudes that make a bound; every bound is a sum of some ten products, each rounded a few times.
constexpr double slack = 0x1p-46;

struct Reach {
    double center[3], half[3];
};

double number(float f) { return static_cast<double>(f); }

template <std::size_t N>
struct Record {
    double value[N];
};
/// Records may lie at any multiple of 4 bytes.
template <std::size_t N>
Record<N> record(const Records& records, std::uint32_t i) {
    const std::size_t stride = records.stride_bytes == Records::packed ? N * sizeof(float) : records.stride_bytes;
    float values[N];
    std::memcpy(values, reinterpret_cast<const char*>(records.first) + i * stride, sizeof values);
    Record<N> result;
    for (std::size_t k = 0; k < N; ++k) result.value[k] = number(values[k]);
    return result;
}

Reach reach(const Spheres& s, std::uint32_t i) {
    const double r = number(s.radius[i]);
    return {{number(s.x[i]), number(s.y[i]), number(s.z[i])}, {r, r, r}};
}

Reach between(const double (&low)[3], const double (&high)[3], double around) {
    Reach result;
    for (std::size_t k = 0; k < 3; ++k) {
        result.center[k] = 0.5 * (low[k] + high[k]);
        result.half[k] = 0.5 * std::fabs(high[k] - low[k]) + around;
    }
    return result;
}

Reach reach(const Boxes& b, std::uint32_t i) {
    return between({number(b.min_x[i]), number(b.min_y[i]), number(b.min_z[i])},
                   {number(b.max_x[i]), number(b.max_y[i]), number(b.max_z[i])}, 0);
}

Reach reach(const Capsules& c, std::uint32_t i) {
    return between({number(c.a_x[i]), number(c.a_y[i]), number(c.a_z[i])},
                   {number(c.b_x[i]), number(c.b_y[i]), number(c.b_z[i])}, number(c.radius[i]));
}

Reach reach(const CenteredBoxes& b, std::uint32_t i) {
    return {{number(b.x[i]), number(b.y[i]), number(b.z[i])},
            {number(b.half_x[i]), number(b.half_y[i]), number(b.half_z[i])}};
}

/// The columns of the rotation matrix of q / |q|, one after the other.
Record<9> axes_of(const Record<4>& quaternion) {
    const auto& [x, y, z, w] = quaternion.value;
    const double s = 2 / (x * x + y * y + z * z + w * w);
    return {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y), s * (x * y - w * z),
             1 - s * (x * x + z * z), s * (y * z + w * x), s * (x * z + w * y), s * (y * z - w * x),
             1 - s * (x * x + y * y)}};
}

Reach reach(const OrientedBoxes& b, std::uint32_t i) {
    const bool turned = b.axes.first == nullptr;
    const Record<9> axes = turned ? axes_of(record<4>(b.quaternions, i)) : record<9>(b.axes, i);
    const Record<3> half = record<3>(b.half_extents, i);
    Reach result{{number(b.x[i]), number(b.y[i]), number(b.z[i])}, {0, 0, 0}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t k = 0; k < 3; ++k) {
            // Rotations' entries are off by a share of 1, not of themselves.
            const double size = std::fabs(axes.value[3 * axis + k]) + (turned ? slack : 0);
            result.half[k] += size * std::fabs(half.value[axis]);
        }
    }
    return result;
}

Reach reach(const HullInstances& instances, std::uint32_t i) {
    const Hull& hull = instances.hulls[instances.hull_index == nullptr ? 0 : instances.hull_index[i]];
    const Record<12> m = record<12>(instances.transforms, i);
    Reach result;
    for (std::size_t k = 0; k < 3; ++k) {
        result.center[k] = m.value[4 * k + 3];
        result.half[k] = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double low = number(hull.lower[j]), high = number(hull.upper[j]);
            result.center[k] += m.value[4 * k + j] * (0.5 * (low + high));
            // What rounding moved the centre counts here.
            result.half[k] +=
                std::fabs(m.value[4 * k + j]) * (0.5 * (high - low) + slack * (std::fabs(low) + std::fabs(high)));
        }
        result.half[k] += slack * std::fabs(m.value[4 * k + 3]);
    }
    return result;
}

class Growing {
public:
    void add(const Reach& object, const Attributes& attributes, std::uint32_t i) {
        const float* const sweeps[3] = {attributes.sweep_x, attributes.sweep_y, attributes.sweep_z};
        const double margin = attributes.margin == nullptr ? 0 : number(attributes.margin[i]);
        for (std::size_t k = 0; k < 3; ++k) {
            const double sweep = sweeps[k] == nullptr ? 0 : number(sweeps[k][i]);
            const double half = object.half[k] + margin;
            const double more = slack * (std::fabs(object.center[k]) + std::fabs(half) + std::fabs(sweep)) + 0x1p-1000;
            const double low = object.center[k] - half + std::fmin(sweep, 0) - more;
            const double high = object.center[k] + half + std::fmax(sweep, 0) + more;
            // Not for numbers that are none, nor for sizes below 0.
            const bool valid = low <= high && std::isfinite(low) && std::isfinite(high) && half >= 0;
            bounds_.lower[k] = std::fmin(bounds_.lower[k], valid ? low : -HUGE_VAL);
            bounds_.upper[k] = std::fmax(bounds_.upper[k], valid ? high : HUGE_VAL);
        }
    }

    [[nodiscard]] const WorldBox& bounds() const { return bounds_; }

private:
    WorldBox bounds_ = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
};

void add_visible(const Batch& batch, std::span<const std::uint64_t> words, Growing& bounds) {
    std::visit(
        [&](const auto& shapes) {
            for (std::size_t w = 0; w < words.size(); ++w) {
                for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
                    const auto i =
                        static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left));
                    if (i < shapes.count) bounds.add(reach(shapes, i), batch.attributes, i);
                }
            }
        },
        batch.shapes);
}

}  // namespace

Status visible_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible,
                      WorldBox& bounds) noexcept {
    const FloatModes modes;
    if (Status status = check_batches(batches); !status) return status;
    const std::size_t words = visibility_words(batches);
    if (visible.size() != words) {
        return Status::failure("visible: must have %zu words (visibility_words()), not %zu", words, visible.size());
    }
    Growing growing;
    for (const Batch& batch : batches) {
        const std::size_t count = (std::size_t{batch.count()} + 63) / 64;
        add_visible(batch, visible.first(count), growing);
        visible = visible.subspan(count);
    }
    bounds = growing.bounds();
    return {};
}

}  // namespace lanecull
