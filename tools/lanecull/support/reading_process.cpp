#include "support/reading_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/memory.hpp"

namespace lanecull::program {
namespace {

/// How readers exit. Not by small numbers, which others call exit() with.
enum Exit : int { answered = 100, failed, used_wrongly, out_of_memory };

/// How a reader ended.
struct End {
    int status = 0;  ///< as waitpid() has it
    bool out_of_time = false;
};

constexpr std::size_t longest_request = 32768;
constexpr std::uint64_t clock_seconds = 10;  ///< for one of a processor

ReadingProcess* current = nullptr;

/// Whether all of it could be written, from the file's start on.
bool overwrite(int file, std::string_view bytes) {
    for (off_t at = 0; !bytes.empty();) {
        const ssize_t written = pwrite(file, bytes.data(), bytes.size(), at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// What comes out of terminals and crashes goes nowhere.
void become_silent() {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

/// A reader's life.
[[noreturn]] void read_and_exit(ReadingProcess::Read read, const ReadingLimits& limits, std::string_view request,
                                int answers) noexcept {
    const rlimit time{limits.seconds, limits.seconds + 1};
    setrlimit(RLIMIT_CPU, &time);
    Exit how = answered;
    std::string bytes;
    try {
        const MemoryLimit memory(limits.memory);
        bytes = read(request);
    } catch (const std::bad_alloc&) {
        how = out_of_memory;
    } catch (const WrongUsage& error) {
        how = used_wrongly;
        bytes = error.what();
    } catch (const std::exception& error) {
        how = failed;
        bytes = error.what();
    }
    _exit(overwrite(answers, bytes) ? how : out_of_memory);
}

/// Waits for a reader, which holds one end of a pipe while it lives. Ends it when its time is over, or when nobody is
/// there any more whom it could answer.
End end_of(pid_t reader, int life, int line, std::uint64_t seconds) {
    std::array<pollfd, 2> events{{{life, POLLIN, 0}, {line, 0, 0}}};
    End end;
    for (;;) {
        const int count = poll(events.data(), events.size(), static_cast<int>(1000 * clock_seconds * seconds));
        if (count < 0 && errno == EINTR) continue;
        end.out_of_time = count == 0;
        break;
    }
    if (end.out_of_time || events[1].revents != 0) kill(reader, SIGKILL);
    while (waitpid(reader, &end.status, 0) < 0 && errno == EINTR) {
    }
    end.out_of_time = end.out_of_time || (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGXCPU);
    return end;
}

/// Forks a reader. False where the system lets it not.
bool serve(ReadingProcess::Read read, std::string_view message, int line, int answers) {
    ByteReader bytes(message, "a request");
    const auto limits = bytes.value<ReadingLimits>();
    std::array<int, 2> life{};
    if (ftruncate(answers, 0) != 0 || pipe2(life.data(), O_CLOEXEC) != 0) return false;
    const pid_t reader = fork();
    if (reader == 0) {
        close(line);
        close(life[0]);
        read_and_exit(read, limits, bytes.rest(), answers);
    }
    close(life[1]);
    if (reader > 0) {
        const End end = end_of(reader, life[0], line, limits.seconds);
        if (send(line, &end, sizeof end, MSG_NOSIGNAL) < 0) return false;
    }
    close(life[0]);
    return reader > 0;
}

/// The life of the process that readers are forked from: until the other end of the line is closed.
[[noreturn]] void serve_and_exit(ReadingProcess::Read read, int line, int answers) noexcept {
    become_silent();
    std::signal(SIGCHLD, SIG_DFL);
    std::string message(longest_request, '\0');
    for (;;) {
        const ssize_t length = recv(line, message.data(), message.size(), 0);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) _exit(0);
        if (!serve(read, std::string_view(message).substr(0, static_cast<std::size_t>(length)), line, answers)) {
            _exit(1);
        }
    }
}

/// Fails unless the reader gave an answer.
void check(const End& end, const std::string& file, const ReadingLimits& limits, std::string_view text) {
    if (end.out_of_time) {
        fail("{}: it takes more than {} s to read, the limit for its size; LANECULL_READ_SECONDS sets another", file,
             limits.seconds);
    }
    if (WIFSIGNALED(end.status)) {
        fail(
            "{}: the process that read it was ended by the signal {}, {}; the file is damaged, or its reader has a bug",
            file, WTERMSIG(end.status), strsignal(WTERMSIG(end.status)));
    }
    switch (WEXITSTATUS(end.status)) {
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
            fail("{}: the process that read it ended with status {}", file, WEXITSTATUS(end.status));
    }
}

}  // namespace

ReadingProcess::ReadingProcess(Read read) {
    current = this;
    std::array<int, 2> line{-1, -1};
    answers_ = memfd_create("lanecull-answers", MFD_CLOEXEC);
    if (answers_ >= 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line.data()) == 0) process_ = fork();
    if (process_ == 0) {
        close(line[0]);
        serve_and_exit(read, line[1], answers_);
    }
    error_ = errno;
    line_ = line[0];
    if (line[1] >= 0) close(line[1]);
}

ReadingProcess::~ReadingProcess() {
    if (line_ >= 0) close(line_);
    if (answers_ >= 0) close(answers_);
    while (process_ > 0 && waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    current = nullptr;
}

ReadingProcess& ReadingProcess::running() {
    if (current == nullptr) fail("there is no process that reads files");
    return *current;
}

void ReadingProcess::answer(const std::string& file, std::string_view request, const ReadingLimits& limits,
                            const Use& use) {
    if (process_ < 0) fail("cannot start a process to read {}: {}", file, std::strerror(error_));
    std::string message;
    append_bytes(message, limits);
    message += request;
    if (message.size() > longest_request) fail("cannot read {}: its name is too long", file);
    End end;
    ssize_t received = -1;
    if (send(line_, message.data(), message.size(), MSG_NOSIGNAL) >= 0) {
        do {
            received = recv(line_, &end, sizeof end, 0);
        } while (received < 0 && errno == EINTR);
    }
    if (received != static_cast<ssize_t>(sizeof end)) fail("cannot read {}: the process that reads files ended", file);
    {
        const MappedFile bytes(answers_, file);
        const std::string_view text(reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size());
        check(end, file, limits, text);
        use(text);
    }
    // What cannot be freed now is when this ends.
    static_cast<void>(ftruncate(answers_, 0));
}

}  // namespace lanecull::program
