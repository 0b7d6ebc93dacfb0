#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "picture/canvas.hpp"
#include "picture/picture_volume.hpp"
#include "picture/solids.hpp"
#include "scene/scene.hpp"

/// A scene's objects with their verdicts, onto a canvas.
namespace lanecull::program {

/// A scene with what was decided about each object. Holds on to what it is given.
class JudgedScene {
public:
    /// Bits as cull() writes them for scene.batches(): with the exact method, and with planes alone.
    /// `visible_without`: the exact method's without occluders; empty where there are none.
    JudgedScene(const Scene& scene, std::span<const std::uint64_t> visible,
                std::span<const std::uint64_t> kept_by_planes, std::span<const std::uint64_t> visible_without);

    struct Counts {
        std::uint64_t objects = 0, visible = 0, false_positives = 0, hidden = 0;

        [[nodiscard]] std::uint64_t culled() const { return objects - visible; }
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }

    /// The objects that planes alone keep, and the exact method culls.
    [[nodiscard]] const std::vector<Solid>& false_positives() const { return false_positives_; }

    enum class Show {
        all,
        all_and_volume,  ///< culled objects before the volume let it show through
        visible,         ///< visible objects alone
    };
    /// Draws objects, on all cores; the result does not depend on their number. Left out: objects that are not finite,
    /// and shells around the canvas's eye or most of the volume (sky domes). Of groups that are second shapes of
    /// objects that others draw, only false positives are drawn.
    void draw(Canvas& canvas, const Polyhedron& volume, Show show) const;

private:
    struct Placement {
        std::uint32_t group, index;
        int first_row, last_row;
        Surface surface;
    };

    [[nodiscard]] Solid solid(std::size_t group, std::size_t index) const;
    [[nodiscard]] Material material(std::size_t group, std::size_t index) const;
    [[nodiscard]] std::vector<Placement> placements(const Projection& projection, const Polyhedron& volume,
                                                    Show show) const;

    const Scene& scene_;
    std::span<const std::uint64_t> visible_, kept_by_planes_, visible_without_;
    std::vector<std::size_t> first_word_;        // one a group
    std::vector<std::vector<SolidHull>> hulls_;  // one list a group
    std::vector<Solid> false_positives_;
    Counts counts_;
};

}  // namespace lanecull::program
