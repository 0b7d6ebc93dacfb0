#include "properties/scenes/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "oracle/exact_objects.hpp"
#include "properties/scenes/walls.hpp"

namespace properties {
namespace {

using lanecull::Handle;
using lanecull::Isa;
using lanecull::Method;
using Words = std::vector<std::uint64_t>;

constexpr Method methods[] = {Method::automatic, Method::planes, lanecull::gjk_alone};

bool has(std::span<const std::uint64_t> words, std::uint32_t slot) { return (words[slot / 64] >> slot % 64 & 1) != 0; }

/// What one method on one instruction set says of a scene, with hints of any contents.
struct SceneVerdicts {
    Isa isa;
    Method method;
    Words visible{}, inside{};
    lanecull::Counts tested{};
};

/// An object with the slot that it is in.
struct Placed {
    const Shadow::There* there;
    Handle handle;
    std::uint32_t slot;
};

class SceneTrial {
public:
    SceneTrial(const Shadow& shadow, const Sight& sight, Trial& trial, std::span<const std::uint64_t> candidates)
        : shadow_(shadow), sight_(sight), trial_(trial), candidates_(candidates), walls_(sight.volume) {}

    void run() {
        for (Handle handle = 0; handle < shadow_.all().size(); ++handle) {
            const Shadow::There& there = shadow_.all()[handle];
            std::uint32_t slot = 0;
            const bool known = shadow_.scene().slot_of(handle, slot).ok();
            if (known != there.has) fail(Tally::untold, {&there, handle, slot}, "its name is not its own");
            if (known && there.has) placed_.push_back({&there, handle, slot});
        }
        for (const Isa isa : trial_.plan.isas) {
            for (const Method method : methods) cull(isa, method);
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
        at(Tally::exact_checks) += walls_.exact_checks();
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
        std::vector<std::uint8_t> hints(shadow_.scene().hint_bytes());
        for (std::uint8_t& hint : hints) hint = static_cast<std::uint8_t>(trial_.random.below(256));
        SceneCull cull(shadow_.scene(), sight_.view, {.method = method, .isa = isa}, hints, candidates_);
        const std::string contradiction = cull.contradiction(shadow_.scene(), !candidates_.empty());
        const SceneVerdicts& v =
            all_.emplace_back(SceneVerdicts{isa, method, std::move(cull.visible), std::move(cull.inside), cull.tested});
        at(Tally::verdicts) += placed_.size();
        at(Tally::culled_plane) += cull.own.outside_objects + v.tested[lanecull::Reason::culled_plane];
        at(Tally::culled_gjk) += v.tested[lanecull::Reason::culled_gjk];
        trial_.answers.add_words(v.visible, method);
        trial_.answers.add(v.tested);
        if (!contradiction.empty() && !placed_.empty()) fail(Tally::untold, placed_[0], contradiction, v);
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

    using Real = oracle::Real;

    /// In long doubles; in rationals where a coordinate is closer to the box than it may be off.
    bool in_its_block(const Placed& placed) {
        const oracle::Solid solid = solid_of(placed.there->kind, placed.there->object, shadow_.hulls());
        const lanecull::SceneBlock block = shadow_.scene().block(placed.slot / 128);
        const Real error = 0x1p-58L * (solid.magnitude + solid.radius);
        const auto fits = [&](Real coordinate, std::size_t j) {
            return coordinate - solid.radius - error >= static_cast<Real>(block.lower[j]) &&
                   coordinate + solid.radius + error <= static_cast<Real>(block.upper[j]);
        };
        if (std::ranges::all_of(solid.points,
                                [&](const oracle::Vec p) { return fits(p.x, 0) && fits(p.y, 1) && fits(p.z, 2); })) {
            return true;
        }
        ++at(Tally::exact_checks);
        const exact::Solid exact_solid = exact_of(*placed.there);
        const auto lies = [&](const exact::Rational& coordinate, std::size_t j) {
            return coordinate - exact_solid.radius >= exact::rational(static_cast<double>(block.lower[j])) &&
                   coordinate + exact_solid.radius <= exact::rational(static_cast<double>(block.upper[j]));
        };
        return std::ranges::all_of(exact_solid.points,
                                   [&](const exact::Point& p) { return lies(p.x, 0) && lies(p.y, 1) && lies(p.z, 2); });
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
            const bool visible = has(v.visible, placed.slot), claimed = has(v.inside, placed.slot);
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
                if (has(v.visible, placed.slot) || beyond_reach(there)) continue;
                fail(Tally::false_culls, placed, "visible, yet culled", v);
            }
            return;
        }
        grow_apart(placed, solid, walls);
    }

    /// Whether objects that are well apart are culled.
    void grow_apart(const Placed& placed, const exact::Solid& solid, const Walls::Seen& walls) {
        double size = exact::to_double({solid.radius, 0, 0}).x;
        for (const exact::Point& p : solid.points) {
            const auto v = exact::to_double(p);
            size = std::max({size, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
        }
        const auto widest =
            std::find_if(all_.rbegin(), all_.rend(), [](const auto& v) { return v.method == Method::automatic; });
        for (const ApartLevel& level : apart_levels) {
            const exact::Rational grown = exact::rational(std::ldexp(size, level.exponent));
            if (walls.decide(solid, grown).verdict != exact::Verdict::apart) return;
            ++at(level.apart);
            at(level.kept) += has(widest->visible, placed.slot);
        }
    }

    const Shadow& shadow_;
    const Sight& sight_;
    Trial& trial_;
    const std::span<const std::uint64_t> candidates_;
    Walls walls_;
    std::map<Double3, Walls::Seen> seen_;
    std::vector<Placed> placed_;
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
