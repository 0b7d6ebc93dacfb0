#include "team/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "support/bytes.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

struct JournalHeader {
    std::array<char, 24> kind{"lanecull journal, 1\n"};
    std::uint64_t work = 0, bundles = 0;
};

/// Before each record's bytes.
struct JournalRecord {
    std::uint64_t bundle = 0, length = 0, checksum = 0;
};

std::uint64_t checksum(std::uint64_t bundle, std::string_view bytes) { return fingerprint(bytes, bundle); }

/// Longer ones are no results.
constexpr std::uint64_t longest_record = std::uint64_t{1} << 40;

[[noreturn]] void fail_to_use(const std::string& path) { fail("cannot use {}: {}", path, std::strerror(errno)); }

/// Fewer bytes at the file's end.
std::size_t read_at(int descriptor, std::uint64_t offset, char* bytes, std::size_t count, const std::string& path) {
    std::size_t done = 0;
    while (done < count) {
        const ssize_t part = pread(descriptor, bytes + done, count - done, static_cast<off_t>(offset + done));
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) fail_to_use(path);
        if (part == 0) break;
        done += static_cast<std::size_t>(part);
    }
    return done;
}

void write_at(int descriptor, std::uint64_t offset, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t part = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) fail_to_use(path);
        bytes.remove_prefix(static_cast<std::size_t>(part));
        offset += static_cast<std::uint64_t>(part);
    }
}

template <class T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

Results::Results(std::uint64_t bundles) : places_(bundles), in_memory_(bundles) {}

Results::Results(const std::string& journal, std::uint64_t work, std::uint64_t bundles)
    : path_(journal), places_(bundles) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_to_use(path_);
    try {
        open_journal(work);
        read_records();
    } catch (...) {
        close(descriptor_);
        throw;
    }
}

Results::~Results() {
    if (descriptor_ >= 0) close(descriptor_);
}

/// Reads the header, or writes it into a file that is new or was left before it had one.
void Results::open_journal(std::uint64_t work) {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) fail("{}: another run has this journal open", path_);
    JournalHeader expected, found;
    expected.work = work;
    expected.bundles = bundles();
    end_ = sizeof found;
    const std::size_t length = read_at(descriptor_, 0, reinterpret_cast<char*>(&found), sizeof found, path_);
    const std::string_view start = bytes_of(found).substr(0, length), whole = bytes_of(expected);
    if (length < sizeof found && whole.starts_with(start)) return write_at(descriptor_, 0, whole, path_);
    if (length < sizeof found || found.kind != expected.kind) fail("{} is no journal of lanecull", path_);
    if (start == whole) return;
    fail("{} is the journal of another run: of another scene or with other options; remove it to begin anew", path_);
}

void Results::read_records() {
    std::string bytes;
    for (;;) {
        JournalRecord record;
        if (read_at(descriptor_, end_, reinterpret_cast<char*>(&record), sizeof record, path_) < sizeof record) break;
        struct stat file {};
        if (fstat(descriptor_, &file) != 0) fail_to_use(path_);
        const std::uint64_t start = end_ + sizeof record;
        if (record.bundle >= bundles() || record.length > longest_record) break;
        if (start + record.length > static_cast<std::uint64_t>(file.st_size)) break;
        bytes.resize(record.length);
        if (read_at(descriptor_, start, bytes.data(), bytes.size(), path_) < bytes.size()) break;
        if (checksum(record.bundle, bytes) != record.checksum) break;
        note(record.bundle, {true, start, record.length});
        end_ = start + record.length;
    }
    if (ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) fail_to_use(path_);
}

void Results::note(std::uint64_t bundle, Place place) {
    if (!places_[bundle].is_there) ++done_;
    places_[bundle] = place;
}

void Results::add(std::uint64_t bundle, std::string_view bytes) {
    if (descriptor_ < 0) {
        in_memory_[bundle] = bytes;
        return note(bundle, {true, 0, bytes.size()});
    }
    const JournalRecord record{bundle, bytes.size(), checksum(bundle, bytes)};
    std::string whole(bytes_of(record));
    whole += bytes;
    write_at(descriptor_, end_, whole, path_);
    note(bundle, {true, end_ + sizeof record, bytes.size()});
    end_ += whole.size();
}

std::string Results::read(std::uint64_t bundle) const {
    if (descriptor_ < 0) return in_memory_[bundle];
    const Place& place = places_[bundle];
    std::string bytes(place.length, '\0');
    if (read_at(descriptor_, place.offset, bytes.data(), bytes.size(), path_) < bytes.size()) {
        fail("{} was cut off while it was in use", path_);
    }
    return bytes;
}

void Results::discard() {
    if (descriptor_ < 0) return;
    if (unlink(path_.c_str()) != 0) fail_to_use(path_);
}

}  // namespace lanecull::program
