#include "support/queries.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "oracle/exact_objects.hpp"

namespace {

using nlohmann::json;

void fill(Object& object, std::size_t first, const json& numbers) {
    for (const json& number : numbers) object.fields.at(first++) = number.get<float>();
}

void read_shape(const json& shape, Query& query) {
    const std::string kind = shape.at("kind");
    Object& object = query.object;
    if (kind == "sphere") {
        query.kind = Kind::sphere;
        fill(object, 0, shape.at("center"));
        object.fields[3] = shape.at("radius").get<float>();
    } else if (kind == "aabb" && shape.contains("min")) {
        query.kind = Kind::box;
        fill(object, 0, shape.at("min"));
        fill(object, 3, shape.at("max"));
    } else if (kind == "aabb") {
        query.kind = Kind::centered_box;
        fill(object, 0, shape.at("center"));
        fill(object, 3, shape.at("half_extents"));
    } else if (kind == "obb") {
        query.kind = Kind::oriented_box;
        fill(object, 0, shape.at("center"));
        for (std::size_t k = 0; k < 3; ++k) fill(object, 3 + 3 * k, shape.at("axes").at(k));
        fill(object, 12, shape.at("half_extents"));
    } else if (kind == "capsule") {
        query.kind = Kind::capsule;
        fill(object, 0, shape.at("a"));
        fill(object, 3, shape.at("b"));
        object.fields[6] = shape.at("radius").get<float>();
    } else if (kind == "hull") {
        query.kind = Kind::hull;
        object.fields = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        query.hulls = {shape.at("vertices").get<Vertices>()};
    } else if (kind == "point") {
        query.kind = Kind::sphere;
        fill(object, 0, shape.at("p"));
    } else {
        throw std::runtime_error("a shape of kind " + kind);
    }
    if (shape.contains("sweep")) query.sweep = shape.at("sweep").get<std::array<float, 3>>();
}

void read_view(const json& view, Query& query) {
    if (view.contains("corners")) {
        for (const json& corner : view.at("corners")) {
            for (const json& number : corner) query.corners.push_back(number.get<float>());
        }
        return;
    }
    if (view.contains("planes")) {
        for (const json& plane : view.at("planes")) {
            query.planes.push_back({{plane.at(0), plane.at(1), plane.at(2)}, plane.at(3)});
        }
        return;
    }
    if (view.value("sight", "") == "shrinking_depth") query.sight = lanecull::SightDirection::shrinking_depth;
    query.clip_space.layout = lanecull::MatrixLayout::row_major;
    if (view.at("depth") == "minus_one_to_one") query.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
    for (std::size_t k = 0; k < 16; ++k) query.matrix[k] = view.at("clip_from_world").at(k / 4).at(k % 4).get<float>();
}

void read_light(const json& light, Query& query) {
    const auto read = [&](const char* name, double(&to)[3]) {
        for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<double>(light.at(name).at(k).get<float>());
    };
    if (light.contains("at")) return read("at", query.point_light.emplace().at);
    read("toward", query.directional_light.emplace().toward);
    query.directional_light->reach = static_cast<double>(light.at("reach").get<float>());
}

lanecull::SolidBox read_box(const json& solid) {
    if (solid.at("kind") != "aabb") throw std::runtime_error("a solid that is no box along the axes");
    lanecull::SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = solid.at("min").at(k).get<float>();
        box.max[k] = solid.at("max").at(k).get<float>();
    }
    return box;
}

Query read_query(const json& line) {
    Query query;
    query.id = line.at("id");
    query.category = line.value("class", "");
    read_view(line.at("view"), query);
    read_shape(line.at("shape"), query);
    if (line.contains("light")) read_light(line.at("light"), query);
    for (const json& solid : line.value("occluders", json::array())) query.boxes.push_back(read_box(solid));
    const std::string expect = line.at("expect");
    query.expect = expect == "visible"  ? Query::Expect::visible
                   : expect == "culled" ? Query::Expect::culled
                                        : Query::Expect::either;
    return query;
}

}  // namespace

lanecull::Status Query::prepare(lanecull::View& view) const {
    const lanecull::ViewOptions options{.directional_light = directional_light ? &*directional_light : nullptr,
                                        .point_light = point_light ? &*point_light : nullptr};
    if (!planes.empty()) return lanecull::prepare_view_from_planes(planes, view, options);
    if (!by_corners()) return lanecull::prepare_view(matrix, clip_space, view, options);
    return lanecull::prepare_view_from_corners(std::span<const double>(corners).first<24>(), view, options);
}

std::vector<lanecull::Occluder> Query::occluders() const {
    std::vector<lanecull::Occluder> result;
    if (boxes.empty()) return result;
    lanecull::Viewpoint viewpoint;
    const lanecull::Status status = lanecull::prepare_viewpoint(matrix, clip_space, viewpoint, {}, sight);
    if (!status) throw std::runtime_error(status.message());
    for (const lanecull::SolidBox& box : boxes) {
        lanecull::Occluder occluder;
        if (prepare_occluder(box, viewpoint, occluder) == lanecull::OccluderRefusal::none) result.push_back(occluder);
    }
    return result;
}

lanecull::Batch Query::batch(Memory& memory) const {
    lanecull::Batch batch = make_batch(kind, {&object, 1}, hulls, memory);
    if (swept()) {
        batch.attributes.sweep_x = &sweep[0];
        batch.attributes.sweep_y = &sweep[1];
        batch.attributes.sweep_z = &sweep[2];
    }
    return batch;
}

exact::Volume Query::exact_volume() const {
    const exact::Volume volume = exact_seen();
    const auto point = [](const double(&v)[3]) { return exact::point(v[0], v[1], v[2]); };
    if (directional_light) {
        return volume.swept(exact::rational(directional_light->reach) * point(directional_light->toward));
    }
    return point_light ? volume.joined(point(point_light->at)) : volume;
}

exact::Volume Query::exact_seen() const {
    if (!by_corners()) return exact::Volume(exact::half_spaces(matrix, clip_space));
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        points.push_back(exact::point(corners[i], corners[i + 1], corners[i + 2]));
    }
    return exact::Volume::hull(points);
}

exact::Solid Query::exact_solid() const {
    return exact::swept(exact_solid_of(kind, object, hulls), exact::point(sweep[0], sweep[1], sweep[2]));
}

std::vector<Query> read_queries(const char* file) {
    const std::string path = std::string(LANECULL_TEST_DATA "/") + file;
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("cannot read " + path);
    std::vector<Query> queries;
    for (std::string text; std::getline(stream, text);) {
        const json line = json::parse(text);
        if (line.contains("view")) queries.push_back(read_query(line));
    }
    return queries;
}
