#include "prove/record.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace properties {
namespace {

using Json = nlohmann::json;

/// Counts of 0 are left out.
Json to_json(const Family& family, const Tally& tally) {
    Json counts = Json::object();
    counts["subject"] = family.subject;  // for tools/records
    for (int k = 0; k < Tally::counts; ++k) {
        const std::uint64_t count = tally.count[static_cast<std::size_t>(k)];
        if (count != 0) counts[Tally::name(k)] = count;
    }
    return counts;
}

Tally tally_of(const Json& counts) {
    Tally tally;
    for (int k = 0; k < Tally::counts; ++k) {
        tally.count[static_cast<std::size_t>(k)] = counts.value(Tally::name(k), std::uint64_t{0});
    }
    return tally;
}

/// A line for each family.
std::string to_text(const Run& run, std::span<const Family> families) {
    std::string text = "{\"commit\": " + Json(run.commit).dump() + ", \"sets\": " + Json(run.sets).dump() +
                       ", \"seed\": " + std::to_string(run.seed) + ", \"rounds\": " + std::to_string(run.rounds) +
                       ", \"families\": {";
    for (std::size_t f = 0; f < families.size(); ++f) {
        text += (f == 0 ? "\n  " : ",\n  ") + Json(families[f].name).dump() + ": " +
                to_json(families[f], run.tallies[f]).dump();
    }
    return text + "}}";
}

}  // namespace

Tally Run::sum() const {
    Tally all;
    for (const Tally& tally : tallies) all += tally;
    return all;
}

Record::Record(std::string file, std::span<const Family> families)
    : file_(std::move(file)), families_(families), before_(families.size()) {
    if (file_.empty() || !std::filesystem::exists(file_)) return;
    try {
        const Json state = Json::parse(std::ifstream(file_));
        for (const Json& json : state.at("runs")) {
            Run run{json.at("commit"), json.at("sets"), json.at("seed"), json.at("rounds"), {}};
            std::vector<Tally> tallies(families_.size());
            for (const auto& [name, counts] : json.at("families").items()) {
                const auto family =
                    std::find_if(families_.begin(), families_.end(),
                                 [&, &family_name = name](const Family& f) { return f.name == family_name; });
                if (family == families_.end()) throw std::runtime_error("is of other families: " + name);
                tallies[static_cast<std::size_t>(family - families_.begin())] = tally_of(counts);
            }
            run.tallies = std::move(tallies);
            runs_.push_back(std::move(run));
        }
    } catch (const std::exception& error) {
        throw std::runtime_error("--state: " + file_ + ": " + error.what());
    }
}

Run Record::resume(const std::string& commit, const std::string& sets, std::uint64_t seed) {
    Run resumed{commit, sets, seed, 0, std::vector<Tally>(families_.size())};
    std::uint64_t free_seed = 1;
    for (const Run& run : runs_) free_seed = std::max(free_seed, run.seed + 1);
    const auto same = std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) {
        return run.commit == commit && run.sets == sets && (seed == 0 || run.seed == seed);
    });
    if (same != runs_.end()) {
        resumed = *same;
        runs_.erase(same);
    } else if (seed == 0) {
        resumed.seed = free_seed;
    }
    for (const Run& run : runs_) {
        for (std::size_t f = 0; f < families_.size(); ++f) before_[f] += run.tallies[f];
    }
    return resumed;
}

void Record::save(const Run& run) const {
    if (file_.empty()) return;
    const std::string part = file_ + ".part";
    std::ofstream file(part);
    file << "{\"runs\": [\n";
    for (const Run& other : runs_) file << to_text(other, families_) << ",\n";
    file << to_text(run, families_) << "\n]}\n";
    file.close();
    if (!file) throw std::runtime_error("--state: " + part + " cannot be written");
    std::filesystem::rename(part, file_);
}

namespace {

double per(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void print_line(const char* name, const Tally& t) {
    const auto& c = t.count;
    const auto kept = [&](Tally::Count part, Tally::Count whole) { return 1e3 * per(c[part], c[whole]); };
    fmt::print(
        "{:17} {:7} {:6} {:11.4g} {:9.3g} {:9.3g} {:9.3g} {:9} {:8} | {:9} {:6.1f} {:6} | {:8.3f} {:8.3f} {:8.3f} | "
        "{:8} "
        "{:6}\n",
        name, c[Tally::trials], c[Tally::views_planes_only], static_cast<double>(c[Tally::verdicts]),
        static_cast<double>(c[Tally::culled_plane]), static_cast<double>(c[Tally::culled_gjk]),
        static_cast<double>(c[Tally::culled_occluded]), c[Tally::exact_checks], t.failures() - c[Tally::false_culls],
        c[Tally::oracle_objects], 100 * per(c[Tally::oracle_visible], c[Tally::oracle_objects]), c[Tally::false_culls],
        kept(Tally::kept_14, Tally::apart_14), kept(Tally::kept_18, Tally::apart_18),
        kept(Tally::kept_22, Tally::apart_22), c[Tally::differing], c[Tally::differing_far]);
}

void print_head() {
    fmt::print("\n{:17} {:>7} {:>6} {:>11} {:>9} {:>9} {:>9} {:>9} {:>8} | {:>9} {:>6} {:>6} | {:>26} | {:>8} {:>6}\n",
               "", "trials", "planes", "verdicts", "culled by", "culled by", "culled by", "exact", "refuted", "oracle",
               "visible", "false", "kept of 1,000 apart by", "sets or", "by 4");
    fmt::print(
        "{:17} {:>7} {:>6} {:>11} {:>9} {:>9} {:>9} {:>9} {:>8} | {:>9} {:>6} {:>6} | {:>8} {:>8} {:>8} | {:>8} "
        "{:>6}\n",
        "family", "", "alone", "", "planes", "GJK", "solids", "checks", "", "objects", "%", "culls", "2^-14", "2^-18",
        "2^-22", "methods", "bounds");
}

void print_kept(const Tally& all) {
    const auto& c = all.count;
    fmt::print(
        "\nKept though apart by 2^-14 of the coordinates: {} decided by planes alone, {} where the simplex came too "
        "near, "
        "{} at the cap.\nObjects with verdicts that differ between sets, or between automatic and GJK: {} of {}. Of {} "
        "asked, "
        "{} apart by more than 4 bounds, of these {} where the simplex came too near or the cap was reached.\n",
        c[Tally::kept_14_planes], c[Tally::kept_14_touching], c[Tally::kept_14_cap], c[Tally::differing],
        c[Tally::pairs], c[Tally::differing_asked], c[Tally::differing_far], c[Tally::differing_explained]);
}

/// A line for each subject that has several families, in order.
void print_subjects(std::span<const Family> families, std::span<const Tally> tallies) {
    std::vector<std::string> subjects;
    for (const Family& family : families) {
        if (std::find(subjects.begin(), subjects.end(), family.subject) == subjects.end())
            subjects.emplace_back(family.subject);
    }
    for (const std::string& subject : subjects) {
        Tally sum;
        for (std::size_t f = 0; f < families.size(); ++f) {
            if (families[f].subject == subject) sum += tallies[f];
        }
        print_line(("all " + subject).c_str(), sum);
    }
}

}  // namespace

void print_table(std::span<const Family> families, std::span<const Tally> tallies) {
    print_head();
    Tally all;
    for (std::size_t f = 0; f < families.size(); ++f) {
        print_line(families[f].name, tallies[f]);
        all += tallies[f];
    }
    fmt::print("\n");
    print_subjects(families, tallies);
    print_line("all", all);
    print_kept(all);
}

}  // namespace properties
