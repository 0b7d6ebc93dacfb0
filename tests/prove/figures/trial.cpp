#include <algorithm>
#include <cmath>

#include "flat/prepared_view.hpp"
#include "prove/figures/figures.hpp"
#include "prove/verdicts.hpp"

namespace prove {
namespace {

using namespace flat_tests;
using exact::rational;
using flat_tests::all_kinds;
using flat_tests::Kind;
using flat_tests::Object;
using lanecull::Certificate;
using lanecull::Method;
using lanecull::Reason;

constexpr Method methods[] = {Method::automatic, Method::planes};

/// Within `error` of the truth.
struct Estimate {
    double value = 0, error = 0;
};

/// The farthest that a figure reaches along w. A product of two floats passes at most a few of a double's roundings.
Estimate highest(double x, double y, Kind kind, const Object& object, const lanecull::flat::Polygon& polygon) {
    double f[6];
    std::copy(object.fields.begin(), object.fields.end(), f);
    double magnitude = 0;
    const auto along = [&](double px, double py) {
        magnitude += std::fabs(x * px) + std::fabs(y * py);
        return x * px + y * py;
    };
    const auto ball = [&](double radius) {
        magnitude += radius * std::hypot(x, y);
        return radius * std::hypot(x, y);
    };
    const auto estimate = [&](double value) { return Estimate{value, 0x1p-48 * magnitude}; };
    switch (kind) {
        case Kind::circle:
            return estimate(along(f[0], f[1]) + ball(f[2]));
        case Kind::box: {
            const double corners[] = {along(f[0], f[1]), along(f[2], f[1]), along(f[0], f[3]), along(f[2], f[3])};
            return estimate(*std::max_element(std::begin(corners), std::end(corners)));
        }
        case Kind::capsule:
            return estimate(std::fmax(along(f[0], f[1]), along(f[2], f[3])) + ball(f[4]));
        case Kind::oriented_box: {
            const double center = along(f[0], f[1]);
            return estimate(center + std::fabs(along(f[2] * f[4], f[3] * f[4])) +
                            std::fabs(along(-f[3] * f[5], f[2] * f[5])));
        }
        case Kind::polygon:
            break;
    }
    const double center = along(f[0], f[1]);
    double farthest = -HUGE_VAL;
    for (std::uint32_t k = 0; k < polygon.count; ++k) {
        const double px = static_cast<double>(polygon.x[k]), py = static_cast<double>(polygon.y[k]);
        farthest = std::fmax(farthest, along(f[2] * px, f[3] * px) + along(-f[3] * py, f[2] * py));
    }
    return estimate(center + farthest);
}

class FigureTrial {
public:
    FigureTrial(const FigureSetting& setting, Trial& trial) : setting_(setting), trial_(trial) {
        for (const flat_oracle::Point& corner : setting.view.figure.corners) {
            corners_.push_back({corner.x.convert_to<double>(), corner.y.convert_to<double>()});
        }
    }

    void run() {
        at(Tally::trials) = 1;
        for (const Kind kind : all_kinds) {
            kind_ = kind;
            objects_ = setting_.objects[static_cast<std::size_t>(kind)];
            HeapMemory memory;
            all_ = all_verdicts_of(make_batch(kind, objects_, setting_.polygon, memory), setting_.view.view, methods,
                                   trial_, [this](const auto&... what) { fail(what...); });
            check_certificates();
            if (trial_.stopped()) return;
            count_differing();
            for (std::size_t n = 0; !setting_.invalid && n < trial_.plan.oracle_objects; ++n) {
                ask_oracle(static_cast<std::size_t>(trial_.random.below(static_cast<int>(objects_.size()))));
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

    [[nodiscard]] flat_oracle::Figure figure(std::size_t i) const {
        return figure_of(kind_, objects_[i], setting_.polygon);
    }

    void check_certificates() {
        for (const Verdicts& v : all_) {
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                const Certificate& certificate = v.certificates[i];
                if (setting_.invalid) {
                    if (certificate.reason != Reason::visible_invalid) {
                        fail(Tally::invalid_told, i, v, "a number is none, yet taken for one");
                    }
                } else if (is_culled(certificate.reason) && !proves(certificate, i)) {
                    fail(Tally::unproved, i, v, "the direction does not separate");
                    if (trial_.stopped()) return;
                }
            }
        }
    }

    [[nodiscard]] bool proves(const Certificate& certificate, std::size_t i) {
        const double x = certificate.direction[0], y = certificate.direction[1];
        const Estimate top = highest(x, y, kind_, objects_[i], setting_.polygon);
        double lowest = HUGE_VAL, magnitude = 0;
        for (const Corner& corner : corners_) {
            lowest = std::fmin(lowest, x * corner.x + y * corner.y);
            magnitude = std::fmax(magnitude, std::fabs(x * corner.x) + std::fabs(y * corner.y));
        }
        if (top.value + top.error < lowest - 0x1p-48 * magnitude) return true;
        ++at(Tally::exact_checks);
        return flat_oracle::separates({rational(x), rational(y)}, figure(i), setting_.view.figure);
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
        const flat_oracle::Figure asked = figure(i);
        ++at(Tally::oracle_objects);
        const bool shares_a_point = flat_oracle::within(asked, setting_.view.figure);
        at(Tally::oracle_visible) += shares_a_point;
        for (const Verdicts& v : all_) {
            if (v.visible(i)) continue;
            if (shares_a_point) fail(Tally::false_culls, i, v, "visible, yet culled");
            const double gap = static_cast<double>(v.certificates[i].gap);
            if (gap > 0 && flat_oracle::within(asked, setting_.view.figure, rational(gap * (1 - 0x1p-50)))) {
                fail(Tally::unproved, i, v, "nearer than its gap");
            }
        }
        if (!shares_a_point) count_kept(i, asked);
    }

    /// Four bounds are less than 2^-18 of the coordinates involved (tests/flat/figures.cpp).
    void count_kept(std::size_t i, const flat_oracle::Figure& asked) {
        const double bound = tolerance(kind_, objects_[i], setting_.view, setting_.polygon) / (4 * 9 * 0x1p-24);
        const Verdicts& widest =
            *std::find_if(all_.rbegin(), all_.rend(), [](const Verdicts& v) { return v.method == Method::automatic; });
        for (const ApartLevel& level : apart_levels) {
            if (flat_oracle::within(asked, setting_.view.figure, rational(std::ldexp(bound, level.exponent)))) return;
            ++at(level.apart);
            at(level.kept) += widest.visible(i);
        }
    }

    struct Corner {
        double x, y;
    };

    const FigureSetting& setting_;
    Trial& trial_;
    std::vector<Corner> corners_;

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

}  // namespace prove
