#pragma once

#include <cstddef>
#include <vector>

#include "oracle/exact.hpp"
#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Places objects so that they touch a volume, as nearly as floats allow.
namespace properties {

/// A volume's boundary in doubles, used to place objects. No proof depends on it.
class Boundary {
public:
    explicit Boundary(const exact::Volume& volume);

    /// A point on a facet, an edge or a corner of the volume, and a direction in which the volume ends there.
    struct Spot {
        Double3 at;
        Double3 outward;  ///< of length 1
        Double3 along;    ///< the edge's direction if the point is on an edge; else any direction
    };
    [[nodiscard]] Spot spot(Random& random) const;
    [[nodiscard]] Spot spot_on_edge(Random& random) const;

    [[nodiscard]] const Double3& corner(Random& random) const;
    [[nodiscard]] double size() const { return size_; }  ///< the distance of its two farthest corners

private:
    [[nodiscard]] Spot spot_on(Random& random, int planes) const;
    [[nodiscard]] Spot corner_spot(Random& random) const;
    void find_facets();
    void add_facet(const Double3& inward, std::size_t point);

    std::vector<Double3> points_, rays_, normals_;  ///< normals point inward and have length 1
    std::vector<std::vector<std::size_t>> on_;      ///< [point]: the planes it lies on
    double size_ = 0;
};

/// The object's farthest point in direction v.
[[nodiscard]] Double3 support(Kind kind, const Object& object, const HullSet& hulls, const Double3& v);

/// The object translated so that its boundary touches the spot from outside, at the distance `off`.
[[nodiscard]] Object touching(Kind kind, const Object& object, const HullSet& hulls, const Boundary::Spot& spot,
                              double off);

/// Multiplies the object's extents along its own axes. A sphere's radius is multiplied by the first factor, a capsule's
/// by the second.
void stretch(Kind kind, const Double3& factors, Object& object);

/// Turns the object's first axis to `direction` and the others perpendicular to it. Lengths do not change. Kinds
/// without axes stay as they are.
void turn(Random& random, Kind kind, const Double3& direction, Object& object);

}  // namespace properties
