#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <lanecull/types.h>

/// Calls of the library in which each allocation fails in turn: the k-th alone, and all from the k-th on.

/// What is seen of what a call works on.
struct Seen {
    std::string meaning;     ///< what callers get of it, in whichever way it is stored
    std::string exact = "";  ///< all of it, as a file has it
};

inline std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

namespace failing {

/// Counts from now on. The allocation number `at` fails, and those after it where `all_after`. The library's hooks are
/// asked, and operator new.
void begin(std::uint64_t at, bool all_after);
/// From now on there is memory. Whether an allocation has failed since begin().
bool end();

}  // namespace failing

/// make(): what the call works on, behind a std::unique_ptr, the same at each time. call(state): a Status. look(state):
/// Seen. A call whose allocation fails says so, and what it works on is as before; where there is memory again, it does
/// what it would have done. Or it does without, and callers see no difference.
template <class Make, class Call, class Look>
void fail_each(const std::string& function, const Make& make, const Call& call, const Look& look) {
    const auto succeed = [&](auto& state) {
        const lanecull::Status status = call(state);
        EXPECT_TRUE(status) << status.message();
        return look(state);
    };
    const auto unharmed = make();
    const Seen before = look(*unharmed), done = succeed(*unharmed);
    unsigned long long allocations = 0, done_without = 0;
    for (const bool all_after : {false, true}) {
        for (std::uint64_t k = 0;; ++k) {
            SCOPED_TRACE(function + ", allocation " + std::to_string(k) + (all_after ? " and all after it" : ""));
            const auto state = make();
            failing::begin(k, all_after);
            const lanecull::Status status = call(*state);
            if (!failing::end()) {
                EXPECT_TRUE(status) << status.message();
                allocations = k;
                break;
            }
            const Seen after = look(*state);
            if (status.ok()) {
                EXPECT_TRUE(after.meaning == done.meaning) << "did neither all nor nothing";
                ++done_without;
                continue;
            }
            EXPECT_EQ(status.code, lanecull::StatusCode::out_of_memory) << status.message();
            EXPECT_NE(status.message()[0], '\0');
            EXPECT_TRUE(after.meaning == before.meaning && after.exact == before.exact) << "is not as it was";
            const Seen again = succeed(*state);
            EXPECT_TRUE(again.meaning == done.meaning && again.exact == done.exact) << "did not do it afterwards";
            if (testing::Test::HasFailure()) return;
        }
    }
    std::printf("%s: %llu allocations, %llu calls did without\n", function.c_str(), allocations, done_without);
}

/// write(object): a call that fills an object of the library. It fails where the object is made as well: there is none
/// then.
template <class Object, class Write, class Look>
void fail_first(const std::string& function, const Write& write, const Look& look_at) {
    fail_each(
        function + ", of a new object", [] { return std::make_unique<std::optional<Object>>(); },
        [&](std::optional<Object>& to) {
            Object made;
            lanecull::Status status = write(made);
            if (status) to = std::move(made);
            return status;
        },
        [&](std::optional<Object>& to) { return to ? look_at(*to) : Seen{}; });
}

/// The same, and of an object that make() has filled with something else.
template <class Object, class Make, class Write, class Look>
void fail_write(const std::string& function, const Make& make, const Write& write, const Look& look_at) {
    fail_each(function, make, write, look_at);
    fail_first<Object>(function, write, look_at);
}
