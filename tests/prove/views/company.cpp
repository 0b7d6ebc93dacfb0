#include "prove/views/company.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "support/company.hpp"
#include "support/culling.hpp"

namespace prove {

void ask_in_company(const Setting& setting, Trial& trial) {
    for (const Kind kind : all_kinds) {
        const std::vector<Object>& all = setting.objects[static_cast<std::size_t>(kind)];
        const std::span<const Object> objects = std::span(all).first(std::min<std::size_t>(all.size(), 32));
        const Company company(kind, objects, setting.hulls, {.margin = setting.grown, .sweep = setting.grown});
        for (const lanecull::Isa isa : trial.plan.isas) {
            for (const lanecull::Method method : all_methods) {
                const std::vector<std::string> verdicts =
                    company.verdicts(setting.view, {.method = method, .isa = isa});
                trial.at(Tally::verdicts) += company.asked();
                for (std::size_t i = 0; i < objects.size(); ++i) {
                    if (Company::agree(verdicts[i]) || products_may_overflow(kind, objects[i])) continue;
                    trial.fail(Tally::untold,
                               "judged otherwise in other company, " + verdicts[i] + ", by " + lanecull::isa_name(isa) +
                                   " method " + std::to_string(static_cast<int>(method)),
                               [&] {
                                   return "view " + setting.text + "\n  object " +
                                          describe(kind, objects[i], setting.hulls);
                               });
                    if (trial.stopped()) return;
                }
            }
        }
    }
}

}  // namespace prove
