#include "support/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace lanecull::program {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number that a file of Linux's consists of; `otherwise` where there is no such file, or it says "max".
std::uint64_t number_in(const char* file, std::uint64_t otherwise) {
    std::uint64_t number = 0;
    return std::ifstream(file) >> number ? number : otherwise;
}

std::uint64_t machine_memory() {
    std::ifstream table("/proc/meminfo");
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with("MemAvailable:")) return 1024 * std::stoull(line.substr(sizeof("MemAvailable:")));
    }
    return unlimited;
}

std::uint64_t group_memory() {
    const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", unlimited);
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
    return limit == unlimited ? unlimited : limit - std::min(limit, used);
}

/// Address space in use now.
std::uint64_t used_address_space() {
    return number_in("/proc/self/statm", 0) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

rlimit address_limit() {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    return limit;
}

/// Lowers or restores the soft limit; the hard one stays. Where that fails the process runs on without.
void set_address_limit(std::uint64_t bytes) {
    rlimit limit = address_limit();
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
    setrlimit(RLIMIT_AS, &limit);
}

}  // namespace

std::uint64_t available_memory() { return std::min(machine_memory(), group_memory()); }

MemoryLimit::MemoryLimit(std::uint64_t most) : previous_(address_limit().rlim_cur) {
    const std::uint64_t available = std::min(available_memory(), most);
    if (available != unlimited) set_address_limit(std::min(previous_, used_address_space() + available));
}

MemoryLimit::~MemoryLimit() { set_address_limit(previous_); }

}  // namespace lanecull::program
