#pragma once

#include <lanecull/view.hpp>

namespace lanecull {

/// Gives a caller's View what was prepared.
struct ViewAccess {
    static void set(View& view, const PreparedView& prepared) { view.prepared_ = prepared; }
};

}  // namespace lanecull
