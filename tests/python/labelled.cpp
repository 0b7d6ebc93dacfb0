#include <cstdint>
#include <vector>

#include "conformance/objects.hpp"

/// The labelled cases, and what the C++ interface says of them, for labelled_test.py.

namespace {

std::vector<LabelledCase> cases;

}  // namespace

/// Reads a file of tests/conformance/pack_cases; returns how many cases it has.
extern "C" [[gnu::visibility("default")]] int read_labelled(const char* path) {
    cases = read_cases(path);
    return static_cast<int>(cases.size());
}

/// Whether case i is visible; -1: a call failed.
extern "C" [[gnu::visibility("default")]] int ask_cpp(std::uint32_t i, std::uint32_t isa, std::uint32_t method) {
    lanecull::View view;
    bool visible = false;
    lanecull::Certificate certificate;
    lanecull::CullOptions options;
    options.method = static_cast<lanecull::Method>(method);
    options.isa = static_cast<lanecull::Isa>(isa);
    if (!cases[i].prepare(view) || !cases[i].ask(view, options, visible, certificate)) return -1;
    return visible ? 1 : 0;
}
