#pragma once

/// What every header of the C++ interface is written in: C++20. A compiler that is told otherwise says so here, before
/// it says anything of the other headers.
#if __cplusplus <= 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG > 201703L)
#error \
    "lanecull's headers need C++20: compile with -std=c++20, or in CMake with target_compile_features(... cxx_std_20)"
#endif
