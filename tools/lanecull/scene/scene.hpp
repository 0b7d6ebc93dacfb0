#pragma once

#include <lanecull/batch.h>
#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <algorithm>
#include <array>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <memory>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

/// Scenes: the arrays that the library's batches point into, owned.
namespace lanecull::program {

/// What coordinates of files are less than, so that squares of distances are floats.
inline constexpr double max_coordinate = 1e15;

/// An axis-aligned box in double precision; empty (lower > upper) until something is added.
struct Bounds {
    glm::dvec3 lower{1e300};
    glm::dvec3 upper{-1e300};

    [[nodiscard]] bool empty() const { return !(lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z); }
    [[nodiscard]] glm::dvec3 center() const { return 0.5 * (lower + upper); }
    [[nodiscard]] glm::dvec3 size() const { return upper - lower; }
    void add(const glm::dvec3& point);
    void add(const Bounds& other);
};

[[nodiscard]] bool is_finite(const glm::dvec3& v);

/// Two unit vectors at right angles to a vector, and the vector's direction; of 0 the axes.
[[nodiscard]] glm::dmat3 frame_along(const glm::dvec3& v);

/// Appends 12 floats: the 3x4 matrix, row by row.
void append_rows(std::vector<float>& rows, const glm::mat4x3& transform);

// One owner of arrays for each kind of the library. add() appends an object, shapes() is the library's view of all of
// them, bounds(i) a box around object i.

struct SphereArrays {
    std::vector<float> x, y, z, radius;

    void add(const glm::vec3& center, float r);
    [[nodiscard]] Spheres shapes() const;
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

struct BoxArrays {
    std::vector<float> min_x, min_y, min_z, max_x, max_y, max_z;

    void add(const glm::vec3& lower, const glm::vec3& upper);
    [[nodiscard]] Boxes shapes() const;
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

struct CenteredBoxArrays {
    std::vector<float> x, y, z, half_x, half_y, half_z;

    void add(const glm::vec3& center, const glm::vec3& half);
    [[nodiscard]] CenteredBoxes shapes() const;
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

struct OrientedBoxArrays {
    std::vector<float> x, y, z;
    std::vector<float> axes;             ///< 9 floats a box
    std::vector<float> half_extents;     ///< 3 floats a box
    std::vector<float> bounding_radius;  ///< filled by prepare()

    void add(const glm::vec3& center, const glm::mat3& axis_columns, const glm::vec3& half);
    void prepare();
    [[nodiscard]] OrientedBoxes shapes() const;
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

/// What has an axis from a to b.
struct AxisArrays {
    std::vector<float> a_x, a_y, a_z, b_x, b_y, b_z, radius;

    void add(const glm::vec3& a, const glm::vec3& b, float r);
    [[nodiscard]] glm::dvec3 a(std::size_t i) const { return {a_x[i], a_y[i], a_z[i]}; }
    [[nodiscard]] glm::dvec3 b(std::size_t i) const { return {b_x[i], b_y[i], b_z[i]}; }
    /// Half-axes of the disc around a and b, at right angles to the axis.
    [[nodiscard]] glm::dmat3 disc(std::size_t i) const;
};

template <class Shapes>
struct AxisArraysOf : AxisArrays {
    [[nodiscard]] Shapes shapes() const {
        const auto count = static_cast<std::uint32_t>(radius.size());
        return {a_x.data(), a_y.data(), a_z.data(), b_x.data(), b_y.data(), b_z.data(), radius.data(), count};
    }
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

using CapsuleArrays = AxisArraysOf<Capsules>;
using CylinderArrays = AxisArraysOf<Cylinders>;
using ConeArrays = AxisArraysOf<Cones>;  ///< a is the apex, b the base's middle

/// Cones whose bases are round.
struct RoundConeArrays : AxisArrays {
    [[nodiscard]] Cones shapes() const;
    [[nodiscard]] Bounds bounds(std::size_t i) const;
    /// How far the rim is from the apex.
    [[nodiscard]] double range(std::size_t i) const;
};

template <>
Bounds CapsuleArrays::bounds(std::size_t i) const;
template <>
Bounds CylinderArrays::bounds(std::size_t i) const;
template <>
Bounds ConeArrays::bounds(std::size_t i) const;

struct EllipsoidArrays {
    std::vector<float> x, y, z;
    std::vector<float> quaternions;      ///< 4 floats an ellipsoid: x, y, z, w
    std::vector<float> half_axes;        ///< 3 floats an ellipsoid
    std::vector<float> bounding_radius;  ///< filled by prepare()

    void add(const glm::vec3& center, const glm::vec4& quaternion, const glm::vec3& half);
    void prepare();
    /// The half-axes as columns.
    [[nodiscard]] glm::dmat3 axes(std::size_t i) const;
    [[nodiscard]] Ellipsoids shapes() const;
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

/// The points of a hull, and triangles over them. The hull is that of all points; the triangles are for pictures only
/// (a file's mesh need not be convex, and may have none).
struct HullMesh {
    std::vector<float> x, y, z;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::string name;           ///< the file's; empty where there is none
    bool covers_holes = false;  ///< triangles lie across holes of the file's surfaces
};

/// Movable, not copyable: the hulls point into the meshes.
struct HullInstanceArrays {
    std::vector<HullMesh> meshes;
    std::vector<Hull> hulls;                ///< one a mesh, pointing into it; filled by prepare()
    std::vector<float> transforms;          ///< 12 floats an instance, 3x4 row by row
    std::vector<std::uint32_t> hull_index;  ///< ascending once prepare() has sorted the instances
    std::vector<float> bounding_x, bounding_y, bounding_z, bounding_radius;  ///< filled by prepare()

    HullInstanceArrays() = default;
    HullInstanceArrays(HullInstanceArrays&&) = default;
    HullInstanceArrays& operator=(HullInstanceArrays&&) = default;

    /// `transform` has the columns A0, A1, A2, t of p -> A p + t.
    void add(std::uint32_t mesh, const glm::mat4x3& transform);
    /// Orders the instances by hull and fills hulls and bounding spheres.
    void prepare();
    [[nodiscard]] HullInstances shapes() const;
    /// The box around the instance's vertices (the hull's box, transformed, so not the smallest).
    [[nodiscard]] Bounds bounds(std::size_t i) const;
};

using Arrays = std::variant<SphereArrays, BoxArrays, CenteredBoxArrays, OrientedBoxArrays, CapsuleArrays,
                            CylinderArrays, ConeArrays, RoundConeArrays, EllipsoidArrays, HullInstanceArrays>;

[[nodiscard]] std::uint32_t object_count(const Arrays& arrays);

/// Objects of one kind with a common name: "cars".
struct Group {
    std::string name;
    Arrays arrays;
    std::vector<std::string> names = {};  ///< of its objects, as the file has them; empty: they have none
    /// Of boxes: what is drawn for these is closed and opaque and fills them. Ascending.
    std::vector<std::uint32_t> solid_objects = {};
    /// The meshes that are drawn for the objects, where `arrays` are only boxes around them; else null.
    std::shared_ptr<HullInstanceArrays> drawn = {};
};

/// Boxes and hulls within closed meshes, placed as the objects are.
struct MeshSolids {
    struct Box {
        SolidOrientedBox box;
        SolidBox drawn;  ///< around the whole mesh
        Owner owner;     ///< the object, which counts in its group
    };
    struct Hull {
        std::shared_ptr<const SolidHull> shape;  ///< the mesh's
        std::array<float, 12> transform;
        SolidBox drawn;
        Owner owner;
    };
    std::vector<Box> boxes;
    std::vector<Hull> hulls;
    std::size_t meshes = 0, closed_meshes = 0;  ///< different ones that were searched, and those that are closed
};

/// Groups of objects; group g is batch g.
struct Scene {
    std::string name;         ///< "city", or the file's name
    std::string description;  ///< a line for the report
    glm::dvec3 up{0, 0, 1};   ///< a unit axis
    /// The corners of a walk along the middle of streets, at the height of eyes. Empty where there are no streets.
    std::vector<glm::dvec3> walk;
    std::vector<Group> groups;
    std::size_t meshes = 0;  ///< different ones, of a file that has them
    MeshSolids mesh_solids;  ///< what make_solid() found

    /// Appends a group, prepared; an empty one is left out. `names` are those of the objects, if they have any: in the
    /// order of the arrays, which for hull instances is that of their hulls.
    template <class Kind>
    void add(std::string group_name, Kind arrays, std::vector<std::string> names = {}) {
        if (arrays.shapes().count == 0) return;
        if constexpr (requires { arrays.prepare(); }) arrays.prepare();
        Group& group = groups.emplace_back();
        group.name = std::move(group_name);
        group.arrays = std::move(arrays);
        group.names = std::move(names);
    }
    /// The same of boxes that are solid.
    template <class Kind>
    void add_solid(std::string group_name, Kind arrays) {
        const std::size_t before = groups.size();
        add(std::move(group_name), std::move(arrays));
        if (groups.size() == before) return;
        groups.back().solid_objects.resize(program::object_count(groups.back().arrays));
        std::iota(groups.back().solid_objects.begin(), groups.back().solid_objects.end(), 0U);
    }

    /// One batch a group, in order; indices count through all groups. Valid while the scene lives unchanged.
    [[nodiscard]] std::vector<Batch> batches() const;
    [[nodiscard]] std::uint64_t object_count() const;
    [[nodiscard]] Bounds bounds() const;
    [[nodiscard]] bool has_solids() const;
};

/// A block of an ordered scene that has objects, and what a cull found it to be.
struct JudgedBlock {
    SceneBlock block;
    BlockOutcome outcome;
};

/// "spheres", "boxes", "centred boxes", "oriented boxes", "capsules", "cylinders", "cones", "round cones",
/// "ellipsoids", "hull instances".
[[nodiscard]] const char* kind_name(const Arrays& arrays);

/// A box around object i.
[[nodiscard]] Bounds object_bounds(const Arrays& arrays, std::size_t i);

/// An object in its group. Objects' numbers count through all groups, as Batch::first_index does.
struct ObjectPlace {
    std::size_t group;
    std::uint32_t index;  ///< in the group
};
[[nodiscard]] ObjectPlace place_of(const Scene& scene, std::uint64_t object);

/// The object's name in the scene's file; empty if it has none.
[[nodiscard]] std::string name_of(const Scene& scene, const ObjectPlace& place);

/// Whether the text is that of a number.
[[nodiscard]] bool is_object_number(const std::string& text);

/// The object that `--object` names: a number, or the name of one object. A text of
/// digits is a number; in double quotes it is a name. Refuses what is neither, or the name of several.
[[nodiscard]] std::uint64_t find_object(const Scene& scene, const std::string& text);

}  // namespace lanecull::program
