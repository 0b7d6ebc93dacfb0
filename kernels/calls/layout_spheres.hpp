#pragma once

#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

struct SphereLayout : LayoutDefaults {
    using Shapes = Spheres;
    static constexpr Column<Spheres> columns[] = {stream("x", &Spheres::x), stream("y", &Spheres::y),
                                                  stream("z", &Spheres::z), stream("radius", &Spheres::radius)};
    static constexpr Point points[] = {point_in_streams(0)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double center[3];
        read.three(0, center);
        box.place(center);
        const double radius = read(3);
        box.reach_all(radius);
        return radius >= 0;
    }

    template <class Gatherer>
    static void gather(Gatherer& from) {
        from.balls();
    }
};

template <>
struct KindTraits<Spheres> : KindDefaults<SphereLayout> {
    static WideShape wide_shape(const Spheres& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape;
        shape.set_center(WideShape::Vector{wide(s.x[i]), wide(s.y[i]), wide(s.z[i])} - origin);
        shape.radius = wide(s.radius[i]);
        return shape;
    }

    static void certify(const Spheres& s, const PreparedView& view, const RangeTask& task) noexcept {
        certify_balls(s, view, task);
    }
};

}  // namespace lanecull
