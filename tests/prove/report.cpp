#include "prove/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace properties {
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
        "\nKept though apart by 2^-14 of the coordinates: {} told by planes alone, {} where the simplex came too near, "
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
