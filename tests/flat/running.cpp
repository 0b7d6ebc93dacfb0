#include "flat/running.hpp"

#include <gtest/gtest.h>

#include "support/culling.hpp"

namespace flat_tests {

namespace flat = lanecull::flat;

std::vector<FlatResult> run_flat(std::span<const flat::Batch> batches, std::span<const flat::View> views,
                                 const lanecull::CullOptions& options) {
    std::size_t objects = 0;
    for (const flat::Batch& batch : batches) objects += batch.count();
    std::vector<FlatResult> results(views.size());
    std::vector<lanecull::Output> outputs(views.size());
    std::vector<lanecull::Explanation> whys(views.size());
    for (std::size_t v = 0; v < views.size(); ++v) {
        FlatResult& result = results[v];
        result.words.assign(flat::visibility_words(batches), ~std::uint64_t{0});
        result.inside_words = result.words;
        result.indices.assign(objects, 0);
        result.runs.assign(objects, {});
        outputs[v].visible = result.words;
        outputs[v].inside = result.inside_words;
        outputs[v].indices = result.indices;
        outputs[v].runs = result.runs;
        outputs[v].explanation = &whys[v];
    }
    std::vector<std::byte> scratch(flat::scratch_bytes(batches, views.size()));
    const lanecull::Status status = flat::cull(batches, views, outputs, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    for (std::size_t v = 0; v < views.size(); ++v) {
        results[v].visible_count = outputs[v].visible_count;
        results[v].counts = whys[v].counts;
        results[v].indices.resize(outputs[v].visible_count);
        results[v].runs.resize(outputs[v].run_count);
        expect_complete(results[v].counts, objects);
    }
    return results;
}

FlatResult run_flat(const flat::Batch& batch, const flat::View& view, const lanecull::CullOptions& options) {
    return run_flat({&batch, 1}, {&view, 1}, options).front();
}

}  // namespace flat_tests
