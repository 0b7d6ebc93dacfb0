#pragma once

#include <lanecull/solids.h>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "scene/scene.hpp"

/// Solid boxes and hulls within the meshes that a file's objects are drawn as.
namespace lanecull::program {

/// The image of box i under a 3x4 matrix, row by row, a little smaller: each point of the result is the exact image of
/// a point of the box. None where nothing is left, or the matrix is all but singular.
[[nodiscard]] std::optional<SolidOrientedBox> placed(const Boxes& boxes, std::uint32_t i, const float* transform);

/// Finds the boxes of object after object, and adds them to Scene::mesh_solids; beside them a hull, where one fills
/// more of the mesh than its largest box does. Each mesh is searched once, and each object gets its solids once.
class MeshSolidFinder {
public:
    explicit MeshSolidFinder(Scene& scene) : scene_(scene) {}

    /// Of objects of one group, whose meshes must be closed and have room for a box: refuses `--solid name` if one is
    /// not.
    void add_named(const std::string& name, std::uint32_t group, std::span<const std::uint32_t> objects);
    /// Of all objects, where their meshes are closed. Returns how many different meshes these have.
    std::uint32_t add_closed();
    /// The polytopes inscribed in capsules or cylinders of a group, but for those beside which floats are too far
    /// apart.
    void add_inscribed(const AxisArrays& of, decltype(inscribe_capsule)* inscribe, std::uint32_t group,
                       std::span<const std::uint32_t> objects);

private:
    struct Found {
        SolidBoxes boxes;
        std::shared_ptr<const SolidHull> hull;  ///< or null
        std::string why;                        ///< why the mesh was not searched; empty: it was
    };

    void search(const HullInstanceArrays& instances, std::span<const std::uint32_t> objects);
    [[nodiscard]] bool place(std::uint32_t group, std::uint32_t object);

    Scene& scene_;
    std::map<const HullMesh*, Found> found_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> placed_;  ///< group and object
};

/// The word of `--solid` for every closed mesh, which no group, object or mesh can be meant by.
inline constexpr const char* all_closed = "all-closed";

/// Makes solid what `--solid` names: a group, else the objects of a name and those that are drawn by a mesh of that
/// name, else all closed meshes (all_closed). Boxes, capsules and cylinders are taken to be solid as the user says; of
/// meshes it is proved. Refuses a name of nothing, what is none of these, and named meshes that are not closed.
void make_solid(Scene& scene, std::span<const std::string> names);

}  // namespace lanecull::program
