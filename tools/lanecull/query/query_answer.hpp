#pragma once

#include <lanecull/cull.h>
#include <string>

#include "query/pair_picture.hpp"
#include "support/json.hpp"

namespace lanecull::program {

/// One line's answer, or what is wrong with the line: "id" where there is one, then "verdict" and "why", or of two
/// shapes "verdict", "distance" and "closest", or "error".
[[nodiscard]] Json reply_to(const std::string& line, const CullOptions& options);

/// The picture of a line's question, which is to be about two shapes. Fails when it is not, or has no answer.
[[nodiscard]] PairPicture picture_of(const std::string& line);

/// The reply as a line, without its end. Whatever the question held, it is UTF-8.
[[nodiscard]] std::string text_of(const Json& reply);

}  // namespace lanecull::program
