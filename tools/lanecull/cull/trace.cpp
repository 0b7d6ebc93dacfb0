#include "cull/trace.hpp"

#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <algorithm>
#include <iterator>

namespace lanecull::program {

ZoneCallbacks Trace::callbacks() {
    return {this, [](void* self, const Zone& zone) { static_cast<Trace*>(self)->begin(zone.name, zone.index); },
            [](void* self, const Zone&) { static_cast<Trace*>(self)->end(); }};
}

Trace::Thread& Trace::this_thread() {
    const std::lock_guard lock(mutex_);
    return threads_.try_emplace(std::this_thread::get_id(), Thread{threads_.size(), {}, {}}).first->second;
}

void Trace::begin(std::string_view name, std::uint64_t number) {
    Thread& thread = this_thread();
    thread.open.push_back(thread.events.size());
    thread.events.push_back({name, number, Clock::now(), {}});
}

void Trace::end() {
    const auto now = Clock::now();
    Thread& thread = this_thread();
    thread.events[thread.open.back()].end = now;
    thread.open.pop_back();
}

void Trace::clear() {
    for (auto& [id, thread] : threads_) thread.events.clear();
    start_ = Clock::now();
}

std::string Trace::json() const {
    const auto microseconds = [](Clock::duration time) {
        return std::chrono::duration<double, std::micro>(time).count();
    };
    std::vector<const Thread*> threads;
    for (const auto& [id, thread] : threads_) threads.push_back(&thread);
    std::ranges::sort(threads, {}, &Thread::id);
    std::string text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
    const char* between = "\n";
    for (const Thread* thread : threads) {
        for (const Event& event : thread->events) {
            fmt::format_to(std::back_inserter(text),
                           "{}{{\"name\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": "
                           "{:.3f}, \"args\": {{\"number\": {}}}}}",
                           between, event.name, thread->id, microseconds(event.begin - start_),
                           microseconds(event.end - event.begin), event.number);
            between = ",\n";
        }
    }
    return text += "\n]}\n";
}

}  // namespace lanecull::program
