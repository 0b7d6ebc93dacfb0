#pragma once

#include <lanecull/visibility.h>
#include <oneapi/tbb/enumerable_thread_specific.h>

#include "scene/scene.hpp"
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

/// Bakes a cell an item. A result is the compressed set, as append_array() has it.
class BakeWork : public ItemWork {
public:
    BakeWork(lanecull::Scene scene, BakePlan plan, const Runner& runner);

    [[nodiscard]] std::string result(std::uint64_t cell) const override;
    [[nodiscard]] const lanecull::Scene& scene() const { return scene_; }
    [[nodiscard]] const BakePlan& plan() const { return plan_; }

private:
    struct Memory {
        std::vector<std::byte> scratch;
        std::vector<std::uint64_t> words;
        CompressedSet set;
    };
    [[nodiscard]] Memory make_memory() const;

    lanecull::Scene scene_;
    BakePlan plan_;
    BakeScene world_;  ///< refers to scene_
    mutable oneapi::tbb::enumerable_thread_specific<Memory> memory_{[this] { return make_memory(); }};
};

/// A map of how much may be seen from each cell; of cells above one another the most. The bytes of a PNG file.
[[nodiscard]] std::string draw_bake_map(const Scene& scene, const Visibility& visibility);

}  // namespace lanecull::program
