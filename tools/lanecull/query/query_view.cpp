#include "query/query.hpp"

#include <iterator>

#include "query/given_shape.hpp"
#include "scene/camera_path.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_planes = 16;  ///< as prepare_view_from_planes() has it

/// An orthographic matrix is as good for an eye at either end, so the view has to say.
SightDirection read_sight(const Json& view) {
    if (!view.contains("sight")) {
        fail("occluders: an orthographic view is to have sight, \"growing_depth\" or \"shrinking_depth\"");
    }
    return sight_of(view["sight"], "sight");
}

struct GivenMatrix {
    std::array<double, 16> rows{};
    ClipSpace space{.layout = MatrixLayout::row_major};

    explicit GivenMatrix(const Json& view) {
        const Json& given = view["clip_from_world"];
        if (!is_array_of(given, 4)) fail("clip_from_world is to be an array of 4 rows");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!is_array_of(given[i / 4], 4)) fail("clip_from_world is to have rows of 4 numbers");
            rows[i] = number(given[i / 4][i % 4], "clip_from_world");
        }
        space.depth = depth_range_of(member(view, "depth"), "depth");
    }
    [[nodiscard]] bool orthographic() const { return rows[12] == 0 && rows[13] == 0 && rows[14] == 0; }
};

View read_clip_matrix(const Json& view, const ViewOptions& options) {
    const GivenMatrix matrix(view);
    View prepared;
    require(prepare_view(matrix.rows, matrix.space, prepared, options));
    return prepared;
}

View read_corners(const Json& view, const ViewOptions& options) {
    const Json& points = view["corners"];
    if (!is_array_of(points, 8)) fail("corners is to be an array of 8 points");
    std::array<double, 24> corners{};
    for (std::size_t i = 0; i < 8; ++i) std::ranges::copy(vector<3>(points[i], "corners"), &corners[3 * i]);
    View prepared;
    require(prepare_view_from_corners(corners, prepared, options));
    return prepared;
}

View read_planes(const Json& view, const ViewOptions& options) {
    const Json& rows = view["planes"];
    if (!rows.is_array()) fail("planes is to be an array of planes");
    if (rows.empty() || rows.size() > most_planes) {
        fail("planes: 1 to {} are allowed, not {}", most_planes, rows.size());
    }
    std::vector<Plane> planes;
    for (const Json& row : rows) {
        if (!is_array_of(row, 4)) fail("planes is to have rows of 4 numbers");
        const auto [x, y, z, d] = vector<4>(row, "planes");
        planes.push_back({{x, y, z}, d});
    }
    View prepared;
    require(prepare_view_from_planes(planes, prepared, options));
    return prepared;
}

/// {"toward": vector, "reach": number} or {"at": point, "range": number}. Reach and range may be left out; 0 is the
/// same, no limit.
struct Light {
    DirectionalLight sun;
    PointLight lamp;
    ViewOptions options;

    explicit Light(const Json& light) {
        if (light.is_null()) return;
        if (!light.is_object()) fail("light is to be an object");
        if (light.contains("toward") == light.contains("at")) fail("light is to have either toward or at");
        if (light.contains("at")) {
            std::ranges::copy(vector<3>(light["at"], "at"), lamp.at);
            if (light.contains("range")) lamp.range = number(light["range"], "range");
            options.point_light = &lamp;
        } else {
            std::ranges::copy(vector<3>(light["toward"], "toward"), sun.toward);
            if (light.contains("reach")) sun.reach = number(light["reach"], "reach");
            options.directional_light = &sun;
        }
    }
    Light(const Light&) = delete;
    Light& operator=(const Light&) = delete;
};

constexpr struct {
    const char* name;
    View (*read)(const Json& view, const ViewOptions& options);
} forms[] = {{"clip_from_world", read_clip_matrix}, {"corners", read_corners}, {"planes", read_planes}};

}  // namespace

View read_query_view(const Json& view, const Json& light) {
    if (!view.is_object()) fail("view is to be an object");
    const auto given = [&](const auto& form) { return view.contains(form.name); };
    const auto* form = std::ranges::find_if(forms, given);
    if (form == std::end(forms)) fail("clip_from_world is missing, and so are corners and planes");
    if (std::ranges::count_if(forms, given) > 1) fail("{}: a view is given in one way, here are more", form->name);
    return form->read(view, Light(light).options);
}

Viewpoint read_query_viewpoint(const Json& view) {
    if (!view.contains("clip_from_world")) fail("occluders: only a view by clip_from_world tells where its eye is");
    const GivenMatrix matrix(view);
    SightDirection sight = SightDirection::growing_depth;
    if (matrix.orthographic()) sight = read_sight(view);
    Viewpoint viewpoint;
    require(prepare_viewpoint(matrix.rows, matrix.space, viewpoint, {}, sight));
    return viewpoint;
}

bool is_flat_view(const Json& view) {
    return view.is_object() && (view.contains("rectangle") || view.contains("polygon"));
}

flat::View read_flat_view(const Json& view) {
    if (view.contains("rectangle") && view.contains("polygon")) fail("a view is a rectangle or a polygon, not both");
    flat::View prepared;
    if (view.contains("polygon")) {
        if (!view["polygon"].is_array()) fail("polygon is to be an array of points");
        std::vector<double> numbers;
        for (const Json& point : view["polygon"]) {
            const auto [x, y] = vector<2>(point, "polygon");
            numbers.insert(numbers.end(), {x, y});
        }
        require(flat::prepare_view_from_points(numbers, prepared));
        return prepared;
    }
    const Json& rectangle = view["rectangle"];
    if (!rectangle.is_object()) fail("rectangle is to be an object");
    const auto pair = [&](const char* name) { return vector<2>(member(rectangle, name), name); };
    if (rectangle.contains("min") || rectangle.contains("max")) {
        const auto min = pair("min"), max = pair("max");
        require(flat::prepare_view(flat::Rectangle{min[0], min[1], max[0], max[1]}, prepared));
    } else {
        const auto center = pair("center"), half = pair("half_extents"), axis = pair("axis");
        require(flat::prepare_view(flat::TurnedRectangle{center[0], center[1], half[0], half[1], axis[0], axis[1]},
                                   prepared));
    }
    return prepared;
}

}  // namespace lanecull::program
