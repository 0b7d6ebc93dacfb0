#include <cmath>
#include <stdexcept>

#include <lanecull/pairs.h>

#include "prove/pairs/setting.hpp"

namespace prove {
namespace {

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

std::string object_text(Kind kind, const Object& object, const HullSet& hulls) {
    if (kind != Kind::hull || object.hull < hulls.size()) return ::describe(kind, object, hulls);
    Object with_hull = object;
    with_hull.hull = 0;
    return "of hull " + std::to_string(object.hull) + ": " + ::describe(kind, with_hull, hulls);
}

}  // namespace

SizeFields size_fields(Kind kind) {
    switch (kind) {
        case Kind::sphere:
            return {3, 1};
        case Kind::centered_box:
            return {3, 3};
        case Kind::oriented_box:
            return {12, 3};
        case Kind::capsule:
            return {6, 1};
        case Kind::quaternion_box:
            return {7, 3};
        case Kind::box:
        case Kind::hull:
        case Kind::box_instance:
            break;
    }
    return {};
}

std::string PairSetting::describe(std::size_t i) const {
    const PairOfObjects& pair = pairs[i];
    std::string text = "a " + object_text(kind_a, pair.a, hulls) + "\n  b " + object_text(kind_b, pair.b, hulls);
    text += "\n  motion";
    for (const float component : pair.motion) {
        char number[32];
        std::snprintf(number, sizeof number, " %a", static_cast<double>(component));
        text += number;
    }
    return text;
}

PairAnswers ask(const PairSetting& setting, lanecull::Isa isa) {
    const std::size_t count = setting.pairs.size();
    std::vector<Object> a, b;
    std::vector<std::uint32_t> index;
    std::array<std::vector<float>, 3> motion;
    for (const PairOfObjects& pair : setting.pairs) {
        const auto i = static_cast<std::uint32_t>(a.size());
        const auto none = static_cast<std::uint32_t>(i % 2 == 0 ? count : 0u - i);
        index.insert(index.end(), {pair.missing ? none : i, i});
        a.push_back(pair.a);
        b.push_back(pair.b);
        for (std::size_t k = 0; k < 3; ++k) motion[k].push_back(pair.motion[k]);
    }
    HeapMemory memory;
    const lanecull::Batch of_a = make_batch(setting.kind_a, a, setting.hulls, memory, {.bounds = false});
    const lanecull::Batch of_b =
        make_batch(setting.kind_b, b, setting.hulls, memory, {.bounds = false, .stride_floats = 17});
    const lanecull::PairIndices pairs{index.data(), index.data() + 1, count, 2 * sizeof(std::uint32_t)};

    PairAnswers answers{.isa = isa, .words = std::vector<std::uint64_t>((count + 63) / 64)};
    for (auto* stream : {&answers.lower, &answers.upper, &answers.earliest, &answers.latest}) stream->resize(count);
    for (auto& stream : answers.points) stream.resize(count);
    auto& p = answers.points;
    lanecull::PairDistanceOptions measured;
    measured.isa = isa;
    lanecull::PairCastOptions cast;
    cast.isa = isa;
    require(lanecull::separate_pairs(of_a, of_b, pairs, answers.words, {isa}));
    require(lanecull::pair_distances(of_a, of_b, pairs,
                                     {answers.lower.data(), answers.upper.data(), p[0].data(), p[1].data(), p[2].data(),
                                      p[3].data(), p[4].data(), p[5].data()},
                                     measured));
    require(lanecull::cast_pairs(of_a, of_b, pairs, {motion[0].data(), motion[1].data(), motion[2].data()},
                                 {answers.earliest.data(), answers.latest.data()}, cast));
    return answers;
}

void add_answers(Fingerprint& fingerprint, const PairAnswers& answers) {
    fingerprint.add_words(answers.words);
    for (const auto* stream : {&answers.lower, &answers.upper, &answers.earliest, &answers.latest}) {
        fingerprint.all.add(std::span<const float>(*stream));
    }
    for (const auto& stream : answers.points) fingerprint.all.add(std::span<const float>(stream));
}

}  // namespace prove
