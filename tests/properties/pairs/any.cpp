#include <algorithm>
#include <cmath>
#include <optional>

#include "properties/any.hpp"
#include "properties/pairs/setting.hpp"

/// Pairs of objects of any two kinds and of any numbers, with any strides and indices. Every answer is verified as that
/// of any pair: nothing that shares a point is separated, bounds and times hold, and invalid pairs are told. The
/// answers depend neither on strides nor on other pairs. Where an argument breaks its rule, nothing is written.
namespace properties {
namespace {

std::size_t up_to(Random& random, std::size_t most) {
    return static_cast<std::size_t>(random.below(static_cast<int>(most) + 1));
}

float any_motion(Random& random) { return random.below(64) == 0 ? HUGE_VALF : random.any_float(); }

/// One in eight has a number that is none, or a quaternion that is too short.
std::vector<Object> any_objects(Random& random, Kind kind, std::size_t hulls) {
    constexpr float none[] = {HUGE_VALF, -HUGE_VALF, NAN, -NAN};
    std::vector<Object> objects(1 + up_to(random, 5));
    for (Object& object : objects) {
        object = read_object(random, kind, hulls + (random.below(16) == 0 ? 1 : 0));
        const int which = random.below(16);
        if (which == 0) object.fields[up_to(random, field_count(kind) - 1)] = none[random.below(4)];
        if (which != 1 || !has_quaternion(kind)) continue;
        for (std::size_t k = 3; k < 7; ++k) object.fields[k] = random.chance(0.5) ? 0 : 1e-20f * random.any_float();
    }
    return objects;
}

bool finite(const std::array<float, 3>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); });
}

/// None: so near a limit that either would be right.
std::optional<bool> is_invalid(Kind kind, const Object& object, std::size_t hulls) {
    if (properties::is_invalid(kind, object) || (kind == Kind::hull && object.hull >= hulls)) return true;
    if (!has_quaternion(kind)) return false;
    double square = 0;
    for (std::size_t k = 3; k < 7; ++k) square += std::pow(static_cast<double>(object.fields[k]), 2);
    if (square < 0.9e-36 || square > 1.1e36) return true;
    return square > 1.1e-36 && square < 0.9e36 ? std::optional(false) : std::nullopt;
}

/// Two batches, the pairs that are tested, and options.
class AnyPairs {
public:
    explicit AnyPairs(Random& random)
        : kind_a_(all_kinds[up_to(random, std::size(all_kinds) - 1)]),
          kind_b_(all_kinds[up_to(random, std::size(all_kinds) - 1)]),
          hulls_(read_hulls(random, true)),
          a_(any_objects(random, kind_a_, hulls_.size())),
          b_(any_objects(random, kind_b_, hulls_.size())),
          batch_a_(make_batch(kind_a_, a_, hulls_, memory_, any_format(random))),
          batch_b_(make_batch(kind_b_, b_, hulls_, memory_, any_format(random))),
          index_stride_(2 + up_to(random, 3)) {
        const std::size_t count = random.below(8) == 0 ? 60 + up_to(random, 40) : 1 + up_to(random, 20);
        const auto any_index = [&](std::size_t objects) {
            return static_cast<std::uint32_t>(random.below(16) == 0 ? random.bits() : up_to(random, objects - 1));
        };
        index_.resize(count * index_stride_);
        for (std::size_t i = 0; i < count; ++i) {
            index_[i * index_stride_] = any_index(a_.size());
            index_[i * index_stride_ + index_stride_ / 2] = any_index(b_.size());
            for (auto& component : motion_) component.push_back(any_motion(random));
        }
        distance_.limit = random.chance(0.5) ? HUGE_VALF : random.any_size();
        distance_.relative = random.chance(0.5) ? 0 : random.any_size();
        contact_.tolerance = random.chance(0.5) ? 0 : random.any_size();
        cast_.width = random.chance(0.5) ? 1e-3f : random.any_size();
    }

    void run(Trial& trial) const {
        const bool tolerable = contact_.tolerance >= 0 && contact_.tolerance < HUGE_VALF;
        PairSetting setting{kind_a_, kind_b_, hulls_, {}, tolerable ? contact_.tolerance : 0};
        std::vector<std::size_t> clear;
        for (std::size_t i = 0; i < count(); ++i) {
            const std::optional<PairOfObjects> one = pair(i);
            if (one) setting.pairs.push_back(*one), clear.push_back(i);
        }
        if (clear.empty()) return;
        run_pairs(setting, trial);
        for (const lanecull::Isa isa : trial.plan.isas) {
            const PairAnswers alone = properties::ask(setting, isa);
            const PairAnswers all = properties::ask(batch_a_, batch_b_, pairs(), motions(), isa, {}, setting.tolerance);
            const PairAnswers other = ask_with_options(trial, isa);
            const bool measured = distance_.limit >= 0 && distance_.relative >= 0;
            const bool closely = measured && distance_.relative <= 1e-4f;
            for (std::size_t j = 0; j < clear.size(); ++j) {
                const std::size_t i = clear[j];
                const auto expect = [&](bool holds, const char* what) {
                    if (!holds) trial.fail(Tally::untold, what, [&] { return setting.describe(j); });
                };
                expect(all.same(i, alone, j), "answers depend on more than the pair");
                expect(!measured || (other.lower[i] <= all.upper[i] && all.lower[i] <= other.upper[i]),
                       "options change the distance");
                // Doubles do not bound the depths of any slivers.
                const bool in_lanes = has_facets(kind_a_) && has_facets(kind_b_);
                expect(
                    !measured || !in_lanes ||
                        (other.signed_lower[i] <= all.signed_upper[i] && all.signed_lower[i] <= other.signed_upper[i]),
                    "options change the signed distance");
                expect(!closely || other.lower[i] > distance_.limit || !(all.lower[i] > 1.001f * distance_.limit),
                       "not told to be beyond the limit");
            }
            const bool rest = count() % 64 != 0 && all.words.back() >> count() % 64 != 0;
            expect(trial, !rest, "bits beyond the last pair are not 0");
        }
    }

private:
    static Format any_format(Random& random) {
        return {.bounds = false, .stride_floats = random.chance(0.5) ? 0 : 12 + up_to(random, 10)};
    }
    static void expect(const Trial& trial, bool holds, const char* what) {
        if (!holds) trial.fail(Tally::untold, what, [] { return std::string(); });
    }

    [[nodiscard]] std::size_t count() const { return motion_[0].size(); }
    [[nodiscard]] lanecull::PairIndices pairs() const {
        return {index_.data(), index_.data() + index_stride_ / 2, count(), index_stride_ * sizeof(std::uint32_t)};
    }
    [[nodiscard]] lanecull::PairMotions motions() const {
        return {motion_[0].data(), motion_[1].data(), motion_[2].data()};
    }

    /// The pair by itself. None where it is not clear whether it is valid.
    [[nodiscard]] std::optional<PairOfObjects> pair(std::size_t i) const {
        const std::size_t in_a = pairs().a[i * index_stride_], in_b = pairs().b[i * index_stride_];
        PairOfObjects pair{a_[in_a < a_.size() ? in_a : 0], b_[in_b < b_.size() ? in_b : 0]};
        pair.motion = {motion_[0][i], motion_[1][i], motion_[2][i]};
        pair.missing = in_a >= a_.size() || in_b >= b_.size();
        pair.invalid_motion = !finite(pair.motion);
        const std::optional<bool> first = is_invalid(kind_a_, pair.a, hulls_.size());
        const std::optional<bool> second = is_invalid(kind_b_, pair.b, hulls_.size());
        if (!first || !second) return std::nullopt;
        pair.invalid = *first || *second;
        if (pair.is_invalid()) return pair;
        const Place origin = place_of(kind_b_, pair.b);
        double sum = body_of(kind_a_, pair.a, hulls_, origin).magnitude;
        sum += body_of(kind_b_, pair.b, hulls_, origin).magnitude;
        // Two corners or ends add up to twice their centre, and from one end everything is twice as far as from there.
        // Round bases count here as the balls that they are of.
        const bool round = kind_a_ == Kind::round_cone || kind_b_ == Kind::round_cone;
        pair.invalid = sum > (round ? 2e38 : 4.4e37);
        for (const float component : pair.motion) {
            sum += pair.invalid_motion ? 0 : std::fabs(static_cast<double>(component));
        }
        return pair.invalid || sum < 0.9e37 ? std::optional(pair) : std::nullopt;
    }

    [[nodiscard]] PairAnswers ask_with_options(const Trial& trial, lanecull::Isa isa) const {
        PairAnswers to(count(), isa);
        lanecull::PairDistanceOptions distance = distance_;
        lanecull::PairCastOptions cast = cast_;
        lanecull::PairContactOptions contact = contact_;
        distance.isa = cast.isa = contact.isa = isa;
        const auto ask = [&](bool good, const PairAnswers& answers, const lanecull::Status& status) {
            expect(trial, status.ok() == good, "good options are refused, or bad ones are not");
            expect(trial, status.ok() || answers.untouched(), "a call that fails writes");
        };
        const bool measurable = distance.limit >= 0 && distance.relative >= 0;
        const bool castable = cast.width >= 0 && cast.width < HUGE_VALF;
        ask(measurable, to, lanecull::pair_distances(batch_a_, batch_b_, pairs(), to.distances(), distance));
        PairAnswers with_sign(count(), isa);
        ask(measurable, with_sign,
            lanecull::signed_pair_distances(batch_a_, batch_b_, pairs(), with_sign.signed_distances(), distance));
        to.signed_lower = with_sign.signed_lower, to.signed_upper = with_sign.signed_upper;
        PairAnswers touching(count(), isa);
        ask(contact.tolerance >= 0 && contact.tolerance < HUGE_VALF, touching,
            lanecull::pair_contacts(batch_a_, batch_b_, pairs(), touching.pair_contacts(), contact));
        PairAnswers times(count(), isa);
        ask(castable, times, lanecull::cast_pairs(batch_a_, batch_b_, pairs(), motions(), times.casts(), cast));
        return to;
    }

    Kind kind_a_, kind_b_;
    HullSet hulls_;
    std::vector<Object> a_, b_;
    HeapMemory memory_;
    lanecull::Batch batch_a_, batch_b_;
    std::size_t index_stride_;
    std::vector<std::uint32_t> index_;
    std::array<std::vector<float>, 3> motion_;
    lanecull::PairDistanceOptions distance_;
    lanecull::PairCastOptions cast_;
    lanecull::PairContactOptions contact_;
};

}  // namespace

void run_any_pairs(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t i = 0; i < 1 + trial.plan.objects / 16 && !trial.stopped(); ++i) AnyPairs(trial.random).run(trial);
}

}  // namespace properties
