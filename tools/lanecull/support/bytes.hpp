#pragma once

#include <bit>
#include <span>
#include <string>
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

}  // namespace lanecull::program
