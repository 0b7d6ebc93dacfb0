#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <lanecull/library.h>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"

/// The zones of calls: each begun and ended once, nested, on the thread that does the work.

namespace {

using lanecull::Runner;
using lanecull::Zone;

/// Checks the nesting and counts what came by.
class Recorder {
public:
    [[nodiscard]] lanecull::ZoneCallbacks callbacks() {
        return {this, [](void* self, const Zone& zone) { static_cast<Recorder*>(self)->begin(zone); },
                [](void* self, const Zone& zone) { static_cast<Recorder*>(self)->end(zone); }};
    }

    void begin(const Zone& zone) {
        const std::lock_guard lock(mutex_);
        open_[std::this_thread::get_id()].push_back(zone);
        if (zone.level == Zone::Level::phase) {
            phases.emplace_back(zone.name);
            counts.push_back(zone.index);
            ranges.emplace_back();
        } else {
            EXPECT_EQ(phases.back(), zone.name);
            EXPECT_TRUE(ranges.back().insert(zone.index).second) << "range " << zone.index << " twice";
        }
    }
    void end(const Zone& zone) {
        const std::lock_guard lock(mutex_);
        std::vector<Zone>& open = open_[std::this_thread::get_id()];
        ASSERT_FALSE(open.empty());
        EXPECT_EQ(open.back().name, zone.name);
        EXPECT_EQ(open.back().level, zone.level);
        EXPECT_EQ(open.back().index, zone.index);
        open.pop_back();
    }

    void expect_complete() const {
        for (const auto& [thread, open] : open_) EXPECT_TRUE(open.empty());
        for (std::size_t p = 0; p < phases.size(); ++p) EXPECT_EQ(ranges[p].size(), counts[p]) << phases[p];
    }

    std::vector<std::string> phases;
    std::vector<std::uint32_t> counts;
    std::vector<std::set<std::uint32_t>> ranges;

private:
    std::mutex mutex_;
    std::map<std::thread::id, std::vector<Zone>> open_;
};

/// A cull that writes indices.
struct Call {
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    lanecull::View view;

    Call() {
        Random random(5);
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        view = prepared.view;
        const HullSet hulls = random_hulls(random, 2);
        const auto objects = random_objects(random, Kind::sphere, prepared.camera, 30'000, hulls);
        batches.push_back(make_batch(Kind::sphere, objects, hulls, memory));
    }

    [[nodiscard]] std::vector<std::uint32_t> indices(const Runner& runner) const {
        std::vector<std::uint32_t> list(30'000);
        std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
        lanecull::Output output;
        output.indices = list;
        EXPECT_TRUE(lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, {.runner = runner}));
        list.resize(output.visible_count);
        return list;
    }
};

TEST(Zones, OfACullAreItsPhasesAndRanges) {
    const Call call;
    const unsigned threads = 3;
    const std::vector<std::uint32_t> expected = call.indices(lanecull::Runner{});
    for (const Runner& runner : {lanecull::Runner{}, on_new_threads(threads)}) {
        Recorder recorder;
        lanecull::ZonedRunner zoned(recorder.callbacks(), runner);
        EXPECT_EQ(call.indices(zoned), expected);
        EXPECT_EQ(recorder.phases, (std::vector<std::string>{"cull", "write lists"}));
        recorder.expect_complete();
        EXPECT_GT(recorder.counts[0], 1u);
    }
}

TEST(Zones, OfTasksWithoutANameHaveOne) {
    Recorder recorder;
    lanecull::ZonedRunner zoned(recorder.callbacks());
    const Runner runner = zoned;
    int calls = 0;
    const lanecull::Task task{[](void* context, std::uint32_t) { ++*static_cast<int*>(context); }, &calls};
    runner.run(runner.self, 2, &task);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(recorder.phases, std::vector<std::string>{"tasks"});
    recorder.expect_complete();
}

}  // namespace
