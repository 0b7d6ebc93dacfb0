#pragma once

#include <lanecull/library.h>
#include <lanecull/scene.h>
#include <lanecull/view.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cull/occluder_choice.hpp"
#include "scene/scene_solids.hpp"
#include "sweep/view_set.hpp"
#include "team/spare_memory.hpp"
#include "team/team.hpp"

namespace lanecull::program {

/// What a view of a sweep sees.
struct ViewCounts {
    std::uint32_t objects = 0;
    std::uint32_t unhidden = 0;  ///< of these, those that no chosen solid hides: all where none is chosen
    /// Runs of unhidden objects that lie beside one another in the scene's order (Output::runs): an instanced draw
    /// each.
    std::uint32_t draws = 0;
    std::uint32_t casters = 0;  ///< of shadows that may be seen, what is seen among them
};

/// All that a sweep's results follow from, but for the scene.
struct SweepPlan {
    ViewSet views;
    std::optional<DirectionalLight> sun;  ///< none: casters are not counted
    OccluderSettings occluders = {};      ///< up to `most` a view, chosen by the view alone; 0: none
    SceneSolids solids = {};              ///< to choose from, without owners: all that is in view is drawn
    Isa isa{};                            ///< one that all ranks run
    bool incidence = false;               ///< results have the numbers of the objects too
    /// The object of each handle; empty where they have the same number, or without incidence.
    std::vector<std::uint32_t> object_of = {};

    [[nodiscard]] std::string bytes() const;
    [[nodiscard]] static SweepPlan of(std::string_view bytes);
};

/// Culls an ordered scene with one view an item. A result is a ViewCounts, and with incidence the numbers of the
/// objects that are unhidden, ascending, each as its difference from the one before (append_varint()).
class SweepWork : public ItemWork {
public:
    SweepWork(lanecull::Scene scene, SweepPlan plan);

    [[nodiscard]] std::string result(std::uint64_t view) const override;
    [[nodiscard]] const lanecull::Scene& scene() const { return scene_; }
    [[nodiscard]] const SweepPlan& plan() const { return plan_; }

private:
    /// Of one thread at a time.
    struct Memory {
        std::vector<std::byte> scratch;
        std::vector<Handle> handles;
        std::vector<std::uint64_t> bits;  ///< by object; zero between calls
        std::optional<OccluderChoice> occluders;
        std::vector<std::uint64_t> in_view;  ///< by slot, where there are occluders
    };
    [[nodiscard]] Memory make_memory() const;
    void cull(const View& view, Output& output, Memory& memory) const;
    void append_objects(std::string& result, std::span<const Handle> handles, Memory& memory) const;

    lanecull::Scene scene_;
    SweepPlan plan_;
    mutable SpareMemory<Memory> memory_;
};

}  // namespace lanecull::program
