#pragma once

#include <string>

namespace lanecull::program {

/// Fails if the file is of a well-known format that no reader here knows, or keeps its meshes where none looks, with
/// what is read instead.
void refuse_unread_format(const std::string& file);

}  // namespace lanecull::program
