#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

namespace lanecull::program {

/// The lines of a file, or of the standard input when the file is "-". Takes no more memory than `longest` bytes.
class QueryLines {
public:
    /// 65,535 vertices with 17 digits a number fit.
    static constexpr std::size_t longest = std::size_t{8} << 20;

    /// Fails when the file cannot be read.
    explicit QueryLines(const std::string& file);

    /// The next line, without its end; false when there is none. Of a line that is too long, the first longest + 1
    /// bytes.
    [[nodiscard]] bool next(std::string& line);

private:
    std::string file_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
};

}  // namespace lanecull::program
