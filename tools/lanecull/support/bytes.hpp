#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/error.hpp"

/// Numbers as bytes, for messages between processes and for files: of one machine's order, the little-endian one.
namespace lanecull::program {

static_assert(std::endian::native == std::endian::little, "files and messages are little-endian");

/// Appends the bytes of a plain value.
template <class T>
void append_bytes(std::string& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Appends how many there are, and the elements.
template <class T>
void append_array(std::string& bytes, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    append_bytes(bytes, std::uint64_t{values.size()});
    if (!values.empty()) bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

inline void append_text(std::string& bytes, std::string_view text) { append_array(bytes, std::span(text)); }

/// Appends values one behind the other: plain ones, texts and vectors of plain ones.
template <class... Values>
void append_all(std::string& bytes, const Values&... values) {
    const auto append = [&]<class T>(const T& value) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            append_bytes(bytes, value);
        } else {
            append_array(bytes, std::span<const typename T::value_type>(value));
        }
    };
    (append(values), ...);
}

/// A number in 7 bits a byte, the lowest first; small numbers take one byte (LEB128).
inline void append_varint(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) bytes.push_back(static_cast<char>(number | 0x80U));
    bytes.push_back(static_cast<char>(number));
}

/// Reads what was appended, in the same order. What is not trusted: reading beyond the end fails.
class ByteReader {
public:
    /// `name`: what to call the bytes where they are damaged.
    ByteReader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

    template <class T>
    [[nodiscard]] T value() {
        static_assert(std::is_trivially_copyable_v<T>);
        T result;
        std::memcpy(&result, take(sizeof result).data(), sizeof result);
        return result;
    }

    template <class T>
    [[nodiscard]] std::vector<T> array() {
        const auto count = value<std::uint64_t>();
        if (count > bytes_.size() / sizeof(T)) damaged();
        std::vector<T> result(count);
        const std::string_view source = take(count * sizeof(T));
        if (count != 0) std::memcpy(result.data(), source.data(), source.size());
        return result;
    }

    /// Reads what append_all() has appended.
    template <class... Values>
    void read_all(Values&... values) {
        const auto read = [&]<class T>(T& result) {
            if constexpr (std::is_trivially_copyable_v<T>) {
                std::memcpy(&result, take(sizeof result).data(), sizeof result);
            } else if constexpr (std::is_same_v<T, std::string>) {
                result = text();
            } else {
                result = array<typename T::value_type>();
            }
        };
        (read(values), ...);
    }

    [[nodiscard]] std::string text() { return std::string(take(value<std::uint64_t>())); }

    [[nodiscard]] std::uint64_t varint() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) return number;
        }
        damaged();
    }

    /// The next bytes themselves.
    [[nodiscard]] std::string_view take(std::uint64_t count) {
        if (count > bytes_.size()) damaged();
        const std::string_view result = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return result;
    }

    /// All that are left.
    [[nodiscard]] std::string_view rest() { return take(bytes_.size()); }

    [[nodiscard]] bool at_end() const { return bytes_.empty(); }

private:
    [[noreturn]] void damaged() const { fail("{} is damaged", name_); }

    std::string_view bytes_, name_;
};

/// A number that other bytes almost surely do not have: it finds accidents, not intent. Each word of 8 bytes is mixed
/// in as SplitMix64 mixes its counter (Steele, Lea and Flood, 2014).
[[nodiscard]] inline std::uint64_t fingerprint(std::string_view bytes, std::uint64_t start = 0) {
    const auto mixed = [](std::uint64_t bits) {
        bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
        return bits ^ (bits >> 31U);
    };
    std::uint64_t sum = mixed(start + bytes.size() + 0x9E3779B97F4A7C15U);
    for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 8 ? bytes.size() : 8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), bytes.size() < 8 ? bytes.size() : 8);
        sum = mixed(sum + word + 0x9E3779B97F4A7C15U);
    }
    return sum;
}

}  // namespace lanecull::program
