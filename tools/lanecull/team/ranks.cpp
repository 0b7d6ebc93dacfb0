#include "team/ranks.hpp"

#include "support/error.hpp"

#ifdef LANECULL_HAS_MPI

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>

namespace lanecull::program {
namespace {

constexpr std::size_t longest_message = std::numeric_limits<int>::max();
/// What all get goes by so many bytes.
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

}  // namespace

Ranks::Ranks() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &on_this_machine_);
    MPI_Comm_free(&machine);
}

Ranks::~Ranks() { MPI_Finalize(); }

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

std::string Ranks::share(std::string bytes) {
    std::uint64_t length = bytes.size();
    MPI_Bcast(&length, sizeof length, MPI_BYTE, 0, MPI_COMM_WORLD);
    bytes.resize(length);
    for (std::uint64_t done = 0; done < length; done += part_bytes) {
        const std::uint64_t part = std::min(part_bytes, length - done);
        MPI_Bcast(bytes.data() + done, static_cast<int>(part), MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    return bytes;
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
std::string Ranks::share(std::string bytes) { return bytes; }

}  // namespace lanecull::program

#endif
