#pragma once

/// Marks what a shared library exports; everything else in it is hidden. Only the library's own build sets
/// LANECULL_STATIC_BUILD and LANECULL_DLL_BUILD: a static library exports nothing beyond the program or shared library
/// that it is linked into. Users of a DLL need no dllimport, for it exports functions alone.
#if defined(LANECULL_DLL_BUILD)
#define LANECULL_API [[gnu::dllexport]]
#elif defined(__GNUC__) && !defined(_WIN32) && !defined(LANECULL_STATIC_BUILD)
#define LANECULL_API [[gnu::visibility("default")]]
#else
#define LANECULL_API
#endif
