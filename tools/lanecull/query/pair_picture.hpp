#pragma once

#include <string>

#include "query/query_solid.hpp"

namespace lanecull::program {

/// How gjk::distance() goes about two shapes, as SVG: a panel a step, with the difference of the two (of their cores),
/// the origin, within whose circle of the margins it must come for them to intersect, the simplex, and the way from it
/// to the origin. In 3D the difference is seen from a corner, by its outline and by points of its front.
template <int N>
[[nodiscard]] std::string pair_picture(const QuerySolid<N>& a, const QuerySolid<N>& b);

extern template std::string pair_picture(const QuerySolid<2>& a, const QuerySolid<2>& b);
extern template std::string pair_picture(const QuerySolid<3>& a, const QuerySolid<3>& b);

}  // namespace lanecull::program
