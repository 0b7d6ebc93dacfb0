#ifndef LANECULL_C_EXPORT_H
#define LANECULL_C_EXPORT_H

/* As <lanecull/export.hpp>: marks what a shared library exports. Only the library's own build sets
 * LANECULL_STATIC_BUILD and LANECULL_DLL_BUILD. */
#if defined(LANECULL_DLL_BUILD)
#define LANECULL_C_API __attribute__((dllexport))
#elif defined(__GNUC__) && !defined(_WIN32) && !defined(LANECULL_STATIC_BUILD)
#define LANECULL_C_API __attribute__((visibility("default")))
#else
#define LANECULL_C_API
#endif

#endif
