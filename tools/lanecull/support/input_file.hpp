#pragma once

#include <string>

namespace lanecull::program {

/// All bytes of a file. Fails with the file's name and the reason.
[[nodiscard]] std::string read_file(const std::string& file);

/// The same; "-" is the standard input, which is read once and kept, so that it can be asked for again.
[[nodiscard]] std::string read_input(const std::string& file);
[[nodiscard]] bool is_standard_input(const std::string& file);
/// What to call it.
[[nodiscard]] std::string input_name(const std::string& file);

/// Fails with the reason that errno gives.
[[noreturn]] void fail_to_read(const std::string& file);

}  // namespace lanecull::program
