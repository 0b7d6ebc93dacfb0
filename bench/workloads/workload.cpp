#include "workloads/workload.hpp"

#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/ext/quaternion_double.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <stdexcept>

#include "workloads/camera.hpp"
#include "workloads/random.hpp"

namespace bench {
namespace {

constexpr double min_extent = 0.5;
constexpr double max_extent = 5.0;
/// The hulls that instances share.
std::uint32_t hulls_of(Shape shape) { return shape == Shape::hull32_many || shape == Shape::hull32_mixed ? 1'024 : 16; }
/// Workloads with other hulls, or in another order, have the same objects otherwise.
Shape same_solids(Shape shape) {
    if (shape == Shape::obb_bare) return Shape::obb;
    return shape == Shape::hull32_many || shape == Shape::hull32_mixed ? Shape::hull32 : shape;
}

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// One object before it takes a shape: every shape reads what it needs.
struct Solid {
    glm::dvec3 centre;
    glm::dvec3 half;  ///< half-extents; a sphere's radius, half the length of capsules, cylinders and cones are half.x,
                      ///< their radius half.y
    glm::dmat3 axes;  ///< orthonormal columns
    std::uint32_t hull = 0;
};

glm::dvec3 uniform_vector(Random& random, double low, double high) {
    const double x = random.uniform(low, high);
    const double y = random.uniform(low, high);
    return {x, y, random.uniform(low, high)};
}

glm::dvec3 point_in_ball(Random& random) {
    for (;;) {
        const glm::dvec3 p = uniform_vector(random, -1, 1);
        if (glm::dot(p, p) <= 1) return p;
    }
}

/// Four numbers uniform in the unit ball of R^4, normalised, are a uniform rotation.
glm::dmat3 random_rotation(Random& random) {
    for (;;) {
        const glm::dvec3 v = uniform_vector(random, -1, 1);
        const glm::dquat q(random.uniform(-1, 1), v.x, v.y, v.z);
        const double norm = glm::dot(q, q);
        if (norm > 0.01 && norm <= 1) return glm::mat3_cast(q / std::sqrt(norm));
    }
}

double bounding_radius(Shape shape, const glm::dvec3& half) {
    switch (shape) {
        case Shape::sphere:
            return half.x;
        case Shape::capsule:
            return half.x + half.y;
        case Shape::cylinder:
        case Shape::cone:
        case Shape::round_cone:
            return std::hypot(half.x, half.y);
        case Shape::hull8:
        case Shape::hull32:
        case Shape::hull32_many:
        case Shape::hull32_mixed:
        case Shape::ellipsoid:
            return std::max({half.x, half.y, half.z});  // their vertices lie on the unit sphere
        default:
            return glm::length(half);
    }
}

/// Uniform on a random one of the volume's facets, edges or corners.
class BoundaryPoints {
public:
    BoundaryPoints() : corners_(standard_camera().corners()) {}

    glm::dvec3 operator()(Random& random) const {
        const double which = random.uniform(0, 1);
        if (which < 0.60) return on_facet(random);
        if (which < 0.85) return on_edge(random);
        return corners_[random.below(8)];
    }

private:
    glm::dvec3 on_facet(Random& random) const {
        // Corners with bit `axis` equal to `side`; splitting along the diagonal 1-2 gives two triangles.
        const std::uint32_t axis = random.below(3), side = random.below(2) << axis;
        const std::uint32_t step1 = axis == 0 ? 2 : 1, step2 = axis == 2 ? 2 : 4;
        const glm::dvec3 &p0 = corners_[side], &p1 = corners_[side | step1], &p2 = corners_[side | step2],
                         &p3 = corners_[side | step1 | step2];
        const double area0 = glm::length(glm::cross(p1 - p0, p2 - p0));
        const double area3 = glm::length(glm::cross(p1 - p3, p2 - p3));
        const glm::dvec3& apex = random.uniform(0, area0 + area3) < area0 ? p0 : p3;
        double s = random.uniform(0, 1), t = random.uniform(0, 1);
        if (s + t > 1) s = 1 - s, t = 1 - t;
        return apex + s * (p1 - apex) + t * (p2 - apex);
    }

    glm::dvec3 on_edge(Random& random) const {
        const std::uint32_t axis = random.below(3), step = 1u << axis;
        std::uint32_t from = random.below(8);
        from &= ~step;
        return glm::mix(corners_[from], corners_[from | step], random.uniform(0, 1));
    }

    std::array<glm::dvec3, 8> corners_;
};

/// `count` solids of one shape and placement, one after the other, ordered by hull.
class SolidSource {
public:
    SolidSource(Shape shape, Placement placement, std::uint32_t count)
        : shape_(same_solids(shape)),
          hulls_(hulls_of(shape)),
          in_order_(shape != Shape::hull32_mixed),
          placement_(placement),
          count_(count),
          random_(0x1a9ec011u + 16 * static_cast<std::uint64_t>(shape_) + static_cast<std::uint64_t>(placement)) {}

    Solid operator()() {
        const glm::dvec3 half = uniform_vector(random_, min_extent, max_extent);
        const glm::dmat3 axes = random_rotation(random_);
        const auto hull = in_order_ ? static_cast<std::uint32_t>(made_++ * hulls_ / count_) : any_hull_.below(hulls_);
        return {placement_ == Placement::uniform ? in_the_open() : across_the_boundary(half), half, axes, hull};
    }

private:
    glm::dvec3 in_the_open() { return eye_ + uniform_vector(random_, -500, 500); }

    glm::dvec3 across_the_boundary(const glm::dvec3& half) {
        const glm::dvec3 offset = 1.5 * bounding_radius(shape_, half) * point_in_ball(random_);
        return boundary_(random_) + offset;
    }

    Shape shape_;
    std::uint32_t hulls_;
    bool in_order_;
    Placement placement_;
    std::uint64_t count_, made_ = 0;
    Random random_, any_hull_{0x4811u};
    glm::dvec3 eye_ = standard_camera().eye;
    BoundaryPoints boundary_;
};

}  // namespace

/// Lays solids out as the streams and records of a kind.
class Builder {
public:
    using Source = std::function<Solid()>;

    static Workload build(Shape shape, std::uint32_t count, double scale, const Source& next) {
        Builder builder(count, scale, next);
        switch (shape) {
            case Shape::sphere:
                builder.spheres();
                break;
            case Shape::box:
                builder.boxes();
                break;
            case Shape::centered_box:
                builder.centered_boxes();
                break;
            case Shape::obb:
                builder.oriented_boxes(true);
                break;
            case Shape::obb_bare:
                builder.oriented_boxes(false);
                break;
            case Shape::capsule:
                builder.capsules();
                break;
            case Shape::hull8:
                builder.hulls(8, hulls_of(shape));
                break;
            case Shape::hull32:
            case Shape::hull32_many:
            case Shape::hull32_mixed:
                builder.hulls(32, hulls_of(shape));
                break;
            case Shape::cylinder:
                builder.cylinders();
                break;
            case Shape::ellipsoid:
                builder.ellipsoids();
                break;
            case Shape::cone:
                builder.cones(lanecull::ConeEnd::flat);
                break;
            case Shape::round_cone:
                builder.cones(lanecull::ConeEnd::round);
                break;
        }
        return std::move(builder.result_);
    }

private:
    Builder(std::uint32_t count, double scale, const Source& next) : count_(count), scale_(scale), next_(next) {}

    float* floats(std::size_t per_object = 1) { return result_.streams_.emplace_back(per_object * count_).data(); }

    void finish(const lanecull::Batch& batch, double bytes_per_object) {
        result_.batch_ = batch;
        result_.bytes_per_object_ = bytes_per_object;
    }

    /// `streams` arrays, filled by put(solid, i, arrays).
    template <std::size_t streams, class Put>
    std::array<float*, streams> fill(Put put) {
        std::array<float*, streams> arrays;
        for (float*& array : arrays) array = floats();
        for (std::uint32_t i = 0; i < count_; ++i) {
            Solid solid = next_();
            solid.half *= scale_;
            put(solid, i, arrays);
        }
        return arrays;
    }

    template <std::size_t streams>
    static void put3(const std::array<float*, streams>& arrays, std::size_t first, std::uint32_t i,
                     const glm::dvec3& v) {
        for (int k = 0; k < 3; ++k) arrays[first + static_cast<std::size_t>(k)][i] = static_cast<float>(v[k]);
    }

    void spheres() {
        const auto s = fill<4>([](const Solid& solid, std::uint32_t i, const auto& arrays) {
            put3(arrays, 0, i, solid.centre);
            arrays[3][i] = static_cast<float>(solid.half.x);
        });
        finish(lanecull::Spheres{s[0], s[1], s[2], s[3], count_}, 16);
    }

    void boxes() {
        const auto s = fill<6>([](const Solid& solid, std::uint32_t i, const auto& arrays) {
            put3(arrays, 0, i, solid.centre - solid.half);
            put3(arrays, 3, i, solid.centre + solid.half);
        });
        finish(lanecull::Boxes{s[0], s[1], s[2], s[3], s[4], s[5], count_}, 24);
    }

    void centered_boxes() {
        const auto s = fill<6>([](const Solid& solid, std::uint32_t i, const auto& arrays) {
            put3(arrays, 0, i, solid.centre);
            put3(arrays, 3, i, solid.half);
        });
        finish(lanecull::CenteredBoxes{s[0], s[1], s[2], s[3], s[4], s[5], count_}, 24);
    }

    void oriented_boxes(bool bounded) {
        float* axes = floats(9);
        float* half = floats(3);
        const auto s = fill<3>([=](const Solid& solid, std::uint32_t i, const auto& arrays) {
            put3(arrays, 0, i, solid.centre);
            for (int k = 0; k < 3; ++k) {
                half[3 * i + static_cast<std::uint32_t>(k)] = static_cast<float>(solid.half[k]);
                for (int j = 0; j < 3; ++j)
                    axes[9 * i + static_cast<std::uint32_t>(3 * k + j)] = static_cast<float>(solid.axes[k][j]);
            }
        });
        lanecull::OrientedBoxes batch{s[0], s[1], s[2], {axes}, {}, {half}, nullptr, count_};
        if (bounded) {
            float* radius = floats();
            require(lanecull::bounding_radii(batch, radius));
            batch.bounding_radius = radius;
        }
        finish(batch, bounded ? 16 : 60);
    }

    std::array<float*, 7> segments() {
        return fill<7>([](const Solid& solid, std::uint32_t i, const auto& arrays) {
            const glm::dvec3 arm = solid.half.x * solid.axes[0];
            put3(arrays, 0, i, solid.centre - arm);
            put3(arrays, 3, i, solid.centre + arm);
            arrays[6][i] = static_cast<float>(solid.half.y);
        });
    }
    void capsules() {
        const auto s = segments();
        finish(lanecull::Capsules{s[0], s[1], s[2], s[3], s[4], s[5], s[6], count_}, 28);
    }
    void cylinders() {
        const auto s = segments();
        finish(lanecull::Cylinders{s[0], s[1], s[2], s[3], s[4], s[5], s[6], count_}, 28);
    }
    void cones(lanecull::ConeEnd end) {
        const auto s = segments();
        finish(lanecull::Cones{s[0], s[1], s[2], s[3], s[4], s[5], s[6], count_, end}, 28);
    }

    void ellipsoids() {
        float *turns = floats(4), *half = floats(3);
        const auto s = fill<4>([=](const Solid& solid, std::uint32_t i, const auto& arrays) {
            put3(arrays, 0, i, solid.centre);
            const glm::dquat q = glm::quat_cast(solid.axes);
            const double turn[4] = {q.x, q.y, q.z, q.w};
            for (std::uint32_t k = 0; k < 4; ++k) turns[4 * i + k] = static_cast<float>(turn[k]);
            for (int k = 0; k < 3; ++k) half[3 * i + static_cast<std::uint32_t>(k)] = static_cast<float>(solid.half[k]);
            arrays[3][i] = std::max({half[3 * i], half[3 * i + 1], half[3 * i + 2]});
        });
        finish(lanecull::Ellipsoids{s[0], s[1], s[2], {turns}, {half}, s[3], count_}, 16);
    }

    /// Points on the unit sphere: every one of them a vertex of its hull.
    void make_hulls(std::uint32_t vertices, std::uint32_t count) {
        Random random(0x4811u + vertices);
        for (std::uint32_t h = 0; h < count; ++h) {
            float* xyz = result_.streams_.emplace_back(3 * vertices).data();
            for (std::uint32_t v = 0; v < vertices; ++v) {
                const glm::dvec3 p = glm::normalize(point_in_ball(random));
                for (int k = 0; k < 3; ++k)
                    xyz[static_cast<std::uint32_t>(k) * vertices + v] = static_cast<float>(p[k]);
            }
            require(lanecull::prepare_hull(xyz, xyz + vertices, xyz + 2 * vertices, vertices,
                                           result_.hulls_.emplace_back()));
        }
    }

    void hulls(std::uint32_t vertices, std::uint32_t hull_count) {
        make_hulls(vertices, hull_count);
        result_.hull_index_.resize(count_);
        float* transforms = floats(12);
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Solid solid = next_();
            result_.hull_index_[i] = solid.hull;
            for (int row = 0; row < 3; ++row) {
                float* out = transforms + 12 * std::size_t{i} + 4 * row;
                for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(solid.axes[k][row] * solid.half[k] * scale_);
                out[3] = static_cast<float>(solid.centre[row]);
            }
        }
        lanecull::HullInstances batch{
            .transforms = {.first = transforms, .layout = lanecull::TransformLayout::rows_3x4},
            .hulls = result_.hulls_.data(),
            .hull_count = hull_count,
            .hull_index = result_.hull_index_.data(),
            .count = count_};
        float *x = floats(), *y = floats(), *z = floats(), *radius = floats();
        require(lanecull::bounding_spheres(batch, x, y, z, radius));
        batch.bounding_x = x, batch.bounding_y = y, batch.bounding_z = z, batch.bounding_radius = radius;
        finish(batch, 16);
    }

    std::uint32_t count_;
    double scale_;
    const Source& next_;
    Workload result_;
};

namespace {

/// Whether stage 1 of the library leaves the batch's only object undecided. Counts say which stage decided.
bool left_to_stage2(const Workload& one, const lanecull::View& view, lanecull::Scratch scratch) {
    using lanecull::Reason;
    lanecull::Explanation why;
    lanecull::Output output{.explanation = &why};
    require(lanecull::cull({&one.batch(), 1}, {&view, 1}, {&output, 1}, scratch, {.isa = lanecull::Isa::scalar}));
    const lanecull::Counts& counts = why.counts;
    return counts[Reason::culled_gjk] + counts[Reason::visible_overlap] + counts[Reason::visible_touching] +
               counts[Reason::visible_cap] !=
           0;
}

Workload undecided(const Key& key) {
    const lanecull::View view = prepare(standard_camera());
    std::vector<std::byte> scratch;
    std::vector<Solid> found;
    SolidSource source(key.shape, Placement::straddle, key.count);
    for (std::uint32_t i = 0; i < key.count; ++i) {
        const Solid solid = source();
        const Workload one = Builder::build(key.shape, 1, key.scale, [&] { return solid; });
        scratch.resize(lanecull::scratch_bytes({&one.batch(), 1}, 1));
        if (left_to_stage2(one, view, scratch)) found.push_back(solid);
    }
    std::size_t taken = 0;
    return Builder::build(key.shape, static_cast<std::uint32_t>(found.size()), key.scale,
                          [&] { return found[taken++]; });
}

}  // namespace

const char* name(Shape shape) {
    static constexpr const char* names[] = {"sphere",   "box",       "centered_box", "obb",         "obb_bare",
                                            "capsule",  "hull8",     "hull32",       "hull32_many", "hull32_mixed",
                                            "cylinder", "ellipsoid", "cone",         "round_cone"};
    return names[static_cast<std::size_t>(shape)];
}

const char* name(Placement placement) {
    static constexpr const char* names[] = {"uniform", "straddle", "undecided"};
    return names[static_cast<std::size_t>(placement)];
}

const Workload& workload(const Key& key) {
    static std::map<Key, Workload> built;
    if (const auto it = built.find(key); it != built.end()) return it->second;
    const LargePages pages(key.large_pages);
    Workload made =
        key.placement == Placement::undecided
            ? undecided(key)
            : Builder::build(key.shape, key.count, key.scale, SolidSource(key.shape, key.placement, key.count));
    return built.emplace(key, std::move(made)).first->second;
}

}  // namespace bench
