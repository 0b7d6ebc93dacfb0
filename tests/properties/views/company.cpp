#include "properties/views/calls.hpp"

#include <algorithm>
#include <optional>

#include "properties/candidates.hpp"
#include "properties/scenes/scenes.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "support/generate.hpp"
#include "view/prepared_view.hpp"

/// The company that an object is in does not change its verdict.
namespace properties {

using lanecull::Reason;

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
    const CandidateAnswer answer(batches, view, candidates, options, false);
    const auto bit = [&](std::size_t word, std::size_t at) {
        return has_bit(answer.visible, 64 * word + at) ? '1' : '0';
    };
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
    trial.at(Tally::trials) = 1;
    for (const Kind kind : all_kinds) {
        const std::vector<Object>& all = setting.objects[static_cast<std::size_t>(kind)];
        const std::span<const Object> objects = std::span(all).first(std::min<std::size_t>(all.size(), 32));
        const Company company(kind, objects, setting.hulls, {.margin = setting.grown, .sweep = setting.grown});
        const Complaint fail{trial, [&] { return setting.text; }, kind, objects, setting.hulls};
        for (const lanecull::CullOptions& options : every_way(trial, all_methods)) {
            const std::vector<std::string> verdicts = company.verdicts(setting.view, options);
            trial.at(Tally::verdicts) += company.asked();
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if (Company::agree(verdicts[i]) || products_may_overflow(kind, objects[i])) continue;
                fail(Tally::untold, i, options, "judged otherwise in other company, " + verdicts[i]);
                if (trial.stopped()) return;
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

// More than one chunk.

/// The objects in one batch, whole, as candidates, and in pieces: chunks of other objects and of other sizes. Counts of
/// the whole.
lanecull::Counts check_in_pieces(const Complaint& of, const lanecull::View& view, const Streams& streams,
                                 std::size_t piece, const lanecull::CullOptions& options) {
    const std::size_t count = of.objects.size();
    const auto cull = [&](std::size_t first, std::size_t end, bool candidates) {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(of.kind, of.objects.subspan(first, end - first), of.hulls, memory, {.streams = streams});
        const std::vector<std::uint64_t> all(candidates ? (end - first + 63) / 64 : 0, ~std::uint64_t{0});
        return CandidateAnswer(std::span<const lanecull::Batch>(&batch, 1), view, all, options, false);
    };
    const CandidateAnswer whole = cull(0, count, false), candidates = cull(0, count, true);
    std::vector<std::uint64_t> visible, inside;
    lanecull::Counts sum;
    for (std::size_t first = 0; first < count; first += piece) {
        const CandidateAnswer one = cull(first, std::min(first + piece, count), false);
        visible.insert(visible.end(), one.visible.begin(), one.visible.end());
        inside.insert(inside.end(), one.inside.begin(), one.inside.end());
        sum += one.counts;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_visible = has_bit(whole.visible, i);
        const bool same = is_visible == has_bit(visible, i) && is_visible == has_bit(candidates.visible, i) &&
                          has_bit(whole.inside, i) == has_bit(inside, i);
        if (same || products_may_overflow(of.kind, of.objects[i])) continue;
        of(Tally::untold, i, options, "judged otherwise in pieces, or as a candidate");
    }
    of.trial.at(Tally::verdicts) += count;
    of.trial.answers.add_words(whole.visible, options.method);
    const bool all_counted = whole.counts.objects() == count && sum.objects() == count &&
                             candidates.counts.visible() == whole.counts.visible();
    if (!all_counted) of(Tally::untold, 0, options, "not all are counted");
    return whole.counts;
}

/// A sphere near a side, and where it is outside as large as it is far away, up to a step of a float's or a tenth.
Object touching_a_side(Random& random, const PreparedCamera& prepared) {
    Object object = random_object(random, Kind::sphere, prepared.camera, Placement::facet, {});
    const lanecull::PreparedView& view = contents_of(prepared.view);
    double farthest = 0;
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        double distance = static_cast<double>(view.offset[k]);
        for (std::size_t j = 0; j < 3; ++j) {
            distance += static_cast<double>(view.normal[k][j]) *
                        (static_cast<double>(object.fields[j]) - static_cast<double>(view.frame.origin_hi[j]));
        }
        farthest = std::min(farthest, distance);
    }
    const double by = random.log_range(1e-8, 0.1) * random.sign();
    if (farthest < 0) object.fields[3] = static_cast<float>(-farthest * (1 + by));
    return object;
}

/// What stage 2 has decided.
std::uint64_t open(const lanecull::Counts& counts) {
    return counts[Reason::culled_gjk] + counts[Reason::visible_overlap] + counts[Reason::visible_vertex];
}

constexpr std::size_t in_chunks = 17'000;

/// Of one object in `every` near a corner of the volume, the others anywhere: count(kind, counts).
template <class Count>
void run_chunks(Trial& trial, std::size_t every, const Count& count) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects;
        while (objects.size() < in_chunks) {
            const Placement place = objects.size() % every == 0 ? Placement::corner : Placement::uniform;
            objects.push_back(random_object(random, kind, prepared.camera, place, hulls));
            objects.back().max_distance = static_cast<float>(random.log_range(1, 1e6));
        }
        const Complaint of{trial, [&] { return prepared.camera.describe(); }, kind, objects, hulls};
        for (const lanecull::Isa isa : trial.plan.isas) {
            count(kind, check_in_pieces(of, prepared.view, {.max_distance = every > 1}, 640, {.isa = isa}));
            if (trial.stopped()) return;
        }
    }
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

void chunks(Trial& trial) {
    run_chunks(trial, 1, [&](Kind, const lanecull::Counts& counts) {
        trial.at(Tally::cases) += in_chunks;
        trial.at(Tally::reached) += open(counts);
    });
}

void sparse_chunks(Trial& trial) {
    run_chunks(trial, 3, [&](Kind kind, const lanecull::Counts& counts) {
        // Of chunks of 16,384, more than a list holds and the distance of less than a third is computed.
        if (kind != Kind::sphere && kind != Kind::box && kind != Kind::centered_box) return;
        trial.at(Tally::cases) += in_chunks;
        trial.at(Tally::reached) += counts.visible() + counts[Reason::culled_distance];
    });
}

void crossing(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    const HullSet none;
    for (const Projection projection : all_projections) {
        const PreparedCamera prepared = random_prepared_camera(random, projection);
        const bool has_slabs = projection != Projection::orthographic && projection != Projection::oblique &&
                               projection != Projection::sheared;
        const bool by_slabs = contents_of(prepared.view).sides.known;
        if (by_slabs && !has_slabs) {
            trial.fail(Tally::untold, "side slabs of a projection without", [&] { return prepared.camera.describe(); });
        }
        std::vector<Object> objects;
        while (objects.size() < 4'096) objects.push_back(touching_a_side(random, prepared));
        const Complaint of{trial, [&] { return prepared.camera.describe(); }, Kind::sphere, objects, none};
        for (const lanecull::Isa isa : trial.plan.isas) {
            const lanecull::Counts counts =
                check_in_pieces(of, prepared.view, {}, 64, {.method = lanecull::Method::planes, .isa = isa});
            trial.at(Tally::culled_plane) += counts[Reason::culled_plane];
            if (has_slabs) trial.at(Tally::cases) += 4'096, trial.at(Tally::reached) += by_slabs ? 4'096 : 0;
            if (trial.stopped()) return;
        }
    }
}

}  // namespace properties
