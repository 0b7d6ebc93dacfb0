#pragma once

#include <initializer_list>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// Largest stride: indices within a chunk of 16,384 objects, times the stride in floats, fit 31 bits.
constexpr std::size_t max_stride_bytes = 65536;

struct NamedStream {
    const void* stream;
    const char* name;
};

/// Whether none of them is null.
Status check_streams(std::initializer_list<NamedStream> streams) noexcept;

/// Whether what a batch says of its draw commands keeps the contract.
Status check_draw_templates(const DrawTemplates& draws) noexcept;

/// Whether records of `floats` numbers keep the contract of batch.hpp. `name` is how messages call them.
Status check_records(const Records& records, std::size_t floats, const char* name) noexcept;

/// Whether a batch's shapes keep it, if there are any.
Status check_shapes(const Batch::Shapes& shapes) noexcept;

/// Whether each batch keeps it; messages name the batch by its number.
Status check_batches(std::span<const Batch> batches) noexcept;

}  // namespace lanecull
