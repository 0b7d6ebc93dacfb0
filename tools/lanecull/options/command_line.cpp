#include "options/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

/// As a POSIX shell reads it back.
std::string in_shell(const std::string& word) {
    const auto is_plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view("_-./,:=+@%").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

}  // namespace

CommandOption& CommandOption::within(double low, double high) {
    option_->check([=](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end != '\0' || (value >= low && value <= high)) return std::string();
        return fmt::format("{:.10g} to {:.10g} is allowed, not {}", low, high, text);
    });
    return *this;
}

CommandOption& CommandOption::among(std::initializer_list<const char*> words) {
    option_->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())).description(""));
    option_->type_name(fmt::format("{}", fmt::join(words, "|")));
    return *this;
}

CommandOption& CommandOption::required() {
    option_->required();
    return *this;
}

CommandOption& CommandOption::needs(const CommandOption& other) {
    option_->needs(other.option_);
    return *this;
}

CommandOption& CommandOption::excludes(const CommandOption& other) {
    option_->excludes(other.option_);
    return *this;
}

CommandOption& CommandOption::hidden() {
    option_->group("");
    return *this;
}

CommandOption Command::option(const std::string& name, OptionValue value, const std::string& help) {
    const std::size_t blank = name.find(' ');
    CLI::Option* option =
        std::visit([&](auto* to) { return app_->add_option(name.substr(0, blank), *to, help); }, value);
    if (blank != std::string::npos) option->type_name(name.substr(blank + 1));
    option->allow_extra_args(false);  // what follows a value is no further one
    const bool is_list = std::holds_alternative<std::vector<double>*>(value) ||
                         std::holds_alternative<std::vector<std::uint32_t>*>(value);
    if (is_list) option->delimiter(',');
    return CommandOption(*option);
}

CommandOption Command::flag(const char* name, bool& value, const std::string& help) {
    return CommandOption(*app_->add_flag(name, value, help));
}

void Command::allow_extras() { app_->allow_extras(); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::action(std::function<void()> run) { app_->callback(std::move(run)); }

std::vector<std::string> Command::given() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_->get_options()) {
        if (option->count() != 0) names.push_back(option->get_name());
    }
    return names;
}

std::string Command::line_for(const char* other) const {
    const CLI::App* command = app_->get_parent()->get_subcommand(other);
    std::string line = in_shell(*invoked_as_) + ' ' + other;
    for (const CLI::Option* option : app_->get_options()) {
        const std::string name = option->get_name();
        const bool shared = command->get_option_no_throw(name) != nullptr;
        if (option->count() == 0 || !shared) continue;
        for (const std::string& value : option->results()) {
            line += ' ';
            if (!option->get_positional()) line += name + (value.starts_with('-') ? "=" : " ");
            line += in_shell(value);
        }
    }
    return line;
}

CommandLine::CommandLine(const std::string& help, const std::string& name, const std::string& version)
    : app_(std::make_unique<CLI::App>(help, name)) {
    app_->set_version_flag("--version", version, "Print the version and exit");
    app_->get_formatter()->column_width(34);
    app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const char* name, const std::string& help) {
    return Command(*app_->add_subcommand(name, help), invoked_as_);
}

void CommandLine::footer(const std::string& text) { app_->footer(text); }

bool CommandLine::run(int argc, char** argv) {
    if (argc > 0) invoked_as_ = argv[0];
    try {
        app_->parse(argc, argv);
    } catch (const CLI::Success& help) {
        app_->exit(help);
        return true;
    } catch (const CLI::ParseError& error) {
        const bool names_none = argc > 1 && argv[1][0] != '-' && app_->get_subcommands().empty();
        throw WrongUsage(names_none ? "there is no command " + in_shell(argv[1]) : error.what());
    }
    return !app_->get_subcommands().empty();
}

std::string CommandLine::help_line() const {
    std::string line = app_->get_name();
    for (const CLI::App* command : app_->get_subcommands()) line += ' ' + command->get_name();
    return line + " --help";
}

}  // namespace lanecull::program
