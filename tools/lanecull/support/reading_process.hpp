#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lanecull::program {

/// What the reading of a file may take.
struct ReadingLimits {
    std::uint64_t memory = 0;   ///< bytes, of which never more than are available
    std::uint64_t seconds = 0;  ///< of a processor; ten times as many by the clock
};

/// A process from which readers of files are forked: whatever a file does to its reader, this program goes on.
///
/// The program makes it before it starts a thread, MPI or Vulkan, for a process forked later may have locks that nobody
/// opens. It waits for requests and forks a reader for each. Readers print nothing and leave no core.
class ReadingProcess {
public:
    /// What a reader does with a request: it returns the bytes of the answer, or throws.
    using Read = std::string (*)(std::string_view request);
    using Use = std::function<void(std::string_view answer)>;

    /// There is one at a time. Where the system lets none be made, answer() says so.
    explicit ReadingProcess(Read read);
    /// Ends it.
    ~ReadingProcess();
    ReadingProcess(const ReadingProcess&) = delete;
    ReadingProcess& operator=(const ReadingProcess&) = delete;

    /// The one that there is.
    [[nodiscard]] static ReadingProcess& running();

    /// Has a reader answer, and calls `use` with that. Fails with what the reader threw; where the reader was ended, by
    /// a sentence about `file`.
    void answer(const std::string& file, std::string_view request, const ReadingLimits& limits, const Use& use);

private:
    int line_ = -1;     ///< a socket to the process
    int answers_ = -1;  ///< a file in memory, which readers write
    pid_t process_ = -1;
    int error_ = 0;  ///< why there is no process
};

}  // namespace lanecull::program
