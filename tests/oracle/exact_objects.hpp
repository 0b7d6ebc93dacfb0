#pragma once

#include "oracle/exact.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"

/// The tests' objects and cameras as the exact oracle takes them.

/// With margin and sweep.
[[nodiscard]] exact::Solid exact_solid_of(Kind kind, const Object& object, const HullSet& hulls);

[[nodiscard]] exact::HalfSpaces exact_half_spaces_of(const Camera& camera);

/// The eye, a single point: where the clip coordinates x, y and w are 0. Perspective cameras have one.
[[nodiscard]] exact::Volume exact_eye_of(const Camera& camera);
