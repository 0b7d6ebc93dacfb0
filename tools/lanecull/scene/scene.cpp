#include "scene/scene.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <initializer_list>
#include <iterator>
#include <span>
#include <system_error>

#include "support/error.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// Count as the library wants it; a scene never holds more (checked where scenes are made).
std::uint32_t count_of(const std::vector<float>& stream) { return static_cast<std::uint32_t>(stream.size()); }

/// Appends a number to each.
void append(std::initializer_list<std::vector<float>*> streams, std::initializer_list<float> numbers) {
    const float* number = numbers.begin();
    for (std::vector<float>* stream : streams) stream->push_back(*number++);
}

/// Where the objects that `order` lists in their new order go: record k of the result is record order[k] of `records`.
template <class T>
std::vector<T> reordered(const std::vector<T>& records, const std::vector<std::uint32_t>& order, std::size_t size) {
    std::vector<T> result;
    result.reserve(records.size());
    for (const std::uint32_t i : order) {
        const auto first = records.begin() + static_cast<std::ptrdiff_t>(i * size);
        result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
    return result;
}

Bounds box_around(const glm::dvec3& center, const glm::dvec3& half) { return {center - half, center + half}; }

/// Around an ellipsoid, or a disc, by its half-axes.
Bounds box_around(const glm::dvec3& center, const glm::dmat3& axes) {
    return box_around(center, glm::sqrt(axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]));
}

/// The numbers of the objects that have that name.
std::vector<std::uint64_t> called(const Scene& scene, std::string_view name) {
    std::vector<std::uint64_t> found;
    std::uint64_t first = 0;
    for (const Group& group : scene.groups) {
        for (std::size_t i = 0; i < group.names.size(); ++i) {
            if (group.names[i] == name) found.push_back(first + i);
        }
        first += object_count(group.arrays);
    }
    return found;
}

}  // namespace

bool is_finite(const glm::dvec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

glm::dmat3 frame_along(const glm::dvec3& v) {
    const double length = glm::length(v);
    const glm::dvec3 w = length > 0 ? v / length : glm::dvec3(0, 0, 1);
    const glm::dvec3 u = glm::normalize(glm::cross(w, std::abs(w.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
    return {u, glm::cross(w, u), w};
}

void append_rows(std::vector<float>& rows, const glm::mat4x3& transform) {
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) rows.push_back(transform[column][row]);
    }
}

void Bounds::add(const glm::dvec3& point) { add(Bounds{point, point}); }

void Bounds::add(const Bounds& other) {
    lower = glm::min(lower, other.lower);
    upper = glm::max(upper, other.upper);
}

void SphereArrays::add(const glm::vec3& center, float r) {
    append({&x, &y, &z, &radius}, {center.x, center.y, center.z, r});
}

Spheres SphereArrays::shapes() const { return {x.data(), y.data(), z.data(), radius.data(), count_of(x)}; }

Bounds SphereArrays::bounds(std::size_t i) const { return box_around({x[i], y[i], z[i]}, glm::dvec3(radius[i])); }

void BoxArrays::add(const glm::vec3& lower, const glm::vec3& upper) {
    append({&min_x, &min_y, &min_z, &max_x, &max_y, &max_z}, {lower.x, lower.y, lower.z, upper.x, upper.y, upper.z});
}

Boxes BoxArrays::shapes() const {
    return {min_x.data(), min_y.data(), min_z.data(), max_x.data(), max_y.data(), max_z.data(), count_of(min_x)};
}

Bounds BoxArrays::bounds(std::size_t i) const {
    return {{min_x[i], min_y[i], min_z[i]}, {max_x[i], max_y[i], max_z[i]}};
}

void CenteredBoxArrays::add(const glm::vec3& center, const glm::vec3& half) {
    append({&x, &y, &z, &half_x, &half_y, &half_z}, {center.x, center.y, center.z, half.x, half.y, half.z});
}

CenteredBoxes CenteredBoxArrays::shapes() const {
    return {x.data(), y.data(), z.data(), half_x.data(), half_y.data(), half_z.data(), count_of(x)};
}

Bounds CenteredBoxArrays::bounds(std::size_t i) const {
    return box_around({x[i], y[i], z[i]}, {half_x[i], half_y[i], half_z[i]});
}

void OrientedBoxArrays::add(const glm::vec3& center, const glm::mat3& axis_columns, const glm::vec3& half) {
    append({&x, &y, &z}, {center.x, center.y, center.z});
    for (int k = 0; k < 3; ++k) axes.insert(axes.end(), {axis_columns[k].x, axis_columns[k].y, axis_columns[k].z});
    half_extents.insert(half_extents.end(), {half.x, half.y, half.z});
}

void OrientedBoxArrays::prepare() {
    bounding_radius.clear();
    std::vector<float> radii(x.size());
    require(bounding_radii(shapes(), radii.data()));
    bounding_radius = std::move(radii);
}

OrientedBoxes OrientedBoxArrays::shapes() const {
    const float* radii = bounding_radius.empty() ? nullptr : bounding_radius.data();
    return {x.data(), y.data(), z.data(), {axes.data()}, {}, {half_extents.data()}, radii, count_of(x)};
}

Bounds OrientedBoxArrays::bounds(std::size_t i) const {
    glm::dvec3 half(0);
    for (std::size_t k = 0; k < 3; ++k) {
        const float* axis = &axes[9 * i + 3 * k];
        half += static_cast<double>(half_extents[3 * i + k]) * glm::abs(glm::dvec3(axis[0], axis[1], axis[2]));
    }
    return box_around({x[i], y[i], z[i]}, half);
}

void AxisArrays::add(const glm::vec3& a, const glm::vec3& b, float r) {
    append({&a_x, &a_y, &a_z, &b_x, &b_y, &b_z, &radius}, {a.x, a.y, a.z, b.x, b.y, b.z, r});
}

glm::dmat3 AxisArrays::disc(std::size_t i) const {
    const glm::dmat3 frame = frame_along(b(i) - a(i));
    return {double{radius[i]} * frame[0], double{radius[i]} * frame[1], glm::dvec3(0)};
}

template <>
Bounds CapsuleArrays::bounds(std::size_t i) const {
    Bounds box = box_around(a(i), glm::dvec3(radius[i]));
    box.add(box_around(b(i), glm::dvec3(radius[i])));
    return box;
}

template <>
Bounds CylinderArrays::bounds(std::size_t i) const {
    Bounds box = box_around(a(i), disc(i));
    box.add(box_around(b(i), disc(i)));
    return box;
}

template <>
Bounds ConeArrays::bounds(std::size_t i) const {
    Bounds box = box_around(b(i), disc(i));
    box.add(a(i));
    return box;
}

Cones RoundConeArrays::shapes() const {
    return {a_x.data(), a_y.data(),    a_z.data(),       b_x.data(),    b_y.data(),
            b_z.data(), radius.data(), count_of(radius), ConeEnd::round};
}

double RoundConeArrays::range(std::size_t i) const { return std::hypot(glm::length(b(i) - a(i)), double{radius[i]}); }

Bounds RoundConeArrays::bounds(std::size_t i) const {
    Bounds box = box_around(b(i), disc(i));
    box.add(a(i));
    const glm::dvec3 axis = b(i) - a(i);
    for (int k = 0; k < 3; ++k) {  // along which the cap reaches as far as its sphere does
        if (std::abs(axis[k]) * range(i) < glm::dot(axis, axis)) continue;
        (axis[k] < 0 ? box.lower : box.upper)[k] = a(i)[k] + std::copysign(range(i), axis[k]);
    }
    return box;
}

void EllipsoidArrays::add(const glm::vec3& center, const glm::vec4& quaternion, const glm::vec3& half) {
    append({&x, &y, &z}, {center.x, center.y, center.z});
    quaternions.insert(quaternions.end(), {quaternion.x, quaternion.y, quaternion.z, quaternion.w});
    half_axes.insert(half_axes.end(), {half.x, half.y, half.z});
}

void EllipsoidArrays::prepare() {
    bounding_radius.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float* half = &half_axes[3 * i];
        bounding_radius[i] = std::max({half[0], half[1], half[2]});
    }
}

glm::dmat3 EllipsoidArrays::axes(std::size_t i) const {
    const float *q = &quaternions[4 * i], *half = &half_axes[3 * i];
    glm::dmat3 axes = glm::mat3_cast(glm::normalize(glm::dquat(q[3], q[0], q[1], q[2])));
    for (int k = 0; k < 3; ++k) axes[k] *= half[k];
    return axes;
}

Ellipsoids EllipsoidArrays::shapes() const {
    const float* radii = bounding_radius.empty() ? nullptr : bounding_radius.data();
    return {x.data(), y.data(), z.data(), {quaternions.data()}, {half_axes.data()}, radii, count_of(x)};
}

Bounds EllipsoidArrays::bounds(std::size_t i) const { return box_around({x[i], y[i], z[i]}, axes(i)); }

void HullInstanceArrays::add(std::uint32_t mesh, const glm::mat4x3& transform) {
    append_rows(transforms, transform);
    hull_index.push_back(mesh);
}

void HullInstanceArrays::prepare() {
    std::vector<std::uint32_t> order(hull_index.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return hull_index[a] < hull_index[b]; });
    transforms = reordered(transforms, order, 12);
    hull_index = reordered(hull_index, order, 1);

    hulls.resize(meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const HullMesh& mesh = meshes[i];
        require(prepare_hull(mesh.x.data(), mesh.y.data(), mesh.z.data(), count_of(mesh.x), hulls[i]));
    }

    for (std::vector<float>* stream : {&bounding_x, &bounding_y, &bounding_z, &bounding_radius}) {
        stream->assign(order.size(), 0);
    }
    HullInstances instances = shapes();
    instances.bounding_x = instances.bounding_y = instances.bounding_z = instances.bounding_radius = nullptr;
    require(
        bounding_spheres(instances, bounding_x.data(), bounding_y.data(), bounding_z.data(), bounding_radius.data()));
}

HullInstances HullInstanceArrays::shapes() const {
    HullInstances instances;
    instances.transforms = {.first = transforms.data(), .layout = TransformLayout::rows_3x4};
    instances.hulls = hulls.data();
    instances.hull_count = static_cast<std::uint32_t>(hulls.size());
    instances.hull_index = hull_index.data();
    if (!bounding_x.empty()) {
        instances.bounding_x = bounding_x.data();
        instances.bounding_y = bounding_y.data();
        instances.bounding_z = bounding_z.data();
        instances.bounding_radius = bounding_radius.data();
    }
    instances.count = static_cast<std::uint32_t>(hull_index.size());
    return instances;
}

Bounds HullInstanceArrays::bounds(std::size_t i) const {
    const Hull& hull = hulls[hull_index[i]];
    const float* matrix = &transforms[12 * i];
    Bounds box;
    for (int row = 0; row < 3; ++row, matrix += 4) {
        double lower = matrix[3], upper = matrix[3];
        for (int column = 0; column < 3; ++column) {
            const double a = static_cast<double>(matrix[column]) * static_cast<double>(hull.lower[column]);
            const double b = static_cast<double>(matrix[column]) * static_cast<double>(hull.upper[column]);
            lower += std::min(a, b);
            upper += std::max(a, b);
        }
        box.lower[row] = lower;
        box.upper[row] = upper;
    }
    return box;
}

std::vector<Batch> Scene::batches() const {
    std::vector<Batch> result;
    std::uint32_t first_index = 0;
    for (const Group& group : groups) {
        std::visit([&](const auto& arrays) { result.emplace_back(arrays.shapes(), first_index); }, group.arrays);
        first_index += result.back().count();
    }
    return result;
}

bool Scene::has_solids() const {
    return !mesh_solids.boxes.empty() || !mesh_solids.hulls.empty() ||
           std::ranges::any_of(groups, [](const Group& group) { return !group.solid_objects.empty(); });
}

std::uint64_t Scene::object_count() const {
    std::uint64_t count = 0;
    for (const Group& group : groups) count += program::object_count(group.arrays);
    return count;
}

Bounds Scene::bounds() const {
    Bounds all;
    for (const Group& group : groups) {
        std::visit(
            [&](const auto& arrays) {
                for (std::uint32_t i = 0; i < arrays.shapes().count; ++i) all.add(arrays.bounds(i));
            },
            group.arrays);
    }
    return all;
}

const char* kind_name(const Arrays& arrays) {
    static constexpr const char* names[] = {"spheres",   "boxes", "centred boxes", "oriented boxes", "capsules",
                                            "cylinders", "cones", "round cones",   "ellipsoids",     "hull instances"};
    static_assert(std::size(names) == std::variant_size_v<Arrays>);
    return names[arrays.index()];
}

std::uint32_t object_count(const Arrays& arrays) {
    return std::visit([](const auto& kind) { return kind.shapes().count; }, arrays);
}

Bounds object_bounds(const Arrays& arrays, std::size_t i) {
    return std::visit([&](const auto& kind) { return kind.bounds(i); }, arrays);
}

ObjectPlace place_of(const Scene& scene, std::uint64_t object) {
    ObjectPlace place{0, 0};
    for (;; ++place.group) {
        const std::uint32_t count = object_count(scene.groups[place.group].arrays);
        if (object < count) break;
        object -= count;
    }
    place.index = static_cast<std::uint32_t>(object);
    return place;
}

std::string name_of(const Scene& scene, const ObjectPlace& place) {
    const std::vector<std::string>& names = scene.groups[place.group].names;
    return names.empty() ? std::string() : names[place.index];
}

bool is_object_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t find_object(const Scene& scene, const std::string& text) {
    const std::uint64_t count = scene.object_count();
    if (is_object_number(text)) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && number < count) return number;
        refuse("--object {}: the scene has {}, 0 to {}", text, counted(count, "object"), count - 1);
    }
    std::string_view name = text;
    if (name.size() > 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    const std::vector<std::uint64_t> objects = called(scene, name);
    if (objects.size() == 1) return objects.front();
    if (objects.empty()) {
        refuse("--object {}: neither a number from 0 to {} nor the name of an object of {}", printable(text), count - 1,
               scene.name);
    }
    constexpr std::size_t most = 8;
    refuse("--object {}: {} objects have that name: {}{}; name one by its number", printable(text),
           grouped(objects.size()), fmt::join(std::span(objects).first(std::min(most, objects.size())), ", "),
           objects.size() > most ? " ..." : "");
}

}  // namespace lanecull::program
