#pragma once

#include <lanecull/bounds.h>

#include "base/failure.hpp"
#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

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
        transforms("transforms", &HullInstances::transforms)};
    static constexpr Point points[] = {point_in_record(transform_column, 3, 4)};
    static constexpr bool moves_spheres = true;

    /// The hull's own box, transformed.
    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        const Hull* const of = read.hull();
        if (of == nullptr) return false;
        double m[12];
        read.record(transform_column, m);
        box.place_with_room(m, {wide(of->lower[0]), wide(of->lower[1]), wide(of->lower[2])},
                            {wide(of->upper[0]), wide(of->upper[1]), wide(of->upper[2])});
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

    static WideShape wide_shape(const HullInstances& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape = WideShape::under(s.transforms, i, origin);
        shape.take_hull(s.hulls[s.hull_index == nullptr ? 0 : s.hull_index[i]]);
        return shape;
    }

    static Status check(const HullInstances& s) noexcept {
        if (Status status = check_transforms(s.transforms, "transforms"); !status) return status;
        if (s.hulls == nullptr || s.hull_count == 0) return failure("hulls: there must be at least one");
        if (s.hull_index == nullptr && s.hull_count > 1) {
            return failure("hull_index: must not be null with %u hulls", s.hull_count);
        }
        for (std::uint32_t h = 0; h < s.hull_count; ++h) {
            if (s.hulls[h].count == 0)
                return failure(StatusCode::not_ready, "hulls[%u]: was not prepared by prepare_hull()", h);
        }
        const int bounds = (s.bounding_x != nullptr) + (s.bounding_y != nullptr) + (s.bounding_z != nullptr) +
                           (s.bounding_radius != nullptr);
        if (bounds != 0 && bounds != 4) {
            return failure("bounding_x, _y, _z, _radius: all four must be given, or none");
        }
        return {};
    }

    static Status find_bounds(const HullInstances& s, float* const (&bounds)[4]) noexcept {
        return bounding_spheres(s, bounds[0], bounds[1], bounds[2], bounds[3]);
    }
};

}  // namespace lanecull
