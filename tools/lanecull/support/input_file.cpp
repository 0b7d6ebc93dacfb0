#include "support/input_file.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

#include "support/error.hpp"

namespace lanecull::program {

void fail_to_read(const std::string& file) { fail("cannot read {}: {}", file, std::strerror(errno)); }

std::string read_file(const std::string& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
    if (stream == nullptr) fail_to_read(file);
    std::string text;
    std::array<char, 65536> bytes;
    for (std::size_t count = bytes.size(); count == bytes.size();) {
        count = std::fread(bytes.data(), 1, bytes.size(), stream.get());
        text.append(bytes.data(), count);
    }
    if (std::ferror(stream.get()) != 0) fail_to_read(file);
    return text;
}

}  // namespace lanecull::program
