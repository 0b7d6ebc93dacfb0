#pragma once

#include "picture/canvas.hpp"
#include "picture/image.hpp"
#include "picture/solids.hpp"
#include "picture/volume.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "support/measuring.hpp"

/// A scene's objects with their verdicts on a canvas, and whether a reader sees there what the picture is about.
namespace lanecull::program {

/// What surfaces are.
enum Ink : std::uint8_t { nothing, ground, culled, visible, false_positive, hidden };

/// The colours that show what became of an object; distinguished by colour-blind eyes too.
namespace verdict_color {
inline constexpr unsigned culled = 0xCBCED1, visible = 0x1F7FC4, false_positive = 0xF05A00, hidden = 0x7A4F9A,
                          section = 0x8E9194;  // of what is culled
}

/// Whether a scene is cut open.
enum class CutawayChoice {
    automatic,  ///< where the scene encloses what the picture is about
    on,
    off
};

/// A scene with what was decided about each object. Holds on to what it is given.
class JudgedScene {
public:
    /// Bits as cull() writes them for scene.batches(): with the exact method, and with planes alone.
    /// `visible_without`: the exact method's without occluders; empty where there are none.
    JudgedScene(const Scene& scene, std::span<const std::uint64_t> visible_bits,
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
    /// Draws objects. Left out are shells around the canvas's eye or most of the volume (sky domes).
    void draw(Canvas& canvas, const Polyhedron& volume, Show show) const;

private:
    [[nodiscard]] Ink verdict(std::size_t group, std::size_t index) const;

    const Scene& scene_;
    SceneSolidShapes shapes_;
    std::span<const std::uint64_t> visible_, kept_by_planes_, visible_without_;
    std::vector<std::size_t> first_bit_;  // one a group
    std::vector<Solid> false_positives_;
    Counts counts_;
};

/// A scene cut open at the camera's height: all above is left out.
struct Section {
    glm::dvec3 up;
    double height;

    Section(const Camera& camera, const glm::dvec3& scene_up);
    /// What then stands before the volume becomes a ghost.
    [[nodiscard]] Cutaway seen_by(const Projection& projection, const Polyhedron* volume = nullptr) const;
};

/// What a picture is about: the places that the camera sees, some on the way to them, and the false positives.
struct Sight {
    std::vector<glm::dvec3> places;
    std::span<const Solid> false_positives;

    Sight(const JudgedScene& scene, const Camera& camera, const Polyhedron& volume);

    /// Shares of it that an observer sees, 0 to 1; of nothing, 1.
    struct Seen {
        double places = 1, false_positives = 1;

        /// The scene encloses the places. Of the city's streets 0.65 and more are seen, of the rooms of
        /// tools/pictures/scenes that have ceilings 0.35 at most.
        [[nodiscard]] bool is_enclosed() const { return places < 0.5; }
    };
    /// What of it a canvas shows. `covered`: the parts of the picture, in shares of its width and height, on which
    /// there are cards.
    [[nodiscard]] Seen seen_on(const Canvas& canvas, std::span<const Rectangle> covered = {}) const;
};

}  // namespace lanecull::program
