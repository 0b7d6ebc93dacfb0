#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/lod.hpp>
#include <lanecull/scene.hpp>

#include "scene/columns.hpp"

namespace lanecull {

/// One part's share of a LodOutput. Slots, for columns and names, count from the store's start.
struct LodWork {
    const LodOutput* output;
    const PreparedView* view;  ///< relative to the store's origin
    const Columns* objects;    ///< of a store: streams are packed
    const Handle* names;
    std::uint32_t first_slot;   ///< of the part, in the store
    const std::uint64_t* kept;  ///< the part's words
    std::size_t words;
    std::uint64_t visible_before;  ///< the part
};

[[nodiscard]] inline bool wants_lod(const LodOutput& output) noexcept {
    return !output.distances.empty() || !output.levels.empty() || !output.latest.empty();
}

/// Needs FloatModes.
void write_lod(const LodWork& work) noexcept;

/// What is asked of view `v`, in a scene whose handles are below `handles`.
[[nodiscard]] Status check_lod(const LodOutput& output, const PreparedView& view, std::size_t v,
                               std::uint64_t handles) noexcept;

}  // namespace lanecull
