#pragma once

/// Includes slow.hpp, but too late.
struct Early {
    Slow slow;
};

#include "slow.hpp"
