#pragma once

/// Stands alone, and is in a row before the headers that include it.
#include "slow.hpp"

struct First {
    Slow slow;
};
