#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanecull::program {

/// The bytes of a `data:` URI; nothing if they are not as the URI says.
[[nodiscard]] std::optional<std::vector<std::byte>> bytes_of_data_uri(std::string_view uri);

/// A text with %20 for each blank, and so on. What follows a % and is no two digits stays as it is.
[[nodiscard]] std::string percent_decoded(std::string_view text);

/// "https" of a URI that begins so; empty for a relative one.
[[nodiscard]] std::string_view scheme_of(std::string_view uri);

}  // namespace lanecull::program
