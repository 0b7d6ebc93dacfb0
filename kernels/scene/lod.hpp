#pragma once

#include <lanecull/scene.h>

#include <cstddef>
#include <cstdint>

#include "scene/columns.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// What one range writes to a LodOutput. Slots, for columns and handles, count from the store's start.
struct LodWork {
    const LodOutput* output;
    const PreparedView* view;  ///< relative to the store's origin
    const Columns* objects;    ///< of a store: streams are packed
    const Handle* handles;
    std::uint32_t first_slot;   ///< of the range, in the store
    const std::uint64_t* kept;  ///< the range's words
    std::size_t words;
    std::uint64_t visible_before;  ///< before the range
};

/// Needs FloatModes.
void write_lod(const LodWork& work) noexcept;

/// Checks the levels of detail of view `v`, in a scene whose handles are below `handles`.
[[nodiscard]] Status check_lod(const LodOutput& output, const PreparedView& view, std::size_t v,
                               std::uint64_t handles) noexcept;

}  // namespace lanecull
