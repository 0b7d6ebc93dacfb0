/// Views of the plane: corners to edges, every number rounded outward.

#include <lanecull/flat.h>

#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "flat/bound.hpp"
#include "flat/hull.hpp"
#include "flat/prepared_view.hpp"

namespace lanecull::flat {

namespace {

constexpr double largest_coordinate = 1e30, least_size = 1e-18;
/// Magnitudes of views against which discs are compared by squares: those of u times the least are still normal.
constexpr double least_squared = 0x1p-30, largest_squared = 0x1p40;
/// Of the magnitude: a rectangle whose middle is no farther from the origin is taken to be larger instead.
constexpr double no_middle = 4 * 0x1p-24;
constexpr std::uint32_t max_edges = PreparedView::max_edges;

enum class Form { upright, turned, any };  // rectangles along the axes or not; no matter what

/// Makes what the kernels read of a convex polygon's corners, which are given counter-clockwise.
class Preparation {
public:
    explicit Preparation(std::span<const Corner> corners) : count_(static_cast<std::uint32_t>(corners.size())) {
        std::copy(corners.begin(), corners.end(), corners_);
    }

    Status prepare(Form form, View& view) {
        if (Status status = measure(); !status) return status;
        view_.aligned = form == Form::upright;
        add_vertices();
        add_edges();
        add_slabs();
        if (form != Form::any) add_rectangle();
        sort_by_corner();
        set_prepared(view, view_);
        return {};
    }

private:
    /// An edge's inner half-plane: normal . q + offset >= 0 contains the view, and no less than inner_offset is true.
    struct Edge {
        float normal[2], offset, inner_offset;
        bool certain;
    };

    /// The bounding box, and whether the view is one.
    Status measure() {
        low_ = high_ = corners_[0];
        bool has_area = false;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const Corner& c = corners_[k];
            if (!c.x.finite() || !c.y.finite()) return failure("view: a number is not finite");
            if (c.x.magnitude() > largest_coordinate || c.y.magnitude() > largest_coordinate) {
                return failure("view: a coordinate exceeds 1e30");
            }
            low_ = {Interval(std::fmin(low_.x.lo, c.x.lo)), Interval(std::fmin(low_.y.lo, c.y.lo))};
            high_ = {Interval(std::fmax(high_.x.hi, c.x.hi)), Interval(std::fmax(high_.y.hi, c.y.hi))};
            if (k >= 2) has_area = has_area || left_turn(corners_[0], corners_[k - 1], c).lo > 0;
        }
        const double size = std::fmax(high_.x.hi - low_.x.lo, high_.y.hi - low_.y.lo);
        if (!has_area || !(size >= least_size)) return failure("view: has no area, or is smaller than 1e-18");
        return {};
    }

    void add_vertices() {
        view_.origin[0] = static_cast<float>(0.5 * low_.x.lo + 0.5 * high_.x.hi);
        view_.origin[1] = static_cast<float>(0.5 * low_.y.lo + 0.5 * high_.y.hi);
        const double low[2] = {low_.x.lo, low_.y.lo}, high[2] = {high_.x.hi, high_.y.hi};
        double magnitude = 0;
        for (int j = 0; j < 2; ++j) {
            view_.box_low[j] = float_down(low[j]);
            view_.box_high[j] = float_up(high[j]);
            view_.beyond_low[j] = -(0.0f - float_up(low[j]));
            view_.beyond_high[j] = 0.0f + float_down(high[j]);
            const double origin = view_.origin[j];
            magnitude += std::fmax(origin - static_cast<double>(view_.box_low[j]),
                                   static_cast<double>(view_.box_high[j]) - origin);
        }
        view_.magnitude = float_up(magnitude * (1 + 0x1p-40));
        view_.unit = static_cast<float>(std::exp2(-std::floor(std::log2(magnitude))));
        view_.vertex_count = count_;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const Interval x = corners_[k].x, y = corners_[k].y;
            relative_[k] = {x - Interval(view_.origin[0]), y - Interval(view_.origin[1])};
            view_.vertex[k][0] = static_cast<float>(relative_[k].x.mid());
            view_.vertex[k][1] = static_cast<float>(relative_[k].y.mid());
            view_.exact_vertex[k][0] = x.mid();
            view_.exact_vertex[k][1] = y.mid();
            view_.exact_error = std::fmax(view_.exact_error, std::fmax(x.hi - x.lo, y.hi - y.lo));
        }
    }

    /// What a float offset leaves of an exact one: the roundings of whatever passes it, and underflow.
    static double share(float error, double offset, double magnitude = 0) {
        return static_cast<double>(error) * (std::fabs(offset) + magnitude) * (1 + 0x1p-20) +
               2 * static_cast<double>(underflow_guard);
    }

    [[nodiscard]] Edge edge_from(std::uint32_t k) const {
        const Corner &a = relative_[k], &b = relative_[(k + 1) % count_];
        const Interval x = a.y - b.y, y = b.x - a.x;  // the way turned left
        // A length below 1 keeps the rounded normal's below it.
        const double length = std::hypot(x.mid(), y.mid()) * (1 + 0x1p-20);
        const Interval exact_x = x / Interval(length), exact_y = y / Interval(length);
        Edge edge{};
        edge.normal[0] = static_cast<float>(exact_x.mid());
        edge.normal[1] = static_cast<float>(exact_y.mid());
        double lowest = HUGE_VAL;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Corner& v = relative_[i];
            lowest = std::fmin(lowest, (Interval(edge.normal[0]) * v.x + Interval(edge.normal[1]) * v.y).lo);
        }
        edge.offset = float_up(-lowest + share(error_factor, lowest));
        const double inner = (-(exact_x * a.x + exact_y * a.y)).lo;
        edge.inner_offset = float_down(inner - share(error_factor, inner));
        const Corner& c = relative_[(k + 2) % count_];
        edge.certain =
            left_turn(a, b, c).lo > 0 && exact_x.hi - exact_x.lo < 0x1p-40 && exact_y.hi - exact_y.lo < 0x1p-40;
        return edge;
    }

    /// Stage 1 tests the first few alone, so these point in different directions.
    void add_edges() {
        constexpr std::uint32_t first = PreparedView::stage_one_edges;
        const auto is_first = [&](std::uint32_t k) {
            for (std::uint32_t i = 0; i < first; ++i) {
                if (i * count_ / first == k) return true;
            }
            return false;
        };
        for (std::uint32_t k = 0; k < count_; ++k) {
            if (is_first(k)) edges_[edge_count_++] = edge_from(k);
        }
        while (edge_count_ < first) {
            edges_[edge_count_] = edges_[0];
            ++edge_count_;
        }
        for (std::uint32_t k = 0; k < count_; ++k) {
            if (!is_first(k)) edges_[edge_count_++] = edge_from(k);
        }
        view_.edge_count = edge_count_;
        view_.inside_known = 1;
        for (std::uint32_t k = 0; k < edge_count_; ++k) {
            for (int j = 0; j < 2; ++j) view_.normal[k][j] = edges_[k].normal[j];
            view_.offset[k] = edges_[k].offset;
            view_.inner_offset[k] = edges_[k].inner_offset;
            view_.inside_known = view_.inside_known && edges_[k].certain;
        }
    }

    /// Where opposite edges' normals are opposite to the last bit.
    void add_slabs() {
        const auto opposite = [&](std::uint32_t k) {
            return edges_[k].normal[0] == -edges_[k + 2].normal[0] && edges_[k].normal[1] == -edges_[k + 2].normal[1];
        };
        view_.has_slabs = count_ == 4 && opposite(0) && opposite(1);
        for (std::uint32_t k = 0; view_.has_slabs && k < 2; ++k) {
            const double a = static_cast<double>(edges_[k].offset), b = static_cast<double>(edges_[k + 2].offset);
            view_.slab_middle[k] = static_cast<float>((a - b) / 2);
            const double middle = static_cast<double>(view_.slab_middle[k]);
            view_.slab_half[k] = float_up(std::fmax(a - middle, b + middle) * (1 + 0x1p-40));
        }
    }

    /// The rectangle's sides for discs, along (1, s) and (-s, 1). Any s is right.
    void add_rectangle() {
        const double magnitude = static_cast<double>(view_.magnitude);
        view_.rectangular = magnitude > least_squared && magnitude < largest_squared;
        const double x = static_cast<double>(view_.normal[0][0]), y = static_cast<double>(view_.normal[0][1]);
        view_.disc_slope = static_cast<float>(std::fabs(x) > std::fabs(y) ? y / x : -x / y);
        const double s = static_cast<double>(view_.disc_slope);
        // Some of the last bits of 1 + s^2 are lost in a double.
        view_.disc_scale = float_up((1 + s * s) * (1 + disc_share));
        const double way[2][2] = {{1, s}, {-s, 1}};
        for (std::uint32_t k = 0; k < 2; ++k) {
            Interval low = HUGE_VAL, high = -HUGE_VAL;
            for (std::uint32_t i = 0; i < count_; ++i) {
                const Interval at = Interval(way[k][0]) * relative_[i].x + Interval(way[k][1]) * relative_[i].y;
                low = std::fmin(low.lo, at.lo);
                high = std::fmax(high.hi, at.hi);
            }
            const double middle = -0.5 * (low.lo + high.hi);
            // The middle's own rounding, or all of it, goes with the half.
            view_.disc_middle[k] = std::fabs(middle) < no_middle * magnitude ? 0 : static_cast<float>(middle);
            const double moved = std::fabs(middle - static_cast<double>(view_.disc_middle[k]));
            const double half = 0.5 * (high.hi - low.lo) * (1 + 0x1p-40) + moved * (1 + 0x1p-40);
            view_.disc_half[k] = float_up(half + share(side_error_share, middle, magnitude));
        }
    }

    /// Edge `at` for boxes, from the bounding box's corner that lies farthest on its outer side.
    void set_corner_edge(std::uint32_t at, const float (&n)[2]) {
        const float largest = std::fmax(std::fabs(n[0]), std::fabs(n[1]));
        float(&weight)[2] = view_.corner_weight[at];
        double magnitude = 0;
        for (int j = 0; j < 2; ++j) {
            weight[j] = std::fabs(n[j]) / largest;
            magnitude += static_cast<double>(weight[j]) *
                         (static_cast<double>(view_.box_high[j]) - static_cast<double>(view_.box_low[j]));
        }
        const auto past = [&](int j, const Interval& v) {
            return n[j] > 0 ? v - Interval(view_.beyond_low[j]) : Interval(view_.beyond_high[j]) - v;
        };
        double least = HUGE_VAL;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Interval x = past(0, corners_[i].x), y = past(1, corners_[i].y);
            least = std::fmin(least, (Interval(weight[0]) * x + Interval(weight[1]) * y).lo);
        }
        view_.corner_least[at] = -(0.0f - float_down(least - share(past_error_share, least, magnitude)));
    }

    void sort_by_corner() {
        std::uint32_t at = 0;
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            for (std::uint32_t k = 0; k < edge_count_; ++k) {
                const Edge& edge = edges_[k];
                if (((edge.normal[0] > 0 ? 1u : 0u) | (edge.normal[1] > 0 ? 2u : 0u)) != corner) continue;
                set_corner_edge(at++, edge.normal);
            }
            view_.corner_end[corner] = at;
        }
    }

    std::uint32_t count_ = 0, edge_count_ = 0;
    Corner corners_[max_edges], relative_[max_edges];
    Corner low_, high_;
    Edge edges_[max_edges] = {};
    PreparedView view_;
};

Status prepare_corners(std::span<const Corner> corners, Form form, View& view) {
    return Preparation(corners).prepare(form, view);
}

}  // namespace
}  // namespace lanecull::flat

using namespace lanecull;

lanecull_status lanecull_flat_prepare_view(const lanecull_flat_rectangle* rectangle,
                                           lanecull_flat_view* view) noexcept {
    const FloatModes modes;
    if (rectangle == nullptr) return failure("rectangle: must not be null");
    if (view == nullptr) return failure("view: must not be null");
    const flat::Rectangle& r = *rectangle;
    if (!(r.min_x < r.max_x) || !(r.min_y < r.max_y)) {
        return failure("rectangle: min must be less than max, component by component");
    }
    const flat::Corner corners[4] = {{r.min_x, r.min_y}, {r.max_x, r.min_y}, {r.max_x, r.max_y}, {r.min_x, r.max_y}};
    return flat::prepare_corners(corners, flat::Form::upright, *view);
}

lanecull_status lanecull_flat_prepare_turned_view(const lanecull_flat_turned_rectangle* rectangle,
                                                  lanecull_flat_view* view) noexcept {
    const FloatModes modes;
    if (rectangle == nullptr) return failure("rectangle: must not be null");
    if (view == nullptr) return failure("view: must not be null");
    const flat::TurnedRectangle& r = *rectangle;
    if (!(r.half_x > 0) || !(r.half_y > 0)) return failure("rectangle: half_x and half_y must be positive");
    const Interval along_x = Interval(r.half_x) * Interval(r.axis_x), along_y = Interval(r.half_x) * Interval(r.axis_y);
    const Interval up_x = Interval(r.half_y) * Interval(-r.axis_y), up_y = Interval(r.half_y) * Interval(r.axis_x);
    const Interval x = r.x, y = r.y;
    const flat::Corner corners[4] = {{x - along_x - up_x, y - along_y - up_y},
                                     {x + along_x - up_x, y + along_y - up_y},
                                     {x + along_x + up_x, y + along_y + up_y},
                                     {x - along_x + up_x, y - along_y + up_y}};
    return flat::prepare_corners(corners, flat::Form::turned, *view);
}

lanecull_status lanecull_flat_prepare_view_from_points(const double* points, size_t count,
                                                       lanecull_flat_view* view) noexcept {
    const FloatModes modes;
    if (view == nullptr) return failure("view: must not be null");
    if (count < 3 || count > flat::max_edges) {
        return failure("points: 3 to %u pairs of coordinates make a view, not %zu", flat::max_edges, count);
    }
    if (points == nullptr) return failure("points: must not be null");
    flat::Corner corners[2 * flat::max_edges];
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(points[2 * i]) || !std::isfinite(points[2 * i + 1])) {
            return failure("points: number %zu or the next is not finite", 2 * i);
        }
        corners[i] = {points[2 * i], points[2 * i + 1]};
    }
    const std::uint32_t size = flat::hull_of(corners, static_cast<std::uint32_t>(count));
    if (size < 3) return failure("view: has no area, or is smaller than 1e-18");
    return flat::prepare_corners({corners, size}, flat::Form::any, *view);
}
