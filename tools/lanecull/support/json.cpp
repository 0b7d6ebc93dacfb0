#include "support/json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace lanecull::program {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

}  // namespace

JsonValue::JsonValue() {
    static const json null;
    value_ = &null;
}

bool JsonValue::is_null() const { return value_->is_null(); }
bool JsonValue::is_object() const { return value_->is_object(); }
bool JsonValue::is_array() const { return value_->is_array(); }
bool JsonValue::is_string() const { return value_->is_string(); }
bool JsonValue::is_number() const { return value_->is_number(); }
bool JsonValue::is_boolean() const { return value_->is_boolean(); }

bool JsonValue::contains(std::string_view name) const { return value_->contains(std::string(name)); }

JsonValue JsonValue::operator[](std::string_view name) const { return JsonValue(value_->at(std::string(name))); }

std::vector<std::string> JsonValue::names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : value_->items()) names.push_back(name);
    return names;
}

std::size_t JsonValue::size() const { return value_->size(); }

JsonValue JsonValue::operator[](std::size_t i) const { return JsonValue((*value_)[i]); }

bool JsonValue::operator==(std::string_view text) const {
    return value_->is_string() && value_->get_ref<const std::string&>() == text;
}

std::string JsonValue::text() const { return value_->get_ref<const std::string&>(); }

double JsonValue::number() const { return value_->get<double>(); }

bool JsonValue::boolean() const { return value_->get<bool>(); }

std::string JsonValue::dump() const { return value_->dump(); }

JsonDocument::JsonDocument(std::string_view text) {
    try {
        value_ = std::make_unique<json>(json::parse(text));
    } catch (const json::exception& error) {
        throw JsonError(error.what());
    }
}

JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

JsonValue JsonDocument::value() const { return JsonValue(*value_); }

Json::Json() : value_(std::make_unique<ordered_json>()) {}
Json::Json(double number) : value_(std::make_unique<ordered_json>(number)) {}
Json::Json(const char* text) : value_(std::make_unique<ordered_json>(text)) {}
Json::Json(const std::string& text) : value_(std::make_unique<ordered_json>(text)) {}
Json::Json(JsonValue copied) : value_(std::make_unique<ordered_json>(*copied.value_)) {}
Json::~Json() = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;

void Json::assign(std::uint64_t number) { *value_ = number; }
void Json::assign(std::int64_t number) { *value_ = number; }

Json Json::object() {
    Json result;
    *result.value_ = ordered_json::object();
    return result;
}

Json Json::array() {
    Json result;
    *result.value_ = ordered_json::array();
    return result;
}

Json Json::array(std::initializer_list<double> numbers) {
    Json result = array();
    for (const double number : numbers) result.value_->push_back(number);
    return result;
}

Json& Json::set(const char* name, Json value) {
    (*value_)[name] = std::move(*value.value_);
    return *this;
}

Json& Json::add(Json value) {
    value_->push_back(std::move(*value.value_));
    return *this;
}

bool Json::contains(const char* name) const { return value_->contains(name); }

std::string Json::dump(int indent) const {
    return value_->dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace lanecull::program
