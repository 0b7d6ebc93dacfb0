#pragma once

#include <cstdint>
#include <functional>

#include "support/files.hpp"

namespace lanecull::program {

/// What the reading of a file may take.
struct ReadingLimits {
    std::uint64_t memory = 0;   ///< bytes, of which never more than are available
    std::uint64_t seconds = 0;  ///< of a processor; ten times as many by the clock
};

/// The bytes that `read` returns in a process of its own: whatever a file does to its reader, this program goes on.
/// Fails with what `read` throws; where the process was ended, by a sentence about `file`. It prints nothing and leaves
/// no core. It is forked from this process, whose other threads it lacks: `read` may not wait for them.
[[nodiscard]] MappedFile read_apart(const std::string& file, const ReadingLimits& limits,
                                    const std::function<std::string()>& read);

}  // namespace lanecull::program
