#include "options/culling_options.hpp"

#include "support/error.hpp"

namespace lanecull::program {

std::string why_not(const Status& unsupported) {
    const std::string message = unsupported.message().text;
    return message.substr(message.find(": ") + 2);
}

void require_environment(Isa& isa) {
    const Status status = isa_from_environment(isa);
    if (!status) fail("LANECULL_ISA={}: {}", std::getenv("LANECULL_ISA"), why_not(status));
}

void CullingOptions::add_to(Command command) {
    command.option("--method", method, "Planes first and GJK for the rest, or planes alone (automatic)")
        .among({"automatic", "planes"})
        .type_name("automatic|planes");
    add_isa_to(command);
}

void CullingOptions::add_isa_to(Command command) {
    command.option("--isa", isa, "Instruction set, see 'lanecull isa' (automatic)").type_name("NAME");
}

CullOptions CullingOptions::checked() const {
    CullOptions options;
    if (method == "planes") options.method = Method::planes;
    Isa requested{};
    const Status known = isa_from_name(isa.c_str(), requested);
    if (!known) refuse("--isa {}: {}", isa, why_not(known));
    if (requested == Isa::automatic) require_environment(requested);  // which the library would ignore
    if (const Status runs = resolve_isa(requested, options.isa); !runs) fail("--isa {}: {}", isa, why_not(runs));
    return options;
}

}  // namespace lanecull::program
