#include "prove/gjk/families.hpp"

#include "prove/family.hpp"

namespace prove {
namespace {

template <void (*ask)(Trial&)>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    ask(trial);
}

template <void (*ask)(Trial&)>
constexpr Family family(const char* name) {
    return {name, "gjk", run<ask>};
}

constexpr Family all_families[] = {family<gjk_subject::run_touching>("gjk_touching"),
                                   family<gjk_subject::run_directions>("gjk_directions"),
                                   family<gjk_subject::run_degenerate>("gjk_degenerate"),
                                   family<gjk_subject::run_margins>("gjk_margins"),
                                   family<gjk_subject::run_climbing>("gjk_climbing"),
                                   family<gjk_subject::run_split>("gjk_split"),
                                   family<gjk_subject::run_any>("gjk_any"),
                                   family<gjk_subject::run_scaled>("gjk_scaled"),
                                   family<gjk_subject::run_none>("gjk_none"),
                                   family<gjk_subject::run_supports>("gjk_supports")};

}  // namespace

std::span<const Family> gjk_families() { return all_families; }

}  // namespace prove
