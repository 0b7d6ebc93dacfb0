#include "team/team.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "support/bytes.hpp"
#include "support/error.hpp"
#include "team/team_progress.hpp"

namespace lanecull::program {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// How many bundles a worker has.
constexpr int orders_each = 2;

constexpr std::string_view message_name = "a message between ranks";

/// Calls job(i) for each i < count by the runner. Throws the first of what the jobs throw.
void run_tasks(const Runner& runner, std::uint32_t count, const std::function<void(std::uint32_t)>& job) {
    struct Shared {
        const std::function<void(std::uint32_t)>& job;
        std::mutex mutex;
        std::exception_ptr failure;
    } shared{job, {}, {}};
    const Task task{[](void* context, std::uint32_t index) {
                        auto& all = *static_cast<Shared*>(context);
                        try {
                            all.job(index);
                        } catch (...) {
                            const std::lock_guard lock(all.mutex);
                            if (!all.failure) all.failure = std::current_exception();
                        }
                    },
                    &shared};
    runner(count, task);
    if (shared.failure) std::rethrow_exception(shared.failure);
}

/// The bundles that have no result yet, in order.
class OpenBundles {
public:
    explicit OpenBundles(const Results& results) : results_(results) { skip(); }
    [[nodiscard]] std::optional<std::uint64_t> next() {
        if (at_ == results_.bundles()) return std::nullopt;
        const std::uint64_t bundle = at_++;
        skip();
        return bundle;
    }

private:
    void skip() {
        while (at_ < results_.bundles() && results_.has(at_)) ++at_;
    }

    const Results& results_;
    std::uint64_t at_ = 0;
};

std::uint64_t items_done(const Bundles& bundles, const Results& results) {
    std::uint64_t items = 0;
    for (std::uint64_t b = 0; b < results.bundles(); ++b) items += results.has(b) ? bundles.length(b) : 0;
    return items;
}

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
    run_tasks(runner(), static_cast<std::uint32_t>(results.size()),
              [&](std::uint32_t i) { results[i] = work.result(bundles.first(bundle) + i); });
    std::string bytes;
    for (const std::string& result : results) bytes += result;
    return bytes;
}

TeamFigures Team::lead(const TeamWork& work, Results& results) {
    TeamFigures figures;
    if (results.done() == results.bundles()) return figures;
    const Clock::time_point start = Clock::now();
    if (ranks() == 1) {
        do_all(work, results, figures);
    } else {
        start_others(work);
        hand_out(work, results, figures);
        stop_others();
    }
    figures.seconds = seconds_since(start);
    return figures;
}

void Team::do_all(const TeamWork& work, Results& results, TeamFigures& figures) {
    std::uint64_t items = items_done(work.bundles, results);
    TeamProgress progress(work.what, work.unit, work.bundles.items, items, work.quiet);
    OpenBundles open(results);
    for (std::optional<std::uint64_t> bundle; (bundle = open.next());) {
        const Clock::time_point start = Clock::now();
        const std::string bytes = do_bundle(work.own, work.bundles, *bundle);
        figures.work_seconds += seconds_since(start);
        figures.result_bytes += bytes.size();
        ++figures.bundles;
        results.add(*bundle, bytes);
        progress.done(items += work.bundles.length(*bundle));
    }
}

void Team::start_others(const TeamWork& work) {
    const TemporaryPath description, scene;
    std::ofstream file(description.path(), std::ios::binary);
    if (!(file << work.description).flush()) fail("cannot write the temporary file {}", description.path());
    work.save_scene(scene.path());
    std::string start;
    append_bytes(start, work.bundles.items);
    append_bytes(start, work.bundles.size);
    for (int rank = 1; rank < ranks(); ++rank) ranks_->send(rank, MessageKind::start, start);
    static_cast<void>(ranks_->share(description.path()));
    static_cast<void>(ranks_->share(scene.path()));
}

void Team::hand_out(const TeamWork& work, Results& results, TeamFigures& figures) {
    std::uint64_t items = items_done(work.bundles, results), ordered = 0;
    TeamProgress progress(work.what, work.unit, work.bundles.items, items, work.quiet);
    OpenBundles open(results);
    const auto order = [&](int rank) {
        const std::optional<std::uint64_t> bundle = open.next();
        if (!bundle) return;
        std::string bytes;
        append_bytes(bytes, *bundle);
        ranks_->send(rank, MessageKind::order, bytes);
        ++ordered;
    };
    for (int round = 0; round < orders_each; ++round) {
        for (int rank = 1; rank < ranks(); ++rank) order(rank);
    }
    for (; ordered != 0; --ordered) {
        const Message message = ranks_->receive();
        if (message.kind == MessageKind::failure) fail("rank {}: {}", message.from, message.bytes);
        const Clock::time_point start = Clock::now();
        ByteReader reader(message.bytes, message_name);
        const auto bundle = reader.value<std::uint64_t>();
        figures.work_seconds += reader.value<double>();
        const std::string_view bytes = std::string_view(message.bytes).substr(sizeof bundle + sizeof(double));
        order(message.from);
        results.add(bundle, bytes);
        figures.result_bytes += bytes.size();
        ++figures.bundles;
        progress.done(items += work.bundles.length(bundle));
        figures.message_seconds += seconds_since(start);
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
        wait_for_stop();
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
        const MappedFile description = ranks_->share({}), scene = ranks_->share({});
        work = make(description.bytes(), scene.bytes());
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

void Team::wait_for_stop() {
    while (ranks_->receive().kind != MessageKind::stop) {
    }
}

}  // namespace lanecull::program
