#pragma once

/// The version of these headers: numbers for the preprocessor, and the same as text. CMake's package has the same one.
#define LANECULL_VERSION_MAJOR 0
#define LANECULL_VERSION_MINOR 1
#define LANECULL_VERSION_PATCH 0
#define LANECULL_VERSION "0.1.0"

/// One number to compare with, as in `#if LANECULL_VERSION_NUMBER >= 200` for 0.2.0: 10,000 major + 100 minor + patch.
#define LANECULL_VERSION_NUMBER (10000 * LANECULL_VERSION_MAJOR + 100 * LANECULL_VERSION_MINOR + LANECULL_VERSION_PATCH)
