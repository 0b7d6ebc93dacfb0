#pragma once

/// Cones: stage 1 sees the hulls of their apex and of the ball around their base; later stages load them as shapes.

#include <lanecull/batch.h>

#include "cull/kind_cylinder.hpp"
#include "cull/kind_traits.hpp"
#include "lanes/cone.hpp"

namespace lanecull {
namespace {

struct ConeKind : DiscKind<Cones, ConeW> {};

template <>
struct KindOf<Cones> {
    using Kind = ConeKind;
};

}  // namespace
}  // namespace lanecull
