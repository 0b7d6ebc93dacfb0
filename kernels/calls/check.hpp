#pragma once

#include <lanecull/batch.h>
#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <lanecull/types.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/failure.hpp"
#include "base/given.hpp"

namespace lanecull {

struct PreparedView;

/// Largest stride. An index within a chunk of 16,384 objects times the stride in floats then fits 31 bits.
constexpr std::size_t max_stride_bytes = 65536;

struct NamedStream {
    const void* stream;
    const char* name;
};

/// Fails if a stream is null.
Status check_streams(std::initializer_list<NamedStream> streams) noexcept;

/// Whether a batch's draw templates meet the contract of batch.h.
Status check_draw_templates(const DrawTemplates& draws) noexcept;

/// Whether records of `floats` numbers meet the contract of batch.h. Messages call the records `name`.
/// `owner`: what the records are part of, such as "instances"; empty if nothing.
Status check_records(const Records& records, std::size_t floats, const char* name, const char* owner = "") noexcept;

/// How many numbers a transform has.
constexpr std::size_t numbers_of(TransformLayout layout) {
    return layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4 ? 16 : 12;
}
/// Whether transforms meet the contract of batch.h. Messages call them `name`.
Status check_transforms(const Transforms& transforms, const char* name) noexcept;

/// The name of the first of the box's streams that is null; null if none is.
const char* missing_stream(const Boxes& boxes) noexcept;

/// Whether local boxes of `count` objects meet the contract of batch.h. Messages call them `name`.
Status check_local_boxes(const LocalBoxes& local, std::uint32_t count, const char* name) noexcept;

/// Whether the library has the batch's kind.
Status check_kind(const Batch& batch) noexcept;

/// Whether a batch's shapes meet the contract. A batch without objects does.
Status check_shapes(const Batch& batch) noexcept;

/// Whether attributes meet the contract.
Status check_attributes(const Attributes& attributes) noexcept;

/// Whether a batch meets the contract, and this build has kernels for its kind.
Status check_batch(const Batch& batch) noexcept;

/// Whether each batch meets the contract. Messages name the batch by its number.
Status check_batches(std::span<const Batch> batches) noexcept;

/// From one vertex's number to the next's.
inline std::size_t floats_apart(const Vertices& v) { return v.stride_bytes != 0 ? v.stride_bytes / sizeof(float) : 1; }

/// Checks the preconditions of Vertices, except those on the coordinates' values.
inline Status check(const Vertices& v) {
    if (v.x == nullptr || v.y == nullptr || v.z == nullptr) {
        return failure("vertices.%s: must not be null", lasting(v.x == nullptr ? "x" : v.y == nullptr ? "y" : "z"));
    }
    if (v.count == 0) return failure("vertices.count: there must be at least one");
    if (v.stride_bytes % sizeof(float) != 0 || v.stride_bytes > max_stride_bytes) {
        return failure("vertices.stride_bytes: %zu is not a multiple of 4 from 4 to %zu", v.stride_bytes,
                       max_stride_bytes);
    }
    return {};
}

/// From one of an output's keys to the next.
[[nodiscard]] inline std::size_t key_stride_of(const Output& output) {
    return output.key_stride_bytes != 0 ? output.key_stride_bytes : sizeof(std::uint32_t);
}

/// Preconditions of a call that culls, batches or a scene alike.

inline constexpr std::size_t max_views = 64;

/// Whether there is memory for what a call's spans are said to have, and its options have nothing that the library
/// does not know.
template <class View>
Status check_spans(Span<const View> views, Span<Output> outputs, Scratch scratch, const CullOptions& options) noexcept {
    if (Status status = check_span(views, "views"); !status) return status;
    if (Status status = check_span(outputs, "outputs"); !status) return status;
    if (Status status = check_not_null(scratch.bytes != 0 ? scratch.first : &scratch, "scratch"); !status)
        return status;
    if (Status status = check_span(options.view_masks, "options.view_masks"); !status) return status;
    return check_cleared(options, "options");
}

Status check_view_count(std::size_t views) noexcept;
Status check_views(std::span<const View> views) noexcept;

/// Checks one output of view `v`: it must have no words, or `words` of them.
Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept;

/// Checks the method.
Status check_how(const CullOptions& options) noexcept;

/// The pieces of memory that a call writes, and those that it reads meanwhile: those of each view's outputs, and two of
/// the call's own.
class CallMemory {
public:
    static constexpr std::size_t own = ~std::size_t{0};  ///< in place of a view: a piece of the call's own
    static constexpr std::size_t most_of_a_view = 20;    ///< add_output() adds as many

    /// Adds a piece that belongs to an output of view `view`. A piece of the call's own has `own` as its view, and
    /// `name` is then the argument's full name.
    void add(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept;
    /// Adds a piece that is only read.
    void add_read(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept;

    /// Fails if two pieces overlap, at least one of which is written.
    Status check_overlaps() noexcept;

private:
    struct Piece {
        const std::byte* first;
        const std::byte* last;
        std::size_t view;
        const char* name;
        bool is_written;
    };
    static Status overlap(const Piece& a, const Piece& b) noexcept;

    Piece pieces_[2 + max_views * most_of_a_view];
    std::size_t count_ = 0;
};

/// Adds the memory of view `v`.
void add_output(CallMemory& memory, const Output& output, std::size_t v) noexcept;

/// Fails if the memory that a call writes overlaps, or what it reads meanwhile. A function of its own: it needs 48 KB
/// of the stack, and tasks, which may run on the same thread, 64.
Status check_overlaps(std::span<const Output> outputs, std::span<const std::byte> scratch,
                      std::span<const std::uint64_t> view_masks) noexcept;

/// Whether there is memory for what each list of view `v` is said to have, and nothing is set that the library does not
/// know.
Status check_memory(const Output& output, std::size_t v) noexcept;

/// The bytes from the first of an output's keys to the end of the last.
[[nodiscard]] inline std::size_t key_bytes(const Output& output) {
    const std::size_t keys = output.order == ListOrder::by_key ? output.keys.size() : 0;
    return keys == 0 ? 0 : (keys - 1) * key_stride_of(output) + sizeof(std::uint32_t);
}

/// Checks the order of view `v`'s lists. Without `view`, a view by which no object is visible, its depth is not
/// checked. `keys`: how many there must be; `words`: of all objects.
Status check_order(const Output& output, const PreparedView* view, std::uint64_t keys, std::uint64_t words,
                   std::size_t v) noexcept;

/// Checks where the commands of view `v` go.
Status check_draw_memory(const DrawOutput& draws, std::size_t v) noexcept;

}  // namespace lanecull
