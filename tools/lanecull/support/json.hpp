#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// JSON that is read, for files that need not wait for nlohmann's header: it takes compilers two seconds a file.
namespace lanecull::program {

/// A text is not JSON; what() says where.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A value of a JsonDocument, by reference.
class JsonValue {
public:
    /// null
    JsonValue();
    explicit JsonValue(const nlohmann::json& value) : value_(&value) {}

    [[nodiscard]] bool is_null() const;
    [[nodiscard]] bool is_object() const;
    [[nodiscard]] bool is_array() const;
    [[nodiscard]] bool is_string() const;
    [[nodiscard]] bool is_number() const;
    [[nodiscard]] bool is_boolean() const;

    /// Whether it is an object with a member of that name.
    [[nodiscard]] bool contains(std::string_view name) const;
    /// A member that is there.
    [[nodiscard]] JsonValue operator[](std::string_view name) const;
    /// The names of an object's members.
    [[nodiscard]] std::vector<std::string> names() const;

    /// Of an array, how many elements it has.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Whether it is an array of so many elements.
    [[nodiscard]] bool is_array_of(std::size_t count) const { return is_array() && size() == count; }
    /// An element that is there.
    [[nodiscard]] JsonValue operator[](std::size_t i) const;
    /// The elements of an array.
    class Iterator;
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;

    /// Whether it is that string.
    [[nodiscard]] bool operator==(std::string_view text) const;
    /// Of a string.
    [[nodiscard]] std::string text() const;
    /// Of a number, the nearest double.
    [[nodiscard]] double number() const;
    [[nodiscard]] bool boolean() const;
    /// As JSON text.
    [[nodiscard]] std::string dump() const;

private:
    const nlohmann::json* value_;
};

class JsonValue::Iterator {
public:
    Iterator(JsonValue array, std::size_t i) : array_(array), i_(i) {}
    JsonValue operator*() const { return array_[i_]; }
    Iterator& operator++() {
        ++i_;
        return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

private:
    JsonValue array_;
    std::size_t i_;
};

inline JsonValue::Iterator JsonValue::begin() const { return {*this, 0}; }
inline JsonValue::Iterator JsonValue::end() const { return {*this, size()}; }

/// A text that was read.
class JsonDocument {
public:
    /// Throws JsonError.
    explicit JsonDocument(std::string_view text);
    ~JsonDocument();
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;

    [[nodiscard]] JsonValue value() const;

private:
    std::unique_ptr<nlohmann::json> value_;
};

}  // namespace lanecull::program
