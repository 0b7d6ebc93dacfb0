#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanecull::program {

/// A file that appears whole or not at all. The constructor finds out whether the place can be written, before any work
/// is done for it, and leaves nothing there; commit() writes a temporary file next to the final one and renames it.
class OutputFile {
public:
    /// `suffix`: how the name has to end, in upper or lower case (".png"), where that matters.
    explicit OutputFile(const std::string& path, std::string_view suffix = {});

    void commit(std::string_view contents) const;

private:
    friend class OutputStream;
    std::filesystem::path final_;
    std::filesystem::path temporary_;
};

/// The same, written piece by piece: nothing is left of it unless commit() is reached.
class OutputStream {
public:
    explicit OutputStream(const OutputFile& file);
    ~OutputStream();
    OutputStream(const OutputStream&) = delete;
    OutputStream& operator=(const OutputStream&) = delete;

    void append(std::string_view bytes);
    void commit();

private:
    class Temporary;
    std::unique_ptr<Temporary> temporary_;
    std::string pending_;  ///< what is not written yet
};

/// The same of an option that may not be given.
[[nodiscard]] std::optional<OutputFile> open_output(const std::optional<std::string>& path,
                                                    std::string_view suffix = {});

/// Whether a file's name has that extension (".png"), in upper or lower case.
[[nodiscard]] bool ends_in(const std::filesystem::path& file, std::string_view extension);

/// A file that the command line names, and by which option.
struct NamedFile {
    const char* option;
    std::optional<std::string> path;  ///< none: the option was not given
};

/// Refuses outputs that are one file, by whatever names, and outputs that are inputs: one of them would be lost.
void check_distinct(std::initializer_list<NamedFile> inputs, std::initializer_list<NamedFile> outputs);

}  // namespace lanecull::program
