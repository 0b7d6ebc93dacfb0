#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "properties/pairs/setting.hpp"
#include "support/random.hpp"

namespace properties {
namespace {

using exact::rational;
using V = exact::Vec<double>;

/// A pair in doubles, times a power of two that brings its largest coordinates near 1.
struct PairInDoubles {
    Body a, b;
    V way;
    double unit = 1;  ///< lengths times this are scaled as the pair is
    Place origin;

    PairInDoubles(const PairSetting& setting, const PairOfObjects& pair) : origin(place_of(setting.kind_b, pair.b)) {
        a = body_of(setting.kind_a, pair.a, setting.hulls, origin);
        b = body_of(setting.kind_b, pair.b, setting.hulls, origin);
        double largest = std::max(a.size + a.radius, b.size + b.radius);
        for (const float component : pair.motion) {
            if (!pair.invalid_motion) largest = std::max(largest, std::fabs(static_cast<double>(component)));
        }
        const int exponent = largest > 0 ? -std::ilogb(largest) : 0;
        unit = std::ldexp(1.0, exponent);
        a = times_power(a, exponent);
        b = times_power(b, exponent);
        const auto scaled = [&](std::size_t k) { return unit * static_cast<double>(pair.motion[k]); };
        way = {scaled(0), scaled(1), scaled(2)};
    }
    /// What the library's bound on rounding is relative to. Vertices that a transform makes far smaller count more
    /// than they are placed, and very small pairs count as larger, because of underflow.
    [[nodiscard]] double magnitude(double way_size = 0) const {
        const double vertices = a.vertices + b.vertices;
        return (a.magnitude + b.magnitude + way_size + (0x1p-120 + 1e-30 * vertices) * unit) * (1 + 1e-17 * vertices);
    }
    [[nodiscard]] Body point(const std::array<float, 3>& world) const {
        Body body;
        double at[3];
        for (std::size_t k = 0; k < 3; ++k) at[k] = unit * (static_cast<double>(world[k]) - origin[k]);
        body.points = {{at[0], at[1], at[2]}};
        body.size = std::max({std::fabs(at[0]), std::fabs(at[1]), std::fabs(at[2])});
        body.error = 0x1p-50 * body.size;
        return body;
    }
};

void add_answers(Fingerprint& fingerprint, const PairAnswers& answers) {
    fingerprint.add_words(answers.words);
    for (const std::vector<float>* stream : answers.streams()) fingerprint.all.add(std::span<const float>(*stream));
    for (const std::vector<float>& stream : answers.contacts) fingerprint.all.add(std::span<const float>(stream));
}

class PairsTrial {
public:
    PairsTrial(const PairSetting& setting, Trial& trial) : setting_(setting), trial_(trial) {
        for (const lanecull::Isa isa : trial.plan.isas) {
            answers_.push_back(ask(setting, isa));
            add_answers(trial.answers, answers_.back());
        }
    }

    void run() {
        for (std::size_t i = 0; i < setting_.pairs.size() && !trial_.stopped(); ++i) {
            pair_ = &setting_.pairs[i];
            i_ = i;
            exact_.reset();
            judge();
        }
        if (!trial_.stopped()) ask_oracle();
    }

    /// Compares with the answers about the same pairs, all lengths of which are `factor` times as large.
    void compare(const PairsTrial& scaled, float factor) {
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            const PairAnswers &mine = answers_[s], &theirs = scaled.answers_[s];
            for (i_ = 0; i_ < setting_.pairs.size(); ++i_) {
                // Upper bounds have constants added that no scale changes.
                const float off = factor * mine.upper[i_] - theirs.upper[i_];
                bool same = mine.separated(i_) == theirs.separated(i_) && mine.earliest[i_] == theirs.earliest[i_] &&
                            mine.latest[i_] == theirs.latest[i_] && factor * mine.lower[i_] == theirs.lower[i_] &&
                            std::fabs(off) <= 1e-30f * std::max(1.0f, factor);
                const float lower_off = factor * mine.signed_lower[i_] - theirs.signed_lower[i_];
                const float upper_off = factor * mine.signed_upper[i_] - theirs.signed_upper[i_];
                same = same && std::fabs(lower_off) + std::fabs(upper_off) <= 1e-30f * std::max(1.0f, factor);
                for (std::size_t k = 0; k < 3; ++k) same = same && mine.direction[k][i_] == theirs.direction[k][i_];
                for (std::size_t k = 0; k < 6; ++k) {
                    same = same && factor * mine.points[k][i_] == theirs.points[k][i_] &&
                           factor * mine.signed_points[k][i_] == theirs.signed_points[k][i_];
                }
                same = same && mine.counts[i_] == theirs.counts[i_];
                for (std::size_t k = 4 * i_; k < 4 * i_ + mine.counts[i_]; ++k) {
                    for (std::size_t j = 0; j < 3; ++j) {
                        same = same && factor * mine.contacts[j][k] == theirs.contacts[j][k];
                    }
                    const float apart_off = factor * mine.contacts[3][k] - theirs.contacts[3][k];
                    same = same && std::fabs(apart_off) <= 1e-30f * std::max(1.0f, factor);
                }
                if (!same) fail(Tally::untold, s, "other answers when all lengths are times a power of two");
            }
        }
    }

private:
    std::uint64_t& at(Tally::Count count) { return trial_.at(count); }

    void fail(Tally::Count count, std::size_t set, const char* what) {
        const PairAnswers& of = answers_[set];
        trial_.fail(count, std::string(what) + ", pair " + std::to_string(i_) + " by " + lanecull::isa_name(of.isa),
                    [&] {
                        const float numbers[] = {of.lower[i_],  of.upper[i_],        of.earliest[i_],
                                                 of.latest[i_], of.signed_lower[i_], of.signed_upper[i_]};
                        return "separated " + std::to_string(static_cast<int>(of.separated(i_))) + written(numbers) +
                               "\n  " + setting_.describe(i_);
                    });
    }

    const ExactPair& exactly() {
        if (!exact_) {
            const std::array<float, 3> motion = pair_->invalid_motion ? std::array<float, 3>{} : pair_->motion;
            exact_.emplace(setting_.kind_a, pair_->a, setting_.kind_b, pair_->b, setting_.hulls, motion);
        }
        return *exact_;
    }
    const ExactPair& checked_exactly() {
        ++at(Tally::exact_checks);
        return exactly();
    }

    /// The set whose number is the largest of all, or the least.
    template <class Before>
    [[nodiscard]] std::size_t best_of(std::vector<float> PairAnswers::*stream, const Before& before) const {
        std::size_t best = 0;
        for (std::size_t s = 1; s < answers_.size(); ++s) {
            if (before((answers_[s].*stream)[i_], (answers_[best].*stream)[i_])) best = s;
        }
        return best;
    }

    void judge() {
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            const PairAnswers& of = answers_[s];
            at(Tally::verdicts) += 4;
            for (const bool claims : {of.separated(i_), of.lower[i_] > 0, of.earliest[i_] > 0,
                                      of.signed_lower[i_] * of.signed_upper[i_] > 0})
                at(Tally::culled_gjk) += claims;
            if (pair_->is_invalid()) {
                check_invalid(s);
            } else {
                check_numbers(s);
            }
            if (pair_->contact == 0) check_together(s);
            if (of.earliest[i_] > pair_->contact) fail(Tally::false_culls, s, "a contact is missed");
        }
        if (pair_->is_invalid() || trial_.stopped()) return;
        const PairInDoubles doubles(setting_, *pair_);
        if (pair_->contact == 0) return check_signed_bounds(doubles, nullptr);
        const Proof proof = measure(doubles.a, doubles.b);
        check_signed_bounds(doubles, &proof);
        check_signed_close(doubles, proof);
        check_contacts(doubles, proof);
        check_separated(proof);
        check_bounds(doubles, proof);
        check_close(doubles, proof);
        if (i_ % 4 == 0) check_points(doubles);
        if (!pair_->invalid_motion) check_cast(doubles);
        count_kept(doubles, proof);
    }

    void check_invalid(std::size_t s) {
        const PairAnswers& of = answers_[s];
        const bool told = of.separated(i_) || of.lower[i_] != 0 || !(of.upper[i_] == HUGE_VALF) ||
                          of.earliest[i_] != 0 || !(of.latest[i_] == HUGE_VALF) ||
                          !(of.signed_lower[i_] == -HUGE_VALF) || !(of.signed_upper[i_] == HUGE_VALF) ||
                          !are_nan(of.points) || !are_nan(of.direction) || !are_nan(of.signed_points) ||
                          of.counts[i_] != 0 || !(of.contact_lower[i_] == -HUGE_VALF) ||
                          !(of.contact_upper[i_] == HUGE_VALF);
        if (told) fail(Tally::invalid_told, s, "an invalid pair, yet taken for one");
    }

    template <std::size_t count>
    [[nodiscard]] bool are_nan(const std::array<std::vector<float>, count>& streams) const {
        return std::all_of(streams.begin(), streams.end(), [&](const auto& stream) { return std::isnan(stream[i_]); });
    }
    [[nodiscard]] bool has_signed_distance(const PairAnswers& of) const {
        return of.signed_lower[i_] > -HUGE_VALF && of.signed_upper[i_] < HUGE_VALF;
    }
    [[nodiscard]] V direction_of(const PairAnswers& of) const {
        const auto component = [&](std::size_t k) { return static_cast<double>(of.direction[k][i_]); };
        return {component(0), component(1), component(2)};
    }

    /// What holds of any answer about a valid pair.
    void check_numbers(std::size_t s) {
        const PairAnswers& of = answers_[s];
        const float lower = of.lower[i_], upper = of.upper[i_], earliest = of.earliest[i_], latest = of.latest[i_];
        if (!(lower >= 0 && lower <= upper && lower < HUGE_VALF)) fail(Tally::untold, s, "bounds in the wrong order");
        // Both tell that a number overflowed.
        if (upper < HUGE_VALF && std::any_of(of.points.begin(), of.points.end(), [&](const std::vector<float>& stream) {
                return std::isnan(stream[i_]);
            })) {
            fail(Tally::untold, s, "no points of a valid pair");
        }
        if (!(of.signed_lower[i_] <= of.signed_upper[i_])) fail(Tally::untold, s, "signed bounds in the wrong order");
        if (has_signed_distance(of)) {
            const V d = direction_of(of);
            if (!(std::fabs(exact::dot(d, d) - 1) < 1e-5)) fail(Tally::untold, s, "no unit vector");
        }
        check_contact_numbers(s);
        if (pair_->invalid_motion) {
            if (!(earliest == 0 && latest == HUGE_VALF)) fail(Tally::invalid_told, s, "a motion that is none");
        } else if (!(earliest >= 0 && earliest <= latest) || (earliest > 1 && earliest != HUGE_VALF) ||
                   (latest > 1 && latest != HUGE_VALF)) {
            fail(Tally::untold, s, "times in the wrong order");
        }
    }

    void check_together(std::size_t s) {
        const PairAnswers& of = answers_[s];
        if (of.separated(i_)) fail(Tally::false_culls, s, "share a point, yet separated");
        if (of.lower[i_] > 0 || of.signed_lower[i_] > 0 || of.contact_lower[i_] > 0) {
            fail(Tally::false_culls, s, "share a point, yet at a distance");
        }
    }

    void check_separated(const Proof& proof) {
        const auto said =
            std::find_if(answers_.begin(), answers_.end(), [&](const PairAnswers& of) { return of.separated(i_); });
        if (said == answers_.end() || proof.least > 0 || !checked_exactly().meet(0)) return;
        fail(Tally::unproved, static_cast<std::size_t>(said - answers_.begin()), "share a point, yet separated");
    }

    /// Of all sets' bounds the sharpest.
    void check_bounds(const PairInDoubles& doubles, const Proof& proof) {
        const std::size_t s = best_of(&PairAnswers::lower, std::greater()),
                          t = best_of(&PairAnswers::upper, std::less());
        const float lower = answers_[s].lower[i_], upper = answers_[t].upper[i_];
        if (lower > 0 && lower < HUGE_VALF && !(doubles.unit * static_cast<double>(lower) <= proof.least) &&
            checked_exactly().meet(rational(std::nextafterf(lower, 0)))) {
            fail(Tally::unproved, s, "nearer than the lower bound");
        }
        if (!(doubles.unit * static_cast<double>(upper) >= proof.most) && !checked_exactly().meet(rational(upper))) {
            fail(Tally::unproved, t, "farther than the upper bound");
        }
    }

    /// As close as PairDistanceOptions promises, with four times what rounding leaves.
    void check_close(const PairInDoubles& doubles, const Proof& proof) {
        // What is placed in doubles is off by a share of its place in the world; subnormal bounds are 0, or enlarged.
        const double place = std::fabs(doubles.origin[0]) + std::fabs(doubles.origin[1]) + std::fabs(doubles.origin[2]);
        const double allowed = 4e-6 * (proof.most + doubles.a.radius + doubles.b.radius) + 4e-5 * doubles.magnitude() +
                               (0x1p-40 * place + 4e-37) * doubles.unit;
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            const auto lower = static_cast<double>(answers_[s].lower[i_]),
                       upper = static_cast<double>(answers_[s].upper[i_]);
            if (upper < HUGE_VAL && doubles.unit * (upper - lower) > allowed) {
                fail(Tally::untold, s, "bounds of the distance that are far from each other");
            }
        }
    }

    /// Along its direction the two are apart by the lower bound, up to how it is rounded, and along no set's direction
    /// by more than the upper bound. Where facets alone tell, rationals do.
    void check_signed_bounds(const PairInDoubles& doubles, const Proof* proof) {
        const double magnitude = doubles.magnitude(), rounding = 0x1p-21 * magnitude +
                                                                 0x1p-48 * (doubles.a.size + doubles.b.size) +
                                                                 4 * (doubles.a.error + doubles.b.error);
        double most = -HUGE_VAL;
        std::size_t by = 0;
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            const PairAnswers& of = answers_[s];
            if (!has_signed_distance(of)) continue;
            const double gap = gap_along(doubles.a, doubles.b, direction_of(of)),
                         lower = doubles.unit * static_cast<double>(of.signed_lower[i_]);
            if (gap > most) most = gap, by = s;
            if (!(gap >= lower - rounding)) {
                fail(Tally::unproved, s, "not as far apart along the direction as the lower bound");
            }
        }
        const std::size_t s = best_of(&PairAnswers::signed_lower, std::greater()),
                          t = best_of(&PairAnswers::signed_upper, std::less());
        const float lower = answers_[s].signed_lower[i_], upper = answers_[t].signed_upper[i_];
        if (most > doubles.unit * static_cast<double>(upper) + rounding)
            fail(Tally::unproved, by, "above the upper bound");
        if (std::isinf(lower) || std::isinf(upper)) return;
        check_depths(doubles, s, t);
        if (proof == nullptr || i_ % 4 != 0)
            return;  // rationals take long, and bounds of the distance are much the same
        if (lower > 0 && !(doubles.unit * static_cast<double>(lower) <= proof->least) &&
            checked_exactly().meet(rational(std::nextafterf(lower, 0)))) {
            fail(Tally::unproved, s, "nearer than the signed lower bound");
        }
        if (upper >= 0 && !(doubles.unit * static_cast<double>(upper) >= proof->most) &&
            !checked_exactly().meet(rational(upper))) {
            fail(Tally::unproved, t, "farther than the signed upper bound");
        }
    }

    void check_depths(const PairInDoubles& doubles, std::size_t s, std::size_t t) {
        const float most = -answers_[s].signed_lower[i_], least = -answers_[t].signed_upper[i_];
        const bool in_lanes = has_facets(setting_.kind_a) && has_facets(setting_.kind_b);
        const std::optional<double> depth = in_lanes ? facet_depth(doubles.a, doubles.b) : std::nullopt;
        const double off = 1e-9 * doubles.magnitude();
        const auto clearly = [&](double more, double than) { return more > than + off; };
        if (in_lanes && most > 0 && !(depth && clearly(doubles.unit * static_cast<double>(most), *depth)) &&
            checked_exactly().deep(rational(std::nextafterf(most, HUGE_VALF))) == true) {
            fail(Tally::unproved, s, "deeper than the lower bound");
        }
        if (!(least > 0)) return;
        if (in_lanes && !(depth && clearly(*depth, doubles.unit * static_cast<double>(least))) &&
            checked_exactly().deep(rational(least)) == false) {
            fail(Tally::unproved, t, "not as deep as the upper bound");
        }
        if (!in_lanes && i_ % 8 == 0 && !checked_exactly().meet(0)) {
            fail(Tally::unproved, t, "deep, yet they share no point");
        }
    }

    /// Bounds are close, as check_close() has it; the points are that far apart, and on the objects.
    void check_signed_close(const PairInDoubles& doubles, const Proof& proof) {
        const double place = std::fabs(doubles.origin[0]) + std::fabs(doubles.origin[1]) + std::fabs(doubles.origin[2]);
        const double magnitude = doubles.magnitude();
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            const PairAnswers& of = answers_[s];
            if (!has_signed_distance(of)) continue;
            const double lower = doubles.unit * static_cast<double>(of.signed_lower[i_]),
                         upper = doubles.unit * static_cast<double>(of.signed_upper[i_]);
            const double depth = std::max(0.0, -lower);
            const bool curved = !doubles.a.ovals.empty() || !doubles.b.ovals.empty();
            const double allowed = 4e-6 * (proof.most + doubles.a.radius + doubles.b.radius) +
                                   (curved ? 0.04 : 4e-6) * depth + 4e-5 * magnitude +
                                   (0x1p-40 * place + 4e-37) * doubles.unit;
            const bool sliver = has_curved_sliver(doubles.a, doubles.b);
            if (upper - lower > allowed && !sliver)
                fail(Tally::untold, s, "signed bounds that are far from each other");
            double world = 0, off = 0;
            for (const auto& stream : of.signed_points) world += std::fabs(static_cast<double>(stream[i_]));
            if (!(world < HUGE_VAL)) continue;
            const double rounding = 1e-6 * world * doubles.unit;
            const V d = direction_of(of), middle = (0.5 * (lower + upper)) * d;
            const double way[] = {middle.x, middle.y, middle.z};
            for (std::size_t k = 0; k < 3; ++k) {
                const auto &a = of.signed_points[k][i_], &b = of.signed_points[k + 3][i_];
                off += std::fabs(doubles.unit * (static_cast<double>(b) - static_cast<double>(a)) - way[k]);
            }
            count_strong(off < 1e-4 * magnitude + rounding + allowed);
            if (i_ % 4 != s) continue;
            for (std::size_t side = 0; side < 2; ++side) {
                const auto& p = of.signed_points;
                const Body point = doubles.point({p[3 * side][i_], p[3 * side + 1][i_], p[3 * side + 2][i_]});
                const double from = measure(point, side == 0 ? doubles.a : doubles.b).least;
                if (from > 1e-3 * magnitude + rounding) fail(Tally::unproved, s, "a deepest point off its object");
                count_strong(from < 1e-5 * magnitude + rounding);
            }
        }
    }

    /// There are contacts unless the two are proved to be apart by more than the tolerance; the deepest comes first.
    void check_contact_numbers(std::size_t s) {
        const PairAnswers& of = answers_[s];
        const std::uint32_t count = of.counts[i_];
        const float lower = of.contact_lower[i_], upper = of.contact_upper[i_];
        if (!(lower <= upper)) fail(Tally::untold, s, "bounds of contacts in the wrong order");
        const bool overflows = lower == -HUGE_VALF || upper == HUGE_VALF;
        if (count > 4 || (!overflows && (count == 0) != (lower > setting_.tolerance))) {
            return fail(Tally::untold, s, "contacts of two that are apart, or none of two that are not");
        }
        for (std::size_t k = 0; k < 4; ++k) {
            for (const auto& stream : of.contacts) {
                if (!overflows && std::isnan(stream[4 * i_ + k]) != (k >= count)) {
                    return fail(Tally::untold, s, "other contacts than there are said to be");
                }
            }
            const float apart = of.contacts[3][4 * i_ + k];
            if (k < count && !(apart >= lower && (k > 0 || apart <= upper)))
                return fail(Tally::untold, s, "nearer than the deepest, or the first is not the deepest");
        }
    }

    /// Contacts lie on both objects, and where they are known to be.
    void check_contacts(const PairInDoubles& doubles, const Proof& proof) {
        const double place = std::fabs(doubles.origin[0]) + std::fabs(doubles.origin[1]) + std::fabs(doubles.origin[2]);
        const double magnitude = doubles.magnitude(),
                     tolerance = doubles.unit * static_cast<double>(setting_.tolerance),
                     radii = doubles.a.radius + doubles.b.radius;
        const std::size_t best = best_of(&PairAnswers::contact_lower, std::greater());
        const float lower = answers_[best].contact_lower[i_];
        if (lower > 0 && !(doubles.unit * static_cast<double>(lower) <= proof.least) &&
            checked_exactly().meet(rational(std::nextafterf(lower, 0)))) {
            fail(Tally::unproved, best, "nearer than the lower bound of contacts");
        }
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            const PairAnswers& of = answers_[s];
            if (of.counts[i_] == 0 || !(of.contact_upper[i_] < HUGE_VALF)) continue;
            const double allowed =
                4e-6 * (proof.most + radii) + 4e-5 * magnitude + (0x1p-40 * place + 4e-37) * doubles.unit;
            if (proof.least > tolerance + allowed) fail(Tally::untold, s, "contacts of two that are far apart");
            if (has_facets(setting_.kind_a) && has_facets(setting_.kind_b) &&
                (of.contact_lower[i_] > of.signed_upper[i_] || of.contact_upper[i_] < of.signed_lower[i_])) {
                fail(Tally::unproved, s, "other bounds than those of the signed distance");
            }
            if (!pair_->corners.empty()) check_corners(s, magnitude / doubles.unit);
            if (i_ % 4 == s % 4 && !has_curved_sliver(doubles.a, doubles.b))
                check_contact_points(doubles, s, tolerance);
        }
    }

    void check_contact_points(const PairInDoubles& doubles, std::size_t s, double tolerance) {
        const PairAnswers& of = answers_[s];
        const double magnitude = doubles.magnitude();
        for (std::size_t k = 4 * i_; k < 4 * i_ + of.counts[i_]; ++k) {
            std::array<float, 3> on_a{}, on_b{};
            double world = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                on_a[j] = of.contacts[j][k];
                on_b[j] = on_a[j] + of.contacts[3][k] * of.contact_direction[j][i_];
                world += std::fabs(static_cast<double>(on_a[j])) + std::fabs(static_cast<double>(on_b[j]));
            }
            if (!(world < HUGE_VAL)) continue;
            const double rounding = 1e-6 * world * doubles.unit + tolerance;
            const auto check = [&](Kind kind, const Body& body, const std::array<float, 3>& at) {
                const Body point = doubles.point(at);
                double off = measure(point, body).least;
                if (has_facets(kind)) off = std::max(off, facet_depth(point, body).value_or(0) - body.radius);
                if (off > 0x1p-13 * magnitude + rounding)
                    fail(Tally::unproved, s, "a contact off its object's surface");
                count_strong(off < 1e-5 * magnitude + rounding);
            };
            check(setting_.kind_a, doubles.a, on_a);
            check(setting_.kind_b, doubles.b, on_b);
        }
    }

    void check_corners(std::size_t s, double magnitude) {
        const PairAnswers& of = answers_[s];
        std::vector<Place> left = pair_->corners;
        for (std::size_t k = 4 * i_; k < 4 * i_ + of.counts[i_]; ++k) {
            std::erase_if(left, [&](const Place& corner) {
                double off = 0;
                for (std::size_t j = 0; j < 3; ++j) {
                    off = std::max(off, std::fabs(static_cast<double>(of.contacts[j][k]) - corner[j]));
                }
                return off < 1e-4 * magnitude;
            });
        }
        if (of.counts[i_] != pair_->corners.size() || !left.empty()) fail(Tally::untold, s, "a corner without contact");
    }

    /// Points are on the objects up to rounding, that of world coordinates included.
    void check_points(const PairInDoubles& doubles) {
        const std::size_t s = i_ / 4 % answers_.size();
        const auto& p = answers_[s].points;
        double world = 0;
        for (const std::vector<float>& stream : p) world += std::fabs(static_cast<double>(stream[i_]));
        if (!(world < HUGE_VAL)) return;  // beyond what floats hold
        const double magnitude = doubles.magnitude(), rounding = 1e-6 * world * doubles.unit;
        for (std::size_t side = 0; side < 2; ++side) {
            const Body point = doubles.point({p[3 * side][i_], p[3 * side + 1][i_], p[3 * side + 2][i_]});
            const double off = measure(point, side == 0 ? doubles.a : doubles.b).least;
            if (off > 1e-3 * magnitude + rounding) fail(Tally::unproved, s, "a point off its object");
            count_strong(off < 1e-5 * magnitude + rounding);
        }
    }

    void check_cast(const PairInDoubles& doubles) {
        const std::size_t s = best_of(&PairAnswers::earliest, std::greater());
        const float earliest = answers_[s].earliest[i_];
        if (earliest > 0) {
            const float before = earliest > 1 ? 1 : std::nextafterf(earliest, 0);
            const V way = static_cast<double>(before) * doubles.way;
            if (!(measure(moved(doubles.a, way, true), doubles.b).least > 0) &&
                checked_exactly().meet_by(rational(before))) {
                fail(Tally::unproved, s, "a contact is missed");
            }
        }
        const std::size_t t = i_ % answers_.size();
        const float latest = answers_[t].latest[i_];
        const double magnitude = doubles.magnitude(2 * std::sqrt(exact::dot(doubles.way, doubles.way)));
        constexpr double close = 0x1p-44;  // what PairCasts promises
        if (latest < HUGE_VALF) {
            const Body swept = moved(doubles.a, static_cast<double>(latest) * doubles.way, true);
            if (measure(swept, doubles.b).least > close * magnitude) {
                fail(Tally::unproved, t, "no contact before they are said to have met");
            }
        }
        const Proof whole = measure(moved(doubles.a, doubles.way, true), doubles.b);
        if (whole.least > 0x1p-12 * magnitude) count_strong(answers_[t].earliest[i_] == HUGE_VALF);
        if (whole.most < close * magnitude) count_strong(latest - answers_[t].earliest[i_] < 1.25e-4f);
    }

    /// Of misses that are clear, of contacts and of points on objects, those that are given as closely as floats allow.
    void count_strong(bool is_strong) {
        ++at(Tally::cases);
        at(Tally::reached) += is_strong;
    }

    void count_kept(const PairInDoubles& doubles, const Proof& proof) {
        const double magnitude = doubles.magnitude();
        for (const ApartLevel& level : apart_levels) {
            if (!(proof.least > std::ldexp(magnitude, level.exponent))) break;
            ++at(level.apart);
            at(level.kept) += !answers_.back().separated(i_);
        }
        ++at(Tally::pairs);
        const auto differs = [&](const PairAnswers& of) { return of.separated(i_) != answers_[0].separated(i_); };
        if (std::none_of(answers_.begin(), answers_.end(), differs)) return;
        constexpr double four_bounds = 4 * 23 * 0x1p-24;
        ++at(Tally::differing);
        ++at(Tally::differing_asked);
        at(Tally::differing_far) += proof.least > four_bounds * magnitude;
    }

    /// Decides one of the pairs by the oracle alone.
    void ask_oracle() {
        i_ = static_cast<std::size_t>(trial_.random.below(static_cast<int>(setting_.pairs.size())));
        pair_ = &setting_.pairs[i_];
        if (pair_->is_invalid()) return;
        exact_.reset();
        ++at(Tally::oracle_objects);
        if (!exactly().meet(0)) return;
        ++at(Tally::oracle_visible);
        for (std::size_t s = 0; s < answers_.size(); ++s) {
            check_together(s);
            if (answers_[s].earliest[i_] > 0) fail(Tally::false_culls, s, "share a point, yet touch later");
        }
    }

    const PairSetting& setting_;
    Trial& trial_;
    std::vector<PairAnswers> answers_;

    std::size_t i_ = 0;
    const PairOfObjects* pair_ = nullptr;
    std::optional<ExactPair> exact_;
};

/// All coordinates times 2^exponent. Axes, quaternions, vertices and local boxes stay as they are.
Object scaled(Kind kind, Object object, int exponent) {
    const std::size_t count = has_transform(kind) ? 12 : field_count(kind);
    const std::size_t center = kind == Kind::oriented_box || has_quaternion(kind) ? 3 : count;
    const std::size_t sizes = center == 3 ? count - 3 : count;
    for (std::size_t k = 0; k < count; ++k) {
        if (k < center || k >= sizes) object.fields[k] = std::ldexp(object.fields[k], exponent);
    }
    return object;
}

}  // namespace

void run_pairs(const PairSetting& setting, Trial& trial) { PairsTrial(setting, trial).run(); }

void run_scaled_pairs(const PairSetting& setting, int exponent, Trial& trial) {
    PairSetting other = setting;
    other.tolerance = std::ldexp(setting.tolerance, exponent);
    for (PairOfObjects& pair : other.pairs) {
        pair.a = scaled(setting.kind_a, pair.a, exponent);
        pair.b = scaled(setting.kind_b, pair.b, exponent);
        for (float& component : pair.motion) component = std::ldexp(component, exponent);
    }
    PairsTrial one(setting, trial), two(other, trial);
    one.run();
    two.run();
    one.compare(two, std::ldexp(1.0f, exponent));
}

}  // namespace properties
