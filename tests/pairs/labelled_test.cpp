#include <gtest/gtest.h>

#include <cmath>

#include "properties/pairs/setting.hpp"
#include "support/culling.hpp"
#include "support/queries.hpp"

/// Pairs with independent labels, and those of public reports about depths, in lanes.

namespace {

/// Calls check(answers, query) for each pair of a file on each instruction set. Returns how many there are.
template <class Check>
int for_labelled(const char* file, const Check& check) {
    int count = 0;
    for (const PairQuery& query : read_pair_queries(file)) {
        SCOPED_TRACE(query.id);
        properties::PairSetting setting{query.kind_a, query.kind_b, query.hulls, {{query.a, query.b}}};
        if (setting.hulls.empty()) setting.hulls.push_back({{0, 0, 0}});
        for (const lanecull::Isa isa : runnable_isas()) check(properties::ask(setting, isa), query);
        ++count;
    }
    return count;
}

/// Labels are of numbers before they are rounded to floats.
void expect_label(const properties::PairAnswers& answers, const PairQuery& query) {
    const auto lower = static_cast<double>(answers.signed_lower[0]),
               upper = static_cast<double>(answers.signed_upper[0]);
    const double off = 2e-6 * std::max(1.0, query.size), wide = 1.5e-4 * std::max(1.0, query.size);
    if (query.has_depth || query.signed_distance > 0) {
        EXPECT_LE(lower, query.signed_distance + off);
        EXPECT_GE(upper, query.signed_distance - off);
    }
    EXPECT_LE(upper - lower, wide);
    EXPECT_LE(std::fabs(static_cast<double>(answers.lower[0]) - std::max(0.0, query.signed_distance)), wide);
}

TEST(LabelledPairs, HaveTheirSignedDistances) {
    EXPECT_EQ(for_labelled("suites.jsonl", expect_label), 322);
    EXPECT_EQ(for_labelled("field.jsonl", expect_label), 14);
}

}  // namespace
