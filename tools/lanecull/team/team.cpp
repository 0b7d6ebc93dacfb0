#include "team/team.hpp"

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <thread>
#include <vector>

#include "options/options.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// How many bundles a worker has.
constexpr int orders_each = 2;

constexpr std::string_view message_name = "a message between ranks";

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
    const auto all = [&] {
        in_parallel(results.size(), [&](std::size_t i) { results[i] = work.result(bundles.first(bundle) + i); });
    };
    oneapi::tbb::task_arena(threads_).execute(all);
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
    Progress progress(work.what, work.bundles.items, work.quiet, items);
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
    Progress progress(work.what, work.bundles.items, work.quiet, items);
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

void TeamOptions::add_to(Command command, const char* journal_default) {
    add_threads_option(command, threads);
    command.option("--bundle N", &bundle, fmt::format("How many are handed out at a time ({})", bundle))
        .within(1, 1U << 20U);
    command.option("--journal FILE", &journal,
                   fmt::format("Note each bundle there: a run that was ended goes on from it ({})", journal_default));
}

std::optional<std::string> TeamOptions::journal_beside(const std::optional<std::string>& output) const {
    if (journal) return journal;
    return output ? std::optional(*output + ".journal") : std::nullopt;
}

Results TeamOptions::results(const std::optional<std::string>& output, std::uint64_t work,
                             const Bundles& bundles) const {
    const std::optional<std::string> path = journal_beside(output);
    if (path) return Results(*path, work, bundles.count());
    return Results(bundles.count());
}

std::string team_line(const Team& team, const Bundles& bundles, const TeamFigures& figures, const char* unit) {
    if (figures.bundles == 0) return fmt::format("all bundles were in the journal\n");
    const double items = static_cast<double>(figures.bundles) / static_cast<double>(bundles.count()) *
                         static_cast<double>(bundles.items);
    std::string text = fmt::format("{} of {} {} in {:.3f} s, {} {} a second", counted(figures.bundles, "bundle"),
                                   bundles.size, unit, figures.seconds, grouped(items / figures.seconds, 1), unit);
    text += fmt::format("; {}, {}\n", counted(static_cast<std::uint64_t>(team.ranks()), "process", "processes"),
                        counted(static_cast<std::uint64_t>(team.threads()), "thread"));
    text +=
        fmt::format("bundles {:.3f} ms each, {} bytes of results; messages {:.4f} ms a bundle\n",
                    1e3 * figures.work_seconds / static_cast<double>(figures.bundles), grouped(figures.result_bytes),
                    1e3 * figures.message_seconds / static_cast<double>(figures.bundles));
    return text;
}

}  // namespace lanecull::program
