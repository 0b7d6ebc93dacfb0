#include <algorithm>
#include <cmath>
#include <limits>

#include "base/interval.hpp"
#include "base/rounding_bound.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {

namespace {

constexpr double depth_share = PairsOfSides::depth_share;

/// Centres that are deeper are left to later stages, even if the volume is endless: their numbers may be too large.
constexpr double farthest = 1e29;

double steepest(const float (&range)[2]) {
    return std::max(std::fabs(static_cast<double>(range[0])), std::fabs(static_cast<double>(range[1])));
}

/// How much of a length across counts as a distance beyond a tilted depth plane. Infinite where that is not known.
double tilt(const PreparedView& view) {
    double most = 0;
    for (std::uint32_t k = 4; k < view.plane_count; ++k) {
        const float(&n)[3] = view.view_normal[k];
        const double across = std::max(std::fabs(static_cast<double>(n[0])), std::fabs(static_cast<double>(n[1])));
        const double slope = static_cast<double>(view.slope_magnitude);
        const double of_this = 2 * across * (2 + slope) / std::fabs(static_cast<double>(n[2]));
        if (!(of_this < std::numeric_limits<double>::infinity())) return std::numeric_limits<double>::infinity();
        most = std::max(most, of_this);
    }
    return most;
}

/// Sets one pair's row and returns its slope. The row's length is at most 1, so no side is taken for farther away than
/// it is.
float slant(const Frame& frame, std::uint32_t axis, const float (&range)[2], double (&row)[3]) {
    const double low = static_cast<double>(range[0]), high = static_cast<double>(range[1]);
    const double scale = 1 / std::sqrt(1 + steepest(range) * steepest(range));
    for (std::size_t j = 0; j < 3; ++j) {
        const double across = static_cast<double>(frame.rotation[3 * axis + j]);
        row[j] = scale * (across - 0.5 * (low + high) * static_cast<double>(frame.rotation[6 + j]));
    }
    return static_cast<float>(0.5 * (high - low) * scale / (1 - depth_share));
}

}  // namespace

void describe_distances(PreparedView& view) {
    for (std::size_t left = 0; left < 2; ++left) {
        for (std::size_t below = 0; below < 2; ++below) {
            const double x = std::fabs(static_cast<double>(view.x_range[1 - left]));
            const double y = std::fabs(static_cast<double>(view.y_range[1 - below]));
            const double numbers[] = {x, y, 1 / (1 + x * x), 1 / (1 + y * y), 1 / (1 + x * x + y * y)};
            for (std::size_t k = 0; k < 5; ++k) view.quarter[left][below][k] = static_cast<float>(numbers[k]);
        }
    }
    double roundings = roundings::ball_moved + roundings::slack;
    if (view.volume != VolumeKind::box) {
        const double x = steepest(view.x_range), y = steepest(view.y_range);
        const double slant = std::sqrt(1 + x * x + y * y);
        roundings += roundings::ball_sides + static_cast<double>(roundings::ball_depth) * slant;
    }
    view.measured_roundings = float_up(roundings);
}

void describe_sides(PreparedView& view) {
    view.sides = PairsOfSides{};
    const bool is_perspective = view.is_described && view.frame.rigid && view.z_range[0] >= 0 &&
                                (view.volume == VolumeKind::frustum || view.volume == VolumeKind::edge_frustum);
    if (!is_perspective || tilt(view) > 0.5 * depth_share) return;  // depth_share makes up for so much

    PairsOfSides sides;
    sides.slope_x = slant(view.frame, 0, view.x_range, sides.row[0]);
    sides.slope_y = slant(view.frame, 1, view.y_range, sides.row[1]);
    const double depth_scale = 1 - depth_share;
    for (std::size_t j = 0; j < 3; ++j) {
        sides.row[2][j] = depth_scale * static_cast<double>(view.frame.rotation[6 + j]);
    }
    // The depth planes of a frustum may be tilted as well, by a little.
    const double inner[2] = {static_cast<double>(*std::max_element(view.edge_near, view.edge_near + 4)),
                             static_cast<double>(*std::min_element(view.edge_far, view.edge_far + 4))};
    sides.near_depth = float_down(depth_scale * static_cast<double>(view.z_range[0]));
    sides.far_depth = float_up(depth_scale * static_cast<double>(view.z_range[1]));
    sides.inner_near = float_up(depth_scale * inner[0]);
    sides.inner_far = float_down(depth_scale * (std::isfinite(inner[1]) ? inner[1] : farthest));

    // cull/PROOF.md, "The bound without |q|", derives these numbers.
    const double error = std::sqrt(3) * (1 + 0x1p-10) * (1 + steepest(view.x_range) + steepest(view.y_range)) *
                         roundings::early * static_cast<double>(unit_roundoff);
    double lo = 0;
    for (const float a : view.frame.origin_lo) lo += std::fabs(static_cast<double>(a));
    const double fixed = std::sqrt(3) * static_cast<double>(view.apex_error) + 0x1p-17 * lo;
    const auto describe = [&](double behind) {  // at depth -1 a centre is at least `behind` outside
        const double scale = 1 + (4 + 3 / behind) * error;
        sides.scale = float_up(static_cast<double>(view.frame.ball_scale) * scale);
        sides.share = float_up(error * scale / depth_scale);
        sides.fixed = float_up(fixed * scale);
        return scale <= 1 + 0x1p-8;
    };
    const double gentlest = static_cast<double>(std::min(sides.slope_x, sides.slope_y));
    const bool near_is_small = view.volume == VolumeKind::frustum && inner[0] <= 0x1p-7 * inner[1];
    const double behind = static_cast<double>(std::max(sides.slope_x, sides.slope_y)) * depth_scale;
    if (near_is_small && gentlest > 0 && describe(behind)) {
        sides.near_reach = float_up(gentlest * static_cast<double>(sides.inner_near));
        const double far = static_cast<double>(view.z_range[1]);
        sides.allowance = float_down(std::isfinite(far) ? 0x1p-12 * far : static_cast<double>(view.z_range[0]));
    } else if (!describe(depth_scale)) {
        return;
    }
    sides.known = 1;
    view.sides = sides;
}

}  // namespace lanecull
