#pragma once

#include <lanecull/tbb.hpp>

#include "options/command_line.hpp"
#include "scene/scene.hpp"
#include "team/ranks.hpp"

/// Work in many items that do not depend on one another, on the threads of one process or on the ranks of an mpirun.
///
/// One rank, the first, *leads*: it reads the scene, hands out bundles of items, and gathers the results. The others
/// *work*. Each has two bundles, so that the next one is there when one is done. A leader without workers does the
/// bundles itself. The results are the same bytes for any number of ranks and threads.
namespace lanecull::program {

/// Items 0 to items - 1 in bundles of `size`, the last one shorter: what a team hands out and does at a time.
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

/// Makes what a rank works with, of the leader's description and scene.
using MakeWork = std::function<std::unique_ptr<ItemWork>(std::string_view description, lanecull::Scene scene)>;

/// All that the leader's run needs.
struct TeamWork {
    Bundles bundles;
    const ItemWork& own;           ///< what a leader without workers does
    std::string description;       ///< for MakeWork
    const lanecull::Scene& scene;  ///< the same
    std::string what;              ///< for the progress: "sweeping views"
    bool quiet = false;
};

/// What a run found and took.
struct TeamRun {
    std::vector<std::string> results;  ///< of each bundle: those of its items, one behind the other
    double seconds = 0;                ///< of the run
    double work_seconds = 0;           ///< of all bundles
    double message_seconds = 0;        ///< of the leader, for results and orders: without waiting
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

    /// The leader's part. Fails if a worker does.
    [[nodiscard]] TeamRun lead(const TeamWork& work);
    /// A worker's part, until the leader ends it. What goes wrong is reported by the leader.
    void follow(const MakeWork& make);

private:
    [[nodiscard]] std::string do_bundle(const ItemWork& work, const Bundles& bundles, std::uint64_t bundle);
    void do_all(const TeamWork& work, TeamRun& run);
    void start_others(const TeamWork& work);
    void hand_out(const TeamWork& work, TeamRun& run);
    void stop_others();
    void work_on_orders(const MakeWork& make);

    std::optional<Ranks> ranks_;
    int threads_ = 1;
    std::optional<TbbRunner> parallel_;
    bool is_stopped_ = false;
};

/// The scene's objects, ordered anew.
[[nodiscard]] lanecull::Scene ordered_scene(const Scene& scene, const Runner& runner);

/// The options --threads and --bundle of commands that a team does.
struct TeamOptions {
    int threads = 0;
    std::uint64_t bundle = 1;  ///< items

    void add_to(Command command);
};

/// "128 bundles of 256 views in 12.345 s ...; 2 threads": what a run took.
[[nodiscard]] std::string team_line(const Team& team, const Bundles& bundles, const TeamRun& run, const char* unit);

}  // namespace lanecull::program
