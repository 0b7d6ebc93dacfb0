#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "picture/canvas.hpp"
#include "picture/picture_image.hpp"
#include "picture/picture_scene.hpp"
#include "picture/picture_volume.hpp"
#include "picture/solids.hpp"
#include "scene/camera.hpp"

/// Whether a reader of a picture sees what it is about, and what is cut away where walls hide it.
namespace lanecull::program {

/// Whether a scene is cut open.
enum class CutawayChoice {
    automatic,  ///< where the scene encloses what the picture is about
    on,
    off
};

/// What a picture is about: the places that the camera sees, some on the way to them, and the false positives.
struct Sight {
    std::vector<glm::dvec3> places;
    std::span<const Solid> false_positives;
};
[[nodiscard]] Sight sight_of(const JudgedScene& scene, const Camera& camera, const Polyhedron& volume);

/// Shares of a Sight that an observer sees, 0 to 1; of nothing, 1.
struct SightSeen {
    double places = 1, false_positives = 1;

    /// Below this share of the places the scene encloses them. Of the city's streets 0.65 and more are seen, of the
    /// rooms of tools/pictures/scenes that have ceilings 0.35 at most.
    static constexpr double enclosed = 0.5;
    [[nodiscard]] bool is_enclosed() const { return places < enclosed; }
};

/// What of it a canvas shows. `covered`: the parts of the picture, in shares of its width and height, on which there
/// are cards.
[[nodiscard]] SightSeen seen_on(const Sight& sight, const Canvas& canvas, std::span<const Rectangle> covered);

/// A scene cut open: all above a height is left out, and what then stands before the volume becomes a ghost.
class Section {
public:
    /// At the camera's height.
    Section(const Camera& camera, const glm::dvec3& up, const Polyhedron& volume);

    [[nodiscard]] Cutaway seen_by(const Projection& projection) const;
    /// The cut alone; `ghosts` as in Cutaway.
    [[nodiscard]] Cutaway cut_by(const Projection& projection, bool ghosts) const;

private:
    glm::dvec3 up_;
    double height_;
    Polyhedron volume_;  // below the height, if there is anything of it
};

}  // namespace lanecull::program
