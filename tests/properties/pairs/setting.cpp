#include "properties/pairs/setting.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "support/generate.hpp"
#include "support/written.hpp"

namespace properties {
namespace {

constexpr float unwritten = -77;  // no call writes it
constexpr std::uint64_t unwritten_word = 77;

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

Double3 any_motion(Random& random, double size, const Double3& towards) {
    const double much = random.chance(0.1) ? random.log_range(1e-30, 1e5) : random.range(0.2, 3);
    return random.chance(0.05) ? Double3{} : much * (towards + size * random.range(0, 1) * random_direction(random));
}

std::string object_text(Kind kind, const Object& object, const HullSet& hulls) {
    if (kind != Kind::hull || object.hull < hulls.size()) return ::describe(kind, object, hulls);
    Object with_hull = object;
    with_hull.hull = 0;
    return "of hull " + std::to_string(object.hull) + ": " + ::describe(kind, with_hull, hulls);
}

}  // namespace

std::string PairSetting::describe(std::size_t i) const {
    const PairOfObjects& pair = pairs[i];
    return "a " + object_text(kind_a, pair.a, hulls) + "\n  b " + object_text(kind_b, pair.b, hulls) + "\n  motion" +
           written(pair.motion);
}

PairBatches::PairBatches(const PairSetting& setting) : a(lanecull::Spheres{}), b(lanecull::Spheres{}) {
    const std::size_t count = setting.pairs.size();
    std::vector<Object> of_a, of_b;
    for (const PairOfObjects& pair : setting.pairs) {
        const auto i = static_cast<std::uint32_t>(of_a.size());
        const auto none = static_cast<std::uint32_t>(i % 2 == 0 ? count : 0u - i);
        index.insert(index.end(), {pair.missing ? none : i, i});
        of_a.push_back(pair.a);
        of_b.push_back(pair.b);
        for (std::size_t k = 0; k < 3; ++k) motion[k].push_back(pair.motion[k]);
    }
    a = make_batch(setting.kind_a, of_a, setting.hulls, memory, {.bounds = false});
    b = make_batch(setting.kind_b, of_b, setting.hulls, memory, {.bounds = false, .stride_floats = 17});
}

PairAnswers::PairAnswers(std::size_t count, lanecull::Isa by) : isa(by), words((count + 63) / 64, unwritten_word) {
    for (auto* stream : {&lower, &upper, &earliest, &latest}) stream->assign(count, unwritten);
    for (auto& stream : points) stream.assign(count, unwritten);
}

lanecull::PairDistances PairAnswers::distances() {
    auto& p = points;
    return {lower.data(), upper.data(), p[0].data(), p[1].data(), p[2].data(), p[3].data(), p[4].data(), p[5].data()};
}

bool PairAnswers::same(std::size_t i, const PairAnswers& others, std::size_t j) const {
    const auto alike = [&](const std::vector<float>& mine, const std::vector<float>& theirs) {
        return std::memcmp(&mine[i], &theirs[j], sizeof(float)) == 0 || (std::isnan(mine[i]) && std::isnan(theirs[j]));
    };
    bool all = separated(i) == others.separated(j) && alike(lower, others.lower) && alike(upper, others.upper) &&
               alike(earliest, others.earliest) && alike(latest, others.latest);
    for (std::size_t k = 0; k < 6; ++k) all = all && alike(points[k], others.points[k]);
    return all;
}

bool PairAnswers::untouched() const {
    const auto none = [](const std::vector<float>& stream) {
        return std::all_of(stream.begin(), stream.end(), [](float number) { return number == unwritten; });
    };
    return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == unwritten_word; }) &&
           none(lower) && none(upper) && none(earliest) && none(latest) &&
           std::all_of(points.begin(), points.end(), none);
}

PairAnswers ask(const lanecull::Batch& a, const lanecull::Batch& b, const lanecull::PairIndices& pairs,
                const lanecull::PairMotions& motions, lanecull::Isa isa, const lanecull::Runner& runner) {
    PairAnswers answers(pairs.count, isa);
    lanecull::PairDistanceOptions measured;
    lanecull::PairCastOptions cast;
    measured.isa = cast.isa = isa;
    require(lanecull::separate_pairs(a, b, pairs, answers.words, {isa}, runner));
    require(lanecull::pair_distances(a, b, pairs, answers.distances(), measured, runner));
    if (motions.x != nullptr) require(lanecull::cast_pairs(a, b, pairs, motions, answers.casts(), cast, runner));
    return answers;
}

PairAnswers ask(const PairSetting& setting, lanecull::Isa isa) {
    const PairBatches batches(setting);
    return ask(batches.a, batches.b, batches.pairs(), batches.motions(), isa);
}

Placing any_placing(Random& random) {
    const double size = random.log_range(0.01, 10);
    switch (random.below(7)) {
        case 0:  // around the same point
            return {size, size * random.log_range(0.5, 2), 20, random.chance(0.3) ? 0 : random.range(0, 0.05)};
        case 1:
            return {size, size * random.log_range(1e-6, 1e6), 10, random.range(0.5, 1.1)};
        case 2:  // 1e6 sizes from the origin
            return {size, size, 1e6 * size, random.range(0, 2)};
        case 3:  // far from each other
            return {size, size * random.log_range(0.1, 10), 20, random.log_range(2, 1e7)};
        default:
            return {size, size * random.log_range(0.2, 5), 20, random.range(0, 1.5)};
    }
}

PairOfObjects place(Random& random, const PairSetting& setting, const Placing& placing) {
    const Double3 at = placing.place * random_direction(random);
    const double sizes = placing.size_a + placing.size_b;
    const Double3 between = placing.apart * sizes * random_direction(random);
    PairOfObjects pair;
    pair.a = object_at(random, setting.kind_a, at, placing.size_a, setting.hulls);
    pair.b = object_at(random, setting.kind_b, at + between, placing.size_b, setting.hulls);
    const Double3 motion = any_motion(random, sizes, between);
    for (std::size_t k = 0; k < 3; ++k) pair.motion[k] = static_cast<float>(motion[k]);
    return pair;
}

PairSetting ordinary_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    PairSetting setting{a, b, random_hulls(random, 4), {}};
    while (setting.pairs.size() < count) {
        PairOfObjects pair = place(random, setting, any_placing(random));
        if (a == b && random.chance(0.03)) pair.b = pair.a;
        setting.pairs.push_back(pair);
    }
    return setting;
}

}  // namespace properties
