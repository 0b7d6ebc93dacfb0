#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/status.hpp>
#include <lanecull/transforms.hpp>

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

/// How many numbers a transform has.
constexpr std::size_t numbers_of(TransformLayout layout) {
    return layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4 ? 16 : 12;
}
/// Whether transforms meet the contract of transforms.hpp. Messages call them `name`.
Status check_transforms(const Transforms& transforms, const char* name) noexcept;

/// The name of the first of the box's streams that is null; null if none is.
const char* missing_stream(const Boxes& boxes) noexcept;

/// Whether local boxes of `count` objects meet the contract of batch.hpp. Messages call them `name`.
Status check_local_boxes(const LocalBoxes& local, std::uint32_t count, const char* name) noexcept;

/// Whether a batch's shapes meet the contract. A batch without objects does.
Status check_shapes(const Batch::Shapes& shapes) noexcept;

/// Whether attributes meet the contract.
Status check_attributes(const Attributes& attributes) noexcept;

/// Whether a batch meets the contract, and this build has kernels for its kind.
Status check_batch(const Batch& batch) noexcept;

/// Whether each batch meets the contract. Messages name the batch by its number.
Status check_batches(std::span<const Batch> batches) noexcept;

}  // namespace lanecull
