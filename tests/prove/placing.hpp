#pragma once

#include <cstddef>
#include <vector>

#include "oracle/exact.hpp"
#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Objects placed so that they touch a volume, as nearly as floats allow.
namespace prove {

/// What is known of a volume for placing objects, in doubles: no proof rests on it.
class Boundary {
public:
    explicit Boundary(const exact::Volume& volume);

    /// A point of the boundary and a direction in which the volume ends there: on a facet, an edge or a corner.
    struct Spot {
        Double3 at;
        Double3 outward;  ///< of length 1
        Double3 along;    ///< an edge's direction where it is on one; else any
    };
    [[nodiscard]] Spot spot(Random& random) const;
    [[nodiscard]] Spot spot_on_edge(Random& random) const;

    [[nodiscard]] const Double3& corner(Random& random) const;
    [[nodiscard]] double size() const { return size_; }  ///< distance of its two farthest corners

private:
    [[nodiscard]] Spot spot_on(Random& random, int planes) const;
    [[nodiscard]] Spot corner_spot(Random& random) const;
    void find_facets();
    void add_facet(const Double3& inward, std::size_t point);

    std::vector<Double3> points_, rays_, normals_;  ///< normals point inward, length 1
    std::vector<std::vector<std::size_t>> on_;      ///< which planes each point lies on
    double size_ = 0;
};

/// The object's point farthest in direction v.
[[nodiscard]] Double3 support(Kind kind, const Object& object, const HullSet& hulls, const Double3& v);

/// The object moved to where its boundary touches the spot from outside, `off` away from it.
[[nodiscard]] Object touching(Kind kind, const Object& object, const HullSet& hulls, const Boundary::Spot& spot,
                              double off);

/// Its extents along its own axes multiplied; a sphere's radius by the first, a capsule's by the second.
void stretch(Kind kind, const Double3& factors, Object& object);

/// Its first axis turned to that direction, the others perpendicular, lengths as they were. Kinds without axes stay.
void turn(Random& random, Kind kind, const Double3& direction, Object& object);

}  // namespace prove
