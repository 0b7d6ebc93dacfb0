#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/cull.h>

#include "cull/kind_box.hpp"
#include "cull/kind_box_instance.hpp"
#include "cull/kind_sphere.hpp"
#include "properties/candidates.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "properties/views/setting.hpp"
#include "small/small_range.hpp"
#include "support/culling.hpp"
#include "support/objects.hpp"

/// The kernels of the core for JavaScript (kernels/small), compiled here in plain C++, beside the library's own.
namespace properties {
namespace {

/// What they say of a batch.
struct CoreAnswer {
    std::vector<std::uint64_t> visible, inside;

    CoreAnswer(const lanecull::Batch& batch, const lanecull::View& view, lanecull::Method method)
        : visible(lanecull::visibility_words(batch)), inside(visible.size()) {
        lanecull::Counts counts;
        lanecull::RangeTask task{};
        task.method = method;
        task.count = batch.count();
        task.visible = visible.data();
        task.inside = inside.data();
        task.counts = &counts;
        const lanecull::PreparedView& prepared = contents_of(view);
        const lanecull::RangeWork work{
            {task}, &batch.shapes, &batch.attributes, &prepared, lanecull::all_planes(prepared)};
        if (batch.kind == lanecull::Kind::spheres) {
            lanecull::cull_small<lanecull::Spheres>(work);
        } else if (batch.kind == lanecull::Kind::boxes) {
            lanecull::cull_small<lanecull::Boxes>(work);
        } else {
            lanecull::cull_small<lanecull::BoxInstances>(work);
        }
    }
};

/// Where the core culls what others keep, the exact oracle decides, and of the rest it decides some.
void run_kind(const Setting& setting, Kind kind, Trial& trial) {
    std::vector<Object> objects = setting.objects[static_cast<std::size_t>(kind)];
    if (objects.empty()) return;
    const bool flagged = trial.random.chance(0.3);
    for (Object& object : objects) {
        object.flags = 0;
        if (flagged && trial.random.chance(0.1)) object.flags = lanecull::object_always_visible;
    }
    HeapMemory memory;
    const lanecull::Batch batch =
        make_batch(kind, objects, setting.hulls, memory,
                   {.streams = {.margin = setting.grown, .sweep = setting.grown, .flags = flagged}});
    const lanecull::CullOptions scalar{
        .method = all_methods[trial.random.below(static_cast<int>(std::size(all_methods)))],
        .isa = lanecull::Isa::scalar};
    const CoreAnswer core(batch, setting.view, scalar.method);
    const CandidateAnswer others(std::span(&batch, 1), setting.view, {}, scalar, false);
    trial.answers.add_words(core.visible);
    const Complaint complain{trial, [&] { return setting.text; }, kind, objects, setting.hulls};
    const std::size_t every = objects.size() / trial.plan.oracle_objects + 1;
    const auto some = static_cast<std::size_t>(trial.random.below(static_cast<int>(every)));
    for (std::size_t i = 0; i < objects.size() && !trial.stopped(); ++i) {
        const bool visible = has_bit(core.visible, i), kept_by_others = has_bit(others.visible, i);
        ++trial.at(Tally::verdicts);
        trial.at(Tally::cases) += !kept_by_others;
        trial.at(Tally::reached) += !kept_by_others && !visible;
        if (objects[i].flags != 0 && !visible)
            complain(Tally::untold, i, scalar, "always visible, yet culled by the core");
        if (has_bit(core.inside, i) && !visible) complain(Tally::untold, i, scalar, "inside by the core, yet culled");
        if (visible || (!kept_by_others && i % every != some)) continue;
        ++trial.at(Tally::oracle_objects);
        if (setting.is_apart(exact_solid_of(kind, objects[i], setting.hulls))) continue;
        ++trial.at(Tally::oracle_visible);
        complain(Tally::false_culls, i, scalar, "visible, yet culled by the core");
    }
}

}  // namespace

void core(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const std::optional<Setting> setting = any_setting(trial.random, trial.plan.objects);
    if (!setting) {
        trial.at(Tally::refused) = 1;
        return;
    }
    if (setting->reach && setting->reach->is_dark) return;
    for (const Kind kind : {Kind::sphere, Kind::box, Kind::box_instance}) run_kind(*setting, kind, trial);
}

}  // namespace properties
