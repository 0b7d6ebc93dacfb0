#pragma once

#include <lanecull/library.h>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace lanecull::program {

/// When each call, phase and range of a run began and ended, thread by thread: what chrome://tracing and Perfetto read.
class Trace {
public:
    /// For a ZonedRunner. The trace must outlive its calls.
    [[nodiscard]] ZoneCallbacks callbacks();

    /// A piece of the calling thread's time, with a number that tells it from others of its name. They are nested.
    void begin(std::string_view name, std::uint64_t number);
    void end();
    /// Forgets all pieces, which must have ended.
    void clear();

    /// Trace event format, of complete events ("ph": "X"); times in microseconds.
    [[nodiscard]] std::string json() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Event {
        std::string_view name;  ///< of texts that live as long as the program
        std::uint64_t number;
        Clock::time_point begin, end;
    };
    struct Thread {
        std::size_t id;
        std::vector<Event> events;
        std::vector<std::size_t> open;  ///< their places in `events`
    };

    Thread& this_thread();

    Clock::time_point start_ = Clock::now();
    std::mutex mutex_;  ///< of the map; a thread alone writes what is its own
    std::unordered_map<std::thread::id, Thread> threads_;
};

}  // namespace lanecull::program
