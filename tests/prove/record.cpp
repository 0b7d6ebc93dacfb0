#include "prove/record.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

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

}  // namespace properties
