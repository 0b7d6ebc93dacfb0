#include <algorithm>
#include <string>

#include "culling/benchmarks.hpp"
#include "culling/cull_run.hpp"
#include "culling/measure.hpp"

namespace bench {
namespace {

using lanecull::Isa;
using lanecull::Method;

constexpr std::pair<Method, const char*> methods[] = {
    {Method::automatic, "automatic"}, {Method::planes, "planes"}, {gjk_alone, "gjk"}};
constexpr Placement placements[] = {Placement::uniform, Placement::straddle};

std::vector<Isa> runnable_isas() {
    std::vector<Isa> isas;
    std::ranges::copy_if(lanecull::all_isas, std::back_inserter(isas), lanecull::isa_runnable);
    return isas;
}

void add(const std::string& name, const CullRun& run) {
    benchmark::RegisterBenchmark(name.c_str(), measure_cull, run)->Unit(benchmark::kMicrosecond);
}

void add_cull(const CullRun& run, const char* method, const char* size) {
    add(std::string("cull/") + name(run.key.shape) + '/' + name(run.key.placement) + '/' + method + '/' +
            lanecull::isa_name(run.isa) + "/threads:" + std::to_string(run.threads) + size,
        run);
}

/// From other levels of memory than the standard 100,000 objects come from.
void add_other_sizes(Isa isa) {
    for (const auto& [count, suffix] : other_sizes)
        for (const Shape shape : {Shape::sphere, Shape::box})
            for (const int threads : thread_counts())
                add_cull({.key = {shape, Placement::uniform, count}, .isa = isa, .threads = threads}, "automatic",
                         suffix);
    for (const Shape shape : {Shape::obb, Shape::obb_bare})
        add_cull({.key = {shape, Placement::uniform, 9'984}, .isa = isa}, "automatic", "/10k");
    for (const Shape shape : {Shape::sphere, Shape::box, Shape::obb})
        add_cull({.key = {shape, Placement::straddle, 9'984}, .isa = isa}, "automatic", "/10k");
    for (const Shape shape : {Shape::sphere, Shape::box, Shape::obb, Shape::capsule, Shape::hull32})
        for (const Placement placement : placements)
            for (const int threads : thread_counts())
                if (placement == Placement::straddle || !(shape == Shape::sphere || shape == Shape::box))
                    add_cull({.key = {shape, placement, 1'000'000}, .isa = isa, .threads = threads}, "automatic",
                             "/1M");
    for (const Shape shape : {Shape::sphere, Shape::box})
        for (const int threads : thread_counts())
            add_cull(
                {.key = {.shape = shape, .placement = Placement::uniform, .count = 10'000'000, .large_pages = true},
                 .isa = isa,
                 .threads = threads},
                "automatic", "/10M/2MB");
}

}  // namespace

void register_cull_benchmarks() {
    for (const Isa isa : runnable_isas()) {
        for (const Shape shape : all_shapes)
            for (const Placement placement : placements)
                for (const auto& [method, method_name] : methods)
                    for (const int threads : thread_counts())
                        add_cull({.key = {shape, placement}, .method = method, .isa = isa, .threads = threads},
                                 method_name, "");
        for (const Shape shape : {Shape::hull32_many, Shape::hull32_mixed})
            for (const Placement placement : placements)
                for (const Method method : {Method::automatic, gjk_alone})
                    add_cull({.key = {shape, placement}, .method = method, .isa = isa},
                             method == Method::automatic ? "automatic" : "gjk", "");
        for (const Placement placement : placements)
            add(std::string("list/sphere/") + name(placement) + '/' + lanecull::isa_name(isa),
                {.key = {Shape::sphere, placement}, .isa = isa, .list = true});
        add_other_sizes(isa);
    }
}

}  // namespace bench
