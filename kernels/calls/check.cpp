/// Preconditions of batches: all that can be checked without reading the arrays.
/// Preconditions of a call that culls.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include <lanecull/scene.hpp>
#include "calls/check.hpp"
#include "calls/compiled_kinds.hpp"
#include "calls/every_layout.hpp"

namespace lanecull {
Status check_streams(std::initializer_list<NamedStream> streams) noexcept {
    for (const NamedStream& s : streams) {
        if (s.stream == nullptr) return Status::failure("%s: must not be null", s.name);
    }
    return {};
}

Status check_draw_templates(const DrawTemplates& draws) noexcept {
    if (draws.first == nullptr || draws.per == DrawTemplates::Per::batch) return {};
    if (draws.per != DrawTemplates::Per::object) {
        return Status::failure("draws.per: %d is neither batch nor object", static_cast<int>(draws.per));
    }
    const std::size_t stride = draws.stride_bytes;
    if (stride % 4 != 0 || stride < sizeof(DrawCommand) || stride > max_stride_bytes) {
        return Status::failure("draws.stride_bytes: %zu is not a multiple of 4 from 20 to %zu", stride,
                               max_stride_bytes);
    }
    return {};
}

Status check_records(const Records& records, std::size_t floats, const char* name) noexcept {
    if (records.first == nullptr) return Status::failure("%s.first: must not be null", name);
    const std::size_t stride = records.stride_bytes;
    if (stride == Records::packed) return {};
    if (stride % sizeof(float) != 0 || stride < floats * sizeof(float) || stride > max_stride_bytes) {
        return Status::failure("%s.stride_bytes: %zu is not a multiple of 4 from %zu to %zu, nor packed", name, stride,
                               floats * sizeof(float), max_stride_bytes);
    }
    return {};
}

Status check_transforms(const Transforms& transforms, const char* name) noexcept {
    if (transforms.layout < TransformLayout::rows_3x4 || transforms.layout > TransformLayout::columns_4x4) {
        return Status::failure("%s.layout: must name a TransformLayout, and %d names none", name,
                               static_cast<int>(transforms.layout));
    }
    const Records records{transforms.first, transforms.stride_bytes};
    if (Status status = check_records(records, numbers_of(transforms.layout), name); !status) return status;
    if (transforms.positions.first == nullptr) return {};
    const std::size_t stride = transforms.positions.stride_bytes;
    if (stride != Records::packed &&
        (stride % sizeof(double) != 0 || stride < 3 * sizeof(double) || stride > max_stride_bytes)) {
        return Status::failure("%s.positions.stride_bytes: %zu is not a multiple of 8 from 24 to %zu, nor packed", name,
                               stride, max_stride_bytes);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(transforms.origin[k])) return Status::failure("%s.origin[%zu]: not finite", name, k);
    }
    return {};
}

const char* missing_stream(const Boxes& b) noexcept {
    constexpr const char* names[] = {"min_x", "min_y", "min_z", "max_x", "max_y", "max_z"};
    const float* const streams[] = {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z};
    for (std::size_t k = 0; k < 6; ++k) {
        if (streams[k] == nullptr) return names[k];
    }
    return nullptr;
}

namespace {

Status check_corners(const Records& records, const char* boxes, const char* name) noexcept {
    char whole[32];
    std::snprintf(whole, sizeof whole, "%s.%s", boxes, name);
    return check_records(records, 3, whole);
}

}  // namespace

Status check_local_boxes(const LocalBoxes& local, std::uint32_t count, const char* name) noexcept {
    const std::uint32_t boxes = local.boxes.count;
    if (local.box_index == nullptr && boxes != count) {
        return Status::failure("%s.boxes.count: %u, but there are %u objects and no box_index", name, boxes, count);
    }
    constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max();
    if (local.box_index != nullptr && (boxes == 0 || boxes > most)) {
        return Status::failure("%s.boxes.count: %u, with box_index there must be 1 to %u", name, boxes, most);
    }
    if (local.lower.first == nullptr && local.upper.first == nullptr) {
        const char* const missing = missing_stream(local.boxes);
        return missing == nullptr ? Status() : Status::failure("%s.boxes.%s: must not be null", name, missing);
    }
    const Boxes& b = local.boxes;
    for (const float* stream : {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z}) {
        if (stream != nullptr) return Status::failure("%s: boxes must be streams or records, not both", name);
    }
    if (Status status = check_corners(local.lower, name, "lower"); !status) return status;
    return check_corners(local.upper, name, "upper");
}

Status check_shapes(const Batch::Shapes& shapes) noexcept {
    return shapes.visit(
        []<class Shapes>(const Shapes& s) { return s.count == 0 ? Status() : KindTraits<Shapes>::check(s); });
}

Status check_attributes(const Attributes& attributes) noexcept {
    const Attributes& a = attributes;
    const int sweeps = (a.sweep_x != nullptr) + (a.sweep_y != nullptr) + (a.sweep_z != nullptr);
    if (sweeps != 0 && sweeps != 3) {
        return Status::failure("attributes.sweep_x, _y, _z: all three must be given, or none");
    }
    return {};
}

Status check_batch(const Batch& batch) noexcept {
    const auto absent = []<class Shapes>(const Shapes&) { return absent_kind<Shapes>; };
    if (const char* kind = batch.shapes.visit(absent); kind != nullptr) {
        return Status::failure(StatusCode::unsupported,
                               "shapes: %s: this build has no kernels for them (LANECULL_KINDS)", kind);
    }
    if (Status status = check_shapes(batch.shapes); !status) return status;
    if (Status status = check_attributes(batch.attributes); !status) return status;
    return check_draw_templates(batch.draws);
}

Status check_batches(std::span<const Batch> batches) noexcept {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        if (batches[b].count() == 0) continue;
        const Status status = check_batch(batches[b]);
        if (!status) return Status::failure(status.code(), "batches[%zu].%s", b, status.message());
    }
    return {};
}

Status check_view_count(std::size_t views) noexcept {
    if (views > 0 && views <= max_views) return {};
    return Status::failure("views: 1 to %zu are culled in one call, not %zu", max_views, views);
}

Status check_views(std::span<const View> views) noexcept {
    if (Status status = check_view_count(views.size()); !status) return status;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!views[v].prepared())
            return Status::failure(StatusCode::not_ready, "views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept {
    if (given.empty() || given.size() == words) return {};
    return Status::failure("outputs[%zu].%s: must have no words or %zu (visibility_words()), not %zu", v, name, words,
                           given.size());
}

Status check_how(const CullOptions& options) noexcept {
    if (options.method > Method::planes && options.method != gjk_alone) {
        return Status::failure("options.method: %d is no method", static_cast<int>(options.method));
    }
    return {};
}

void CallMemory::add(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept {
    const auto* from = static_cast<const std::byte*>(first);
    if (bytes > 0) pieces_[count_++] = {from, from + bytes, view, name, true};
}

void CallMemory::add_read(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept {
    const auto* from = static_cast<const std::byte*>(first);
    if (bytes > 0) pieces_[count_++] = {from, from + bytes, view, name, false};
}

Status CallMemory::overlap(const Piece& a, const Piece& b) noexcept {
    const Piece& output = a.view == own ? b : a;
    const Piece& other = a.view == own ? a : b;
    if (output.view == own) return Status::failure("options.view_masks: overlaps scratch");
    if (other.view == own) {
        return Status::failure("outputs[%zu].%s: overlaps %s", output.view, output.name, other.name);
    }
    return Status::failure("outputs[%zu].%s: overlaps outputs[%zu].%s", output.view, output.name, other.view,
                           other.name);
}

/// Takes the pieces by address. A written one must begin where all pieces before it have ended, a read one where all
/// written pieces before it have.
Status CallMemory::check_overlaps() noexcept {
    std::sort(pieces_, pieces_ + count_,
              [](const Piece& a, const Piece& b) { return std::less<>()(a.first, b.first); });
    const Piece* longest = nullptr;          // of the pieces before, the one that ends last
    const Piece* longest_written = nullptr;  // the same of those that are written
    const auto longer = [](const Piece* a, const Piece& b) {
        return a == nullptr || std::less<>()(a->last, b.last) ? &b : a;
    };
    for (std::size_t i = 0; i < count_; ++i) {
        const Piece& piece = pieces_[i];
        const Piece* before = piece.is_written ? longest : longest_written;
        if (before != nullptr && std::less<>()(piece.first, before->last)) return overlap(*before, piece);
        longest = longer(longest, piece);
        if (piece.is_written) longest_written = longer(longest_written, piece);
    }
    return {};
}

void add_output(CallMemory& memory, const Output& output, std::size_t v) noexcept {
    const auto add = [&](auto span, const char* name) { memory.add(span.data(), span.size_bytes(), v, name); };
    add(output.visible, "visible");
    add(output.inside, "inside");
    add(output.indices, "indices");
    add(output.runs, "runs");
    add(output.batch_ranges, "batch_ranges");
    add(output.hidden_counts, "hidden_counts");
    add(output.draws.memory, "draws.memory");
    memory.add(output.draws.count, output.draws.count != nullptr ? sizeof(std::uint32_t) : 0, v, "draws.count");
    memory.add_read(output.candidates.data(), output.candidates.size_bytes(), v, "candidates");
    memory.add_read(output.occluders.data(), output.occluders.size_bytes(), v, "occluders");
    if (output.explanation != nullptr) {
        add(std::span(output.explanation, 1), "explanation");
        add(output.explanation->certificates, "certificates");
    }
    if (output.scene != nullptr) {
        add(std::span(output.scene, 1), "scene");
        add(output.scene->handles, "handles");
        add(output.scene->block_outcomes, "block_outcomes");
        add(output.scene->hints, "hints");
        add(output.scene->lod.distances, "lod.distances");
        add(output.scene->lod.levels, "lod.levels");
        add(output.scene->lod.latest, "lod.latest");
    }
}

Status check_overlaps(std::span<const Output> outputs, std::span<const std::byte> scratch,
                      std::span<const std::uint64_t> view_masks) noexcept {
    CallMemory memory;
    memory.add(scratch.data(), scratch.size(), CallMemory::own, "scratch");
    memory.add(view_masks.data(), view_masks.size_bytes(), CallMemory::own, "options.view_masks");
    for (std::size_t v = 0; v < outputs.size(); ++v) add_output(memory, outputs[v], v);
    return memory.check_overlaps();
}

Status check_draw_memory(const DrawOutput& draws, std::size_t v) noexcept {
    if (draws.memory.empty()) return {};
    const std::size_t stride = draws.stride_bytes;
    if (stride % 4 != 0 || stride < sizeof(DrawCommand)) {
        return Status::failure("outputs[%zu].draws.stride_bytes: %zu is not a multiple of 4 from 20 up", v, stride);
    }
    if (draws.offset_bytes > draws.memory.size()) {
        return Status::failure("outputs[%zu].draws.offset_bytes: %zu lies beyond the %zu bytes of memory", v,
                               draws.offset_bytes, draws.memory.size());
    }
    if (reinterpret_cast<std::uintptr_t>(draws.memory.data() + draws.offset_bytes) % 4 != 0) {
        return Status::failure("outputs[%zu].draws: the first command must be 4-byte aligned", v);
    }
    return {};
}

}  // namespace lanecull
