#pragma once

/// Stands alone. It stands for a header that takes compilers long, which is precompiled for those that include it.
struct Slow {};
