#pragma once

/// What is culled, batches or a scene, for other calls than cull(): its checks, and outputs of views that see nothing.

#include <lanecull/cull.h>

#include <cstddef>
#include <span>

#include "view/prepared_view.hpp"

namespace lanecull {

/// Whether batches meet their contract, or the scene is up to date.
[[nodiscard]] Status check_objects(const Objects& objects) noexcept;

/// Gives the PreparedView of view v; null for one by which no object is visible.
struct ViewOf {
    const void* self;
    const PreparedView* (*get)(const void* self, std::size_t v);

    const PreparedView* operator()(std::size_t v) const { return get(self, v); }
};

/// Checks one output for each of some views. The objects have been checked.
[[nodiscard]] Status check_outputs(const Objects& objects, std::span<const Output> outputs,
                                   const ViewOf& view_of) noexcept;

/// Writes what a cull writes that has no candidate. The output has been checked.
void write_nothing(const Objects& objects, Output& output) noexcept;

}  // namespace lanecull
