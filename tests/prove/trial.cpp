#include "prove/trial.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <lanecull/cull.hpp>

#include "prove/checker.hpp"
#include "prove/figures.hpp"
#include "prove/verdicts.hpp"
#include "support/generate.hpp"

namespace prove {
namespace {

using lanecull::Certificate;
using lanecull::Isa;
using lanecull::Method;
using lanecull::Reason;

constexpr Method methods[] = {Method::automatic, Method::planes, Method::gjk};

class Trial {
public:
    Trial(const Setting& setting, const Plan& plan, std::string label, Tally& tally, std::vector<std::string>& failures)
        : setting_(setting),
          plan_(plan),
          label_(std::move(label)),
          tally_(tally),
          failures_(failures),
          checker_(setting.volume, setting.view) {}

    void run(Random& random) {
        at(Tally::views) = 1;
        at(Tally::views_planes_only) = told_by_planes();
        if (!checker_.view_contains_volume()) {
            ++at(Tally::views_small);
            failures_.push_back(label_ + ": the view does not contain its volume\n  view " + setting_.text);
        }
        for (const Kind kind : all_kinds) {
            kind_ = kind;
            objects_ = setting_.objects[static_cast<std::size_t>(kind)];
            HeapMemory memory;
            const bool bounds = !setting_.invalid && random.chance(0.5);
            const lanecull::Batch batch =
                make_batch(kind, objects_, setting_.hulls, memory,
                           {.bounds = bounds, .streams = {.margin = setting_.grown, .sweep = setting_.grown}});
            cull_all(batch);
            check_certificates();
            if (stopped()) break;
            compare();
            if (!setting_.invalid) ask_oracle(random);
        }
        at(Tally::exact_checks) = checker_.exact_checks();
    }

private:
    std::uint64_t& at(Tally::Count count) { return tally_.count[count]; }

    [[nodiscard]] bool stopped() const { return plan_.stop_at_failure && tally_.failures() > 0; }

    [[nodiscard]] bool told_by_planes() const {
        return setting_.view.contents().volume == lanecull::VolumeKind::planes_only;
    }

    void fail(Tally::Count count, std::size_t object, const Verdicts& verdicts, const char* what) {
        constexpr std::size_t most = 5;
        ++at(count);
        if (failures_.size() >= most) return;
        failures_.push_back(label_ + ": " + what + ", object " + std::to_string(object) + " by " +
                            lanecull::isa_name(verdicts.isa) + " method " +
                            std::to_string(static_cast<int>(verdicts.method)) + "\n  view " + setting_.text +
                            "\n  object " + describe(kind_, objects_[object], setting_.hulls));
    }

    void cull_all(const lanecull::Batch& batch) {
        all_.clear();
        for (const Isa isa : plan_.isas) {
            for (const Method method : methods) {
                const Verdicts& v = all_.emplace_back(verdicts_of(batch, setting_.view, isa, method));
                at(Tally::verdicts) += objects_.size();
                at(Tally::culled_plane) += v.statistics.culled_plane;
                at(Tally::culled_gjk) += v.statistics.culled_gjk;
                if (!v.same_statistics) fail(Tally::untold, 0, v, "statistics differ when traced");
                for (const std::size_t i : v.contradicted) fail(Tally::untold, i, v, "verdict and certificate differ");
            }
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
        std::vector<char> behind_plane(objects_.size(), 0);  // proved once is proved for all sets
        for (const Verdicts& v : all_) {
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                const Certificate& certificate = v.certificates[i];
                if (!is_culled(certificate.reason)) continue;
                const bool by_plane = certificate.reason == Reason::culled_plane;
                if (by_plane && behind_plane[i] != 0) continue;
                if (!checker_.proves(certificate, kind_, objects_[i], setting_.hulls)) {
                    fail(Tally::unproved, i, v, by_plane ? "behind no plane" : "the direction does not separate");
                    if (stopped()) return;
                } else if (by_plane) {
                    behind_plane[i] = 1;
                }
            }
        }
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
        const lanecull::Frame& frame = setting_.view.contents().frame;
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
    [[nodiscard]] double magnitude(const Object& object) const {
        const float* f = object.fields.data();
        const lanecull::Frame& frame = setting_.view.contents().frame;
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
        const double grown = norm(object.sweep.data()) + size(object.margin) + size(setting_.view.contents().margin);
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
            case Kind::hull: {
                double sum = grown + place(f + 3, 4);
                for (std::size_t k = 0; k < 3; ++k) {
                    float largest = 0;
                    for (const auto& v : setting_.hulls[object.hull]) largest = std::max(largest, std::fabs(v[k]));
                    sum += norm(f + k, 4) * size(largest);
                }
                return sum;
            }
        }
        return grown;
    }

    /// What proofs by GJK ask for, about: K u G |v|_1 / |v|, of the object and of the volume where it is cut
    /// (kernels/PROOF.md).
    [[nodiscard]] double bound(const Object& own, const exact::Solid& solid) const {
        constexpr double roundings = 24;
        const lanecull::PreparedView& view = setting_.view.contents();
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
               (roundings * 0x1p-24 * (magnitude(own) + volume) + static_cast<double>(view.apex_error));
    }

    void ask_oracle(Random& random) {
        for (std::size_t n = 0; n < plan_.oracle_objects; ++n) {
            const auto i = static_cast<std::size_t>(random.below(static_cast<int>(objects_.size())));
            const exact::Solid solid = exact_solid_of(kind_, objects_[i], setting_.hulls);
            ++at(Tally::oracle_objects);
            if (decide(solid, setting_.volume).verdict == exact::Verdict::visible) {
                ++at(Tally::oracle_visible);
                for (const Verdicts& v : all_) {
                    if (!v.visible(i)) fail(Tally::false_culls, i, v, "visible, yet culled");
                }
                continue;
            }
            grow_apart(i, solid);
        }
    }

    void grow_apart(std::size_t i, const exact::Solid& solid) {
        struct Level {
            int exponent;
            Tally::Count apart, kept;
        };
        constexpr Level levels[] = {{-22, Tally::apart_22, Tally::kept_22},
                                    {-18, Tally::apart_18, Tally::kept_18},
                                    {-14, Tally::apart_14, Tally::kept_14}};
        const double size = seen(solid).largest;
        const Verdicts& widest =
            *std::find_if(all_.rbegin(), all_.rend(), [](const Verdicts& v) { return v.method == Method::automatic; });
        for (const Level& level : levels) {
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
    const Plan& plan_;
    std::string label_;
    Tally& tally_;
    std::vector<std::string>& failures_;
    Checker checker_;

    Kind kind_ = Kind::sphere;
    std::span<const Object> objects_;
    std::vector<Verdicts> all_;
};

}  // namespace

std::uint64_t Tally::failures() const {
    return count[views_small] + count[unproved] + count[untold] + count[invalid_told] + count[false_culls];
}

Tally& Tally::operator+=(const Tally& other) {
    for (std::size_t k = 0; k < count.size(); ++k) count[k] += other.count[k];
    return *this;
}

const char* Tally::name(int count) {
    constexpr const char* names[] = {"views",          "views_refused",    "views_planes_only", "views_small",
                                     "verdicts",       "culled_plane",     "culled_gjk",        "exact_checks",
                                     "unproved",       "untold",           "invalid_told",      "oracle_objects",
                                     "oracle_visible", "false_culls",      "apart_14",          "apart_18",
                                     "apart_22",       "kept_14",          "kept_18",           "kept_22",
                                     "kept_14_planes", "kept_14_touching", "kept_14_cap",       "pairs",
                                     "differing",      "differing_asked",  "differing_far",     "differing_explained"};
    static_assert(std::size(names) == counts);
    return names[count];
}

std::uint64_t seed_of(const Family& family, std::uint64_t seed, std::uint64_t index) {
    Random mix(seed + 0x100000001b3u * index);
    std::uint64_t result = mix.bits();
    for (const char* c = family.name; *c != 0; ++c) result = (result ^ static_cast<unsigned char>(*c)) * 0x100000001b3u;
    return result;
}

Tally run_trial(const Family& family, std::uint64_t seed, std::uint64_t index, const Plan& plan,
                std::vector<std::string>& failures) {
    Tally tally;
    Random random(seed_of(family, seed, index));
    const std::string label =
        std::string(family.name) + " seed " + std::to_string(seed) + " trial " + std::to_string(index);
    const auto run = [&](const auto& setting, const auto& run_setting) {
        if (setting) {
            run_setting(*setting);
        } else {
            tally.count[Tally::views_refused] = 1;
        }
    };
    if (family.make_figures != nullptr) {
        run(family.make_figures(random, plan.objects),
            [&](const FigureSetting& setting) { run_figures(setting, plan, label, random, tally, failures); });
    } else {
        run(family.make(random, plan.objects),
            [&](const Setting& setting) { Trial(setting, plan, label, tally, failures).run(random); });
    }
    return tally;
}

}  // namespace prove
