#include "query/query_batch.hpp"

#include <lanecull/solids.h>
#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "query/query.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_occluders = 64;  ///< as Output::occluders has it

float checked(float rounded, double value, const std::string& name) {
    if (!std::isfinite(rounded)) fail("{}: {} is beyond what a float holds", name, value);
    return rounded;
}

double next_above(double value) { return std::nextafter(value, std::numeric_limits<double>::infinity()); }

/// a + b, b >= 0, or a little more.
double sum_above(double a, double b) { return b == 0 ? a : next_above(a + b); }

/// a b, both >= 0, or a little more.
double product_above(double a, double b) { return a == 0 || b == 0 ? 0 : next_above(a * b); }

/// The nearest float. Adds how far off it is to `moved`, rounded up.
float nearest(double value, const std::string& name, double& moved) {
    const float rounded = checked(static_cast<float>(value), value, name);
    moved = sum_above(moved, std::fabs(value - static_cast<double>(rounded)));  // the difference is exact
    return rounded;
}

/// The smallest float that is not less, and the largest that is not greater.
float at_least(double value, const std::string& name) {
    float rounded = static_cast<float>(value);
    if (static_cast<double>(rounded) < value) rounded = std::nextafter(rounded, std::numeric_limits<float>::infinity());
    return checked(rounded, value, name);
}

float at_most(double value, const std::string& name) { return -at_least(-value, name); }

}  // namespace

template <std::size_t N>
void QueryBatch<N>::add(const std::array<double, N>& point, const char* name) {
    double moved = 0;
    for (const double component : point) numbers_.push_back(nearest(component, name, moved));
    moved_ = std::max(moved_, moved);
}

template <std::size_t N>
void QueryBatch<N>::add_size(double size, const char* name) {
    numbers_.push_back(size < 0 ? at_most(size, name) : at_least(sum_above(size, moved_), name));
}

template <std::size_t N>
void QueryBatch<N>::make_round() {
    if constexpr (N == 3) {
        if (given_.kind == "ellipsoid") return make_ellipsoid();
        if (given_.kind == "cylinder" || given_.kind == "cone") return make_cylinder_or_cone();
    }
    const bool is_ball = given_.points.size() == 1;
    for (std::size_t k = 0; k < given_.points.size(); ++k) add(given_.points[k], given_.names[k]);
    add_size(given_.radius, "radius");
    const float* n = numbers_.data();
    if constexpr (N == 3) {
        if (is_ball)
            batch_ = Spheres{n, n + 1, n + 2, n + 3, 1};
        else
            batch_ = Capsules{n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, 1};
    } else {
        if (is_ball)
            batch_ = flat::Circles{n, n + 1, n + 2, 1};
        else
            batch_ = flat::Capsules{n, n + 1, n + 2, n + 3, n + 4, 1};
    }
}

template <std::size_t N>
void QueryBatch<N>::make_box() {
    if (given_.by_corners()) {
        for (const double low : given_.points[0]) numbers_.push_back(at_most(low, "min"));
        for (const double high : given_.points[1]) numbers_.push_back(at_least(high, "max"));
    } else {
        add(given_.points[0], "center");
        for (const double half : given_.half_extents) add_size(half, "half_extents");
    }
    const float* n = numbers_.data();
    if constexpr (N == 2)
        batch_ = flat::Boxes{n, n + 1, n + 2, n + 3, 1};
    else if (given_.by_corners())
        batch_ = Boxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
    else
        batch_ = CenteredBoxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
}

/// Of centre c, axes a and half-extents h, which become c', a' and h' as floats: a point c + sum of s h a, |s| <= 1, is
/// at most |c - c'| + sum of |h| |a - a'| + |h - h'| |a'| from the same mixture of the floats. |v| is at most |v|_1.
template <>
void QueryBatch<3>::make_oriented_box() {
    add(given_.points[0], "center");
    displaced_ = moved_;
    std::array<double, 3> axis_moved{};
    for (std::size_t k = 0; k < 3; ++k) {
        moved_ = 0;
        add((*given_.axes)[k], "axes");
        axis_moved[k] = moved_;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double half = given_.half_extents[k];
        double half_moved = 0, length = 0;
        numbers_.push_back(half < 0 ? at_most(half, "half_extents") : nearest(half, "half_extents", half_moved));
        for (std::size_t i = 0; i < 3; ++i) length = sum_above(length, std::fabs(double{numbers_[3 + 3 * k + i]}));
        displaced_ = sum_above(displaced_, product_above(std::fabs(half), axis_moved[k]));
        displaced_ = sum_above(displaced_, product_above(half_moved, length));
    }
    const float* n = numbers_.data();
    batch_ = OrientedBoxes{.x = n, .y = n + 1, .z = n + 2, .axes = {n + 3}, .half_extents = {n + 12}, .count = 1};
}

/// With axes a, b that become the floats a', b' (b' being a' turned left): half-extents larger by all that moved, over
/// the length of a', which at most halves.
template <>
void QueryBatch<2>::make_oriented_box() {
    const std::array<double, 2> half = given_.half_extents;
    add(given_.points[0], "center");
    double axis_moved = 0;
    const std::array<double, 2> axis = given_.axes ? given_.axes->front() : std::array<double, 2>{1, 0};
    for (const double component : axis) numbers_.push_back(nearest(component, "axis", axis_moved));
    moved_ = sum_above(moved_, product_above(axis_moved, std::fabs(half[0]) + 2 * std::fabs(half[1])));
    const double length = std::hypot(double{numbers_[2]}, double{numbers_[3]});
    if (moved_ > 0 && !(length > 1e-6)) fail("axis: too short for numbers that no float holds");
    if (moved_ > 0) moved_ = product_above(moved_, 1.001 / length);
    for (const double size : half) add_size(size, "half_extents");
    const float* n = numbers_.data();
    batch_ = flat::OrientedBoxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
}

/// Both ends become floats, at most m away, and l from each other. So the axis' direction changes by 4 m / l at most: a
/// point of a cylinder or a cone, no farther than the rim from the end before it, is m + 4 m / l times that from the
/// same point around the floats. A round cone's half-angle, times its range, changes by 8 m more, and its range by 2 m,
/// if l is more than 4 m; the range itself at most doubles.
template <>
void QueryBatch<3>::make_cylinder_or_cone() {
    for (std::size_t k = 0; k < 2; ++k) add(given_.points[k], given_.names[k]);
    const std::vector<float>& n = numbers_;
    const auto along = [&](std::size_t k) { return double{n[3 + k]} - double{n[k]}; };
    const double length = std::hypot(along(0), along(1), along(2));
    if (moved_ > 0 && !(length > 5 * moved_)) fail("{}: too near to {}", given_.names[1], given_.names[0]);
    if (moved_ > 0) displaced_ = product_above(moved_, 11.1 + 8.1 * std::hypot(length, given_.radius) / length);
    moved_ = 0;
    add_size(given_.radius, "radius");
    const float *a = &n[0], *b = &n[3], *radius = &n[6];
    if (given_.kind == "cylinder")
        batch_ = Cylinders{a, a + 1, a + 2, b, b + 1, b + 2, radius, 1};
    else
        batch_ = Cones{b, b + 1, b + 2, a, a + 1, a + 2, radius, 1, given_.is_round ? ConeEnd::round : ConeEnd::flat};
}

/// With axes, half-axes h a that become h' a' of floats: a point c + sum of s h a, |s| <= 1, is at most |c - c'| + sum
/// of |h a - h' a'| from the same mixture of the floats.
template <>
void QueryBatch<3>::make_ellipsoid() {
    add(given_.points[0], "center");
    displaced_ = moved_, moved_ = 0;
    glm::dquat rotation(1, 0, 0, 0);
    glm::dvec3 half(given_.half_extents[0], given_.half_extents[1], given_.half_extents[2]);
    glm::dmat3 given(1);
    if (given_.axes) {
        glm::dmat3 axes;
        for (int k = 0; k < 3; ++k) {
            const auto& [x, y, z] = (*given_.axes)[static_cast<std::size_t>(k)];
            given[k] = half[k] * glm::dvec3(x, y, z);
            half[k] *= glm::length(glm::dvec3(x, y, z));
            axes[k] = glm::normalize(glm::dvec3(x, y, z));
        }
        for (int k = 0; k < 3; ++k) {
            if (!(std::abs(glm::dot(axes[k], axes[(k + 1) % 3])) < 1e-5)) fail("axes are to be at right angles");
        }
        const double side = glm::dot(glm::cross(axes[0], axes[1]), axes[2]) < 0 ? -1 : 1;
        axes[2] *= side, given[2] *= side;
        rotation = glm::quat_cast(axes);
    }
    for (const double component : {rotation.x, rotation.y, rotation.z, rotation.w}) {
        numbers_.push_back(static_cast<float>(component));
    }
    for (int k = 0; k < 3; ++k) add_size(half[k], "half_extents");
    const float* n = numbers_.data();
    if (given_.axes) {
        const glm::dmat3 axes = glm::mat3_cast(glm::normalize(glm::dquat(n[6], n[3], n[4], n[5])));
        for (int k = 0; k < 3; ++k) {
            const double size = std::fabs(double{n[7 + k]});
            displaced_ = sum_above(displaced_, 1e-14 * size + glm::length(double{n[7 + k]} * axes[k] - given[k]));
        }
    }
    batch_ = Ellipsoids{.x = n, .y = n + 1, .z = n + 2, .quaternions = {n + 3}, .half_axes = {n + 7}, .count = 1};
}

/// A hull's own coordinates are around its first vertex, if all differences from it are floats: bounds on roundings
/// grow with an instance's coordinates, which are its hull's too.
template <std::size_t N>
void QueryBatch<N>::make_hull() {
    for (const auto& vertex : given_.points) add(vertex, "vertices");
    const std::size_t count = given_.points.size();
    const auto is_exact = [&](std::size_t i) {
        const double a{numbers_[i]}, b{numbers_[i % N]}, difference = a - b;
        return double{numbers_[i] - numbers_[i % N]} == difference && difference + b == a && a - difference == b;
    };
    std::size_t exact = 0;
    while (N == 3 && exact < numbers_.size() && is_exact(exact)) ++exact;
    for (std::size_t k = 0; exact == N * count && k < N; ++k) transform_[4 * k + 3] = numbers_[k];
    std::vector<float> columns(N * count);
    for (std::size_t i = 0; i < N * count; ++i)
        columns[i % N * count + i / N] = numbers_[i] - transform_[i % N * 4 + 3];
    numbers_ = std::move(columns);
    const float* n = numbers_.data();
    if constexpr (N == 3) {
        displaced_ = moved_;
        require(prepare_hull(n, n + count, n + 2 * count, static_cast<std::uint32_t>(count), hull_));
        batch_ = HullInstances{.transforms = {.first = transform_.data(), .layout = TransformLayout::rows_3x4},
                               .hulls = &hull_,
                               .hull_count = 1,
                               .count = 1};
    } else {
        if (moved_ > 0) fail("vertices: in the plane they are to be floats");
        require(flat::prepare_polygon(n, n + count, static_cast<std::uint32_t>(count), hull_));
        static constexpr float nothing = 0, one = 1;
        batch_ = flat::PolygonInstances{&nothing, &nothing, &one, &nothing, &hull_, 1};
    }
}

template <>
void QueryBatch<3>::expand() {
    if (given_.sweep) {
        for (std::size_t k = 0; k < 3; ++k) sweep_[k] = nearest((*given_.sweep)[k], "sweep", displaced_);
        batch_.attributes.sweep_x = &sweep_[0];
        batch_.attributes.sweep_y = &sweep_[1];
        batch_.attributes.sweep_z = &sweep_[2];
    }
    const double margin = given_.margin;
    margin_ = margin < 0 ? at_most(margin, "margin") : at_least(sum_above(margin, displaced_), "margin");
    if (margin_ != 0) batch_.attributes.margin = &margin_;
}

template <std::size_t N>
QueryBatch<N>::QueryBatch(const Json& shape) : given_(shape, N == 3 ? ShapeUse::view : ShapeUse::plane) {
    if (given_.kind == "hull")
        make_hull();
    else if (given_.kind == "obb" || (N == 2 && given_.kind == "aabb" && !given_.by_corners()))
        make_oriented_box();
    else if (given_.kind == "aabb")
        make_box();
    else
        make_round();
    if constexpr (N == 3) expand();
}

template class QueryBatch<2>;
template class QueryBatch<3>;

QueryOccluders::QueryOccluders(const Json& query) {
    if (!query.contains("occluders")) return;
    const Json& solids = query["occluders"];
    if (!solids.is_array()) fail("occluders is to be an array of solids");
    if (solids.size() > most_occluders) fail("occluders: at most {}, not {}", most_occluders, solids.size());
    if (query.contains("light")) fail("occluders: they hide from a view's eye, not from a light");
    if (solids.empty()) return;
    const Viewpoint viewpoint = read_query_viewpoint(query["view"]);
    for (std::size_t place = 0; place < solids.size(); ++place) {
        if (!solids[place].is_object()) fail("occluders is to be an array of objects");
        add(solids[place], place, viewpoint);
    }
}

void QueryOccluders::add(const Json& solid, std::size_t place, const Viewpoint& viewpoint) {
    const GivenShape<3> given(solid, ShapeUse::occluder);
    const auto& half = given.half_extents;
    double moved = 0;
    const auto refuse = [&](const char* why) { refused.push_back({place, why}); };
    const auto take = [&](const auto& kind) {
        if (moved > 0) return refuse("a number that no float holds");
        Occluder occluder;
        const OccluderRefusal refusal = prepare_occluder(kind, viewpoint, occluder);
        if (refusal != OccluderRefusal::none) return refuse(name_of(refusal));
        prepared.push_back(occluder);
        places.push_back(place);
    };
    if (given.kind == "aabb") {
        SolidBox inner;  // of floats, within the one that is written
        for (std::size_t k = 0; k < 3; ++k) {
            const double first = given.points[0][k];
            inner.min[k] = at_least(given.by_corners() ? first : sum_above(first, -half[k]), "min");
            inner.max[k] = at_most(given.by_corners() ? given.points[1][k] : -sum_above(-first, -half[k]), "max");
        }
        take(inner);
    } else if (given.kind == "obb") {
        SolidOrientedBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            box.center[k] = nearest(given.points[0][k], "center", moved);
            box.half_extents[k] = nearest(half[k], "half_extents", moved);
            for (std::size_t i = 0; i < 3; ++i) box.axes[k][i] = nearest((*given.axes)[k][i], "axes", moved);
        }
        take(box);
    } else {
        std::vector<float> n;
        for (const auto& vertex : given.points) {
            for (const double a : vertex) n.push_back(nearest(a, "vertices", moved));
        }
        const auto count = static_cast<std::uint32_t>(given.points.size());
        SolidHull hull;
        if (moved == 0 && !inscribe_hull(Vertices{&n[0], &n[1], &n[2], count, 3 * sizeof(float)}, hull)) {
            return refuse(name_of(OccluderRefusal::invalid));
        }
        take(SolidHullInstance{&hull});
    }
}

}  // namespace lanecull::program
