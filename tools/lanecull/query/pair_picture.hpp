#pragma once

#include <string>

#include "query/query_solid.hpp"

namespace lanecull::program {

struct PairPicture {
    std::string svg;
    std::string figures;  ///< what it says of the pair: "separated, distance 2"
};

/// How gjk::distance() goes about two shapes, as SVG: a panel a step, with the difference of the two (of their cores),
/// the origin, within whose circle of the margins it must come for them to intersect, the simplex, and the way from it
/// to the origin. In 3D the difference is seen from a corner, by its outline and by points of its front. A legend below
/// has the figures, which are those of query_distance().
template <int N>
[[nodiscard]] PairPicture pair_picture(const QuerySolid<N>& a, const QuerySolid<N>& b);

extern template PairPicture pair_picture(const QuerySolid<2>& a, const QuerySolid<2>& b);
extern template PairPicture pair_picture(const QuerySolid<3>& a, const QuerySolid<3>& b);

}  // namespace lanecull::program
