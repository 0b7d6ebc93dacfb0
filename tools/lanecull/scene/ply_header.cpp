#include "scene/ply_header.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "support/error.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

constexpr std::pair<std::string_view, PlyNumber> numbers[] = {
    {"char", PlyNumber::int8},      {"int8", PlyNumber::int8},       {"uchar", PlyNumber::uint8},
    {"uint8", PlyNumber::uint8},    {"short", PlyNumber::int16},     {"int16", PlyNumber::int16},
    {"ushort", PlyNumber::uint16},  {"uint16", PlyNumber::uint16},   {"int", PlyNumber::int32},
    {"int32", PlyNumber::int32},    {"uint", PlyNumber::uint32},     {"uint32", PlyNumber::uint32},
    {"float", PlyNumber::float32},  {"float32", PlyNumber::float32}, {"double", PlyNumber::float64},
    {"float64", PlyNumber::float64}};

constexpr std::pair<std::string_view, PlyFormat> formats[] = {{"ascii", PlyFormat::ascii},
                                                              {"binary_little_endian", PlyFormat::little_endian},
                                                              {"binary_big_endian", PlyFormat::big_endian}};

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        if (line.empty()) return words;
        words.push_back(line.substr(0, line.find_first_of(" \t\r")));
        line.remove_prefix(words.back().size());
    }
}

class HeaderParser {
public:
    HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {
        // Lines end as the first does: data may begin with a byte that ends lines elsewhere.
        const std::size_t end = text.substr(0, 80).find_first_of("\r\n");
        if (end == std::string_view::npos) return;
        ending_ = text.substr(end, text.substr(end).starts_with("\r\n") ? 2 : 1);
    }

    PlyHeader header() {
        if (ending_.empty() || words_of(line()) != std::vector<std::string_view>{"ply"}) {
            fail("{}: not PLY: its first line is not 'ply'", file_);
        }
        for (;;) {
            const std::vector<std::string_view> words = words_of(line());
            if (words.empty()) continue;
            if (words[0] == "end_header") break;
            if (words[0] == "format") read_format(words);
            if (words[0] == "element") add_element(words);
            if (words[0] == "property") add_property(words);
        }
        if (!has_format_) fail("{}: its header has no format", file_);
        return std::move(header_);
    }

private:
    std::string_view line() {
        const std::size_t begin = header_.length, end = text_.find(ending_, begin);
        if (end == std::string_view::npos) fail("{}: cut off within its header", file_);
        header_.length = end + ending_.size();
        return text_.substr(begin, end - begin);
    }

    [[noreturn]] void reject(const std::vector<std::string_view>& words) const {
        std::string line;
        for (const std::string_view word : words) line.append(word).append(" ");
        fail("{}: its header has '{}', which breaks PLY's rules", file_, printable(line.substr(0, line.size() - 1)));
    }

    void read_format(const std::vector<std::string_view>& words) {
        if (words.size() < 2) reject(words);
        const auto* found = std::ranges::find(formats, words[1], &std::pair<std::string_view, PlyFormat>::first);
        if (found == std::end(formats)) reject(words);
        header_.format = found->second;
        has_format_ = true;
    }

    void add_element(const std::vector<std::string_view>& words) {
        if (words.size() < 3) reject(words);
        PlyElement& element = header_.elements.emplace_back();
        element.name = words[1];
        const char* end = words[2].data() + words[2].size();
        const auto [at, error] = std::from_chars(words[2].data(), end, element.count);
        if (error != std::errc() || at != end) reject(words);
    }

    void add_property(const std::vector<std::string_view>& words) {
        const bool is_list = words.size() > 1 && words[1] == "list";
        if (header_.elements.empty() || words.size() < (is_list ? 5U : 3U)) reject(words);
        const auto type = [&](std::string_view word) {
            const auto* found = std::ranges::find(numbers, word, &std::pair<std::string_view, PlyNumber>::first);
            if (found == std::end(numbers)) reject(words);
            return found->second;
        };
        PlyProperty& property = header_.elements.back().properties.emplace_back();
        if (is_list) property.count_type = type(words[2]);
        property.type = type(words[is_list ? 3 : 1]);
        property.name = words[is_list ? 4 : 2];
    }

    std::string_view text_;
    const std::string& file_;
    std::string_view ending_;
    PlyHeader header_;
    bool has_format_ = false;
};

}  // namespace

PlyHeader ply_header(std::string_view text, const std::string& file) { return HeaderParser(text, file).header(); }

}  // namespace lanecull::program
