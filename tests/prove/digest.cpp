#include "prove/digest.hpp"

#include <bit>

#include "pairs/cases.hpp"
#include "prove/figures.hpp"
#include "prove/trial.hpp"
#include "prove/verdicts.hpp"
#include "support/generate.hpp"

namespace prove {
namespace {

using lanecull::Isa;
using lanecull::Method;

constexpr std::size_t objects_of_a_kind = 480;
constexpr std::size_t pairs_of_two_kinds = 64;

/// FNV-1a, 64 bits.
class Fingerprint {
public:
    void add(std::uint64_t value, int bytes = 8) {
        for (int k = 0; k < bytes; ++k) value_ = (value_ ^ (value >> 8 * k & 0xff)) * 0x100000001b3u;
    }
    void add(float value) { add(std::bit_cast<std::uint32_t>(value), 4); }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::span<const float> values) {
        for (const float value : values) add(value);
    }
    void add(std::span<const std::uint64_t> words) {
        for (const std::uint64_t word : words) add(word);
    }
    void add(const Verdicts& verdicts) {
        add(std::span<const std::uint64_t>(verdicts.words));
        for (const lanecull::Certificate& certificate : verdicts.certificates) {
            add(static_cast<std::uint64_t>(certificate.reason), 1);
            add(static_cast<std::uint64_t>(certificate.steps), 1);
            add(certificate.far);
            add(certificate.gap);
            for (const double component : certificate.direction) add(component);
        }
        const auto counts =
            std::bit_cast<std::array<std::uint64_t, sizeof(lanecull::Statistics) / 8>>(verdicts.statistics);
        add(std::span<const std::uint64_t>(counts));
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

void add_solids(Fingerprint& fingerprint, const Setting& setting, Isa isa) {
    for (const Kind kind : all_kinds) {
        for (const bool bounds : {false, true}) {
            if (bounds && setting.invalid) continue;
            HeapMemory memory;
            const lanecull::Batch batch =
                make_batch(kind, setting.objects[static_cast<std::size_t>(kind)], setting.hulls, memory,
                           {.bounds = bounds, .streams = {.margin = setting.grown, .sweep = setting.grown}});
            for (const Method method : {Method::automatic, Method::planes, Method::gjk}) {
                fingerprint.add(verdicts_of(batch, setting.view, isa, method));
            }
        }
    }
}

void add_figures(Fingerprint& fingerprint, const FigureSetting& setting, Isa isa) {
    for (const flat_tests::Kind kind : flat_tests::all_kinds) {
        HeapMemory memory;
        const lanecull::flat::Batch batch =
            make_batch(kind, setting.objects[static_cast<std::size_t>(kind)], setting.polygon, memory);
        for (const Method method : {Method::automatic, Method::planes}) {
            fingerprint.add(verdicts_of(batch, setting.view.view, isa, method));
        }
    }
}

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
            if (family.make_figures != nullptr) {
                if (const auto setting = family.make_figures(random, objects_of_a_kind))
                    add_figures(fingerprint, *setting, isa);
            } else if (const auto setting = family.make(random, objects_of_a_kind)) {
                add_solids(fingerprint, *setting, isa);
            }
        }
        Random random(seed + 0x9e3779b97f4a7c15u * (round + 1));
        for (const Kind a : all_kinds) {
            for (const Kind b : all_kinds) add_pairs(fingerprint, random, a, b, isa);
        }
    }
    return fingerprint.value();
}

}  // namespace prove
