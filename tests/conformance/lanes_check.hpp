#pragma once

#include <lanecull/library.h>

/// Whether a set's lanes do what the proof and the kernels assume of them; prints what does not hold.
/// lanes_check_set.cpp, compiled once for each set, defines its own.
template <lanecull::Isa isa>
struct LanesCheck {
    static bool hold();
};
