/// The properties of one subject (properties/family.hpp), of bytes: the first chooses a family, the rest are the
/// numbers that its case is made of. The program is fuzz_SUBJECT by whichever name it is called.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "properties/family.hpp"
#include "support/culling.hpp"

namespace {

std::vector<properties::Family> families_of_bytes;

}  // namespace

extern "C" int LLVMFuzzerInitialize(const int* /*argc*/, char*** argv) {
    const std::string_view program = (*argv)[0], before_subject = "fuzz_";
    const std::string_view subject = program.substr(program.rfind(before_subject) + before_subject.size());
    for (const properties::Family& family : properties::families()) {
        if (family.of_bytes && family.subject == subject) families_of_bytes.push_back(family);
    }
    if (!families_of_bytes.empty()) return 0;
    std::fprintf(stderr, "%s: is not named fuzz_SUBJECT\n", (*argv)[0]);
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const properties::Plan plan{.isas = {runnable_isas().begin(), runnable_isas().end()},
                                       .objects = 12,
                                       .stop_at_failure = true,
                                       .oracle_objects = 2};
    const properties::Family& family = families_of_bytes[data[0] % families_of_bytes.size()];
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
