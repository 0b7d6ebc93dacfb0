#include "view/lit_part.hpp"

#include <cmath>

#include <lanecull/light.hpp>

#include "view/frame.hpp"
#include "view/lamp_range.hpp"
#include "view/planes.hpp"

namespace lanecull {

Status check_lights(const ViewOptions& options) {
    if (options.sun != nullptr && options.lamp != nullptr) {
        return Status::failure("options.lamp: a view has one light, and options.sun is given too");
    }
    if (options.sun != nullptr) {
        const double* toward = options.sun->toward;
        const double size = length({toward[0], toward[1], toward[2]});
        const bool finite = std::isfinite(toward[0]) && std::isfinite(toward[1]) && std::isfinite(toward[2]);
        if (!finite || !(size >= 1e-150 && size <= 1e150)) {
            return Status::failure("options.sun.toward: not finite, zero, or of a length beyond 1e-150 to 1e150");
        }
        const double reach = options.sun->reach;
        if (!(reach >= 0)) return Status::failure("options.sun.reach: %g is no length", reach);
        if (std::isfinite(reach) && !(reach * size <= coordinate_limit)) {
            return Status::failure("options.sun.reach: %g times toward is longer than 1e30", reach);
        }
    }
    if (options.lamp == nullptr) return {};
    for (const double coordinate : options.lamp->at) {
        if (!(std::fabs(coordinate) <= coordinate_limit)) {
            return Status::failure("options.lamp.at: %g is not a finite coordinate up to 1e30", coordinate);
        }
    }
    if (!(options.lamp->range > 0)) {
        return Status::failure("options.lamp.range: %g is not above 0", options.lamp->range);
    }
    if (options.lamp->sides.size() > LightLimits::max_sides) {
        return Status::failure("options.lamp.sides: at most %zu, not %zu", LightLimits::max_sides,
                               options.lamp->sides.size());
    }
    return {};
}

Status LightLimits::add(const ViewOptions& options, const Interval3& c) {
    if (options.lamp == nullptr) return {};
    const Lamp& lamp = *options.lamp;
    const Interval margin(options.margin);
    for (std::size_t i = 0; i < lamp.sides.size(); ++i) {
        Affine side;
        if (Status status = read_plane(lamp.sides[i], "options.lamp.sides", i, side); !status) return status;
        side.constant = side.constant + margin * (length(middle(side.linear)) * (1 + 0x1p-40));
        f_[count_++] = side.about(c);
    }
    if (!(lamp.range <= coordinate_limit)) return {};
    const Interval reach(reach_of(options));
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double side : {1.0, -1.0}) {
            const Interval n[3] = {k == 0 ? side : 0.0, k == 1 ? side : 0.0, k == 2 ? side : 0.0};
            f_[count_++] = Affine{{n[0], n[1], n[2]}, reach - Interval(side * lamp.at[k])}.about(c);
        }
    }
    return {};
}

Status LitPart::enclose(std::span<const Affine> half_spaces, std::span<const Generator> corners, const char* name,
                        const ViewOptions& options, const Interval3& c) {
    LightLimits limits;
    if (Status status = limits.add(options, c); !status) return status;
    for (const Affine& f : half_spaces) f_[count_++] = f;
    for (const Affine& f : limits.all()) f_[count_++] = f;
    bool fits = true;
    for (const Generator& corner : corners) fits = corners_.add(corner) && fits;
    if (!fits) corners_.clear();
    if (corners.empty() || !fits) enclosed_ = lanecull::enclose(half_spaces, corners_);
    if (unlit()) return Status::failure("%s: the volume is empty", name);
    const bool known = (fits && !corners.empty()) || enclosed_ == Enclosed::whole;
    if (known) enclosed_ = clip_all(limits.all(), static_cast<std::uint32_t>(half_spaces.size()), corners_);
    if (enclosed_ == Enclosed::unknown) enclosed_ = lanecull::enclose(this->half_spaces(), corners_);
    return {};
}

}  // namespace lanecull
