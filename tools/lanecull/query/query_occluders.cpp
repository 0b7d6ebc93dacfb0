#include "query/query_occluders.hpp"

#include <lanecull/solids.h>
#include <array>
#include <utility>

#include "query/query_numbers.hpp"
#include "query/query_view.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_occluders = 64;  ///< as Output::occluders has it
constexpr const char* no_float = "a number that no float holds";

/// A box of floats within the one that is written.
SolidBox read_box(JsonValue box) {
    SolidBox inner;
    if (box.contains("min") || box.contains("max")) {
        const auto low = vector(member(box, "min"), "min"), high = vector(member(box, "max"), "max");
        for (std::size_t k = 0; k < 3; ++k) {
            inner.min[k] = at_least(low[k], "min");
            inner.max[k] = at_most(high[k], "max");
        }
        return inner;
    }
    const auto center = vector(member(box, "center"), "center");
    const auto half = vector(member(box, "half_extents"), "half_extents");
    for (std::size_t k = 0; k < 3; ++k) {
        inner.min[k] = at_least(sum_above(center[k], -half[k]), "half_extents");
        inner.max[k] = at_most(-sum_above(-center[k], -half[k]), "half_extents");
    }
    return inner;
}

/// The box that is written. `moved` becomes more than 0 where its numbers are no floats.
SolidOrientedBox read_oriented_box(JsonValue box, double& moved) {
    SolidOrientedBox solid;
    const auto center = vector(member(box, "center"), "center");
    const auto half = vector(member(box, "half_extents"), "half_extents");
    const JsonValue axes = member(box, "axes");
    if (!axes.is_array_of(3)) fail("axes is to be an array of 3 axes");
    for (std::size_t k = 0; k < 3; ++k) {
        solid.center[k] = nearest(center[k], "center", moved);
        solid.half_extents[k] = nearest(half[k], "half_extents", moved);
        const auto axis = vector(axes[k], "axes");
        for (std::size_t i = 0; i < 3; ++i) solid.axes[k][i] = nearest(axis[i], "axes", moved);
    }
    return solid;
}

/// The vertices that are written, x y z of one after the other. `moved` becomes more than 0 where a number is no float.
std::vector<float> read_vertices(JsonValue hull, double& moved) {
    const JsonValue vertices = member(hull, "vertices");
    if (!vertices.is_array() || vertices.empty()) fail("vertices is to be an array of points");
    std::vector<float> numbers;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        for (const double a : vector(vertices[i], "vertices")) numbers.push_back(nearest(a, "vertices", moved));
    }
    return numbers;
}

}  // namespace

QueryOccluders::QueryOccluders(JsonValue query) {
    if (!query.contains("occluders")) return;
    const JsonValue boxes = query["occluders"];
    if (!boxes.is_array()) fail("occluders is to be an array of solids");
    if (boxes.size() > most_occluders) fail("occluders: at most {}, not {}", most_occluders, boxes.size());
    if (query.contains("light"))
        fail("occluders: they hide from a view's eye, and with a light nobody asks what it sees");
    if (boxes.empty()) return;
    const Viewpoint viewpoint = read_query_viewpoint(query["view"]);
    for (std::size_t place = 0; place < boxes.size(); ++place) add(boxes[place], place, viewpoint);
}

void QueryOccluders::add(JsonValue box, std::size_t place, const Viewpoint& viewpoint) {
    if (!box.is_object()) fail("occluders is to be an array of objects");
    for (const char* name : {"sweep", "margin"}) {
        if (box.contains(name)) fail("occluders: {} is not supported", name);
    }
    const JsonValue kind = member(box, "kind");
    if (kind == "aabb") {
        take(read_box(box), place, viewpoint);
    } else if (kind == "obb") {
        double moved = 0;
        const SolidOrientedBox solid = read_oriented_box(box, moved);
        if (moved > 0) return refuse(place, no_float);
        take(solid, place, viewpoint);
    } else if (kind == "hull") {
        double moved = 0;
        const std::vector<float> numbers = read_vertices(box, moved);
        if (moved > 0) return refuse(place, no_float);
        lanecull::SolidHull hull;
        const Vertices vertices{&numbers[0], &numbers[1], &numbers[2], static_cast<std::uint32_t>(numbers.size() / 3),
                                3 * sizeof(float)};
        if (!inscribe_hull(vertices, hull)) return refuse(place, name_of(OccluderRefusal::invalid));
        take(SolidHullInstance{&hull}, place, viewpoint);
    } else {
        fail("kind: no occluder is called {}", kind.dump().substr(0, 40));
    }
}

template <class Solid>
void QueryOccluders::take(const Solid& solid, std::size_t place, const Viewpoint& viewpoint) {
    Occluder occluder;
    const OccluderRefusal refusal = prepare_occluder(solid, viewpoint, occluder);
    if (refusal != OccluderRefusal::none) return refuse(place, name_of(refusal));
    prepared_.push_back(occluder);
    places_.push_back(place);
}

Json QueryOccluders::refused() const {
    Json list;
    for (const Refused& box : refused_) {
        Json entry;
        entry.set("occluder", box.place).set("why", box.why);
        list.add(std::move(entry));
    }
    return list;
}

}  // namespace lanecull::program
