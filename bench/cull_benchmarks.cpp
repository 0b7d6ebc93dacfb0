#include <algorithm>
#include <string>
#include <thread>

#include "benchmarks.hpp"
#include "cull_run.hpp"

namespace bench {
namespace {

using lanecull::Isa;
using lanecull::Method;

constexpr std::pair<Method, const char*> methods[] = {
    {Method::automatic, "automatic"}, {Method::planes, "planes"}, {Method::gjk, "gjk"}};
constexpr Placement placements[] = {Placement::uniform, Placement::straddle};

/// 1, 2, 4, ... and all of the machine's.
std::vector<int> thread_counts() {
    const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<int> counts;
    for (int n = 1; n < all; n *= 2) counts.push_back(n);
    counts.push_back(all);
    return counts;
}

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
    for (const int threads : thread_counts())
        for (const Shape shape : {Shape::sphere, Shape::box})
            add_cull({.key = {shape, Placement::uniform, 10'000'000}, .isa = isa, .threads = threads}, "automatic",
                     "/10M");
    for (const Shape shape : {Shape::sphere, Shape::box, Shape::obb, Shape::obb_bare})
        add_cull({.key = {shape, Placement::uniform, 9'984}, .isa = isa}, "automatic", "/10k");
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
        for (const Placement placement : placements)
            add(std::string("list/sphere/") + name(placement) + '/' + lanecull::isa_name(isa),
                {.key = {Shape::sphere, placement}, .isa = isa, .list = true});
        add_other_sizes(isa);
    }
}

}  // namespace bench
