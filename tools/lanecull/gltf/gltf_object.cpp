#include "gltf/gltf_object.hpp"

#include <cmath>
#include <utility>

namespace lanecull::program {
namespace {

constexpr double max_integer = 0x1p53;  ///< up to there, doubles hold all of them

/// A whole number, not negative.
std::optional<std::uint64_t> integer_of(JsonValue value) {
    if (!value.is_number()) return std::nullopt;
    const double number = value.number();
    if (!(number >= 0 && number <= max_integer) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

}  // namespace

GltfObject::GltfObject(JsonValue value, const std::string& file, std::string place)
    : value_(value), file_(&file), place_(std::move(place)) {
    if (!value.is_object()) fail("{}: {} is to be an object", file, place_.empty() ? "the document" : place_);
}

std::optional<std::uint64_t> GltfObject::integer(const char* name) const {
    if (!has(name)) return std::nullopt;
    const std::optional<std::uint64_t> result = integer_of(value_[name]);
    if (!result) reject(name, "is to be a whole number, 0 or more");
    return result;
}

std::optional<double> GltfObject::number(const char* name) const {
    if (!has(name)) return std::nullopt;
    if (!value_[name].is_number()) reject(name, "is to be a number");
    return value_[name].number();
}

std::optional<std::string> GltfObject::text(const char* name) const {
    if (!has(name)) return std::nullopt;
    if (!value_[name].is_string()) reject(name, "is to be a string");
    return value_[name].text();
}

bool GltfObject::boolean(const char* name) const {
    if (!has(name)) return false;
    if (!value_[name].is_boolean()) reject(name, "is to be true or false");
    return value_[name].boolean();
}

std::optional<GltfObject> GltfObject::object(const char* name) const {
    if (!has(name)) return std::nullopt;
    return GltfObject(value_[name], *file_, place_of(name));
}

std::optional<GltfObject> GltfObject::extension(const char* name) const {
    const std::optional<GltfObject> extensions = object("extensions");
    return extensions ? extensions->object(name) : std::nullopt;
}

GltfArray GltfObject::array(const char* name) const {
    return {has(name) ? value_[name] : JsonValue(), *file_, place_of(name)};
}

std::optional<std::size_t> GltfObject::index(const char* name, std::size_t count) const {
    const std::optional<std::uint64_t> result = integer(name);
    if (result && *result >= count) reject(name, "names number {} of {}", *result, count);
    return result;
}

std::vector<std::size_t> GltfObject::indices(const char* name, std::size_t count) const {
    std::vector<std::size_t> result;
    if (!has(name)) return result;
    if (!value_[name].is_array()) reject(name, "is to be an array");
    for (const JsonValue value : value_[name]) {
        const std::optional<std::uint64_t> index = integer_of(value);
        if (!index) reject(name, "is to have whole numbers in it, 0 or more");
        if (*index >= count) reject(name, "names number {} of {}", *index, count);
        result.push_back(*index);
    }
    return result;
}

std::vector<double> GltfObject::numbers(const char* name) const {
    std::vector<double> result;
    if (!has(name)) return result;
    if (!value_[name].is_array()) reject(name, "is to be an array");
    for (const JsonValue value : value_[name]) {
        if (!value.is_number()) reject(name, "is to have numbers in it");
        result.push_back(value.number());
    }
    return result;
}

std::vector<std::string> GltfObject::texts(const char* name) const {
    std::vector<std::string> result;
    if (!has(name)) return result;
    if (!value_[name].is_array()) reject(name, "is to be an array");
    for (const JsonValue value : value_[name]) {
        if (!value.is_string()) reject(name, "is to have strings in it");
        result.push_back(value.text());
    }
    return result;
}

GltfArray::GltfArray(JsonValue value, const std::string& file, std::string place)
    : value_(value), file_(&file), place_(std::move(place)), size_(value.is_null() ? 0 : value.size()) {
    if (!value.is_null() && !value.is_array()) fail("{}: {} is to be an array", file, place_);
}

GltfObject GltfArray::operator[](std::size_t i) const { return {value_[i], *file_, fmt::format("{}[{}]", place_, i)}; }

}  // namespace lanecull::program
