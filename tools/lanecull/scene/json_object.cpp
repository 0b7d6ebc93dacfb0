#include "scene/json_object.hpp"

#include <cmath>

namespace lanecull::program {
namespace {

/// A whole number, not negative, up to which doubles hold all of them.
std::optional<std::uint64_t> integer_of(const Json& value) {
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0 && number <= 0x1p53) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        fail("{}: not JSON: {}", file, error.what());
    }
}

JsonObject::JsonObject(const Json& value, const std::string& file, std::string place)
    : value_(&value), file_(&file), place_(std::move(place)) {
    if (!value.is_object()) fail("{}: {} is to be an object", file, place_.empty() ? "the document" : place_);
}

std::vector<std::string> JsonObject::names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : value_->items()) names.push_back(name);
    return names;
}

std::optional<std::uint64_t> JsonObject::integer(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    const std::optional<std::uint64_t> result = integer_of((*this)[name]);
    if (!result) reject(name, "is to be a whole number, 0 or more");
    return result;
}

std::optional<double> JsonObject::number(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    if (!(*this)[name].is_number()) reject(name, "is to be a number");
    return (*this)[name].get<double>();
}

std::optional<std::string> JsonObject::text(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    if (!(*this)[name].is_string()) reject(name, "is to be a string");
    return (*this)[name].get<std::string>();
}

bool JsonObject::boolean(std::string_view name) const {
    if (!has(name)) return false;
    if (!(*this)[name].is_boolean()) reject(name, "is to be true or false");
    return (*this)[name].get<bool>();
}

std::optional<JsonObject> JsonObject::object(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    return JsonObject((*this)[name], *file_, place_of(name));
}

std::optional<JsonObject> JsonObject::extension(std::string_view name) const {
    const std::optional<JsonObject> extensions = object("extensions");
    return extensions ? extensions->object(name) : std::nullopt;
}

JsonArray JsonObject::array(std::string_view name) const {
    return {has(name) ? &(*this)[name] : nullptr, *file_, place_of(name)};
}

std::optional<std::size_t> JsonObject::index(std::string_view name, std::size_t count) const {
    const std::optional<std::uint64_t> result = integer(name);
    if (result && *result >= count) reject(name, "names number {} of {}", *result, count);
    return result;
}

/// What `read` makes of each element of a member; `rule`: what is broken where that is nothing.
template <class Read>
auto JsonObject::elements(std::string_view name, const char* rule, const Read& read) const {
    std::vector<typename decltype(read(*value_))::value_type> result;
    if (!has(name)) return result;
    if (!(*this)[name].is_array()) reject(name, "is to be an array");
    for (const Json& value : (*this)[name]) {
        auto element = read(value);
        if (!element) reject(name, "is to have {} in it", rule);
        result.push_back(*std::move(element));
    }
    return result;
}

std::vector<std::size_t> JsonObject::indices(std::string_view name, std::size_t count) const {
    const auto result = elements(name, "whole numbers, 0 or more,", integer_of);
    for (const std::uint64_t index : result) {
        if (index >= count) reject(name, "names number {} of {}", index, count);
    }
    return {result.begin(), result.end()};
}

std::vector<double> JsonObject::numbers(std::string_view name) const {
    return elements(name, "numbers", [](const Json& value) {
        return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    });
}

std::vector<std::string> JsonObject::texts(std::string_view name) const {
    return elements(name, "strings", [](const Json& value) {
        return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
    });
}

JsonArray::JsonArray(const Json* value, const std::string& file, std::string place)
    : value_(value), file_(&file), place_(std::move(place)) {
    if (value != nullptr && !value->is_null() && !value->is_array()) fail("{}: {} is to be an array", file, place_);
}

}  // namespace lanecull::program
