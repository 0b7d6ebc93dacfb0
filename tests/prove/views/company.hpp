#pragma once

#include <optional>

#include "prove/trial.hpp"
#include "prove/views/setting.hpp"

namespace prove {

/// An object's verdict is the same alone, among neighbours that are undecided as well, among those of its setting,
/// among candidates, and in batches with flags: whatever stage 1 does with the chunk.
void ask_in_company(const Setting& setting, Trial& trial);

template <MakeSetting make>
void company(Trial& trial) {
    const std::optional<Setting> setting = make(trial.random, trial.plan.objects);
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (setting) ask_in_company(*setting, trial);
}

}  // namespace prove
