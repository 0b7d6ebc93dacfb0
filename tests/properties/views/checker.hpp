#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "support/double3.hpp"
#include "support/objects.hpp"
#include "view/prepared_view.hpp"

/// Decides whether a certificate proves that an object shares no point with a volume. It does not trust how the
/// certificate was computed, and works in doubles where these can decide, else in rationals.
///
/// The claim of a certificate by GJK, with D the object's greatest depth along the view's axis z and V the volume:
/// `far` is no smaller than D, and every point of the object lies lower along w than every point y of V with z . y <=
/// D. The second part is checked by duality. It is proved by any factor f >= 0 for which the maximum of w + f z over
/// the object is less than its minimum over all of V, and if the claim is true there is such a factor. Orthographic
/// volumes are cut on all sides, so w plus multiples of each axis is tried.
///
/// The claim of a certificate by planes: the object lies outside of one of the volume's half-spaces, or of one of its
/// facets if the volume is a hull; or, for hulls, outside of one of the planes that the view puts around it.
namespace properties {

class Checker {
public:
    /// The true volume, expanded by the view's margin. The view is used for its axes.
    Checker(const exact::Volume& volume, const lanecull::View& view);

    [[nodiscard]] bool proves(const lanecull::Certificate& certificate, Kind kind, const Object& object,
                              const HullSet& hulls);

    /// Whether the view's numbers, its ranges and depths rounded outward, contain the volume.
    [[nodiscard]] bool view_contains_volume() const;

    /// How many checks needed rationals.
    [[nodiscard]] std::uint64_t exact_checks() const { return exact_checks_; }

private:
    /// The true value is within `error` of `value`.
    struct Estimate {
        double value = 0, error = 0;
    };
    /// The object relative to the reference, in doubles: every point within `radius` of the points' and ovals' hull.
    struct Body {
        struct Oval {
            Double3 centre;
            std::array<Double3, 3> axes;
            double cosine, sine;  ///< as solids::Oval has them
        };
        std::vector<Double3> points;
        double radius;  ///< its own and the volume's margin
        double off;     ///< each coordinate is off by no more than this and its own rounding
        std::vector<Oval> ovals{};
    };
    struct Plane {
        Double3 normal;
        double offset;  ///< normal . q + offset >= 0 inside
        double offset_error;
    };

    [[nodiscard]] Body body_of(Kind kind, const Object& object, const HullSet& hulls) const;
    [[nodiscard]] static Estimate highest(const Double3& w, const Body& body);
    [[nodiscard]] bool lowest_above(const Double3& w, double level) const;
    [[nodiscard]] bool separates(const Double3& w, const Body& body) const;
    [[nodiscard]] bool separates_deeper(const Double3& w, const Body& body) const;
    [[nodiscard]] bool separates_aside(const Double3& w, const Body& body) const;
    [[nodiscard]] bool behind_plane(const Body& body) const;
    [[nodiscard]] bool exactly_no_deeper(double far, const exact::Solid& solid) const;
    [[nodiscard]] bool exactly_behind_plane(const exact::Solid& solid) const;
    [[nodiscard]] bool exactly_separates(const exact::Point& w, const exact::Solid& solid) const;
    [[nodiscard]] bool exactly_separates_deeper(const exact::Point& w, const exact::Solid& solid) const;
    [[nodiscard]] bool exactly_separates_where_cut(const exact::Point& w, const exact::Solid& solid) const;

    const exact::Volume& volume_;
    const lanecull::PreparedView& view_;
    double margin_;                    ///< the volume's margin
    Double3 reference_;                ///< the members below are relative to it
    std::vector<Double3> points_;      ///< each component with a relative error of at most 2^-50
    std::vector<Double3> rays_;        ///< their largest component is 1
    exact::HalfSpaces half_spaces_;    ///< those of the volume, or of its facets
    std::vector<Plane> planes_;        ///< the same half-spaces in doubles
    std::vector<Double3> directions_;  ///< inward normals of the view's planes, rounded
    Double3 axis_[3];                  ///< the view's axes
    std::uint64_t exact_checks_ = 0;
};

}  // namespace properties
