#include "support/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>
#include <utility>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& file, int error_number) {
    fail("cannot write {}: {}", file.string(), std::strerror(error_number));
}

/// Whether two names are of one file, which need not be there.
bool same_file(const std::string& a, const std::string& b) {
    std::error_code none;
    if (std::filesystem::equivalent(a, b, none)) return true;
    const std::filesystem::path one = std::filesystem::weakly_canonical(std::filesystem::absolute(a, none), none);
    return !one.empty() && one == std::filesystem::weakly_canonical(std::filesystem::absolute(b, none), none);
}

}  // namespace

/// A new file that is gone with this object unless it was renamed.
class OutputStream::Temporary {
public:
    Temporary(const std::filesystem::path& path, const std::filesystem::path& final_path)
        : path_(path), final_path_(final_path) {
        descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0) fail_to_write(final_path_, errno);
    }
    ~Temporary() {
        if (descriptor_ >= 0) close(descriptor_);
        if (!renamed_) unlink(path_.c_str());
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    void append(std::string_view contents) {
        while (!contents.empty()) {
            const ssize_t written = write(descriptor_, contents.data(), contents.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail_to_write(final_path_, errno);
            contents.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void put_in_place() {
        if (close(std::exchange(descriptor_, -1)) != 0) fail_to_write(final_path_, errno);
        if (std::rename(path_.c_str(), final_path_.c_str()) != 0) fail_to_write(final_path_, errno);
        renamed_ = true;
    }

private:
    const std::filesystem::path& path_;
    const std::filesystem::path& final_path_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

bool ends_in(const std::filesystem::path& file, std::string_view extension) {
    return std::ranges::equal(file.extension().string(), extension, {},
                              [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
}

std::optional<OutputFile> open_output(const std::optional<std::string>& path, std::string_view suffix) {
    if (!path) return std::nullopt;
    return OutputFile(*path, suffix);
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

OutputFile::OutputFile(const std::string& path, std::string_view suffix) : final_(path) {
    std::error_code none;
    if (path.empty()) refuse("an output file needs a name");
    if (!suffix.empty() && !ends_in(final_, suffix))
        refuse("{}: the name of such a file is to end in {}", path, suffix);
    if (std::filesystem::exists(final_, none)) {
        if (!std::filesystem::is_regular_file(final_, none)) fail("cannot write {}: it is not a regular file", path);
        final_ = std::filesystem::canonical(final_);  // through a link, which the renaming would replace
    }
    temporary_ = final_;
    temporary_ += fmt::format(".{}.part", getpid());
    const OutputStream trial(*this);
}

void OutputFile::commit(std::string_view contents) const {
    OutputStream stream(*this);
    stream.append(contents);
    stream.commit();
}

OutputStream::OutputStream(const OutputFile& file)
    : temporary_(std::make_unique<Temporary>(file.temporary_, file.final_)) {}

OutputStream::~OutputStream() = default;

void OutputStream::append(std::string_view bytes) {
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (pending_.empty() && bytes.size() >= enough) return temporary_->append(bytes);
    pending_ += bytes;
    if (pending_.size() < enough) return;
    temporary_->append(pending_);
    pending_.clear();
}

void OutputStream::commit() {
    temporary_->append(pending_);
    temporary_->put_in_place();
}

}  // namespace lanecull::program
