#include "query/query_lines.hpp"

#include "support/input_file.hpp"

namespace lanecull::program {
namespace {

int leave_open(std::FILE*) { return 0; }

}  // namespace

QueryLines::QueryLines(const std::string& file) : file_(file), stream_(stdin, leave_open) {
    if (file != "-") stream_ = {std::fopen(file.c_str(), "rb"), std::fclose};
    if (stream_ == nullptr) fail_to_read(file);
}

bool QueryLines::next(std::string& line) {
    line.clear();
    int byte = std::getc(stream_.get());
    if (byte == EOF) {
        if (std::ferror(stream_.get()) != 0) fail_to_read(file_);
        return false;
    }
    for (; byte != EOF && byte != '\n'; byte = std::getc(stream_.get())) {
        if (line.size() <= longest) line.push_back(static_cast<char>(byte));
    }
    return true;
}

}  // namespace lanecull::program
