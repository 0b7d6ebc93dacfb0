#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A command's report is one JSON value. What it prints and its page are made of that.
namespace lanecull::program {

using Report = nlohmann::ordered_json;

/// The text of --json. Strings that are not UTF-8 become it, with replacement characters.
[[nodiscard]] std::string text_of(const Report& report, int indent = 2);

using Cells = std::vector<std::vector<std::string>>;

/// A line a row, the columns as wide as their cells. `sides`: '<' for each column that begins at the left, '>' for one
/// that ends at the right; the last one is that of all that follow.
[[nodiscard]] std::string table(const Cells& rows, std::string_view sides = "<>");

/// A mean count: with a decimal where rounding to whole objects would hide it.
[[nodiscard]] std::string count_text(double value);
/// "12.34 %"; "-" of nothing.
[[nodiscard]] std::string percent(double part, double whole, int decimals = 2);

/// "city: 1,000 objects (its description)" and "5 frames, avx2 (8 lanes), 2 threads".
[[nodiscard]] std::string report_heading(const Report& report, std::uint64_t frames);

}  // namespace lanecull::program
