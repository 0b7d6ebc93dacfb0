#include "properties/scenes/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "oracle/exact_objects.hpp"
#include "properties/bounds/shapes.hpp"
#include "support/culling.hpp"

namespace properties {
namespace {

using exact::Point;
using exact::Rational;
using oracle::Real;

constexpr std::size_t most_learned = 40;

/// Every number here is a sum of at most some twenty products. Normals, offsets and margins are rounded to doubles, by
/// 2^-52 of themselves; points are off by less than 2^-58 of their solid's magnitude. So a distance is off by less than
/// this share of all that was added up.
constexpr Real share = 0x1p-47L;

Real real(const Rational& number) { return static_cast<Real>(exact::to_double({number, 0, 0}).x); }
oracle::Vec vector(const Point& p) {
    const exact::Vec<double> v = exact::to_double(p);
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

/// The normal with its largest component 1 or -1.
exact::HalfSpace scaled(const exact::HalfSpace& h) {
    const Rational largest =
        std::max({Rational(abs(h.normal.x)), Rational(abs(h.normal.y)), Rational(abs(h.normal.z))});
    return {Rational(1 / largest) * h.normal, h.offset / largest};
}

Real size_of(const oracle::Solid& solid) {
    Real most = 0;
    for (const oracle::Vec p : solid.points) most = std::max(most, oracle::largest_component(p));
    return most + solid.magnitude;
}

}  // namespace

Walls::Walls(const exact::Volume& volume) : volume_(volume), margin_(real(volume.margin()) * (1 + 0x1p-50L)) {
    for (const exact::HalfSpace& h : volume.half_spaces()) walls_.push_back(scaled(h));
    given_ = walls_.size();
}

/// Adds the plane across the direction that the volume, without its margin, touches.
void Walls::learn(const Point& direction) {
    if (walls_.size() >= given_ + most_learned || direction == Point{}) return;
    // Rounded to doubles first: then it is the same number everywhere.
    const Rational largest =
        std::max({Rational(abs(direction.x)), Rational(abs(direction.y)), Rational(abs(direction.z))});
    const exact::Vec<double> rounded = exact::to_double(Rational(1 / largest) * direction);
    const Point normal = exact::point(rounded.x, rounded.y, rounded.z);
    for (const Point& ray : volume_.rays()) {
        if (exact::dot(normal, ray) < 0) return;
    }
    Rational lowest = exact::dot(normal, volume_.points()[0]);
    for (const Point& p : volume_.points()) lowest = std::min<Rational>(lowest, exact::dot(normal, p));
    walls_.push_back({normal, -lowest});
}

Walls::Seen::Seen(Walls& walls, const Double3& origin)
    : walls_(walls), origin_(exact::point(origin[0], origin[1], origin[2])) {
    see_new_walls();
}

void Walls::Seen::see_new_walls() {
    for (std::size_t k = planes_.size(); k < walls_.walls_.size(); ++k) {
        const exact::HalfSpace& wall = walls_.walls_[k];
        const oracle::Vec normal = vector(wall.normal);
        planes_.push_back({normal, oracle::length(normal), real(wall.offset + exact::dot(wall.normal, origin_))});
    }
}

bool Walls::Seen::behind_a_wall(const oracle::Solid& solid) {
    see_new_walls();
    const Real size = size_of(solid), reach = solid.radius + walls_.margin_;
    for (const Plane& plane : planes_) {
        const Real highest = solids::highest(solid, plane.normal);
        const Real error = share * (3 * size + std::fabs(plane.offset) + 2 * reach);
        if (highest + plane.offset + reach * plane.length + error < 0) return true;
    }
    return false;
}

exact::Solid Walls::Seen::in_world(exact::Solid solid) const { return translated(std::move(solid), origin_); }

exact::Answer Walls::Seen::decide(const exact::Solid& solid, const Rational& grow) const {
    return exact::decide(in_world(solid), walls_.volume_, grow);
}

bool Walls::Seen::exactly_apart(const exact::Solid& solid) {
    ++walls_.exact_checks_;
    const exact::Answer answer = decide(solid);
    if (answer.verdict != exact::Verdict::apart) return false;
    if (!walls_.volume_.empty()) walls_.learn(answer.direction);
    return true;
}

bool Walls::Seen::within_half_spaces(const oracle::Solid& solid) const {
    if (walls_.given_ == 0) return false;
    const Real size = size_of(solid);
    return std::all_of(planes_.begin(), planes_.begin() + static_cast<std::ptrdiff_t>(walls_.given_),
                       [&](const Plane& plane) {
                           const Real lowest = -solids::highest(solid, Real{-1} * plane.normal);
                           const Real error = share * (3 * size + std::fabs(plane.offset) + 2 * solid.radius);
                           return lowest + plane.offset - solid.radius * plane.length - error >= 0;
                       });
}

/// A solid of radius r lies in P widened by m if its points lie in P widened by m - r; or, if r > m, at least r - m
/// within each of P's half-spaces. With ovals it has more points than those; half-spaces alone are enough.
bool Walls::Seen::exactly_inside(const exact::Solid& relative) const {
    if (walls_.given_ == 0) return false;
    ++walls_.exact_checks_;
    const exact::Solid solid = in_world(relative);
    const Rational more = walls_.volume_.margin() - solid.radius;
    const Rational spare = solid.ovals.empty() || more < 0 ? more : Rational(0);
    if (spare > 0) {
        const auto own = walls_.volume_.half_spaces();
        const exact::Volume narrow(exact::HalfSpaces(own.begin(), own.end()));
        return std::all_of(solid.points.begin(), solid.points.end(), [&](const Point& p) {
            return exact::decide({{p}, 0}, narrow, spare).verdict == exact::Verdict::visible;
        });
    }
    for (const exact::HalfSpace& h : walls_.volume_.half_spaces()) {
        const Rational square = spare * spare * exact::dot(h.normal, h.normal);
        const Rational distance = h.offset - highest(solid, Rational(-1) * h.normal);
        if (distance < 0 || distance * distance < square) return false;
    }
    return true;
}

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
        return sight_.reach->excludes(
            translated(exact_of(there), exact::point(there.origin[0], there.origin[1], there.origin[2])));
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
