#pragma once

#include <memory>

#include <lanecull/c/status.h>

#include "out_of_memory/fail_each.hpp"

/// The C interface in these tests.

/// call(message), as C++ says it.
template <class Call>
lanecull::Status of_c(const Call& call) {
    lanecull_message message;
    const lanecull_status code = call(&message);
    if (code == LANECULL_OK) return {};
    return lanecull::Status::failure(static_cast<lanecull::StatusCode>(code), "%s", message.text);
}

/// create(made), with null for what is not made.
template <class Made>
void fail_create(const char* function, lanecull_status (*create)(Made**, lanecull_message*), void (*destroy)(Made*)) {
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
        [&](State& state) { return of_c([&](auto* message) { return create(&state.made, message); }); },
        [](const State& state) { return Seen{state.made != nullptr ? "made" : "null"}; });
}
