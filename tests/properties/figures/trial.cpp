#include <algorithm>
#include <cmath>
#include <span>

#include "flat/prepared_view.hpp"
#include "oracle/exact.hpp"
#include "oracle/oracle.hpp"
#include "properties/candidates.hpp"
#include "properties/figures/figures.hpp"
#include "properties/verdicts.hpp"

namespace properties {
namespace {

using namespace flat_tests;
using exact::Point;
using exact::rational;
using exact::Rational;
using flat_tests::all_kinds;
using flat_tests::Kind;
using flat_tests::Object;
using lanecull::Certificate;
using lanecull::Method;
using lanecull::Reason;

constexpr Method methods[] = {Method::automatic, Method::planes};

/// Whether the numbers make a shape.
bool is_figure(Kind kind, const Object& object) {
    const auto& f = object.fields;
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        if (!std::isfinite(f[k]) || (is_size(kind, k) && f[k] < 0)) return false;
    }
    return kind != Kind::box || (f[0] <= f[2] && f[1] <= f[3]);
}

bool all_moderate(std::span<const float> numbers) {
    return std::ranges::all_of(numbers, [](float number) { return moderate(static_cast<double>(number)); });
}

class FigureTrial {
public:
    FigureTrial(const FigureSetting& setting, Trial& trial) : setting_(setting), trial_(trial) {
        const std::vector<Point>& corners = setting.view.corners;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            corners_.push_back(exact::to_double(corners[k]));
            const Point edge = corners[(k + 1) % corners.size()] - corners[k], inward{-edge.y, edge.x, 0};
            edges_.push_back({inward, -dot(inward, corners[k])});
        }
        const lanecull::flat::Polygon& polygon = setting.polygon;
        is_exact_ = !setting.moderate_alone ||
                    (std::ranges::all_of(corners_, [](const auto& c) { return moderate(c.x) && moderate(c.y); }) &&
                     all_moderate({polygon.x, polygon.count}) && all_moderate({polygon.y, polygon.count}));
    }

    void run() {
        at(Tally::trials) = 1;
        for (const Kind kind : all_kinds) {
            kind_ = kind;
            objects_ = setting_.objects[static_cast<std::size_t>(kind)];
            HeapMemory memory;
            const lanecull::flat::Batch batch = make_batch(kind, objects_, setting_.polygon, memory);
            all_ = all_verdicts_of(batch, setting_.view.view, methods, trial_,
                                   [this](const auto&... what) { fail(what...); });
            check_certificates();
            if (trial_.stopped()) return;
            compare_methods();
            check_inside(batch);
            count_differing();
            for (std::size_t n = 0; n < trial_.plan.oracle_objects; ++n) {
                const auto i = static_cast<std::size_t>(trial_.random.below(static_cast<int>(objects_.size())));
                if (!is_figure(kind_, objects_[i]) || !has_exact(i)) continue;
                ask_oracle(i);
                cull_alone(i);
            }
        }
    }

private:
    std::uint64_t& at(Tally::Count count) { return trial_.at(count); }

    void fail(Tally::Count count, std::size_t object, const Verdicts& verdicts, const char* what) {
        trial_.fail(count,
                    std::string(what) + ", by " + lanecull::isa_name(verdicts.isa) + " method " +
                        std::to_string(static_cast<int>(verdicts.method)),
                    [&] { return "view " + setting_.view.text + "\n  object " + describe(kind_, objects_[object]); });
    }

    [[nodiscard]] exact::Solid figure(std::size_t i) const {
        return figure_of<Rational>(kind_, objects_[i], setting_.polygon);
    }
    /// Whether rationals are to decide this object.
    [[nodiscard]] bool has_exact(std::size_t i) const {
        return is_exact_ &&
               (!setting_.moderate_alone || all_moderate(std::span(objects_[i].fields).first(field_count(kind_))));
    }

    void check_certificates() {
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            const bool is_none = !is_figure(kind_, objects_[i]);
            for (const Verdicts& v : all_) {
                const Certificate& certificate = v.certificates[i];
                if (is_none != (certificate.reason == Reason::visible_invalid)) {
                    if (is_none) fail(Tally::invalid_told, i, v, "a number is none, yet taken for one");
                    if (is_small(i)) fail(Tally::untold, i, v, "a shape is taken for none");
                } else if (is_culled(certificate.reason) && !proves(certificate, i)) {
                    fail(Tally::unproved, i, v, "the direction does not separate");
                }
                if (trial_.stopped()) return;
            }
        }
    }

    /// Whether no sum of its products is near 10^37, beyond which a shape may count as none.
    [[nodiscard]] bool is_small(std::size_t i) const {
        const auto is_small_number = [](float number) { return std::fabs(number) < 1e17f; };
        return std::ranges::all_of(std::span(objects_[i].fields).first(field_count(kind_)), is_small_number) &&
               (kind_ != Kind::polygon || is_small_number(setting_.polygon.magnitude));
    }

    /// In long doubles with a bound on rounding, else exactly.
    [[nodiscard]] bool proves(const Certificate& certificate, std::size_t i) {
        const double x = certificate.direction[0], y = certificate.direction[1];
        const auto rounded = figure_of<oracle::Terms>(kind_, objects_[i], setting_.polygon);
        oracle::Real highest = -HUGE_VALL, lowest = HUGE_VALL, magnitude = 0;
        for (const auto& p : rounded.points) {
            highest = std::max(highest, x * p.x.value + y * p.y.value);
            magnitude = std::max(magnitude, std::fabs(x) * p.x.size + std::fabs(y) * p.y.size);
        }
        const oracle::Real reach = rounded.radius.value * std::hypot(x, y);
        for (const exact::Vec<double>& corner : corners_) {
            lowest = std::fmin(lowest, oracle::Real(x) * corner.x + oracle::Real(y) * corner.y);
            magnitude = std::max<oracle::Real>(magnitude, std::fabs(x * corner.x) + std::fabs(y * corner.y));
        }
        if (highest + reach < lowest - 0x1p-48L * (magnitude + reach) || !has_exact(i)) return true;
        ++at(Tally::exact_checks);
        const Point w = exact::point(x, y, 0);
        const auto along = [&](const Point& p) -> Rational { return dot(w, p); };
        const exact::Solid object = figure(i);
        const Rational gap = along(std::ranges::min(setting_.view.corners, {}, along)) -
                             along(std::ranges::max(object.points, {}, along));
        return gap > 0 && gap * gap > object.radius * object.radius * dot(w, w);
    }

    /// The view's edges alone prove nothing more, and proofs by them are told as such.
    void compare_methods() {
        for (std::size_t v = 0; v < all_.size(); v += std::size(methods)) {
            const Verdicts &automatic = all_[v], &planes = all_[v + 1];
            if (planes.counts[Reason::culled_gjk] != 0) fail(Tally::untold, 0, planes, "culled by another direction");
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                if (automatic.visible(i) && !planes.visible(i)) {
                    fail(Tally::untold, i, automatic, "kept, though planes cull it");
                }
            }
        }
    }

    /// The first few that are told to be inside are.
    void check_inside(const lanecull::flat::Batch& batch) {
        for (std::size_t v = 0; v < all_.size(); v += std::size(methods)) {
            const CandidateAnswer plain(std::span(&batch, 1), setting_.view.view, {}, {.isa = all_[v].isa}, false);
            if (plain.visible != all_[v].words) fail(Tally::untold, 0, all_[v], "verdicts differ with `inside`");
            std::size_t seen = 0;
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                at(Tally::cases) += all_[v].visible(i);
                if ((plain.inside[i / 64] >> i % 64 & 1) == 0) continue;
                ++at(Tally::reached);
                if (!all_[v].visible(i) || !is_figure(kind_, objects_[i])) {
                    fail(Tally::untold, i, all_[v], "inside, yet culled or no shape");
                } else if (has_exact(i) && seen++ < trial_.plan.oracle_objects) {
                    const bool is_inside = exact::contain(edges_, figure(i));
                    if (!is_inside) fail(Tally::unproved, i, all_[v], "not inside");
                }
            }
        }
    }

    /// Between sets.
    void count_differing() {
        at(Tally::pairs) += objects_.size();
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            const auto differs = [&](const Verdicts& v) {
                return v.method == Method::automatic && v.visible(i) != all_.front().visible(i);
            };
            at(Tally::differing) += std::any_of(all_.begin(), all_.end(), differs);
        }
    }

    void ask_oracle(std::size_t i) {
        const exact::Solid asked = figure(i);
        const exact::Volume volume = exact::Volume::hull(setting_.view.corners);
        const auto is_within = [&](const Rational& distance) {
            return exact::decide(asked, volume, distance).verdict == exact::Verdict::visible;
        };
        ++at(Tally::oracle_objects);
        const bool shares_a_point = is_within(0);
        at(Tally::oracle_visible) += shares_a_point;
        const double four_bounds = tolerance(kind_, objects_[i], setting_.view, setting_.polygon);
        const bool is_decided_exactly = kind_ == Kind::box && setting_.view.kind == ViewKind::rectangle;
        const bool is_close = is_decided_exactly ? shares_a_point : is_within(rational(four_bounds));
        for (const Verdicts& v : all_) {
            if (v.visible(i)) {
                const bool finds_all = v.method == Method::automatic || is_decided_exactly;
                if (finds_all && !is_close) fail(Tally::untold, i, v, "kept for nothing");
                continue;
            }
            if (shares_a_point) fail(Tally::false_culls, i, v, "visible, yet culled");
            const double gap = static_cast<double>(v.certificates[i].gap);
            if (gap > 0 && is_within(rational(gap * (1 - 0x1p-50)))) fail(Tally::unproved, i, v, "nearer than its gap");
        }
        if (shares_a_point) return;
        // Four bounds are less than 2^-18 of the coordinates involved (tests/flat/figures.cpp).
        const double bound = four_bounds / (4 * 9 * 0x1p-24);
        const Verdicts& widest =
            *std::find_if(all_.rbegin(), all_.rend(), [](const Verdicts& v) { return v.method == Method::automatic; });
        for (const ApartLevel& level : apart_levels) {
            if (is_within(rational(std::ldexp(bound, level.exponent)))) return;
            ++at(level.apart);
            at(level.kept) += widest.visible(i);
        }
    }

    /// Other objects of its batch, which may be none, have no effect on it.
    void cull_alone(std::size_t i) {
        HeapMemory memory;
        const lanecull::flat::Batch alone = make_batch(kind_, {objects_[i]}, setting_.polygon, memory);
        for (const Verdicts& v : all_) {
            const CandidateAnswer answer(std::span(&alone, 1), setting_.view.view, {},
                                         {.method = v.method, .isa = v.isa}, false);
            if ((answer.visible[0] != 0) != v.visible(i)) fail(Tally::untold, i, v, "judged otherwise alone");
        }
    }

    const FigureSetting& setting_;
    Trial& trial_;
    std::vector<exact::Vec<double>> corners_;
    exact::HalfSpaces edges_;
    bool is_exact_ = true;  ///< rationals decide

    Kind kind_ = Kind::circle;
    std::vector<Object> objects_;
    std::vector<Verdicts> all_;
};

}  // namespace

void run_setting(const FigureSetting& setting, Trial& trial) {
    const lanecull::flat::PreparedView& view = contents_of(setting.view.view);
    if (view.vertex_count > lanecull::flat::PreparedView::max_edges) {
        return trial.fail(Tally::unproved, "more corners than there is room for", [&] { return setting.view.text; });
    }
    FigureTrial(setting, trial).run();
}

}  // namespace properties
