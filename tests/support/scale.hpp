#pragma once

/// The number of cases that the random tests run, relative to a release build. It is the environment variable
/// LANECULL_TEST_SCALE, which CMake sets to less for sanitizers and which anyone may set to more.
[[nodiscard]] double test_scale();

/// count * test_scale(), at least 1.
[[nodiscard]] int scaled(int count);
