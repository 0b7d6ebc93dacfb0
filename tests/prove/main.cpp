#include <fmt/core.h>

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "prove/digest.hpp"
#include "prove/trial.hpp"
#include "support/culling.hpp"

/// lanecull_prove: verdicts of the library, each cull verified by its certificate. tools/prove builds and runs it.

namespace {

using prove::Family;
using prove::Tally;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

struct Settings {
    double verdicts = 2e7;
    double seconds = 0;  // 0: no limit
    std::uint64_t seed = 1;
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    std::string state;
    std::vector<std::string> families;
    std::uint64_t digest_rounds = 0;  // 0: verdicts are checked, not fingerprinted
    bool stop_at_failure = false;
    bool quiet = false;
};

/// So far: rounds, one trial of every family each, and what they counted.
struct Progress {
    std::uint64_t rounds = 0;
    std::vector<Tally> tallies;
    std::vector<std::string> failures;

    [[nodiscard]] Tally sum() const {
        Tally all;
        for (const Tally& tally : tallies) all += tally;
        return all;
    }
};

Json to_json(const Settings& settings, std::span<const Family> families, const Progress& progress) {
    Json json = {{"seed", settings.seed}, {"rounds", progress.rounds}, {"families", Json::object()}};
    for (std::size_t f = 0; f < families.size(); ++f) {
        Json& counts = json["families"][families[f].name];
        for (int k = 0; k < Tally::counts; ++k)
            counts[Tally::name(k)] = progress.tallies[f].count[static_cast<std::size_t>(k)];
    }
    return json;
}

/// Whole or not at all.
void save(const Settings& settings, std::span<const Family> families, const Progress& progress) {
    if (settings.state.empty()) return;
    const std::string part = settings.state + ".part";
    std::ofstream file(part);
    file << to_json(settings, families, progress).dump(1) << '\n';
    file.close();
    if (!file) throw std::runtime_error("--state: " + part + " cannot be written");
    std::filesystem::rename(part, settings.state);
}

void resume(const Settings& settings, std::span<const Family> families, Progress& progress) {
    if (settings.state.empty() || !std::filesystem::exists(settings.state)) return;
    try {
        const Json json = Json::parse(std::ifstream(settings.state));
        if (json.at("seed") != settings.seed) throw std::runtime_error("is of another --seed");
        if (json.at("families").size() != families.size()) throw std::runtime_error("is of other families");
        progress.rounds = json.at("rounds");
        for (std::size_t f = 0; f < families.size(); ++f) {
            const Json& counts = json.at("families").at(families[f].name);
            for (int k = 0; k < Tally::counts; ++k) {
                progress.tallies[f].count[static_cast<std::size_t>(k)] = counts.at(Tally::name(k));
            }
        }
    } catch (const std::exception& error) {
        throw std::runtime_error("--state: " + settings.state + ": " + error.what());
    }
}

/// A round on several threads.
void run_round(const Settings& settings, std::span<const Family> families, const prove::Plan& plan,
               Progress& progress) {
    std::mutex mutex;
    std::size_t next = 0;
    std::exception_ptr error;
    const auto work = [&] {
        for (;;) {
            std::size_t f = 0;
            {
                const std::lock_guard lock(mutex);
                const bool stop = plan.stop_at_failure && progress.sum().failures() > 0;
                if (next == families.size() || error || stop) return;
                f = next++;
            }
            try {
                std::vector<std::string> failures;
                const Tally tally = run_trial(families[f], settings.seed, progress.rounds, plan, failures);
                const std::lock_guard lock(mutex);
                progress.tallies[f] += tally;
                progress.failures.insert(progress.failures.end(), failures.begin(), failures.end());
            } catch (...) {
                const std::lock_guard lock(mutex);
                error = std::current_exception();
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 1; t < settings.threads; ++t) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (error) std::rethrow_exception(error);
    ++progress.rounds;
}

double per(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void print_line(const char* name, const Tally& t) {
    const auto& c = t.count;
    const auto kept = [&](Tally::Count part, Tally::Count whole) { return 1e3 * per(c[part], c[whole]); };
    fmt::print(
        "{:15} {:7} {:6} {:11.4g} {:9.3g} {:9.3g} {:9} {:8} | {:9} {:6.1f} {:6} | {:8.3f} {:8.3f} {:8.3f} | {:8} "
        "{:6}\n",
        name, c[Tally::views], c[Tally::views_planes_only], static_cast<double>(c[Tally::verdicts]),
        static_cast<double>(c[Tally::culled_plane]), static_cast<double>(c[Tally::culled_gjk]), c[Tally::exact_checks],
        t.failures() - c[Tally::false_culls], c[Tally::oracle_objects],
        100 * per(c[Tally::oracle_visible], c[Tally::oracle_objects]), c[Tally::false_culls],
        kept(Tally::kept_14, Tally::apart_14), kept(Tally::kept_18, Tally::apart_18),
        kept(Tally::kept_22, Tally::apart_22), c[Tally::differing], c[Tally::differing_far]);
}

void print_table(std::span<const Family> families, const Progress& progress) {
    fmt::print("\n{:15} {:>7} {:>6} {:>11} {:>9} {:>9} {:>9} {:>8} | {:>9} {:>6} {:>6} | {:>26} | {:>8} {:>6}\n", "",
               "views", "planes", "verdicts", "culled by", "culled by", "exact", "refuted", "oracle", "visible",
               "false", "kept of 1,000 apart by", "sets or", "by 4");
    fmt::print(
        "{:15} {:>7} {:>6} {:>11} {:>9} {:>9} {:>9} {:>8} | {:>9} {:>6} {:>6} | {:>8} {:>8} {:>8} | {:>8} {:>6}\n",
        "family", "", "alone", "", "planes", "GJK", "checks", "", "objects", "%", "culls", "2^-14", "2^-18", "2^-22",
        "methods", "bounds");
    for (std::size_t f = 0; f < families.size(); ++f) print_line(families[f].name, progress.tallies[f]);
    const Tally all = progress.sum();
    print_line("all", all);
    const auto& c = all.count;
    fmt::print(
        "\nKept though apart by 2^-14 of the coordinates: {} told by planes alone, {} where the simplex came too near, "
        "{} at the cap.\nObjects with verdicts that differ between sets, or between automatic and GJK: {} of {}. Of {} "
        "asked, "
        "{} apart by more than 4 bounds, of these {} where the simplex came too near or the cap was reached.\n",
        c[Tally::kept_14_planes], c[Tally::kept_14_touching], c[Tally::kept_14_cap], c[Tally::differing],
        c[Tally::pairs], c[Tally::differing_asked], c[Tally::differing_far], c[Tally::differing_explained]);
}

void show(const Settings& settings, const Progress& progress, double seconds, double rate) {
    if (settings.quiet || isatty(STDERR_FILENO) == 0) return;
    const double done = static_cast<double>(progress.sum().count[Tally::verdicts]) / settings.verdicts;
    const auto full = static_cast<std::size_t>(30 * std::min(done, 1.0));
    fmt::print(stderr, "\r[{:30}] {:5.1f} %  {:.3g} verdicts/s  {:.0f} s  {} refuted ", std::string(full, '='),
               100 * done, rate, seconds, progress.sum().failures());
    std::fflush(stderr);
}

std::vector<Family> wanted_families(const Settings& settings) {
    std::vector<Family> families;
    for (const Family& family : prove::families()) {
        const auto& wanted = settings.families;
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), family.name) != wanted.end())
            families.push_back(family);
    }
    return families;
}

/// A line for each set: its fingerprint.
int print_digests(const Settings& settings) {
    const std::vector<Family> families = wanted_families(settings);
    fmt::print("seed {}, {} families, {} rounds\n", settings.seed, families.size(), settings.digest_rounds);
    for (const lanecull::Isa isa : runnable_isas()) {
        const std::uint64_t value = prove::digest(isa, families, settings.seed, settings.digest_rounds);
        fmt::print("{:8} {:016x}\n", lanecull::isa_name(isa), value);
    }
    return 0;
}

int run(const Settings& settings) {
    const std::vector<Family> families = wanted_families(settings);
    prove::Plan plan;
    plan.isas.assign(runnable_isas().begin(), runnable_isas().end());
    plan.stop_at_failure = settings.stop_at_failure;
    Progress progress{0, std::vector<Tally>(families.size()), {}};
    resume(settings, families, progress);
    fmt::print("seed {}, {} families from round {}, sets:", settings.seed, families.size(), progress.rounds);
    for (const lanecull::Isa isa : plan.isas) fmt::print(" {}", lanecull::isa_name(isa));
    fmt::print("\n");

    const auto started = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - started).count(); };
    const std::uint64_t before = progress.sum().count[Tally::verdicts];
    double saved = 0;
    while (static_cast<double>(progress.sum().count[Tally::verdicts]) < settings.verdicts) {
        if (settings.seconds > 0 && seconds() > settings.seconds) break;
        if (settings.stop_at_failure && progress.sum().failures() > 0) break;
        run_round(settings, families, plan, progress);
        show(settings, progress, seconds(),
             static_cast<double>(progress.sum().count[Tally::verdicts] - before) / seconds());
        if (seconds() - saved > 10) save(settings, families, progress), saved = seconds();
    }
    save(settings, families, progress);
    print_table(families, progress);
    const double rate = static_cast<double>(progress.sum().count[Tally::verdicts] - before) / std::max(seconds(), 1e-9);
    fmt::print("{:.0f} s, {:.3g} verdicts a second on {} threads\n", seconds(), rate, settings.threads);
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(most, progress.failures.size()); ++i) {
        fmt::print("FAILED {}\n", progress.failures[i]);
    }
    return progress.sum().failures() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Verdicts of adversarial views and objects, by every method on every instruction set that this machine "
        "runs: each cull is verified by its certificate, in exact arithmetic where doubles cannot tell."};
    Settings settings;
    std::vector<std::string> names;
    for (const Family& family : prove::families()) names.emplace_back(family.name);
    app.add_option("--verdicts", settings.verdicts, "how many, those of --state included")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--seconds", settings.seconds, "stop after so many")->check(CLI::NonNegativeNumber);
    app.add_option("--seed", settings.seed)->capture_default_str();
    app.add_option("--threads", settings.threads)->check(CLI::Range(1, 1024))->capture_default_str();
    app.add_option("--state", settings.state, "file to go on from, and to save to");
    app.add_option("--family", settings.families, "these alone")->check(CLI::IsMember(names));
    app.add_option("--digest", settings.digest_rounds,
                   "print a fingerprint of each set's verdicts and certificates, of so many rounds, and check nothing")
        ->check(CLI::PositiveNumber);
    app.add_flag("--stop-at-failure", settings.stop_at_failure, "at the first refuted cull");
    app.add_flag("--quiet", settings.quiet, "no progress bar");
    CLI11_PARSE(app, argc, argv);
    try {
        return settings.digest_rounds > 0 ? print_digests(settings) : run(settings);
    } catch (const std::exception& error) {
        fmt::print(stderr, "lanecull_prove: {}\n", error.what());
        return 2;
    }
}
