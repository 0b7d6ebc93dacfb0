#pragma once

#include <initializer_list>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// Largest stride. An index within a chunk of 16,384 objects times the stride in floats then fits 31 bits.
constexpr std::size_t max_stride_bytes = 65536;

struct NamedStream {
    const void* stream;
    const char* name;
};

/// Fails if a stream is null.
Status check_streams(std::initializer_list<NamedStream> streams) noexcept;

/// Whether a batch's draw templates meet the contract of batch.hpp.
Status check_draw_templates(const DrawTemplates& draws) noexcept;

/// Whether records of `floats` numbers meet the contract of batch.hpp. Messages call the records `name`.
Status check_records(const Records& records, std::size_t floats, const char* name) noexcept;

/// Whether a batch's shapes meet the contract. A batch without objects does.
Status check_shapes(const Batch::Shapes& shapes) noexcept;

/// Whether each batch meets the contract. Messages name the batch by its number.
Status check_batches(std::span<const Batch> batches) noexcept;

}  // namespace lanecull
