#pragma once

/// Compiles after first.hpp only, which it does not include; slow.hpp, in the same row, it does.
#include "slow.hpp"

struct TooLittle {
    Slow slow;
    First first;
};
