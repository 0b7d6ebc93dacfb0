#include <gtest/gtest.h>

#include <vector>

#include <lanecull/occluder.h>

#include "support/culling.hpp"
#include "support/queries.hpp"

/// Cases with exact labels, on every instruction set: `visible` must be kept, `culled` must go, `either` may do both.

namespace {

bool is_visible(const Query& query, const lanecull::Batch& batch, const lanecull::View& view,
                const lanecull::CullOptions& options) {
    if (query.boxes.empty()) return run_cull(batch, view, options).visible(0);
    const std::vector<lanecull::Occluder> occluders = query.occluders();
    std::uint64_t word = 0;
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output{.visible = {&word, 1}, .occluders = occluders};
    const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return word == 1;
}

void expect_labels(const std::vector<Query>& queries) {
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::gjk_alone}) {
            SCOPED_TRACE(std::string(lanecull::isa_name(isa)) + " " + method_name(method));
            for (const Query& query : queries) {
                lanecull::View view;
                const lanecull::Status status = query.prepare(view);
                ASSERT_TRUE(status.ok()) << query.id << ": " << status.message();
                HeapMemory memory;
                const bool visible = is_visible(query, query.batch(memory), view, {.method = method, .isa = isa});
                if (query.expect == Query::Expect::visible) {
                    EXPECT_TRUE(visible) << "culled wrongly: " << query.id << " " << query.category;
                } else if (query.expect == Query::Expect::culled) {
                    EXPECT_FALSE(visible) << "kept for nothing: " << query.id << " " << query.category;
                }
            }
        }
    }
}

TEST(Queries, AreAnsweredAsLabelled) {
    const std::vector<Query> queries = read_queries();
    ASSERT_GT(queries.size(), 2000u);
    expect_labels(queries);
}

/// What others' users reported of their own libraries: cameras, planes, eyes, casters, occluders, gaps between them.
TEST(Queries, OfTheFieldAreAnsweredAsLabelled) {
    const std::vector<Query> queries = read_queries("field.jsonl");
    ASSERT_EQ(queries.size(), 25u);
    expect_labels(queries);
}

}  // namespace
