#pragma once

#include <lanecull/cull.h>
#include <lanecull/library.h>
#include <lanecull/types.h>
#include <string>

#include "options/command_line.hpp"

namespace lanecull::program {

/// The options --method and --isa of every command that culls.
struct CullingOptions {
    std::string method = "automatic";
    std::string isa = isa_name(Isa::automatic);

    void add_to(Command command);
    /// --isa alone, of commands with a method of their own.
    void add_isa_to(Command command);
    /// For cull(); the set is one that runs here, never `automatic`. Fails on a name of a set that is none.
    [[nodiscard]] CullOptions checked() const;
};

/// What resolve_isa() says of a set that does not run, without what asked for it: "this build lacks avx2".
[[nodiscard]] std::string why_not(const Status& unsupported);

/// isa_from_environment(), and what LANECULL_ISA is, where that fails.
void require_environment(Isa& isa);

}  // namespace lanecull::program
