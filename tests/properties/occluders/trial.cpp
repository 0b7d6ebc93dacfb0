#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/scene.h>

#include "oracle/exact_objects.hpp"
#include "properties/occluders/setting.hpp"
#include "properties/verdicts.hpp"
#include "support/culling.hpp"

namespace properties {
namespace {

using lanecull::Reason;
using oracle::Real;

/// A half-space in long doubles, normal of length 1, about the viewpoint's origin.
struct NearHalfSpace {
    oracle::Vec normal;
    Real offset;
};

/// What one solid hides, for estimates that bound their own errors.
class HiddenEstimate {
public:
    HiddenEstimate(const exact::HalfSpaces& half_spaces, const float (&origin)[3])
        : origin_{static_cast<Real>(origin[0]), static_cast<Real>(origin[1]), static_cast<Real>(origin[2])} {
        const exact::Point o = exact::point(origin[0], origin[1], origin[2]);
        for (const exact::HalfSpace& f : half_spaces) {
            const exact::Rational largest = std::max(
                {exact::Rational(abs(f.normal.x)), exact::Rational(abs(f.normal.y)), exact::Rational(abs(f.normal.z))});
            if (largest == 0) continue;
            const exact::Vec<double> n = exact::to_double(exact::Rational(1 / largest) * f.normal),
                                     c = exact::to_double({(dot(f.normal, o) + f.offset) / largest, 0, 0});
            const oracle::Vec normal{n.x, n.y, n.z};
            const Real size = length(normal);
            half_spaces_.push_back({1 / size * normal, static_cast<Real>(c.x) / size});
        }
    }

    /// Whether all half-spaces contain the solid for certain. Normals and offsets are off by 2^-51 of themselves.
    [[nodiscard]] bool contains(const oracle::Solid& solid) const {
        for (const NearHalfSpace& f : half_spaces_) {
            std::vector<oracle::Vec> points = solid.points;
            for (const auto& oval : solid.ovals) points.push_back(farthest(oval, Real{-1} * f.normal));
            for (const oracle::Vec p : points) {
                const oracle::Vec q = p - origin_;
                const Real sizes = std::fabs(q.x) + std::fabs(q.y) + std::fabs(q.z) + std::fabs(f.offset) +
                                   solid.radius + length(origin_) * 0x1p-10L + solid.magnitude * 0x1p-10L;
                if (!(dot(f.normal, q) + f.offset - solid.radius > sizes * 0x1p-48L)) return false;
            }
        }
        return true;
    }

private:
    oracle::Vec origin_;
    std::vector<NearHalfSpace> half_spaces_;
};

class HidingTrial {
public:
    HidingTrial(const HidingSetting& setting, Trial& trial) : setting_(setting), trial_(trial) {
        for (const exact::HalfSpaces& hidden : setting.hidden) {
            estimates_.emplace_back(hidden, contents_of(setting.from.viewpoint).origin);
        }
    }

    void run() {
        trial_.at(Tally::trials) = 1;
        check_near_rule();
        for (const Kind kind : all_kinds) {
            kind_ = kind;
            objects_ = setting_.objects[static_cast<std::size_t>(kind)];
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects_, setting_.hulls, memory,
                                                     {.bounds = trial_.random.chance(0.5), .streams = streams()});
            proved_.assign(objects_.size(), 0);
            choose_owners();
            const auto refute = [&](auto... how) { fail(how...); };
            answers_ = all_verdicts_of(batch, setting_.view, all_methods, trial_, refute, occluders_);
            for (const Verdicts& answer : answers_) check(answer);
            if (setting_.cluster > 0) check_scene(batch);
            if (trial_.stopped()) return;
            const std::size_t asked = setting_.ask_all ? objects_.size() : trial_.plan.oracle_objects;
            for (std::size_t n = 0; n < asked; ++n) {
                ask_oracle(setting_.ask_all ? n : trial_.random.bits() % objects_.size());
            }
        }
    }

private:
    [[nodiscard]] Streams streams() const { return {.margin = setting_.grown, .sweep = setting_.grown, .flags = true}; }

    void fail(Tally::Count count, std::size_t i, const Verdicts& answer, const std::string& what) const {
        trial_.fail(count,
                    what + ", object " + std::to_string(i) + " by " + lanecull::isa_name(answer.isa) + " method " +
                        method_name(answer.method),
                    [&] { return setting_.text + "\n  object " + describe(kind_, objects_[i], setting_.hulls); });
    }

    /// Some solids are drawn by an object, which may be disabled: then they must not hide.
    void choose_owners() {
        occluders_ = setting_.occluders;
        owners_.assign(occluders_.size(), {});
        undrawn_ = 0;
        for (std::size_t k = 0; k < occluders_.size(); ++k) {
            if (!trial_.random.chance(0.4)) continue;
            owners_[k].object = static_cast<std::uint32_t>(trial_.random.bits() % objects_.size());
            occluders_[k].owners = {&owners_[k], 1};
            const bool disabled = (objects_[owners_[k].object].flags & lanecull::object_disabled) != 0;
            undrawn_ |= std::uint64_t{disabled} << k;
        }
    }

    /// A near plane must leave whole what hides.
    void check_near_rule() const {
        const TestViewpoint& from = setting_.from;
        if (from.near_corners.empty() && !from.near_plane) return;
        for (const TestSolid& solid : setting_.solids) {
            const exact::Volume volume(solid.facets);
            bool cut = false;
            if (!from.near_corners.empty() && from.sight.eyes.size() == 1) {
                exact::Solid nearest{from.near_corners, 0};
                nearest.points.push_back(from.sight.eyes[0]);
                cut = decide(nearest, volume).verdict != exact::Verdict::apart;
            }
            for (const exact::Point& p : volume.points()) {
                cut = cut || (from.near_plane && dot(from.near_plane->normal, p) + from.near_plane->offset < 0);
            }
            if (cut)
                trial_.fail(Tally::false_culls, "a near plane cuts a solid that hides",
                            [&] { return setting_.text + "\n  solid " + solid.text; });
        }
    }

    void check(const Verdicts& answer) {
        for (std::size_t i = 0; i < objects_.size() && !trial_.stopped(); ++i) {
            const lanecull::Certificate& certificate = answer.certificates[i];
            if (certificate.reason != Reason::culled_occluded) continue;
            const std::uint64_t bit = std::uint64_t{1} << certificate.occluder;
            if ((proved_[i] & bit) != 0) continue;
            proved_[i] |= bit;
            if ((objects_[i].flags & lanecull::object_always_visible) != 0) {
                fail(Tally::unproved, i, answer, "always visible, yet hidden");
            }
            if ((undrawn_ & bit) != 0) fail(Tally::unproved, i, answer, "hidden by a solid that is not drawn");
            if (!is_hidden_by(i, certificate.occluder)) {
                fail(Tally::unproved, i, answer,
                     "not hidden by " + setting_.solids[certificate.occluder].text + ", yet culled");
            }
        }
    }

    /// A scene of the same objects keeps what the batch keeps.
    void check_scene(const lanecull::Batch& batch) const {
        lanecull::Scene scene;
        std::vector<lanecull::Handle> handles(objects_.size());
        for (std::size_t first = 0; first < objects_.size(); first += setting_.cluster) {
            const std::span part = objects_.subspan(first, std::min(setting_.cluster, objects_.size() - first));
            HeapMemory memory;
            const lanecull::Batch some = make_batch(kind_, part, setting_.hulls, memory, {.streams = streams()});
            if (!scene.add({&some, 1}, std::span(handles).subspan(first, part.size())))
                throw std::runtime_error("no scene");
        }
        scene.refit();
        std::vector<lanecull::Occluder> occluders = occluders_;
        std::vector<lanecull::Owner> owners = owners_;
        for (std::size_t k = 0; k < occluders.size(); ++k) {
            owners[k].object = handles[owners[k].object];
            if (!occluders[k].owners.empty()) occluders[k].owners = {&owners[k], 1};
        }
        for (const Verdicts& flat : answers_) {
            std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
            std::vector<std::uint32_t> hidden(occluders.size());
            std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
            lanecull::SceneOutput own;
            lanecull::Explanation why;
            lanecull::Output output{
                .visible = words, .occluders = occluders, .hidden_counts = hidden, .scene = &own, .explanation = &why};
            const lanecull::Status status = lanecull::cull(scene, {&setting_.view, 1}, {&output, 1}, scratch,
                                                           {.method = flat.method, .isa = flat.isa});
            if (!status) throw std::runtime_error(status.message());
            trial_.at(Tally::verdicts) += batch.count();
            trial_.at(Tally::culled_occluded) += own.hidden_objects + why.counts[Reason::culled_occluded];
            trial_.at(Tally::cases) += 1 + (objects_.size() - 1) / setting_.cluster;
            trial_.at(Tally::reached) += own.hidden_blocks;
            if (std::accumulate(hidden.begin(), hidden.end(), std::uint64_t{0}) !=
                    own.hidden_objects + why.counts[Reason::culled_occluded] ||
                output.visible_count + own.outside_objects + own.hidden_objects + why.counts.culled() !=
                    objects_.size()) {
                fail(Tally::untold, 0, flat, "a scene's counts do not add up");
            }
            for (std::size_t i = 0; i < objects_.size() && !trial_.stopped(); ++i) {
                std::uint32_t slot = 0;
                if (!scene.slot_of(handles[i], slot)) throw std::runtime_error("an object has no slot");
                const bool visible = (words[slot / 64] >> slot % 64 & 1) != 0;
                if (visible != flat.visible(i)) fail(Tally::untold, i, flat, "a scene judges otherwise than the batch");
            }
        }
    }

    [[nodiscard]] bool is_hidden_by(std::size_t i, std::size_t k) {
        if (estimates_[k].contains(solid_of(kind_, objects_[i], setting_.hulls))) return true;
        ++trial_.at(Tally::exact_checks);
        return exact::contain(setting_.hidden[k], exact_solid_of(kind_, objects_[i], setting_.hulls));
    }

    /// What the solids hide by segments alone, and what they should have hidden.
    void ask_oracle(std::size_t i) {
        const exact::Solid solid = exact_solid_of(kind_, objects_[i], setting_.hulls);
        ++trial_.at(Tally::oracle_objects);
        std::uint64_t seen_past = 0;
        for (std::size_t k = 0; k < setting_.solids.size(); ++k) {
            const bool all = std::all_of(solid.points.begin(), solid.points.end(), [&](const exact::Point& p) {
                return is_hidden(p, setting_.from.sight, setting_.solids[k].facets);
            });
            if (!all) seen_past |= std::uint64_t{1} << k;
            if (solid.radius == 0 && solid.ovals.empty() && all != exact::contain(setting_.hidden[k], solid)) {
                fail(Tally::false_culls, i, answers_.front(), "half-spaces and segments disagree");
            }
        }
        if (seen_past == (std::uint64_t{1} << setting_.solids.size()) - 1) ++trial_.at(Tally::oracle_visible);
        for (const Verdicts& answer : answers_) {
            const lanecull::Certificate& c = answer.certificates[i];
            if (c.reason == Reason::culled_occluded && (seen_past >> c.occluder & 1) != 0) {
                fail(Tally::false_culls, i, answer, "seen past the solid, yet culled");
            }
        }
        grow_hidden(i, solid);
    }

    void grow_hidden(std::size_t i, const exact::Solid& solid) const {
        if ((objects_[i].flags & lanecull::object_always_visible) != 0) return;  // kept whatever hides it
        const float(&origin)[3] = contents_of(setting_.from.viewpoint).origin;
        const double size = largest_coordinate(solid, origin);
        const Verdicts& widest = answers_[answers_.size() - std::size(all_methods)];  // automatic, widest set
        for (const ApartLevel& level : apart_levels) {
            const exact::Rational grown = exact::rational(std::ldexp(size, level.exponent));
            bool hidden = false;
            for (std::size_t k = 0; k < setting_.well_hidden.size(); ++k) {
                hidden = hidden || ((undrawn_ >> k & 1) == 0 && exact::contain(setting_.well_hidden[k], solid, grown));
            }
            if (!hidden) return;
            ++trial_.at(level.apart);
            if (widest.visible(i)) ++trial_.at(level.kept);
        }
    }

    const HidingSetting& setting_;
    Trial& trial_;
    std::vector<HiddenEstimate> estimates_;

    Kind kind_ = Kind::sphere;
    std::span<const Object> objects_;
    std::vector<Verdicts> answers_;
    std::vector<lanecull::Occluder> occluders_;  ///< the setting's, with owners
    std::vector<lanecull::Owner> owners_;
    std::uint64_t undrawn_ = 0;          ///< bit k: what draws solid k is disabled
    std::vector<std::uint64_t> proved_;  ///< [object]: bit k: proved to be hidden by solid k
};

}  // namespace

void run_setting(const HidingSetting& setting, Trial& trial) { HidingTrial(setting, trial).run(); }

}  // namespace properties
