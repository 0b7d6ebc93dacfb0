#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lanecull/certificate.hpp>
#include <lanecull/view.hpp>

#include "oracle/exact_objects.hpp"
#include "support/objects.hpp"

/// Decides whether a certificate proves that an object shares no point with a volume, without trusting how it came
/// about: in doubles where those are sure, else in rationals.
///
/// The claim of a certificate by GJK, with D the object's greatest depth along the view's axis z: `far` is no smaller
/// than D, and every point of the object lies lower along w than every point y of V with z . y <= D. The second is
/// checked by duality: for any factor f >= 0, w + f z with max over the object < min over all of V proves it, and if
/// the claim is true there is such a factor. Orthographic volumes are cut on all sides: w plus multiples of each axis.
///
/// The claim of a certificate by planes: one of the volume's half-spaces, or of a hull's facets, leaves the object
/// outside; or, for hulls, one of the view's planes around it.
namespace prove {

class Checker {
public:
    /// The volume as it is, with the view's margin; the view gives its axes.
    Checker(const exact::Volume& volume, const lanecull::View& view);

    [[nodiscard]] bool proves(const lanecull::Certificate& certificate, Kind kind, const Object& object,
                              const HullSet& hulls);

    /// Whether the numbers that the view was given contain the volume: its ranges and depths, rounded outward.
    [[nodiscard]] bool view_contains_volume() const;

    /// How many questions needed rationals.
    [[nodiscard]] std::uint64_t exact_checks() const { return exact_checks_; }

private:
    using Vec3 = std::array<double, 3>;
    /// Within `error` of the truth.
    struct Estimate {
        double value = 0, error = 0;
    };
    struct Plane {
        Vec3 normal;
        double offset;  ///< normal . q + offset >= 0 inside
        double offset_error;
    };

    [[nodiscard]] Estimate highest(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const;
    [[nodiscard]] bool lowest_above(const Vec3& w, double level) const;
    [[nodiscard]] bool no_deeper(double far, Kind kind, const Object& object, const HullSet& hulls);
    [[nodiscard]] bool separates(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const;
    [[nodiscard]] bool separates_deeper(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const;
    [[nodiscard]] bool separates_aside(const Vec3& w, Kind kind, const Object& object, const HullSet& hulls) const;
    [[nodiscard]] bool behind_plane(Kind kind, const Object& object, const HullSet& hulls) const;
    [[nodiscard]] bool exactly_behind_plane(const exact::Solid& solid) const;
    [[nodiscard]] bool exactly_separates(const exact::Point& w, const exact::Solid& solid) const;
    [[nodiscard]] bool exactly_separates_where_cut(const exact::Point& w, const exact::Solid& solid) const;

    const exact::Volume& volume_;
    const lanecull::PreparedView& view_;
    double margin_;                  ///< of the volume
    Vec3 reference_;                 ///< what the following are relative to
    std::vector<Vec3> points_;       ///< each within 2^-50 of itself, component by component
    std::vector<Vec3> rays_;         ///< largest component 1
    exact::HalfSpaces half_spaces_;  ///< the volume's own, or of its facets
    std::vector<Plane> planes_;      ///< the same
    std::vector<Vec3> directions_;   ///< inward normals of the view's planes, rounded
    Vec3 axis_[3];                   ///< the view's rows
    std::uint64_t exact_checks_ = 0;
};

}  // namespace prove
