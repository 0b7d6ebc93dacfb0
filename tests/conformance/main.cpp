/// Runs the library on labelled cases and on hostile objects, and prints what it makes of them, for platforms that the
/// other tests cannot be built for: lanecull_conformance CASES ISA [OBJECTS]
///   CASES    the labelled cases, as pack_cases writes them
///   ISA      the instruction set
///   OBJECTS  how many hostile objects, 200,000 if not given
/// What is printed is the same on every platform, but for whether a set rounds a product and a sum once or twice
/// (rounded_once.txt, rounded_twice.txt). The exit status is 1 if a label or a property of the
/// lanes does not hold, or the caller's floating-point modes change a result.

#include <cstdio>
#include <cstdlib>

#include <lanecull/lanecull.h>
#include <lanecull/gjk.hpp>

#include "caller_modes.hpp"
#include "calls/compiled_sets.hpp"
#include "cull/kernel_work.hpp"
#include "lanes_check.hpp"
#include "objects.hpp"
#include "report.hpp"
#include "view/prepared_view.hpp"

// The interface compiles with every standard library: all of its headers, and the templates that need what some
// standard libraries lack.
template class lanecull::gjk::Hull<float, 3>;  // std::atomic_ref
template class lanecull::gjk::Hull<double, 2>;

namespace {

using lanecull::Isa;
using lanecull::Method;

template <Isa... isas>
bool lanes_hold(Isa wanted) {
    return ((isas != wanted || LanesCheck<isas>::hold()) && ...);
}

/// What the labelled cases came to.
struct Answers {
    Checksum views, verdicts;
    unsigned wrong = 0, failed = 0, culled = 0, certified = 0;
};

Answers ask_all(const std::vector<LabelledCase>& cases, const lanecull::CullOptions& options) {
    Answers answers;
    for (const LabelledCase& one : cases) {
        lanecull::View view;
        bool visible = false;
        lanecull::Certificate certificate;
        if (!one.prepare(view) || !one.ask(view, options, visible, certificate)) {
            ++answers.failed;
            continue;
        }
        answers.views.add(contents_of(view));
        answers.verdicts.add(visible);
        answers.culled += visible ? 0 : 1;
        answers.certified += is_culled(certificate.reason) ? 1 : 0;
        answers.wrong += one.expect == LabelledCase::Expect::visible && !visible ? 1 : 0;
        answers.wrong += one.expect == LabelledCase::Expect::culled && visible ? 1 : 0;
    }
    return answers;
}

/// By both exact methods, in all of a caller's modes.
void ask_labels(const std::vector<LabelledCase>& cases, Isa isa) {
    for (const Method method : {Method::automatic, lanecull::gjk_alone}) {
        const char* const name = method == lanecull::gjk_alone ? "gjk" : "automatic";
        const Answers usual = ask_all(cases, {.method = method, .isa = isa});
        std::printf("labelled cases, %s: %zu, %u wrong, %u failed, %u culled, %u certified\n", name, cases.size(),
                    usual.wrong, usual.failed, usual.culled, usual.certified);
        std::printf("  views %016llx verdicts %016llx\n", usual.views.value(), usual.verdicts.value());
        expect(usual.wrong == 0 && usual.failed == 0 && usual.culled == usual.certified, name);
        for (const std::uint64_t modes : caller_modes(false)) {
            Answers there;
            bool kept = false;
            {
                const WithCallerModes with(modes);
                there = ask_all(cases, {.method = method, .isa = isa});
                kept = with.kept();
            }
            expect(
                kept && there.views.value() == usual.views.value() && there.verdicts.value() == usual.verdicts.value(),
                "the caller's modes change nothing");
        }
    }
}

/// 64 words of each kind in each view.
void ask_hostile(std::uint64_t objects, Isa isa) {
    constexpr std::uint32_t a_batch = 4'096;
    constexpr const char* names[] = {"spheres",  "boxes", "centered boxes", "oriented boxes",
                                     "capsules", "hulls", "box instances"};
    Checksum views, visible_bits[HostileBatch::kinds], inside_bits[HostileBatch::kinds];
    std::uint64_t visible_count[HostileBatch::kinds] = {}, asked = 0;
    for (std::uint32_t seed = 1; asked < objects; ++seed) {
        const HostileView around(seed);
        expect_ok(around.status, "view");
        views.add(contents_of(around.view));
        PortableRandom random(~std::uint64_t{seed});
        for (std::uint32_t kind = 0; kind < HostileBatch::kinds; ++kind) {
            const HostileBatch hostile(kind, a_batch, around, random);
            const lanecull::Batch batch = hostile.batch();
            std::vector<std::uint64_t> visible(a_batch / 64), inside(a_batch / 64);
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::Output output{.visible = visible, .inside = inside};
            expect(batch.count() == a_batch, names[kind]);
            expect_ok(lanecull::cull({&batch, 1}, {&around.view, 1}, {&output, 1}, scratch, {.isa = isa}), names[kind]);
            visible_bits[kind].add(std::span<const std::uint64_t>(visible));
            inside_bits[kind].add(std::span<const std::uint64_t>(inside));
            visible_count[kind] += output.visible_count;
            asked += a_batch;
        }
    }
    std::printf("hostile objects: %llu, views %016llx\n", static_cast<unsigned long long>(asked), views.value());
    for (std::uint32_t kind = 0; kind < HostileBatch::kinds; ++kind) {
        std::printf("  %s: %llu visible, bits %016llx, inside %016llx\n", names[kind],
                    static_cast<unsigned long long>(visible_count[kind]), visible_bits[kind].value(),
                    inside_bits[kind].value());
    }
}

}  // namespace

int main(int argc, char** argv) {
    Isa isa = Isa::automatic;
    if (argc < 3 || argc > 4 || !lanecull::isa_from_name(argv[2], isa)) {
        std::fprintf(stderr, "usage: lanecull_conformance CASES ISA [OBJECTS]\n");
        return 2;
    }
    if (const lanecull::Status status = lanecull::resolve_isa(isa, isa); !status) {
        std::fprintf(stderr, "%s\n", status.message().text);
        return 77;
    }
    const std::vector<LabelledCase> cases = read_cases(argv[1]);
    if (cases.empty()) {
        std::fprintf(stderr, "no labelled cases: %s\n", argv[1]);
        return 2;
    }
    using enum lanecull::Isa;
    expect(lanes_hold<LANECULL_SETS>(isa), "lanes");
    ask_labels(cases, isa);
    ask_hostile(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 200'000, isa);
    return hold ? 0 : 1;
}
