#include "c/labelled.h"

#include <vector>

#include "conformance/cases.hpp"

/// The labelled cases, and what the C++ interface says of them.

namespace {

std::vector<LabelledCase> cases;

}  // namespace

uint32_t read_labelled(const char* path) {
    cases = read_cases(path);
    return static_cast<uint32_t>(cases.size());
}

labelled_case labelled(uint32_t i) {
    const LabelledCase& one = cases[i];
    return {static_cast<uint32_t>(one.expect),
            one.shape_kind,
            one.view_kind,
            one.light_kind,
            one.vertices,
            one.view.data(),
            one.light.data(),
            one.sweep.data(),
            one.shape.data()};
}

int ask_cpp(uint32_t i, uint32_t isa, uint32_t method) {
    lanecull::View view;
    bool visible = false;
    lanecull::Certificate certificate;
    const lanecull::CullOptions options{.method = static_cast<lanecull::Method>(method),
                                        .isa = static_cast<lanecull::Isa>(isa)};
    if (!cases[i].prepare(view) || !cases[i].ask(view, options, visible, certificate)) return -1;
    return visible ? 1 : 0;
}
