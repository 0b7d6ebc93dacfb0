#pragma once

/// Spans of tiles, by planes that lights lie behind: slice by slice and row by row, for W lights at a time.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/cones.hpp"
#include "lights/place.hpp"
#include "lights/rows.hpp"
#include "lights/work.hpp"

namespace lanecull {
namespace {

constexpr float doubt = 8;             ///< so many error bounds are no more than what rounding may amount to
constexpr float near_apex = 0x1p-10f;  ///< lines that are nearer to an apex, in scaled lights, may know no normal there

/// A packet of lights by their slots.
struct ConePacket : PacketRows {
    alignas(64) float number[PlacedLights::cone_numbers][lanes], magnitude[lanes], inverse[lanes];

    LANE_INLINE void set(const LightCells& cells, std::uint32_t lane, const PlacedLights& placed, std::uint32_t slot,
                         const LightBlock* block) {
        for (std::uint32_t k = 0; k < PlacedLights::cone_numbers; ++k) number[k][lane] = placed.cone[k][slot];
        magnitude[lane] = placed.magnitude[slot];
        inverse[lane] = block == nullptr ? 0 : cells.inverse[block->first_slice];
        set_rows(lane, block);
    }
    LANE_INLINE FloatW of(PlacedLights::Number which) const { return load(number[which]); }
    LANE_INLINE FloatW scale() const { return exponent_scale(load(magnitude)); }
    LANE_INLINE ConesW cones(const LightCells& cells, Body body) const {
        return {cells,
                body,
                {of(PlacedLights::apex_x), of(PlacedLights::apex_y), of(PlacedLights::apex_z)},
                {of(PlacedLights::axis_x), of(PlacedLights::axis_y), of(PlacedLights::axis_z)},
                of(PlacedLights::range),
                of(PlacedLights::tangent),
                load(magnitude),
                scale()};
    }
};

/// What planes along one axis, y or x, say of lights: between which slopes they are.
struct AlongAxisW {
    EyePlanesW eye;
    CutsW side[2];
    bool has_sides;

    LANE_INLINE AlongAxisW(const ConesW& cones, FloatW first_inverse)
        : eye(cones.seen_along_y(first_inverse)), has_sides(cones.body != Body::ball) {
        if (has_sides) cones.along_y(side);
    }
    LANE_INLINE void narrow_by_sides(SlopesW& slopes, FloatW near, FloatW far) const {
        for (std::uint32_t i = 0; i < 2 && has_sides; ++i) side[i].narrow(slopes, near, far);
    }
    LANE_INLINE void narrow_more_by_sides(SlopesW& slopes, FloatW near, FloatW far, FloatW share) const {
        for (std::uint32_t i = 0; i < 2 && has_sides; ++i) side[i].narrow_more(slopes, near, far, share);
    }
};

/// A boundary between slices.
struct BoundaryW {
    FloatW depth, inverse;
    FloatW near;  // the inverse, or that of where lights begin
    CutsW x, y;
};

/// A slice: which lanes reach it, and the slopes of their rows and tiles.
struct SliceW {
    MaskW active;
    MaskW barely;   // set: lights end so near its boundaries that rounding may matter
    FloatW margin;  // the same, in slopes
    SlopesW rows, tiles;
    SlopesW sure;  // the rows, however planes were rounded

    LANE_INLINE MaskW in_row(FloatW low, FloatW high) const {
        return but_not(but_not(active, rows.low > high), rows.high < low);
    }
    LANE_INLINE MaskW is_doubtful(FloatW low, FloatW high) const {
        return barely | (high < sure.low) | (sure.high < low);
    }
};

/// W lights with their rows.
struct ConeRowsW {
    const LightCells& cells;
    const ConePacket& packet;
    ConesW cones, turned;  // turned: x and y exchanged
    FloatW scale, unscale, near_inverse;
    FloatW first_inverse;  // of the first depth that counts
    AlongAxisW along_y, along_x;
    LinesW lines;
    CutsW cap, eye[2];                         // planes that no line makes: of the flat end, and through the eye
    std::uint32_t mixed = 0;                   // lanes of which all rows are doubtful
    LimitsW in_row[LANECULL_MAX_LIGHT_TILES];  // of other planes through the eye
    SlopesW touching[LANECULL_MAX_LIGHT_TILES];

    LANE_INLINE ConeRowsW(const LightCells& cells_, const ConePacket& packet_, Body body)
        : cells(cells_),
          packet(packet_),
          cones(packet_.cones(cells_, body)),
          turned(cones.turned()),
          scale(packet_.scale()),
          unscale(FloatW(1.0f) / scale),
          near_inverse(packet_.of(PlacedLights::near_inverse) * unscale),
          first_inverse(min(load(packet.inverse) * unscale, near_inverse)),
          along_y(cones, first_inverse),
          along_x(turned, first_inverse),
          lines(cones) {
        if (body == Body::flat) cap = cones.cuts(cones.axis);
        limit_rows();
    }

    LANE_INLINE void limit_rows() {
        const OutlineW rim = OutlineW::of_rim(cones), ball = OutlineW::of_ball(cones);
        CutsW before[2], here[2];
        if (cones.body != Body::ball) cones.through_eye(eye);
        for (std::uint32_t b = 0; b <= packet.rows; ++b) {
            Vec3W normals[2], of_ball[2];
            if (cones.body != Body::ball) rim.normals_of_rim(line(b), normals);
            if (cones.body != Body::flat) ball.normals_of_ball(cones, line(b), of_ball);
            if (cones.body == Body::round) note_mixed(normals, of_ball);
            for (std::uint32_t i = 0; i < 2 && cones.body != Body::flat; ++i)
                normals[i] = select(cones.is_on_end(of_ball[i]), of_ball[i], normals[i]);
            for (std::uint32_t i = 0; i < 2; ++i) here[i] = cones.cuts_by_eye(normals[i]);
            if (b > 0) {
                EyePlanesW limits = along_y.eye;
                const auto take = [&](const CutsW& cuts) LANE_LAMBDA {
                    limits.take(cuts, over_row(cuts.right, b), over_row(cuts.left, b));
                };
                for (std::uint32_t i = 0; i < 2; ++i) take(before[i]), take(here[i]);
                for (std::uint32_t i = 0; i < 2 && cones.body != Body::ball; ++i)
                    limits.touch(eye[i], over_row(eye[i].right, b), over_row(eye[i].left, b));
                in_row[b - 1] = limits.first, touching[b - 1] = limits.touching;
            }
            before[0] = here[0], before[1] = here[1];
        }
    }
    /// One of the two planes touches the round end, the other one the rim, and it is not certain which does what.
    LANE_INLINE void note_mixed(const Vec3W (&rim)[2], const Vec3W (&ball)[2]) {
        const FloatW zero(0.0f);
        const std::uint32_t one_end = bits(cones.is_on_end(ball[0])) ^ bits(cones.is_on_end(ball[1]));
        const MaskW apart = (rim[0].x > zero) & (rim[1].x < zero) & (ball[0].x > zero) & (ball[1].x < zero);
        mixed |= one_end & ~bits(apart);
    }
    /// Found anew each time: lines in memory would take 4 KiB of the stack.
    LANE_INLINE FloatW line(std::uint32_t b) const { return packet.line(cells, b); }
    /// A plane's base in the row below line b.
    LANE_INLINE FloatW over_row(const CutW& cut, std::uint32_t b) const {
        return cut.base - min(cut.across * line(b - 1), cut.across * line(b));
    }

    /// By planes that say something of s.
    LANE_INLINE void narrow(SlopesW& slopes, const CutsW& cuts, std::uint32_t b, FloatW near, FloatW far) const {
        const auto at = [&](const CutW& cut)
                            LANE_LAMBDA { return max(cut.reach * near, cut.reach * far) + over_row(cut, b); };
        slopes.high = min(at(cuts.right), slopes.high), slopes.low = max(-at(cuts.left), slopes.low);
    }

    LANE_INLINE BoundaryW boundary(std::uint32_t i) const {
        const IndexW number = packet.boundary(cells, i);
        BoundaryW at;
        at.depth = gather(cells.depth, number) * scale, at.inverse = gather(cells.inverse, number) * unscale;
        at.near = min(at.inverse, near_inverse);
        at.x = cones.at_depth(at.depth), at.y = turned.at_depth(at.depth);
        return at;
    }
    LANE_INLINE SliceW slice(std::uint32_t i, const BoundaryW& near, const BoundaryW& far) const {
        const FloatW margin = FloatW(doubt) * cones.error, farthest = packet.of(PlacedLights::farthest) * scale;
        const MaskW barely =
            (farthest - near.depth < margin) | (far.depth * near_inverse - FloatW(1.0f) < margin * near_inverse);
        SliceW of{packet.has_slice(i), barely, margin * near.near, all_slopes(), all_slopes(), all_slopes()};
        along_x.eye.first.narrow(of.rows, near.near, far.inverse);
        along_x.narrow_by_sides(of.rows, near.near, far.inverse);
        near.y.narrow(of.rows, near.near, far.inverse), far.y.narrow(of.rows, near.near, far.inverse);
        const SlopesW& by_eye = along_x.eye.touching;
        const auto slack = [&](FloatW slope) LANE_LAMBDA { return fma(of.margin, abs(slope), of.margin); };
        of.sure = {by_eye.low + slack(by_eye.low), by_eye.high - slack(by_eye.high)};
        along_x.narrow_more_by_sides(of.sure, near.near, far.inverse, of.margin);
        near.y.narrow_more(of.sure, near.near, far.inverse, of.margin);
        far.y.narrow_more(of.sure, near.near, far.inverse, of.margin);
        along_y.narrow_by_sides(of.tiles, near.near, far.inverse);
        near.x.narrow(of.tiles, near.near, far.inverse), far.x.narrow(of.tiles, near.near, far.inverse);
        return of;
    }
    /// By one coordinate.
    LANE_INLINE MaskW is_at_apex(FloatW at, FloatW apex) const {
        return abs(at - apex) < FloatW(cones.body == Body::ball ? 0.0f : near_apex);
    }
    /// Lanes whose lights may reach the line at slope s of a boundary. No proof needs them.
    LANE_INLINE SlopesW crossing(const BoundaryW& at) const {
        SlopesW slopes = all_slopes();
        along_x.narrow_by_sides(slopes, at.inverse, at.inverse);
        at.y.narrow(slopes, at.inverse, at.inverse);
        return slopes;
    }
};

/// The rows of one slice, as far as lines in its boundaries bound them.
struct RowSlopes {
    SlopesW row[LANECULL_MAX_LIGHT_TILES];
    std::uint32_t at_apex[LANECULL_MAX_LIGHT_TILES];  // lanes with apexes at such a line
    LANE_INLINE void clear(std::uint32_t rows) {
        for (std::uint32_t b = 0; b < rows; ++b) row[b] = all_slopes(), at_apex[b] = 0;
    }
    LANE_INLINE void note_apexes(std::uint32_t rows, std::uint32_t b, std::uint32_t which) {
        if (b > 0) at_apex[b - 1] |= which;
        if (b < rows) at_apex[b] |= which;
    }
    /// By planes at line b.
    LANE_INLINE void narrow(const ConeRowsW& of, const CutsW& cuts, std::uint32_t b, FloatW near, FloatW far) {
        if (b > 0) of.narrow(row[b - 1], cuts, b, near, far);
        if (b < of.packet.rows) of.narrow(row[b], cuts, b + 1, near, far);
    }
};

/// The lanes whose spans would be others if they reached less by a margin.
LANE_INLINE std::uint32_t doubtful_ends(const TileLines& lines, const SlopesW& slopes, MaskW active, FloatW margin,
                                        IndexW found) {
    const IndexW less = spans_of(lines, {slopes.low + margin, slopes.high - margin}, active);
    return nonzero_lanes(found + less * IndexW(-1));
}

/// Writes the spans of a packet's lights, row by row of the slices that any of them reaches. Returns the lanes that
/// have doubtful ones.
LANE_INLINE std::uint32_t write_cone_spans(const LightCells& cells, const ConePacket& packet, Body body,
                                           TileSpan* spans) {
    const ConeRowsW of(cells, packet, body);
    std::uint32_t doubtful = 0;
    const std::uint32_t slices = packet.slices, rows = packet.rows;
    RowSlopes rows_of[2];
    rows_of[0].clear(rows);
    BoundaryW here = of.boundary(0), before = here;
    SliceW slice{mask_of(0), mask_of(0), 0.0f, all_slopes(), all_slopes(), all_slopes()};
    for (std::uint32_t i = 0; i <= slices; ++i) {
        const BoundaryW ahead = i < slices ? of.boundary(i + 1) : here;
        const SliceW next = of.slice(i, here, ahead);
        RowSlopes &now = rows_of[i & 1], &later = rows_of[(i + 1) & 1];
        later.clear(rows);
        const SlopesW crossing = of.crossing(here);
        const MaskW active = slice.active | next.active, at_apex = of.is_at_apex(here.depth, of.cones.apex.z);
        for (std::uint32_t b = 0; b <= rows && any(at_apex); ++b) {
            const std::uint32_t which = bits(at_apex & of.is_at_apex(of.line(b) * here.depth, of.cones.apex.y));
            now.note_apexes(rows, b, which), later.note_apexes(rows, b, which);
        }
        for (std::uint32_t b = 0; b <= rows; ++b) {
            const MaskW crosses = active & (of.line(b) <= crossing.high) & (of.line(b) >= crossing.low);
            if (!any(crosses)) continue;
            const CutsW cuts = of.lines.cuts(of.cones, of.line(b) * here.depth, here.depth, crosses);
            now.narrow(of, cuts, b, before.near, here.inverse), later.narrow(of, cuts, b, here.near, ahead.inverse);
        }
        for (std::uint32_t b = 1; b <= rows && i > 0; ++b) {
            const MaskW reached = slice.in_row(of.line(b - 1), of.line(b)) & packet.has_row(b - 1);
            IndexW found = 0;
            if (any(reached)) {
                SlopesW all = now.row[b - 1];
                all = {max(all.low, slice.tiles.low), min(all.high, slice.tiles.high)};
                of.in_row[b - 1].narrow(all, before.near, here.inverse);
                if (body == Body::flat) of.narrow(all, of.cap, b, before.near, here.inverse);
                for (std::uint32_t e = 0; e < 2 && body != Body::ball; ++e)
                    of.narrow(all, of.eye[e], b, before.near, here.inverse);
                found = spans_of(cells.x, all, reached);
                const SlopesW& touching = of.touching[b - 1];
                const SlopesW least{max(all.low, touching.low), min(all.high, touching.high)};
                const std::uint32_t doubts =
                    nonzero_lanes(found) &
                    (of.mixed | now.at_apex[b - 1] | bits(slice.is_doubtful(of.line(b - 1), of.line(b))) |
                     doubtful_ends(cells.x, least, reached, slice.margin, found));
                found = found + to_index(select(mask_of(doubts), FloatW(doubtful_span), FloatW(0.0f)));
                doubtful |= doubts;
            }
            store(spans + ((i - 1) * rows + b - 1) * lanes, found);
        }
        slice = next, before = here, here = ahead;
    }
    return doubtful;
}

}  // namespace
}  // namespace lanecull
