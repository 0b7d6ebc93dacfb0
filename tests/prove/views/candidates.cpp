#include "prove/views/candidates.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prove/candidates.hpp"
#include "prove/scenes/objects.hpp"
#include "prove/views/setting.hpp"
#include "support/culling.hpp"

namespace prove {
namespace {

/// The setting's objects; now and then again and again, for more than one chunk.
std::vector<Object> any_objects(Random& random, Kind kind, const std::vector<Object>& given) {
    std::vector<Object> objects = given;
    const std::size_t count = random.chance(0.05) ? 17'000 : objects.size();
    while (objects.size() < count) objects.push_back(given[random.bits() % given.size()]);
    for (Object& object : objects) {
        if (random.chance(0.2)) object.flags = static_cast<std::uint32_t>(random.below(4));
        if (random.chance(0.1)) object = spoilt(random, kind, object, {});
    }
    return objects;
}

}  // namespace

void candidates(Trial& trial) {
    Random& random = trial.random;
    const std::optional<Setting> setting = any_setting(random, trial.plan.objects);
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting) return;
    for (const Kind kind : all_kinds) {
        const std::vector<Object> objects = any_objects(random, kind, setting->objects[static_cast<std::size_t>(kind)]);
        const std::size_t first = random.bits() % (objects.size() + 1);
        const Format format{
            .bounds = random.chance(0.5),
            .streams = {.margin = setting->grown, .sweep = setting->grown, .flags = random.chance(0.7)}};
        HeapMemory memory;
        const lanecull::Batch batches[] = {
            make_batch(kind, std::span(objects).first(first), setting->hulls, memory, format),
            make_batch(kind, std::span(objects).subspan(first), setting->hulls, memory, format)};
        const auto object = [&](std::size_t b, std::size_t i) -> const Object& { return objects[b * first + i]; };
        check_candidates(
            std::span<const lanecull::Batch>(batches), setting->view, all_methods, trial,
            [&](std::size_t b, std::size_t i) { return !products_may_overflow(kind, object(b, i)); },
            [&](std::size_t b, std::size_t i) {
                return "view " + setting->text + "\n  object " + describe(kind, object(b, i), setting->hulls);
            });
        if (trial.stopped()) return;
    }
}

}  // namespace prove
