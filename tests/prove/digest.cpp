#include "prove/digest.hpp"

#include "pairs/cases.hpp"
#include "support/generate.hpp"

namespace prove {
namespace {

using lanecull::Isa;

constexpr std::size_t pairs_of_two_kinds = 64;

void add_pairs(Fingerprint& fingerprint, Random& random, Kind a, Kind b, Isa isa) {
    using namespace pair_tests;
    const Cases cases(random, a, b, pairs_of_two_kinds);
    const Batches batches(cases);
    fingerprint.add(
        std::span<const std::uint64_t>(run_separate(batches.a.shapes, batches.b.shapes, batches.pairs(), isa).words));
    lanecull::PairDistanceOptions options;
    options.isa = isa;
    const auto distances = run_distances(batches.a.shapes, batches.b.shapes, batches.pairs(), options);
    fingerprint.add(distances.lower);
    fingerprint.add(distances.upper);
    for (const std::vector<float>& points : distances.points) fingerprint.add(points);
    const auto casts = run_casts(batches, cases, isa);
    fingerprint.add(casts.earliest);
    fingerprint.add(casts.latest);
}

}  // namespace

std::uint64_t digest(Isa isa, std::span<const Family> families, std::uint64_t seed, std::uint64_t rounds) {
    Fingerprint fingerprint;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        for (const Family& family : families) {
            Random random(seed_of(family, seed, round));
            if (family.add_answers != nullptr) family.add_answers(fingerprint, random, isa);
        }
        Random random(seed + 0x9e3779b97f4a7c15u * (round + 1));
        for (const Kind a : all_kinds) {
            for (const Kind b : all_kinds) add_pairs(fingerprint, random, a, b, isa);
        }
    }
    return fingerprint.value();
}

}  // namespace prove
