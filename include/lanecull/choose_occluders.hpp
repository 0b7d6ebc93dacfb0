#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/export.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// Choosing occluders: of many solids the few that are expected to hide most in a view.
namespace lanecull {

/// Solids to choose from, numbered in this order: the boxes, the oriented boxes, the hulls; fewer than 2^32 together.
/// `drawn` and `owners` are empty, or have an element a solid.
struct SolidSet {
    std::span<const SolidBox> boxes = {};
    std::span<const SolidOrientedBox> oriented_boxes = {};
    /// OccluderOptions::drawn of each.
    std::span<const SolidBox> drawn = {};
    /// The object that draws it. A chosen occluder's `owners` is this one element, or none if the span is empty.
    std::span<const Owner> owners = {};
    /// Instances may share a hull; what they point to must live as long as the call. A null hull is never chosen.
    std::span<const SolidHullInstance> hulls = {};

    [[nodiscard]] constexpr std::size_t count() const noexcept {
        return boxes.size() + oriented_boxes.size() + hulls.size();
    }
};

struct ChooseOptions {
    /// OccluderOptions::raster of all of them.
    RasterMargin raster = {};
    /// Bit i % 64 of word i / 64: solid i may be chosen, and is looked at. Empty: each may. Else at least
    /// ceil(solids / 64) words. Where solids are many, these are best what a cull of a Scene of their boxes left
    /// visible, for solids without a bit cost nothing then.
    std::span<const std::uint64_t> candidates = {};
    /// What was chosen in the last frame, in that order, and how many objects each hid (Output::hidden_counts). The
    /// choice then improves from frame to frame, and a solid that was chosen stays until another is expected to hide
    /// clearly more. last_hidden is empty, or as long as last_chosen. last_chosen may be the memory of `indices`, for
    /// it is read before that is written. Numbers that are no solid's are ignored, as after solids were removed.
    std::span<const std::uint32_t> last_chosen = {};
    std::span<const std::uint32_t> last_hidden = {};
};

/// Bytes of scratch memory that choose_occluders() needs for that many solids: 8 for each, and some 17,000.
[[nodiscard]] LANECULL_API std::size_t choose_scratch_bytes(std::size_t solids) noexcept;

/// Chooses up to occluders.size() of the solids, 1 to 64, and prepares them. The first `count` elements of `occluders`
/// and `indices` receive them and their numbers, most promising first, so occluders.first(count) is
/// Output::occluders. Elements beyond stay untouched. `indices` is as long as `occluders`.
///
/// A solid is not chosen if
///  - its bit in `candidates` is clear,
///  - its box lies outside of the view's volume, so that it hides nothing in it,
///  - prepare_occluder() refuses it,
///  - or a solid chosen before hides all of it, and so whatever it hides.
/// There may be fewer than asked for, or none.
///
/// How it expects: the solids themselves are taken for where objects are. Of those in the view, up to 128 are sampled
/// by a point each, and the largest by solid angle are asked which of the samples they hide. The one that hides most
/// beyond what those before it hide goes next. What each hid in the last frame corrects how many objects a sample
/// stands for. Which samples are taken depends on the solids' numbers, so the choice is steady while a camera moves.
/// The choice is no matter of proof: whatever is chosen hides by prepare_occluder()'s. A hull is taken to hide what a
/// box of its volume hides, along the axes of its own coordinates.
///
/// viewpoint: the view's own eye or direction of sight; for a view of casters the light's. scratch: at least
/// choose_scratch_bytes() bytes, at any alignment; its contents mean nothing before or after the call.
///
/// Solids with coordinates beyond some 1e12 from the eye are not chosen.
///
/// Fails, with nothing written, if the view or the viewpoint is not prepared, or if a span's length breaks its rule.
/// Invalid solids are never chosen. Outputs and scratch must not overlap one another or an input, but for last_chosen.
///
/// Time: 16 of 1,000 solids 59 us, of 5,000 104 us, of 20,000 260 us, half of them in view, preparing them included
/// (benchmarks occluders/choose; a Xeon of family 6, model 207, beside other processes). All solids are read, so where
/// they are very many, hand over those that a cull left visible.
///
/// Thread-safe, with a scratch memory a call. The same arguments give the same choice. Allocates nothing.
LANECULL_API Status choose_occluders(const SolidSet& solids, const View& view, const Viewpoint& viewpoint,
                                     std::span<Occluder> occluders, std::span<std::uint32_t> indices,
                                     std::span<std::byte> scratch, std::uint32_t& count,
                                     const ChooseOptions& options = {}) noexcept;

}  // namespace lanecull
