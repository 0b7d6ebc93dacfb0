/// Bounds of vertices and of objects. Centres and axes are chosen first, and the choice needs no accuracy. Sizes are
/// computed last, from the floats that the caller gets, and rounded up.

#include <lanecull/bounds.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/interval.hpp"
#include "base/transforms.hpp"
#include "bounds/kernels.hpp"
#include "bounds/min_sphere.hpp"
#include "bounds/obb_fit.hpp"
#include "calls/check.hpp"

namespace lanecull {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t buffered_vertices = 1024;          // 12 KiB
constexpr std::uint32_t most_streamed_vertices = 1 << 20;  // fewer than the 2^24 that a kernel counts in floats

/// Checked vertices, and the kernels that read them.
class Cloud {
public:
    Cloud(const Vertices& vertices, const BoundsTable& kernels)
        : v_(vertices), stride_(floats_apart(vertices)), kernels_(kernels) {}

    [[nodiscard]] std::uint32_t count() const { return v_.count; }

    [[nodiscard]] Double3 operator[](std::uint32_t i) const {
        const std::size_t at = i * stride_;
        return {static_cast<double>(v_.x[at]), static_cast<double>(v_.y[at]), static_cast<double>(v_.z[at])};
    }

    /// False if a coordinate is not finite.
    [[nodiscard]] bool extent(float (&lower)[3], float (&upper)[3]) const {
        bool finite = true;
        for_each_block([&](std::uint32_t first, const VertexStreams& block) {
            float low[3], high[3];
            finite = kernels_.extent(block, low, high) && finite;
            for (std::size_t k = 0; k < 3; ++k) {
                lower[k] = first == 0 ? low[k] : std::min(lower[k], low[k]);
                upper[k] = first == 0 ? high[k] : std::max(upper[k], high[k]);
            }
        });
        return finite;
    }

    /// The vertex farthest from hi + lo, by squared distances in floats.
    [[nodiscard]] std::uint32_t farthest(const float (&hi)[3], const float (&lo)[3]) const {
        GreatestVertex result{-1, 0};
        for_each_block([&](std::uint32_t first, const VertexStreams& block) {
            replace_by_greater(result, kernels_.farthest(block, hi, lo), first);
        });
        return result.vertex;
    }

    /// The vertices farthest in a direction and in the opposite one, relative to `origin`.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> extremes(const float (&origin)[3],
                                                                   const float (&direction)[3]) const {
        constexpr float least = -std::numeric_limits<float>::infinity();
        GreatestVertex result[2] = {{least, 0}, {least, 0}};
        for_each_block([&](std::uint32_t first, const VertexStreams& block) {
            GreatestVertex here[2];
            kernels_.extremes(block, origin, direction, here);
            for (std::size_t k = 0; k < 2; ++k) replace_by_greater(result[k], here[k], first);
        });
        return {result[0].vertex, result[1].vertex};
    }

    /// A failure that names the first coordinate that is not finite.
    [[nodiscard]] Status not_finite() const {
        const float* const streams[3] = {v_.x, v_.y, v_.z};
        for (std::uint32_t i = 0; i < v_.count; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (!std::isfinite(streams[k][i * stride_])) {
                    return failure("vertices.%c[%u]: not finite", "xyz"[k], i);
                }
            }
        }
        return {};
    }

private:
    static void replace_by_greater(GreatestVertex& greatest, const GreatestVertex& other, std::uint32_t first) {
        if (other.value > greatest.value) greatest = {other.value, first + other.vertex};
    }

    /// Calls visit(index of the block's first vertex, the block's streams). Vertices that are not streams are first
    /// copied to streams.
    template <class Visit>
    void for_each_block(Visit visit) const {
        float buffer[3][buffered_vertices];
        const float* const from[3] = {v_.x, v_.y, v_.z};
        const std::uint32_t most = stride_ == 1 ? most_streamed_vertices : buffered_vertices;
        for (std::uint32_t first = 0; first < v_.count;) {
            const std::uint32_t n = std::min(most, v_.count - first);
            const float* block[3];
            for (std::size_t k = 0; k < 3; ++k) block[k] = from[k] + first * stride_;
            if (stride_ != 1) take_apart(block, n, buffer);
            visit(first, VertexStreams{block[0], block[1], block[2], n});
            first += n;
        }
    }

    /// Copies n vertices to the buffer and points `block` there. Records of x, y, z take one pass.
    void take_apart(const float* (&block)[3], std::uint32_t n, float (&buffer)[3][buffered_vertices]) const {
        float* const streams[3] = {buffer[0], buffer[1], buffer[2]};
        if (block[1] == block[0] + 1 && block[2] == block[0] + 2 && stride_ >= 3) {
            kernels_.unpack(block[0], stride_, 3, n, streams);
        } else {
            for (std::size_t k = 0; k < 3; ++k) kernels_.unpack(block[k], stride_, 1, n, &streams[k]);
        }
        for (std::size_t k = 0; k < 3; ++k) block[k] = buffer[k];
    }

    const Vertices& v_;
    std::size_t stride_;
    const BoundsTable& kernels_;
};

/// Checks the vertices and calls `bound` with the cloud and its box.
template <class Bound>
Status with_cloud(const Vertices* vertices, Isa isa, Bound bound) {
    const FloatModes modes;
    const BoundsTable* kernels = nullptr;
    if (vertices == nullptr) return failure("vertices: must not be null");
    if (Status status = check(*vertices); !status) return status;
    if (Status status = find_kernels(isa, "isa", kernels); !status) return status;
    const Cloud cloud(*vertices, *kernels);
    BoxBounds box;
    if (!cloud.extent(box.lower, box.upper)) return cloud.not_finite();
    bound(cloud, box);
    return {};
}

Double3 center_of(const BoxBounds& box) {
    const auto middle = [&](std::size_t k) {
        return (static_cast<double>(box.lower[k]) + static_cast<double>(box.upper[k])) / 2;
    };
    return {middle(0), middle(1), middle(2)};
}

/// p as a sum of two floats for each component, exact but for 2^-48 of p.
struct TwoFloats {
    explicit TwoFloats(const Double3& p) {
        const double components[3] = {p.x, p.y, p.z};
        for (std::size_t k = 0; k < 3; ++k) {
            hi[k] = static_cast<float>(components[k]);
            lo[k] = static_cast<float>(components[k] - static_cast<double>(hi[k]));
        }
    }
    [[nodiscard]] Double3 high() const {
        return {static_cast<double>(hi[0]), static_cast<double>(hi[1]), static_cast<double>(hi[2])};
    }
    float hi[3], lo[3];
};

/// The distance of the farthest vertex from a centre, rounded up.
float radius_around(const float (&center)[3], const Cloud& cloud) {
    const float zero[3] = {};
    const Double3 c{static_cast<double>(center[0]), static_cast<double>(center[1]), static_cast<double>(center[2])};
    const double squared = length_squared(cloud[cloud.farthest(center, zero)] - c);
    // Squared distances in floats are off by 6 units of roundoff: one in each difference, counted twice, one in each
    // square, two in the sum. So no vertex is farther than the one found by more than 6 u, unless the squares under- or
    // overflow.
    if (squared > 0x1p-100 && squared < 0x1p100) return rounded_up(std::sqrt(squared) * (1 + 0x1p-21));
    double greatest = 0;
    for (std::uint32_t i = 0; i < cloud.count(); ++i) greatest = std::max(greatest, length_squared(cloud[i] - c));
    return rounded_up(std::sqrt(greatest));
}

/// The centre of a small ball around the cloud. The ball is the smallest around up to four vertices. Each step
/// exchanges one of them for the vertex farthest from the centre, until no vertex is outside. Each step's ball is
/// larger than the last.
Double3 small_ball_center(const Cloud& cloud, const Double3& start) {
    constexpr int most_steps = 64;
    constexpr double tolerance = 0x1p-20;  // accuracy of floats' distances; the radius may be larger by it
    BallSupport support;
    Ball ball{start, -1};
    for (int step = 0; step < most_steps; ++step) {
        const TwoFloats center(ball.center);
        const Double3 vertex = cloud[cloud.farthest(center.hi, center.lo)];
        if (length_squared(vertex - ball.center) <= ball.radius_squared * (1 + tolerance)) break;
        const Ball next = smallest_ball_with(support, vertex);
        if (!(next.radius_squared > ball.radius_squared)) break;
        ball = next;
    }
    return ball.center;
}

/// Directions to the faces, edges and corners of a cube.
constexpr float directions[13][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1}, {1, 0, -1},
                                     {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

/// Axes for a box around the cloud. They are fitted to extreme vertices: first to those in a few fixed directions, then
/// also to those along the axes found so far.
BoxFrame fitted_frame(const Cloud& cloud, const Double3& origin) {
    const TwoFloats from(origin);
    ExtremePoints points;
    const auto add = [&](const float(&direction)[3]) {
        const auto [highest, lowest] = cloud.extremes(from.hi, direction);
        points.add(cloud[highest] - from.high());
        points.add(cloud[lowest] - from.high());
    };
    for (const auto& direction : directions) add(direction);
    BoxFrame frame = points.best_frame();
    for (int round = 0; round < 3; ++round) {
        for (const Double3& axis : frame.axis) {
            add({static_cast<float>(axis.x), static_cast<float>(axis.y), static_cast<float>(axis.z)});
        }
        frame = points.improved(frame);
    }
    const BoxFrame aligned;
    return points.measure(frame) < points.measure(aligned) ? frame : aligned;
}

/// Finds p - center in multiples of a box's axes. The rows are those of the inverse of the axes as floats.
struct InverseAxes {
    explicit InverseAxes(const float (&axes)[9]) {
        Double3 a[3];
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = {static_cast<double>(axes[3 * k]), static_cast<double>(axes[3 * k + 1]),
                    static_cast<double>(axes[3 * k + 2])};
        }
        const double determinant = dot(a[0], cross(a[1], a[2]));
        for (std::size_t k = 0; k < 3; ++k) row[k] = cross(a[(k + 1) % 3], a[(k + 2) % 3]) * (1 / determinant);
    }
    Double3 row[3];
};

/// Finds half-extents with which the box of this centre and these axes contains every vertex.
///
/// The axes are orthonormal but for 2^-23. So cross products are off by 2^-53, the determinant by less than 2^-50, the
/// inverse's elements, at most 1.01, by less than 2^-49, and their products with p - center by less than 2^-48 of its
/// one-norm.
void fit_half_extents(const Cloud& cloud, OrientedBoxBounds& box) {
    const InverseAxes inverse(box.axes);
    const Double3 center{static_cast<double>(box.center[0]), static_cast<double>(box.center[1]),
                         static_cast<double>(box.center[2])};
    double farthest[3] = {}, largest = 0;
    for (std::uint32_t i = 0; i < cloud.count(); ++i) {
        const Double3 d = cloud[i] - center;
        for (std::size_t k = 0; k < 3; ++k) farthest[k] = std::max(farthest[k], std::fabs(dot(inverse.row[k], d)));
        largest = std::max(largest, std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z));
    }
    for (std::size_t k = 0; k < 3; ++k) box.half_extents[k] = rounded_up(farthest[k] + largest * 0x1p-47);
}

/// The middle of the cloud along the axes, as floats.
void choose_center(const Cloud& cloud, const Double3& origin, OrientedBoxBounds& box) {
    const InverseAxes inverse(box.axes);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double lowest[3] = {infinity, infinity, infinity}, highest[3] = {-infinity, -infinity, -infinity};
    for (std::uint32_t i = 0; i < cloud.count(); ++i) {
        const Double3 d = cloud[i] - origin;
        for (std::size_t k = 0; k < 3; ++k) {
            const double at = dot(inverse.row[k], d);
            lowest[k] = std::min(lowest[k], at);
            highest[k] = std::max(highest[k], at);
        }
    }
    const double start[3] = {origin.x, origin.y, origin.z};
    for (std::size_t j = 0; j < 3; ++j) {
        double sum = start[j];
        for (std::size_t k = 0; k < 3; ++k) {
            sum += (lowest[k] + highest[k]) / 2 * static_cast<double>(box.axes[3 * k + j]);
        }
        box.center[j] = static_cast<float>(sum);
    }
}

/// The distance from the centre of a parallelepiped with these half axes to its farthest corner.
double farthest_corner(const double (&axis)[3][3]) {
    double farthest_squared = 0;
    for (int corner = 0; corner < 4; ++corner) {  // opposite corners are equally far
        double squared = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double p = axis[0][j] + ((corner & 1) != 0 ? axis[1][j] : -axis[1][j]) +
                             ((corner & 2) != 0 ? axis[2][j] : -axis[2][j]);
            squared += p * p;
        }
        farthest_squared = std::max(farthest_squared, squared);
    }
    return std::sqrt(farthest_squared);
}

/// The distance from the centre to the farthest corner. NaN if the box is invalid.
float corner_distance(const float* axes, const float* half) {
    // At worst the sums of a corner cancel down to rounding errors of the largest extents, 2^-50 of them each.
    double axis[3][3], extents = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) {
            axis[k][j] = static_cast<double>(half[k]) * static_cast<double>(axes[3 * k + j]);
            extents += std::fabs(axis[k][j]);
        }
    }
    const bool valid = std::isfinite(extents) && half[0] >= 0 && half[1] >= 0 && half[2] >= 0;
    return valid ? rounded_up(farthest_corner(axis) + extents * 0x1p-48) : not_a_number;
}

/// The same for axes from a quaternion. They are orthonormal whatever the quaternion is.
float corner_distance_turned(const float* q, const float* half) {
    double squared = 0;
    bool valid = is_rotation(q);
    for (std::size_t k = 0; k < 3; ++k) {
        squared += static_cast<double>(half[k]) * static_cast<double>(half[k]);
        valid = valid && std::isfinite(half[k]) && half[k] >= 0;
    }
    return valid ? rounded_up(std::sqrt(squared)) : not_a_number;
}

/// Where balls are written to.
struct Balls {
    float *x, *y, *z, *radius;

    [[nodiscard]] const char* missing() const {
        return x == nullptr ? "x" : y == nullptr ? "y" : z == nullptr ? "z" : radius == nullptr ? "radius" : nullptr;
    }

    /// Writes ball i: around a local box under a transform. The centre is the box's, as floats have it; the radius is
    /// measured from there to the farthest corner.
    void write(std::size_t i, const Transforms& transforms, const float (&low)[3], const float (&high)[3]) const {
        float m[12];
        double offset[3], axis[3][3];
        const bool is_affine = rows_of(transforms, i, m);
        offset_of(transforms, i, offset);
        double off_squared = 0, size = 0;
        bool is_box = true;
        for (std::size_t r = 0; r < 3; ++r) {
            double at = static_cast<double>(m[4 * r + 3]) + offset[r], magnitude = std::fabs(at) + std::fabs(offset[r]);
            for (std::size_t c = 0; c < 3; ++c) {
                const auto a = static_cast<double>(m[4 * r + c]), from = static_cast<double>(low[c]),
                           to = static_cast<double>(high[c]);
                at += a * (from + to) / 2;
                axis[c][r] = a * (to - from) / 2;
                magnitude += std::fabs(a) * (std::fabs(from) + std::fabs(to));
            }
            float& center = (r == 0 ? x : r == 1 ? y : z)[i] = static_cast<float>(at);
            const double off = at - static_cast<double>(center);
            off_squared += off * off;
            size += magnitude;
            is_box = is_box && low[r] <= high[r];
        }
        // Centre, corners and what the centre is off by pass fewer than 2^5 roundings of `size`.
        const double reach = farthest_corner(axis) + std::sqrt(off_squared) + size * 0x1p-47;
        radius[i] = is_affine && is_box && std::isfinite(size) ? rounded_up(reach) : not_a_number;
    }
    void write_none(std::size_t i) const { x[i] = y[i] = z[i] = radius[i] = not_a_number; }
};

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_bounding_box(const lanecull_vertices* vertices, lanecull_isa isa,
                                      lanecull_box_bounds* box) noexcept {
    if (box == nullptr) return failure("box: must not be null");
    return with_cloud(vertices, isa, [&](const Cloud&, const BoxBounds& bounds) { *box = bounds; });
}

lanecull_status lanecull_bounding_sphere(const lanecull_vertices* vertices, lanecull_isa isa,
                                         lanecull_sphere_bounds* sphere) noexcept {
    if (sphere == nullptr) return failure("sphere: must not be null");
    return with_cloud(vertices, isa, [&](const Cloud& cloud, const BoxBounds& bounds) {
        const TwoFloats center(small_ball_center(cloud, center_of(bounds)));
        for (std::size_t k = 0; k < 3; ++k) sphere->center[k] = center.hi[k];
        sphere->radius = radius_around(sphere->center, cloud);
    });
}

lanecull_status lanecull_bounding_oriented_box(const lanecull_vertices* vertices, lanecull_isa isa,
                                               lanecull_oriented_box_bounds* box) noexcept {
    if (box == nullptr) return failure("box: must not be null");
    return with_cloud(vertices, isa, [&](const Cloud& cloud, const BoxBounds& bounds) {
        const Double3 origin = center_of(bounds);
        const BoxFrame frame = fitted_frame(cloud, origin);
        for (std::size_t k = 0; k < 3; ++k) {
            const double components[3] = {frame.axis[k].x, frame.axis[k].y, frame.axis[k].z};
            for (std::size_t j = 0; j < 3; ++j) box->axes[3 * k + j] = static_cast<float>(components[j]);
        }
        choose_center(cloud, origin, *box);
        fit_half_extents(cloud, *box);
    });
}

lanecull_status lanecull_bounding_radii(const lanecull_oriented_boxes* boxes, float* radius) noexcept {
    const FloatModes modes;
    if (boxes == nullptr) return failure("boxes: must not be null");
    const OrientedBoxes& b = *boxes;
    if (b.count == 0) return Status();
    if ((b.axes.first == nullptr) == (b.quaternions.first == nullptr)) {
        return failure("boxes.axes.first, quaternions.first: one of the two must be null, the other not");
    }
    const bool turned = b.axes.first == nullptr;
    if (Status status =
            turned ? check_records(b.quaternions, 4, "boxes.quaternions") : check_records(b.axes, 9, "boxes.axes");
        !status) {
        return status;
    }
    if (Status status = check_records(b.half_extents, 3, "boxes.half_extents"); !status) return status;
    if (b.x == nullptr || b.y == nullptr || b.z == nullptr) {
        return failure("boxes.x, y, z: must not be null");
    }
    if (radius == nullptr) return failure("radius: must not be null");
    for (std::uint32_t i = 0; i < b.count; ++i) {
        const float* half = record(b.half_extents, 3, i);
        const bool placed = std::isfinite(b.x[i]) && std::isfinite(b.y[i]) && std::isfinite(b.z[i]);
        const float reach = turned ? corner_distance_turned(record(b.quaternions, 4, i), half)
                                   : corner_distance(record(b.axes, 9, i), half);
        radius[i] = placed ? reach : not_a_number;
    }
    return Status();
}

lanecull_status lanecull_hull_bounding_spheres(const lanecull_hull_instances* instances, float* x, float* y, float* z,
                                               float* radius) noexcept {
    const FloatModes modes;
    const Balls balls{x, y, z, radius};
    if (instances == nullptr) return failure("instances: must not be null");
    const HullInstances& s = *instances;
    if (s.count == 0) return Status();
    if (Status status = check_transforms(s.transforms, "instances.transforms"); !status) return status;
    if (s.hulls == nullptr || s.hull_count == 0) return failure("instances.hulls: there must be at least one");
    if (s.hull_index == nullptr && s.hull_count > 1) {
        return failure("instances.hull_index: must not be null with %u hulls", s.hull_count);
    }
    if (balls.missing() != nullptr) return failure("%s: must not be null", lasting(balls.missing()));
    for (std::uint32_t i = 0; i < s.count; ++i) {
        const std::uint32_t hull = s.hull_index != nullptr ? s.hull_index[i] : 0;
        if (hull < s.hull_count) {
            balls.write(i, s.transforms, s.hulls[hull].lower, s.hulls[hull].upper);
        } else {
            balls.write_none(i);
        }
    }
    return Status();
}

lanecull_status lanecull_box_bounding_spheres(const lanecull_box_instances* instances, float* x, float* y, float* z,
                                              float* radius) noexcept {
    const FloatModes modes;
    const Balls balls{x, y, z, radius};
    if (instances == nullptr) return failure("instances: must not be null");
    const BoxInstances& s = *instances;
    if (s.count == 0) return Status();
    if (Status status = check_transforms(s.transforms, "instances.transforms"); !status) return status;
    if (Status status = check_local_boxes(s.local, s.count, "instances.local"); !status) return status;
    if (balls.missing() != nullptr) return failure("%s: must not be null", lasting(balls.missing()));
    for (std::uint32_t i = 0; i < s.count; ++i) {
        LocalBox box;
        if (read_local_box(s.local, i, box)) {
            balls.write(i, s.transforms, box.lower, box.upper);
        } else {
            balls.write_none(i);
        }
    }
    return Status();
}
