#include <fmt/core.h>

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "properties/family.hpp"
#include "properties/trial.hpp"
#include "prove/record.hpp"
#include "support/culling.hpp"

/// lanecull_prove: verdicts of the library, each proof verified. tools/prove builds and runs it.

namespace {

using properties::Family;
using properties::Tally;
using Clock = std::chrono::steady_clock;

struct Settings {
    double verdicts = 2e7;
    double seconds = 0;      // 0: no limit
    std::uint64_t seed = 0;  // 0: a new one, or that of the run that goes on
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    std::string state, commit;
    std::vector<std::string> families, subjects;
    std::uint64_t digest_rounds = 0;  // 0: verdicts are checked, not fingerprinted
    bool stop_at_failure = false;
    bool quiet = false;
};

bool has(const std::vector<std::string>& names, const char* name) {
    return std::ranges::find(names, name) != names.end();
}

/// Their places among all families.
std::vector<std::size_t> wanted_families(const Settings& settings) {
    const std::span<const Family> all = properties::families();
    std::vector<std::size_t> wanted;
    for (std::size_t f = 0; f < all.size(); ++f) {
        const bool any = settings.families.empty() && settings.subjects.empty();
        if (any || has(settings.families, all[f].name) || has(settings.subjects, all[f].subject)) wanted.push_back(f);
    }
    return wanted;
}

/// A line for each set and family: fingerprints of what each method decides, and of all answers.
int print_digests(const Settings& settings) {
    const std::uint64_t seed = std::max<std::uint64_t>(settings.seed, 1);
    fmt::print("seed {}, {} rounds\n{:8} {:26} {:16} {:16} {:16} {:16}\n", seed, settings.digest_rounds, "set",
               "family", "automatic", "planes", "gjk", "all");
    for (const lanecull::Isa isa : runnable_isas()) {
        const properties::Plan plan{
            .isas = {isa}};  // alone, so that trials draw the same whatever else the machine has
        for (const std::size_t f : wanted_families(settings)) {
            const Family& family = properties::families()[f];
            properties::Fingerprint of;
            std::vector<std::string> failures;
            for (std::uint64_t round = 0; round < settings.digest_rounds; ++round) {
                properties::run_trial(family, seed, round, plan, failures, of);
            }
            if (of.all.value() == properties::Hash().value()) continue;  // its answers do not depend on the set
            fmt::print("{:8} {:26}", lanecull::isa_name(isa), family.name);
            for (const properties::Hash& words : of.words) fmt::print(" {:016x}", words.value());
            fmt::print(" {:016x}\n", of.all.value());
        }
    }
    return 0;
}

std::string names_of(std::span<const lanecull::Isa> sets) {
    std::string names;
    for (const lanecull::Isa isa : sets) names += (names.empty() ? "" : " ") + std::string(lanecull::isa_name(isa));
    return names;
}

/// Rounds of the wanted families, one after the other, until there is enough of them.
class Prover {
public:
    explicit Prover(const Settings& settings)
        : settings_(settings),
          record_(settings.state, families_),
          run_(record_.resume(settings.commit, names_of(runnable_isas()), settings.seed)) {
        plan_.isas.assign(runnable_isas().begin(), runnable_isas().end());
        plan_.stop_at_failure = settings.stop_at_failure;
        for (const Tally& tally : record_.before()) verdicts_before_ += verdicts(tally);
    }

    /// The program's exit status.
    int run() {
        fmt::print("seed {}, {} families from round {}, sets: {}\n", run_.seed, wanted_.size(), run_.rounds, run_.sets);
        const double first = verdicts(run_.sum());
        double saved = 0;
        while (!is_enough()) {
            run_round();
            show((verdicts(run_.sum()) - first) / seconds());
            if (seconds() - saved > 10) record_.save(run_), saved = seconds();
        }
        record_.save(run_);
        print_results((verdicts(run_.sum()) - first) / std::max(seconds(), 1e-9));
        return failures() == 0 ? 0 : 1;
    }

private:
    [[nodiscard]] static double verdicts(const Tally& tally) {
        return static_cast<double>(tally.count[Tally::verdicts]);
    }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
    [[nodiscard]] std::uint64_t failures() const { return run_.sum().failures(); }
    [[nodiscard]] bool is_enough() const {
        return verdicts_before_ + verdicts(run_.sum()) >= settings_.verdicts ||
               (settings_.seconds > 0 && seconds() > settings_.seconds) ||
               (settings_.stop_at_failure && failures() > 0);
    }

    /// A trial of every wanted family, on several threads.
    void run_round() {
        std::vector<std::thread> threads;
        next_ = 0;
        for (unsigned t = 1; t < settings_.threads; ++t) threads.emplace_back([this] { run_trials(); });
        run_trials();
        for (std::thread& thread : threads) thread.join();
        if (error_) std::rethrow_exception(error_);
        ++run_.rounds;
    }

    void run_trials() {
        while (const std::optional<std::size_t> family = next_family()) {
            try {
                std::vector<std::string> found;
                properties::Fingerprint answers;
                const Tally tally = run_trial(families_[*family], run_.seed, run_.rounds, plan_, found, answers);
                const std::lock_guard lock(mutex_);
                run_.tallies[*family] += tally;
                found_.insert(found_.end(), found.begin(), found.end());
            } catch (...) {
                const std::lock_guard lock(mutex_);
                error_ = std::current_exception();
            }
        }
    }

    [[nodiscard]] std::optional<std::size_t> next_family() {
        const std::lock_guard lock(mutex_);
        const bool stop = error_ || (plan_.stop_at_failure && failures() > 0);
        if (stop || next_ == wanted_.size()) return std::nullopt;
        return wanted_[next_++];
    }

    void show(double rate) const {
        if (settings_.quiet || isatty(STDERR_FILENO) == 0) return;
        const double done = (verdicts_before_ + verdicts(run_.sum())) / settings_.verdicts;
        const auto full = static_cast<std::size_t>(30 * std::min(done, 1.0));
        fmt::print(stderr, "\r[{:30}] {:5.1f} %  {:.3g} verdicts/s  {:.0f} s  {} refuted ", std::string(full, '='),
                   100 * done, rate, seconds(), failures());
        std::fflush(stderr);
    }

    /// Of all the record's runs.
    void print_results(double rate) const {
        std::vector<Family> families;
        std::vector<Tally> tallies;
        for (const std::size_t f : wanted_) {
            families.push_back(families_[f]);
            tallies.push_back(run_.tallies[f]);
            if (!record_.before().empty()) tallies.back() += record_.before()[f];
        }
        properties::print_table(families, tallies);
        fmt::print("{:.0f} s, {:.3g} verdicts a second on {} threads\n", seconds(), rate, settings_.threads);
        constexpr std::size_t most = 10;
        for (std::size_t i = 0; i < std::min(most, found_.size()); ++i) fmt::print("FAILED {}\n", found_[i]);
    }

    const Settings& settings_;
    std::span<const Family> families_ = properties::families();
    properties::Record record_;
    properties::Run run_;
    properties::Plan plan_;
    std::vector<std::size_t> wanted_ = wanted_families(settings_);
    double verdicts_before_ = 0;  ///< of the record's other runs
    Clock::time_point started_ = Clock::now();

    std::mutex mutex_;  ///< of what follows, and of run_
    std::size_t next_ = 0;
    std::exception_ptr error_;
    std::vector<std::string> found_;  ///< failures
};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Answers about adversarial cases, by every method on every instruction set that this machine runs: each that "
        "claims a proof is verified, in exact arithmetic where doubles cannot tell."};
    Settings settings;
    std::vector<std::string> names, subjects;
    for (const Family& family : properties::families()) {
        names.emplace_back(family.name);
        if (!has(subjects, family.subject)) subjects.emplace_back(family.subject);
    }
    app.add_option("--verdicts", settings.verdicts, "how many, those of --state included")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--seconds", settings.seconds, "stop after so many")->check(CLI::NonNegativeNumber);
    app.add_option("--seed", settings.seed, "of everything random; 1, or what --state goes on with");
    app.add_option("--threads", settings.threads)->check(CLI::Range(1, 1024))->capture_default_str();
    app.add_option("--state", settings.state, "file of runs to go on from, and to save to");
    app.add_option("--commit", settings.commit, "of the library, for --state");
    app.add_option("--family", settings.families, "these alone")->check(CLI::IsMember(names));
    app.add_option("--subject", settings.subjects, "all families of these alone")->check(CLI::IsMember(subjects));
    app.add_option("--digest", settings.digest_rounds,
                   "print fingerprints of each family's answers on each set, in so many rounds")
        ->check(CLI::PositiveNumber);
    app.add_flag("--stop-at-failure", settings.stop_at_failure, "at the first refuted cull");
    app.add_flag("--quiet", settings.quiet, "no progress bar");
    CLI11_PARSE(app, argc, argv);
    try {
        return settings.digest_rounds > 0 ? print_digests(settings) : Prover(settings).run();
    } catch (const std::exception& error) {
        fmt::print(stderr, "lanecull_prove: {}\n", error.what());
        return 2;
    }
}
