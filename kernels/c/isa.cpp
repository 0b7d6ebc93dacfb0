/// c/isa.h

#include <lanecull/c/isa.h>

#include <lanecull/isa.hpp>

#include "c/given.hpp"
#include "c/options.hpp"

using namespace lanecull;

const char* lanecull_isa_name(uint32_t isa) {
    Isa known = Isa::automatic;
    return c::take_isa(isa, "isa", known) ? isa_name(known) : "unknown";
}

uint32_t lanecull_isa_runnable(uint32_t isa) {
    Isa known = Isa::automatic;
    return c::take_isa(isa, "isa", known) && isa_runnable(known) ? 1 : 0;
}

uint32_t lanecull_isa_lanes(uint32_t isa) {
    Isa known = Isa::automatic;
    return c::take_isa(isa, "isa", known) ? isa_lanes(known) : 0;
}

lanecull_status lanecull_isa_from_name(const char* name, uint32_t* isa, lanecull_message* message) {
    if (name == nullptr || isa == nullptr) {
        return c::report(Status::failure("%s: must not be null", name == nullptr ? "name" : "isa"), message);
    }
    Isa found = Isa::automatic;
    const Status status = isa_from_name(name, found);
    if (status) *isa = static_cast<uint32_t>(found);
    return c::report(status, message);
}

lanecull_status lanecull_isa_from_environment(uint32_t* isa, lanecull_message* message) {
    if (isa == nullptr) return c::refuse_null("isa", message);
    Isa found = Isa::automatic;
    const Status status = isa_from_environment(found);
    if (status) *isa = static_cast<uint32_t>(found);
    return c::report(status, message);
}

lanecull_status lanecull_resolve_isa(uint32_t requested, uint32_t* chosen, lanecull_message* message) {
    if (chosen == nullptr) return c::report(Status::failure("chosen: must not be null"), message);
    Isa known = Isa::automatic, found = Isa::automatic;
    Status status = c::take_isa(requested, "requested", known);
    if (status) status = resolve_isa(known, found);
    if (status) *chosen = static_cast<uint32_t>(found);
    return c::report(status, message);
}
