#pragma once

/// Uses Slow, of which a copy is at hand, and does not include it.
struct Needs {
    Slow slow;
};
