#include "view/planes_around.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

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

/// Eight bytes that are 0 or 1 at a time: the product brings them together in the highest byte.
std::uint64_t bits_of(const std::uint8_t (&bytes)[samples]) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < samples; i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, bytes + i, 8);
        bits |= (eight * 0x0102040810204080u >> 56) << i;
    }
    return bits;
}

}  // namespace

void PlanesAround::add(const Affine& half_space) {
    const Affine f = normalized(half_space);
    if (!f.finite()) return;
    const Double3 n = middle(f.linear);
    for (std::size_t k = 0; k < count_; ++k) {
        const Double3 known = middle(f_[k].linear);
        if (!(dot(n, known) > 1 - 1e-10)) continue;
        // The same plane from other points, or another that is as good as parallel: then the one closer at the
        // view's origin. At p it holds at most |n - known| |p| more than the other; up to 2^-30 |p| is far below
        // what the bound at p allows.
        merged_ = merged_ || length(n - known) > 0x1p-30;
        if (f.constant.hi < f_[k].constant.hi) f_[k] = f;
        return;
    }
    if (count_ == capacity) {
        overflowed_ = true;
        return;
    }
    f_[count_++] = f;
}

void PlanesAround::put_into(PreparedView& view, const Interval3x3& rotation, const Double3& low,
                            const Double3& high) const {
    const IntoViewSpace seen(rotation);
    std::size_t order[capacity];
    for (std::size_t k = 0; k < count_; ++k) order[k] = k;
    if (count_ > PreparedView::stage_one_planes) sort_by_rejection(low, high, order);
    for (std::size_t n = 0; n < std::min<std::size_t>(count_, PreparedView::max_planes); ++n) {
        add_plane(f_[order[n]], seen, view);
    }
}

/// Numbers are floats: nothing depends on the order but time. A bit for each sample.
void PlanesAround::sort_by_rejection(const Double3& low, const Double3& high, std::size_t (&order)[capacity]) const {
    static constexpr Samples share;
    const Double3 corner = (low + high) * 0.5 - (high - low) * 0.75, size = (high - low) * 1.5;
    std::uint64_t rejected[capacity];
    for (std::size_t k = 0; k < count_; ++k) {
        const Double3 n = middle(f_[k].linear);
        const auto x = static_cast<float>(n.x * size.x), y = static_cast<float>(n.y * size.y),
                   z = static_cast<float>(n.z * size.z);
        const auto least = static_cast<float>(-dot(n, corner) - f_[k].constant.hi);
        std::uint8_t outside[samples];
        for (std::size_t i = 0; i < samples; ++i) {
            outside[i] = x * share.of[0][i] + y * share.of[1][i] + z * share.of[2][i] < least ? 1 : 0;
        }
        rejected[k] = bits_of(outside);
    }
    std::uint64_t open = ~std::uint64_t{0};
    for (std::size_t n = 0; n < PreparedView::stage_one_planes; ++n) {
        std::size_t best = n;
        int most = -1;
        for (std::size_t m = n; m < count_; ++m) {
            const int more = std::popcount(rejected[order[m]] & open);
            if (more > most) most = more, best = m;
        }
        std::rotate(order + n, order + best, order + best + 1);
        open &= ~rejected[order[n]];
    }
}

}  // namespace lanecull
