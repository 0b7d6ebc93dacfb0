#include "view/planes_around.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "view/planes.hpp"

namespace lanecull {
namespace {

constexpr std::size_t samples = 64;

/// Points of the unit cube, evenly spread without a pattern: multiples, but for whole numbers, of powers of the number
/// that does for three dimensions what the golden ratio does for one.
struct Samples {
    float of[3][samples] = {};

    constexpr Samples() {
        constexpr double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t i = 0; i < samples; ++i) {
                const double multiple = steps[j] * static_cast<double>(i + 1);
                of[j][i] = static_cast<float>(multiple - static_cast<double>(static_cast<int>(multiple)));
            }
        }
    }
};

/// A bit for each of 32 samples from the `first` on: set where n . sample < least.
std::uint32_t below(const Samples& share, std::size_t first, float x, float y, float z, float least) {
    static constexpr auto bit = [] {
        std::array<std::uint32_t, 32> of{};
        for (std::uint32_t i = 0; i < 32; ++i) of[i] = 1u << i;
        return of;
    }();
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 32; ++i) {
        const float along = x * share.of[0][first + i] + y * share.of[1][first + i] + z * share.of[2][first + i];
        bits |= bit[i] & (0u - static_cast<std::uint32_t>(along < least));
    }
    return bits;
}

/// std::popcount() is a call where the processor need not have the instruction.
int count_of(std::uint64_t bits) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    bits -= bits >> 1 & 0x55 * ones;
    bits = (bits & 0x33 * ones) + (bits >> 2 & 0x33 * ones);
    return static_cast<int>(((bits + (bits >> 4)) & 0x0f * ones) * ones >> 56);
}

}  // namespace

void PlanesAround::add(const Affine& half_space) {
    const Affine f = normalized(half_space);
    if (!f.finite()) return;
    const Double3 n = middle(f.linear);
    for (Affine& other : f_.all()) {
        const Double3 known = middle(other.linear);
        if (!(dot(n, known) > 1 - 1e-10)) continue;
        // The same plane from other points, or another that is as good as parallel: then the one closer at the
        // view's origin. At p it holds at most |n - known| |p| more than the other; up to 2^-30 |p| is far below
        // what the bound at p allows.
        merged_ = merged_ || length(n - known) > 0x1p-30;
        if (f.constant.hi < other.constant.hi) other = f;
        return;
    }
    overflowed_ = !f_.add(f) || overflowed_;
}

void PlanesAround::put_into(PreparedView& view, const Interval3x3& rotation, const Double3& low,
                            const Double3& high) const {
    const NormalsInView seen(rotation);
    std::size_t order[capacity];
    for (std::size_t k = 0; k < f_.size(); ++k) order[k] = k;
    if (are_sorted()) sort_by_rejection(low, high, order);
    for (std::size_t n = 0; n < std::min<std::size_t>(f_.size(), PreparedView::max_planes); ++n) {
        add_plane(f_[order[n]], seen, view);
    }
}

/// Numbers are floats: nothing depends on the order but time. A bit for each sample.
void PlanesAround::sort_by_rejection(const Double3& low, const Double3& high, std::size_t (&order)[capacity]) const {
    static constexpr Samples share;
    const Double3 corner = (low + high) * 0.5 - (high - low) * 0.75, size = (high - low) * 1.5;
    std::uint64_t rejected[capacity];
    for (std::size_t k = 0; k < f_.size(); ++k) {
        const Double3 n = middle(f_[k].linear);
        const auto x = static_cast<float>(n.x * size.x), y = static_cast<float>(n.y * size.y),
                   z = static_cast<float>(n.z * size.z);
        const auto least = static_cast<float>(-dot(n, corner) - f_[k].constant.hi);
        rejected[k] = below(share, 0, x, y, z, least) | std::uint64_t{below(share, 32, x, y, z, least)} << 32;
    }
    std::uint64_t open = ~std::uint64_t{0};
    for (std::size_t n = 0; n < PreparedView::stage_one_planes; ++n) {
        std::size_t best = n;
        int most = -1;
        for (std::size_t m = n; m < f_.size(); ++m) {
            const int more = count_of(rejected[order[m]] & open);
            if (more > most) most = more, best = m;
        }
        std::rotate(order + n, order + best, order + best + 1);
        open &= ~rejected[order[n]];
    }
}

}  // namespace lanecull
