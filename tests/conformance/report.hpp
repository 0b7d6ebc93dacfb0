#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>

#include <lanecull/types.h>

/// What the conformance programs print and return.

/// Whether all that was expected holds so far; the exit status says so.
inline bool hold = true;

inline void expect(bool condition, const char* what) {
    if (!condition) std::printf("does not hold: %s\n", what);
    hold &= condition;
}
inline void expect_ok(const lanecull::Status& status, const char* what) {
    if (!status) std::printf("%s: %s\n", what, status.message().text);
    hold &= status.ok();
}

/// FNV-1a of 64 bits.
class Checksum {
public:
    template <class T>
    void add(std::span<const T> values) {
        for (const std::byte byte : std::as_bytes(values)) {
            value_ = (value_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3ull;
        }
    }
    template <class T>
    void add(const T& value) {
        add(std::span<const T>(&value, 1));
    }
    [[nodiscard]] unsigned long long value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};
