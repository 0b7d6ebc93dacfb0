#pragma once

/// Places in a view, which stand for its objects, and which of them a solid hides. Estimates in floats: they choose
/// occluders, and prove nothing.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanecull {

/// All center + d with |row[k] . d| <= 1.
struct RoughSolid {
    float center[3];
    float row[3][3];
    bool is_aligned;  ///< the rows are along the axes
};

/// A set of samples, a bit each.
struct SampleSet {
    static constexpr std::uint32_t words = 2, most = 64 * words;

    std::uint64_t bits[words];

    static SampleSet first(std::uint32_t count) {
        SampleSet set;
        for (std::uint32_t w = 0; w < words; ++w) {
            const std::uint32_t before = 64 * w;
            set.bits[w] = count >= before + 64 ? ~std::uint64_t{0}
                          : count > before     ? (std::uint64_t{1} << (count - before)) - 1
                                               : 0;
        }
        return set;
    }
    void erase(std::uint32_t i) { bits[i / 64] &= ~(std::uint64_t{1} << i % 64); }
    void erase_all(const SampleSet& others) {
        for (std::uint32_t w = 0; w < words; ++w) bits[w] &= ~others.bits[w];
    }
    void keep(const SampleSet& others) {
        for (std::uint32_t w = 0; w < words; ++w) bits[w] &= others.bits[w];
    }
    [[nodiscard]] std::uint32_t size() const {
        std::uint32_t sum = 0;
        for (const std::uint64_t word : bits) sum += static_cast<std::uint32_t>(std::popcount(word));
        return sum;
    }
    template <class Do>
    void for_each(const Do& what) const {
        for (std::uint32_t w = 0; w < words; ++w) {
            for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
                what(64 * w + static_cast<std::uint32_t>(std::countr_zero(rest)));
            }
        }
    }
};

/// Lines of sight, from middle - half to middle + half, which is the sample.
struct Samples {
    float middle[3][SampleSet::most];
    float half[3][SampleSet::most];
    std::uint32_t count;

    [[nodiscard]] bool is_full() const { return count == SampleSet::most; }
    void add(const float (&eye)[3], const float (&sample)[3]) {
        for (std::size_t k = 0; k < 3; ++k) {
            middle[k][count] = 0.5F * (sample[k] + eye[k]);
            half[k][count] = 0.5F * (sample[k] - eye[k]);
        }
        ++count;
    }
    /// To be called once after all are added: hidden_by() reads all places.
    void fill_up() {
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::uint32_t i = count; i < SampleSet::most; ++i) middle[k][i] = half[k][i] = 0;
        }
    }
    /// Those whose line of sight meets the solid.
    [[nodiscard]] SampleSet hidden_by(const RoughSolid& solid) const;
};

/// Lines of sight in a solid's own coordinates, where it is |s_k| <= 1.
struct OwnLines {
    static constexpr std::uint32_t count = 64;  ///< as many as a word has bits

    float m[3][count], d[3][count];

    void take_aligned(const Samples& samples, std::uint32_t first, const RoughSolid& solid) {
        for (std::size_t k = 0; k < 3; ++k) {
            const float scale = solid.row[k][k], center = solid.center[k];
            const float *const middle = samples.middle[k] + first, *const half = samples.half[k] + first;
            for (std::uint32_t i = 0; i < count; ++i) {
                m[k][i] = (middle[i] - center) * scale;
                d[k][i] = half[i] * scale;
            }
        }
    }
    void take(const Samples& samples, std::uint32_t first, const RoughSolid& solid) {
        const auto& p = samples.middle;
        const auto& v = samples.half;
        for (std::size_t k = 0; k < 3; ++k) {
            const float x = solid.row[k][0], y = solid.row[k][1], z = solid.row[k][2];
            const float center = x * solid.center[0] + y * solid.center[1] + z * solid.center[2];
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint32_t at = first + i;
                m[k][i] = x * p[0][at] + y * p[1][at] + z * p[2][at] - center;
                d[k][i] = x * v[0][at] + y * v[1][at] + z * v[2][at];
            }
        }
    }
    /// A bit for each line that meets the solid. A box and a segment are apart along an axis of the box or a cross
    /// product of one with the segment, if at all. No branches, so that compilers make vectors of it.
    [[nodiscard]] std::uint64_t meeting() const {
        std::uint8_t meets[count];
        for (std::uint32_t i = 0; i < count; ++i) {
            const float x = std::fabs(d[0][i]), y = std::fabs(d[1][i]), z = std::fabs(d[2][i]);
            const int along = static_cast<int>(std::fabs(m[0][i]) <= x + 1) &
                              static_cast<int>(std::fabs(m[1][i]) <= y + 1) &
                              static_cast<int>(std::fabs(m[2][i]) <= z + 1);
            const int across = static_cast<int>(std::fabs(m[1][i] * d[2][i] - m[2][i] * d[1][i]) <= y + z) &
                               static_cast<int>(std::fabs(m[2][i] * d[0][i] - m[0][i] * d[2][i]) <= z + x) &
                               static_cast<int>(std::fabs(m[0][i] * d[1][i] - m[1][i] * d[0][i]) <= x + y);
            meets[i] = static_cast<std::uint8_t>(along & across);
        }
        std::uint64_t word = 0;
        for (std::uint32_t i = 0; i < count; i += 8) word |= eight_bits(meets + i) << i;
        return word;
    }

private:
    /// Bit i: byte i, which is 0 or 1. The first byte is the lowest, as on all processors that have kernels. The
    /// product has byte i moved up by 56 - 7 i, among others, and no two of its bits meet.
    static std::uint64_t eight_bits(const std::uint8_t* bytes) {
        std::uint64_t together;
        std::memcpy(&together, bytes, sizeof together);
        return together * 0x0102040810204080U >> 56;
    }
};

inline SampleSet Samples::hidden_by(const RoughSolid& solid) const {
    SampleSet hidden = SampleSet::first(count);
    for (std::uint32_t w = 0; w < SampleSet::words; ++w) {
        OwnLines lines;
        if (solid.is_aligned) {
            lines.take_aligned(*this, 64 * w, solid);
        } else {
            lines.take(*this, 64 * w, solid);
        }
        hidden.bits[w] &= lines.meeting();
    }
    return hidden;
}

}  // namespace lanecull
