#pragma once

#include <array>
#include <optional>

#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace lanecull::program {

using Json = nlohmann::json;

/// A text as JSON. Fails, for `file`, if it is none.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& file);

class JsonArray;

/// An object of a JSON file. A member that is read is of the type that is read, or the file is refused; the error names
/// the place: "town.glb: nodes[3].mesh". What is read of a member that is missing is empty.
class JsonObject {
public:
    /// `value` and `file` outlive this.
    JsonObject(const Json& value, const std::string& file, std::string place);

    [[nodiscard]] bool has(std::string_view name) const { return value_->contains(name); }
    [[nodiscard]] const Json& operator[](std::string_view name) const { return (*value_)[name]; }
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] std::optional<std::uint64_t> integer(std::string_view name) const;
    [[nodiscard]] std::optional<double> number(std::string_view name) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    [[nodiscard]] bool boolean(std::string_view name) const;
    [[nodiscard]] std::optional<JsonObject> object(std::string_view name) const;
    /// Of glTF: a member of the member "extensions".
    [[nodiscard]] std::optional<JsonObject> extension(std::string_view name) const;
    [[nodiscard]] JsonArray array(std::string_view name) const;
    /// Below `count`.
    [[nodiscard]] std::optional<std::size_t> index(std::string_view name, std::size_t count) const;
    [[nodiscard]] std::vector<std::size_t> indices(std::string_view name, std::size_t count) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
    /// So many, if it is there.
    template <std::size_t count>
    [[nodiscard]] std::optional<std::array<double, count>> numbers_of(std::string_view name) const {
        if (!has(name)) return std::nullopt;
        const std::vector<double> all = numbers(name);
        if (all.size() != count) reject(name, "is to have {} numbers, not {}", count, all.size());
        std::array<double, count> result;
        for (std::size_t i = 0; i < count; ++i) result[i] = all[i];
        return result;
    }

    /// Fails unless the member is there.
    template <class Value>
    [[nodiscard]] Value required(std::string_view name, std::optional<Value> value) const {
        if (!value) reject(name, "is missing");
        return *std::move(value);
    }

    /// "nodes[3]"; empty for the document itself.
    [[nodiscard]] const std::string& place() const { return place_; }

    /// For messages: the file and the place; with that of a member.
    [[nodiscard]] std::string where() const { return *file_ + ": " + place_; }
    [[nodiscard]] std::string where(std::string_view name) const { return *file_ + ": " + place_of(name); }

    /// Fails: a member breaks a rule.
    template <class... Arguments>
    [[noreturn]] void reject(std::string_view name, fmt::format_string<Arguments...> rule,
                             Arguments&&... arguments) const {
        fail("{} {}", where(name), fmt::format(rule, std::forward<Arguments>(arguments)...));
    }
    /// Fails: the object itself does.
    template <class... Arguments>
    [[noreturn]] void reject_all(fmt::format_string<Arguments...> rule, Arguments&&... arguments) const {
        fail("{} {}", where(), fmt::format(rule, std::forward<Arguments>(arguments)...));
    }

private:
    [[nodiscard]] std::string place_of(std::string_view name) const {
        return place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name);
    }
    template <class Read>
    [[nodiscard]] auto elements(std::string_view name, const char* rule, const Read& read) const;

    const Json* value_;
    const std::string* file_;
    std::string place_;
};

/// An array of objects.
class JsonArray {
public:
    /// Null: it is missing, and empty.
    JsonArray(const Json* value, const std::string& file, std::string place);

    [[nodiscard]] std::size_t size() const { return value_ == nullptr ? 0 : value_->size(); }
    [[nodiscard]] JsonObject operator[](std::size_t i) const {
        return {(*value_)[i], *file_, fmt::format("{}[{}]", place_, i)};
    }

private:
    const Json* value_;
    const std::string* file_;
    std::string place_;
};

}  // namespace lanecull::program
