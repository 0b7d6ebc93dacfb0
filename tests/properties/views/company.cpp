#include "properties/views/company.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "properties/candidates.hpp"
#include "properties/scenes/scenes.hpp"
#include "properties/views/families.hpp"
#include "support/culling.hpp"

namespace properties {

Company::Company(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Streams& streams)
    : objects_(objects.size()) {
    for (std::vector<lanecull::Batch>* batches : {&plain_, &flagged_}) {
        Format format{.streams = streams};
        format.streams.flags = batches == &flagged_;
        const auto add_batch = [&](std::span<const Object> of) {
            batches->push_back(make_batch(kind, of, hulls, memory_, format));
        };
        for (const Object& object : objects) add_batch({&object, 1});
        for (std::size_t i = 0; i < objects.size(); ++i) {
            std::vector<Object> crowd(neighbours, objects[(i + 1) % objects.size()]);
            crowd.front() = objects[i];
            add_batch(crowd);
        }
        add_batch(objects);
    }
}

void Company::add(std::vector<std::string>& verdicts, std::span<const lanecull::Batch> batches,
                  std::span<const std::uint64_t> candidates, const lanecull::View& view,
                  const lanecull::CullOptions& options) const {
    std::vector<std::uint64_t> visible(lanecull::visibility_words(batches));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output output;
    output.visible = visible, output.candidates = candidates;
    const lanecull::Status status =
        cull(batches, std::span(&view, 1), std::span(&output, 1), std::span(scratch), options);
    if (!status) throw std::runtime_error(status.message());
    const auto bit = [&](std::size_t word, std::size_t at) { return (visible[word] >> at & 1) != 0 ? '1' : '0'; };
    for (std::size_t i = 0; i < objects_; ++i) {
        verdicts[i] += bit(i, 0);
        verdicts[i] += bit(objects_ + i * (neighbours / 64), 0);
        verdicts[i] += bit(objects_ * (1 + neighbours / 64) + i / 64, i % 64);
    }
}

std::vector<std::string> Company::verdicts(const lanecull::View& view, const lanecull::CullOptions& options) const {
    std::vector<std::string> verdicts(objects_);
    const std::vector<std::uint64_t> everyone(lanecull::visibility_words(plain_), ~std::uint64_t{0});
    add(verdicts, plain_, {}, view, options);
    add(verdicts, plain_, everyone, view, options);
    add(verdicts, flagged_, {}, view, options);
    return verdicts;
}

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

}  // namespace properties
