#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/gjk.hpp>

#include "properties/pairs/setting.hpp"
#include "support/generate.hpp"

/// Casts that turn, against the motion sampled in doubles: no sample before `earliest` may touch, and at `latest` the
/// two must. Samples are bodies that the tests turn themselves.
namespace properties {
namespace {

namespace gjk = lanecull::gjk;
using V = gjk::Vec3<double>;

V vector(const exact::Vec<double>& v) { return {v.x, v.y, v.z}; }
V vector(const std::array<float, 3>& v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

/// A body without its radius.
struct Core {
    using Vector = V;
    const Body* body;

    [[nodiscard]] V support(const V& d) const {
        const exact::Vec<double> w{d.x, d.y, d.z};
        V best = vector(body->points[0]);
        const auto take = [&](const V& p) {
            if (dot(p, d) > dot(best, d)) best = p;
        };
        for (const auto& p : body->points) take(vector(p));
        for (const auto& oval : body->ovals) take(vector(solids::farthest(oval, w)));
        return best;
    }
    [[nodiscard]] V inside() const { return body->ovals.empty() ? support({1, 0, 0}) : vector(body->ovals[0].centre); }
};

struct TurningPair {
    PairOfObjects pair;
    std::array<float, 3> turn{}, center{};
};

/// The pair as its samples see it, relative to b's place.
struct Sampled {
    Body a, b;
    V way, turn, center;
    double size, speed;

    Sampled(const PairSetting& setting, const TurningPair& of) {
        const Place origin = place_of(setting.kind_b, of.pair.b);
        a = body_of(setting.kind_a, of.pair.a, setting.hulls, origin);
        b = body_of(setting.kind_b, of.pair.b, setting.hulls, origin);
        way = vector(of.pair.motion), turn = vector(of.turn);
        center = vector(of.center) - V{origin[0], origin[1], origin[2]};
        size = a.magnitude + b.magnitude + sum_norm(way) + sum_norm(center);
        speed = sum_norm(way) + sum_norm(turn) * (a.magnitude + sum_norm(center));
    }

    /// The distance at a time, or minus the depth: Rodrigues' formula.
    [[nodiscard]] double distance_at(double time) const {
        const double angle = time * length(turn), c = std::cos(angle), s = std::sin(angle);
        const V axis = angle > 0 ? 1 / length(turn) * turn : V{};
        const auto rotated = [&](const V& v) { return c * v + s * cross(axis, v) + (1 - c) * dot(axis, v) * axis; };
        const gjk::Matrix<double, 3> rotation{{rotated({1, 0, 0}), rotated({0, 1, 0}), rotated({0, 0, 1})}};
        const gjk::Placed<Core> placed{{&a}, {rotation, center + time * way - rotation * center}};
        return gjk::signed_distance(gjk::Rounded{placed, a.radius}, gjk::Rounded{Core{&b}, b.radius}).distance;
    }
};

/// What does not hold of an answer about a pair of finite numbers; null if all does.
const char* broken_of(const Sampled& sampled, float earliest, float latest, float width) {
    constexpr double precision = 1e-10;  // of gjk's depths, and more than of these sums
    const double before = std::min(static_cast<double>(earliest), 1.0);
    constexpr int samples = 24;
    for (int i = 0; i <= samples && before > 0; ++i) {
        // Evenly, and nearer and nearer to the end.
        const double time = before * (i % 3 == 2 ? 1 - std::ldexp(1.0, -i) : static_cast<double>(i) / samples);
        if (sampled.distance_at(time) < -precision * sampled.size) return "a contact is missed";
    }
    if (!(latest < HUGE_VALF)) return nullptr;
    if (latest - earliest > 65 * width) return "a wide interval";
    // Doubles' time is rounded up to a float's: something small may have passed by.
    const double off = precision * sampled.size + 0x1p-23 * static_cast<double>(latest) * sampled.speed;
    return sampled.distance_at(static_cast<double>(latest)) > off ? "no contact by the latest time" : nullptr;
}

struct TurningSetting {
    PairSetting setting;
    std::vector<TurningPair> pairs;

    void add(const TurningPair& of) {
        pairs.push_back(of);
        setting.pairs.push_back(of.pair);
    }
};

constexpr float width = 1e-4f;

struct Times {
    std::vector<float> earliest, latest;
};
Times ask(const TurningSetting& of, lanecull::Isa isa, bool backwards) {
    PairBatches batches(of.setting);
    const std::size_t count = of.pairs.size();
    std::array<std::vector<float>, 9> streams;
    for (std::size_t j = 0; j < count; ++j) {
        const TurningPair& pair = of.pairs[backwards ? count - 1 - j : j];
        for (std::size_t k = 0; k < 3; ++k) {
            streams[k].push_back(pair.pair.motion[k]);
            streams[3 + k].push_back(pair.turn[k]);
            streams[6 + k].push_back(pair.center[k]);
        }
    }
    std::vector<std::uint32_t> index(2 * count);
    for (std::size_t j = 0; j < count; ++j) {
        const std::size_t i = backwards ? count - 1 - j : j;
        std::copy_n(&batches.index[2 * i], 2, &index[2 * j]);
    }
    const auto& s = streams;
    const lanecull::PairMotions motions{s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(),
                                        s[5].data(), s[6].data(), s[7].data(), s[8].data()};
    Times times{std::vector<float>(count), std::vector<float>(count)};
    lanecull::PairCastOptions options;
    options.isa = isa, options.width = width;
    const lanecull::Status status =
        lanecull::cast_pairs(batches.a, batches.b, {index.data(), index.data() + 1, count, 8}, motions,
                             {times.earliest.data(), times.latest.data()}, options);
    if (!status) throw std::runtime_error(status.message());
    if (backwards) std::ranges::reverse(times.earliest), std::ranges::reverse(times.latest);
    return times;
}

void run_turning(const TurningSetting& of, Trial& trial) {
    const auto isas = trial.plan.isas;
    std::vector<Times> all;
    for (const lanecull::Isa isa : isas) {
        all.push_back(ask(of, isa, false));
        trial.answers.all.add(std::span<const float>(all.back().earliest));
        trial.answers.all.add(std::span<const float>(all.back().latest));
    }
    const Times back = ask(of, isas.back(), true);
    for (std::size_t i = 0; i < of.pairs.size() && !trial.stopped(); ++i) {
        const TurningPair& pair = of.pairs[i];
        const auto expect = [&](bool holds, Tally::Count count, const char* what) {
            if (holds) return;
            trial.fail(count, std::string(what) + ", pair " + std::to_string(i), [&] {
                std::vector<float> numbers;
                for (const Times& times : all) numbers.insert(numbers.end(), {times.earliest[i], times.latest[i]});
                return "times" + written(numbers) + "\n  " + of.setting.describe(i) + "\n  turn" + written(pair.turn) +
                       "\n  centre" + written(pair.center);
            });
        };
        std::size_t best = 0;
        for (std::size_t s = 0; s < all.size(); ++s) {
            const float earliest = all[s].earliest[i], latest = all[s].latest[i];
            ++trial.at(Tally::verdicts);
            trial.at(Tally::culled_gjk) += earliest > 1;
            ++trial.at(Tally::cases);
            trial.at(Tally::reached) += earliest > 1 || latest < HUGE_VALF;
            expect(earliest >= 0 && earliest <= latest && (earliest <= 1 || earliest == HUGE_VALF), Tally::untold,
                   "times in the wrong order");
            expect(!pair.pair.invalid_motion || (earliest == 0 && latest == HUGE_VALF), Tally::invalid_told,
                   "a motion that is none");
            if (earliest > all[best].earliest[i]) best = s;
        }
        expect(back.earliest[i] == all.back().earliest[i] && back.latest[i] == all.back().latest[i], Tally::untold,
               "answers depend on more than the pair");
        const Sampled sampled(of.setting, pair);
        if (pair.pair.invalid_motion || !(sampled.size < 1e30 && sampled.speed < 1e30)) continue;
        const Times& strongest = all[best];
        const std::size_t other = i % all.size();
        for (const Times* times : {&strongest, std::as_const(all).data() + other}) {
            const char* broken = broken_of(sampled, times->earliest[i], times->latest[i], width);
            expect(broken == nullptr, Tally::unproved, broken);
        }
    }
}

/// A motion whose numbers may be any.
void make_odd(Random& random, TurningPair& pair) {
    const auto component = static_cast<std::size_t>(random.below(9));
    auto& of = component < 3 ? pair.pair.motion : component < 6 ? pair.turn : pair.center;
    float& number = of[component % 3];
    number = random.below(3) == 0 ? HUGE_VALF : random.below(3) == 0 ? std::nanf("") : random.any_float();
    pair.pair.invalid_motion = !std::isfinite(number);
}

std::array<float, 3> floats(const Double3& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// By up to a turn or more, about a place in or near the object or far from it, on the spot or on the way to the other.
TurningPair any_turning(Random& random, const PairSetting& setting) {
    const double size = random.log_range(0.1, 10), other = random.chance(0.2) ? random.log_range(1e-3, 1e3) : 1;
    TurningPair of;
    of.pair = place(random, setting, {size, size * other, 20 * size, random.range(0, 3)});
    if (random.chance(0.2)) of.pair.motion = {};
    const double turn = random.chance(0.05) ? 0 : random.chance(0.1) ? random.range(6, 30) : random.log_range(0.01, 7);
    of.turn = floats(turn * random_direction(random));
    const Place at = place_of(setting.kind_a, of.pair.a);
    const double arm = random.chance(0.3) ? 0 : size * (random.chance(0.2) ? random.log_range(1, 100) : random.unit());
    of.center = floats(Double3{at[0], at[1], at[2]} + arm * random_direction(random));
    if (random.below(64) == 0) make_odd(random, of);
    return of;
}

}  // namespace

void run_turning_pairs(Trial& trial, Kind a, Kind b, std::size_t count) {
    TurningSetting of{{a, b, random_hulls(trial.random, 4), {}}, {}};
    while (of.pairs.size() < count) of.add(any_turning(trial.random, of.setting));
    if (count > 0) run_turning(of, trial);
}

}  // namespace properties
