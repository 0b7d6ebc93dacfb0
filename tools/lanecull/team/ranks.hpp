#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace lanecull::program {

/// What a message between ranks is.
enum class MessageKind : int {
    start = 1,  ///< from the leader: what the work is made of follows
    order,      ///< from the leader: a bundle to do
    stop,       ///< from the leader: there is no more to do
    result,     ///< to the leader: a bundle that is done
    failure,    ///< to the leader: why a rank cannot go on
    left,       ///< to the leader: the answer to `stop`, the last message of a rank
};

struct Message {
    int from = 0;
    MessageKind kind{};
    std::string bytes;
};

/// The processes that mpirun started together, on Open MPI. Rank 0 leads. A failure of MPI ends all of them.
///
/// Waiting sleeps: it takes next to no time of a processor, and up to a millisecond longer than a loop would.
class Ranks {
public:
    /// Whether mpirun of Open MPI started this process.
    [[nodiscard]] static bool under_mpirun() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

    /// Joins the others. Fails in a build without MPI: each process would do all of the work.
    Ranks();
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    /// How many of them run on this machine.
    [[nodiscard]] int on_this_machine() const { return on_this_machine_; }

    /// At most 2^31 - 1 bytes.
    void send(int to, MessageKind kind, std::string_view bytes = {});
    /// Waits for the next message.
    [[nodiscard]] Message receive();

    /// All ranks call it together: each gets the leader's bytes.
    std::string share(std::string bytes = {});

private:
    int rank_ = 0, size_ = 1, on_this_machine_ = 1;
};

}  // namespace lanecull::program
