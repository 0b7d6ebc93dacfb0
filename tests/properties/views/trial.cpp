#include <algorithm>
#include <cmath>
#include <vector>

#include <lanecull/cull.h>

#include "cull/kernel_work.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/checker.hpp"
#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"
#include "support/generate.hpp"

namespace properties {
namespace {

using lanecull::Certificate;
using lanecull::Method;
using lanecull::Reason;

/// Whose distance from a point is found but for rounding; that of others is found of a ball or box around them.
bool is_measured(Kind kind) { return !has_transform(kind) && kind != Kind::oriented_box && kind != Kind::ellipsoid; }

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
            if (objects_.empty()) continue;
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(
                kind, objects_, setting_.hulls, memory,
                {.bounds = trial_.random.chance(0.5), .streams = {.margin = setting_.grown, .sweep = setting_.grown}});
            all_ = all_verdicts_of(batch, setting_.view, all_methods, trial_,
                                   [this](const auto&... what) { fail(what...); });
            count_too_close();
            check_certificates();
            if (trial_.stopped()) break;
            compare();
            ask_oracle();
        }
        at(Tally::exact_checks) = checker_.exact_checks();
    }

private:
    std::uint64_t& at(Tally::Count count) { return trial_.at(count); }

    [[nodiscard]] bool told_by_planes() const {
        return contents_of(setting_.view).volume == lanecull::VolumeKind::planes_only && !setting_.view.sees_nothing();
    }

    void fail(Tally::Count count, std::size_t object, const Verdicts& by, const char* what) {
        Complaint{trial_, [this] { return setting_.text; }, kind_, objects_, setting_.hulls}(count, object, by, what);
    }

    /// Of what GJK alone decides: objects that are too close to the volume to decide.
    void count_too_close() {
        for (const Verdicts& v : all_) {
            if (v.method != lanecull::gjk_alone) continue;
            at(Tally::cases) += objects_.size();
            at(Tally::reached) += v.counts[Reason::visible_touching] + v.counts[Reason::visible_cap];
        }
    }

    void check_certificates() {
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
            if (!setting_.is_apart(solid, far)) continue;
            ++at(Tally::differing_far);
            const Reason reason = kept->certificates[i].reason;
            at(Tally::differing_explained) += reason == Reason::visible_cap || reason == Reason::visible_touching;
        }
    }

    /// The object's greatest depth in the view.
    [[nodiscard]] double depth_of(const exact::Solid& solid) const {
        const lanecull::Frame& frame = contents_of(setting_.view).frame;
        double greatest = -HUGE_VAL;
        for (const exact::Point& p : solid.points) {
            const auto [x, y, z] = exact::to_double(p);
            const double world[] = {x, y, z};
            double depth = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                depth +=
                    (world[k] - static_cast<double>(frame.origin_hi[k]) - static_cast<double>(frame.origin_lo[k])) *
                    static_cast<double>(frame.rotation[6 + k]);
            }
            greatest = std::max(greatest, depth);
        }
        return greatest + exact::to_double({solid.radius, 0, 0}).x;
    }

    /// The object's part of G (kernels/cull/PROOF.md), about: the one-norms of the numbers that make its support
    /// points. That is no more than a multiple of its largest coordinate that is seen, wherever the points of a hull or
    /// a local box are.
    [[nodiscard]] double magnitude(const Object& object, double seen_largest) const {
        if (!has_transform(kind_)) return 2 * 3 * seen_largest;
        const Vertices points = local_points(kind_, object, setting_.hulls);
        const lanecull::PreparedView& view = contents_of(setting_.view);
        double sum = static_cast<double>(object.margin) + static_cast<double>(view.margin);
        for (std::size_t row = 0; row < 3; ++row) {
            const float* const matrix = object.fields.data() + 4 * row;
            sum += std::fabs(static_cast<double>(matrix[3]) - static_cast<double>(view.frame.origin_hi[row]));
            sum += static_cast<double>(std::fabs(object.sweep[row]));
            for (std::size_t k = 0; k < 3; ++k) {
                float largest = 0;
                for (const auto& v : points) largest = std::max(largest, std::fabs(v[k]));
                sum += static_cast<double>(std::fabs(matrix[k]) * largest);
            }
        }
        return std::min(sum, 5 * 3 * seen_largest);
    }

    /// What proofs by GJK need, about: K u G |v|_1 / |v|, of the object and of the volume where it is cut
    /// (kernels/cull/PROOF.md).
    [[nodiscard]] double bound(const Object& own, const exact::Solid& solid) const {
        constexpr double roundings = 24;
        const lanecull::PreparedView& view = contents_of(setting_.view);
        const double largest = largest_seen(setting_, solid), deepest = depth_of(solid);
        const double depth = std::max(deepest, static_cast<double>(view.z_range[0]));
        double volume = largest;
        if (view.volume == lanecull::VolumeKind::polytope) {
            const double way = std::max(deepest - static_cast<double>(view.near_depth), 0.0);
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
            const double share = std::min(deepest / static_cast<double>(*first), 1.0);
            const double exit = std::isinf(view.z_range[1]) ? depth : share * static_cast<double>(*last);
            volume = std::max(exit, depth) * static_cast<double>(view.slope_magnitude);
        } else if (view.volume != lanecull::VolumeKind::box) {
            volume = depth * static_cast<double>(view.slope_magnitude);
        }
        return std::sqrt(3.0) *
               (roundings * 0x1p-24 * (magnitude(own, largest) + volume) + static_cast<double>(view.apex_error));
    }

    void ask_oracle() {
        if (is_dark()) return;
        const double asked = setting_.oracle_share * static_cast<double>(trial_.plan.oracle_objects);
        for (int n = 0; n < std::ceil(asked); ++n) {
            const auto i = static_cast<std::size_t>(trial_.random.below(static_cast<int>(objects_.size())));
            const exact::Solid solid = exact_solid_of(kind_, objects_[i], setting_.hulls);
            ++at(Tally::oracle_objects);
            if (setting_.is_apart(solid)) {
                grow_apart(i, solid);
                continue;
            }
            ++at(Tally::oracle_visible);
            for (const Verdicts& v : all_) {
                if (!v.visible(i)) fail(Tally::false_culls, i, v, "visible, yet culled");
            }
        }
    }

    /// What is apart and stays is apart by no more than some bounds, or GJK has said why.
    void expect_doubt(std::size_t i, const exact::Solid& solid, const Verdicts& kept) {
        const Reason reason = kept.certificates[i].reason;
        if (told_by_planes() || reason == Reason::visible_cap || reason == Reason::visible_touching) return;
        const exact::Rational far = exact::rational(4 * bound(objects_[i], solid));
        if (!setting_.is_apart(solid, far)) return;
        fail(Tally::untold, i, kept, "apart by four bounds, yet kept");
    }

    void grow_apart(std::size_t i, const exact::Solid& solid) {
        const double size = largest_seen(setting_, solid);
        const Verdicts& widest =
            *std::find_if(all_.rbegin(), all_.rend(), [](const Verdicts& v) { return v.method == Method::automatic; });
        if (setting_.tells_by_place && has_transform(kind_) && widest.visible(i)) expect_doubt(i, solid, widest);
        for (const ApartLevel& level : apart_levels) {
            const exact::Rational grown = exact::rational(std::ldexp(size, level.exponent));
            if (!setting_.is_apart(solid, grown)) return;
            ++at(level.apart);
            if (!widest.visible(i)) continue;
            ++at(level.kept);
            if (level.exponent != -14) continue;
            if (is_measured(kind_) && setting_.reach && setting_.reach->excludes(solid, grown)) {
                fail(Tally::untold, i, widest, "well beyond the range, yet kept");
            }
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
