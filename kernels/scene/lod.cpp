/// Distances and levels of detail of visible objects, 64 at a time, in doubles.
///
/// The code is plain loops over arrays, from which compilers make vectors of two; results are the same for every
/// instruction set. Every shape becomes a box with a radius, so that one formula does for all kinds. The support
/// mappings of distance.hpp would be tighter for large oriented boxes. But they would read the boxes' records, and
/// capsules' ends, for every visible object.

#include "scene/lod.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/interval.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t tile_objects = 64;

/// Factors that cover the roundings of sums and products of positive doubles.
constexpr double up = 1 + 0x1p-40, down = 1 - 0x1p-40;
/// Lowers a double so that rounding it to a float, by at most half of 2^-23, cannot raise it.
constexpr double down_to_float = 1 - 0x1p-23;
/// An object whose coordinates add up to more is invalid (batch.h).
constexpr double largest_magnitude = 1e37;
constexpr double flawed = infinity;  // a distance of infinity minus this is NaN, which fails every comparison

/// Up to 64 objects of a store. Each object lies within `radius` of its box. If an object is invalid, one of its
/// numbers is NaN, infinite or negative, or its box is empty.
struct Tile {
    std::uint32_t count = 0;
    std::uint32_t slots[tile_objects];
    double low[3][tile_objects], high[3][tile_objects], radius[tile_objects];
    double size[tile_objects];  // the radius of a ball around the object's centre, without margin and sweep

    // Results.
    float distance[tile_objects];
    double flaw[tile_objects];  // 0 if the object is valid, else infinite
    double projected[tile_objects];
    std::uint8_t level[tile_objects];
};

/// Fills a tile from columns. The layouts know how.
class Gatherer {
public:
    Gatherer(const Columns& columns, Tile& to) : tile(to), columns_(columns) {}

    void gather() {
        with_layout(columns_.layout, [&](auto layout) { decltype(layout)::gather(*this); });
        if (columns_.has(most_shape_columns + margin_column)) margins();
        if (columns_.has(most_shape_columns + sweep_column)) sweeps();
    }

    /// Calls set(k, number) with each object's number in a stream.
    template <class Set>
    void each(std::uint32_t column, Set set) const {
        const auto* stream = reinterpret_cast<const float*>(columns_.first[column]);
        for (std::uint32_t k = 0; k < tile.count; ++k) set(k, static_cast<double>(stream[tile.slots[k]]));
    }

    /// Calls set(k, numbers) with each object's record.
    template <std::size_t N, class Set>
    void each_record(std::uint32_t column, Set set) const {
        for (std::uint32_t k = 0; k < tile.count; ++k) {
            float record[N];
            std::memcpy(record, columns_.first[column] + tile.slots[k] * columns_.stride[column], sizeof record);
            double numbers[N];
            for (std::size_t n = 0; n < N; ++n) numbers[n] = static_cast<double>(record[n]);
            set(k, numbers);
        }
    }

    /// Reads balls from the first four columns: spheres, and kinds with bounding spheres.
    void balls() {
        for (std::uint32_t j = 0; j < 3; ++j) {
            each(j, [&](std::uint32_t k, double x) { tile.low[j][k] = tile.high[j][k] = x; });
        }
        each(3, [&](std::uint32_t k, double radius) { tile.radius[k] = tile.size[k] = radius; });
    }

    /// Sets the sizes of objects that are boxes along the axes, and for those with low > high a radius that stays
    /// negative: a sweep may make such a box look like one.
    void measure_diagonals() {
        for (std::uint32_t k = 0; k < tile.count; ++k) {
            double square = 0, least = 0;
            for (std::uint32_t j = 0; j < 3; ++j) {
                const double side = tile.high[j][k] - tile.low[j][k];
                square += side * side;
                least = std::min(least, side);
            }
            tile.size[k] = 0.5 * std::sqrt(square);
            tile.radius[k] = least < 0 ? -infinity : 0;
        }
    }

    /// A negative number stays one, whatever is added.
    static double flawed_if_negative(double number) { return number >= 0 ? number : -infinity; }

    Tile& tile;

private:
    void margins() {
        each(most_shape_columns + margin_column,
             [&](std::uint32_t k, double margin) { tile.radius[k] += flawed_if_negative(margin); });
    }
    /// Adds 0 * sweep to the radius: min and max may lose NaN and infinity, and this makes the radius NaN.
    void sweeps() {
        for (std::uint32_t j = 0; j < 3; ++j) {
            each(most_shape_columns + sweep_column + j, [&](std::uint32_t k, double sweep) {
                tile.low[j][k] += std::min(sweep, 0.0);
                tile.high[j][k] += std::max(sweep, 0.0);
                tile.radius[k] += 0 * sweep;
            });
        }
    }

    const Columns& columns_;
};

/// The eye, and how sizes are projected.
struct LodView {
    double eye[3];
    double error;  // how far the eye may be from `eye`, and the rounding of the sum that makes it
    double scale;
    bool by_distance;

    explicit LodView(const PreparedView& view)
        : error(2 * static_cast<double>(view.eye_error)),
          scale(static_cast<double>(view.size_scale)),
          by_distance(view.size_by_distance != 0) {
        for (std::uint32_t j = 0; j < 3; ++j) {
            const double hi = static_cast<double>(view.eye.origin_hi[j]);
            eye[j] = hi + static_cast<double>(view.eye.origin_lo[j]);
            error += 0x1p-50 * std::fabs(hi);
        }
    }

    /// Finds the distances. A box's sides are sums of doubles, each off by 2^-53 of the numbers added; these are at
    /// most 3 times the largest |coordinate| of the box. 2^-46 of the coordinates leaves room. A comparison with NaN
    /// fails, so NaN ends as a flaw or as distance 0.
    void measure(Tile& tile) const {
        for (std::uint32_t k = 0; k < tile_objects; ++k) {
            double square = 0, magnitude = 0, emptiness = 0;
            for (std::uint32_t j = 0; j < 3; ++j) {
                const double low = tile.low[j][k], high = tile.high[j][k];
                const double gap = std::max(std::max(low - eye[j], eye[j] - high), 0.0);
                square += gap * gap;
                magnitude += std::max(std::fabs(low), std::fabs(high));
                emptiness = std::max(emptiness, low - high);
            }
            const double radius = tile.radius[k];
            tile.flaw[k] = (emptiness <= 0 ? 0 : flawed) + (radius >= 0 ? 0 : flawed) +
                           (magnitude + radius <= largest_magnitude ? 0 : flawed) + (tile.size[k] >= 0 ? 0 : flawed);
            const double least = std::sqrt(square) * down - radius * up - (error + 0x1p-46 * magnitude);
            const double shown = std::min((least - tile.flaw[k]) * down_to_float, static_cast<double>(FLT_MAX));
            tile.distance[k] = static_cast<float>(shown >= static_cast<double>(FLT_MIN) ? shown : 0.0);
        }
    }
    void project(Tile& tile) const {
        const double over_distance = by_distance ? 1 : 0;
        for (std::uint32_t k = 0; k < tile_objects; ++k) {
            const double over = over_distance * static_cast<double>(tile.distance[k]) + (1 - over_distance);
            const double size = (tile.size[k] * scale * up + tile.flaw[k]) / over;
            tile.projected[k] = size >= 0 ? size : infinity;
        }
    }
};

bool wants_levels(const LodOutput& output) { return !output.levels.empty() || !output.latest.empty(); }

/// Copies numbers to `to` behind its first `before`, as many as there is room for.
template <class T>
void append(const T* from, std::uint32_t count, Span<T> to, std::uint64_t before) {
    if (before >= to.size()) return;
    const Span<T> rest = to.subspan(static_cast<std::size_t>(before));
    std::copy_n(from, std::min<std::size_t>(count, rest.size()), rest.begin());
}

/// Thresholds, and for each level the interval of sizes in which an object keeps it. The last interval is empty: it is
/// for numbers that are no level.
struct Levels {
    std::uint32_t count;  // of thresholds
    double threshold[max_lod_thresholds];
    double keep_from[max_lod_thresholds + 2], keep_below[max_lod_thresholds + 2];

    explicit Levels(const LodOutput& output)
        : count(wants_levels(output) ? static_cast<std::uint32_t>(output.thresholds.size()) : 0) {
        const double band = 1 + static_cast<double>(output.hysteresis);
        keep_below[0] = infinity;
        for (std::uint32_t l = 0; l < count; ++l) {
            threshold[l] = static_cast<double>(output.thresholds[l]);
            keep_from[l] = threshold[l] / band;
            keep_below[l + 1] = threshold[l] * band;
        }
        keep_from[count] = 0;
        keep_from[count + 1] = infinity;
        keep_below[count + 1] = 0;
    }

    void choose(Tile& tile) const {
        double level[tile_objects] = {};
        for (std::uint32_t l = 0; l < count; ++l) {
            for (std::uint32_t k = 0; k < tile_objects; ++k) level[k] += tile.projected[k] < threshold[l] ? 1 : 0;
        }
        for (std::uint32_t k = 0; k < tile_objects; ++k) tile.level[k] = static_cast<std::uint8_t>(level[k]);
    }
    [[nodiscard]] std::uint8_t after(std::uint8_t latest, double size, std::uint8_t level) const {
        const std::uint32_t last = std::min<std::uint32_t>(latest, count + 1);
        const bool keeps = (size >= keep_from[last]) & (size < keep_below[last]);
        return keeps ? latest : level;
    }
};

/// Writes tile after tile.
class Writer {
public:
    explicit Writer(const LodWork& work)
        : work_(work), sight_(*work.view), levels_(*work.output), written_(work.visible_before) {}

    void write() {
        std::uint32_t slot = work_.first_slot;
        for (std::size_t w = 0; w < work_.words; ++w, slot += 64) {
            for (std::uint64_t left = work_.kept[w]; left != 0; left &= left - 1) {
                tile_.slots[tile_.count++] = slot + static_cast<std::uint32_t>(std::countr_zero(left));
                if (tile_.count == tile_objects) flush();
            }
        }
        flush();
    }

private:
    void flush() {
        const LodOutput& output = *work_.output;
        Gatherer(*work_.objects, tile_).gather();
        sight_.measure(tile_);
        append(tile_.distance, tile_.count, output.distances, written_);
        if (levels_.count > 0) choose_levels(output);
        written_ += tile_.count;
        tile_.count = 0;
    }

    void choose_levels(const LodOutput& output) {
        sight_.project(tile_);
        levels_.choose(tile_);
        for (std::uint32_t k = 0; k < tile_.count && !output.latest.empty(); ++k) {
            std::uint8_t& latest = output.latest[work_.handles[tile_.slots[k]]];
            latest = tile_.level[k] = levels_.after(latest, tile_.projected[k], tile_.level[k]);
        }
        append(tile_.level, tile_.count, output.levels, written_);
    }

    const LodWork& work_;
    const LodView sight_;
    const Levels levels_;
    std::uint64_t written_;  // visible objects so far, including those before the range
    Tile tile_{};            // entries beyond `count` are computed and never used
};

}  // namespace

void write_lod(const LodWork& work) noexcept { Writer(work).write(); }

Status check_lod(const LodOutput& output, const PreparedView& view, std::size_t v, std::uint64_t handles) noexcept {
    const FloatModes modes;
    if (!output.distances.empty() && view.has_eye == 0) {
        return failure("outputs[%zu].lod.distances: view %zu has no eye", v, v);
    }
    if (!wants_levels(output)) return {};
    if (!(view.size_scale > 0) || (view.size_by_distance != 0 && view.has_eye == 0)) {
        return failure("outputs[%zu].lod.levels: view %zu has no size scale", v, v);
    }
    if (output.thresholds.empty() || output.thresholds.size() > max_lod_thresholds) {
        return failure("outputs[%zu].lod.thresholds: must be 1 to %zu, not %zu", v, max_lod_thresholds,
                       output.thresholds.size());
    }
    float before = std::numeric_limits<float>::infinity();
    for (const float threshold : output.thresholds) {
        if (!(threshold > 0 && threshold < before)) {
            return failure("outputs[%zu].lod.thresholds: %g is not positive and less than the one before", v,
                           static_cast<double>(threshold));
        }
        before = threshold;
    }
    if (!(output.hysteresis >= 0 && output.hysteresis <= 1)) {
        return failure("outputs[%zu].lod.hysteresis: %g is not from 0 to 1", v, static_cast<double>(output.hysteresis));
    }
    if (!output.latest.empty() && output.latest.size() < handles) {
        return failure("outputs[%zu].lod.latest: %zu entries are fewer than handle_limit(), %llu", v,
                       output.latest.size(), static_cast<unsigned long long>(handles));
    }
    return {};
}

}  // namespace lanecull
