#pragma once

#include "scene/scene.hpp"

namespace lanecull::program {

/// How far in a scene's unit what is drawn may be from its shape where places are floats. A box's centre and its three
/// half axes each move a corner by half a unit along each axis: all of them by less than 4 sqrt(3) 2^-24 of the largest
/// coordinate. As far may a wall be from its solid, and what stands behind it from its shape; together that is less
/// than 2^-20.
[[nodiscard]] double rounding_of_floats(const Scene& scene);

/// The solids of a scene: its objects that are solid (Group::solid_objects), and the boxes and hulls within meshes
/// (Scene::mesh_solids). They are numbered as those of a SolidSet.
struct SceneSolids {
    std::vector<SolidBox> boxes;
    std::vector<SolidOrientedBox> oriented_boxes;
    std::vector<SolidHullInstance> hulls;
    std::vector<std::shared_ptr<const SolidHull>> shapes;  ///< what they point to
    /// Of each, the object that is drawn for it, counted in its group. Empty: whoever uses them answers for that.
    std::vector<Owner> owners;
    std::vector<SolidBox> drawn;  ///< of each, a box around what is drawn for it

    SceneSolids() = default;
    /// Each facet is moved inward by `inset`, and what is drawn is taken to reach as much farther.
    explicit SceneSolids(const Scene& scene, double inset = 0);
    [[nodiscard]] std::size_t count() const { return set().count(); }
    /// For choose_occluders().
    [[nodiscard]] SolidSet set() const { return {boxes, oriented_boxes, drawn, owners, hulls}; }
    /// The same without hulls.
    [[nodiscard]] SceneSolids boxes_alone() const;
    /// Calls `visit` with the box or hull that solid i is.
    template <class Visit>
    auto visit(std::size_t i, const Visit& visit) const {
        if (i < boxes.size()) return visit(boxes[i]);
        i -= boxes.size();
        return i < oriented_boxes.size() ? visit(oriented_boxes[i]) : visit(hulls[i - oriented_boxes.size()]);
    }
};

/// Whether a group's objects are boxes, so that it may be solid.
[[nodiscard]] bool is_of_boxes(const Group& group);

/// A box's centre and half edges.
struct BoxEdges {
    glm::dvec3 center;
    glm::dmat3 half;
};
[[nodiscard]] BoxEdges edges_of(const SolidBox& box);
[[nodiscard]] BoxEdges edges_of(const SolidOrientedBox& box);
/// Of a box that stands for a hull: along the axes of the hull's own coordinates, and of its volume.
[[nodiscard]] BoxEdges edges_of(const SolidHullInstance& placed);

}  // namespace lanecull::program
