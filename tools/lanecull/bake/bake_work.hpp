#pragma once

#include <lanecull/library.h>
#include <lanecull/scene.h>
#include <lanecull/visibility.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "team/spare_memory.hpp"
#include "team/team.hpp"

namespace lanecull::program {

/// All that a bake's results follow from, but for the scene.
struct BakePlan {
    CellGrid grid;
    BakeOptions options;  ///< with an instruction set that all ranks run
    std::vector<SolidBox> boxes, drawn;
    std::vector<SolidOrientedBox> oriented_boxes;

    [[nodiscard]] SolidSet solids() const { return {boxes, oriented_boxes, drawn, {}}; }
    [[nodiscard]] std::string bytes() const;
    [[nodiscard]] static BakePlan of(std::string_view bytes);
};

/// Bakes a cell an item. A result is a set's length in bytes (append_varint()) and the compressed set.
class BakeWork : public ItemWork {
public:
    BakeWork(lanecull::Scene scene, BakePlan plan, const Runner& runner);

    [[nodiscard]] std::string result(std::uint64_t cell) const override;
    /// A cell's set, by slot, and the numbers of the solids that hide.
    [[nodiscard]] std::vector<std::uint64_t> bake(std::uint64_t cell, std::vector<std::uint32_t>& hiding) const;
    [[nodiscard]] const lanecull::Scene& scene() const { return scene_; }
    [[nodiscard]] const BakePlan& plan() const { return plan_; }

private:
    /// Of one thread at a time.
    struct Memory {
        std::vector<std::byte> scratch;
        std::vector<std::uint64_t> words;
        CompressedSet set;
    };
    [[nodiscard]] Memory make_memory() const;
    void bake_into(std::uint64_t cell, Memory& memory, BakedCell& baked) const;

    lanecull::Scene scene_;
    BakePlan plan_;
    BakeScene world_;  ///< refers to scene_
    mutable SpareMemory<Memory> memory_;
};

}  // namespace lanecull::program
