#pragma once

#include <assimp/Importer.hpp>
#include <string>

namespace lanecull::program {

/// Reads a file with assimp, with the post-processing steps that `flags` has. Valid as long as the importer. Fails if
/// assimp does, or if it logs an error that is about more than materials and other things that are not used here: it
/// reads what it can of a damaged file, and says so nowhere else.
[[nodiscard]] const aiScene& import(Assimp::Importer& importer, const std::string& file, unsigned flags);

}  // namespace lanecull::program
