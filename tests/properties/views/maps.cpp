#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "oracle/exact_objects.hpp"
#include "properties/any.hpp"
#include "properties/family.hpp"
#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"
#include "view/prepared_view.hpp"

/// Shadow maps and slices of ordinary cameras, in doubles; and maps, splits and many lights of any numbers: what fails
/// says why and writes nothing.
namespace properties {
namespace {

using lanecull::Plane;
using lanecull::ShadowMap;
using lanecull::Slice;
using lanecull::View;
using lanecull::ViewOptions;
using lanecull::WorldBox;

double value(const Plane& plane, const Double3& p) {
    return plane.normal[0] * p[0] + plane.normal[1] * p[1] + plane.normal[2] * p[2] + plane.offset;
}
double normal_length(const Plane& plane) { return length({plane.normal[0], plane.normal[1], plane.normal[2]}); }
/// Of the plane's terms at p.
double magnitude(const Plane& plane, const Double3& p) {
    return normal_length(plane) * length(p) + std::fabs(plane.offset);
}

Double3 corner(std::span<const double, 24> corners, std::size_t i) {
    return {corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]};
}

Camera shallow_camera(Random& random) {
    Camera camera = random_camera(random, Projection::perspective);
    while (camera.depth[1] / camera.depth[0] > 1e4) camera = random_camera(random, Projection::perspective);
    return camera;
}

Slice slice_of(const Camera& camera, double from, double to) {
    const auto [near, far] = camera.depth;
    return {camera.matrix, camera.clip_space, near + from * (far - near), near + to * (far - near)};
}

Camera moved(const Camera& camera, const Double3& way) {
    Camera other = camera;
    const bool by_rows = camera.clip_space.layout == lanecull::MatrixLayout::row_major;
    for (std::size_t r = 0; r < 4; ++r) {
        const auto at = [&](std::size_t c) { return by_rows ? 4 * r + c : 4 * c + r; };
        for (std::size_t c = 0; c < 3; ++c) other.matrix[at(3)] -= way[c] * camera.matrix[at(c)];
    }
    return other;
}

/// A map, whose it is, and where points are tried.
struct Drawn {
    ShadowMap map;
    std::uint32_t texels = 512;
    Double3 about{};
    double size = 1;
    std::string text;
};

/// Makes maps, and fails where they are not as they should be.
class MapTrial {
public:
    explicit MapTrial(Trial& trial) : trial_(trial), random_(trial.random) {}

    void run() {
        switch (random_.below(3)) {
            case 0:
                return directional();
            case 1:
                return of_point_light();
            default:
                return of_engine();
        }
    }

private:
    void expect(bool holds, const char* what, const Drawn& drawn) const {
        if (!holds) {
            trial_.fail(Tally::untold, what, [&] {
                return drawn.text + "\n  texel" + written(std::array{drawn.map.texel_size}) + " matrix" +
                       written(drawn.map.clip_from_world) + describe(drawn.map.sides);
            });
        }
    }

    void directional() {
        const Camera camera = shallow_camera(random_);
        const Slice slice = slice_of(camera, 0.1 * random_.unit(), 0.2 + 0.8 * random_.unit());
        const Double3 toward = random_.log_range(1e-3, 1e3) * random_direction(random_);
        Double3 up = random_direction(random_);
        while (!(length(cross(up, toward)) > 0.1 * length(toward))) up = random_direction(random_);
        lanecull::DirectionalMapOptions options{{toward[0], toward[1], toward[2]}, {up[0], up[1], up[2]}};
        options.texels = 1u << (4 + random_.below(9));
        options.is_tight = random_.chance(0.5);
        double corners[24];
        Drawn drawn;
        drawn.text = camera.describe() + written(std::array{slice.near_depth, slice.far_depth}) + " toward" +
                     written(toward) + " up" + written(up);
        drawn.texels = options.texels;
        expect(lanecull::slice_corners(slice, corners).ok(), "a slice is refused", drawn);
        const Double3 inside = corner(corners, 0) + random_.unit() * (corner(corners, 7) - corner(corners, 0));
        const bool limited = random_.chance(0.5);
        WorldBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            const double size = limited ? camera.depth[1] * random_.log_range(1e-3, 1) : HUGE_VAL;
            box.lower[k] = inside[k] - size, box.upper[k] = inside[k] + size;
        }
        drawn.text += limited ? " box" + written(box.lower) + written(box.upper) : "";
        if (const lanecull::Status status = lanecull::fit_directional_map(slice, box, options, drawn.map); !status) {
            return expect(false, status.message(), drawn);
        }
        drawn.about = inside, drawn.size = drawn.map.texel_size * options.texels;
        expect_receivers(drawn, corners, box);
        expect(clip(drawn.map, inside + toward)[2] < clip(drawn.map, inside)[2], "depth grows towards the light",
               drawn);
        for (const Plane& side : drawn.map.sides) {
            const Double3 n = {side.normal[0], side.normal[1], side.normal[2]};
            expect(std::fabs(dot(n, toward)) < 2e-15 * length(toward), "a side is not along the light", drawn);
        }
        if (!limited && !options.is_tight) expect_stable(drawn, camera, slice, options, corners);
        check(drawn);
    }

    /// A corner's mixtures within the box are in the map.
    void expect_receivers(const Drawn& drawn, std::span<const double, 24> corners, const WorldBox& box) const {
        for (int n = 0; n < 20; ++n) {
            Double3 p{};
            double sum = 0;
            for (std::size_t i = 0; i < 8; ++i) {
                const double share = random_.unit();
                p = p + share * corner(corners, i), sum += share;
            }
            p = 1 / sum * p;
            bool within = true;
            for (std::size_t k = 0; k < 3; ++k) within = within && box.lower[k] <= p[k] && p[k] <= box.upper[k];
            if (!within) continue;
            const auto c = clip(drawn.map, p);
            expect(std::fabs(c[0]) <= 1 + 1e-4 && std::fabs(c[1]) <= 1 + 1e-4 && c[2] >= -1e-4 && c[2] <= 1 + 1e-4,
                   "a receiver is not in the map", drawn);
        }
    }

    /// The whole slice is in the map wherever its texels' grid lies; wherever the camera moves, the map keeps its size,
    /// and its texels their places.
    void expect_stable(const Drawn& drawn, const Camera& camera, const Slice& slice,
                       const lanecull::DirectionalMapOptions& options, std::span<const double, 24> corners) const {
        for (std::size_t i = 0; i < 8; ++i) {
            for (const Plane& side : drawn.map.sides) {
                expect(value(side, corner(corners, i)) >= 0, "a corner is not in the stable map", drawn);
            }
        }
        if (length(camera.eye) > 1e3 * camera.depth[1]) return;  // a texel is hardly a number there
        const Camera other = moved(camera, camera.depth[1] * random_.log_range(1e-4, 1) * random_direction(random_));
        const Slice next{other.matrix, other.clip_space, slice.near_depth, slice.far_depth};
        constexpr WorldBox everywhere = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
        ShadowMap map;
        bool same = lanecull::fit_directional_map(next, everywhere, options, map).ok() &&
                    map.texel_size == drawn.map.texel_size;
        for (const std::size_t side : {0u, 2u}) {
            const double texels = (drawn.map.sides[side].offset - map.sides[side].offset) / map.texel_size;
            same = same && std::fabs(texels - std::round(texels)) <= 1e-2;
        }
        expect(same, "a stable map is not that of the camera elsewhere", drawn);
    }

    void of_point_light() {
        Drawn drawn;
        drawn.about = random_.range(0, 1e3) * random_direction(random_);
        const Double3 forward = random_direction(random_), up = random_direction(random_);
        double at[3], f[3], u[3];
        std::ranges::copy(drawn.about, at), std::ranges::copy(forward, f), std::ranges::copy(up, u);
        const double tan_x = random_.log_range(0.05, 3), tan_y = random_.log_range(0.05, 3);
        const double near = random_.log_range(0.01, 1), far = near * random_.log_range(2, 1e3);
        drawn.texels = 16 + static_cast<std::uint32_t>(random_.below(5000));
        const bool face = random_.chance(0.3);
        const lanecull::Status status =
            face ? lanecull::cube_map_face(at, static_cast<std::uint32_t>(random_.below(6)), near, far, drawn.texels,
                                           drawn.map)
                 : lanecull::spot_map(at, f, u, tan_x, tan_y, near, far, drawn.texels, drawn.map);
        if (!status) return expect(length(cross(forward, up)) < 1e-2, status.message(), drawn);
        const double texel = 2 * (face ? 1 : std::max(tan_x, tan_y)) / drawn.texels;
        expect(std::fabs(drawn.map.texel_size - texel) <= 1e-12 * texel && drawn.map.is_perspective,
               "a point light's map has other texels", drawn);
        check(drawn);
    }

    /// Right, up and forward across one another, of any sizes; a map off its middle, whose x and y have parts along
    /// forward; the whole matrix scaled.
    void of_engine() {
        const Double3 z = random_direction(random_), side = cross(z, random_direction(random_)), none = {};
        if (!(length(side) > 1e-9)) return;  // bytes may say the same direction twice
        const Double3 x = 1 / length(side) * side, y = cross(z, x);
        const bool is_perspective = random_.chance(0.5);
        const double half_x = random_.log_range(1e-3, 1e3), half_y = random_.log_range(1e-3, 1e3),
                     scale = random_.chance(0.5) ? 1 : random_.log_range(1e-60, 1e60), away = random_.range(-1, 1);
        const Double3 rows[3] = {1 / half_x * x + (is_perspective ? away : 0) * z, 1 / half_y * y,
                                 is_perspective ? z : none};
        double matrix[16] = {};
        constexpr std::size_t place[3] = {0, 1, 3};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t k = 0; k < 3; ++k) matrix[4 * k + place[r]] = scale * rows[r][k];
            matrix[12 + place[r]] = scale * (r == 2 && !is_perspective ? 1 : random_.range(-5, 5));
        }
        const auto pixels = [&] { return 16 + static_cast<std::uint32_t>(random_.below(5000)); };
        Drawn drawn;
        drawn.texels = pixels();
        drawn.size = 9;
        const std::uint32_t height = pixels();
        if (const lanecull::Status status = lanecull::engine_map(matrix, {}, drawn.texels, height, drawn.map);
            !status) {
            return expect(false, status.message(), drawn);
        }
        const double texel = 2 * std::max(half_x / drawn.texels, half_y / height);
        expect(std::fabs(drawn.map.texel_size - texel) <= 1e-9 * texel && drawn.map.is_perspective == is_perspective,
               "an engine's map has other texels", drawn);
        expect_sides(drawn);
    }

    /// Left, right, bottom and top leave what the matrix maps into the map.
    void expect_sides(const Drawn& drawn) const {
        for (int n = 0; n < 20; ++n) {
            const Double3 p = drawn.about + drawn.size * random_.log_range(0.1, 1) * random_direction(random_);
            const auto c = clip(drawn.map, p);
            const double values[4] = {c[3] + c[0], c[3] - c[0], c[3] + c[1], c[3] - c[1]};
            bool is_inside = true;
            for (std::size_t k = 0; k < 4; ++k) {
                const Plane& side = drawn.map.sides[k];
                const double found = value(side, p);
                is_inside = is_inside && found >= 0;
                if (std::fabs(found) <= 1e-9 * (magnitude(side, p) + normal_length(side))) continue;
                expect((found > 0) == (values[k] > 0), "a side and the matrix leave different points", drawn);
            }
            ++trial_.at(Tally::cases);
            trial_.at(Tally::reached) += is_inside;
        }
    }

    /// Read as an engine's, by columns, and by rows with depth -1 to 1: the same map.
    void check(const Drawn& drawn) const {
        expect_sides(drawn);
        const ShadowMap& map = drawn.map;
        std::array<double, 16> by_rows;
        for (std::size_t r = 0; r < 4; ++r) {
            for (std::size_t c = 0; c < 4; ++c) {
                const double z = map.clip_from_world[4 * c + 2], w = map.clip_from_world[4 * c + 3];
                by_rows[4 * r + c] = r == 2 ? 2 * z - w : map.clip_from_world[4 * c + r];
            }
        }
        lanecull::ClipSpace ogre = lanecull::ClipSpace::ogre();
        std::ranges::copy(map.clip_space.origin, ogre.origin);
        ShadowMap read, turned;
        expect(lanecull::engine_map(map.clip_from_world, map.clip_space, drawn.texels, drawn.texels, read) &&
                   lanecull::engine_map(by_rows, ogre, drawn.texels, drawn.texels, turned),
               "a map's own matrix is refused", drawn);
        expect(
            std::ranges::equal(read.clip_from_world, map.clip_from_world) &&
                std::ranges::equal(read.clip_space.origin, map.clip_space.origin) &&
                std::ranges::equal(turned.clip_from_world, map.clip_from_world,
                                   [](double a, double b) { return std::fabs(a - b) <= 1e-14 * (1 + std::fabs(b)); }),
            "an engine's matrix is not kept", drawn);
        for (const ShadowMap& other : {read, turned}) {
            expect(is_same(other, map), "an engine's map has other sides or texels", drawn);
            expect(other.clip_space.layout == lanecull::MatrixLayout::column_major &&
                       other.clip_space.depth == lanecull::DepthRange::zero_to_one,
                   "an engine's matrix is kept in another clip space", drawn);
        }
    }

    /// The same sides, whatever their normals' lengths, and texels.
    static bool is_same(const ShadowMap& a, const ShadowMap& b) {
        bool same =
            a.is_perspective == b.is_perspective && std::fabs(a.texel_size - b.texel_size) <= 1e-9 * b.texel_size;
        for (std::size_t side = 0; side < 4; ++side) {
            const Plane &p = a.sides[side], &q = b.sides[side];
            const double own = normal_length(p), scale = own / normal_length(q);
            for (std::size_t k = 0; k < 3; ++k) {
                same = same && std::fabs(p.normal[k] - scale * q.normal[k]) <= 1e-11 * own;
            }
            same = same && std::fabs(p.offset - scale * q.offset) <= 1e-11 * (own + std::fabs(p.offset));
        }
        return same;
    }

    Trial& trial_;
    Random& random_;
};

// Slices.

/// Exactly: how far a solid reaches on the inner side of a plane.
struct InnerReach {
    exact::Rational points;  ///< the largest value of the plane's function without its radius
    exact::Rational ball;    ///< its radius times the length of the normal, squared

    InnerReach(const exact::Solid& solid, const Plane& plane) {
        const exact::HalfSpace f = half_space(plane);
        points = highest(solid, f.normal) + f.offset;
        ball = solid.radius * solid.radius * exact::dot(f.normal, f.normal);
    }
    [[nodiscard]] bool touches() const { return points >= 0 || points * points <= ball; }
    /// Whether it stays away by more than `distance`.
    [[nodiscard]] bool is_beyond(double distance) const {
        const exact::Rational rest = points + exact::rational(distance);
        return rest < 0 && rest * rest > ball;
    }
};

/// A camera's slices and objects of one kind, with the boxes around what of them is in each slice.
class SlicesTrial {
public:
    explicit SlicesTrial(Trial& trial)
        : trial_(trial),
          camera_(shallow_camera(trial.random)),
          hulls_(random_hulls(trial.random, 3)),
          kind_(all_kinds[trial.random.below(static_cast<int>(std::size(all_kinds)))]),
          depths_(static_cast<std::size_t>(2 + trial.random.below(lanecull::max_slices))) {
        const bool is_split =
            lanecull::split_depths(camera_.depth[0], camera_.depth[1], trial.random.unit(), depths_).ok();
        expect(is_split, "splits are refused");
        slices_.resize(depths_.size() - 1);
        grown_ = trial.random.chance(0.3);
        objects_ = random_objects(trial.random, kind_, camera_, trial.plan.objects / 24 + 2, hulls_);
        if (objects_.size() > 64) objects_.resize(64);
        for (Object& object : objects_) {
            if (grown_) grow(trial.random, kind_, hulls_, {.margin = true, .sweep = true}, object);
        }
    }

    void run() {
        find_slices();
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind_, objects_, hulls_, memory, {.streams = {.margin = grown_, .sweep = grown_}});
        for (const lanecull::Isa isa : trial_.plan.isas) {
            std::vector<WorldBox> unions(slices_.size(), nowhere);
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                const std::vector<WorldBox> alone = bounds(batch, std::uint64_t{1} << i, isa);
                check(exact_solid_of(kind_, objects_[i], hulls_), alone);
                for (std::size_t k = 0; k < alone.size(); ++k) join(alone[k], unions[k]);
            }
            const std::vector<WorldBox> together = bounds(batch, ~std::uint64_t{0}, isa);
            for (std::size_t k = 0; k < unions.size(); ++k) {
                expect(std::ranges::equal(unions[k].lower, together[k].lower) &&
                           std::ranges::equal(unions[k].upper, together[k].upper),
                       "a slice's box is not that of the objects which alone have one");
            }
        }
    }

private:
    static constexpr WorldBox nowhere = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

    void expect(bool holds, const char* what) const {
        if (!holds) {
            trial_.fail(Tally::untold, what,
                        [&] { return camera_.describe() + " depths" + written(depths_) + kind_name(kind_); });
        }
    }

    static void join(const WorldBox& box, WorldBox& to) {
        for (std::size_t k = 0; k < 3; ++k) {
            to.lower[k] = std::min(to.lower[k], box.lower[k]), to.upper[k] = std::max(to.upper[k], box.upper[k]);
        }
    }

    /// Their corners lie where the camera's parameters say, on the planes; and no point lies between two slices.
    void find_slices() {
        const double scale = length(camera_.eye) + camera_.depth[1];
        for (std::size_t k = 0; k < slices_.size(); ++k) {
            const Slice slice{camera_.matrix, camera_.clip_space, depths_[k], depths_[k + 1]};
            double corners[24];
            expect(lanecull::slice_planes(slice, slices_[k]) && lanecull::slice_corners(slice, corners),
                   "a slice is refused");
            for (std::size_t i = 0; i < 8; ++i) {
                const Double3 at = corner(corners, i);
                const Double3 expected = camera_.point(camera_.x[i & 1], camera_.y[i >> 1 & 1], depths_[k + (i >> 2)]);
                expect(length(at - expected) < 1e-5 * scale, "a slice's corner is elsewhere");
                expect(std::fabs(value(slices_[k][i >> 2], at)) < 1e-6 * scale, "a corner is not on its slice's plane");
            }
            if (k == 0) continue;
            const Plane &end = slices_[k - 1][1], &begin = slices_[k][0];
            for (std::size_t j = 0; j < 3; ++j) expect(end.normal[j] == -begin.normal[j], "two slices are not one cut");
            expect(end.offset == -begin.offset, "something is between two slices");
        }
    }

    std::vector<WorldBox> bounds(const lanecull::Batch& batch, std::uint64_t word, lanecull::Isa isa) const {
        std::vector<WorldBox> boxes(slices_.size());
        expect(
            lanecull::slice_bounds({&batch, 1}, {&word, 1}, camera_.matrix, camera_.clip_space, depths_, boxes, {isa})
                .ok(),
            "bounds of slices are refused");
        return boxes;
    }

    /// What reaches into a slice has a box there; what stays away from it by more than the bound has none (hulls by the
    /// boxes around them).
    void check(const exact::Solid& solid, std::span<const WorldBox> boxes) const {
        double size = exact::to_double({solid.radius, 0, 0}).x + length(camera_.eye), farthest = 0;
        for (const exact::Point& p : solid.points) {
            const auto [x, y, z] = exact::to_double(p);
            farthest = std::max(farthest, std::hypot(x, y, z));
        }
        size += farthest;
        for (std::size_t k = 0; k < boxes.size(); ++k) {
            const InnerReach from(solid, slices_[k][0]), to(solid, slices_[k][1]);
            const bool is_empty = boxes[k].lower[0] > boxes[k].upper[0], reaches = from.touches() && to.touches();
            ++trial_.at(Tally::oracle_objects);
            trial_.at(Tally::oracle_visible) += reaches;
            if (reaches && is_empty) {
                trial_.fail(Tally::unproved, "left out of a slice that it reaches into",
                            [&] { return camera_.describe(); });
            }
            if (reaches) continue;
            ++trial_.at(Tally::cases);
            trial_.at(Tally::reached) += is_empty;
            const bool is_far = from.is_beyond(0x1p-14 * size) || to.is_beyond(0x1p-14 * size);
            expect(is_empty || !is_far || kind_ == Kind::hull, "far from a slice, yet in its box");
        }
    }

    Trial& trial_;
    const Camera camera_;
    const HullSet hulls_;
    const Kind kind_;
    std::vector<double> depths_;
    std::vector<std::array<Plane, 2>> slices_;
    std::vector<Object> objects_;
    bool grown_ = false;
};

// Of any numbers.

/// Calls make(output). A failure must say why, and leave the output as it was.
template <class Output, class Make>
bool made(const Trial& trial, Output& output, const Make& make) {
    std::array<std::byte, sizeof(Output)> before;  // padding included
    std::memcpy(before.data(), &output, sizeof output);
    const lanecull::Status status = make(output);
    if (status.ok()) return true;
    const bool is_untouched = std::memcmp(before.data(), &output, sizeof output) == 0;
    if (!is_untouched || status.message()[0] == 0) {
        trial.fail(Tally::untold, "a failure says nothing, or writes its output",
                   [&] { return std::string(status.message()); });
    }
    return false;
}

void read(Random& random, double (&to)[3]) {
    for (double& coordinate : to) coordinate = random.any_double();
}

/// A map that was made must have numbers.
void check_numbers(const Trial& trial, bool is_made, const lanecull::ShadowMap& map, const char* which) {
    const auto finite = [](double number) { return std::isfinite(number); };
    const auto is_plane = [&](const Plane& p) { return std::ranges::all_of(p.normal, finite) && finite(p.offset); };
    ++trial.at(Tally::cases);
    if (!is_made) return;
    ++trial.at(Tally::reached);
    if (!std::ranges::all_of(map.clip_from_world, finite) || !finite(map.texel_size) || !(map.texel_size > 0) ||
        !std::ranges::all_of(map.sides, is_plane)) {
        trial.fail(Tally::untold, "a map's number is none", [&] { return which + written(map.clip_from_world); });
    }
}

void try_covered(Trial& trial, const lanecull::ShadowMap& map) {
    Random& random = trial.random;
    View view;
    const double border = random.any_size();
    if (!made(trial, view, [&](View& v) { return lanecull::prepare_covered(map, border, v); })) return;
    exact::HalfSpaces sides;
    if (std::isfinite(border)) add(sides, map.sides);
    for (int n = 1 + random.below(6); n > 0; --n) {
        const float center[3] = {random.any_float(), random.any_float(), random.any_float()},
                    radius = random.any_size();
        const lanecull::Batch ball = lanecull::Spheres{&center[0], &center[1], &center[2], &radius, 1};
        std::uint64_t bits = 0, inside = 0;
        lanecull::Output output{.visible = {&bits, 1}, .inside = {&inside, 1}};
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&ball, 1}, 1));
        const bool culled = lanecull::cull({&ball, 1}, {&view, 1}, {&output, 1}, scratch).ok();
        const bool holds = inside == 0 || (bits == 1 && exact::contain(sides, exact::sphere(center, radius)));
        if (!culled || !holds) {
            trial.fail(Tally::unproved, "what is called covered is not, or not visible", [&] {
                return ::describe(map.sides) + written(center) + written(std::array{radius, float(border)});
            });
        }
    }
}

void try_directional_map(Trial& trial) {
    Random& random = trial.random;
    const ViewArguments part(random, ViewArguments::Form::cascade);
    lanecull::DirectionalMapOptions options;
    read(random, options.toward);
    if (random.chance(0.5)) read(random, options.up);
    options.texels = random.below(8) == 0 ? static_cast<std::uint32_t>(random.bits()) : 16u << random.below(9);
    options.is_tight = random.chance(0.5);
    lanecull::ShadowMap map;
    const bool fits =
        made(trial, map, [&](auto& m) { return lanecull::fit_directional_map(part.slice(), part.box, options, m); });
    check_numbers(trial, fits, map, "directional");
    if (random.below(8) == 0) {
        const std::vector<Plane> planes = read_planes(random, 4);
        std::ranges::copy(planes, map.sides);
        map.texel_size = random.any_double();
    }
    try_covered(trial, map);
}

void try_point_light_maps(Trial& trial) {
    Random& random = trial.random;
    double at[3], forward[3], up[3];
    for (auto* to : {&at, &forward, &up}) read(random, *to);
    const double near = std::fabs(random.any_double()), far = near + std::fabs(random.any_double());
    const std::uint32_t texels = random.below(8) == 0 ? static_cast<std::uint32_t>(random.bits()) : 512,
                        face = static_cast<std::uint32_t>(random.below(7));
    const double tan_x = random.any_double(), tan_y = random.any_double();
    lanecull::ShadowMap map;
    const bool spot = made(
        trial, map, [&](auto& m) { return lanecull::spot_map(at, forward, up, tan_x, tan_y, near, far, texels, m); });
    check_numbers(trial, spot, map, "spot");
    const bool cube =
        made(trial, map, [&](auto& m) { return lanecull::cube_map_face(at, face, near, far, texels, m); });
    check_numbers(trial, cube, map, "face");
}

void try_engine_map(Trial& trial) {
    Random& random = trial.random;
    double matrix[16];
    for (double& element : matrix) element = random.below(3) == 0 ? 0 : random.any_double();
    lanecull::ClipSpace space = random.chance(0.5) ? lanecull::ClipSpace::ogre() : lanecull::ClipSpace();
    if (random.chance(0.5)) read(random, space.origin);
    const std::uint32_t width = random.below(8) == 0 ? static_cast<std::uint32_t>(random.bits()) : 512;
    lanecull::ShadowMap map;
    check_numbers(trial, made(trial, map, [&](auto& m) { return engine_map(matrix, space, width, 300, m); }), map,
                  "engine's");
}

void try_splits(Trial& trial) {
    Random& random = trial.random;
    const double near = std::fabs(random.any_double()),
                 far = random.chance(0.5) ? near + std::fabs(random.any_double()) : random.any_double();
    const double share = random.below(8) == 0 ? random.any_double() : 0.125 * random.below(9);
    std::array<double, 9> depths{};
    const std::span<double> asked = std::span(depths).first(static_cast<std::size_t>(1 + random.below(9)));
    if (!made(trial, depths, [&](auto&) { return lanecull::split_depths(near, far, share, asked); })) return;
    if (asked.front() != near || asked.back() != far || !std::ranges::is_sorted(asked)) {
        trial.fail(Tally::untold, "splits do not grow from near to far", [&] { return written(depths); });
    }
}

void try_maps(Trial& trial) {
    constexpr void (*attempts[])(Trial&) = {try_directional_map, try_point_light_maps, try_engine_map, try_splits};
    attempts[trial.random.below(4)](trial);
}

// Views of many lights.

/// A camera and its lights. A few are read; the others are these again, for more than one task.
struct ManyLights {
    ViewArguments camera;
    std::vector<Plane> other_planes;
    std::vector<Light> lights;
    std::vector<ViewOptions> options;

    explicit ManyLights(Random& random) : camera(random, ViewArguments::Form::matrix) {
        camera.clip_planes = random.below(4) == 0 ? read_planes(random, 3) : std::vector<Plane>();
        other_planes = camera.clip_planes;
        lights.resize(static_cast<std::size_t>(1 + random.below(4)));
        std::vector<double> margins;
        for (Light& light : lights) {
            light = read_light(random);
            margins.push_back(random.below(4) == 0 ? random.any_size() : 0);
        }
        const auto count = static_cast<std::size_t>(random.below(21));
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t k = i % lights.size();
            options.push_back(lights[k].options(camera.clip_planes, margins[k]));
        }
        if (!options.empty() && random.below(16) == 1) options.back().clip_planes = other_planes;
    }
    ManyLights(const ManyLights&) = delete;

    /// Whether each is by one light and has the first one's planes.
    [[nodiscard]] bool keep_the_rules() const {
        return std::ranges::all_of(options, [&](const ViewOptions& o) {
            const bool same = o.clip_planes.data() == options[0].clip_planes.data() || o.clip_planes.empty();
            return same && (o.directional_light != nullptr) != (o.point_light != nullptr);
        });
    }
    [[nodiscard]] std::string describe() const {
        std::string text = camera.describe();
        for (const ViewOptions& o : options) text += "\nmargin" + written(std::array{o.margin});
        for (const Light& light : lights) text += "\n" + light.describe();
        return text;
    }
};

/// Runs tasks from the last to the first.
constexpr lanecull::Runner backwards = {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                                            for (std::uint32_t i = count; i > 0; --i) (*task)(i - 1);
                                        }};

void try_many_lights(Trial& trial) {
    const ManyLights of(trial.random);
    std::vector<View> views(of.options.size()), alone(of.options.size());
    const lanecull::Runner runner = trial.random.chance(0.5) ? backwards : lanecull::Runner{};
    const lanecull::Status status =
        lanecull::prepare_caster_views(of.camera.matrix, of.camera.clip_space, of.options, views, runner);
    bool all = of.keep_the_rules();
    for (std::size_t i = 0; i < alone.size(); ++i) {
        all = lanecull::prepare_view(of.camera.matrix, of.camera.clip_space, alone[i], of.options[i]).ok() && all;
    }
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += all && alone.size() > 1;
    const auto fail = [&](const char* what) {
        trial.fail(Tally::untold, what, [&] { return status.message().text + ("\n" + of.describe()); });
    };
    if (status.ok() != all) return fail("many views are prepared where one of them is refused, or the other way");
    if (!all && status.message()[0] == 0) fail("a failure says nothing");
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (views[i].prepared() != all) fail("some views are written, and others are not");
        if (all && std::memcmp(&contents_of(views[i]), &contents_of(alone[i]), sizeof contents_of(alone[i])) != 0) {
            fail("a view among many is not the one alone");
        }
    }
}

}  // namespace

void maps(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n < 4 * trial.plan.objects && !trial.stopped(); ++n) MapTrial(trial).run();
}

void maps_of_any_numbers(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n < trial.plan.objects && !trial.stopped(); ++n) try_maps(trial);
}

void many_lights(Trial& trial) { run_cases<try_many_lights>(trial); }

void slices(Trial& trial) {
    trial.at(Tally::trials) = 1;
    SlicesTrial(trial).run();
}

}  // namespace properties
