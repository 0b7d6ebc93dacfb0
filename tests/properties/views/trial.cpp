#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lanecull/cull.h>

#include "cull/kernel_work.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/checker.hpp"
#include "properties/views/setting.hpp"
#include "support/generate.hpp"

namespace properties {
namespace {

using lanecull::Certificate;
using lanecull::Isa;
using lanecull::Method;
using lanecull::Reason;

constexpr Method methods[] = {Method::automatic, Method::planes, lanecull::gjk_alone};

class SettingTrial {
public:
    SettingTrial(const Setting& setting, Trial& trial)
        : setting_(setting), trial_(trial), checker_(setting.volume, setting.view) {}

    void run() {
        at(Tally::trials) = 1;
        at(Tally::views_planes_only) = told_by_planes();
        if (!checker_.view_contains_volume()) {
            trial_.fail(Tally::views_small, "the view does not contain its volume",
                        [&] { return "view " + setting_.text; });
        }
        for (const Kind kind : all_kinds) {
            kind_ = kind;
            objects_ = setting_.objects[static_cast<std::size_t>(kind)];
            HeapMemory memory;
            const bool bounds = !setting_.invalid && trial_.random.chance(0.5);
            const lanecull::Batch batch =
                make_batch(kind, objects_, setting_.hulls, memory,
                           {.bounds = bounds, .streams = {.margin = setting_.grown, .sweep = setting_.grown}});
            all_ =
                all_verdicts_of(batch, setting_.view, methods, trial_, [this](const auto&... what) { fail(what...); });
            count_too_close();
            check_certificates();
            if (trial_.stopped()) break;
            compare();
            if (!setting_.invalid) ask_oracle();
        }
        at(Tally::exact_checks) = checker_.exact_checks();
    }

private:
    std::uint64_t& at(Tally::Count count) { return trial_.at(count); }

    [[nodiscard]] bool told_by_planes() const {
        return contents_of(setting_.view).volume == lanecull::VolumeKind::planes_only && !setting_.view.sees_nothing();
    }

    void fail(Tally::Count count, std::size_t object, const Verdicts& verdicts, const char* what) {
        trial_.fail(
            count,
            std::string(what) + ", object " + std::to_string(object) + " by " + lanecull::isa_name(verdicts.isa) +
                " method " + std::to_string(static_cast<int>(verdicts.method)),
            [&] {
                return "view " + setting_.text + "\n  object " + describe(kind_, objects_[object], setting_.hulls);
            });
    }

    /// Of what GJK alone decides: objects that are too close to the volume to tell.
    void count_too_close() {
        for (const Verdicts& v : all_) {
            if (v.method != lanecull::gjk_alone) continue;
            at(Tally::cases) += objects_.size();
            at(Tally::reached) += v.counts[Reason::visible_touching] + v.counts[Reason::visible_cap];
        }
    }

    void check_certificates() {
        for (const Verdicts& v : all_) {
            for (std::size_t i = 0; setting_.invalid && i < objects_.size(); ++i) {
                if (v.certificates[i].reason != Reason::visible_invalid)
                    fail(Tally::invalid_told, i, v, "a number is none, yet taken for one");
            }
        }
        if (setting_.invalid) return;
        // Proved once is proved for all sets.
        std::vector<char> behind_plane(objects_.size(), 0), beyond_reach(objects_.size(), 0);
        for (const Verdicts& v : all_) {
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                const Certificate& certificate = v.certificates[i];
                if (!is_culled(certificate.reason) || is_dark()) continue;
                if (certificate.reason == Reason::culled_distance) {
                    if (beyond_reach[i] == 0 && !is_beyond_reach(i)) fail(Tally::unproved, i, v, "within the range");
                    beyond_reach[i] = 1;
                    continue;
                }
                const bool by_plane = certificate.reason == Reason::culled_plane;
                if (by_plane && behind_plane[i] != 0) continue;
                if (!checker_.proves(certificate, kind_, objects_[i], setting_.hulls)) {
                    fail(Tally::unproved, i, v, by_plane ? "behind no plane" : "the direction does not separate");
                    if (trial_.stopped()) return;
                } else if (by_plane) {
                    behind_plane[i] = 1;
                }
            }
        }
    }

    [[nodiscard]] bool is_dark() const { return setting_.reach && setting_.reach->is_dark; }
    [[nodiscard]] bool is_beyond_reach(std::size_t i) const {
        return setting_.reach && setting_.reach->excludes(exact_solid_of(kind_, objects_[i], setting_.hulls));
    }

    /// Between sets, and between the automatic method and GJK.
    void compare() {
        at(Tally::pairs) += objects_.size();
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            const Verdicts* culled = nullptr;
            const Verdicts* kept = nullptr;
            for (const Verdicts& v : all_) {
                if (v.method != Method::planes) (v.visible(i) ? kept : culled) = &v;
            }
            if (culled == nullptr || kept == nullptr) continue;
            // One in four is asked how far it is apart: rationals take their time.
            if (at(Tally::differing)++ % 4 != 0) continue;
            ++at(Tally::differing_asked);
            const exact::Solid solid = exact_solid_of(kind_, objects_[i], setting_.hulls);
            const exact::Rational far = exact::rational(4 * bound(objects_[i], solid));
            if (decide(solid, setting_.volume, far).verdict != exact::Verdict::apart) continue;
            ++at(Tally::differing_far);
            const Reason reason = kept->certificates[i].reason;
            at(Tally::differing_explained) += reason == Reason::visible_cap || reason == Reason::visible_touching;
        }
    }

    /// What the object is in the view's coordinates.
    struct Seen {
        double largest;  ///< |coordinate|, world axes, its radius included
        double depth;    ///< the greatest
    };
    [[nodiscard]] Seen seen(const exact::Solid& solid) const {
        const lanecull::Frame& frame = contents_of(setting_.view).frame;
        Seen s{0, -HUGE_VAL};
        for (const exact::Point& p : solid.points) {
            const auto world = exact::to_double(p);
            const double coordinates[] = {world.x, world.y, world.z};
            double depth = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const double q =
                    coordinates[k] - static_cast<double>(frame.origin_hi[k]) - static_cast<double>(frame.origin_lo[k]);
                s.largest = std::max(s.largest, std::fabs(q));
                depth += q * static_cast<double>(frame.rotation[6 + k]);
            }
            s.depth = std::max(s.depth, depth);
        }
        const double radius = exact::to_double({solid.radius, 0, 0}).x;
        return {s.largest + radius, s.depth + radius};
    }

    /// The object's part of G (kernels/PROOF.md), about: the one-norms of the numbers that make its support points.
    /// It is no more than a multiple of its largest coordinate that is seen, wherever the points of a hull or a local
    /// box are.
    [[nodiscard]] double magnitude(const Object& object, double seen_largest) const {
        const float* f = object.fields.data();
        const lanecull::Frame& frame = contents_of(setting_.view).frame;
        const auto norm = [](const float* v, std::size_t stride = 1) {
            return static_cast<double>(std::fabs(v[0]) + std::fabs(v[stride]) + std::fabs(v[2 * stride]));
        };
        const auto place = [&](const float* p, std::size_t stride = 1) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                sum += std::fabs(static_cast<double>(p[k * stride]) - static_cast<double>(frame.origin_hi[k]));
            }
            return sum;
        };
        const auto half = [&](const float* a, const float* b, double sign) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto from = [&](const float* p) {
                    return static_cast<double>(p[k]) - static_cast<double>(frame.origin_hi[k]);
                };
                sum += std::fabs(from(b) + sign * from(a)) / 2;
            }
            return sum;
        };
        const auto size = [](float number) { return static_cast<double>(number); };
        const double grown = norm(object.sweep.data()) + size(object.margin) + size(contents_of(setting_.view).margin);
        switch (kind_) {
            case Kind::sphere:
                return grown + place(f) + size(f[3]);
            case Kind::box:
                return grown + place(f) + place(f + 3);
            case Kind::centered_box:
                return grown + place(f) + norm(f + 3);
            case Kind::oriented_box:
                return grown + place(f) + size(f[12]) * norm(f + 3) + size(f[13]) * norm(f + 6) +
                       size(f[14]) * norm(f + 9);
            case Kind::capsule:
                return grown + half(f, f + 3, 1) + half(f, f + 3, -1) + size(f[6]);
            case Kind::quaternion_box:
                return grown + place(f) + 2.5 * norm(f + 7);
            case Kind::hull:
            case Kind::box_instance: {
                double sum = grown + place(f + 3, 4);
                for (std::size_t k = 0; k < 3; ++k) {
                    float largest = 0;
                    for (const auto& v : local_points(kind_, object, setting_.hulls))
                        largest = std::max(largest, std::fabs(v[k]));
                    sum += norm(f + k, 4) * size(largest);
                }
                return std::min(sum, grown + 5 * 3 * seen_largest);
            }
        }
        return grown;
    }

    /// What proofs by GJK ask for, about: K u G |v|_1 / |v|, of the object and of the volume where it is cut
    /// (kernels/PROOF.md).
    [[nodiscard]] double bound(const Object& own, const exact::Solid& solid) const {
        constexpr double roundings = 24;
        const lanecull::PreparedView& view = contents_of(setting_.view);
        const Seen object = seen(solid);
        const double depth = std::max(object.depth, static_cast<double>(view.z_range[0]));
        double volume = object.largest;
        if (view.volume == lanecull::VolumeKind::polytope) {
            const double way = std::max(object.depth - static_cast<double>(view.near_depth), 0.0);
            const double share =
                view.far_is_rays != 0 ? way : std::min(way * static_cast<double>(view.depth_inverse), 1.0);
            volume = static_cast<double>(view.near_magnitude) + share * static_cast<double>(view.far_magnitude);
            const double limit = static_cast<double>(view.sweep_limit);
            const double swept =
                view.sweep_inverse > 0 ? std::min(way * static_cast<double>(view.sweep_inverse), limit) : limit;
            volume += swept * static_cast<double>(view.sweep_magnitude);
        } else if (view.volume == lanecull::VolumeKind::edge_frustum) {
            // Cut by a plane that is parallel to the far one, where the object is nearer than all of that.
            const auto [first, last] = std::minmax_element(std::begin(view.edge_far), std::end(view.edge_far));
            const double share = std::min(object.depth / static_cast<double>(*first), 1.0);
            const double exit = std::isinf(view.z_range[1]) ? depth : share * static_cast<double>(*last);
            volume = std::max(exit, depth) * static_cast<double>(view.slope_magnitude);
        } else if (view.volume != lanecull::VolumeKind::box) {
            volume = depth * static_cast<double>(view.slope_magnitude);
        }
        return std::sqrt(3.0) *
               (roundings * 0x1p-24 * (magnitude(own, object.largest) + volume) + static_cast<double>(view.apex_error));
    }

    void ask_oracle() {
        for (std::size_t n = 0; n < trial_.plan.oracle_objects; ++n) {
            const auto i = static_cast<std::size_t>(trial_.random.below(static_cast<int>(objects_.size())));
            const exact::Solid solid = exact_solid_of(kind_, objects_[i], setting_.hulls);
            ++at(Tally::oracle_objects);
            if (decide(solid, setting_.volume).verdict == exact::Verdict::visible) {
                ++at(Tally::oracle_visible);
                for (const Verdicts& v : all_) {
                    const bool beyond = is_dark() || v.certificates[i].reason == Reason::culled_distance;
                    if (!v.visible(i) && !beyond) fail(Tally::false_culls, i, v, "visible, yet culled");
                }
                continue;
            }
            grow_apart(i, solid);
        }
    }

    /// What is apart and stays is apart by no more than some bounds, or GJK has said why.
    void expect_doubt(std::size_t i, const exact::Solid& solid, const Verdicts& kept) {
        const Reason reason = kept.certificates[i].reason;
        if (told_by_planes() || reason == Reason::visible_cap || reason == Reason::visible_touching) return;
        const exact::Rational far = exact::rational(4 * bound(objects_[i], solid));
        if (decide(solid, setting_.volume, far).verdict != exact::Verdict::apart) return;
        fail(Tally::untold, i, kept, "apart by four bounds, yet kept");
    }

    void grow_apart(std::size_t i, const exact::Solid& solid) {
        const double size = seen(solid).largest;
        const Verdicts& widest =
            *std::find_if(all_.rbegin(), all_.rend(), [](const Verdicts& v) { return v.method == Method::automatic; });
        if (setting_.tells_by_place && has_transform(kind_) && widest.visible(i)) expect_doubt(i, solid, widest);
        for (const ApartLevel& level : apart_levels) {
            const exact::Rational grown = exact::rational(std::ldexp(size, level.exponent));
            if (decide(solid, setting_.volume, grown).verdict != exact::Verdict::apart) return;
            ++at(level.apart);
            if (!widest.visible(i)) continue;
            ++at(level.kept);
            if (level.exponent != -14) continue;
            const Reason reason = widest.certificates[i].reason;
            if (told_by_planes()) {
                ++at(Tally::kept_14_planes);
            } else if (reason == Reason::visible_cap) {
                ++at(Tally::kept_14_cap);
            } else if (reason == Reason::visible_touching) {
                ++at(Tally::kept_14_touching);
            }
        }
    }

    const Setting& setting_;
    Trial& trial_;
    Checker checker_;

    Kind kind_ = Kind::sphere;
    std::span<const Object> objects_;
    std::vector<Verdicts> all_;
};

}  // namespace

void run_setting(const Setting& setting, Trial& trial) { SettingTrial(setting, trial).run(); }

}  // namespace properties
