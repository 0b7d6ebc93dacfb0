#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The command line: commands, and options that are read into variables. CLI11 does the work, and command_line.cpp
/// alone includes it: its headers take compilers longer than all that a command does.
namespace lanecull::program {

/// What an option is read into. A vector of numbers takes one argument with commas between them.
using OptionValue =
    std::variant<int*, std::uint32_t*, std::uint64_t*, double*, std::string*, std::optional<std::uint32_t>*,
                 std::optional<std::uint64_t>*, std::optional<double>*, std::optional<std::string>*,
                 std::vector<double>*, std::vector<std::uint32_t>*, std::vector<std::string>*>;

/// An option or a flag of a command, to say more about. Copies stand for the same option.
class CommandOption {
public:
    explicit CommandOption(CLI::Option& option) : option_(&option) {}

    /// Only numbers from low to high, so not NaN.
    CommandOption& within(double low, double high);
    /// Only these words.
    CommandOption& among(std::initializer_list<const char*> words);
    CommandOption& required();
    CommandOption& needs(const CommandOption& other);
    CommandOption& excludes(const CommandOption& other);
    /// Not in --help.
    CommandOption& hidden();

private:
    CLI::Option* option_;
};

/// A command of the program. Copies stand for the same command.
class Command {
public:
    /// `invoked_as`: what the program was called as, once the line is parsed.
    Command(CLI::App& app, const std::string& invoked_as) : app_(&app), invoked_as_(&invoked_as) {}

    /// Reads an option "--name VALUE", VALUE being what --help calls it, or an argument "NAME", into `value`, which is
    /// there until the command has run.
    CommandOption option(const std::string& name, OptionValue value, const std::string& help);
    /// Sets `value` where the line has the flag.
    CommandOption flag(const char* name, bool& value, const std::string& help);
    /// Takes whatever arguments there are, and ignores them.
    void allow_extras();
    /// The end of --help.
    void footer(const std::string& text);
    /// What the command does, once the whole line is read.
    void action(std::function<void()> run);
    /// The names of the options and arguments that the line has.
    [[nodiscard]] std::vector<std::string> given() const;
    /// A line for a shell that runs another command with the options of this one that both commands have:
    /// "lanecull explain track.ac --far 400".
    [[nodiscard]] std::string line_for(const char* other) const;

private:
    CLI::App* app_;
    const std::string* invoked_as_;
};

/// All of the command line.
class CommandLine {
public:
    CommandLine(const std::string& help, const std::string& name, const std::string& version);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    Command add(const char* name, const std::string& help);
    void footer(const std::string& text);
    /// Runs the command that the line names, or prints what --help and --version show. False: it names none of these.
    /// Throws WrongUsage, and what the command throws.
    bool run(int argc, char** argv);
    /// What prints the help of the command that the line names: "lanecull cull --help".
    [[nodiscard]] std::string help_line() const;

private:
    std::unique_ptr<CLI::App> app_;
    std::string invoked_as_;
};

}  // namespace lanecull::program
