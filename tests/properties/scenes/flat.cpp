#include <algorithm>
#include <cstring>
#include <map>

#include <lanecull/shadow.h>

#include "properties/candidates.hpp"
#include "properties/scenes/scenes.hpp"
#include "support/culling.hpp"

/// Scenes compared with batches of the same objects.

namespace properties {
namespace {

using lanecull::BlockOutcome;
using lanecull::Handle;
using lanecull::Method;
using lanecull::Scene;
using Words = std::vector<std::uint64_t>;

class FlatTrial {
public:
    FlatTrial(const Shadow& shadow, const lanecull::View& view, const Streams& streams, Trial& trial,
              const MayDiffer& may_differ)
        : shadow_(shadow),
          view_(view),
          trial_(trial),
          may_differ_(may_differ),
          candidates_(any_candidates(trial.random, lanecull::visibility_words(shadow.scene()))) {
        for (const Placed& placed : placed_objects(shadow, trial)) {
            Group& group = groups_[placed.there->kind];
            group.placed.push_back(placed), group.objects.push_back(placed.there->object);
        }
        for (auto& [kind, group] : groups_) {
            group.batch = make_batch(kind, group.objects, shadow_.hulls(), group.memory, {.streams = streams});
        }
    }

    void run(std::span<const Method> methods) {
        for (const lanecull::Isa isa : trial_.plan.isas) {
            for (const Method method : methods) {
                compare({.method = method, .isa = isa});
                if (trial_.stopped()) return;
            }
        }
        compare_boxes();
    }

private:
    /// All objects of one kind.
    struct Group {
        std::vector<Placed> placed;
        std::vector<Object> objects;
        HeapMemory memory;
        lanecull::Batch batch = lanecull::Spheres{};
    };

    [[nodiscard]] const Scene& scene() const { return shadow_.scene(); }

    void fail(const Shadow::There& there, const std::string& what) {
        trial_.fail(Tally::untold, what, [&] { return describe(there, shadow_.hulls()); });
    }
    void fail(const std::string& what) {
        trial_.fail(Tally::untold, what, [] { return std::string(); });
    }
    /// Fails with what `cull` says otherwise than its bits.
    void require_agreement(const SceneCull& cull, const std::string& by, bool has_candidates = false) {
        const std::string what = contradiction(scene(), cull, has_candidates);
        if (!what.empty()) fail(what + by);
        for (std::size_t i = 0; i < cull.handles.size() && i < cull.draws.size(); ++i) {
            const Shadow::There& there = shadow_.all()[cull.handles[i]];
            if (std::memcmp(&cull.draws[i], &there.command, sizeof there.command) != 0)
                fail(there, "its draw command is another" + by);
        }
    }

    void compare(const lanecull::CullOptions& options) {
        const std::string by = std::string(" by ") + isa_name(options.isa) + " " + method_name(options.method);
        const SceneCull cull(scene(), view_, options);
        trial_.answers.add_words(cull.visible, options.method);
        require_agreement(cull, by);
        trial_.at(Tally::verdicts) += scene().object_count();
        trial_.at(Tally::cases) += scene().object_count();
        trial_.at(Tally::reached) += cull.own.outside_objects + cull.own.inside_objects;
        trial_.at(Tally::culled_plane) += cull.own.outside_objects + cull.why.counts[lanecull::Reason::culled_plane];
        trial_.at(Tally::culled_gjk) += cull.why.counts[lanecull::Reason::culled_gjk];
        for (const auto& [kind, group] : groups_) {
            const CandidateAnswer flat(std::span(&group.batch, 1), view_, {}, options, false);
            for (std::size_t i = 0; i < group.placed.size(); ++i) {
                const bool kept = has(flat.visible, i), here = has(cull.visible, group.placed[i].slot);
                expect(kept == here, group.placed[i], options.method, kept ? Difference::culled : Difference::kept, by);
                if (!kept || !here) continue;
                const bool same = has(flat.inside, i) == has(cull.inside, group.placed[i].slot);
                expect(same, group.placed[i], options.method, Difference::inside, by);
            }
        }
        compare_with_hints(cull, options, by);
        compare_candidates(cull, options, by);
    }

    void expect(bool same, const Placed& placed, Method method, Difference difference, const std::string& by) {
        constexpr const char* names[] = {"culled in the scene", "culled alone", "judged otherwise as a candidate",
                                         "inside in one of scene and batch"};
        ++trial_.at(Tally::pairs);
        if (same) return;
        ++trial_.at(Tally::differing);
        if (!may_differ_ || !may_differ_(*placed.there, method, difference))
            fail(*placed.there, names[static_cast<std::size_t>(difference)] + by);
    }

    /// Hints change nothing, whatever they are, nor those that a cull leaves.
    void compare_with_hints(const SceneCull& expected, const lanecull::CullOptions& options, const std::string& by) {
        std::vector<std::uint8_t> hints = any_hints(trial_.random, scene());
        for (int again = 0; again < 2; ++again) {
            const SceneCull cull(scene(), view_, options, hints);
            require_agreement(cull, by + " with hints");
            const bool same = cull.visible == expected.visible && cull.inside == expected.inside &&
                              cull.outcomes == expected.outcomes;
            if (!same) fail("hints change a cull" + by);
        }
    }

    void compare_candidates(const SceneCull& all, const lanecull::CullOptions& options, const std::string& by) {
        const SceneCull some(scene(), view_, options, {}, candidates_);
        require_agreement(some, by + " of candidates", true);
        for (const auto& [kind, group] : groups_) {
            for (const Placed& placed : group.placed) {
                const std::uint32_t slot = placed.slot;
                if (!has(candidates_, slot)) {
                    if (has(some.visible, slot)) fail(*placed.there, "what is no candidate is visible" + by);
                    continue;
                }
                const bool same = has(some.visible, slot) == has(all.visible, slot) &&
                                  has(some.inside, slot) == has(all.inside, slot);
                expect(same, placed, options.method, Difference::candidate, by);
            }
        }
        for (std::uint32_t b = 0; b < scene().block_count(); ++b) {
            const std::uint32_t word = scene().block(b).first_slot / 64;
            if ((candidates_[word] | candidates_[word + 1]) == 0 && some.outcomes[b] != BlockOutcome::outside)
                fail("a block without candidates is not outside" + by);
        }
    }

    /// The box around the candidates of one kind is no larger than that of their batch, if nothing has an origin. The
    /// batch has streams that some of the scene has not.
    void compare_boxes() {
        for (const auto& [kind, group] : groups_) {
            Words slots(lanecull::visibility_words(scene())), flat(lanecull::visibility_words({&group.batch, 1}));
            for (std::size_t i = 0; i < group.placed.size(); ++i) {
                const std::uint32_t slot = group.placed[i].slot;
                if (has(candidates_, slot)) set(slots, slot), set(flat, i);
            }
            lanecull::WorldBox box, expected;
            const lanecull::Status status = lanecull::visible_bounds(scene(), slots, box);
            if (!status || !lanecull::visible_bounds({&group.batch, 1}, flat, expected))
                fail("no box of what is visible");
            for (std::size_t k = 0; k < 3; ++k) {
                if (box.lower[k] < expected.lower[k] || box.upper[k] > expected.upper[k])
                    fail(std::string("a scene's box is larger than the batch's: ") + kind_name(kind));
            }
        }
    }

    const Shadow& shadow_;
    const lanecull::View& view_;
    Trial& trial_;
    const MayDiffer& may_differ_;
    Words candidates_;
    std::map<Kind, Group> groups_;
};

}  // namespace

std::vector<Placed> placed_objects(const Shadow& shadow, Trial& trial) {
    std::vector<Placed> placed;
    for (Handle handle = 0; handle < shadow.all().size(); ++handle) {
        const Shadow::There& there = shadow.all()[handle];
        std::uint32_t slot = 0;
        if (shadow.scene().slot_of(handle, slot).ok() != there.has) {
            trial.fail(Tally::untold, "its name is not its own", [&] { return describe(there, shadow.hulls()); });
        } else if (there.has) {
            placed.push_back({&there, handle, slot});
        }
    }
    return placed;
}

std::vector<std::uint8_t> any_hints(Random& random, const Scene& scene) {
    std::vector<std::uint8_t> hints(scene.hint_bytes());
    Random own(random.bits());
    for (std::uint8_t& hint : hints) hint = static_cast<std::uint8_t>(own.below(256));
    return hints;
}

std::string contradiction(const Scene& scene, const scene_tests::ViewLists& of, bool has_candidates) {
    const auto& [visible, inside, handles, slots, runs, draws, outcomes, distances, levels, visible_count, draw_count,
                 own, why] = of;
    std::vector<std::uint32_t> seen;
    for (std::uint32_t s = 0; s < visible.size() * 64; ++s) {
        if (has(visible, s)) seen.push_back(s);
    }
    if (slots != seen || visible_count != seen.size() || draws.size() != seen.size() || draw_count != seen.size())
        return "slots are not the bits";
    for (std::size_t w = 0; w < visible.size(); ++w) {
        if ((inside[w] & ~visible[w]) != 0) return "something is inside and culled";
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        std::uint32_t slot = 0;
        if (!scene.slot_of(handles[i], slot).ok() || slot != slots[i]) return "handles are not those of the slots";
    }
    std::size_t k = 0;
    for (const lanecull::VisibleRun& run : runs) {
        for (std::uint32_t i = 0; i < run.count; ++i, ++k) {
            if (k >= seen.size() || seen[k] != run.first + i) return "runs are not the bits";
        }
    }
    if (k != seen.size()) return "runs end before the bits";
    const std::uint64_t objects[] = {own.outside_objects, own.inside_objects, why.counts.objects()};
    if (objects[0] + objects[1] + objects[2] != scene.object_count()) return "counts do not add up";
    if (why.counts.visible() + own.inside_objects != visible_count) return "visible counts do not add up";
    std::uint64_t of_blocks[3] = {}, mixed = 0;
    for (std::uint32_t b = 0; b < outcomes.size(); ++b) {
        const lanecull::SceneBlock block = scene.block(b);
        of_blocks[static_cast<int>(outcomes[b])] += block.objects;
        mixed += outcomes[b] == BlockOutcome::mixed;
        const bool is_inside = outcomes[b] == BlockOutcome::inside;
        if (outcomes[b] == BlockOutcome::mixed || (is_inside && has_candidates)) continue;
        for (std::uint32_t i = 0; i < block.objects; ++i) {
            const std::uint32_t slot = block.first_slot + i;
            if (has(visible, slot) != is_inside || has(inside, slot) != is_inside)
                return "a block's outcome is not its bits";
        }
    }
    if (mixed != own.mixed_blocks) return "mixed blocks are miscounted";
    if (!has_candidates && !std::ranges::equal(of_blocks, objects)) return "outcomes are not the counts";
    return {};
}

void check_flat(const Shadow& shadow, const lanecull::View& view, const Streams& streams,
                std::span<const Method> methods, Trial& trial, const MayDiffer& may_differ) {
    FlatTrial(shadow, view, streams, trial, may_differ).run(methods);
}

}  // namespace properties
