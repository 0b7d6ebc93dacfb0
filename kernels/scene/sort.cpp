/// The order of a scene: objects sorted by the Morton keys of their boxes' centres.
///
/// This is a radix sort, least significant digits first. Each pass counts digits chunk by chunk, adds the counts up,
/// and moves the entries to their places chunk by chunk. Chunks are the runner's tasks. The order does not depend on
/// which thread runs them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/float_modes.hpp"
#include "scene/contents.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t chunk = 1 << 16;  // entries
constexpr std::uint32_t digit_bits = 11;
constexpr std::uint32_t digits = 1 << digit_bits;

struct Entry {
    std::uint64_t key;
    std::uint32_t object;
};

/// Moves bit i of x to bit 3 i, for bits 0 .. 20.
std::uint64_t spread_out(std::uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

/// How many bits count the cells along an axis. If n objects lie on a plane, each has several cells; on a line or in
/// clusters they have fewer, which will do.
std::uint32_t bits_an_axis(std::size_t n) { return n <= 1 << 16 ? 11 : n <= 1 << 22 ? 14 : 18; }

struct Sorting {
    const Columns& columns;
    Array<std::uint32_t>& chosen;
    Array<float> center[3];
    Array<float> lowest[3], highest[3];  // of each chunk
    Array<Entry> from, to;
    Array<std::uint32_t> counts;  // [chunk][digit]: how many entries; after add_up() where the first of them goes
    float origin[3] = {};
    double scale = 0;
    double most_cells = 0;
    std::uint32_t shift = 0;

    [[nodiscard]] std::uint32_t chunks() const {
        return static_cast<std::uint32_t>((chosen.size() + chunk - 1) / chunk);
    }
    template <class Visit>
    void each_of(std::uint32_t part, Visit visit) {
        const std::size_t first = std::size_t{part} * chunk, last = std::min<std::size_t>(chosen.size(), first + chunk);
        for (std::size_t i = first; i < last; ++i) visit(i);
    }

    [[nodiscard]] bool reserve() noexcept {
        const std::size_t n = chosen.size();
        for (std::uint32_t j = 0; j < 3; ++j) {
            if (!center[j].resize_unset(n) || !lowest[j].resize(chunks()) || !highest[j].resize(chunks())) return false;
        }
        return from.resize_unset(n) && to.resize_unset(n) && counts.resize(std::size_t{chunks()} * digits);
    }

    void find_centers(std::uint32_t part) {
        float low[3], high[3];
        for (std::uint32_t j = 0; j < 3; ++j) {
            low[j] = std::numeric_limits<float>::infinity();
            high[j] = -low[j];
        }
        each_of(part, [&](std::size_t i) {
            const ObjectBox box = box_of(columns, chosen[i]);
            for (std::uint32_t j = 0; j < 3; ++j) {
                const float c = box.center(j);  // NaN if the object has no box
                center[j][i] = c;
                low[j] = c < low[j] ? c : low[j];
                high[j] = c > high[j] ? c : high[j];
            }
        });
        for (std::uint32_t j = 0; j < 3; ++j) {
            lowest[j][part] = low[j];
            highest[j][part] = high[j];
        }
    }

    /// Chooses cubic cells, so that blocks become about as long as wide.
    void choose_cells() {
        double size = 0;
        for (std::uint32_t j = 0; j < 3; ++j) {
            origin[j] = *std::min_element(lowest[j].begin(), lowest[j].end());
            const double most = static_cast<double>(*std::max_element(highest[j].begin(), highest[j].end()));
            if (most > static_cast<double>(origin[j])) size = std::max(size, most - static_cast<double>(origin[j]));
        }
        most_cells = std::exp2(bits_an_axis(chosen.size())) - 1;
        scale = size > 0 ? most_cells / size : 0;
    }

    void find_keys(std::uint32_t part) {
        each_of(part, [&](std::size_t i) {
            std::uint64_t key = 0;
            for (std::uint32_t j = 0; j < 3; ++j) {
                const double cell = (static_cast<double>(center[j][i]) - static_cast<double>(origin[j])) * scale;
                const double within = cell > 0 ? std::min(cell, most_cells) : 0;  // 0 for NaN
                key |= spread_out(static_cast<std::uint64_t>(within)) << j;
            }
            from[i] = {key, chosen[i]};
        });
    }

    [[nodiscard]] std::uint32_t digit(const Entry& entry) const {
        return static_cast<std::uint32_t>(entry.key >> shift) & (digits - 1);
    }
    void count(std::uint32_t part) {
        std::uint32_t* mine = counts.data() + std::size_t{part} * digits;
        std::fill_n(mine, digits, 0);
        each_of(part, [&](std::size_t i) { ++mine[digit(from[i])]; });
    }
    /// Turns counts into places. False: all entries have the same digit, so there is nothing to move.
    bool add_up() {
        std::uint32_t sum = 0;
        for (std::uint32_t d = 0; d < digits; ++d) {
            const std::uint32_t before = sum;
            for (std::uint32_t c = 0; c < chunks(); ++c) {
                std::uint32_t& here = counts[std::size_t{c} * digits + d];
                const std::uint32_t n = here;
                here = sum;
                sum += n;
            }
            if (sum - before == chosen.size()) return false;
        }
        return true;
    }
    void scatter(std::uint32_t part) {
        std::uint32_t* mine = counts.data() + std::size_t{part} * digits;
        each_of(part, [&](std::size_t i) { to[mine[digit(from[i])]++] = from[i]; });
    }
    void hand_over(std::uint32_t part) {
        each_of(part, [&](std::size_t i) { chosen[i] = from[i].object; });
    }

    template <void (Sorting::*step)(std::uint32_t)>
    void run(const Runner& runner) {
        const auto part = [](void* self, std::uint32_t i) {
            const FloatModes modes;
            (static_cast<Sorting*>(self)->*step)(i);
        };
        runner(chunks(), {part, this, "sort objects"});
    }
};

}  // namespace

bool sort_by_place(const Columns& columns, Array<std::uint32_t>& chosen, const Runner& runner) noexcept {
    if (chosen.empty()) return true;
    Sorting sorting{columns, chosen, {}, {}, {}, {}, {}, {}};
    if (!sorting.reserve()) return false;
    sorting.run<&Sorting::find_centers>(runner);
    sorting.choose_cells();
    sorting.run<&Sorting::find_keys>(runner);
    for (; sorting.shift < 3 * bits_an_axis(chosen.size()); sorting.shift += digit_bits) {
        sorting.run<&Sorting::count>(runner);
        if (!sorting.add_up()) continue;
        sorting.run<&Sorting::scatter>(runner);
        sorting.from.swap(sorting.to);
    }
    sorting.run<&Sorting::hand_over>(runner);
    return true;
}

}  // namespace lanecull
