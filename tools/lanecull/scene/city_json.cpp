#include "scene/city_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <glm/common.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "scene/hull_mesh_builder.hpp"
#include "scene/polygon.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"
#include "support/input_file.hpp"
#include "support/json.hpp"
#include "support/output_file.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

/// How deep the arrays of a geometry's boundaries nest above the surfaces, each an array of rings, or above the arrays
/// of single points.
struct GeometryKind {
    std::string_view type;
    int levels;
    bool surfaces;
};

constexpr GeometryKind geometry_kinds[] = {
    {"MultiPoint", 0, false}, {"MultiLineString", 1, false}, {"MultiSurface", 1, true},  {"CompositeSurface", 1, true},
    {"Solid", 2, true},       {"MultiSolid", 3, true},       {"CompositeSolid", 3, true}};

/// Points of a file, and where a geometry has them.
struct Vertices {
    const std::vector<glm::dvec3>& points;
    glm::dmat4x3 place;
};

class CityJsonReader {
public:
    CityJsonReader(JsonValue root, const std::string& file) : root_(root), file_(file) {}

    Scene scene() {
        if (!root_.is_object() || !root_.contains("type") || !(root_["type"] == "CityJSON")) {
            fail_as_other();
        }
        read_transform();
        vertices_ = points(member(root_, "vertices", "the file"), "vertices", scale_);
        if (!root_.contains("transform")) move_near_origin();
        if (root_.contains("geometry-templates")) read_templates(root_["geometry-templates"]);
        city_objects_ = member(root_, "CityObjects", "the file");
        if (!city_objects_.is_object()) fail("{}: CityObjects is to be an object", file_);
        for (const std::string& id : city_objects_.names()) add_city_object(id);
        return finish();
    }

private:
    /// Fails for `what` at hand.
    template <class... Arguments>
    [[noreturn]] void fail_in(const std::string& what, fmt::format_string<Arguments...> format,
                              Arguments&&... arguments) const {
        fail("{}: {}: {}", file_, printable(what).substr(0, 80),
             fmt::format(format, std::forward<Arguments>(arguments)...));
    }

    /// Fails: the file is not CityJSON.
    [[noreturn]] void fail_as_other() const {
        if (root_.is_object() && root_.contains("root") && root_.contains("geometricError")) {
            fail("{}: not CityJSON but 3D Tiles, of which single tiles are read, where they are glTF (.glb)", file_);
        }
        for (const char* type : {"FeatureCollection", "Feature", "GeometryCollection"}) {
            if (!root_.is_object() || !root_.contains("type") || !(root_["type"] == type)) continue;
            fail("{}: not CityJSON but GeoJSON, which is not read; boxes around its features may be a list (.csv)",
                 file_);
        }
        fail("{}: not CityJSON: its \"type\" is not \"CityJSON\"", file_);
    }

    JsonValue member(JsonValue object, const char* name, const std::string& what) const {
        if (!object.is_object() || !object.contains(name)) fail_in(what, "{} is missing", name);
        return object[name];
    }

    double number(JsonValue value, const std::string& what) const {
        if (!value.is_number()) fail_in(what, "a number is to be here, not {}", value.dump().substr(0, 40));
        return value.number();
    }

    glm::dvec3 point(JsonValue value, const std::string& what) const {
        if (!value.is_array_of(3)) fail_in(what, "three numbers are to be here, not {}", value.dump().substr(0, 40));
        return {number(value[0], what), number(value[1], what), number(value[2], what)};
    }

    std::vector<glm::dvec3> points(JsonValue array, const std::string& what, const glm::dvec3& scale) const {
        if (!array.is_array()) fail_in(what, "an array is to be here");
        std::vector<glm::dvec3> result;
        result.reserve(array.size());
        for (const JsonValue value : array) result.push_back(scale * point(value, what));
        return result;
    }

    void read_transform() {
        if (!root_.contains("transform")) return;
        scale_ = point(member(root_["transform"], "scale", "transform"), "transform");
        translate_ = point(member(root_["transform"], "translate", "transform"), "transform");
    }

    /// As if the file had the whole numbers below all coordinates as its `translate`.
    void move_near_origin() {
        if (vertices_.empty()) return;
        glm::dvec3 least = vertices_.front();
        for (const glm::dvec3& p : vertices_) least = glm::min(least, p);
        translate_ = glm::floor(least);
        for (glm::dvec3& p : vertices_) p -= translate_;
    }

    void read_templates(JsonValue templates) {
        templates_ = member(templates, "templates", "geometry-templates");
        if (!templates_.is_array()) fail_in("geometry-templates", "templates is to be an array");
        template_vertices_ =
            points(member(templates, "vertices-templates", "geometry-templates"), "vertices-templates", glm::dvec3(1));
    }

    /// The city object that has no parents, above this one.
    std::string root_of(std::string id) const {
        const std::string first = id;
        for (std::size_t steps = 0;; ++steps) {
            const JsonValue object = city_objects_[id];
            if (!object.is_object()) fail_in(id, "a city object is to be an object");
            if (!object.contains("parents")) return id;
            const JsonValue parents = object["parents"];
            if (!parents.is_array()) fail_in(id, "parents is to be an array");
            if (parents.empty()) return id;
            if (!parents[0].is_string()) fail_in(id, "parents are to be strings");
            const std::string parent = parents[0].text();
            if (!city_objects_.contains(parent)) fail_in(id, "its parent {} is not there", printable(parent));
            if (steps > max_generations) fail_in(first, "it has parents of parents without end");
            id = parent;
        }
    }

    void add_city_object(const std::string& id) {
        HullMeshBuilder& builder = builders_[root_of(id)];
        const JsonValue object = city_objects_[id];
        if (!object.contains("geometry")) return;
        const JsonValue geometries = object["geometry"];
        if (!geometries.is_array()) fail_in(id, "geometry is to be an array");
        double finest = 0;
        for (const JsonValue geometry : geometries) finest = std::max(finest, detail(geometry, id));
        for (const JsonValue geometry : geometries) {
            if (detail(geometry, id) >= finest) add_geometry(geometry, {vertices_, glm::dmat4x3(1)}, id, builder);
        }
    }

    /// The level of detail, a number or a text like "2.2"; 0 where there is none.
    double detail(JsonValue geometry, const std::string& id) const {
        if (!geometry.is_object()) fail_in(id, "a geometry is to be an object");
        if (member(geometry, "type", id) == "GeometryInstance") geometry = template_of(geometry, id);
        if (!geometry.contains("lod")) return 0;
        const JsonValue lod = geometry["lod"];
        const double level = lod.is_number()   ? lod.number()
                             : lod.is_string() ? std::strtod(lod.text().c_str(), nullptr)
                                               : 0;
        return level > 0 ? level : 0;  // NaN too
    }

    JsonValue template_of(JsonValue instance, const std::string& id) const {
        const JsonValue geometry = templates_[index(member(instance, "template", id), templates_.size(), id)];
        if (!geometry.is_object()) fail_in("geometry-templates", "a template is to be an object");
        if (member(geometry, "type", id) == "GeometryInstance") fail_in(id, "a template is an instance itself");
        return geometry;
    }

    std::size_t index(JsonValue value, std::size_t count, const std::string& id) const {
        const double k = number(value, id);
        if (!(k >= 0 && k < static_cast<double>(count)) || k != std::floor(k)) {
            fail_in(id, "{} is to be an index, 0 to {}", value.dump().substr(0, 40), static_cast<double>(count) - 1);
        }
        return static_cast<std::size_t>(k);
    }

    void add_geometry(JsonValue geometry, const Vertices& vertices, const std::string& id, HullMeshBuilder& builder) {
        const JsonValue type = member(geometry, "type", id), boundaries = member(geometry, "boundaries", id);
        if (type == "GeometryInstance") {
            add_geometry(template_of(geometry, id), {template_vertices_, placed(geometry, boundaries, id)}, id,
                         builder);
            return;
        }
        const auto* kind = std::ranges::find_if(geometry_kinds, [&](const auto& one) { return type == one.type; });
        if (kind == std::end(geometry_kinds)) fail_in(id, "no geometry is of type {}", type.dump().substr(0, 40));
        add_boundaries(boundaries, *kind, kind->levels, vertices, id, builder);
    }

    /// A row-major matrix, and the point to which the template's origin goes.
    glm::dmat4x3 placed(JsonValue instance, JsonValue boundaries, const std::string& id) const {
        const JsonValue matrix = member(instance, "transformationMatrix", id);
        if (!matrix.is_array_of(16)) fail_in(id, "transformationMatrix is to have 16 numbers");
        if (!boundaries.is_array_of(1)) fail_in(id, "an instance's boundaries are to be one index");
        glm::dmat4x3 place;
        for (std::size_t k = 0; k < 12; ++k) {
            place[static_cast<int>(k % 4)][static_cast<int>(k / 4)] = number(matrix[k], id);
        }
        place[3] += vertices_[index(boundaries[0], vertices_.size(), id)];
        return place;
    }

    void add_boundaries(JsonValue value, const GeometryKind& kind, int levels, const Vertices& vertices,
                        const std::string& id, HullMeshBuilder& builder) {
        if (!value.is_array()) fail_in(id, "boundaries of a {} are to be deeper arrays", kind.type);
        if (levels > 0) {
            for (const JsonValue part : value) add_boundaries(part, kind, levels - 1, vertices, id, builder);
        } else if (kind.surfaces) {
            add_surface(value, vertices, id, builder);
        } else {
            add_points(corners(value, vertices, id), builder);
        }
    }

    /// Its first ring as triangles. Holes add their points, and are not cut out.
    void add_surface(JsonValue rings, const Vertices& vertices, const std::string& id, HullMeshBuilder& builder) {
        for (std::size_t k = 0; k < rings.size(); ++k) {
            const std::vector<glm::dvec3> ring = corners(rings[k], vertices, id);
            if (k > 0) {
                builder.add_hole(std::vector<glm::vec3>(ring.begin(), ring.end()));
                continue;
            }
            if (ring.size() < 3) {
                add_points(ring, builder);
                continue;
            }
            for (const std::array<std::uint32_t, 3>& t : triangles_of(ring)) {
                builder.add_face(std::array{glm::vec3(ring[t[0]]), glm::vec3(ring[t[1]]), glm::vec3(ring[t[2]])});
            }
        }
    }

    std::vector<glm::dvec3> corners(JsonValue ring, const Vertices& vertices, const std::string& id) const {
        if (!ring.is_array()) fail_in(id, "a ring is to be an array of indices, not {}", ring.dump().substr(0, 40));
        std::vector<glm::dvec3> result;
        for (const JsonValue k : ring) {
            const glm::dvec3 p =
                vertices.place * glm::dvec4(vertices.points[index(k, vertices.points.size(), id)], 1.0);
            const glm::vec3 rounded(p);
            if (!std::isfinite(rounded.x) || !std::isfinite(rounded.y) || !std::isfinite(rounded.z)) {
                fail_in(id, "vertex {} is beyond what floats hold", k.dump());
            }
            result.push_back(p);
        }
        return result;
    }

    static void add_points(const std::vector<glm::dvec3>& points, HullMeshBuilder& builder) {
        for (const glm::dvec3& p : points) builder.add_face(std::array{glm::vec3(p)});
    }

    struct TypeGroup {
        HullInstanceArrays instances;
        std::vector<std::string> names;
    };

    Scene finish() {
        std::map<std::string, TypeGroup> groups;
        std::size_t empty = 0, points = 0, count = 0;
        for (auto& [id, builder] : builders_) {
            const JsonValue type = member(city_objects_[id], "type", id);
            if (!type.is_string()) fail_in(id, "type is to be a string");
            TypeGroup& group = groups[printable(type.text())];
            std::vector<HullMesh> meshes = builder.take();
            empty += meshes.empty() ? 1 : 0;
            for (HullMesh& mesh : meshes) {
                points += mesh.x.size();
                mesh.name = printable(id);
                group.instances.add(static_cast<std::uint32_t>(group.instances.meshes.size()), glm::mat4x3(1));
                group.instances.meshes.push_back(std::move(mesh));
                group.names.push_back(printable(id));
                ++count;
            }
        }
        Scene scene;
        scene.name = std::filesystem::path(file_).filename().string();
        for (auto& [type, group] : groups) scene.add(type, std::move(group.instances), std::move(group.names));
        if (scene.groups.empty()) fail("{}: no city objects with points in it", file_);
        scene.meshes = count;
        scene.description =
            fmt::format("CityJSON, {} of {}", counted(count, "mesh", "meshes"), counted(points, "different point"));
        if (empty != 0) scene.description += fmt::format(", {} without points left out", counted(empty, "city object"));
        if (translate_ != glm::dvec3(0)) {
            scene.description += fmt::format(", relative to {}, {}, {}", translate_.x, translate_.y, translate_.z);
        }
        return scene;
    }

    static constexpr std::size_t max_generations = 100;

    const JsonValue root_;
    const std::string& file_;
    glm::dvec3 scale_{1}, translate_{0};
    std::vector<glm::dvec3> vertices_, template_vertices_;
    JsonValue templates_, city_objects_;
    std::map<std::string, HullMeshBuilder> builders_;  ///< of city objects without parents
};

}  // namespace

bool is_city_json(const std::string& file) { return ends_in(file, ".json") || ends_in(file, ".cityjson"); }

Scene read_city_json(const std::string& file) { return parse_city_json(read_file(file), file); }

Scene parse_city_json(std::string_view text, const std::string& file) {
    try {
        const JsonDocument document(text);
        return CityJsonReader(document.value(), file).scene();
    } catch (const JsonError& error) {
        fail("{}: not JSON: {}", file, error.what());
    }
}

}  // namespace lanecull::program
