/// Pairs of objects of any two kinds and of any numbers, with any strides and indices, on every instruction set that
/// runs. Every answer is verified as the prover does it: nothing that shares a point is separated, bounds and times
/// hold, and invalid pairs are never taken for others. The answers depend neither on strides nor on other pairs. Where
/// an argument breaks its rule, nothing is written.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <lanecull/pairs.h>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "prove/pairs/body.hpp"
#include "prove/pairs/setting.hpp"
#include "support/culling.hpp"

namespace {

using prove::PairAnswers;
using prove::PairOfObjects;

Kind any_kind(Input& input) { return all_kinds[input.up_to(std::size(all_kinds) - 1)]; }

HullSet any_hulls(Input& input) {
    HullSet hulls(1 + input.up_to(2));
    for (Vertices& vertices : hulls) {
        vertices.resize(1 + input.up_to(20));
        for (auto& vertex : vertices) {
            for (float& coordinate : vertex) coordinate = input.single();
            for (float& coordinate : vertex) coordinate = std::isfinite(coordinate) ? coordinate : 0;
        }
    }
    return hulls;
}

Object any_object(Input& input, Kind kind, std::size_t hulls) {
    Object object;
    const prove::SizeFields sizes = prove::size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        float& field = object.fields[k];
        field = sizes.contain(k) ? input.size() : input.single();
        const auto corner = corner_fields(kind);
        if (corner && k >= *corner + 3 && input.up_to(15) != 0) field = object.fields[k - 3] + std::fabs(field);
    }
    // The usual axes or transform, mostly.
    const std::size_t matrix = kind == Kind::oriented_box ? 3 : 0, stride = kind == Kind::oriented_box ? 3 : 4;
    if ((kind == Kind::oriented_box || has_transform(kind)) && input.up_to(3) != 0) {
        for (std::size_t k = 0; k < 9; ++k) object.fields[matrix + k / 3 * stride + k % 3] = k % 4 == 0 ? 1 : 0;
    }
    object.hull = input.up_to(static_cast<std::uint32_t>(hulls + (input.up_to(15) == 0 ? 1 : 0)) - 1);
    return object;
}

bool finite(const float* numbers, std::size_t count) {
    return std::all_of(numbers, numbers + count, [](float number) { return std::isfinite(number); });
}

/// None: so near a limit that either would be right.
std::optional<bool> is_invalid(Kind kind, const Object& object, std::size_t hulls) {
    const auto& f = object.fields;
    if (!finite(f.data(), field_count(kind)) || (kind == Kind::hull && object.hull >= hulls)) return true;
    const prove::SizeFields sizes = prove::size_fields(kind);
    for (std::size_t k = 0; k < sizes.count; ++k) {
        if (f[sizes.first + k] < 0) return true;
    }
    const auto corner = corner_fields(kind);
    for (std::size_t k = 0; corner && k < 3; ++k) {
        if (f[*corner + k] > f[*corner + 3 + k]) return true;
    }
    if (kind != Kind::quaternion_box) return false;
    double square = 0;
    for (std::size_t k = 3; k < 7; ++k) square += static_cast<double>(f[k]) * static_cast<double>(f[k]);
    if (square < 0.9e-36 || square > 1.1e36) return true;
    return square > 1.1e-36 && square < 0.9e36 ? std::optional(false) : std::nullopt;
}

/// Two batches and the pairs that are asked about.
struct Arguments {
    explicit Arguments(Input& input);

    Kind kind_a, kind_b;
    HullSet hulls;
    std::vector<Object> a, b;
    std::size_t stride_a, stride_b, index_stride;
    std::vector<std::uint32_t> index;
    std::vector<float> motion[3];
    float limit, relative, width;

    [[nodiscard]] std::size_t count() const { return motion[0].size(); }
    [[nodiscard]] std::uint32_t index_a(std::size_t i) const { return index[i * index_stride]; }
    [[nodiscard]] std::uint32_t index_b(std::size_t i) const { return index[i * index_stride + index_stride / 2]; }
    [[nodiscard]] lanecull::PairIndices pairs() const {
        return {index.data(), index.data() + index_stride / 2, count(), index_stride * sizeof(std::uint32_t)};
    }
    /// The pair by itself. None where it is not clear whether it is valid.
    [[nodiscard]] std::optional<PairOfObjects> pair(std::size_t i) const;
};

Arguments::Arguments(Input& input) : kind_a(any_kind(input)), kind_b(any_kind(input)), hulls(any_hulls(input)) {
    a.resize(1 + input.up_to(5));
    b.resize(1 + input.up_to(5));
    for (Object& object : a) object = any_object(input, kind_a, hulls.size());
    for (Object& object : b) object = any_object(input, kind_b, hulls.size());
    stride_a = input.flag() ? 0 : 12 + input.up_to(10);
    stride_b = input.flag() ? 0 : 12 + input.up_to(10);
    index_stride = 2 + input.up_to(3);
    const std::size_t pairs = input.up_to(7) == 0 ? 60 + input.up_to(40) : 1 + input.up_to(20);
    index.resize(pairs * index_stride);
    const auto any_index = [&](std::size_t objects) {
        return input.up_to(15) == 0 ? input.bits() : input.up_to(static_cast<std::uint32_t>(objects) - 1);
    };
    for (std::size_t i = 0; i < pairs; ++i) {
        index[i * index_stride] = any_index(a.size());
        index[i * index_stride + index_stride / 2] = any_index(b.size());
        for (auto& component : motion) component.push_back(input.single());
    }
    limit = input.flag() ? HUGE_VALF : input.size();
    relative = input.flag() ? 0 : input.size();
    width = input.flag() ? 1e-3f : input.size();
}

std::optional<PairOfObjects> Arguments::pair(std::size_t i) const {
    PairOfObjects pair;
    pair.motion = {motion[0][i], motion[1][i], motion[2][i]};
    pair.missing = index_a(i) >= a.size() || index_b(i) >= b.size();
    pair.invalid_motion = !finite(pair.motion.data(), 3);
    pair.a = a[index_a(i) < a.size() ? index_a(i) : 0];
    pair.b = b[index_b(i) < b.size() ? index_b(i) : 0];
    const std::optional<bool> first = is_invalid(kind_a, pair.a, hulls.size());
    const std::optional<bool> second = is_invalid(kind_b, pair.b, hulls.size());
    if (!first || !second) return std::nullopt;
    pair.invalid = *first || *second;
    if (pair.is_invalid()) return pair;
    const prove::Place origin = prove::place_of(kind_b, pair.b);
    double sum = prove::body_of(kind_a, pair.a, hulls, origin).magnitude;
    sum += prove::body_of(kind_b, pair.b, hulls, origin).magnitude;
    pair.invalid = sum > 1.1e37;
    for (const float component : pair.motion)
        sum += pair.invalid_motion ? 0 : std::fabs(static_cast<double>(component));
    return pair.invalid || sum < 0.9e37 ? std::optional(pair) : std::nullopt;
}

/// What all three calls write: filled with numbers that no call writes.
struct Outputs {
    static constexpr float unwritten = -77;
    std::vector<std::uint64_t> words;
    std::vector<float> lower, upper, earliest, latest;
    std::array<std::vector<float>, 6> points;

    explicit Outputs(std::size_t count) : words((count + 63) / 64, 77) {
        for (auto* stream : {&lower, &upper, &earliest, &latest}) stream->assign(count, unwritten);
        for (auto& stream : points) stream.assign(count, unwritten);
    }
    [[nodiscard]] lanecull::PairDistances distances() {
        auto& p = points;
        return {lower.data(), upper.data(), p[0].data(), p[1].data(),
                p[2].data(),  p[3].data(),  p[4].data(), p[5].data()};
    }
    [[nodiscard]] lanecull::PairCasts casts() { return {earliest.data(), latest.data()}; }
    [[nodiscard]] bool untouched() const {
        const auto none = [](const std::vector<float>& stream) {
            return std::all_of(stream.begin(), stream.end(), [](float number) { return number == unwritten; });
        };
        return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 77; }) && none(lower) &&
               none(upper) && none(earliest) && none(latest) && std::all_of(points.begin(), points.end(), none);
    }
};

class Calls {
public:
    Calls(const Arguments& arguments, lanecull::Isa isa)
        : arguments_(arguments),
          isa_(isa),
          a_(make_batch(arguments.kind_a, arguments.a, arguments.hulls, memory_,
                        {.bounds = false, .stride_floats = arguments.stride_a})),
          b_(make_batch(arguments.kind_b, arguments.b, arguments.hulls, memory_,
                        {.bounds = false, .stride_floats = arguments.stride_b})) {}

    [[nodiscard]] Outputs ask(bool with_options) const {
        Outputs to(arguments_.count());
        const lanecull::PairIndices pairs = arguments_.pairs();
        lanecull::PairDistanceOptions measured;
        lanecull::PairCastOptions cast;
        measured.isa = cast.isa = isa_;
        if (with_options) measured.limit = arguments_.limit, measured.relative = arguments_.relative;
        if (with_options) cast.width = arguments_.width;
        const bool measurable = measured.limit >= 0 && measured.relative >= 0;
        const bool castable = cast.width >= 0 && cast.width < HUGE_VALF;
        require(lanecull::separate_pairs(a_, b_, pairs, to.words, {isa_}), true);
        require(lanecull::pair_distances(a_, b_, pairs, to.distances(), measured), measurable);
        require(lanecull::cast_pairs(a_, b_, pairs, motions(), to.casts(), cast), castable);
        return to;
    }

    /// One argument breaks its rule.
    void refuse() const {
        Outputs to(arguments_.count());
        const auto& a = a_;
        const auto& b = b_;
        const lanecull::PairIndices good = arguments_.pairs();
        for (const std::size_t stride : {2u, 6u, 65'540u}) {
            lanecull::PairIndices pairs = good;
            pairs.stride_bytes = stride;
            require(lanecull::separate_pairs(a, b, pairs, to.words), false);
            require(lanecull::pair_distances(a, b, pairs, to.distances()), false);
            require(lanecull::cast_pairs(a, b, pairs, motions(), to.casts()), false);
        }
        const std::span<std::uint64_t> words(to.words);
        require(lanecull::separate_pairs(a, b, good, words.first(words.size() - 1)), false);
        lanecull::PairDistances some = to.distances();
        some.b_z = nullptr;
        require(lanecull::pair_distances(a, b, good, some), false);
        lanecull::PairMotions flat = motions();
        flat.y = nullptr;
        require(lanecull::cast_pairs(a, b, good, flat, to.casts()), false);
        check(to.untouched(), "a call that fails writes nothing");
    }

private:
    static void require(const lanecull::Status& status, bool good) {
        check(status.ok() == good, good ? "good arguments are taken" : "bad arguments are refused");
    }
    [[nodiscard]] lanecull::PairMotions motions() const {
        const auto& m = arguments_.motion;
        return {m[0].data(), m[1].data(), m[2].data()};
    }

    const Arguments& arguments_;
    lanecull::Isa isa_;
    HeapMemory memory_;
    lanecull::Batch a_, b_;
};

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

/// Pair i of `one` and pair j of `other`.
bool same_answers(const Outputs& one, std::size_t i, const PairAnswers& other, std::size_t j) {
    bool all = (one.words[i / 64] >> i % 64 & 1) == static_cast<std::uint64_t>(other.separated(j));
    all = all && same(one.lower[i], other.lower[j]) && same(one.upper[i], other.upper[j]);
    all = all && same(one.earliest[i], other.earliest[j]) && same(one.latest[i], other.latest[j]);
    for (std::size_t k = 0; k < 6; ++k) all = all && same(one.points[k][i], other.points[k][j]);
    return all;
}

void verify(const prove::PairSetting& setting) {
    Random random(1);
    prove::Plan plan;
    plan.isas.assign(runnable_isas().begin(), runnable_isas().end());
    prove::Tally tally;
    std::vector<std::string> failures;
    prove::Fingerprint answers;
    prove::Trial trial{random, plan, "fuzzed", tally, failures, answers};
    run_pairs(setting, trial);
    check(failures.empty(), "the answers hold", failures.empty() ? "" : failures.front());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const Arguments arguments(input);
    prove::PairSetting setting{arguments.kind_a, arguments.kind_b, arguments.hulls, {}};
    std::vector<std::size_t> clear;
    for (std::size_t i = 0; i < arguments.count(); ++i) {
        const std::optional<PairOfObjects> pair = arguments.pair(i);
        if (pair) setting.pairs.push_back(*pair), clear.push_back(i);
    }
    if (clear.empty()) return 0;
    verify(setting);

    for (const lanecull::Isa isa : runnable_isas()) {
        const Calls calls(arguments, isa);
        const PairAnswers alone = ask(setting, isa);
        const Outputs all = calls.ask(false), other = calls.ask(true);
        for (std::size_t j = 0; j < clear.size(); ++j) {
            const std::size_t i = clear[j];
            check(same_answers(all, i, alone, j), "answers depend on nothing but the pair", setting.describe(j));
            // Both are bounds of one distance. Where options were refused there are none.
            const bool measured = other.upper[i] != Outputs::unwritten;
            check(!measured || (other.lower[i] <= all.upper[i] && all.lower[i] <= other.upper[i]),
                  "options change no distance", setting.describe(j));
        }
        if (arguments.count() % 64 != 0) {
            check(all.words.back() >> arguments.count() % 64 == 0, "bits beyond the last pair are 0");
        }
        calls.refuse();
    }
    return 0;
}
