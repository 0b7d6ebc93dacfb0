#pragma once

#include <cstdint>
#include <limits>

namespace lanecull::program {

/// Bytes that this process may still take before the machine, or the control group it runs in, runs out; the largest
/// 64-bit number where nothing tells.
[[nodiscard]] std::uint64_t available_memory();

/// While it lives, this process cannot take more memory than was available at its start: whoever requests more gets
/// std::bad_alloc, where the machine would slow down or end some process. For readers of files that lie about sizes.
class MemoryLimit {
public:
    /// At most so many bytes more, too.
    explicit MemoryLimit(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::uint64_t previous_;
};

}  // namespace lanecull::program
