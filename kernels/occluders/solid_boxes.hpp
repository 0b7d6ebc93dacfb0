#pragma once

#include <cstdint>

#include <lanecull/solids.hpp>

#include "base/array.hpp"
#include "base/memory.hpp"
#include "occluders/aligned_solid.hpp"

namespace lanecull {

struct SolidBoxes::Contents : Allocated {
    Array<float> streams;              ///< min_x, min_y, min_z, max_x, max_y, max_z, one after the other
    Array<std::uint64_t> first_owner;  ///< count + 1 of them, or none where there are no owners
    Array<std::uint32_t> owners;
    std::uint32_t count = 0;

    [[nodiscard]] bool store(const Array<solids::Solid>& boxes) noexcept;
};

/// Who may give a result its contents.
struct SolidBoxesAccess {
    static void give(SolidBoxes& to, SolidBoxes::Contents* contents) noexcept;
};

}  // namespace lanecull
