#include <gtest/gtest.h>

#include "support/culling.hpp"
#include "support/queries.hpp"

/// Cases with exact labels, on every instruction set: `visible` must be kept, `culled` must go, `either` may do both.

namespace {

TEST(Queries, AreAnsweredAsLabelled) {
    const std::vector<Query> queries = read_queries();
    ASSERT_GT(queries.size(), 2000u);
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::Method::gjk}) {
            SCOPED_TRACE(std::string(lanecull::isa_name(isa)) + " " + method_name(method));
            for (const Query& query : queries) {
                lanecull::View view;
                const lanecull::Status status = query.prepare(view);
                ASSERT_TRUE(status.ok()) << query.id << ": " << status.message();
                HeapMemory memory;
                const lanecull::Batch batch = query.batch(memory);
                const bool visible = run_cull(batch, view, {.method = method, .isa = isa}).visible(0);
                if (query.expect == Query::Expect::visible) {
                    EXPECT_TRUE(visible) << "culled wrongly: " << query.id << " " << query.category;
                } else if (query.expect == Query::Expect::culled) {
                    EXPECT_FALSE(visible) << "kept for nothing: " << query.id << " " << query.category;
                }
            }
        }
    }
}

}  // namespace
