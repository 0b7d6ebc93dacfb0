#pragma once

#include <gtest/gtest.h>

/// The number types and dimensions that the tests of the generic GJK are instantiated for.
template <class Number, int N>
struct Case {
    using T = Number;
    static constexpr int dimension = N;
};
using Cases = testing::Types<Case<float, 2>, Case<double, 2>, Case<float, 3>, Case<double, 3>>;
