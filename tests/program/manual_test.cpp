#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"

/// The samples of tools/README.md are what the program answers. In an indented block a line "$ lanecull ..." is run,
/// and the lines that follow it are all of its output, "..." standing for any lines. Questions for `query` stand in
/// blocks of their own; the block after one has the answer.

namespace {

using Lines = std::vector<std::string>;

/// The indented blocks of the text, each without its indent and without blank lines.
std::vector<Lines> blocks_of(const std::string& text) {
    std::vector<Lines> blocks;
    bool open = false;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("    ")) {
            if (!open) blocks.emplace_back();
            blocks.back().push_back(line.substr(4));
            open = true;
        } else if (!line.empty()) {
            open = false;
        }
    }
    return blocks;
}

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// A number, brackets and punctuation around it aside; else NaN.
double number_of(std::string_view word) {
    while (!word.empty() && std::string_view("(),").find(word.front()) != word.npos) word.remove_prefix(1);
    while (!word.empty() && std::string_view("(),:").find(word.back()) != word.npos) word.remove_suffix(1);
    const std::string text(word);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size() && !text.empty() ? number : std::nan("");
}

/// Whether the words are the same: numbers within 1 in 1,000 (instruction sets round differently), and whatever
/// instruction set it is.
bool same(const std::string& sample, const std::string& line) {
    if (sample.starts_with("  method ")) return line.starts_with("  method ");
    const std::vector<std::string> a = words_of(sample), b = words_of(line);
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (a[k] == b[k] || (a[k] == "lanecull" && b[k] == LANECULL_PROGRAM)) continue;
        const double x = number_of(a[k]), y = number_of(b[k]);
        if (!(std::abs(x - y) <= 1e-3 * std::abs(x))) return false;
    }
    return true;
}

class Manual : public Program {
protected:
    static std::vector<Lines> blocks() { return blocks_of(read(LANECULL_MANUAL)); }

    /// Runs the block's first line and compares the rest.
    void check(const Lines& block) const {
        std::vector<std::string> arguments = words_of(block[0]);
        arguments.erase(arguments.begin(), arguments.begin() + 2);  // $ lanecull
        const Result result = run(arguments);
        ASSERT_EQ(result.status, 0) << result.errors;
        const Lines output = lines_of(result.output);
        std::size_t at = 0;
        bool anywhere = false;
        for (std::size_t k = 1; k < block.size(); ++k) {
            if (block[k] == "...") {
                anywhere = true;
                continue;
            }
            while (anywhere && at < output.size() && !same(block[k], output[at])) ++at;
            ASSERT_LT(at, output.size()) << "missing: " << block[k] << "\nin\n" << result.output;
            ASSERT_TRUE(same(block[k], output[at])) << block[k] << "\nis now\n" << output[at];
            anywhere = false;
            ++at;
        }
        if (!anywhere) {
            EXPECT_EQ(at, output.size()) << "more than the manual shows:\n" << result.output;
        }
    }
};

TEST_F(Manual, CommandsAnswerAsShown) {
    std::size_t commands = 0;
    for (const Lines& block : blocks()) {
        if (!block[0].starts_with("$ lanecull ")) continue;
        SCOPED_TRACE(block[0]);
        ++commands;
        check(block);
    }
    EXPECT_EQ(commands, 5U);
}

TEST_F(Manual, QuestionsAreAnsweredAsShown) {
    // Question and answer stand with a blank line between them: the block has the question's lines and the answer's.
    std::size_t questions = 0;
    Lines open;
    for (const Lines& block : blocks()) {
        for (const std::string& line : block) {
            if (line.starts_with("{\"id\": "))
                open = {line};
            else if (!open.empty() && line.starts_with(" "))
                open.push_back(line);
            if (open.empty() || !line.starts_with("{\"id\":") || line.starts_with("{\"id\": ")) continue;
            std::string question;
            for (const std::string& part : open) question += part;
            const Result result = run({"query", write("question.jsonl", question + "\n")});
            EXPECT_EQ(result.status, 0) << question << "\n" << result.errors;
            EXPECT_EQ(result.output, line + "\n") << question;
            ++questions;
            open.clear();
        }
    }
    EXPECT_EQ(questions, 5U);
}

}  // namespace
