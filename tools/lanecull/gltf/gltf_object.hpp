#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/error.hpp"
#include "support/json.hpp"

namespace lanecull::program {

class GltfArray;

/// An object of a glTF document. A member that is read is of the type that glTF gives it, or the file is refused; the
/// error names the place: "town.glb: nodes[3].mesh".
class GltfObject {
public:
    /// `file` outlives this.
    GltfObject(JsonValue value, const std::string& file, std::string place);

    [[nodiscard]] bool has(const char* name) const { return value_.contains(name); }
    /// Of a member that may be missing.
    [[nodiscard]] std::optional<std::uint64_t> integer(const char* name) const;
    [[nodiscard]] std::optional<double> number(const char* name) const;
    [[nodiscard]] std::optional<std::string> text(const char* name) const;
    [[nodiscard]] bool boolean(const char* name) const;  ///< false if missing
    [[nodiscard]] std::optional<GltfObject> object(const char* name) const;
    [[nodiscard]] std::optional<GltfObject> extension(const char* name) const;
    [[nodiscard]] GltfArray array(const char* name) const;  ///< empty if missing
    /// Below `count`.
    [[nodiscard]] std::optional<std::size_t> index(const char* name, std::size_t count) const;
    [[nodiscard]] std::vector<std::size_t> indices(const char* name, std::size_t count) const;
    [[nodiscard]] std::vector<double> numbers(const char* name) const;
    [[nodiscard]] std::vector<std::string> texts(const char* name) const;
    /// So many, if it is there.
    template <std::size_t count>
    [[nodiscard]] std::optional<std::array<double, count>> numbers_of(const char* name) const {
        if (!has(name)) return std::nullopt;
        const std::vector<double> all = numbers(name);
        if (all.size() != count) reject(name, "is to have {} numbers, not {}", count, all.size());
        std::array<double, count> result;
        for (std::size_t i = 0; i < count; ++i) result[i] = all[i];
        return result;
    }

    /// Fails unless the member is there.
    template <class Value>
    [[nodiscard]] Value required(const char* name, std::optional<Value> value) const {
        if (!value) reject(name, "is missing");
        return *std::move(value);
    }

    [[nodiscard]] const std::string& file() const { return *file_; }
    /// "nodes[3]"; empty for the document itself.
    [[nodiscard]] const std::string& place() const { return place_; }

    /// Fails: a member breaks a rule.
    template <class... Arguments>
    [[noreturn]] void reject(const char* name, fmt::format_string<Arguments...> rule, Arguments&&... arguments) const {
        fail("{}: {} {}", *file_, place_of(name), fmt::format(rule, std::forward<Arguments>(arguments)...));
    }
    /// Fails: the object itself does.
    template <class... Arguments>
    [[noreturn]] void reject_all(fmt::format_string<Arguments...> rule, Arguments&&... arguments) const {
        fail("{}: {} {}", *file_, place_, fmt::format(rule, std::forward<Arguments>(arguments)...));
    }

private:
    [[nodiscard]] std::string place_of(const char* name) const { return place_.empty() ? name : place_ + '.' + name; }

    JsonValue value_;
    const std::string* file_;
    std::string place_;
};

/// An array of objects.
class GltfArray {
public:
    GltfArray(JsonValue value, const std::string& file, std::string place);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] GltfObject operator[](std::size_t i) const;

private:
    JsonValue value_;
    const std::string* file_;
    std::string place_;
    std::size_t size_;
};

}  // namespace lanecull::program
