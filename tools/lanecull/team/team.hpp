#pragma once

#include <lanecull/types.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <lanecull/tbb.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "team/bundles.hpp"
#include "team/ranks.hpp"
#include "team/results.hpp"

/// Work in many items that do not depend on one another, on the threads of one process or on the ranks of an mpirun.
///
/// One rank, the first, *leads*: it reads the scene, hands out bundles of items, and gathers the results. The others
/// *work*. Each has two bundles, so that the next one is there when one is done. A leader without workers does the
/// bundles itself. The results are the same bytes for any number of ranks and threads.
namespace lanecull::program {

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
        save_scene;          ///< writes the file for MakeWork; called if there are others
    std::string what, unit;  ///< for the progress: "sweeping", "views"
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
    /// A worker's part, until the leader ends it. What goes wrong is told by the leader.
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

}  // namespace lanecull::program
