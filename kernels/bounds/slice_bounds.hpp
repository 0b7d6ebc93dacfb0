#pragma once

#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/shadow.hpp>
#include <lanecull/status.hpp>

#include "bounds/find_bounds.hpp"

namespace lanecull {

/// slice_bounds() of shadow.hpp, of one batch whose blocks have boxes, or of any batches without (null).
Status slice_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible, const BlockBoxes* blocks,
                    const Slice& slice, std::span<const double> depths, std::span<WorldBox> bounds,
                    const WorldBoundsOptions& options) noexcept;

}  // namespace lanecull
