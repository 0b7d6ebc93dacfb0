#include "properties/scenes/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "oracle/exact_objects.hpp"
#include "properties/bounds/shapes.hpp"
#include "properties/scenes/walls.hpp"
#include "support/culling.hpp"

namespace properties {
namespace {

using lanecull::Isa;
using lanecull::Method;

/// What one method on one instruction set says of a scene, with hints of any contents.
struct SceneVerdicts {
    SceneCull cull;
    Isa isa;
    Method method;
};

class SceneTrial {
public:
    SceneTrial(const Shadow& shadow, const Sight& sight, Trial& trial, std::span<const std::uint64_t> candidates)
        : shadow_(shadow),
          sight_(sight),
          trial_(trial),
          candidates_(candidates),
          walls_(sight.volume),
          placed_(placed_objects(shadow, trial)) {}

    void run() {
        for (const Isa isa : trial_.plan.isas) {
            for (const Method method : all_methods) cull(isa, method);
        }
        check_blocks();
        for (const Placed& placed : placed_) {
            check(placed);
            if (trial_.stopped()) return;
        }
        const std::size_t asked = std::min(7 * trial_.plan.oracle_objects, placed_.size() / 20);
        for (std::size_t n = 0; n < asked; ++n) {
            ask_oracle(placed_[trial_.random.bits() % placed_.size()]);
        }
        at(Tally::exact_checks) += walls_.exact_checks() + judge_.exact_checks();
    }

private:
    std::uint64_t& at(Tally::Count count) { return trial_.at(count); }

    void fail(Tally::Count count, const Placed& placed, const std::string& what) {
        trial_.fail(count, what, [&] {
            return "view " + sight_.text + "\n  handle " + std::to_string(placed.handle) + ": " +
                   describe(*placed.there, shadow_.hulls());
        });
    }
    void fail(Tally::Count count, const Placed& placed, const std::string& what, const SceneVerdicts& v) {
        fail(count, placed,
             what + ", by " + lanecull::isa_name(v.isa) + " method " + std::to_string(static_cast<int>(v.method)));
    }

    void cull(Isa isa, Method method) {
        std::vector<std::uint8_t> hints = any_hints(trial_.random, shadow_.scene());
        const SceneVerdicts& v = all_.emplace_back(SceneVerdicts{
            SceneCull(shadow_.scene(), sight_.view, {.method = method, .isa = isa}, hints, candidates_), isa, method});
        const lanecull::Counts& tested = v.cull.why.counts;
        at(Tally::verdicts) += placed_.size();
        at(Tally::culled_plane) += v.cull.own.outside_objects + tested[lanecull::Reason::culled_plane];
        at(Tally::culled_gjk) += tested[lanecull::Reason::culled_gjk];
        trial_.answers.add_words(v.cull.visible, method);
        trial_.answers.add(tested);
        const std::string what = contradiction(shadow_.scene(), v.cull, !candidates_.empty());
        if (!what.empty() && !placed_.empty()) fail(Tally::untold, placed_[0], what, v);
    }

    /// Scenes say of a block that it has a box around all of its objects, except those that a box does not tell of.
    void check_blocks() {
        for (const Placed& placed : placed_) {
            const Shadow::There& there = *placed.there;
            if (is_none(there.kind, there.object)) continue;
            if (!has_box(there.kind, there.object, shadow_.hulls())) continue;
            if (!in_its_block(placed)) fail(Tally::unproved, placed, "not in the box of its block");
        }
    }

    bool in_its_block(const Placed& placed) {
        const lanecull::SceneBlock block = shadow_.scene().block(placed.slot / 128);
        bool fits = true;
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float sign : {-1.0f, 1.0f}) {
                const Side side{k, sign, static_cast<double>(sign > 0 ? block.upper[k] : -block.lower[k])};
                const Shadow::There& there = *placed.there;
                fits = fits && (std::isinf(side.end) ||
                                !reaches_beyond(side, there.kind, there.object, shadow_.hulls(), judge_));
            }
        }
        return fits;
    }

    [[nodiscard]] exact::Solid exact_of(const Shadow::There& there) const {
        return exact_solid_of(there.kind, there.object, shadow_.hulls());
    }

    Walls::Seen& walls_at(const Double3& origin) { return seen_.try_emplace(origin, walls_, origin).first->second; }

    void check(const Placed& placed) {
        const Shadow::There& there = *placed.there;
        const bool none = is_none(there.kind, there.object);
        const bool disabled = (there.object.flags & lanecull::object_disabled) != 0;
        const bool always = (there.object.flags & lanecull::object_always_visible) != 0;
        std::optional<bool> apart, inside;
        for (const SceneVerdicts& v : all_) {
            const bool visible = has(v.cull.visible, placed.slot), claimed = has(v.cull.inside, placed.slot);
            if (!asked(placed)) {
                if (visible || claimed) fail(Tally::untold, placed, "no candidate, yet visible", v);
                continue;
            }
            if (disabled) {
                if (visible || claimed) fail(Tally::untold, placed, "disabled, yet visible", v);
            } else if (none || always) {
                const bool told = visible && !(none && claimed);
                if (!told) fail(none ? Tally::invalid_told : Tally::untold, placed, "always visible, yet culled", v);
            } else if (!visible) {
                if (!apart) apart = proves_apart(there);
                if (!*apart) fail(Tally::unproved, placed, "not apart, yet culled", v);
            }
            if (claimed && !none && !disabled) {
                if (!inside) inside = proves_inside(there);
                if (!*inside) fail(Tally::unproved, placed, "not inside, yet called so", v);
                if (!visible) fail(Tally::untold, placed, "inside, yet culled", v);
            }
        }
    }

    [[nodiscard]] bool asked(const Placed& placed) const {
        return candidates_.empty() || has(candidates_, placed.slot);
    }
    bool proves_apart(const Shadow::There& there) {
        return sight_.volume.empty() ||
               walls_at(there.origin)
                   .apart(solid_of(there.kind, there.object, shadow_.hulls()), [&] { return exact_of(there); }) ||
               beyond_reach(there);
    }
    /// What the view is lit by does not light it: culled in any case.
    [[nodiscard]] bool beyond_reach(const Shadow::There& there) const {
        if (sight_.reach == nullptr) return false;
        exact::Solid solid = exact_of(there);
        const exact::Point origin = exact::point(there.origin[0], there.origin[1], there.origin[2]);
        for (exact::Point& p : solid.points) p = p + origin;
        return sight_.reach->excludes(solid);
    }
    bool proves_inside(const Shadow::There& there) {
        return walls_at(there.origin).inside(solid_of(there.kind, there.object, shadow_.hulls()), [&] {
            return exact_of(there);
        });
    }

    void ask_oracle(const Placed& placed) {
        const Shadow::There& there = *placed.there;
        if (is_none(there.kind, there.object) || there.object.flags != 0 || !asked(placed)) return;
        ++at(Tally::oracle_objects);
        const exact::Solid solid = exact_of(there);
        Walls::Seen& walls = walls_at(there.origin);
        if (walls.decide(solid).verdict == exact::Verdict::visible) {
            ++at(Tally::oracle_visible);
            for (const SceneVerdicts& v : all_) {
                if (has(v.cull.visible, placed.slot) || beyond_reach(there)) continue;
                fail(Tally::false_culls, placed, "visible, yet culled", v);
            }
            return;
        }
        grow_apart(placed, solid, walls);
    }

    /// Whether objects that are well apart are culled.
    void grow_apart(const Placed& placed, const exact::Solid& solid, const Walls::Seen& walls) {
        const oracle::Solid rounded = solid_of(placed.there->kind, placed.there->object, shadow_.hulls());
        auto size = static_cast<double>(rounded.radius);
        for (const oracle::Vec p : rounded.points)
            size = std::max(size, static_cast<double>(oracle::largest_component(p)));
        const auto widest =
            std::find_if(all_.rbegin(), all_.rend(), [](const auto& v) { return v.method == Method::automatic; });
        for (const ApartLevel& level : apart_levels) {
            const exact::Rational grown = exact::rational(std::ldexp(size, level.exponent));
            if (walls.decide(solid, grown).verdict != exact::Verdict::apart) return;
            ++at(level.apart);
            at(level.kept) += has(widest->cull.visible, placed.slot);
        }
    }

    const Shadow& shadow_;
    const Sight& sight_;
    Trial& trial_;
    const std::span<const std::uint64_t> candidates_;
    Walls walls_;
    Judge judge_;
    const std::vector<Placed> placed_;
    std::map<Double3, Walls::Seen> seen_;
    std::vector<SceneVerdicts> all_;
};

}  // namespace

void check_scene(const Shadow& shadow, const Sight& sight, Trial& trial, std::span<const std::uint64_t> candidates) {
    SceneTrial(shadow, sight, trial, candidates).run();
}

std::string describe(const Shadow::There& there, const HullSet& hulls) {
    char origin[120];
    std::snprintf(origin, sizeof origin, " origin: %a %a %a", there.origin[0], there.origin[1], there.origin[2]);
    return ::describe(there.kind, there.object, hulls) + origin;
}

}  // namespace properties
