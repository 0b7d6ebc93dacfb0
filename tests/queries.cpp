#include "queries.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

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
    } else {
        throw std::runtime_error("a shape of kind " + kind);
    }
}

Query read_query(const json& line) {
    Query query;
    query.id = line.at("id");
    query.category = line.at("class");
    const json& view = line.at("view");
    query.clip_space.layout = lanecull::MatrixLayout::row_major;
    if (view.at("depth") == "minus_one_to_one") query.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
    for (std::size_t k = 0; k < 16; ++k) query.matrix[k] = view.at("clip_from_world").at(k / 4).at(k % 4).get<float>();
    read_shape(line.at("shape"), query);
    const std::string expect = line.at("expect");
    query.expect = expect == "visible"  ? Query::Expect::visible
                   : expect == "culled" ? Query::Expect::culled
                                        : Query::Expect::either;
    return query;
}

}  // namespace

std::vector<Query> read_queries() {
    std::ifstream file(LANECULL_TEST_DATA "/views.jsonl");
    if (!file) throw std::runtime_error("cannot read " LANECULL_TEST_DATA "/views.jsonl");
    std::vector<Query> queries;
    for (std::string line; std::getline(file, line);) queries.push_back(read_query(json::parse(line)));
    return queries;
}
