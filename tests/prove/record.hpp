#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "properties/family.hpp"
#include "properties/trial.hpp"

/// What was proved, in a file that runs go on from and add to.
namespace properties {

/// Some rounds, one trial of every family each, with one seed and one state of the library.
struct Run {
    std::string commit;  ///< of the library; empty if unknown
    std::string sets;    ///< the instruction sets, with spaces between
    std::uint64_t seed = 1;
    std::uint64_t rounds = 0;    ///< done so far
    std::vector<Tally> tallies;  ///< of each family

    [[nodiscard]] Tally sum() const;
};

class Record {
public:
    /// Reads the file's runs if there is a file; an empty name stands for none. Throws if the file is damaged, or has a
    /// family that is not among `families`.
    Record(std::string file, std::span<const Family> families);

    /// The run to go on with: the file's, if it has one of this commit, these sets and this seed; else a new one. Seed
    /// 0 stands for any that the file's run has, or else for one that no run has.
    [[nodiscard]] Run resume(const std::string& commit, const std::string& sets, std::uint64_t seed);

    /// Of each family: what the file's other runs counted.
    [[nodiscard]] std::span<const Tally> before() const { return before_; }

    /// Puts the run beside the file's other runs. The file is written whole or not at all.
    void save(const Run& run) const;

private:
    std::string file_;
    std::span<const Family> families_;
    std::vector<Run> runs_;  ///< without the one that goes on
    std::vector<Tally> before_;
};

/// Prints a line for each family and for each subject, and what stays visible though it is apart.
void print_table(std::span<const Family> families, std::span<const Tally> tallies);

}  // namespace properties
