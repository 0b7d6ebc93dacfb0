#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanecull::program {

/// What is between the fields of a line.
enum class Separator : char {
    any = 0,  ///< a comma or a semicolon with blanks around it, or blanks
    comma = ',',
    semicolon = ';',
    tab = '\t',
};

/// The double that a field is. "nan" and "inf" are numbers here: whoever reads them decides.
[[nodiscard]] std::optional<double> number_of(std::string_view field);

/// The lines of a text that hold something: no comments, which # begins, and no empty lines.
class TextTable {
public:
    explicit TextTable(std::string_view text);

    /// Goes to the next such line; false: there is none.
    bool next();
    /// Its number in the text, from 1.
    [[nodiscard]] std::size_t number() const { return number_; }

    /// Splits the line into its fields, without blanks around them. Fields in double quotes may have separators, # and,
    /// doubled, quotes in them, unless the separator is `any`. False: a quote is not closed.
    [[nodiscard]] bool split(Separator separator, std::vector<std::string>& fields) const;
    /// The separator of a line with names in it: a semicolon, a comma, or a tab, where it has one.
    [[nodiscard]] Separator separator() const;

private:
    std::string_view text_, line_;
    std::size_t number_ = 0;
};

}  // namespace lanecull::program
