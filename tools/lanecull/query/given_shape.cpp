#include "query/given_shape.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_vertices = 65535;  ///< as prepare_hull() has it

constexpr unsigned all_uses = 31, no_occluder = 27, not_of_figures = 25, of_space = 9;

struct Kind {
    const char* name;
    std::array<const char*, 2> points;
    bool has_radius, has_half_extents;
    unsigned uses;  ///< bits of ShapeUse
};
constexpr Kind kinds[] = {
    {"point", {"p"}, false, false, no_occluder},
    {"segment", {"a", "b"}, false, false, no_occluder},
    {"sphere", {"center"}, true, false, no_occluder},
    {"capsule", {"a", "b"}, true, false, no_occluder},
    {"aabb", {"center"}, false, true, all_uses},
    {"obb", {"center"}, false, true, all_uses},
    {"hull", {}, false, false, all_uses},
    {"ellipsoid", {"center"}, false, true, not_of_figures},
    {"cylinder", {"a", "b"}, true, false, of_space},
    {"cone", {"base", "apex"}, true, false, of_space},
};

const Kind& kind_of(const Json& shape, ShapeUse use) {
    const bool is_pair = use == ShapeUse::pair || use == ShapeUse::flat_pair;
    if (!shape.is_object())
        fail("{} to be {}", is_pair ? "a and b are" : "shape is", is_pair ? "objects" : "an object");
    const Json& kind = member(shape, "kind");
    if (!kind.is_string()) fail("kind is to be a string");
    const auto* found = std::ranges::find_if(kinds, [&](const Kind& k) { return kind == k.name; });
    if (found == std::end(kinds)) fail("kind: no shape is called {}", kind.dump().substr(0, 40));
    if ((found->uses & static_cast<unsigned>(use)) != 0) return *found;
    if (use == ShapeUse::occluder) fail("kind: no occluder is called {}", kind.dump());
    if (use == ShapeUse::flat_pair) fail("kind: in the plane there is no {}", found->name);
    fail("kind: {} is not supported", found->name);
}

}  // namespace

const Json& member(const Json& object, const char* name) {
    if (!object.contains(name)) fail("{} is missing", name);
    return object[name];
}

void throw_no_vector(const std::string& name, std::size_t count) {
    fail("{} is to be an array of {} numbers", name, count);
}

double number(const Json& value, const std::string& name) {
    if (!value.is_number()) fail("{} is to be a number", name);
    const double written = value.get<double>();
    const float rounded = static_cast<float>(written);
    if (!std::isfinite(rounded)) return written;
    const std::string digits = fmt::format("{:.8e}", written);
    double nine_digits = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), nine_digits);
    return nine_digits == written ? static_cast<double>(rounded) : written;
}

double bounded_number(const Json& value, const std::string& name) {
    if (!value.is_number()) fail("{} is to be a number", name);
    constexpr double largest = 1e60;
    if (!(std::fabs(value.get<double>()) <= largest)) fail("{}: {} is beyond {}", name, value.get<double>(), largest);
    return value.get<double>();
}

template <std::size_t N>
GivenShape<N>::GivenShape(const Json& shape, ShapeUse use) {
    const Kind& given = kind_of(shape, use);
    kind = given.name;
    names = given.points;
    const bool is_pair = use == ShapeUse::pair || use == ShapeUse::flat_pair;
    const ReadNumber read = is_pair ? bounded_number : number;
    const auto size = [&](double value, const char* name) {
        if (is_pair && value < 0) fail("{} is not to be negative", name);
        return value;
    };
    const bool corners = kind == "aabb" && (shape.contains("min") || shape.contains("max"));
    if (corners) names = {"min", "max"};
    for (const char* name : names) {
        if (name != nullptr) points.push_back(vector<N>(member(shape, name), name, read));
    }
    if (kind == "cone" && shape.contains("end")) {
        is_round = shape["end"] == "round";
        if (!is_round && shape["end"] != "flat") fail("end is to be \"flat\" or \"round\"");
    }
    if (given.has_radius) radius = size(read(member(shape, "radius"), "radius"), "radius");
    if (given.has_half_extents && !corners) {
        half_extents = vector<N>(member(shape, "half_extents"), "half_extents", read);
        for (const double half : half_extents) size(half, "half_extents");
    }
    if (use == ShapeUse::plane && shape.contains("axis") && given.has_half_extents) {
        const auto [x, y] = vector<2>(shape["axis"], "axis");
        axes = {{{x, y}, {-y, x}}};
    } else if (use != ShapeUse::plane && (kind == "obb" || (kind == "ellipsoid" && shape.contains("axes")))) {
        const Json& rows = member(shape, "axes");
        if (!is_array_of(rows, N)) fail("axes is to be an array of {} axes", N);
        axes.emplace();
        for (std::size_t k = 0; k < N; ++k) (*axes)[k] = vector<N>(rows[k], "axes", read);
    }
    if (kind == "hull") {
        names = {"vertices", nullptr};
        const Json& vertices = member(shape, "vertices");
        if (!vertices.is_array()) fail("vertices is to be an array of points");
        if (vertices.empty() || vertices.size() > most_vertices) {
            fail("vertices: 1 to {} are allowed, not {}", most_vertices, vertices.size());
        }
        for (const Json& vertex : vertices) points.push_back(vector<N>(vertex, "vertices", read));
    }
    for (const char* name : {"sweep", "margin"}) {
        if (!shape.contains(name)) continue;
        if (use == ShapeUse::plane) fail("{} is not supported in the plane", name);
        if (use == ShapeUse::occluder) fail("occluders: {} is not supported", name);
    }
    if (shape.contains("sweep")) sweep = vector<N>(shape["sweep"], "sweep", read);
    if (shape.contains("margin")) margin = size(read(shape["margin"], "margin"), "margin");
}

template struct GivenShape<2>;
template struct GivenShape<3>;

}  // namespace lanecull::program
