#include "support/json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace lanecull::program {
using nlohmann::json;

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

}  // namespace lanecull::program
