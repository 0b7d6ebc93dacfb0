#include "support/files.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/system_files.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

std::string read_stream(std::FILE* stream, const std::string& name) {
    std::string text;
    std::array<char, 65536> bytes;
    for (std::size_t count = bytes.size(); count == bytes.size();) {
        count = std::fread(bytes.data(), 1, bytes.size(), stream);
        text.append(bytes.data(), count);
    }
    if (std::ferror(stream) != 0) fail_to_read(name);
    return text;
}

/// The reason of a failure of the library's files, without what comes before it.
std::string reason_of(const Status& failure) {
    const std::string text = failure.message().text;
    return text.substr(text.rfind(": ") + 2);
}

void require_written(const Status& status, const std::string& path) {
    if (!status) fail("cannot write {}: {}", path, reason_of(status));
}

/// Whether two names are of one file, which need not be there.
bool same_file(const std::string& a, const std::string& b) {
    std::error_code none;
    if (std::filesystem::equivalent(a, b, none)) return true;
    const std::filesystem::path one = std::filesystem::weakly_canonical(std::filesystem::absolute(a, none), none);
    return !one.empty() && one == std::filesystem::weakly_canonical(std::filesystem::absolute(b, none), none);
}

}  // namespace

void fail_to_read(const std::string& file) { fail("cannot read {}: {}", file, std::strerror(errno)); }

std::string read_file(const std::string& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
    if (stream == nullptr) fail_to_read(file);
    return read_stream(stream.get(), file);
}

std::string read_input(const std::string& file) {
    if (!is_standard_input(file)) return read_file(file);
    static const std::string text = read_stream(stdin, input_name(file));
    return text;
}

bool is_standard_input(const std::string& file) { return file == "-"; }

std::string input_name(const std::string& file) { return is_standard_input(file) ? "standard input" : file; }

MappedFile::MappedFile() = default;
MappedFile::MappedFile(const std::string& path) { open(path, path); }
MappedFile::MappedFile(int descriptor, const std::string& name) {
    open(fmt::format("/proc/self/fd/{}", descriptor), name);
}
MappedFile::~MappedFile() = default;
MappedFile::MappedFile(MappedFile&&) noexcept = default;
MappedFile& MappedFile::operator=(MappedFile&&) noexcept = default;

void MappedFile::open(const std::string& path, const std::string& name) {
    file_ = std::make_unique<lanecull::MappedFile>();
    const Status status = file_->open(path.c_str());
    if (!status && errno == ENOMEM) throw std::bad_alloc();
    if (!status) fail("cannot read {}: {}", name, reason_of(status));
}

std::span<const std::byte> MappedFile::bytes() const { return file_ ? file_->bytes() : std::span<const std::byte>(); }

std::string_view MappedFile::text() const { return {reinterpret_cast<const char*>(bytes().data()), bytes().size()}; }

TemporaryPath::TemporaryPath() : path_((std::filesystem::temp_directory_path() / "lanecull-XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) fail("cannot make a temporary file {}: {}", path_, std::strerror(errno));
    close(descriptor);
}

TemporaryPath::~TemporaryPath() { unlink(path_.c_str()); }

OutputFile::OutputFile(const std::string& path, std::string_view suffix) : path_(std::make_unique<std::string>(path)) {
    std::error_code none;
    if (path.empty()) refuse("an output file needs a name");
    if (!suffix.empty() && !ends_in(path, suffix)) {
        refuse("{}: the name of such a file is to end in {}", path, suffix);
    }
    if (std::filesystem::exists(path, none)) {
        if (!std::filesystem::is_regular_file(path, none)) fail("cannot write {}: it is not a regular file", path);
        *path_ = std::filesystem::canonical(path).string();  // through a link, which the renaming would replace
    }
    if (path_->size() + 64 >= most_path) fail("cannot write {}: its name is too long", path);
    require_written(NewFile(path_->c_str()).create(), *path_);
}

OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;

void OutputFile::append(std::string_view bytes) {
    if (!file_) {
        file_ = std::make_unique<NewFile>(path_->c_str());
        require_written(file_->create(), *path_);
    }
    require_written(file_->write(bytes.data(), bytes.size()), *path_);
}

void OutputFile::commit(std::string_view last_bytes) {
    append(last_bytes);
    require_written(file_->commit(), *path_);
}

std::optional<OutputFile> open_output(const std::optional<std::string>& path, std::string_view suffix) {
    if (!path) return std::nullopt;
    return OutputFile(*path, suffix);
}

bool ends_in(const std::filesystem::path& file, std::string_view extension) {
    return std::ranges::equal(file.extension().string(), extension, {},
                              [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
}

void check_distinct(std::initializer_list<NamedFile> inputs, std::initializer_list<NamedFile> outputs) {
    for (const NamedFile* output = outputs.begin(); output != outputs.end(); ++output) {
        if (!output->path) continue;
        for (const NamedFile& input : inputs) {
            if (!input.path || !same_file(*input.path, *output->path)) continue;
            refuse("{} {}: that is the file of {}, which would be lost", output->option, *output->path, input.option);
        }
        for (const NamedFile* other = outputs.begin(); other != output; ++other) {
            if (!other->path || !same_file(*other->path, *output->path)) continue;
            refuse("{} {}: that is the file of {} as well", output->option, *output->path, other->option);
        }
    }
}

}  // namespace lanecull::program
