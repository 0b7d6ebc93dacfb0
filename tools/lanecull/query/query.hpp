#pragma once

#include <lanecull/cull.h>

#include "support/json.hpp"

/// Questions about single shapes, a line each, and their answers.
namespace lanecull::program {

/// Of a line, in bytes: 65,535 vertices with 17 digits a number fit.
inline constexpr std::size_t longest_query = std::size_t{8} << 20;

/// One line's answer, or what is wrong with the line, as a line without its end: "id" where there is one, then
/// "verdict" and "why", or of two shapes "verdict", "distance" and "closest", or "error". Whatever the question held,
/// it is UTF-8.
struct Reply {
    std::string text;
    bool is_error = false;
};
[[nodiscard]] Reply reply_to(const std::string& line, const CullOptions& options);

/// A line's JSON. Fails when it is none, too long or nested too deep.
[[nodiscard]] JsonDocument parse_query(const std::string& line);

/// The picture of a question about two shapes, as SVG: how gjk::distance() goes about it. Fails as its answer does.
[[nodiscard]] std::string draw_pair(JsonValue query);

}  // namespace lanecull::program
