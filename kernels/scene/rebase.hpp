#pragma once

#include <lanecull/prepared_view.hpp>

namespace lanecull {

/// The same volume for objects whose coordinates are relative to `origin` (kernels/scene/README.md has the errors).
PreparedView rebased(const PreparedView& view, const double (&origin)[3]) noexcept;

}  // namespace lanecull
