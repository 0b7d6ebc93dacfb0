#pragma once

/// Results of stage 1 and of closed forms, for a packet and for up to 64 objects.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

struct ClassifiedW {
    MaskW outside;  // set: wholly behind one plane, proved
    MaskW inside;   // set: the object's centre is in the volume; or, if that is enough, no plane is before the object

    LANE_INLINE ClassifiedW of(MaskW lanes_) const { return {lanes_ & outside, lanes_ & inside}; }
};

/// Of up to 64 objects.
struct ClassifiedBits {
    std::uint64_t outside = 0, inside = 0;

    LANE_INLINE void add(const ClassifiedW& classified, std::uint32_t shift) {
        outside |= std::uint64_t{bits(classified.outside)} << shift;
        inside |= std::uint64_t{bits(classified.inside)} << shift;
    }
};

/// Result of a closed form for a packet (cull/closed_form.hpp). Lanes in which neither `apart` nor `meets` is set are
/// left to later stages.
struct ClosedFormW {
    MaskW apart;      // set: proved
    MaskW meets;      // set: a point of the object is in the volume, by plain float comparison
    MaskW by_center;  // where `meets` is set, set: that point is the object's centre

    LANE_INLINE ClosedFormW of(MaskW lanes_) const { return {lanes_ & apart, lanes_ & meets, by_center}; }
};

/// Of up to 64 objects.
struct ClosedFormBits {
    std::uint64_t apart = 0, meets = 0, by_center = 0;

    LANE_INLINE void add(const ClosedFormW& measured, std::uint32_t shift) {
        apart |= std::uint64_t{bits(measured.apart)} << shift;
        meets |= std::uint64_t{bits(measured.meets)} << shift;
        by_center |= std::uint64_t{bits(measured.by_center)} << shift;
    }
    [[nodiscard]] LANE_INLINE std::uint64_t inside() const { return meets & by_center; }
    [[nodiscard]] LANE_INLINE std::uint64_t overlap() const { return meets & ~by_center; }
};

}  // namespace
}  // namespace lanecull
