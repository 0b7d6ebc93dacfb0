#include "lanes_check.hpp"

#include "calls/compiled_sets.hpp"

namespace {

template <lanecull::Isa... isas>
bool hold_of(lanecull::Isa wanted) {
    bool hold = false;
    ((isas == wanted ? static_cast<void>(hold = LanesCheck<isas>::hold()) : void()), ...);
    return hold;
}

}  // namespace

bool lanes_hold(lanecull::Isa isa) {
    using enum lanecull::Isa;
    return hold_of<LANECULL_SETS>(isa);
}
