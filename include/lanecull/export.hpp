#pragma once

/// Marks what a shared library exports; everything else in it is hidden. Only the library's own build sets
/// LANECULL_STATIC_BUILD: a static library exports nothing beyond the program or shared library that it is linked into.
#if defined(__GNUC__) && !defined(LANECULL_STATIC_BUILD)
#define LANECULL_API [[gnu::visibility("default")]]
#else
#define LANECULL_API
#endif
