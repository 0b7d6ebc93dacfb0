#include "gltf/gltf_uri.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace lanecull::program {
namespace {

/// The value of each digit of base64, and 64 for what is none.
constexpr std::array<std::uint8_t, 256> make_digits() {
    std::array<std::uint8_t, 256> values{};
    values.fill(64);
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i) {
        values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}

/// With or without = at the end.
std::optional<std::vector<std::byte>> base64_decoded(std::string_view text) {
    static constexpr std::array<std::uint8_t, 256> values = make_digits();
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int count = 0;  // of bits that are not yet in a byte
    for (const char c : text) {
        const std::uint32_t value = values[static_cast<unsigned char>(c)];
        if (value == 64) return std::nullopt;
        bits = bits << 6 | value;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> count & 0xFFU));
    }
    return bytes;
}

}  // namespace

std::optional<std::vector<std::byte>> bytes_of_data_uri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const std::string_view data = uri.substr(comma + 1);
    if (uri.substr(0, comma).ends_with(";base64")) return base64_decoded(data);
    const std::string text = percent_decoded(data);
    std::vector<std::byte> bytes(text.size());
    std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

std::string percent_decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint8_t code = 0;
        const char* digits = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
            result += static_cast<char>(code);
            i += 2;
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string_view scheme_of(std::string_view uri) {
    const std::size_t colon = uri.find(':');
    if (colon == std::string_view::npos || colon == 0 || std::isalpha(static_cast<unsigned char>(uri[0])) == 0) {
        return {};
    }
    const std::string_view scheme = uri.substr(0, colon);
    const bool proper = std::ranges::all_of(
        scheme, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.'; });
    return proper ? scheme : std::string_view{};
}

}  // namespace lanecull::program
