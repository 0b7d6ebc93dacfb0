#pragma once

#include <cstddef>
#include <span>

#include <lanecull/flat/cull.hpp>

namespace lanecull::flat {

/// Whether each batch meets the contract of flat/batch.hpp, as far as can be checked without reading the arrays.
/// Messages name the batch by its number.
Status check_batches(std::span<const Batch> batches) noexcept;

Status check_views(std::span<const View> views) noexcept;

/// Solids hide no figures: view `v` may have no occluders.
Status check_occluders(const ViewOutput& output, std::span<const Batch> batches, std::size_t v) noexcept;

}  // namespace lanecull::flat
