/// The same bytes by any runner: lanecull_threads. For platforms that cull/runner_test.cpp cannot be built for; it
/// needs the library and std::thread alone. Hostile objects of every kind of this build, in three views: bits, lists
/// and statistics by the serial runner, by threads that take tasks as they come (the example at lanecull::Runner), and
/// by threads of which each has tasks of its own, so that none can leave all of them to another. The exit status is 1
/// if a byte differs.

#include <array>
#include <cstdio>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <lanecull/cull.h>

#include "objects.hpp"
#include "report.hpp"
#include "support/new_threads.hpp"

namespace {

using lanecull::Batch;
using lanecull::Runner;
using lanecull::Task;
using lanecull::View;

constexpr std::uint32_t objects = 10'000;

/// Thread t does tasks t, t + threads, ... from the last to the first.
Runner on_own_tasks(const unsigned& threads) {
    return {const_cast<unsigned*>(&threads), [](void* self, std::uint32_t count, const Task* task) {
                const unsigned all = *static_cast<unsigned*>(self);
                const auto work = [=](unsigned t) {
                    for (std::uint32_t i = count; i-- > 0;) {
                        if (i % all == t) (*task)(i);
                    }
                };
                std::vector<std::thread> running;
                for (unsigned t = 0; t < all; ++t) running.emplace_back(work, t);
                for (std::thread& thread : running) thread.join();
            }};
}

/// What one view requests, and receives.
struct Result {
    std::vector<std::uint64_t> visible, inside;
    std::vector<std::uint32_t> indices;
    std::vector<lanecull::BatchRange> ranges;
    lanecull::Counts counts;

    bool operator==(const Result&) const = default;
};

using Results = std::array<Result, 3>;

lanecull::Status cull_all(std::span<const Batch> batches, std::span<const View> views, const Runner& runner,
                          Results& results) {
    std::array<lanecull::Explanation, 3> why;
    std::array<lanecull::Output, 3> outputs;
    results = {};
    for (std::size_t v = 0; v < results.size(); ++v) {
        Result& to = results[v];
        to.visible.resize(lanecull::visibility_words(batches));
        to.inside.resize(lanecull::visibility_words(batches));
        to.indices.resize(batches.size() * objects);
        to.ranges.resize(batches.size());
        outputs[v] = {.visible = to.visible,
                      .indices = to.indices,
                      .inside = to.inside,
                      .batch_ranges = to.ranges,
                      .explanation = &why[v]};
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, views.size()));
    const lanecull::Status status = lanecull::cull(batches, views, outputs, scratch, {.runner = runner});
    for (std::size_t v = 0; v < results.size(); ++v) results[v].counts = why[v].counts;
    return status;
}

}  // namespace

int main() {
    const HostileView around[] = {HostileView(1), HostileView(2), HostileView(3)};
    std::vector<View> views;
    for (const HostileView& one : around) views.push_back(one.view);
    PortableRandom random(7);
    std::vector<std::unique_ptr<HostileBatch>> hostile;
    std::vector<Batch> batches;  // of the kinds that this build has
    Results serial;
    for (std::uint32_t kind = 0; kind < HostileBatch::kinds; ++kind) {
        hostile.push_back(std::make_unique<HostileBatch>(kind, objects, around[kind % 3], random));
        const Batch batch = hostile.back()->batch();
        if (cull_all({&batch, 1}, views, {}, serial).code != lanecull::StatusCode::unsupported)
            batches.push_back(batch);
    }

    expect_ok(cull_all(batches, views, {}, serial), "one thread");
    for (const Result& result : serial) expect(result.counts.visible() > 0, "something is visible");
    for (const unsigned threads : {2u, 3u, 8u}) {
        for (const Runner& runner : {on_new_threads(threads), on_own_tasks(threads)}) {
            Results other;
            expect_ok(cull_all(batches, views, runner, other), "several threads");
            expect(other == serial, "threads come to the same bytes as one");
        }
    }
    std::printf("%zu kinds, %u objects of each in 3 views: the same bytes by any runner: %s\n", batches.size(), objects,
                hold ? "yes" : "no");
    return hold ? 0 : 1;
}
