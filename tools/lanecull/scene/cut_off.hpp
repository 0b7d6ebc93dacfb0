#pragma once

#include <string>

namespace lanecull::program {

/// Fails if the file is shorter than its header says, or lacks the words that files of its format end with: assimp
/// reads the beginning of such files as if it were all.
void refuse_cut_off(const std::string& file);

}  // namespace lanecull::program
