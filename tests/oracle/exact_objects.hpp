#pragma once

#include "oracle/exact.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"

/// Converts the tests' objects and cameras for the exact oracle.

/// The object with its margin and sweep.
[[nodiscard]] exact::Solid exact_solid_of(Kind kind, const Object& object, const HullSet& hulls);

[[nodiscard]] exact::HalfSpaces exact_half_spaces_of(const Camera& camera);

/// The eye as a volume of one point: where the clip coordinates x, y and w are 0. Only perspective cameras have one.
[[nodiscard]] exact::Volume exact_eye_of(const Camera& camera);
