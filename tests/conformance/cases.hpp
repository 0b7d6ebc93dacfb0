#pragma once

#include <cstdint>
#include <vector>

#include <lanecull/cull.h>

/// The labelled cases, in the form that pack_cases writes.
struct LabelledCase {
    enum class Expect : std::uint32_t { either, visible, culled };

    Expect expect;
    std::uint32_t shape_kind, view_kind, light_kind, vertices;
    std::vector<float> view, light, sweep, shape;

    [[nodiscard]] lanecull::Status prepare(lanecull::View& to) const;
    /// Calls cull() with the case's object alone.
    [[nodiscard]] lanecull::Status ask(const lanecull::View& in, const lanecull::CullOptions& options, bool& visible,
                                       lanecull::Certificate& certificate) const;
};

/// Empty if the file cannot be read, is cut short or has more to it.
[[nodiscard]] std::vector<LabelledCase> read_cases(const char* path);
