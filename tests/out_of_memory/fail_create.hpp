#pragma once

#include <memory>
#include <utility>

#include "base/failure.hpp"
#include "out_of_memory/fail_each.hpp"

/// Making what the library owns.

/// create(): null where there is no memory.
template <class Made>
void fail_create(const char* function, Made* (*create)(), void (*destroy)(Made*)) {
    struct State {
        Made* made = nullptr;
        void (*destroy)(Made*);
        ~State() { destroy(made); }
    };
    fail_each(
        function,
        [&] {
            return std::make_unique<State>(State{nullptr, destroy});
        },
        [&](State& state) {
            state.made = create();
            return state.made != nullptr ? lanecull::Status()
                                         : lanecull::failure(lanecull::StatusCode::out_of_memory, "null");
        },
        [](const State& state) { return Seen{state.made != nullptr ? "made" : "null"}; });
}

/// write(object): the first call for a new object. Where there was no memory for the object the call fails.
template <class Object, class Write>
void fail_first(const char* function, const Write& write) {
    struct State {
        Object object;
        bool is_written = false;
    };
    fail_each(
        function, [] { return std::make_unique<State>(); },
        [&](State& state) {
            Object made;
            const lanecull::Status status = write(made);
            if (status) state.object = std::move(made), state.is_written = true;
            return status;
        },
        [](const State& state) { return Seen{state.is_written ? "written" : "not"}; });
}
