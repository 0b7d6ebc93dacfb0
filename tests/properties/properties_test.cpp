#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "properties/family.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"

/// Every family by some trials: no answer is refuted, and the cases that it is for are reached as often as it says.

namespace properties {
/// In place of its bytes, which are addresses.
void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }
}  // namespace properties

namespace {

using properties::Family;
using properties::Rate;
using properties::Tally;

class Properties : public testing::TestWithParam<Family> {};

TEST_P(Properties, Hold) {
    constexpr std::uint64_t seed = 1;
    const Family& family = GetParam();
    const properties::Plan plan{.isas = {runnable_isas().begin(), runnable_isas().end()}};
    Tally sum;
    std::vector<std::string> failures;
    properties::Fingerprint answers;
    constexpr int all_trials = 10;
    const int trials = scaled(all_trials);
    for (int i = 0; i < trials; ++i) {
        sum += run_trial(family, seed, static_cast<std::uint64_t>(i), plan, failures, answers);
    }
    EXPECT_EQ(sum.failures(), 0u);
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    if (trials < all_trials) return;  // of few views shares say little
    for (const Rate& rate : family.rates) {
        const auto among = sum.count[rate.among];
        if (among < rate.enough) continue;
        const double share = static_cast<double>(sum.count[rate.of]) / static_cast<double>(among);
        EXPECT_GE(share, rate.least) << Tally::name(rate.of) << " of " << among << " " << Tally::name(rate.among);
        EXPECT_LE(share, rate.most) << Tally::name(rate.of) << " of " << among << " " << Tally::name(rate.among);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Properties, testing::ValuesIn(properties::families()),
                         [](const auto& test) { return std::string(test.param.name); });

/// Names and subjects in prove/families.json are those of the families, each once.
TEST(Families, AreDescribed) {
    std::ifstream file(LANECULL_FAMILIES);
    std::multimap<std::string, std::string> subject_of;
    const nlohmann::json subjects = nlohmann::json::parse(file);
    for (const auto& [subject, described] : subjects.items()) {
        for (const auto& [names, what] : described.items()) {
            EXPECT_FALSE(what.get<std::string>().empty()) << names;
            std::istringstream each(names);
            for (std::string name; each >> name;) subject_of.emplace(name, subject);
        }
    }
    for (const Family& family : properties::families()) {
        EXPECT_EQ(subject_of.count(family.name), 1u) << family.name;
        const auto found = subject_of.find(family.name);
        if (found != subject_of.end()) {
            EXPECT_EQ(found->second, family.subject) << family.name;
        }
    }
    if (LANECULL_ALL_FAMILIES) {
        EXPECT_EQ(subject_of.size(), properties::families().size());
    }
}

}  // namespace
