#include "support/culling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

std::vector<ViewResult> run_cull(std::span<const lanecull::Batch> batches, std::span<const lanecull::View> views,
                                 const lanecull::CullOptions& options) {
    std::size_t objects = 0;
    for (const lanecull::Batch& batch : batches) objects += batch.count();
    std::vector<ViewResult> results(views.size());
    std::vector<lanecull::Output> outputs(views.size());
    std::vector<lanecull::Explanation> whys(views.size());
    for (std::size_t v = 0; v < views.size(); ++v) {
        results[v].words.assign(lanecull::visibility_words(batches), ~std::uint64_t{0});
        results[v].indices.assign(objects, 0);
        outputs[v].visible = results[v].words, outputs[v].indices = results[v].indices;
        outputs[v].explanation = &whys[v];
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, views.size()));
    const lanecull::Status status = lanecull::cull(batches, views, outputs, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    for (std::size_t v = 0; v < views.size(); ++v) {
        results[v].visible_count = outputs[v].visible_count;
        results[v].counts = whys[v].counts;
        results[v].indices.resize(std::min<std::size_t>(objects, outputs[v].visible_count));
    }
    return results;
}

ViewResult run_cull(const lanecull::Batch& batch, const lanecull::View& view, const lanecull::CullOptions& options) {
    return run_cull({&batch, 1}, {&view, 1}, options).front();
}

std::span<const lanecull::Isa> runnable_isas() {
    static const std::vector<lanecull::Isa> isas = [] {
        std::vector<lanecull::Isa> runnable;
        for (const lanecull::Isa isa : lanecull::all_isas) {
            if (lanecull::isa_runnable(isa)) runnable.push_back(isa);
        }
        return runnable;
    }();
    return isas;
}

std::string isa_label(lanecull::Isa isa) {
    std::string label = lanecull::isa_name(isa);
    std::erase_if(label, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
    return label;
}

const char* method_name(lanecull::Method method) {
    return method == lanecull::gjk_alone ? "gjk" : method == lanecull::Method::planes ? "planes" : "automatic";
}
