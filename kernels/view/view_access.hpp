#pragma once

#include <lanecull/view.hpp>

namespace lanecull {

/// Writes what was prepared into a caller's View.
struct ViewAccess {
    static void set(View& view, const PreparedView& prepared) { view.prepared_ = prepared; }
};

}  // namespace lanecull
