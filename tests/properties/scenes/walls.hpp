#pragma once

#include <cstdint>
#include <vector>

#include "oracle/exact.hpp"
#include "oracle/oracle.hpp"
#include "support/double3.hpp"

/// Decides what scenes claim of objects whose coordinates are relative to an origin of their own: that an object is
/// apart from a volume, or lies inside of it. It knows nothing of how the claim was made.
///
/// A *wall* is a plane with the whole volume on its inner side. A volume of half-spaces has these as walls. The
/// oracle's answers add others, so that it need not decide the next object that is apart along about the same
/// direction.
namespace properties {

class Walls {
public:
    explicit Walls(const exact::Volume& volume);
    explicit Walls(exact::Volume&& volume) = delete;  ///< it is kept by reference

    /// The walls as an origin's coordinates see them.
    class Seen {
    public:
        Seen(Walls& walls, const Double3& origin);

        /// Whether the object shares no point with the volume. `solid` is the same object as `exact_solid()`, which is
        /// called only if doubles cannot decide.
        template <class MakeExact>
        [[nodiscard]] bool apart(const oracle::Solid& solid, const MakeExact& exact_solid) {
            return behind_a_wall(solid) || exactly_apart(exact_solid());
        }
        /// Whether all of the object lies in the volume. False for hulls, which no view claims it of.
        template <class MakeExact>
        [[nodiscard]] bool inside(const oracle::Solid& solid, const MakeExact& exact_solid) {
            return within_half_spaces(solid) || exactly_inside(exact_solid());
        }
        /// The oracle's own answer, without any wall.
        [[nodiscard]] exact::Answer decide(const exact::Solid& solid, const exact::Rational& grow = 0) const;

    private:
        struct Plane {
            oracle::Vec normal;
            oracle::Real length, offset;  ///< the volume's margin is not in the offset
        };

        void see_new_walls();
        [[nodiscard]] bool behind_a_wall(const oracle::Solid& solid);
        [[nodiscard]] bool exactly_apart(const exact::Solid& solid);
        [[nodiscard]] bool within_half_spaces(const oracle::Solid& solid) const;
        [[nodiscard]] bool exactly_inside(const exact::Solid& solid) const;
        [[nodiscard]] exact::Solid in_world(exact::Solid solid) const;

        Walls& walls_;
        exact::Point origin_;
        std::vector<Plane> planes_;
    };

    /// How many claims needed rationals.
    [[nodiscard]] std::uint64_t exact_checks() const { return exact_checks_; }

private:
    void learn(const exact::Point& direction);

    const exact::Volume& volume_;
    exact::HalfSpaces walls_;  ///< the largest component of each normal is 1, and each is a double
    std::size_t given_;        ///< so many are the volume's own half-spaces
    oracle::Real margin_;      ///< or a little more
    std::uint64_t exact_checks_ = 0;
};

}  // namespace properties
