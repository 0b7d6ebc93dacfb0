#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "base/failure.hpp"

/// Expects that a failure's sentence, kept as numbers, is what printf makes of the same format and numbers.
template <class... Numbers>
void expect_as_printf(const lanecull::Status& status, const char* format, Numbers... numbers) {
    char expected[224];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    std::snprintf(expected, sizeof expected, format, numbers...);
#pragma GCC diagnostic pop
    EXPECT_STREQ(status.message().text, expected);
}
