#pragma once

/// Stands alone, after first.hpp in a row.
#include "first.hpp"

struct Second {
    First first;
};
