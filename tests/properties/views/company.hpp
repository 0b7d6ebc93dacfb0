#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/view.h>

#include "properties/trial.hpp"
#include "properties/views/setting.hpp"
#include "support/objects.hpp"

namespace properties {

/// Objects in several companies at once: each alone, each among copies of the next one, and all together. A call has
/// them plain, with all of them candidates, or with flags that say nothing. An object's verdict must be the same in
/// all.
class Company {
public:
    Company(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Streams& streams);

    /// For each object its verdicts, '1' if it is visible: alone, among neighbours, among all; of the plain call, of
    /// the one with candidates, of the one with flags.
    [[nodiscard]] std::vector<std::string> verdicts(const lanecull::View& view,
                                                    const lanecull::CullOptions& options) const;
    /// Whether they are the same in all companies.
    [[nodiscard]] static bool agree(const std::string& verdicts) {
        return verdicts.find_first_not_of(verdicts.front()) == std::string::npos;
    }
    /// Objects of all calls.
    [[nodiscard]] std::size_t asked() const { return 3 * objects_ * (2 + neighbours); }

private:
    /// With the object itself. Enough for stage 1 to be left out where it leaves them undecided.
    static constexpr std::size_t neighbours = 128;

    void add(std::vector<std::string>& verdicts, std::span<const lanecull::Batch> batches,
             std::span<const std::uint64_t> candidates, const lanecull::View& view,
             const lanecull::CullOptions& options) const;

    HeapMemory memory_;
    std::size_t objects_;
    std::vector<lanecull::Batch> plain_, flagged_;
};

/// An object's verdict is the same alone, among neighbours that are undecided as well, among those of its setting,
/// among candidates, and in batches with flags: whatever stage 1 does with the chunk.
void ask_in_company(const Setting& setting, Trial& trial);

}  // namespace properties
