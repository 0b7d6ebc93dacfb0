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
    query.clip_space.layout = lanecull::MatrixLayout::row_major;
    if (view.at("depth") == "minus_one_to_one") query.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
    for (std::size_t k = 0; k < 16; ++k) query.matrix[k] = view.at("clip_from_world").at(k / 4).at(k % 4).get<float>();
}

void read_light(const json& light, Query& query) {
    const auto read = [&](const char* name, double(&to)[3]) {
        for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<double>(light.at(name).at(k).get<float>());
    };
    if (light.contains("at")) return read("at", query.lamp.emplace().at);
    read("toward", query.sun.emplace().toward);
    query.sun->reach = static_cast<double>(light.at("reach").get<float>());
}

Query read_query(const json& line) {
    Query query;
    query.id = line.at("id");
    query.category = line.at("class");
    read_view(line.at("view"), query);
    read_shape(line.at("shape"), query);
    if (line.contains("light")) read_light(line.at("light"), query);
    const std::string expect = line.at("expect");
    query.expect = expect == "visible"  ? Query::Expect::visible
                   : expect == "culled" ? Query::Expect::culled
                                        : Query::Expect::either;
    return query;
}

}  // namespace

lanecull::Status Query::prepare(lanecull::View& view) const {
    const lanecull::ViewOptions options{.sun = sun ? &*sun : nullptr, .lamp = lamp ? &*lamp : nullptr};
    if (!by_corners()) return lanecull::prepare_view(matrix, clip_space, view, options);
    return lanecull::prepare_view_from_corners(std::span<const double>(corners).first<24>(), view, options);
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
    if (sun) return volume.swept(exact::rational(sun->reach) * point(sun->toward));
    return lamp ? volume.joined(point(lamp->at)) : volume;
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

std::vector<Query> read_queries() {
    std::ifstream file(LANECULL_TEST_DATA "/views.jsonl");
    if (!file) throw std::runtime_error("cannot read " LANECULL_TEST_DATA "/views.jsonl");
    std::vector<Query> queries;
    for (std::string line; std::getline(file, line);) queries.push_back(read_query(json::parse(line)));
    return queries;
}
