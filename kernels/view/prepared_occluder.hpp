#pragma once

#include <lanecull/occluder.h>

#include <cstdint>

#include "base/opaque.hpp"

namespace lanecull {

/// What the library reads of a viewpoint. prepare_viewpoint() makes it.
struct PreparedViewpoint {
    static constexpr std::uint32_t max_eyes = 8;

    /// Coordinates are relative to it: q = p - origin. 3 floats, exact.
    float origin[3] = {};
    /// 1 to 8: enclosures of eyes, [eye][axis][low, high], relative. 0: sight runs along `direction`.
    std::uint32_t eye_count = 0;
    double eye[max_eyes][3][2] = {};
    double direction[3][2] = {};  ///< enclosures, [axis][low, high]
    double near_reach = 0;        ///< with eyes: no near plane's corner is farther from its eye
    /// Without eyes: what is drawn must lie in near_normal . q + near_offset >= 0, [low, high] each.
    double near_normal[3][2] = {};
    double near_offset[2] = {};
    std::uint64_t has_near_plane = 0;  ///< 64 bits: padding would make equal viewpoints differ in bytes
};

/// What the library reads of an occluder. prepare_occluder() makes it.
struct PreparedOccluder {
    static constexpr std::uint32_t max_half_spaces = 32;

    float origin[3] = {};     ///< the viewpoint's
    std::uint32_t count = 0;  ///< of half-spaces; 0: not prepared
    /// Hidden: normal . q + offset > bound for each of them. Normals are at most 1 long. Offsets are rounded down and
    /// lowered by every part of the rounding bound that does not depend on the object.
    float normal[max_half_spaces][3] = {};
    float offset[max_half_spaces] = {};
};

/// What was prepared in them, which must be ready.
[[nodiscard]] inline bool is_prepared(const Viewpoint& viewpoint) noexcept {
    return Opaque<PreparedViewpoint>::is_ready(viewpoint);
}
[[nodiscard]] inline const PreparedViewpoint& contents_of(const Viewpoint& viewpoint) noexcept {
    return Opaque<PreparedViewpoint>::of(viewpoint);
}
[[nodiscard]] inline bool is_prepared(const Occluder& occluder) noexcept {
    return Opaque<PreparedOccluder>::is_ready(occluder);
}
[[nodiscard]] inline const PreparedOccluder& contents_of(const Occluder& occluder) noexcept {
    return Opaque<PreparedOccluder>::of(occluder);
}

}  // namespace lanecull
