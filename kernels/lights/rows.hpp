#pragma once

/// The closed form: which tiles of each row a ball reaches, for W balls at a time.
///
/// A row j of slice k is convex, and its tiles are parted by the slope x / z alone (by x in orthographic views). So the
/// ball reaches the tiles between the least and the greatest slope of what it has in common with the row, and no
/// others. Each of the two is attained at one of a few places, of which all that may lie in the row are tried
/// (lights/PROOF.md): where the ball touches a plane through the eye and the y axis; the same within a plane between
/// rows; in the plane of a boundary at the height of the ball's centre; and on the lines where these planes meet.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/place.hpp"
#include "lights/slopes.hpp"
#include "lights/work.hpp"

namespace lanecull {
namespace {

/// Of the squared distance from the eye: shorter tangents' squares are not known well enough. is_at_tangent() leaves
/// those that count to GJK, with more than this share.
constexpr float least_tangent = 1.0f / 128.0f;

/// Slopes of tangents, and between which depths they touch.
struct TangentsW {
    SlopesW slopes;
    FloatW low_near, low_far, high_near, high_far;

    LANE_INLINE MaskW low_between(FloatW near, FloatW far) const { return (low_far >= near) & (low_near <= far); }
    LANE_INLINE MaskW high_between(FloatW near, FloatW far) const { return (high_far >= near) & (high_near <= far); }
    LANE_INLINE SlopesW between(FloatW near, FloatW far) const {
        return {select(low_between(near, far), slopes.low, FloatW(beyond_all)),
                select(high_between(near, far), slopes.high, FloatW(-beyond_all))};
    }
};

/// W balls.
struct BallsW {
    Vec3W c;
    FloatW radius, square, bound;
    FloatW x_low, x_high;  // c.x, less and more what a sum and a product may be off by
    FloatW tangent;        // the length of the tangent from the eye
    FloatW blur;           // how far a place of touch may be off in depth, where tangents are that long
    FloatW spread;         // how much a tangent's slope may be off, times its length
    MaskW has_tangent;
    float slope_per_angle;
    bool is_orthographic;

    LANE_INLINE BallsW(const LightCells& cells, const Vec3W& center, FloatW radius_, FloatW bound_, FloatW magnitude)
        : c(center),
          radius(radius_),
          square(radius_ * radius_),
          bound(bound_),
          slope_per_angle(cells.slope_per_angle),
          is_orthographic(cells.is_orthographic != 0) {
        const FloatW off = FloatW(error_per_magnitude(roundings::light_across)) * magnitude;
        x_low = c.x - off, x_high = c.x + off;
        spread = FloatW(error_per_magnitude(roundings::light_tangent) * slope_per_angle) * magnitude;
        const FloatW size = fma(c.z, c.z, fma(c.y, c.y, c.x * c.x)), square_t = size - square;
        has_tangent = square_t > size * FloatW(least_tangent);
        tangent = sqrt(max(square_t, FloatW(0.0f)));
        blur = fma(FloatW(64 * unit_roundoff), size, FloatW(4.0f) * bound * radius);
    }

    /// Tangents from a point of a plane at distance 0 from it to the disc around (c.x, z), in a plane whose depth is
    /// stretched by `stretch`; the disc's radius is the root of disc_2. `length` is that of the tangents.
    LANE_INLINE TangentsW tangents(FloatW z, FloatW stretch_2, FloatW disc_2, FloatW length, MaskW exist) const {
        const FloatW zero(0.0f), big(beyond_all), flat = FloatW(1.0f) / stretch_2;
        const FloatW square_c = fma(z * z, stretch_2, c.x * c.x);
        const FloatW wide = sqrt(max(disc_2, zero) * stretch_2), slim = wide * flat;
        const FloatW least = sqrt(max(disc_2 - FloatW(2.25f) * bound * radius, zero) * stretch_2) * flat;
        const FloatW lz = length * z, lx = length * c.x;
        const FloatW right = lz - slim * c.x, left = lz + slim * c.x;
        const FloatW share = length / square_c, off = blur / length, spread_l = spread / length;
        const FloatW high_a = share * right, high_b = share * (lz - least * c.x);
        const FloatW low_a = share * left, low_b = share * (lz + least * c.x);
        TangentsW t;
        t.slopes.high = select(right > zero, fma(wide, z, lx) / right + spread_l, big);
        t.slopes.low = select(left > zero, (lx - wide * z) / left - spread_l, -big);
        exist = exist & (disc_2 >= zero);
        t.high_near = select(exist, min(high_a, high_b) - off, big);
        t.high_far = select(exist, max(high_a, high_b) + off, -big);
        t.low_near = select(exist, min(low_a, low_b) - off, big);
        t.low_far = select(exist, max(low_a, low_b) + off, -big);
        return t;
    }

    /// Of the plane y = slope z, or y = slope.
    LANE_INLINE TangentsW in_plane(FloatW slope) const {
        if (is_orthographic) {
            const FloatW away = c.y - slope;
            return at_center(square - away * away);
        }
        const FloatW stretch_2 = fma(slope, slope, FloatW(1.0f)), flat = FloatW(1.0f) / stretch_2;
        const FloatW away = c.y - slope * c.z;
        return tangents(fma(slope, c.y, c.z) * flat, stretch_2, square - away * away * flat, tangent, has_tangent);
    }
    /// At any height.
    LANE_INLINE TangentsW anywhere() const {
        if (is_orthographic) return at_center(square);
        const FloatW size = fma(c.z, c.z, c.x * c.x), square_t = size - square;
        const FloatW length = sqrt(max(square_t, FloatW(0.0f)));
        return tangents(c.z, FloatW(1.0f), square, length, square_t > size * FloatW(least_tangent));
    }
    LANE_INLINE TangentsW at_center(FloatW square_a) const {
        const MaskW exist = square_a >= FloatW(0.0f);
        const FloatW a = sqrt(max(square_a, FloatW(0.0f))), big(beyond_all);
        const FloatW near = select(exist, c.z, big), far = select(exist, c.z, -big);
        return {{x_low - a, x_high + a}, near, far, near, far};
    }
    /// On a line along x whose distance from the centre has this square, less than that of the radius by square_a.
    LANE_INLINE SlopesW on_line(FloatW square_a, FloatW inverse) const {
        const FloatW a = sqrt(max(square_a, FloatW(0.0f)));
        return where(square_a >= FloatW(0.0f), {(x_low - a) * inverse, (x_high + a) * inverse});
    }
};

/// Which rows a tangent's height may be in, as numbers that are not whole.
struct HeightsW {
    FloatW low, high;

    /// Of points at the height of the ball's centre, between two depths.
    LANE_INLINE HeightsW(const TileLines& lines, const BallsW& balls, FloatW near, FloatW far) {
        const FloatW one(1.0f), big(beyond_all), per_step(lines.per_step), tolerance(lines.tolerance);
        const auto row = [&](FloatW height) LANE_LAMBDA { return (height - FloatW(lines.first)) * per_step; };
        FloatW a = row(balls.c.y), b = a;
        if (!balls.is_orthographic) {
            a = row(balls.c.y * (one / near)), b = row(balls.c.y * (one / far));
            // Slices have depths above 0, where the height's slope is as far out on the centre's side as one likes.
            a = select(near > FloatW(0.0f), a, flip(big, balls.c.y));
        }
        low = min(a, b) - tolerance, high = max(a, b) + tolerance;
    }
    LANE_INLINE MaskW in_row(FloatW row) const { return (high >= row) & (low <= row + FloatW(1.0f)); }
};

/// The rows of a packet of lights. Slices and rows are counted from each light's first one, so that lights that have as
/// many share packets, wherever they are.
struct PacketRows {
    alignas(64) float first_slice[lanes], slice_count[lanes], first_row[lanes], row_count[lanes];
    std::uint32_t slices = 0, rows = 0;  ///< the greatest counts

    LANE_INLINE void set_rows(std::uint32_t lane, const LightBlock* block) {
        first_slice[lane] = slice_count[lane] = first_row[lane] = row_count[lane] = 0;
        if (block == nullptr) return;
        const std::uint32_t tall = block->end_row - std::uint32_t{block->first_row};
        const std::uint32_t deep = block->end_slice - std::uint32_t{block->first_slice};
        first_slice[lane] = block->first_slice, slice_count[lane] = static_cast<float>(deep);
        first_row[lane] = block->first_row, row_count[lane] = static_cast<float>(tall);
        slices = deep > slices ? deep : slices, rows = tall > rows ? tall : rows;
    }
    /// Lanes that have an i-th slice, or row.
    LANE_INLINE MaskW has_slice(std::uint32_t i) const { return FloatW(static_cast<float>(i)) < load(slice_count); }
    LANE_INLINE MaskW has_row(std::uint32_t i) const { return FloatW(static_cast<float>(i)) < load(row_count); }
    /// The number of each lane's i-th boundary, or of the last one of all.
    LANE_INLINE IndexW boundary(const LightCells& cells, std::uint32_t i) const {
        const FloatW last(static_cast<float>(cells.slices));
        return to_index(min(load(first_slice) + FloatW(static_cast<float>(i)), last));
    }
    LANE_INLINE FloatW line(const LightCells& cells, std::uint32_t b) const {
        return fma(load(first_row) + FloatW(static_cast<float>(b)), FloatW(cells.y.step), FloatW(cells.y.first));
    }
};

/// A packet of lights by their slots.
struct BallPacket : PacketRows {
    alignas(64) float x[lanes], y[lanes], z[lanes], radius[lanes], bound[lanes], magnitude[lanes];

    LANE_INLINE void set(const LightCells&, std::uint32_t lane, const PlacedLights& placed, std::uint32_t slot,
                         const LightBlock* block) {
        x[lane] = placed.x[slot], y[lane] = placed.y[slot], z[lane] = placed.z[slot];
        radius[lane] = placed.radius[slot], bound[lane] = placed.bound[slot];
        magnitude[lane] = placed.magnitude[slot];
        set_rows(lane, block);
    }
};

/// The spans of tiles between slopes, of lanes that are active.
LANE_INLINE IndexW spans_of(const TileLines& lines, const SlopesW& slopes, MaskW active) {
    const FloatW zero(0.0f), count(static_cast<float>(lines.count)), last = count - FloatW(0.5f);
    const FloatW per_step(lines.per_step), first(lines.first), tolerance(lines.tolerance);
    const FloatW low = (slopes.low - first) * per_step - tolerance, high = (slopes.high - first) * per_step + tolerance;
    const MaskW reached = active & (low <= count) & (high >= zero) & (slopes.low <= slopes.high);
    const IndexW begin = to_index(select(reached, min(max(low, zero), last), zero));
    const IndexW end = to_index(select(reached, min(high, last) + FloatW(1.0f), zero));
    return begin + end * IndexW(256);
}

/// Writes the spans of a packet's lights, slice by slice and row by row.
LANE_INLINE void write_spans(const LightCells& cells, const BallPacket& packet, TileSpan* spans) {
    const BallsW balls(cells, {load(packet.x), load(packet.y), load(packet.z)}, load(packet.radius), load(packet.bound),
                       load(packet.magnitude));
    const TangentsW anywhere = balls.anywhere();
    const HeightsW low_rows(cells.y, balls, anywhere.low_near, anywhere.low_far);
    const HeightsW high_rows(cells.y, balls, anywhere.high_near, anywhere.high_far);

    FloatW line[LANECULL_MAX_LIGHT_TILES + 1], near(0.0f);
    TangentsW tangents[LANECULL_MAX_LIGHT_TILES + 1];
    SlopesW before[LANECULL_MAX_LIGHT_TILES];  // of each row, at the boundary before
    for (std::uint32_t b = 0; b <= packet.rows; ++b) {
        line[b] = packet.line(cells, b);
        tangents[b] = balls.in_plane(line[b]);
    }
    for (std::uint32_t i = 0; i <= packet.slices; ++i) {
        const IndexW number = packet.boundary(cells, i);
        const FloatW depth = gather(cells.depth, number), inverse = gather(cells.inverse, number);
        const FloatW scale = cells.is_orthographic ? FloatW(1.0f) : depth;
        const FloatW away_z = depth - balls.c.z, square_z = balls.square - away_z * away_z;
        const SlopesW in_plane = balls.on_line(square_z, inverse);
        const MaskW low_here = anywhere.low_between(near, depth), high_here = anywhere.high_between(near, depth);
        SlopesW last_line = no_slopes(), last_tangent = no_slopes();
        MaskW last_below = mask_of(0);
        for (std::uint32_t b = 0; b <= packet.rows; ++b) {
            const FloatW height = line[b] * scale, away_y = height - balls.c.y;
            const SlopesW on_line = balls.on_line(square_z - away_y * away_y, inverse);
            const MaskW below = height <= balls.c.y, above = height >= balls.c.y;
            const SlopesW tangent = tangents[b].between(near, depth);
            if (b > 0) {
                const SlopesW here = joined(joined(on_line, last_line), where(last_below & above, in_plane));
                if (i > 0) {
                    const FloatW row = load(packet.first_row) + FloatW(static_cast<float>(b) - 1);
                    SlopesW all = joined(joined(here, before[b - 1]), joined(tangent, last_tangent));
                    all.low = select(low_here & low_rows.in_row(row), min(all.low, anywhere.slopes.low), all.low);
                    all.high = select(high_here & high_rows.in_row(row), max(all.high, anywhere.slopes.high), all.high);
                    const MaskW counts = packet.has_slice(i - 1) & packet.has_row(b - 1);
                    store(spans + ((i - 1) * packet.rows + b - 1) * lanes, spans_of(cells.x, all, counts));
                }
                before[b - 1] = here;
            }
            last_line = on_line, last_tangent = tangent, last_below = below;
        }
        near = depth;
    }
}

}  // namespace
}  // namespace lanecull
