#pragma once

#include <lanecull/types.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <lanecull/tbb.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "options/command_line.hpp"
#include "team/ranks.hpp"
#include "team/results.hpp"

/// Work in many items that do not depend on one another, on the threads of one process or on the ranks of an mpirun.
///
/// One rank, the first, *leads*: it reads the scene, hands out bundles of items, and gathers the results. The others
/// *work*. Each has two bundles, so that the next one is there when one is done. A leader without workers does the
/// bundles itself. The results are the same bytes for any number of ranks and threads.
namespace lanecull::program {

/// Items 0 to items - 1 in bundles of `size`, the last one shorter: what a team hands out, does and notes at a time.
struct Bundles {
    std::uint64_t items = 0, size = 1;

    [[nodiscard]] std::uint64_t count() const { return (items + size - 1) / size; }
    [[nodiscard]] std::uint64_t first(std::uint64_t bundle) const { return bundle * size; }
    [[nodiscard]] std::uint64_t length(std::uint64_t bundle) const { return std::min(size, items - first(bundle)); }
};

/// What can be done: the bytes of an item's result follow from the item alone.
class ItemWork {
public:
    ItemWork() = default;
    virtual ~ItemWork() = default;
    ItemWork(const ItemWork&) = delete;
    ItemWork& operator=(const ItemWork&) = delete;

    /// Thread-safe.
    [[nodiscard]] virtual std::string result(std::uint64_t item) const = 0;
};

/// Makes what a rank works with, of the leader's description and files.
using MakeWork =
    std::function<std::unique_ptr<ItemWork>(std::span<const std::byte> description, std::span<const std::byte> scene)>;

/// All that the leader's run needs.
struct TeamWork {
    Bundles bundles;
    const ItemWork& own;      ///< what a leader without workers does
    std::string description;  ///< for MakeWork
    std::function<void(const std::string& path)>
        save_scene;    ///< writes the file for MakeWork; called if there are others
    std::string what;  ///< for the progress: "sweeping views"
    bool quiet = false;
};

/// What a run took.
struct TeamFigures {
    std::uint64_t bundles = 0;   ///< done by this run
    double seconds = 0;          ///< of the run
    double work_seconds = 0;     ///< of all bundles
    double message_seconds = 0;  ///< of the leader, for results and orders: without waiting
    std::uint64_t result_bytes = 0;
};

class Team {
public:
    /// threads: of this process; 0: all cores, divided among the ranks of this machine. Fails under mpirun in a build
    /// without MPI.
    explicit Team(int threads);
    /// The leader ends the others; they wait for that.
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    [[nodiscard]] bool leads() const { return !ranks_ || ranks_->rank() == 0; }
    [[nodiscard]] int ranks() const { return ranks_ ? ranks_->size() : 1; }
    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] Runner runner() { return parallel_ ? parallel_->runner() : Runner{}; }

    /// The leader's part: adds the results that are missing. Fails if a worker does.
    TeamFigures lead(const TeamWork& work, Results& results);
    /// A worker's part, until the leader ends it. What goes wrong is reported by the leader.
    void follow(const MakeWork& make);

private:
    [[nodiscard]] std::string do_bundle(const ItemWork& work, const Bundles& bundles, std::uint64_t bundle);
    void do_all(const TeamWork& work, Results& results, TeamFigures& figures);
    void start_others(const TeamWork& work);
    void hand_out(const TeamWork& work, Results& results, TeamFigures& figures);
    void stop_others();
    void work_on_orders(const MakeWork& make);
    void wait_for_stop();

    std::optional<Ranks> ranks_;
    int threads_ = 1;
    std::optional<TbbRunner> parallel_;
    bool is_stopped_ = false;
};

/// The options --threads, --bundle and --journal of commands that a team does.
struct TeamOptions {
    int threads = 0;
    std::uint64_t bundle = 1;  ///< items
    std::optional<std::string> journal = {};

    /// `journal_default`: what --help says about it.
    void add_to(Command command, const char* journal_default);
    /// The journal: the one given, else the one beside the output, if there is one.
    [[nodiscard]] std::optional<std::string> journal_beside(const std::optional<std::string>& output) const;
    /// `work`: a fingerprint of all that results follow from.
    [[nodiscard]] Results results(const std::optional<std::string>& output, std::uint64_t work,
                                  const Bundles& bundles) const;
};

/// "2 threads; 128 bundles of 256 views in 12.345 s: ...": what a run took. Nothing if a journal had everything.
[[nodiscard]] std::string team_line(const Team& team, const Bundles& bundles, const TeamFigures& figures,
                                    const char* unit);

}  // namespace lanecull::program
