#include "scene/text_table.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace lanecull::program {
namespace {

constexpr std::string_view blank = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// The text before the # that begins a comment, which is none in quotes.
std::string_view before_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') quoted = !quoted;
        if (line[i] == '#' && !quoted) return line.substr(0, i);
    }
    return line;
}

/// Takes the first field off `line`, and the one separator behind it: a comma or semicolon with blanks around it, or
/// blanks. Whether that is a comma or semicolon at the line's end, behind which is an empty field.
bool take_any(std::string_view& line, std::string_view& field) {
    const std::size_t end = std::min(line.find_first_of(" \t\r,;"), line.size());
    field = line.substr(0, end);
    line = trimmed(line.substr(end));
    if (!line.starts_with(',') && !line.starts_with(';')) return false;
    line = trimmed(line.substr(1));
    return line.empty();
}

/// Takes a field in quotes off `line`, without them. False: there is no quote at its end.
bool take_quoted(std::string_view& line, std::string& field) {
    for (;;) {
        const std::size_t quote = line.find('"', 1);
        if (quote == std::string_view::npos) return false;
        field += line.substr(1, quote - 1);
        line.remove_prefix(quote + 1);
        if (!line.starts_with('"')) return true;
        field += '"';
    }
}

}  // namespace

std::optional<double> number_of(std::string_view field) {
    double number = 0;
    if (field.starts_with('+')) field.remove_prefix(1);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
    return number;
}

TextTable::TextTable(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // UTF-8's byte order mark
}

bool TextTable::next() {
    while (!text_.empty()) {
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        line_ = trimmed(before_comment(text_.substr(0, end)));
        text_.remove_prefix(std::min(end + 1, text_.size()));
        ++number_;
        if (!line_.empty()) return true;
    }
    return false;
}

bool TextTable::split(Separator separator, std::vector<std::string>& fields) const {
    fields.clear();
    std::string_view line = line_;
    if (separator == Separator::any) {
        std::string_view field;
        while (!line.empty()) {
            const bool ends_in_separator = take_any(line, field);
            fields.emplace_back(field);
            if (ends_in_separator) fields.emplace_back();
        }
        return true;
    }
    const char between = static_cast<char>(separator);
    for (;;) {
        std::string& field = fields.emplace_back();
        line = line.substr(std::min(line.find_first_not_of(between == '\t' ? " \r" : blank), line.size()));
        if (line.starts_with('"') && !take_quoted(line, field)) return false;
        const std::size_t end = std::min(line.find(between), line.size());
        field += trimmed(line.substr(0, end));
        if (end == line.size()) return true;
        line.remove_prefix(end + 1);
    }
}

Separator TextTable::separator() const {
    for (const Separator one : {Separator::semicolon, Separator::comma, Separator::tab}) {
        if (line_.find(static_cast<char>(one)) != std::string_view::npos) return one;
    }
    return Separator::any;
}

}  // namespace lanecull::program
