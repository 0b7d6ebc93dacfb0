#pragma once

#include <string>

namespace lanecull::program {

/// All bytes of a file. Fails with the file's name and the reason.
[[nodiscard]] std::string read_file(const std::string& file);

/// Fails with the reason that errno gives.
[[noreturn]] void fail_to_read(const std::string& file);

}  // namespace lanecull::program
