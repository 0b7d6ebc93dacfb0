/// Preconditions of batches: all that can be checked without reading the arrays.
/// Preconditions of a call that culls.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include <lanecull/scene.h>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "calls/compiled_kinds.hpp"
#include "calls/every_layout.hpp"
#include "calls/kernel_table.hpp"
#include "calls/kinds.hpp"
#include "calls/order.hpp"
#include "calls/visible_lists.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
Status check_streams(std::initializer_list<NamedStream> streams) noexcept {
    for (const NamedStream& s : streams) {
        if (s.stream == nullptr) return failure("%s: must not be null", lasting(s.name));
    }
    return {};
}

Status check_draw_templates(const DrawTemplates& draws) noexcept {
    if (draws.first == nullptr || draws.per == DrawTemplates::Per::batch) return {};
    if (Status status = check_enum(draws.per, DrawTemplates::Per::object, "draws.per"); !status) return status;
    const std::size_t stride = DrawCommands::stride_of(draws);
    if (stride % 4 != 0 || stride < sizeof(DrawCommand) || stride > max_stride_bytes) {
        return failure("draws.stride_bytes: %zu is not a multiple of 4 from 20 to %zu", stride, max_stride_bytes);
    }
    return {};
}

Status check_records(const Records& records, std::size_t floats, const char* name, const char* owner) noexcept {
    const Lasting dot = lasting(owner[0] != '\0' ? "." : "");
    if (records.first == nullptr) {
        return failure("%s%s%s.first: must not be null", lasting(owner), dot, lasting(name));
    }
    const std::size_t stride = records.stride_bytes;
    if (stride == 0) return {};
    if (stride % sizeof(float) != 0 || stride < floats * sizeof(float) || stride > max_stride_bytes) {
        static_assert(max_stride_bytes == 65536);
        return failure("%s%s%s.stride_bytes: %zu is not a multiple of 4 from %zu to 65536, nor packed", lasting(owner),
                       dot, lasting(name), stride, floats * sizeof(float));
    }
    return {};
}

Status check_transforms(const Transforms& transforms, const char* name) noexcept {
    if (transforms.layout < TransformLayout::rows_3x4 || transforms.layout > TransformLayout::columns_4x4) {
        return failure("%s.layout: %u is not a known value (TransformLayout)", lasting(name),
                       static_cast<std::uint32_t>(transforms.layout));
    }
    const Records records{transforms.first, transforms.stride_bytes};
    if (Status status = check_records(records, numbers_of(transforms.layout), name); !status) return status;
    if (transforms.positions.first == nullptr) return {};
    const std::size_t stride = transforms.positions.stride_bytes;
    if (stride != 0 && (stride % sizeof(double) != 0 || stride < 3 * sizeof(double) || stride > max_stride_bytes)) {
        return failure("%s.positions.stride_bytes: %zu is not a multiple of 8 from 24 to %zu, nor packed",
                       lasting(name), stride, max_stride_bytes);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(transforms.origin[k])) return failure("%s.origin[%zu]: not finite", lasting(name), k);
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

Status check_local_boxes(const LocalBoxes& local, std::uint32_t count, const char* name) noexcept {
    const std::uint32_t boxes = local.boxes.count;
    if (local.box_index == nullptr && boxes != count) {
        return failure("%s.boxes.count: %u, but there are %u objects and no box_index", lasting(name), boxes, count);
    }
    constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max();
    if (local.box_index != nullptr && (boxes == 0 || boxes > most)) {
        return failure("%s.boxes.count: %u, with box_index there must be 1 to %u", lasting(name), boxes, most);
    }
    if (local.lower.first == nullptr && local.upper.first == nullptr) {
        const char* const missing = missing_stream(local.boxes);
        return missing == nullptr ? Status()
                                  : failure("%s.boxes.%s: must not be null", lasting(name), lasting(missing));
    }
    const Boxes& b = local.boxes;
    for (const float* stream : {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z}) {
        if (stream != nullptr) return failure("%s: boxes must be streams or records, not both", lasting(name));
    }
    if (Status status = check_records(local.lower, 3, "lower", name); !status) return status;
    return check_records(local.upper, 3, "upper", name);
}

Status check_kind(const Batch& batch) noexcept {
    return place_of(batch) < Kinds::size ? Status() : no_enumerator(batch.kind, "kind");
}

Status check_shapes(const Batch& batch) noexcept {
    if (Status status = check_kind(batch); !status) return status;
    return visit(batch,
                 []<class Shapes>(const Shapes& s) { return s.count == 0 ? Status() : KindTraits<Shapes>::check(s); });
}

Status check_attributes(const Attributes& attributes) noexcept {
    const Attributes& a = attributes;
    const int sweeps = (a.sweep_x != nullptr) + (a.sweep_y != nullptr) + (a.sweep_z != nullptr);
    if (sweeps != 0 && sweeps != 3) {
        return failure("attributes.sweep_x, _y, _z: all three must be given, or none");
    }
    return {};
}

Status check_batch(const Batch& batch) noexcept {
    if (Status status = check_kind(batch); !status) return status;
    if (!is_cleared(batch)) return not_cleared("reserved");
    if (!is_cleared(batch.attributes)) return not_cleared("attributes.reserved");
    const auto absent = []<class Shapes>(const Shapes&) { return absent_kind<Shapes>; };
    if (const char* kind = visit(batch, absent); kind != nullptr) {
        return failure(StatusCode::unsupported, "shapes: %s: this build has no kernels for them (LANECULL_KINDS)",
                       lasting(kind));
    }
    if (Status status = check_shapes(batch); !status) return status;
    if (Status status = check_attributes(batch.attributes); !status) return status;
    return check_draw_templates(batch.draws);
}

Status check_batches(std::span<const Batch> batches) noexcept {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const Status status = batches[b].count() == 0 ? check_kind(batches[b]) : check_batch(batches[b]);
        if (!status) return within(status, "batches[%zu].", b);
    }
    return {};
}

Status check_view_count(std::size_t views) noexcept {
    if (views > 0 && views <= max_views) return {};
    return failure("views: 1 to %zu are culled in one call, not %zu", max_views, views);
}

Status check_views(std::span<const View> views) noexcept {
    if (Status status = check_view_count(views.size()); !status) return status;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!is_prepared(views[v]))
            return failure(StatusCode::not_ready, "views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept {
    if (given.empty() || given.size() == words) return {};
    return failure("outputs[%zu].%s: must have no words or %zu (visibility_words()), not %zu", v, lasting(name), words,
                   given.size());
}

Status check_how(const CullOptions& options) noexcept {
    if (options.method == gjk_alone) return {};
    return check_enum(options.method, Method::planes, "options.method");
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
    if (output.view == own) return failure("options.view_masks: overlaps scratch");
    if (other.view == own) {
        return failure("outputs[%zu].%s: overlaps %s", output.view, lasting(output.name), lasting(other.name));
    }
    return failure("outputs[%zu].%s: overlaps outputs[%zu].%s", output.view, lasting(output.name), other.view,
                   lasting(other.name));
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
    memory.add(output.draws.memory.first, output.draws.memory.bytes, v, "draws.memory");
    memory.add(output.draws.count, output.draws.count != nullptr ? sizeof(std::uint32_t) : 0, v, "draws.count");
    memory.add_read(output.candidates.data(), output.candidates.size_bytes(), v, "candidates");
    memory.add_read(output.keys.data(), key_bytes(output), v, "keys");
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

Status check_memory(const Output& output, std::size_t v) noexcept {
    const char* missing = nullptr;
    const auto look = [&](auto span, const char* name) {
        if (!is_backed(span)) [[unlikely]]
            missing = name;
    };
    look(output.visible, "visible");
    look(output.indices, "indices");
    look(output.inside, "inside");
    look(output.runs, "runs");
    look(output.batch_ranges, "batch_ranges");
    look(output.candidates, "candidates");
    look(output.keys, "keys");
    look(output.occluders, "occluders");
    look(output.hidden_counts, "hidden_counts");
    if (output.draws.memory.first == nullptr && output.draws.memory.bytes != 0) missing = "draws.memory";
    bool is_known = is_cleared(output);
    if (output.explanation != nullptr) {
        look(output.explanation->certificates, "certificates");
        is_known &= is_cleared(*output.explanation);
    }
    if (output.scene != nullptr) {
        const SceneOutput& of_scene = *output.scene;
        look(of_scene.handles, "handles");
        look(of_scene.block_outcomes, "block_outcomes");
        look(of_scene.hints, "hints");
        look(of_scene.lod.distances, "lod.distances");
        look(of_scene.lod.levels, "lod.levels");
        look(of_scene.lod.thresholds, "lod.thresholds");
        look(of_scene.lod.latest, "lod.latest");
        is_known &= is_cleared(of_scene) && is_cleared(of_scene.lod);
    }
    if (missing != nullptr) {
        return failure("outputs[%zu].%s: must not be null, with a length that is not 0", v, lasting(missing));
    }
    if (is_known) return {};
    return within(not_cleared("reserved"), "outputs[%zu].", v);
}

Status check_order(const Output& output, const PreparedView* view, std::uint64_t keys, std::uint64_t words,
                   std::size_t v) noexcept {
    if (Status status = check_enum(output.order, ListOrder::by_key, "order"); !status) {
        return within(status, "outputs[%zu].", v);
    }
    if (output.order == ListOrder::ascending) return {};
    if (view != nullptr && view->sight.kind == Sight::none) {
        return failure("outputs[%zu].order: the view has no depth; of corners and planes it has one from options.eye",
                       v);
    }
    if (words > most_ordered_words) return failure("outputs[%zu].order: there are too many objects", v);
    if (output.order != ListOrder::by_key) return {};
    if (output.key_stride_bytes % sizeof(std::uint32_t) != 0 || output.key_stride_bytes > max_stride_bytes) {
        return failure("outputs[%zu].key_stride_bytes: %u is not a multiple of 4 up to %zu", v, output.key_stride_bytes,
                       max_stride_bytes);
    }
    if (output.keys.size() >= keys) return {};
    return failure("outputs[%zu].keys: there must be %zu, one for each index, not %zu", v,
                   static_cast<std::size_t>(keys), output.keys.size());
}

Status check_draw_memory(const DrawOutput& draws, std::size_t v) noexcept {
    if (draws.memory.empty()) return {};
    const std::size_t stride = stride_of(draws);
    if (stride % 4 != 0 || stride < sizeof(DrawCommand)) {
        return failure("outputs[%zu].draws.stride_bytes: %zu is not a multiple of 4 from 20 up", v, stride);
    }
    if (draws.offset_bytes > draws.memory.size()) {
        return failure("outputs[%zu].draws.offset_bytes: %zu lies beyond the %zu bytes of memory", v,
                       draws.offset_bytes, draws.memory.size());
    }
    if (reinterpret_cast<std::uintptr_t>(draws.memory.data() + draws.offset_bytes) % 4 != 0) {
        return failure("outputs[%zu].draws: the first command must be 4-byte aligned", v);
    }
    return {};
}

}  // namespace lanecull
