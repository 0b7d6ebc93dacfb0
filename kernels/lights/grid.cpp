/// Reads a grid's matrix as a frame, chooses floats for the lines between tiles and the boundaries of slices, and
/// bounds how far exact cells are from these floats' cells.

#include "lights/grid.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/failure.hpp"
#include "base/rounding_bound.hpp"
#include "view/camera.hpp"
#include "view/clip_matrix.hpp"
#include "view/frame.hpp"
#include "view/matrix_views.hpp"

namespace lanecull {
namespace {

constexpr double u = 0x1p-24;

/// Line i of n in clip space: -1 + 2 i / n.
Interval clip_line(std::uint32_t i, std::uint32_t n) { return Interval(2.0 * i) / Interval(n) - Interval(1.0); }

/// The square root, of an interval whose lower end is not negative.
Interval root(Interval square) { return {next_down(std::sqrt(square.lo)), next_up(std::sqrt(square.hi))}; }

double distance(Interval a, double from) { return std::max(std::fabs(a.lo - from), std::fabs(a.hi - from)); }

/// Chooses floats for lines. place(i, end) encloses where line i is at one of the other direction's ends, between which
/// it is monotone. Returns how far the lines as kernels compute them may be from there.
template <class Place>
double choose_lines(std::uint32_t count, const Place& place, TileLines& lines) {
    const double first = place(0, 0).mid(), last = place(count, 0).mid();
    lines.count = count;
    lines.first = static_cast<float>(first);
    lines.step = static_cast<float>((last - first) / count);
    lines.per_step = 1 / lines.step;
    double off = 0, largest = 0;
    for (std::uint32_t i = 0; i <= count; ++i) {
        const double at = static_cast<double>(lines.first) + i * static_cast<double>(lines.step);
        largest = std::max(largest, std::fabs(at));
        for (const std::uint32_t end : {0u, 1u}) off = std::max(off, distance(place(i, end), at));
    }
    const double size = largest + count * std::fabs(static_cast<double>(lines.step));
    lines.largest = float_up(largest * (1 + 0x1p-20));
    lines.tolerance = float_up(16 * u * (count + size * std::fabs(static_cast<double>(lines.per_step))));
    return off + 4 * u * size;
}

/// Depths as floats, each some `factor` times a boundary and moved by `shift`.
void choose_depths(const LightGrid& grid, double shift, LightCells& cells) {
    constexpr auto most = static_cast<double>(LightCells::endless);
    cells.slices = static_cast<std::uint32_t>(grid.boundaries.size() - 1);
    for (std::size_t k = 0; k <= cells.slices; ++k) {
        const double depth = grid.boundaries[k] + shift;
        cells.depth[k] = static_cast<float>(std::clamp(depth, -most, most));
        cells.inverse[k] = cells.is_orthographic ? 1.0f : 1 / cells.depth[k];
    }
}

Status not_enclosed() { return failure("clip_from_world: the matrix is singular, or too close to it"); }

Status finish(double absolute, double relative, LightCells& cells) {
    cells.view.apex_error = apex_error_of(absolute, cells.view.frame);
    cells.cell_error = float_up(relative * (1 + 0x1p-20));
    for (const float c : cells.view.frame.origin_hi) {
        if (!is_coordinate(static_cast<double>(c)))
            return failure("clip_from_world: the eye, or the volume's middle, is beyond coordinates of 1e30");
    }
    const bool known = std::isfinite(cells.view.apex_error) && std::isfinite(cells.cell_error) && cells.x.step > 0 &&
                       cells.y.step > 0 && std::isfinite(cells.x.per_step) && std::isfinite(cells.y.per_step) &&
                       std::isfinite(cells.x.tolerance) && std::isfinite(cells.y.tolerance);
    return known ? Status() : not_enclosed();
}

/// Along the edge through (X, Y) of the screen, y grows by E = R M^-1 (X, Y, 1) while w grows by 1 and depth by
/// 1 / |grad w|.
Status prepare_perspective_cells(const ClipRows& world, const LightGrid& grid, LightCells& cells) {
    PerspectiveVolume volume;
    if (Status status = volume.find_eye(world); !status) return status;
    Frame& frame = cells.view.frame;
    const Interval3 c = choose_origin(world_of(middle(volume.eye), grid.clip_space), frame);
    if (Status status = volume.describe(world, grid.clip_space, {}, c, frame); !status) return status;
    if (!volume.seen.exists()) return not_enclosed();
    const auto edge = [&](Interval x, Interval y) {
        return volume.rotation * volume.sides.times(Near(x), Near(y), Near(Interval(1.0)));
    };
    const auto end = [](std::uint32_t at) { return Interval(at == 0 ? -1.0 : 1.0); };
    const Interval growth = root(dot(world.w.linear, world.w.linear));
    double stretch = 0;
    for (std::uint32_t corner = 0; corner < 4; ++corner) {
        const Interval depth = edge(end(corner & 1), end(corner >> 1)).in_z();
        if (!(depth.lo > 0) || !depth.finite()) return not_enclosed();
        stretch = std::max(stretch, distance(depth * growth, 1));
    }
    const auto slope_x = [&](std::uint32_t i, std::uint32_t at) {
        const Interval3 e = edge(clip_line(i, grid.tiles_x), end(at));
        return e.in_x() / e.in_z();
    };
    const auto slope_y = [&](std::uint32_t j, std::uint32_t at) {
        const Interval3 e = edge(end(at), clip_line(j, grid.tiles_y));
        return e.in_y() / e.in_z();
    };
    const double off =
        std::max(choose_lines(grid.tiles_x, slope_x, cells.x), choose_lines(grid.tiles_y, slope_y, cells.y));
    choose_depths(grid, 0, cells);
    const double tan_x = static_cast<double>(cells.x.largest), tan_y = static_cast<double>(cells.y.largest);
    cells.slope_per_angle = float_up(std::sqrt(1 + tan_y * tan_y) * (1 + tan_x * tan_x) * (1 + 0x1p-10));
    const Interval3 apex = volume.rotation * volume.eye;
    return finish(apex.magnitude(), off + 2 * (stretch + 2 * u) * (1 + std::max(tan_x, tan_y)), cells);
}

/// A point of depth d that the matrix maps to (X, Y) is at R (p(X, Y) + d v), p being at depth 0 and v along z's
/// gradient's dual: the vector that changes z alone, by |grad z|.
Status prepare_orthographic_cells(const ClipRows& world, const LightGrid& grid, LightCells& cells) {
    Camera camera;
    if (Status status = describe_orthographic(world, grid.clip_space, {}, camera); !status) return status;
    Frame& frame = cells.view.frame;
    frame = camera.frame;
    cells.is_orthographic = 1;
    const ClipRows rows = about(world, camera.c, grid.clip_space);
    const double turn = grid.sight == SightDirection::growing_depth ? 1 : -1;
    const Interval3x3 rotation = choose_rotation(
        {normalized(middle(rows.x.linear)), normalized(middle(rows.y.linear)), camera.forward * turn}, frame);
    const Inverse from_clip(Interval3x3{{rows.x.linear, rows.y.linear, rows.z.linear}});
    if (!from_clip.exists()) return not_enclosed();
    const Interval w = rows.w.constant;
    const Interval lowest = rows.depth == DepthRange::zero_to_one ? Interval(0.0) : -w;
    const Interval z = (turn > 0 ? lowest : w) - rows.z.constant;
    const Interval growth = root(dot(rows.z.linear, rows.z.linear)) * turn;
    const Interval3 way = rotation * from_clip.times(Near(Interval(0.0)), Near(Interval(0.0)), Near(growth));
    const auto place = [&](Interval x, Interval y) {
        return rotation * from_clip.times(Near(w * x - rows.x.constant), Near(w * y - rows.y.constant), Near(z));
    };
    const auto end = [](std::uint32_t at) { return Interval(at == 0 ? -1.0 : 1.0); };
    const auto x_of = [&](std::uint32_t i, std::uint32_t at) {
        return place(clip_line(i, grid.tiles_x), end(at)).in_x();
    };
    const auto y_of = [&](std::uint32_t j, std::uint32_t at) {
        return place(end(at), clip_line(j, grid.tiles_y)).in_y();
    };
    double off = std::max(choose_lines(grid.tiles_x, x_of, cells.x), choose_lines(grid.tiles_y, y_of, cells.y));
    const double shift = place(Interval(0.0), Interval(0.0)).in_z().mid();
    for (std::uint32_t corner = 0; corner < 4; ++corner) {
        off = std::max(off, distance(place(end(corner & 1), end(corner >> 1)).in_z(), shift));
    }
    choose_depths(grid, shift, cells);
    const double lean = std::max({way.in_x().magnitude(), way.in_y().magnitude(), distance(way.in_z(), 1)});
    const double relative = 2 * (lean + 2 * u);
    return finish(off + relative * std::fabs(shift) + 2 * u * std::fabs(shift), relative, cells);
}

}  // namespace

Status prepare_light_cells(const LightGrid& grid, LightCells& cells) {
    ClipRows rows;
    const std::span<const double, 16> matrix(grid.clip_from_world, 16);
    if (Status status = read_rows(matrix, grid.clip_space, rows); !status) return status;
    return rows.w.vanishes() ? prepare_orthographic_cells(rows, grid, cells)
                             : prepare_perspective_cells(rows, grid, cells);
}

}  // namespace lanecull
