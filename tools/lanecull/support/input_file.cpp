#include "support/input_file.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

#include "support/error.hpp"

namespace lanecull::program {

namespace {

std::string read_stream(std::FILE* stream, const std::string& name) {
    std::string text;
    std::array<char, 65536> bytes;
    for (std::size_t count = bytes.size(); count == bytes.size();) {
        count = std::fread(bytes.data(), 1, bytes.size(), stream);
        text.append(bytes.data(), count);
    }
    if (std::ferror(stream) != 0) fail_to_read(name);
    return text;
}

}  // namespace

void fail_to_read(const std::string& file) { fail("cannot read {}: {}", file, std::strerror(errno)); }

std::string read_file(const std::string& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
    if (stream == nullptr) fail_to_read(file);
    return read_stream(stream.get(), file);
}

std::string read_input(const std::string& file) {
    if (!is_standard_input(file)) return read_file(file);
    static const std::string text = read_stream(stdin, input_name(file));
    return text;
}

bool is_standard_input(const std::string& file) { return file == "-"; }

std::string input_name(const std::string& file) { return is_standard_input(file) ? "standard input" : file; }

}  // namespace lanecull::program
