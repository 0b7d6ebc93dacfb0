#pragma once

#include <lanecull/library.h>

/// Whether the set's lanes do what the proof and the kernels assume of them. Prints what does not hold.
[[nodiscard]] bool lanes_hold(lanecull::Isa isa);

/// lanes_check_set.cpp, compiled once for each set, defines its own.
template <lanecull::Isa isa>
struct LanesCheck {
    static bool hold();
};
