#pragma once

/// Before stage 1: selects the objects of a chunk that are tested at all. The caller's candidates, flags and layers say
/// which. An object with invalid attributes is visible without a test, if it is a candidate.

#include <cstdint>

#include <lanecull/batch.h>
#include <lanecull/cull.h>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/reasons.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Of a chunk's objects, a bit each.
struct Selection {
    std::uint64_t tested[chunk_words];  // set: to be tested
    std::uint64_t forced[chunk_words];  // set: visible, whatever tests would say
};

struct SelectedW {
    std::uint32_t disabled, other_layer, always, invalid;
};

LANE_INLINE MaskW valid_number(FloatW a) { return (a >= FloatW(0.0f)) & (a < FloatW(magnitude_limit)); }

/// Set bits: lanes with a margin or a limit that is negative or NaN, or with a margin or sweep that is not finite or
/// too large.
template <class Fetch>
LANE_INLINE std::uint32_t invalid_attributes(const Attributes& a, const Fetch& fetch) {
    MaskW valid = mask_of(all_lanes);
    if (a.margin != nullptr) valid = valid & valid_number(fetch(a.margin));
    if (a.sweep_x != nullptr) {
        valid = valid & valid_number(one_norm({fetch(a.sweep_x), fetch(a.sweep_y), fetch(a.sweep_z)}));
    }
    if (a.max_distance != nullptr) valid = valid & (fetch(a.max_distance) >= FloatW(0.0f));
    if (a.min_distance != nullptr) valid = valid & (fetch(a.min_distance) >= FloatW(0.0f));
    if (a.min_projected_size != nullptr) valid = valid & (fetch(a.min_projected_size) >= FloatW(0.0f));
    return ~bits(valid);
}

/// What of flags and layers culls in a view.
struct Selectors {
    std::uint32_t layer_mask, culling_flags;
};

/// Selects in one packet. The four sets of lanes have none in common.
template <class Fetch>
LANE_INLINE SelectedW select_packet(const Attributes& a, Selectors by, const Fetch& fetch, std::uint32_t active) {
    std::uint32_t disabled = 0, always = 0, in_layer = all_lanes;
    if (a.flags != nullptr) {
        const IndexW flags = fetch(a.flags);
        disabled = nonzero_lanes(flags & IndexW(static_cast<std::int32_t>(by.culling_flags)));
        always = nonzero_lanes(flags & IndexW(object_always_visible));
    }
    if (a.layers != nullptr)
        in_layer = nonzero_lanes(fetch(a.layers) & IndexW(static_cast<std::int32_t>(by.layer_mask)));
    SelectedW selected;
    selected.disabled = active & disabled;
    selected.other_layer = active & ~disabled & ~in_layer;
    const std::uint32_t rest = active & ~disabled & in_layer;
    selected.invalid = rest & invalid_attributes(a, fetch);
    selected.always = rest & always & ~selected.invalid;
    return selected;
}

/// Whether objects have limits that are seen from the eye (cull/eye_limits.hpp).
LANE_INLINE bool has_eye_limits(const Attributes& a) {
    return a.max_distance != nullptr || a.min_distance != nullptr || a.min_projected_size != nullptr;
}

LANE_INLINE bool selects(const Attributes& a) {
    return a.margin != nullptr || a.sweep_x != nullptr || a.flags != nullptr || a.layers != nullptr ||
           has_eye_limits(a);
}

/// Of the objects of one word, a bit each. The four have none in common.
struct SelectedBits {
    std::uint64_t disabled = 0, other_layer = 0, always = 0, invalid = 0;
};

/// Selects among the objects `asked` of word w, by their attributes.
LANE_INLINE SelectedBits select_word(const Attributes& a, Selectors by, const Chunk& chunk, std::uint32_t w,
                                     std::uint64_t asked) {
    SelectedBits selected;
    for (std::uint32_t shift = 0; shift < 64 && 64 * w + shift < chunk.count; shift += lanes) {
        const std::uint32_t at = chunk.first + 64 * w + shift, rest = chunk.first + chunk.count - at;
        const auto active = static_cast<std::uint32_t>(asked >> shift) & all_lanes;
        SelectedW s = rest >= lanes ? select_packet(a, by, RunOfObjects{at}, active)
                                    : select_packet(a, by, TailOfObjects{at, rest}, active);
        selected.disabled |= std::uint64_t{s.disabled} << shift;
        selected.other_layer |= std::uint64_t{s.other_layer} << shift;
        selected.always |= std::uint64_t{s.always} << shift;
        selected.invalid |= std::uint64_t{s.invalid} << shift;
    }
    return selected;
}

/// Selects the objects of the chunk that are to be tested, and records the others. Objects that are no candidates
/// are culled first; nothing of them is read if their whole word has none. Returns how many are to be
/// tested.
inline std::uint32_t select_objects(const Attributes& attributes, const PreparedView& view, const Chunk& chunk,
                                    Selection& selection, Verdicts& verdicts) {
    Attributes a = attributes;
    Selectors by{view.layer_mask, object_disabled};
    if (view.ignores_flags != 0) a.layers = nullptr, by.culling_flags = 0;
    const bool by_attributes = selects(a);
    std::uint64_t tested = 0;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t asked = chunk.candidates_of(w);
        SelectedBits s;
        if (by_attributes && asked != 0) s = select_word(a, by, chunk, w, asked);
        verdicts.record(chunk, w, chunk.all_of(w) & ~asked, Reason::culled_candidate);
        verdicts.record(chunk, w, s.disabled, Reason::culled_disabled);
        verdicts.record(chunk, w, s.other_layer, Reason::culled_layer);
        verdicts.record(chunk, w, s.always, Reason::visible_always);
        verdicts.record(chunk, w, s.invalid, Reason::visible_invalid);
        selection.forced[w] = s.always | s.invalid;
        selection.tested[w] = asked & ~(s.disabled | s.other_layer | selection.forced[w]);
        tested += population(selection.tested[w]);
    }
    return static_cast<std::uint32_t>(tested);
}

}  // namespace
}  // namespace lanecull
