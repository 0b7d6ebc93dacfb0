#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>

#include "picture/volume.hpp"
#include "scene/text_table.hpp"
#include "support/bytes.hpp"
#include "support/text.hpp"
#include "sweep/sweep.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

bool parse(std::string_view field, double& number) {
    if (field.starts_with('+')) field.remove_prefix(1);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error == std::errc() && end == field.data() + field.size() && std::isfinite(number);
}

/// A list's cameras, each with the lens of `common`. A first line without numbers is a header.
CameraPath cameras_of_list(const std::string& file, const Camera& common) {
    const std::string text = read_input(file);
    const std::string name = input_name(file);
    TextTable table(text);
    std::vector<std::string> fields;
    CameraPath cameras;
    for (bool is_first = true; table.next(); is_first = false) {
        double numbers[6] = {};
        if (!table.split(Separator::any, fields)) fail("{}, line {}: a quote is not closed", name, table.number());
        if (is_first && std::ranges::none_of(fields, [&](const auto& f) { return parse(f, numbers[0]); })) continue;
        if (fields.size() != 6) {
            fail("{}, line {}: x y z dx dy dz are 6 numbers, not {}", name, table.number(), fields.size());
        }
        for (std::size_t k = 0; k < 6; ++k) {
            if (parse(fields[k], numbers[k])) continue;
            fail("{}, line {}: '{}' is no finite number", name, table.number(), printable(fields[k].substr(0, 40)));
        }
        Camera camera = common;
        camera.eye = {numbers[0], numbers[1], numbers[2]};
        camera.forward = {numbers[3], numbers[4], numbers[5]};
        check_camera(camera, fmt::format("{}, line {}", name, table.number()));
        cameras.push_back(camera);
    }
    if (cameras.empty()) fail("{} has no viewpoints", name);
    return cameras;
}

/// Cosines of right angles are 0.
double without_dust(double cosine) { return std::abs(cosine) < 1e-15 ? 0 : cosine; }

}  // namespace

ViewSet::ViewSet(const Scene& scene, const GridOptions& grid, const LensOptions& lens)
    : lens_(fitted_camera(scene.bounds(), scene.up, lens)), grid_(grid.count) {
    Bounds bounds = main_bounds(scene);
    if (bounds.empty()) fail("{} has no extent that a grid could cover", scene.name);
    const dvec3& up = scene.up;
    const dvec3 right(up.z, up.x, up.y), ahead = glm::cross(up, right);
    const auto low = [&](const dvec3& axis) {
        return std::min(glm::dot(axis, bounds.lower), glm::dot(axis, bounds.upper));
    };
    const auto size = [&](const dvec3& axis) { return std::abs(glm::dot(axis, bounds.size())); };
    corner_ = low(right) * right + low(ahead) * ahead + (low(up) + grid.height) * up;
    sides_ = {size(right) / grid_[0] * right, size(ahead) / grid_[1] * ahead};
    for (std::uint32_t d = 0; d < grid.directions; ++d) {
        const double bearing = 2 * std::numbers::pi * d / grid.directions;
        forward_.push_back(without_dust(std::cos(bearing)) * right + without_dust(std::sin(bearing)) * ahead +
                           0.0);  // no -0
    }
    description_ = fmt::format("{} x {} viewpoints {:g} above the ground, {}", grid_[0], grid_[1], grid.height,
                               counted(grid.directions, "direction"));
    check_camera(camera(0), "grid");
}

ViewSet::ViewSet(const Scene& scene, const std::string& file, const LensOptions& lens) {
    list_ = ends_in(file, ".json") ? path_from_file(file, scene.up, std::nullopt, lens)
                                   : cameras_of_list(file, fitted_camera(scene.bounds(), scene.up, lens));
    description_ = fmt::format("{} of {}", counted(list_.size(), "view"), printable(input_name(file)));
}

std::uint64_t ViewSet::count() const {
    return is_grid() ? std::uint64_t{grid_[0]} * grid_[1] * forward_.size() : list_.size();
}

Camera ViewSet::camera(std::uint64_t view) const {
    if (!is_grid()) return list_[view];
    Camera camera = lens_;
    const std::uint64_t place = view / forward_.size();
    const double x = static_cast<double>(place % grid_[0]) + 0.5, y = static_cast<double>(place / grid_[0]) + 0.5;
    camera.eye = corner_ + x * sides_[0] + y * sides_[1];
    camera.forward = forward_[view % forward_.size()];
    return camera;
}

std::string ViewSet::bytes() const {
    std::string bytes;
    append_all(bytes, description_, lens_, grid_, corner_, sides_, forward_, list_);
    return bytes;
}

ViewSet::ViewSet(std::string_view bytes) {
    ByteReader(bytes, "the description of a sweep")
        .read_all(description_, lens_, grid_, corner_, sides_, forward_, list_);
}

}  // namespace lanecull::program
