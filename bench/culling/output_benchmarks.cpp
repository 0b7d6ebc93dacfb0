#include <lanecull/cull.h>
#include <span>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/camera.hpp"
#include "workloads/random.hpp"
#include "workloads/workload.hpp"

/// What outputs cost, apart from deciding: a million objects, one in ten visible, all of them by their flags alone.
/// "outputs/bits" is the floor that the others stand on.

namespace bench {
namespace {

enum class Wanted { bits, indices, draws_per_batch, draws_per_object, runs };

constexpr std::pair<Wanted, const char*> all_wanted[] = {{Wanted::bits, "bits"},
                                                         {Wanted::indices, "indices"},
                                                         {Wanted::draws_per_batch, "draws_per_batch"},
                                                         {Wanted::draws_per_object, "draws_per_object"},
                                                         {Wanted::runs, "runs"}};

constexpr std::uint32_t object_count = 1'000'000;

struct FlaggedObjects {
    std::vector<float> zeros = std::vector<float>(object_count, 0.0f);
    std::vector<std::uint32_t> flags = std::vector<std::uint32_t>(object_count);
    std::vector<lanecull::DrawCommand> templates = std::vector<lanecull::DrawCommand>(object_count);

    FlaggedObjects() {
        Random random(1);
        for (std::uint32_t& flag : flags) {
            flag = random.uniform(0, 1) < 0.1 ? lanecull::object_always_visible : lanecull::object_disabled;
        }
    }

    [[nodiscard]] lanecull::Batch batch(lanecull::DrawTemplates::Per per) const {
        const float* zero = zeros.data();
        lanecull::Batch batch(lanecull::Spheres{zero, zero, zero, zero, object_count}, {.flags = flags.data()});
        batch.draws = {templates.data(), per};
        return batch;
    }
};

/// What an order adds to an index list: a million boxes, placed uniformly in a view that sees one in ten.
void measure_order(benchmark::State& state, lanecull::ListOrder order, lanecull::Isa isa) {
    const Workload& objects = workload({Shape::box, Placement::uniform, object_count});
    static const std::vector<std::uint32_t> keys = [] {
        Random random(7);
        std::vector<std::uint32_t> numbers(object_count);
        for (std::uint32_t& key : numbers) key = static_cast<std::uint32_t>(random.uniform(0, 200));
        return numbers;
    }();
    const lanecull::Batch batch = objects.batch();
    const std::span batches(&batch, 1);
    const lanecull::View view = prepare(standard_camera());
    std::vector<std::uint32_t> indices(object_count);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1) + lanecull::order_bytes(batches, 1));
    lanecull::Output output{.indices = indices, .order = order, .keys = keys};
    const auto pass = [&] {
        const lanecull::Status status = lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, object_count, objects.bytes_per_object(), 1, pass, [&] { return output.visible_count; });
}

constexpr std::pair<lanecull::ListOrder, const char*> all_orders[] = {
    {lanecull::ListOrder::ascending, "ascending"},
    {lanecull::ListOrder::front_to_back, "front_to_back"},
    {lanecull::ListOrder::back_to_front, "back_to_front"},
    {lanecull::ListOrder::by_key, "by_key"}};

void measure_output(benchmark::State& state, Wanted wanted, lanecull::Isa isa) {
    static const FlaggedObjects objects;
    const auto per =
        wanted == Wanted::draws_per_object ? lanecull::DrawTemplates::Per::object : lanecull::DrawTemplates::Per::batch;
    const lanecull::Batch batch = objects.batch(per);
    const std::span batches(&batch, 1);
    const lanecull::View view = prepare(standard_camera());
    std::vector<std::uint64_t> bits(lanecull::visibility_words(batches));
    std::vector<std::uint32_t> indices(object_count / 8);
    std::vector<lanecull::VisibleRun> runs(object_count / 8);
    std::vector<lanecull::DrawCommand> draws(object_count / 8);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output output{.visible = bits};
    if (wanted == Wanted::indices) output.indices = indices;
    if (wanted == Wanted::runs) output.runs = runs;
    if (wanted == Wanted::draws_per_batch || wanted == Wanted::draws_per_object) {
        output.draws.memory = draws;
    }
    const auto pass = [&] {
        const lanecull::Status status = lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, object_count, sizeof(std::uint32_t), 1, pass, [&] { return output.visible_count; });
}

}  // namespace

void register_output_benchmarks() {
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const auto& [wanted, name] : all_wanted) {
            const std::string title = std::string("outputs/") + name + '/' + lanecull::isa_name(isa);
            benchmark::RegisterBenchmark(title.c_str(), measure_output, wanted, isa)->Unit(benchmark::kMicrosecond);
        }
        for (const auto& [order, name] : all_orders) {
            const std::string title = std::string("lists/") + name + '/' + lanecull::isa_name(isa);
            benchmark::RegisterBenchmark(title.c_str(), measure_order, order, isa)->Unit(benchmark::kMicrosecond);
        }
    }
}

}  // namespace bench
