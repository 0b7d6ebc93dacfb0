#include "scene/formats.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <glm/common.hpp>
#include <map>

#include "scene/json_object.hpp"
#include "scene/mesh_scene.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

using Points = std::vector<glm::dvec3>;

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

/// A geometry that is no instance: whose it is, where its vertices are, and who gathers its faces.
struct Geometry {
    const JsonObject &city_object, &object;
    const Points& vertices;
    glm::dmat4x3 world_from_vertices;
    HullMeshBuilder& builder;

    void add() const {
        const std::string type = object.required("type", object.text("type"));
        const auto* kind = std::ranges::find(geometry_kinds, type, &GeometryKind::type);
        if (kind == std::end(geometry_kinds)) object.reject("type", "is {}, of which there is none", printable(type));
        if (!object.has("boundaries")) object.reject("boundaries", "is missing");
        add_boundaries(object["boundaries"], *kind, kind->levels);
    }

private:
    void add_boundaries(const Json& value, const GeometryKind& kind, int levels) const {
        if (!value.is_array()) object.reject("boundaries", "is to be deeper arrays for a {}", kind.type);
        if (levels > 0) {
            for (const Json& part : value) add_boundaries(part, kind, levels - 1);
        } else if (kind.surfaces) {
            for (std::size_t k = 0; k < value.size(); ++k) add_ring(value[k], k > 0);
        } else {
            builder.add_points(corners(value));
        }
    }

    /// Holes are not cut out of the triangles of their surface.
    void add_ring(const Json& ring, bool is_hole) const {
        if (is_hole) {
            builder.add_hole(corners(ring));
        } else {
            builder.add_polygon(corners(ring));
        }
    }

    std::vector<glm::vec3> corners(const Json& ring) const {
        if (!ring.is_array()) {
            object.reject("boundaries", "is to have rings of indices, not {}", ring.dump().substr(0, 40));
        }
        std::vector<glm::vec3> result;
        for (const Json& index : ring) {
            const double k = index.is_number() ? index.get<double>() : -1;
            if (!(k >= 0 && k < static_cast<double>(vertices.size())) || k != std::floor(k)) {
                object.reject("boundaries", "has {}, which is no index below {}", index.dump().substr(0, 40),
                              vertices.size());
            }
            result.emplace_back(world_from_vertices * glm::dvec4(vertices[static_cast<std::size_t>(k)], 1.0));
            if (!is_finite(result.back())) {
                city_object.reject_all("has vertex {}, which is beyond what floats hold", k);
            }
        }
        return result;
    }
};

/// "vertices" and the like.
Points points(const JsonObject& object, const char* name, const glm::dvec3& scale) {
    if (!object.has(name) || !object[name].is_array()) object.reject(name, "is to be an array of points");
    const auto is_number = [](const Json& value) { return value.is_number(); };
    Points result;
    for (const Json& value : object[name]) {
        if (!value.is_array() || value.size() != 3 || !std::all_of(value.begin(), value.end(), is_number)) {
            object.reject(name, "is to have points of three numbers, not {}", value.dump().substr(0, 40));
        }
        result.push_back(scale * glm::dvec3(value[0].get<double>(), value[1].get<double>(), value[2].get<double>()));
    }
    return result;
}

glm::dvec3 vector_of(const JsonObject& object, const char* name) {
    const auto v = object.required(name, object.numbers_of<3>(name));
    return {v[0], v[1], v[2]};
}

const JsonObject& checked(const JsonObject& root) {
    if (root.has("root") && root.has("geometricError")) {
        fail("{}not CityJSON but 3D Tiles, of which single tiles are read, where they are glTF (.glb)", root.where());
    }
    const std::string type = root.text("type").value_or("");
    if (type == "FeatureCollection" || type == "Feature" || type == "GeometryCollection") {
        fail("{}not CityJSON but GeoJSON, which is not read; boxes around its features may be a list (.csv)",
             root.where());
    }
    if (type != "CityJSON") fail("{}not CityJSON: its \"type\" is not \"CityJSON\"", root.where());
    return root;
}

class CityJsonReader {
public:
    CityJsonReader(const JsonObject& root, const std::string& file)
        : file_(file), city_objects_(checked(root).required("CityObjects", root.object("CityObjects"))) {
        if (const auto transform = root.object("transform")) {
            const glm::dvec3 scale = vector_of(*transform, "scale");
            translate_ = vector_of(*transform, "translate");
            vertices_ = points(root, "vertices", scale);
        } else {
            vertices_ = points(root, "vertices", glm::dvec3(1));
            move_near_origin();
        }
        if (const auto templates = root.object("geometry-templates")) {
            templates_ = templates->array("templates");
            template_vertices_ = points(*templates, "vertices-templates", glm::dvec3(1));
        }
        for (const std::string& id : city_objects_.names()) add_city_object(id);
    }

    Scene scene() {
        struct TypeGroup {
            HullInstanceArrays instances;
            std::vector<std::string> names;
        };
        std::map<std::string, TypeGroup> groups;
        std::size_t empty = 0, points = 0;
        Scene scene;
        for (auto& [id, builder] : builders_) {
            const JsonObject object = city_object(id);
            TypeGroup& group = groups[printable(object.required("type", object.text("type")))];
            std::vector<HullMesh> meshes = builder.take();
            empty += meshes.empty() ? 1 : 0;
            scene.meshes += meshes.size();
            for (HullMesh& mesh : meshes) {
                points += mesh.x.size();
                mesh.name = printable(id);
                group.names.push_back(mesh.name);
                group.instances.add(static_cast<std::uint32_t>(group.instances.meshes.size()), glm::mat4x3(1));
                group.instances.meshes.push_back(std::move(mesh));
            }
        }
        for (auto& [type, group] : groups) scene.add(type, std::move(group.instances), std::move(group.names));
        if (scene.groups.empty()) fail("{}: no city objects with points in it", file_);
        scene.name = std::filesystem::path(file_).filename().string();
        scene.description = fmt::format("CityJSON, {} of {}", counted(scene.meshes, "mesh", "meshes"),
                                        counted(points, "different point"));
        if (empty != 0) scene.description += fmt::format(", {} without points left out", counted(empty, "city object"));
        if (translate_ != glm::dvec3(0)) {
            scene.description += fmt::format(", relative to {}, {}, {}", translate_.x, translate_.y, translate_.z);
        }
        return scene;
    }

private:
    /// As if the file had the whole numbers below all coordinates as its `translate`.
    void move_near_origin() {
        if (vertices_.empty()) return;
        glm::dvec3 least = vertices_.front();
        for (const glm::dvec3& p : vertices_) least = glm::min(least, p);
        translate_ = glm::floor(least);
        for (glm::dvec3& p : vertices_) p -= translate_;
    }

    JsonObject city_object(const std::string& id) const {
        return {city_objects_[id], file_, printable(id).substr(0, 80)};
    }

    /// The city object that has no parents, above this one.
    std::string root_of(const std::string& first) const {
        std::string id = first;
        for (std::size_t steps = 0; steps <= max_generations; ++steps) {
            const JsonObject object = city_object(id);
            const std::vector<std::string> parents = object.texts("parents");
            if (parents.empty()) return id;
            id = parents.front();
            if (!city_objects_.has(id)) object.reject("parents", "names {}, which is not there", printable(id));
        }
        city_object(first).reject_all("has parents of parents without end");
    }

    /// Of its geometries, the most detailed.
    void add_city_object(const std::string& id) {
        HullMeshBuilder& builder = builders_[root_of(id)];
        const JsonObject object = city_object(id);
        const JsonArray geometries = object.array("geometry");
        double finest = 0;
        for (std::size_t i = 0; i < geometries.size(); ++i) finest = std::max(finest, detail(geometries[i]));
        for (std::size_t i = 0; i < geometries.size(); ++i) {
            if (detail(geometries[i]) >= finest) add_geometry(geometries[i], object, builder);
        }
    }

    /// The level of detail, a number or a text like "2.2"; 0 where there is none.
    double detail(const JsonObject& geometry) const {
        if (const auto of_template = template_of(geometry)) return detail(*of_template);
        if (!geometry.has("lod")) return 0;
        const Json& lod = geometry["lod"];
        double level = 0;
        if (lod.is_number()) level = lod.get<double>();
        if (lod.is_string()) level = std::strtod(lod.get<std::string>().c_str(), nullptr);
        return level > 0 ? level : 0;  // NaN too
    }

    /// What an instance is of; nothing of another geometry.
    std::optional<JsonObject> template_of(const JsonObject& geometry) const {
        if (geometry.required("type", geometry.text("type")) != "GeometryInstance") return std::nullopt;
        JsonObject result = templates_[geometry.required("template", geometry.index("template", templates_.size()))];
        if (result.text("type") == "GeometryInstance") result.reject("type", "is that of an instance itself");
        return result;
    }

    void add_geometry(const JsonObject& geometry, const JsonObject& city_object, HullMeshBuilder& builder) const {
        if (const auto of_template = template_of(geometry)) {
            Geometry{city_object, *of_template, template_vertices_, placed(geometry), builder}.add();
        } else {
            Geometry{city_object, geometry, vertices_, glm::dmat4x3(1), builder}.add();
        }
    }

    /// A row-major matrix, and the point to which the template's origin goes.
    glm::dmat4x3 placed(const JsonObject& instance) const {
        const auto matrix = instance.required("transformationMatrix", instance.numbers_of<16>("transformationMatrix"));
        const std::vector<std::size_t> origin = instance.indices("boundaries", vertices_.size());
        if (origin.size() != 1) instance.reject("boundaries", "is to be one index");
        glm::dmat4x3 place;
        for (int k = 0; k < 12; ++k) place[k % 4][k / 4] = matrix[static_cast<std::size_t>(k)];
        place[3] += vertices_[origin.front()];
        return place;
    }

    static constexpr std::size_t max_generations = 100;

    const std::string& file_;
    const JsonObject city_objects_;
    glm::dvec3 translate_{0};
    Points vertices_, template_vertices_;
    JsonArray templates_{nullptr, file_, ""};
    std::map<std::string, HullMeshBuilder> builders_;  ///< of city objects without parents
};

}  // namespace

Scene read_city_json(const std::string& file) { return parse_city_json(MappedFile(file).text(), file); }

Scene parse_city_json(std::string_view text, const std::string& file) {
    const Json document = parse_json(text, file);
    return CityJsonReader(JsonObject(document, file, ""), file).scene();
}

}  // namespace lanecull::program
