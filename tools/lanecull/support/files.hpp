#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanecull {
class NewFile;
class MappedFile;
}  // namespace lanecull

/// Files that are read and written. The library's own NewFile and MappedFile do what needs the operating system.
namespace lanecull::program {

/// All bytes of a file. Fails with the file's name and the reason.
[[nodiscard]] std::string read_file(const std::string& file);
/// The same; "-" is the standard input, which is read once and kept, so that it can be read again.
[[nodiscard]] std::string read_input(const std::string& file);
[[nodiscard]] bool is_standard_input(const std::string& file);
/// What to call it.
[[nodiscard]] std::string input_name(const std::string& file);
/// Fails with the reason that errno gives.
[[noreturn]] void fail_to_read(const std::string& file);

/// A file's bytes, mapped for reading: processes of one machine that map one file share its pages.
class MappedFile {
public:
    MappedFile();
    explicit MappedFile(const std::string& path);
    /// Of an open file, which may be closed then; `name`: what to call it.
    MappedFile(int descriptor, const std::string& name);
    ~MappedFile();
    MappedFile(MappedFile&&) noexcept;
    MappedFile& operator=(MappedFile&&) noexcept;

    [[nodiscard]] std::span<const std::byte> bytes() const;
    [[nodiscard]] std::string_view text() const;

private:
    void open(const std::string& path, const std::string& name);

    std::unique_ptr<lanecull::MappedFile> file_;  ///< none: no bytes
};

/// A name in the folder for temporary files that no other file has, and a file of that name that is gone with this.
class TemporaryPath {
public:
    TemporaryPath();
    ~TemporaryPath();
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// A file that appears whole or not at all. The constructor finds out whether the place can be written, before any work
/// is done for it, and leaves nothing there.
class OutputFile {
public:
    /// `suffix`: how the name has to end, in upper or lower case (".png"), where that matters.
    explicit OutputFile(const std::string& path, std::string_view suffix = {});
    ~OutputFile();
    OutputFile(OutputFile&&) noexcept;

    /// Nothing is left of it unless commit() is reached.
    void append(std::string_view bytes);
    void commit(std::string_view last_bytes = {});

private:
    std::unique_ptr<std::string> path_;  ///< a place that moves do not change
    std::unique_ptr<NewFile> file_;
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
