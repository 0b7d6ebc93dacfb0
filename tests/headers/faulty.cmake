# Headers that `check` must find to be at fault, and such that stand alone beside them, written below ${at}.

file(WRITE ${at}/code_before_include.hpp [[
#pragma once

/// Includes slow.hpp, but too late.
struct Early {
    Slow slow;
};

#include "slow.hpp"
]])

file(WRITE ${at}/fails_in_the_set.hpp [[
#pragma once

/// Stands alone as plain C++, and does not with an instruction set's define.
#if defined(LANECULL_SET)
using Wide = FloatW;
#else
using Wide = float;
#endif
]])

file(WRITE ${at}/first.hpp [[
#pragma once

/// Stands alone, and is in a row before the headers that include it.
#include "slow.hpp"

struct First {
    Slow slow;
};
]])

file(WRITE ${at}/includes_too_little.hpp [[
#pragma once

/// Compiles after first.hpp only, which it does not include; slow.hpp, in the same row, it does.
#include "slow.hpp"

struct TooLittle {
    Slow slow;
    First first;
};
]])

file(WRITE ${at}/needs_what_is_copied.hpp [[
#pragma once

/// Uses Slow, of which a copy is at hand, and does not include it.
struct Needs {
    Slow slow;
};
]])

file(WRITE ${at}/second.hpp [[
#pragma once

/// Stands alone, after first.hpp in a row.
#include "first.hpp"

struct Second {
    First first;
};
]])

file(WRITE ${at}/set.hpp [[
#pragma once

/// Stands alone. It stands for the header of an instruction set.
#if defined(LANECULL_SET)
using FloatW = float;
#endif
]])

file(WRITE ${at}/slow.hpp [[
#pragma once

/// Stands alone. It stands for a header that takes compilers long, which is precompiled for those that include it.
struct Slow {};
]])
