#pragma once

#include <cmath>

#include <lanecull/bounds.hpp>

#include "base/records.hpp"
#include "layouts/layout.hpp"
#include "layouts/object_box.hpp"

namespace lanecull {

struct HullLayout : LayoutDefaults {
    using Shapes = HullInstances;
    static constexpr std::uint32_t transform_column = 5;
    static constexpr Column<HullInstances> columns[] = {
        bound_stream("bounding_x", &HullInstances::bounding_x, 0),
        bound_stream("bounding_y", &HullInstances::bounding_y, 1),
        bound_stream("bounding_z", &HullInstances::bounding_z, 2),
        bound_stream("bounding_radius", &HullInstances::bounding_radius, 3),
        numbers("hull_index", &HullInstances::hull_index),
        records("transforms", &HullInstances::transforms, 12)};
    static constexpr Point points[] = {point_in_record(transform_column, 3, 4)};
    static constexpr bool moves_spheres = true;

    /// The hull's own box, transformed, and enlarged a little: the rounding bound of the hull's vertices grows with
    /// their distance from the hull's own origin.
    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        const Hull* const of = read.hull();
        if (of == nullptr) return false;
        double m[12], center[3], half[3], most[3];
        read.record(transform_column, m);
        for (int c = 0; c < 3; ++c) {
            const double low = wide(of->lower[c]), high = wide(of->upper[c]);
            center[c] = (low + high) / 2;
            half[c] = (high - low) / 2;
            most[c] = std::fmax(std::fabs(low), std::fabs(high));
        }
        double place[3], magnitude = 0;
        for (int r = 0; r < 3; ++r) {
            place[r] = m[4 * r + 3];
            for (int c = 0; c < 3; ++c) {
                place[r] += m[4 * r + c] * center[c];
                magnitude += std::fabs(m[4 * r + c]) * most[c];
            }
        }
        box.place(place);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) box.reach(r, std::fabs(m[4 * r + c]) * half[c]);
            box.magnitude[r] += std::fabs(m[4 * r + 3]) + magnitude;
            box.reach(r, 0x1p-15 * magnitude);
        }
        return true;
    }

    /// Takes the bounding spheres.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        from.balls();
    }
};

template <>
struct KindTraits<HullInstances> : KindDefaults<HullLayout> {
    static constexpr bool are_expensive = true;

    static Status check(const HullInstances& s) noexcept {
        if (Status status = check_columns<HullInstances>(s, HullLayout::columns); !status) return status;
        if (s.hulls == nullptr || s.hull_count == 0) return Status::failure("hulls: there must be at least one");
        if (s.hull_index == nullptr && s.hull_count > 1) {
            return Status::failure("hull_index: must not be null with %u hulls", s.hull_count);
        }
        for (std::uint32_t h = 0; h < s.hull_count; ++h) {
            if (s.hulls[h].count == 0) return Status::failure("hulls[%u]: was not prepared by prepare_hull()", h);
        }
        const int bounds = (s.bounding_x != nullptr) + (s.bounding_y != nullptr) + (s.bounding_z != nullptr) +
                           (s.bounding_radius != nullptr);
        if (bounds != 0 && bounds != 4) {
            return Status::failure("bounding_x, _y, _z, _radius: all four must be given, or none");
        }
        return {};
    }

    static Status find_bounds(const HullInstances& s, float* const (&bounds)[4]) noexcept {
        return bounding_spheres(s, bounds[0], bounds[1], bounds[2], bounds[3]);
    }
};

}  // namespace lanecull
