#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lanecull::program {

/// A file that appears whole or not at all. The constructor finds out whether the place can be written, before any work
/// is done for it, and leaves nothing there; commit() writes a temporary file next to the final one and renames it.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);

    void commit(std::string_view contents) const;

private:
    std::filesystem::path final_;
    std::filesystem::path temporary_;
};

}  // namespace lanecull::program
