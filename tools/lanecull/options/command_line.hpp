#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The command line: commands, and options that are read into variables. CLI11 does the work, and command_line.cpp
/// alone includes it: its headers take compilers longer than all that a command does.
namespace lanecull::program {

/// An option or a flag of a command, to say more about. Copies stand for the same option.
class CommandOption {
public:
    explicit CommandOption(CLI::Option& option) : option_(&option) {}

    /// What --help calls its value.
    CommandOption& type_name(const char* name);
    /// Only numbers from low to high. T is int or an unsigned type.
    template <class T>
    CommandOption& within(T low, T high);
    /// Only these words.
    CommandOption& among(std::initializer_list<const char*> words);
    /// Several values in one argument, separated by `delimiter`.
    CommandOption& delimiter(char delimiter);
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

    /// Reads an option "--name", or an argument "NAME", into `value`, which is there until the command has run.
    /// command_line.cpp ends with the types T that there are.
    template <class T>
    CommandOption option(const char* name, T& value, const std::string& help);
    /// Sets `value` where the line has the flag.
    CommandOption flag(const char* name, bool& value, const std::string& help);
    /// Takes whatever arguments there are, and ignores them.
    void allow_extras();
    /// The end of --help.
    void footer(const std::string& text);
    /// What the command does, once the whole line is read.
    void action(std::function<void()> run);
    /// A line for a shell that runs another command with the options of this one that both commands have, save those
    /// that are left out: "lanecull explain track.ac --far 400".
    [[nodiscard]] std::string line_for(const char* other, std::initializer_list<std::string_view> left_out) const;

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
    /// Runs the command that the line asks for, or prints what --help and --version ask for. False: it asks for none of
    /// these. Throws WrongUsage, and what the command throws.
    bool run(int argc, char** argv);
    /// What --help tells of the command that the line names: "lanecull cull --help".
    [[nodiscard]] std::string help_line() const;

private:
    std::unique_ptr<CLI::App> app_;
    std::string invoked_as_;
};

}  // namespace lanecull::program
