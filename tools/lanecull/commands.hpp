#pragma once

#include <CLI/App.hpp>

/// The program's subcommands. Each function adds one to the command line, to be run once the line is parsed; failures
/// come as Error.
namespace lanecull::program {

void add_cull_command(CLI::App& program);
void add_explain_command(CLI::App& program);
void add_hull_command(CLI::App& program);
void add_isa_command(CLI::App& program);
void add_query_command(CLI::App& program);
void add_shadow_command(CLI::App& program);
void add_view_command(CLI::App& program);

}  // namespace lanecull::program
