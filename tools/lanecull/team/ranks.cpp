#include "team/ranks.hpp"

#include "support/error.hpp"

#ifdef LANECULL_HAS_MPI

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <thread>

namespace lanecull::program {
namespace {

constexpr std::size_t longest_message = std::numeric_limits<int>::max();
/// Copies between machines go by so many bytes.
constexpr std::uint64_t part_bytes = std::uint64_t{1} << 28;

/// Sleeps longer from time to time, up to a millisecond.
class Patience {
public:
    void wait() {
        std::this_thread::sleep_for(pause_);
        pause_ = std::min(2 * pause_, longest);
    }

private:
    static constexpr std::chrono::microseconds longest{1000};
    std::chrono::microseconds pause_{20};
};

/// Writes what the leaders of machines get from the leader of all.
void receive_file(const std::string& path, std::uint64_t length, MPI_Comm leaders) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail_to_read(path);
    std::string part;
    bool is_written = true;
    for (std::uint64_t done = 0; done < length; done += part.size()) {
        part.resize(std::min(part_bytes, length - done));
        MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_BYTE, 0, leaders);
        is_written = is_written && write(descriptor, part.data(), part.size()) == static_cast<ssize_t>(part.size());
    }
    is_written = close(descriptor) == 0 && is_written;
    if (!is_written) fail("cannot write the temporary file {}", path);
}

void send_file(const MappedFile& file, MPI_Comm leaders) {
    const std::span<const std::byte> bytes = file.bytes();
    for (std::uint64_t done = 0; done < bytes.size(); done += part_bytes) {
        const std::uint64_t part = std::min<std::uint64_t>(part_bytes, bytes.size() - done);
        MPI_Bcast(const_cast<std::byte*>(bytes.data() + done), static_cast<int>(part), MPI_BYTE, 0, leaders);
    }
}

}  // namespace

/// The ranks of this machine, and the first ranks of all machines. Rank 0 is the first of both of its groups.
struct Ranks::Groups {
    MPI_Comm machine = MPI_COMM_NULL, leaders = MPI_COMM_NULL;
    int rank_on_machine = 0;

    Groups() {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
        MPI_Comm_rank(machine, &rank_on_machine);
        MPI_Comm_split(MPI_COMM_WORLD, rank_on_machine == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
    }
    ~Groups() {
        MPI_Comm_free(&machine);
        if (leaders != MPI_COMM_NULL) MPI_Comm_free(&leaders);
    }
    Groups(const Groups&) = delete;
    Groups& operator=(const Groups&) = delete;
};

Ranks::Ranks() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    groups_ = std::make_shared<Groups>();
    MPI_Comm_size(groups_->machine, &on_this_machine_);
}

Ranks::~Ranks() {
    groups_.reset();
    MPI_Finalize();
}

void Ranks::send(int to, MessageKind kind, std::string_view bytes) {
    if (bytes.size() > longest_message) fail("a bundle's result is too long for a message: --bundle is to be less");
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, static_cast<int>(kind), MPI_COMM_WORLD);
}

Message Ranks::receive() {
    MPI_Message handle{};
    MPI_Status status{};
    int is_there = 0;
    for (Patience patience;; patience.wait()) {
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &handle, &status);
        if (is_there != 0) break;
    }
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    Message message{status.MPI_SOURCE, static_cast<MessageKind>(status.MPI_TAG),
                    std::string(static_cast<std::size_t>(length), '\0')};
    MPI_Mrecv(message.bytes.data(), length, MPI_BYTE, &handle, &status);
    return message;
}

MappedFile Ranks::share(const std::string& leaders_file) {
    std::optional<TemporaryPath> copy;
    MappedFile file;
    std::string path = leaders_file;
    if (groups_->leaders != MPI_COMM_NULL) {
        if (rank_ == 0) file = MappedFile(path);
        std::uint64_t length = file.bytes().size();
        MPI_Bcast(&length, sizeof length, MPI_BYTE, 0, groups_->leaders);
        if (rank_ == 0) {
            send_file(file, groups_->leaders);
        } else {
            path = copy.emplace().path();
            receive_file(path, length, groups_->leaders);
        }
    }
    std::array<char, 4096> name{};
    if (groups_->rank_on_machine == 0) path.copy(name.data(), name.size() - 1);
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_BYTE, 0, groups_->machine);
    if (rank_ != 0) file = MappedFile(name.data());
    MPI_Barrier(groups_->machine);  // from here on the name is not needed
    return file;
}

}  // namespace lanecull::program

#else

namespace lanecull::program {

Ranks::Ranks() {
    fail("mpirun started this, but it is built without MPI; install Open MPI (Debian: libopenmpi-dev) and build again");
}

Ranks::~Ranks() = default;
void Ranks::send(int, MessageKind, std::string_view) {}
Message Ranks::receive() { return {}; }
MappedFile Ranks::share(const std::string&) { return {}; }

}  // namespace lanecull::program

#endif
