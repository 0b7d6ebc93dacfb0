#include "support/reading_process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>

#include "support/error.hpp"
#include "support/memory.hpp"

namespace lanecull::program {
namespace {

/// How readers exit. Not by small numbers, which others call exit() with.
enum Exit : int { answered = 100, failed, used_wrongly, out_of_memory };

constexpr std::uint64_t clock_seconds = 10;  ///< for one of a processor

/// What comes out of terminals and crashes goes nowhere. A reader does not outlive who waits for it.
void become_reader(const ReadingLimits& limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
    for (const int end : {SIGALRM, SIGXCPU}) std::signal(end, SIG_DFL);
    const rlimit no_core{0, 0}, time{limits.seconds, limits.seconds + 1};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &time);
    alarm(static_cast<unsigned>(clock_seconds * limits.seconds));
}

[[noreturn]] void read_and_exit(const ReadingLimits& limits, const std::function<std::string()>& read,
                                int answer) noexcept {
    become_reader(limits);
    Exit how = answered;
    std::string bytes;
    try {
        const MemoryLimit memory(limits.memory);
        bytes = read();
    } catch (const std::bad_alloc&) {
        how = out_of_memory;
    } catch (const WrongUsage& error) {
        how = used_wrongly;
        bytes = error.what();
    } catch (const std::exception& error) {
        how = failed;
        bytes = error.what();
    }
    std::FILE* file = fdopen(answer, "wb");
    const bool is_written =
        file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
    _exit(is_written ? how : out_of_memory);
}

/// Fails unless the reader gave an answer. `status`: as waitpid() has it.
void check(int status, const std::string& file, const ReadingLimits& limits, std::string_view text) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU || signal == SIGALRM) {
        fail("{}: it takes more than {} s to read, the limit for its size; LANECULL_READ_SECONDS sets another", file,
             limits.seconds);
    }
    if (signal != 0) {
        fail(
            "{}: the process that read it was ended by the signal {}, {}; the file is damaged, or its reader has a bug",
            file, signal, strsignal(signal));
    }
    switch (WEXITSTATUS(status)) {
        case answered:
            return;
        case failed:
            throw Error(std::string(text));
        case used_wrongly:
            throw WrongUsage(std::string(text));
        case out_of_memory:
            fail(
                "{}: it takes more than {} MiB of memory to read, the limit for its size or all that is "
                "available; LANECULL_READ_MEMORY sets another",
                file, limits.memory >> 20U);
        default:
            fail("{}: the process that read it ended with status {}", file, WEXITSTATUS(status));
    }
}

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) close(number);
    }
};

}  // namespace

MappedFile read_apart(const std::string& file, const ReadingLimits& limits, const std::function<std::string()>& read) {
    std::signal(SIGCHLD, SIG_DFL);  // who ignores it cannot wait
    const Descriptor answer{memfd_create("lanecull-answer", MFD_CLOEXEC)};
    const pid_t reader = answer.number < 0 ? -1 : fork();
    if (reader < 0) fail("cannot start a process to read {}: {}", file, std::strerror(errno));
    if (reader == 0) read_and_exit(limits, read, answer.number);
    int status = 0;
    while (waitpid(reader, &status, 0) < 0 && errno == EINTR) {
    }
    MappedFile bytes(answer.number, file);
    check(status, file, limits, bytes.text());
    return bytes;
}

}  // namespace lanecull::program
