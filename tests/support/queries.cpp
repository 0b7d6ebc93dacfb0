#include "support/queries.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "oracle/exact_objects.hpp"

namespace {

using nlohmann::json;

/// Numbers within numbers, one after the other.
void fill(const json& numbers, Object& object, std::size_t& field) {
    if (numbers.is_number()) {
        object.fields.at(field++) = numbers.get<float>();
    } else {
        for (const json& number : numbers) fill(number, object, field);
    }
}

/// By what a shape is called, and has.
const struct {
    const char *name, *has;
    Kind kind;
    std::vector<const char*> members;  ///< in the fields' order
} shapes[] = {{"sphere", "center", Kind::sphere, {"center", "radius"}},
              {"point", "p", Kind::sphere, {"p"}},
              {"aabb", "min", Kind::box, {"min", "max"}},
              {"aabb", "center", Kind::centered_box, {"center", "half_extents"}},
              {"obb", "center", Kind::oriented_box, {"center", "axes", "half_extents"}},
              {"capsule", "a", Kind::capsule, {"a", "b", "radius"}},
              {"cylinder", "a", Kind::cylinder, {"a", "b", "radius"}},
              {"hull", "vertices", Kind::hull, {}}};

void read_shape(const json& shape, Kind& kind, Object& object, HullSet& hulls) {
    const auto* const found = std::ranges::find_if(
        shapes, [&](const auto& each) { return shape.at("kind") == each.name && shape.contains(each.has); });
    if (found == std::end(shapes)) throw std::runtime_error("a shape of kind " + shape.at("kind").dump());
    kind = found->kind;
    std::size_t field = 0;
    for (const char* member : found->members) fill(shape.at(member), object, field);
    if (kind == Kind::hull) {
        object.fields = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        object.hull = static_cast<std::uint32_t>(hulls.size());
        hulls.push_back(shape.at("vertices").get<Vertices>());
    }
    if (shape.contains("sweep")) object.sweep = shape.at("sweep").get<std::array<float, 3>>();
}

bool is_in_space(const json& shape) {
    for (const char* name : {"p", "center", "a", "min"}) {
        if (shape.contains(name)) return shape.at(name).size() == 3;
    }
    return shape.at("vertices").at(0).size() == 3;
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
    read_shape(line.at("shape"), query.kind, query.object, query.hulls);
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
    return make_batch(kind, {&object, 1}, hulls, memory, {.streams = {.sweep = swept()}});
}

exact::Volume Query::exact_volume() const {
    const auto point = [](const auto& v) { return exact::point(v[0], v[1], v[2]); };
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < corners.size(); i += 3) points.push_back(point(&corners[i]));
    const exact::Volume seen =
        by_corners() ? exact::Volume::hull(points) : exact::Volume(exact::half_spaces(matrix, clip_space));
    if (directional_light) {
        return seen.swept(exact::rational(directional_light->reach) * point(directional_light->toward));
    }
    return point_light ? seen.joined(point(point_light->at)) : seen;
}

exact::Solid Query::exact_solid() const { return exact_solid_of(kind, object, hulls); }

namespace {

/// Calls read(line) for each line of a file.
template <class Read>
void read_lines(const char* file, const Read& read) {
    const std::string path = std::string(LANECULL_TEST_DATA "/") + file;
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("cannot read " + path);
    for (std::string line; std::getline(stream, line);) read(json::parse(line));
}

}  // namespace

std::vector<PairQuery> read_pair_queries(const char* file) {
    std::vector<PairQuery> queries;
    read_lines(file, [&](const json& line) {
        if (!line.contains("a") || !is_in_space(line.at("a"))) return;
        PairQuery query;
        query.id = line.at("id");
        read_shape(line.at("a"), query.kind_a, query.a, query.hulls);
        read_shape(line.at("b"), query.kind_b, query.b, query.hulls);
        query.has_depth = line.contains("depth") && line.at("depth").is_number();
        query.signed_distance = query.has_depth ? 0 - line.at("depth").get<double>() : line.value("distance", 0.0);
        query.size = std::max(size_of(line.at("a")), size_of(line.at("b")));
        queries.push_back(query);
    });
    return queries;
}

std::vector<Query> read_queries(const char* file) {
    std::vector<Query> queries;
    read_lines(file, [&](const json& line) {
        if (line.contains("view")) queries.push_back(read_query(line));
    });
    return queries;
}
