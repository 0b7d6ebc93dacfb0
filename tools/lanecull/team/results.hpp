#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanecull::program {

/// The results of bundles, each some bytes: kept in memory, or in a *journal*, a file that a later run goes on from.
///
/// A journal has a header, which says what it is of, and a record a bundle, in the order in which they came. A run that
/// is killed leaves at most one incomplete record, the last, which the next run cuts off. Records have checksums, so
/// that what a crash of the system leaves is found as well. Not thread-safe.
class Results {
public:
    /// In memory.
    explicit Results(std::uint64_t bundles);
    /// In a journal, with what it has of an earlier run. `work`: a fingerprint of all that results follow from. Fails
    /// if the file is of other work or no journal, or if another process has it open.
    Results(const std::string& journal, std::uint64_t work, std::uint64_t bundles);
    ~Results();
    Results(const Results&) = delete;
    Results& operator=(const Results&) = delete;

    [[nodiscard]] std::uint64_t bundles() const { return places_.size(); }
    [[nodiscard]] bool has(std::uint64_t bundle) const { return places_[bundle].is_there; }
    /// How many there are.
    [[nodiscard]] std::uint64_t done() const { return done_; }
    void add(std::uint64_t bundle, std::string_view bytes);
    /// Of a bundle that is there.
    [[nodiscard]] std::string read(std::uint64_t bundle) const;
    /// Removes the journal: all that it is for is written.
    void discard();

private:
    struct Place {
        bool is_there = false;
        std::uint64_t offset = 0, length = 0;
    };

    void open_journal(std::uint64_t work);
    void read_records();
    void note(std::uint64_t bundle, Place place);

    std::string path_;
    int descriptor_ = -1;
    std::uint64_t end_ = 0;  ///< of the journal's complete records
    std::uint64_t done_ = 0;
    std::vector<Place> places_;
    std::vector<std::string> in_memory_;
};

}  // namespace lanecull::program
