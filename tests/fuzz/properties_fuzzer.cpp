/// The properties of one subject (properties/family.hpp), of bytes: the first chooses a family, the rest are the
/// numbers that its case is made of.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "properties/family.hpp"
#include "support/culling.hpp"

namespace {

const std::vector<properties::Family>& families_of_bytes() {
    static const std::vector<properties::Family> chosen = [] {
        std::vector<properties::Family> of_bytes;
        for (const properties::Family& family : properties::families()) {
            if (family.of_bytes && family.subject == std::string_view(LANECULL_FUZZ_SUBJECT))
                of_bytes.push_back(family);
        }
        return of_bytes;
    }();
    return chosen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const properties::Plan plan{.isas = {runnable_isas().begin(), runnable_isas().end()},
                                       .objects = 12,
                                       .stop_at_failure = true,
                                       .oracle_objects = 2};
    const properties::Family& family = families_of_bytes()[data[0] % families_of_bytes().size()];
    Random random(std::span(data, size).subspan(1));
    properties::Tally tally;
    std::vector<std::string> failures;
    properties::Fingerprint answers;
    properties::Trial trial{random, plan, family.name, tally, failures, answers};
    try {
        family.run(trial);
    } catch (const std::domain_error&) {  // the exact oracle's, of numbers that are not finite
    } catch (
        const std::runtime_error&) {  // a maker's: numbers of these bytes are no case, as those of seeds always are
    }
    if (tally.failures() == 0) return 0;
    for (const std::string& failure : failures) std::fprintf(stderr, "broken: %s\n", failure.c_str());
    std::abort();
}
