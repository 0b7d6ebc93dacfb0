#pragma once

/// The program's subcommands. Each function adds one to the command line, to be run once the line is parsed; failures
/// come as Error.
namespace lanecull::program {

class CommandLine;

void add_bake_command(CommandLine& program);
void add_cull_command(CommandLine& program);
void add_demo_command(CommandLine& program);
void add_explain_command(CommandLine& program);
void add_hull_command(CommandLine& program);
void add_isa_command(CommandLine& program);
void add_lights_command(CommandLine& program);
void add_query_command(CommandLine& program);
void add_shadow_command(CommandLine& program);
void add_sweep_command(CommandLine& program);
void add_view_command(CommandLine& program);

}  // namespace lanecull::program
