/// Runs the library on labelled cases and on hostile objects, and prints what it makes of them, for platforms that the
/// other tests cannot be built for: lanecull_conformance CASES ISA [OBJECTS [BITS]]
///   CASES    the labelled cases, as pack_cases writes them
///   ISA      the instruction set
///   OBJECTS  how many hostile objects, 200,000 if not given
///   BITS     a file for the hostile objects' visible and inside bits
/// What is printed is the same on every platform, but for whether a set rounds a product and a sum once or twice
/// (rounded_once.txt, rounded_twice.txt). The exit status is 1 if a label or a property of the
/// lanes does not hold, or the caller's floating-point modes change a result.

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "caller_modes.hpp"
#include "cases.hpp"
#include "checksum.hpp"
#include "cull/kernel_work.hpp"
#include "hostile.hpp"
#include "lanes_check.hpp"
#include "view/prepared_view.hpp"

namespace {

using lanecull::Isa;
using lanecull::Method;

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
bool labels_hold(const std::vector<LabelledCase>& cases, Isa isa) {
    bool hold = true;
    for (const Method method : {Method::automatic, lanecull::gjk_alone}) {
        const char* const name = method == lanecull::gjk_alone ? "gjk" : "automatic";
        const Answers usual = ask_all(cases, {.method = method, .isa = isa});
        std::printf("labelled cases, %s: %zu, %u wrong, %u failed, %u culled, %u certified\n", name, cases.size(),
                    usual.wrong, usual.failed, usual.culled, usual.certified);
        std::printf("  views %016llx verdicts %016llx\n", usual.views.value(), usual.verdicts.value());
        hold &= usual.wrong == 0 && usual.failed == 0 && usual.culled == usual.certified;
        for (const CallerModes& modes : all_caller_modes) {
            Answers there;
            bool kept = false;
            {
                const WithCallerModes with(modes);
                there = ask_all(cases, {.method = method, .isa = isa});
                kept = with.kept();
            }
            const bool same =
                kept && there.views.value() == usual.views.value() && there.verdicts.value() == usual.verdicts.value();
            if (!same) std::printf("  changed by the caller's modes: %s\n", modes.name);
            hold &= same;
        }
    }
    return hold;
}

/// 64 words of each kind in each view.
bool ask_hostile(std::uint64_t objects, Isa isa, std::FILE* bits) {
    constexpr std::uint32_t a_batch = 4'096;
    constexpr const char* names[] = {"spheres",  "boxes", "centered boxes", "oriented boxes",
                                     "capsules", "hulls", "box instances"};
    Checksum views, visible_bits[HostileBatch::kinds], inside_bits[HostileBatch::kinds];
    std::uint64_t visible_count[HostileBatch::kinds] = {}, asked = 0;
    for (std::uint32_t seed = 1; asked < objects; ++seed) {
        const HostileView around(seed);
        if (!around.status) {
            std::printf("view %u: %s\n", seed, around.status.message().text);
            return false;
        }
        views.add(contents_of(around.view));
        PortableRandom random(~std::uint64_t{seed});
        for (std::uint32_t kind = 0; kind < HostileBatch::kinds; ++kind) {
            const HostileBatch hostile(kind, a_batch, around, random);
            const lanecull::Batch batch = hostile.batch();
            std::vector<std::uint64_t> visible(a_batch / 64), inside(a_batch / 64);
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::Output output{.visible = visible, .inside = inside};
            const lanecull::Status status =
                lanecull::cull({&batch, 1}, {&around.view, 1}, {&output, 1}, scratch, {.isa = isa});
            if (!status || batch.count() != a_batch) {
                std::printf("view %u, %s: %s\n", seed, names[kind], status.message().text);
                return false;
            }
            visible_bits[kind].add(std::span<const std::uint64_t>(visible));
            inside_bits[kind].add(std::span<const std::uint64_t>(inside));
            visible_count[kind] += output.visible_count;
            asked += a_batch;
            if (bits == nullptr) continue;
            if (std::fwrite(visible.data(), 8, visible.size(), bits) != visible.size() ||
                std::fwrite(inside.data(), 8, inside.size(), bits) != inside.size()) {
                return false;
            }
        }
    }
    std::printf("hostile objects: %llu, views %016llx\n", static_cast<unsigned long long>(asked), views.value());
    for (std::uint32_t kind = 0; kind < HostileBatch::kinds; ++kind) {
        std::printf("  %s: %llu visible, bits %016llx, inside %016llx\n", names[kind],
                    static_cast<unsigned long long>(visible_count[kind]), visible_bits[kind].value(),
                    inside_bits[kind].value());
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Isa isa = Isa::automatic;
    if (argc < 3 || argc > 5 || !lanecull::isa_from_name(argv[2], isa)) {
        std::fprintf(stderr, "usage: lanecull_conformance CASES ISA [OBJECTS [BITS]]\n");
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
    const std::uint64_t objects = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 200'000;
    using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    const File bits(argc > 4 ? std::fopen(argv[4], "wb") : nullptr,
                    [](std::FILE* f) { return f ? std::fclose(f) : 0; });
    if (argc > 4 && bits == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", argv[4]);
        return 2;
    }
    bool hold = lanes_hold(isa);
    hold &= labels_hold(cases, isa);
    hold &= ask_hostile(objects, isa, bits.get());
    return hold ? 0 : 1;
}
