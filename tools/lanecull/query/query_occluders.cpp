#include "query/query_occluders.hpp"

#include <array>
#include <utility>

#include "query/query_numbers.hpp"
#include "query/query_view.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_occluders = 64;  ///< as ViewOutput::occluders has it

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

}  // namespace

QueryOccluders::QueryOccluders(JsonValue query) {
    if (!query.contains("occluders")) return;
    const JsonValue boxes = query["occluders"];
    if (!boxes.is_array()) fail("occluders is to be an array of boxes");
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
    Occluder occluder;
    OccluderRefusal refusal{};
    if (kind == "aabb") {
        refusal = prepare_occluder(read_box(box), viewpoint, occluder);
    } else if (kind == "obb") {
        double moved = 0;
        const SolidOrientedBox solid = read_oriented_box(box, moved);
        if (moved > 0) {
            refused_.push_back({place, "a number that no float holds"});
            return;
        }
        refusal = prepare_occluder(solid, viewpoint, occluder);
    } else {
        fail("kind: no occluder is called {}", kind.dump().substr(0, 40));
    }
    if (refusal != OccluderRefusal::none) {
        refused_.push_back({place, name_of(refusal)});
        return;
    }
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
