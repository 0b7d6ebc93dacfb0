#include "team/team.hpp"

#include <oneapi/tbb/task_arena.h>

#include <exception>
#include <thread>

#include "options/options.hpp"
#include "support/bytes.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// How many bundles a worker has.
constexpr int orders_each = 2;

constexpr std::string_view message_name = "a message between ranks";

}  // namespace

Team::Team(int threads) {
    if (Ranks::under_mpirun()) ranks_.emplace();
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned sharing = ranks_ ? static_cast<unsigned>(ranks_->on_this_machine()) : 1;
    threads_ = threads != 0 ? threads : static_cast<int>(std::max(1U, cores / sharing));
    if (threads_ > 1) threads_ = parallel_.emplace(threads_).threads();
}

Team::~Team() {
    try {
        if (leads()) stop_others();
    } catch (const std::exception&) {
        std::terminate();  // mpirun ends the others
    }
}

/// The results of a bundle's items, one behind the other.
std::string Team::do_bundle(const ItemWork& work, const Bundles& bundles, std::uint64_t bundle) {
    std::vector<std::string> results(bundles.length(bundle));
    const auto all = [&] {
        in_parallel(results.size(), [&](std::size_t i) { results[i] = work.result(bundles.first(bundle) + i); });
    };
    oneapi::tbb::task_arena(threads_).execute(all);
    std::string bytes;
    for (const std::string& result : results) bytes += result;
    return bytes;
}

TeamRun Team::lead(const TeamWork& work) {
    TeamRun run;
    run.results.resize(work.bundles.count());
    const Clock::time_point start = Clock::now();
    if (ranks() == 1) {
        do_all(work, run);
    } else {
        start_others(work);
        hand_out(work, run);
        stop_others();
    }
    run.seconds = seconds_since(start);
    return run;
}

void Team::do_all(const TeamWork& work, TeamRun& run) {
    Progress progress(work.what, work.bundles.items, work.quiet);
    std::uint64_t items = 0;
    for (std::uint64_t bundle = 0; bundle < work.bundles.count(); ++bundle) {
        const Clock::time_point start = Clock::now();
        run.results[bundle] = do_bundle(work.own, work.bundles, bundle);
        run.work_seconds += seconds_since(start);
        progress.done(items += work.bundles.length(bundle));
    }
}

void Team::start_others(const TeamWork& work) {
    const TemporaryPath scene;
    require(work.scene.save(scene.path().c_str()), scene.path());
    std::string start;
    append_bytes(start, work.bundles.items);
    append_bytes(start, work.bundles.size);
    for (int rank = 1; rank < ranks(); ++rank) ranks_->send(rank, MessageKind::start, start);
    ranks_->share(work.description);
    ranks_->share(read_file(scene.path()));
}

void Team::hand_out(const TeamWork& work, TeamRun& run) {
    Progress progress(work.what, work.bundles.items, work.quiet);
    std::uint64_t items = 0, next = 0, left = work.bundles.count();
    const auto order = [&](int rank) {
        if (next == work.bundles.count()) return;
        std::string bytes;
        append_bytes(bytes, next++);
        ranks_->send(rank, MessageKind::order, bytes);
    };
    for (int round = 0; round < orders_each; ++round) {
        for (int rank = 1; rank < ranks(); ++rank) order(rank);
    }
    for (; left != 0; --left) {
        const Message message = ranks_->receive();
        if (message.kind == MessageKind::failure) fail("rank {}: {}", message.from, message.bytes);
        const Clock::time_point start = Clock::now();
        ByteReader reader(message.bytes, message_name);
        const auto bundle = reader.value<std::uint64_t>();
        run.work_seconds += reader.value<double>();
        order(message.from);
        run.results[bundle] = reader.rest();
        progress.done(items += work.bundles.length(bundle));
        run.message_seconds += seconds_since(start);
    }
}

/// Lets all others end, and takes what they still had to say.
void Team::stop_others() {
    if (is_stopped_ || ranks() == 1) return;
    is_stopped_ = true;
    for (int rank = 1; rank < ranks(); ++rank) ranks_->send(rank, MessageKind::stop);
    for (int left = 1; left < ranks();) left += ranks_->receive().kind == MessageKind::left ? 1 : 0;
}

void Team::follow(const MakeWork& make) {
    try {
        work_on_orders(make);
    } catch (const std::exception& error) {
        ranks_->send(0, MessageKind::failure, error.what());
        while (ranks_->receive().kind != MessageKind::stop) {
        }
    }
    ranks_->send(0, MessageKind::left);
}

void Team::work_on_orders(const MakeWork& make) {
    const Message start = ranks_->receive();
    if (start.kind != MessageKind::start) return;
    ByteReader reader(start.bytes, message_name);
    Bundles bundles;
    bundles.items = reader.value<std::uint64_t>();
    bundles.size = reader.value<std::uint64_t>();
    std::unique_ptr<ItemWork> work;
    {
        const std::string description = ranks_->share(), scene = ranks_->share();
        lanecull::Scene ordered;
        require(lanecull::Scene::load(std::as_bytes(std::span(scene)), ordered));
        work = make(description, std::move(ordered));
    }
    for (;;) {
        const Message message = ranks_->receive();
        if (message.kind == MessageKind::stop) return;
        const auto bundle = ByteReader(message.bytes, message_name).value<std::uint64_t>();
        const Clock::time_point begin = Clock::now();
        const std::string bytes = do_bundle(*work, bundles, bundle);
        std::string result;
        append_bytes(result, bundle);
        append_bytes(result, seconds_since(begin));
        ranks_->send(0, MessageKind::result, result += bytes);
    }
}

lanecull::Scene ordered_scene(const Scene& scene, const Runner& runner) {
    if (scene.object_count() == 0) fail("{} has no objects", scene.name);
    lanecull::Scene ordered;
    std::vector<Handle> handles(scene.object_count());
    require(ordered.add(scene.batches(), handles, {}, runner));
    ordered.refit(Refit::tight, runner);
    return ordered;
}

void TeamOptions::add_to(Command command) {
    add_threads_option(command, threads);
    command.option("--bundle N", &bundle, fmt::format("How many are handed out at a time ({})", bundle))
        .within(1, 1U << 20U);
}

std::string team_line(const Team& team, const Bundles& bundles, const TeamRun& run, const char* unit) {
    const auto count = static_cast<double>(run.results.size());
    std::uint64_t bytes = 0;
    for (const std::string& result : run.results) bytes += result.size();
    return fmt::format(
        "{} of {} {} in {:.3f} s, {} {} a second; {}, {}\n"
        "bundles {:.3f} ms each, {} bytes of results; messages {:.4f} ms a bundle\n",
        counted(run.results.size(), "bundle"), bundles.size, unit, run.seconds,
        grouped(static_cast<double>(bundles.items) / run.seconds, 1), unit,
        counted(static_cast<std::uint64_t>(team.ranks()), "process", "processes"),
        counted(static_cast<std::uint64_t>(team.threads()), "thread"), 1e3 * run.work_seconds / count, grouped(bytes),
        1e3 * run.message_seconds / count);
}

}  // namespace lanecull::program
