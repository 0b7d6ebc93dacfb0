#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "scene/scene.hpp"

namespace lanecull::program {

/// A grid of some million cells over a scene: which of them have a surface in them, and where a camera has room. A cell
/// has room if no surface is within the clearance of it, and if it belongs to the scene's space: what is connected to
/// the world outside or, in an enclosed scene, the room that most objects stand in. The clearance is a tenth of the
/// space's width and a quarter of its height, or as much less as keeps nine tenths of what has room connected: the
/// camera still goes through doors.
///
/// Of a mesh the surfaces are its triangles; what other objects fill counts as surface, too. A cell takes four
/// bytes while the grid is made and two later; a scene takes a step for each triangle and object, and some for each
/// that is larger than a cell.
class FreeSpace {
public:
    /// `bounds`: where the scene is. The grid ends a few cells beyond, and a third of the scene's height above it.
    FreeSpace(const Scene& scene, const Bounds& bounds);

    /// The scene's space is a room, not the world outside.
    [[nodiscard]] bool enclosed() const { return enclosed_; }
    /// How far from all surfaces there is room.
    [[nodiscard]] double clearance() const { return clearance_; }
    /// A box around the cells that have room.
    [[nodiscard]] const Bounds& room() const { return room_bounds_; }

    [[nodiscard]] bool has_room(const glm::dvec3& p) const;
    /// Whether a surface is below p, at most `depth` away.
    [[nodiscard]] bool has_ground(const glm::dvec3& p, double depth) const;
    /// The cell with room that is nearest to p, if any; with ground at most `depth` below it if `depth` is given.
    [[nodiscard]] std::optional<glm::dvec3> nearest_room(const glm::dvec3& p, std::optional<double> depth) const;
    /// Whether there is room all along the straight line from a to b.
    [[nodiscard]] bool sees(const glm::dvec3& a, const glm::dvec3& b) const;
    /// Corners of a way from a to b, both included, along which there is room; empty if there is none. Both have room.
    [[nodiscard]] std::vector<glm::dvec3> way(const glm::dvec3& a, const glm::dvec3& b) const;
    /// How far the first surface is from `eye` along a unit vector: to about a cell; none within `limit`.
    [[nodiscard]] std::optional<double> distance(const glm::dvec3& eye, const glm::dvec3& direction,
                                                 double limit) const;

private:
    using Cell = glm::ivec3;

    void mark(const Bounds& box);
    void mark_triangle(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c);
    void mark_object(const Arrays& arrays, std::size_t i);
    void sum_up();
    /// Cells that are connected.
    struct Part {
        std::size_t cells = 0, objects = 0;  ///< objects: with their centres about within its bounds, if it is large
        Bounds bounds;
    };

    void find_room(const Scene& scene);
    void keep_away();
    [[nodiscard]] std::vector<std::uint8_t> steps_to_surfaces(std::uint8_t most) const;
    [[nodiscard]] bool keep_away(const std::vector<std::uint8_t>& steps, std::uint8_t least);
    [[nodiscard]] Part fill(std::size_t start, const std::vector<std::uint8_t>& closed,
                            std::vector<std::uint32_t>& label) const;
    [[nodiscard]] std::uint32_t enclosed_room(const Scene& scene, std::uint32_t outside,
                                              std::vector<Part>& parts) const;
    [[nodiscard]] std::vector<glm::dvec3> cells_between(const glm::dvec3& a, const glm::dvec3& b) const;
    [[nodiscard]] std::vector<std::uint8_t> blocked() const;
    void block_below_ground(std::vector<std::uint8_t>& blocked) const;

    [[nodiscard]] Cell cell_of(const glm::dvec3& p) const;
    [[nodiscard]] glm::dvec3 center_of(std::size_t index) const;
    [[nodiscard]] bool inside(const Cell& c) const;
    [[nodiscard]] std::size_t index_of(const Cell& c) const;

    int up_axis_;
    double size_ = 1;  ///< of a cell's edges
    glm::dvec3 lower_{0, 0, 0};
    Cell count_{1, 1, 1};
    std::array<std::size_t, 3> steps_{};  ///< between the cells of each axis, in surface_ and room_
    std::vector<std::int32_t> changes_;   ///< of the number of boxes, along all three axes; empty once summed up
    std::vector<std::uint8_t> surface_, room_;
    std::uint64_t pieces_left_;  ///< of triangles larger than a cell, that may still be looked at one by one
    bool enclosed_ = false;
    Bounds room_bounds_;
    double clearance_ = 0;
};

}  // namespace lanecull::program
