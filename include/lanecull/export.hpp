#pragma once

/// Marks what a shared library shows to its users; everything else in it is hidden. Only the library's own build sets
/// LANECULL_STATIC_BUILD: a static library shows nothing beyond the program or shared library that it ends up in.
#if defined(__GNUC__) && !defined(LANECULL_STATIC_BUILD)
#define LANECULL_API [[gnu::visibility("default")]]
#else
#define LANECULL_API
#endif
