#pragma once

/// Draw commands of C as those of C++, as batches have them.

#include <cstddef>

#include <lanecull/c/batch.h>
#include <lanecull/batch.hpp>

#include "c/given.hpp"
#include "c/same_layout.hpp"

namespace lanecull::c {

static_assert(LANECULL_DRAW_PER_BATCH == static_cast<int>(DrawTemplates::Per::batch));
static_assert(LANECULL_DRAW_PER_OBJECT == static_cast<int>(DrawTemplates::Per::object));

/// `given` may be null.
inline Status take_draw_templates(const lanecull_draw_templates* given, DrawTemplates& to) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "batch.draws"); !status) return status;
    to.first = same(given->first);
    to.stride_bytes = or_default(given->stride_bytes, sizeof(DrawCommand));
    return take_enum(given->per, DrawTemplates::Per::object, "batch.draws.per", to.per);
}

}  // namespace lanecull::c
