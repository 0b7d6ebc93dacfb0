#pragma once

#include <cstdint>
#include <span>

#include "peers/pairs.hpp"
#include "workloads/workload.hpp"

namespace bench {

/// The straddling objects of a shape, each with the standard view's volume as the second of the pair: what libraries
/// that answer one query at a time are asked.
[[nodiscard]] const PairWorkload& frustum_queries(Shape shape, std::uint32_t count);

/// The libraries that take pairs of different kinds.
[[nodiscard]] std::span<const PairEngineEntry> query_engines();

/// The shapes that they all have.
inline constexpr Shape query_shapes[] = {Shape::sphere, Shape::box, Shape::obb, Shape::capsule, Shape::hull32};

}  // namespace bench
