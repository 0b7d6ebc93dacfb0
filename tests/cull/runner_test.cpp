#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <execution>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include <lanecull/tbb.hpp>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/random.hpp"
#include "support/small_stack.hpp"

/// The outputs are the same bytes with any runner, number of threads and order of the parts. Also built and run with
/// the thread sanitizer (ctest -L threads).

namespace {

using lanecull::Batch;
using lanecull::Runner;
using lanecull::Task;
using lanecull::View;

/// Large enough for many parts: batches of all kinds, three views.
struct Scene {
    HeapMemory memory;
    std::vector<Batch> batches;
    std::vector<View> views;

    Scene() {
        Random random(77);
        const HullSet hulls = random_hulls(random, 4);
        std::vector<Camera> cameras;
        for (const Projection projection : {Projection::perspective, Projection::infinite, Projection::orthographic}) {
            PreparedCamera prepared = random_prepared_camera(random, projection);
            cameras.push_back(prepared.camera);
            views.push_back(prepared.view);
        }
        for (const Kind kind : all_kinds) {
            const auto count = static_cast<std::size_t>(scaled(20'000)) + 13;
            const auto objects = random_objects(random, kind, cameras[batches.size() % 3], count, hulls);
            batches.push_back(make_batch(kind, objects, hulls, memory));
        }
        batches.push_back(lanecull::Spheres{});
    }
};

class Runners : public testing::Test {
protected:
    static void SetUpTestSuite() { scene = new Scene; }
    static void TearDownTestSuite() { delete std::exchange(scene, nullptr); }

    static void expect_same(const Runner& runner, const lanecull::CullOptions& options = {}) {
        const auto serial = run_cull(scene->batches, scene->views, options);
        lanecull::CullOptions by = options;
        by.runner = runner;
        const auto other = run_cull(scene->batches, scene->views, by);
        for (std::size_t v = 0; v < serial.size(); ++v) {
            EXPECT_EQ(other[v].words, serial[v].words) << "view " << v;
            EXPECT_EQ(other[v].indices, serial[v].indices) << "view " << v;
            EXPECT_EQ(other[v].visible_count, serial[v].visible_count) << "view " << v;
            EXPECT_EQ(other[v].counts, serial[v].counts) << "view " << v;
        }
    }

    static Scene* scene;

    /// Lets oneTBB have more threads than the machine has cores.
    oneapi::tbb::global_control threads_allowed_{oneapi::tbb::global_control::max_allowed_parallelism, 8};
};

Scene* Runners::scene = nullptr;

TEST_F(Runners, OneTbbGivesTheSameBytesWithAnyThreads) {
    for (const int threads : {1, 2, 3, 8, 0}) {
        SCOPED_TRACE(threads);
        lanecull::TbbRunner runner(threads);
        if (threads > 0) {
            EXPECT_EQ(runner.threads(), threads);
        }
        EXPECT_GE(runner.threads(), 1);
        for (const lanecull::Isa isa : runnable_isas()) {
            for (const lanecull::Method method : all_methods) expect_same(runner, {.method = method, .isa = isa});
        }
    }
}

/// Parts that take different times, so that threads take each other's.
TEST_F(Runners, OneTbbSharesUnevenParts) {
    constexpr std::uint32_t count = 5000;
    struct Work {
        std::vector<std::atomic<int>> calls = std::vector<std::atomic<int>>(count);
        std::atomic<std::uint32_t> others_parts{0};
        std::thread::id caller = std::this_thread::get_id();
    };
    const auto part = [](void* context, std::uint32_t i) {
        Work& work = *static_cast<Work*>(context);
        ++work.calls[i];
        const bool other = std::this_thread::get_id() != work.caller;
        work.others_parts += other;
        // The second half is slow, the first one idle.
        volatile std::uint32_t turns = i > count / 2 ? 300 : 1;
        while (turns > 0) turns = turns - 1;
    };
    std::uint32_t others_parts = 0;
    for (const int threads : {2, 3, 8}) {
        lanecull::TbbRunner runner(threads);
        const Runner r = runner.runner();
        for (std::uint32_t call = 0; call < 50; ++call) {
            Work work;
            const Task task{part, &work};
            const std::uint32_t fewer = call < 3 ? call : count;  // none, one or two, too
            r.run(r.self, fewer, &task);
            std::fill(work.calls.begin() + fewer, work.calls.end(), 1);
            ASSERT_TRUE(std::all_of(work.calls.begin(), work.calls.end(), [](const auto& n) { return n == 1; }));
            others_parts += work.others_parts;
        }
    }
    EXPECT_GT(others_parts, 0u);
}

TEST_F(Runners, OneTbbTakesTheThreadsItWasGiven) {
    struct Seen {
        std::mutex mutex;
        std::set<std::thread::id> threads;
    };
    const auto part = [](void* context, std::uint32_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        Seen& seen = *static_cast<Seen*>(context);
        const std::lock_guard lock(seen.mutex);
        seen.threads.insert(std::this_thread::get_id());
    };
    for (const int threads : {1, 2, 3, 8}) {
        lanecull::TbbRunner runner(threads);
        Seen seen;
        const Runner r = runner.runner();
        const Task task{part, &seen};
        r.run(r.self, 400, &task);
        EXPECT_LE(seen.threads.size(), static_cast<std::size_t>(threads));
        EXPECT_EQ(seen.threads.size() > 1, threads > 1);
    }
}

TEST_F(Runners, OneTbbServesCullsInsideItsOwnTasks) {
    lanecull::TbbRunner runner(3);
    const auto serial = run_cull(scene->batches, scene->views);
    struct Context {
        const Runner runner;
        const std::vector<ViewResult>& serial;
        std::atomic<int> equal{0};
    } context{runner.runner(), serial};
    const auto part = [](void* self, std::uint32_t) {
        auto& c = *static_cast<Context*>(self);
        c.equal += run_cull(scene->batches, scene->views, {.runner = c.runner}) == c.serial;
    };
    const Task task{part, &context};
    context.runner.run(context.runner.self, 4, &task);
    EXPECT_EQ(context.equal, 4);
}

TEST_F(Runners, AnyOrderAndAnyThreadsWillDo) {
    const auto backwards = [](std::uint32_t count, Task task) {
        for (std::uint32_t i = count; i-- > 0;) task(i);
    };
    const auto strided = [](std::uint32_t count, Task task) {
        for (std::uint32_t start = 0; start < 7; ++start) {
            for (std::uint32_t i = start; i < count; i += 7) task(i);
        }
    };
    const auto a_thread_a_part = [](std::uint32_t count, Task task) {
        for (std::uint32_t first = 0; first < count; first += 16) {
            std::vector<std::thread> running;
            for (std::uint32_t i = first; i < std::min(first + 16, count); ++i) running.emplace_back([=] { task(i); });
            for (std::thread& thread : running) thread.join();
        }
    };
    const auto standard = [](std::uint32_t count, Task task) {
        std::vector<std::uint32_t> parts(count);
        std::iota(parts.begin(), parts.end(), 0u);
        std::for_each(std::execution::par, parts.begin(), parts.end(), [=](std::uint32_t i) { task(i); });
    };
    const unsigned one = 1, two = 2, five = 5;  // the header's example
    const Runner runners[] = {lanecull::runner_of(backwards),
                              lanecull::runner_of(strided),
                              lanecull::runner_of(a_thread_a_part),
                              lanecull::runner_of(standard),
                              on_new_threads(one),
                              on_new_threads(two),
                              on_new_threads(five)};
    for (const Runner& runner : runners) {
        for (const lanecull::Method method : all_methods) expect_same(runner, {.method = method});
    }
}

TEST_F(Runners, RunIsCalledAtMostTwiceWithTheSameCount) {
    std::vector<std::uint32_t> calls;
    const auto counting = [](void* self, std::uint32_t count, const Task* task) {
        static_cast<std::vector<std::uint32_t>*>(self)->push_back(count);
        for (std::uint32_t i = 0; i < count; ++i) (*task)(i);
    };
    expect_same({&calls, counting});
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_EQ(calls[0], calls[1]);
    EXPECT_GT(calls[0], 6u);
    calls.clear();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene->batches, 1));
    lanecull::Output output;
    const std::span<const View> view(scene->views.data(), 1);
    ASSERT_TRUE(lanecull::cull(scene->batches, view, {&output, 1}, scratch, {.runner = {&calls, counting}}));
    EXPECT_EQ(calls.size(), 1u) << "no indices were asked for";
    calls.clear();
    ASSERT_TRUE(lanecull::cull({}, view, {&output, 1}, scratch, {.runner = {&calls, counting}}));
    EXPECT_TRUE(calls.empty()) << "there is nothing to do";
}

TEST_F(Runners, CullsMayOverlapInTime) {
    lanecull::TbbRunner tbb(2);
    const unsigned three = 3;
    const Runner own = on_new_threads(three);
    const auto serial = run_cull(scene->batches, scene->views);
    std::atomic<int> equal{0};
    std::vector<std::thread> threads;
    for (const Runner& runner : {Runner{}, tbb.runner(), tbb.runner(), own, own, own}) {
        threads.emplace_back([&equal, &serial, runner] {
            for (int call = 0; call < 3; ++call) {
                equal += run_cull(scene->batches, scene->views, {.runner = runner}) == serial;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(equal, 18);
}

TEST_F(Runners, CanBeMoved) {
    lanecull::TbbRunner first(2);
    lanecull::TbbRunner second(std::move(first));
    expect_same(second);
    first = lanecull::TbbRunner(1);
    expect_same(first);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_F(Runners, PartsNeedNoMoreStackThanPromised) {
    for (const lanecull::Isa isa : runnable_isas()) {
        SmallStack stack;
        expect_same({&stack, SmallStack::run}, {.isa = isa});
        stack.expect_promised(lanecull::isa_name(isa));
    }
}

#endif

}  // namespace
