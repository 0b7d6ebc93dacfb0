#include "scene/formats.hpp"

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
#include <optional>
#include <utility>
#include <vector>

#include "scene/json_object.hpp"
#include "scene/mesh_scene.hpp"
#include "support/error.hpp"
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

/// A city object: its geometries say where, and its builder gathers what is in them.
struct Place {
    const JsonObject& object;
    HullMeshBuilder& builder;
    const Points& vertices;
    glm::dmat4x3 world_from_vertices;
};

glm::dvec3 vector_of(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

class CityJsonReader {
public:
    CityJsonReader(const JsonObject& root, const std::string& file)
        : file_(file), city_objects_(checked(root).required("CityObjects", root.object("CityObjects"))) {
        if (const auto transform = root.object("transform")) {
            scale_ = vector_of(transform->required("scale", transform->numbers_of<3>("scale")));
            translate_ = vector_of(transform->required("translate", transform->numbers_of<3>("translate")));
        }
        vertices_ = points(root, "vertices", scale_);
        if (!root.has("transform")) move_near_origin();
        if (const auto templates = root.object("geometry-templates")) {
            templates_ = templates->array("templates");
            template_vertices_ = points(*templates, "vertices-templates", glm::dvec3(1));
        }
    }

    Scene scene() {
        for (const std::string& id : city_objects_.names()) add_city_object(id);
        struct TypeGroup {
            HullInstanceArrays instances;
            std::vector<std::string> names;
        };
        std::map<std::string, TypeGroup> groups;
        std::size_t empty = 0, points = 0, count = 0;
        for (auto& [id, builder] : builders_) {
            const JsonObject object = city_object(id);
            TypeGroup& group = groups[printable(object.required("type", object.text("type")))];
            std::vector<HullMesh> meshes = builder.take();
            empty += meshes.empty() ? 1 : 0;
            count += meshes.size();
            for (HullMesh& mesh : meshes) {
                points += mesh.x.size();
                mesh.name = printable(id);
                group.instances.add(static_cast<std::uint32_t>(group.instances.meshes.size()), glm::mat4x3(1));
                group.instances.meshes.push_back(std::move(mesh));
                group.names.push_back(printable(id));
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

private:
    static const JsonObject& checked(const JsonObject& root) {
        if (root.has("root") && root.has("geometricError")) {
            fail("{}not CityJSON but 3D Tiles, of which single tiles are read, where they are glTF (.glb)",
                 root.where());
        }
        const std::string type = root.text("type").value_or("");
        if (type == "FeatureCollection" || type == "Feature" || type == "GeometryCollection") {
            fail("{}not CityJSON but GeoJSON, which is not read; boxes around its features may be a list (.csv)",
                 root.where());
        }
        if (type != "CityJSON") fail("{}not CityJSON: its \"type\" is not \"CityJSON\"", root.where());
        return root;
    }

    static Points points(const JsonObject& object, const char* name, const glm::dvec3& scale) {
        if (!object.has(name) || !object[name].is_array()) object.reject(name, "is to be an array of points");
        Points result;
        for (const JsonValue value : object[name]) {
            glm::dvec3 point;
            for (std::size_t k = 0; k < 3; ++k) {
                if (!value.is_array_of(3) || !value[k].is_number()) {
                    object.reject(name, "is to have points of three numbers, not {}", value.dump().substr(0, 40));
                }
                point[static_cast<int>(k)] = value[k].number();
            }
            result.push_back(scale * point);
        }
        return result;
    }

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

    void add_city_object(const std::string& id) {
        HullMeshBuilder& builder = builders_[root_of(id)];
        const JsonObject object = city_object(id);
        const JsonArray geometries = object.array("geometry");
        double finest = 0;
        for (std::size_t i = 0; i < geometries.size(); ++i) finest = std::max(finest, detail(geometries[i]));
        for (std::size_t i = 0; i < geometries.size(); ++i) {
            if (detail(geometries[i]) >= finest) {
                add_geometry(geometries[i], {object, builder, vertices_, glm::dmat4x3(1)});
            }
        }
    }

    /// The level of detail, a number or a text like "2.2"; 0 where there is none.
    double detail(const JsonObject& geometry) const {
        if (const auto of_template = template_of(geometry)) return detail(*of_template);
        if (!geometry.has("lod")) return 0;
        const JsonValue lod = geometry["lod"];
        const double level = lod.is_number()   ? lod.number()
                             : lod.is_string() ? std::strtod(lod.text().c_str(), nullptr)
                                               : 0;
        return level > 0 ? level : 0;  // NaN too
    }

    /// What an instance is of; nothing of another geometry.
    std::optional<JsonObject> template_of(const JsonObject& geometry) const {
        if (geometry.required("type", geometry.text("type")) != "GeometryInstance") return std::nullopt;
        JsonObject result = templates_[geometry.required("template", geometry.index("template", templates_.size()))];
        if (result.text("type") == "GeometryInstance") result.reject("type", "is that of an instance itself");
        return result;
    }

    void add_geometry(const JsonObject& geometry, const Place& place) {
        if (const auto of_template = template_of(geometry)) {
            return add_geometry(*of_template, {place.object, place.builder, template_vertices_, placed(geometry)});
        }
        const std::string type = geometry.required("type", geometry.text("type"));
        const auto* kind = std::ranges::find(geometry_kinds, type, &GeometryKind::type);
        if (kind == std::end(geometry_kinds)) geometry.reject("type", "is {}, of which there is none", printable(type));
        if (!geometry.has("boundaries")) geometry.reject("boundaries", "is missing");
        add_boundaries(geometry["boundaries"], *kind, kind->levels, geometry, place);
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

    void add_boundaries(JsonValue value, const GeometryKind& kind, int levels, const JsonObject& geometry,
                        const Place& place) const {
        if (!value.is_array()) geometry.reject("boundaries", "is to be deeper arrays for a {}", kind.type);
        if (levels > 0) {
            for (const JsonValue part : value) add_boundaries(part, kind, levels - 1, geometry, place);
        } else if (kind.surfaces) {
            add_surface(value, geometry, place);
        } else {
            add_points(corners(value, geometry, place), place.builder);
        }
    }

    /// Its first ring as triangles. Holes add their points, and are not cut out.
    void add_surface(JsonValue rings, const JsonObject& geometry, const Place& place) const {
        for (std::size_t k = 0; k < rings.size(); ++k) {
            const Points ring = corners(rings[k], geometry, place);
            if (k > 0) {
                place.builder.add_hole(std::vector<glm::vec3>(ring.begin(), ring.end()));
            } else if (ring.size() < 3) {
                add_points(ring, place.builder);
            } else {
                for (const auto& [a, b, c] : triangles_of(ring)) {
                    place.builder.add_face(std::array{glm::vec3(ring[a]), glm::vec3(ring[b]), glm::vec3(ring[c])});
                }
            }
        }
    }

    Points corners(JsonValue ring, const JsonObject& geometry, const Place& place) const {
        if (!ring.is_array()) {
            geometry.reject("boundaries", "is to have rings of indices, not {}", ring.dump().substr(0, 40));
        }
        Points result;
        for (const JsonValue index : ring) {
            const double k = index.is_number() ? index.number() : -1;
            if (!(k >= 0 && k < static_cast<double>(place.vertices.size())) || k != std::floor(k)) {
                geometry.reject("boundaries", "has {}, which is no index below {}", index.dump().substr(0, 40),
                                place.vertices.size());
            }
            result.push_back(place.world_from_vertices * glm::dvec4(place.vertices[static_cast<std::size_t>(k)], 1.0));
            if (is_finite(glm::vec3(result.back()))) continue;
            place.object.reject_all("has vertex {}, which is beyond what floats hold", k);
        }
        return result;
    }

    static void add_points(const Points& points, HullMeshBuilder& builder) {
        for (const glm::dvec3& p : points) builder.add_face(std::array{glm::vec3(p)});
    }

    static constexpr std::size_t max_generations = 100;

    const std::string& file_;
    const JsonObject city_objects_;
    glm::dvec3 scale_{1}, translate_{0};
    Points vertices_, template_vertices_;
    JsonArray templates_{JsonValue(), file_, ""};
    std::map<std::string, HullMeshBuilder> builders_;  ///< of city objects without parents
};

}  // namespace

Scene read_city_json(const std::string& file) { return parse_city_json(read_file(file), file); }

Scene parse_city_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_json(text, file);
    const JsonObject root(document.value(), file, "");
    return CityJsonReader(root, file).scene();
}

}  // namespace lanecull::program
