#pragma once

#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/occluder.h>
#include <lanecull/view.h>
#include <nlohmann/json_fwd.hpp>
#include <string>

/// Questions about single shapes, a line each, and their answers.
namespace lanecull::program {

using Json = nlohmann::json;

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
[[nodiscard]] Json parse_query(const std::string& line);

/// The picture of a question about two shapes, as SVG: how gjk::distance() goes about it. Fails as its answer does.
[[nodiscard]] std::string draw_pair(const std::string& line);

// A query's "view". All fail, naming the member that is wrong or not supported.

/// With its "light", unless that is null, the view of what casts shadows into it.
[[nodiscard]] View read_query_view(const Json& view, const Json& light);

/// The eye of a view, or how it looks if that is orthographic. Fails where the view has none: views by corners or
/// planes, and orthographic ones that do not say by "sight" which end the eye is at.
[[nodiscard]] Viewpoint read_query_viewpoint(const Json& view);

/// Whether a view is of the plane.
[[nodiscard]] bool is_flat_view(const Json& view);
[[nodiscard]] flat::View read_flat_view(const Json& view);

}  // namespace lanecull::program
