#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include "cull/occluder_choice.hpp"
#include "scene/camera.hpp"
#include "scene/camera_path.hpp"
#include "scene/scene.hpp"
#include "scene/scene_solids.hpp"
#include "support/files.hpp"
#include "support/report.hpp"
#include "team/team.hpp"

namespace lanecull::program {

/// What a grid of viewpoints is made of, but for the scene.
struct GridOptions {
    std::array<std::uint32_t, 2> count{64, 64};  ///< viewpoints along the map's axes, each 1 to 65,536
    std::uint32_t directions = 8;                ///< of each viewpoint, evenly around
    double height = 1.8;                         ///< above the scene's ground
};

/// The views of a sweep: those of a grid over a scene's plan, or of a list. Plain data, so that other processes can
/// have it.
class ViewSet {
public:
    /// A viewpoint in the middle of each of count[0] by count[1] rectangles that cover the scene's main bounds.
    ViewSet(const Scene& scene, const GridOptions& grid, const LensOptions& lens);
    /// Those of a file: a camera path in JSON, or a list of "x y z dx dy dz", a viewpoint and a direction a line.
    ViewSet(const Scene& scene, const std::string& file, const LensOptions& lens);
    /// From bytes().
    explicit ViewSet(std::string_view bytes);

    [[nodiscard]] std::uint64_t count() const;
    /// Of a grid: view d + directions * (x + count[0] * y) is direction d of viewpoint (x, y).
    [[nodiscard]] Camera camera(std::uint64_t view) const;
    [[nodiscard]] std::string bytes() const;

    [[nodiscard]] bool is_grid() const { return list_.empty(); }
    [[nodiscard]] std::array<std::uint32_t, 2> grid() const { return grid_; }
    [[nodiscard]] std::uint64_t directions() const { return is_grid() ? forward_.size() : 1; }
    /// Of a grid: the corner of its first rectangle, at the height of the eyes, and the sides of each.
    [[nodiscard]] const glm::dvec3& corner() const { return corner_; }
    [[nodiscard]] const std::array<glm::dvec3, 2>& sides() const { return sides_; }
    /// "64 x 64 viewpoints, 8 directions", "7 cameras of FILE".
    [[nodiscard]] const std::string& description() const { return description_; }

private:
    std::string description_;
    Camera lens_;
    std::array<std::uint32_t, 2> grid_{0, 0};
    glm::dvec3 corner_{0};
    std::array<glm::dvec3, 2> sides_{};
    std::vector<glm::dvec3> forward_;
    CameraPath list_;
};

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

    [[nodiscard]] std::string bytes() const;
    [[nodiscard]] static SweepPlan of(std::string_view bytes);
};

/// Culls an ordered scene with one view an item. A result is a ViewCounts.
class SweepWork : public ItemWork {
public:
    SweepWork(lanecull::Scene scene, SweepPlan plan);

    [[nodiscard]] std::string result(std::uint64_t view) const override;
    [[nodiscard]] const lanecull::Scene& scene() const { return scene_; }
    [[nodiscard]] const SweepPlan& plan() const { return plan_; }

private:
    struct Memory {
        std::vector<std::byte> scratch;
        std::optional<OccluderChoice> occluders;
        std::vector<std::uint64_t> in_view;  ///< by slot, where there are occluders
    };
    [[nodiscard]] Memory make_memory() const;
    void cull(const View& view, Output& output, Memory& memory) const;

    lanecull::Scene scene_;
    SweepPlan plan_;
    mutable oneapi::tbb::enumerable_thread_specific<Memory> memory_{[this] { return make_memory(); }};
};

/// One of the counts of ViewCounts.
struct Measure {
    const char* name;    ///< as options and data call it
    const char* phrase;  ///< "objects seen"
    std::uint32_t ViewCounts::*count;
};
inline constexpr std::array<Measure, 4> measures{{{"objects", "objects seen", &ViewCounts::objects},
                                                  {"unhidden", "not hidden", &ViewCounts::unhidden},
                                                  {"draws", "draws", &ViewCounts::draws},
                                                  {"casters", "shadow casters", &ViewCounts::casters}}};

/// What a sweep found.
struct Sweep {
    const Scene& scene;
    const SweepPlan& plan;
    std::vector<ViewCounts> counts;    ///< of each view
    Measure ranked{};                  ///< by which views are the worst
    std::vector<std::uint64_t> worst;  ///< views, the worst first; of a viewpoint one at most

    [[nodiscard]] std::uint64_t count(const Measure& measure, std::uint64_t view) const {
        return counts[view].*measure.count;
    }
    /// Those that were counted.
    [[nodiscard]] std::vector<Measure> measured() const;
};

/// The counts out of the results of all bundles.
[[nodiscard]] std::vector<ViewCounts> counts_of(const std::vector<std::string>& results);
/// Up to `most` views with the highest counts, the first of equal ones; of each viewpoint the highest alone.
[[nodiscard]] std::vector<std::uint64_t> worst_views(const Sweep& sweep, std::size_t most);

/// Members are described in tools/README.md.
[[nodiscard]] Report sweep_report(const Sweep& sweep);
[[nodiscard]] std::string sweep_table(const Report& report, const std::string& views);
/// A row a view.
void write_sweep_csv(const Sweep& sweep, OutputFile& file);
/// A heat map over the scene's plan: in each rectangle of a grid the highest count of its viewpoint's directions, of a
/// list a disc at each viewpoint; and the worst views. The bytes of a PNG file.
[[nodiscard]] std::string draw_sweep_map(const Sweep& sweep);

}  // namespace lanecull::program
