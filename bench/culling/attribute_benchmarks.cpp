#include <string>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/cull_run.hpp"

/// What objects' attributes cost: the same uniform boxes and spheres with one of them at a time. "none" is the floor.

namespace bench {
namespace {

struct AttributeStreams {
    static constexpr std::uint32_t count = 100'000;
    std::vector<std::uint32_t> zeros = std::vector<std::uint32_t>(count, 0),
                               ones = std::vector<std::uint32_t>(count, 1);
    std::vector<float> small = std::vector<float>(count, 0.1f), large = std::vector<float>(count, 600.0f);
};

constexpr const char* all_attributes[] = {"none",  "flags",        "layers",       "margin",
                                          "sweep", "max_distance", "min_distance", "all"};

lanecull::Attributes attributes_named(const std::string& name) {
    static const AttributeStreams streams;
    const bool all = name == "all";
    lanecull::Attributes a;
    if (all || name == "flags") a.flags = streams.zeros.data();
    if (all || name == "layers") a.layers = streams.ones.data();
    if (all || name == "margin") a.margin = streams.small.data();
    if (all || name == "sweep") a.sweep_x = a.sweep_y = a.sweep_z = streams.small.data();
    if (all || name == "max_distance") a.max_distance = streams.large.data();
    if (all || name == "min_distance") a.min_distance = streams.small.data();
    return a;
}

}  // namespace

void register_attribute_benchmarks() {
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const Shape shape : {Shape::sphere, Shape::box}) {
            for (const char* attribute : all_attributes) {
                const std::string title =
                    std::string("attributes/") + name(shape) + '/' + attribute + '/' + lanecull::isa_name(isa);
                const CullRun run{.key = {shape, Placement::uniform, AttributeStreams::count},
                                  .isa = isa,
                                  .attributes = attributes_named(attribute)};
                benchmark::RegisterBenchmark(title.c_str(), measure_cull, run)->Unit(benchmark::kMicrosecond);
            }
        }
    }
}

}  // namespace bench
