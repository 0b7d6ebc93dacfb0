/// Slices, receivers, lights, shadow maps and splits of any numbers. What fails says why and writes nothing. Where a
/// view of casters sees nothing, nothing receives shadows. Nothing that stands between the light and a point that it
/// lights in the view is culled, by exact arithmetic; what a map is said to cover lies within its sides. Views of many
/// lights are those of one each.

#include <lanecull/shadow.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "fuzz/caster_views.hpp"
#include "fuzz/check.hpp"
#include "fuzz/view_arguments.hpp"
#include "support/culling.hpp"
#include "support/usual.hpp"
#include "support/written.hpp"

namespace {

using lanecull::Plane;
using lanecull::View;
using lanecull::WorldBox;

/// Calls make(output). A failure leaves the output as it was.
template <class Output, class Make>
bool made(Output& output, const Make& make) {
    std::array<std::byte, sizeof(Output)> before;  // padding included
    std::memcpy(before.data(), &output, sizeof output);
    const lanecull::Status status = make(output);
    if (status.ok()) return true;
    check(std::memcmp(before.data(), &output, sizeof output) == 0, "a failure leaves the output untouched");
    check(status.message()[0] != 0, "a failure says what is wrong");
    return false;
}

bool all_moderate(const auto& numbers) { return std::ranges::all_of(numbers, moderate); }
bool all_moderate(const std::vector<Plane>& planes) {
    return std::ranges::all_of(planes, [](const Plane& p) { return all_moderate(p.normal) && moderate(p.offset); });
}

void add(exact::HalfSpaces& to, const Plane& p) {
    to.push_back(exact::half_space(p.normal[0], p.normal[1], p.normal[2], p.offset));
}

/// Sides of any numbers, without thickness, without end, and none.
WorldBox read_box(Input& input) {
    WorldBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        double& low = box.lower[k];
        double& high = box.upper[k];
        low = input.real();
        const std::uint32_t how = input.up_to(15);
        high = how < 4 ? low : how < 5 ? input.real() : low + std::fabs(input.real());
        if (how == 5) high = HUGE_VAL;
        if (how == 6) low = -HUGE_VAL;
        if (how == 7) (input.flag() ? low : high) = std::nan("");
    }
    return box;
}

struct Arguments {
    std::array<double, 16> matrix;
    lanecull::Slice slice{matrix, {}, 0, 0};
    WorldBox box;
    std::vector<Plane> clip_planes, lamp_sides;
    double margin = 0;
    std::optional<lanecull::Sun> sun;
    std::optional<lanecull::Lamp> lamp;

    explicit Arguments(Input& input) : matrix(read_matrix(input)) {
        if (input.up_to(7) != 0) slice.clip_space.layout = lanecull::MatrixLayout::row_major;
        if (input.flag()) slice.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
        for (std::size_t k = 0; input.up_to(7) == 0 && k < 3; ++k) slice.clip_space.origin[k] = input.real();
        slice.near_depth = input.up_to(15) == 0 ? input.real() : std::fabs(input.real());
        slice.far_depth = input.up_to(15) == 0 ? input.real() : slice.near_depth + std::fabs(input.real());
        box = read_box(input);
        if (input.up_to(7) == 0) clip_planes = read_planes(input, 3);
        if (input.up_to(3) == 0) margin = input.size();
        const bool both = input.up_to(31) == 0;
        if (input.flag() || both) {
            sun = lanecull::Sun{{input.real(), input.real(), input.real()}};
            if (input.flag()) sun->reach = input.size();
        }
        if (!sun || both) {
            lamp = lanecull::Lamp{{input.real(), input.real(), input.real()}};
            if (input.flag()) lamp->range = input.size();
            if (input.up_to(3) == 0) lamp_sides = read_planes(input, 9);
        }
        if (input.up_to(3) == 0) slice.near_depth = 1, slice.far_depth = 9;  // where the usual matrix ends
    }

    [[nodiscard]] lanecull::Status prepare(View& view) const {
        lanecull::Lamp spot = lamp.value_or(lanecull::Lamp{});
        spot.sides = lamp_sides;
        lanecull::ViewOptions options;
        options.clip_planes = clip_planes;
        options.margin = margin;
        options.sun = sun ? &*sun : nullptr;
        options.lamp = lamp ? &spot : nullptr;
        return lanecull::prepare_cascade_casters(slice, box, options, view);
    }

    /// Whether exact arithmetic is fast for all of the numbers.
    [[nodiscard]] bool moderate() const {
        const auto side = [](double number) { return ::moderate(number) || !std::isfinite(number); };
        return all_moderate(matrix) && all_moderate(slice.clip_space.origin) && ::moderate(slice.near_depth) &&
               ::moderate(slice.far_depth) && std::ranges::all_of(box.lower, side) &&
               std::ranges::all_of(box.upper, side) && all_moderate(clip_planes) && all_moderate(lamp_sides) &&
               (!sun || (all_moderate(sun->toward) && (std::isinf(sun->reach) || ::moderate(sun->reach)))) &&
               (!lamp || (all_moderate(lamp->at) && (std::isinf(lamp->range) || ::moderate(lamp->range))));
    }

    /// Of what is in the slice and the box, and lit but for a range. A margin leaves out nothing of it.
    [[nodiscard]] exact::HalfSpaces lit() const {
        exact::HalfSpaces result = exact::half_spaces(matrix, slice.clip_space);
        Plane ends[2];
        check(lanecull::slice_planes(slice, ends).ok(), "a slice of which there is a view has planes");
        for (const std::span<const Plane> planes :
             {std::span<const Plane>(ends), std::span<const Plane>(clip_planes), std::span<const Plane>(lamp_sides)}) {
            for (const Plane& plane : planes) add(result, plane);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            double n[3] = {0, 0, 0};
            n[k] = 1;
            if (std::isfinite(box.lower[k])) add(result, {{n[0], n[1], n[2]}, -box.lower[k]});
            if (std::isfinite(box.upper[k])) add(result, {{-n[0], -n[1], -n[2]}, box.upper[k]});
        }
        return result;
    }

    [[nodiscard]] std::string describe() const {
        std::string text;
        const auto append = [&](const char* name, const auto& numbers) {
            text += std::string("\n") + name + written(numbers);
        };
        append("matrix", matrix);
        append("origin", slice.clip_space.origin);
        append("layout, depth range, near, far, margin",
               std::array{double(slice.clip_space.layout), double(slice.clip_space.depth), slice.near_depth,
                          slice.far_depth, margin});
        append("lower", box.lower), append("upper", box.upper);
        for (const Plane& p : clip_planes) append("clip", std::array{p.normal[0], p.normal[1], p.normal[2], p.offset});
        for (const Plane& p : lamp_sides) append("side", std::array{p.normal[0], p.normal[1], p.normal[2], p.offset});
        if (sun) append("sun", std::array{sun->toward[0], sun->toward[1], sun->toward[2], sun->reach});
        if (lamp) append("lamp", std::array{lamp->at[0], lamp->at[1], lamp->at[2], lamp->range});
        return text;
    }
};

/// Of the slice's corners, moved into the box.
Double3 read_receiver(Input& input, const Arguments& of, std::span<const double, 24> corners) {
    Double3 point{};
    const std::size_t a = 3 * input.up_to(7), b = 3 * input.up_to(7);
    const double share = 0.125 * input.up_to(8);
    for (std::size_t k = 0; k < 3; ++k) {
        point[k] = input.up_to(7) == 0 ? input.real() : corners[a + k] + share * (corners[b + k] - corners[a + k]);
        if (point[k] < of.box.lower[k]) point[k] = of.box.lower[k];
        if (point[k] > of.box.upper[k]) point[k] = of.box.upper[k];
    }
    return point;
}

/// A ball between a receiver and the light, and whether it is seen for certain.
class Caster {
public:
    Caster(Input& input, const Arguments& of, const Double3& receiver) : receiver_(receiver) {
        if (of.sun) reach_ = std::min(reach_of(*of.sun), std::fabs(input.real()));
        const double share = 0.125 * input.up_to(8);
        for (std::size_t k = 0; k < 3; ++k) {
            const double way = of.sun ? reach_ * of.sun->toward[k] : of.lamp->at[k] - receiver[k];
            center_[k] = static_cast<float>(receiver[k] + share * way);
        }
        radius_ = input.flag() ? 0 : input.size();
    }

    [[nodiscard]] bool certainly_seen(const exact::HalfSpaces& lit, const Arguments& of) const {
        if (!all_moderate(receiver_) || !all_moderate(center_) || !moderate(reach_) || !moderate(radius_) ||
            radius_ < 0) {
            return false;
        }
        const exact::Point receiver = exact::point(receiver_[0], receiver_[1], receiver_[2]);
        if (!std::ranges::all_of(lit, [&](const auto& h) { return exact::dot(h.normal, receiver) + h.offset >= 0; })) {
            return false;
        }
        const double* toward = of.sun ? of.sun->toward : of.lamp->at;
        exact::Point end = exact::point(toward[0], toward[1], toward[2]);
        if (of.sun) end = receiver + exact::rational(reach_) * end;
        if (of.lamp && std::isfinite(range_of(*of.lamp))) {
            const exact::Point way = end - receiver;
            const exact::Rational range = exact::rational(of.lamp->range);
            if (exact::dot(way, way) > range * range) return false;
        }
        const exact::Point ends[] = {receiver, end};
        return decide(exact::sphere(center_, radius_), exact::Volume::hull(ends)).verdict == exact::Verdict::visible;
    }

    [[nodiscard]] bool is_seen(const View& view) const {
        const lanecull::Batch ball = lanecull::Spheres{&center_[0], &center_[1], &center_[2], &radius_, 1};
        for (const lanecull::Isa isa : runnable_isas()) {
            for (const lanecull::Method method : all_methods) {
                if (!run_cull(ball, view, {.method = method, .isa = isa}).visible(0)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] std::string describe() const {
        char text[300];
        std::snprintf(text, sizeof text, "\nreceiver %a %a %a caster %a %a %a radius %a", receiver_[0], receiver_[1],
                      receiver_[2], double(center_[0]), double(center_[1]), double(center_[2]), double(radius_));
        return text;
    }

private:
    Double3 receiver_;
    double reach_ = 0;  ///< times the direction to the sun
    float center_[3] = {}, radius_ = 0;
};

void check_casters(Input& input) {
    const Arguments arguments(input);
    View view;
    double corners[24];
    std::fill_n(corners, 24, 0);
    if (!made(view, [&](View& v) { return arguments.prepare(v); })) return;
    check(view.prepared(), "what succeeds is prepared", arguments.describe());
    if (!arguments.moderate() || !lanecull::slice_corners(arguments.slice, corners)) return;
    const exact::HalfSpaces lit = arguments.lit();
    const bool has_range = arguments.lamp && std::isfinite(range_of(*arguments.lamp));
    check(!view.sees_nothing() || has_range || exact::Volume(lit).empty(), "a view that sees nothing has no receivers",
          arguments.describe());
    for (std::uint32_t n = 1 + input.up_to(5); n > 0; --n) {
        const Caster caster(input, arguments, read_receiver(input, arguments, corners));
        if (caster.is_seen(view)) continue;
        check(!caster.certainly_seen(lit, arguments), "what casts a shadow into the view is visible",
              arguments.describe() + caster.describe());
    }
}

lanecull::SunMapOptions read_map_options(Input& input) {
    lanecull::SunMapOptions options;
    for (double& component : options.toward) component = input.real();
    if (input.flag()) {
        for (double& component : options.up) component = input.real();
    }
    options.texels = input.up_to(7) == 0 ? input.bits() : 16u << input.up_to(8);
    options.is_tight = input.flag();
    return options;
}

bool has_finite_numbers(const lanecull::ShadowMap& map) {
    const auto finite = [](double number) { return std::isfinite(number); };
    return std::ranges::all_of(map.clip_from_world, finite) && finite(map.texel_size) && map.texel_size > 0 &&
           std::ranges::all_of(
               map.sides, [&](const Plane& p) { return std::ranges::all_of(p.normal, finite) && finite(p.offset); });
}

/// The ball lies within the side, or is a little less than the border away from it.
bool is_within(const float (&center)[3], float radius, const Plane& side) {
    const exact::HalfSpace h = exact::half_space(side.normal[0], side.normal[1], side.normal[2], side.offset);
    const exact::Point at = exact::point(double(center[0]), double(center[1]), double(center[2]));
    const exact::Rational height = exact::dot(h.normal, at) + h.offset, r = exact::rational(double(radius));
    return height >= 0 && height * height >= r * r * exact::dot(h.normal, h.normal);
}

void check_map(Input& input) {
    const Arguments arguments(input);
    lanecull::ShadowMap map;
    const lanecull::SunMapOptions options = read_map_options(input);
    const bool fits =
        made(map, [&](auto& m) { return lanecull::fit_sun_map(arguments.slice, arguments.box, options, m); });
    check(!fits || has_finite_numbers(map), "a map has numbers", arguments.describe());
    if (input.up_to(7) == 0) {
        const std::vector<Plane> planes = read_planes(input, 4);
        std::ranges::copy(planes, map.sides);
        map.texel_size = input.real();
    }
    View view;
    const double border = input.size();
    if (!made(view, [&](View& v) { return lanecull::prepare_covered(map, border, v); })) return;
    for (std::uint32_t n = 1 + input.up_to(5); n > 0; --n) {
        const float center[3] = {input.single(), input.single(), input.single()}, radius = input.size();
        const lanecull::Batch ball = lanecull::Spheres{&center[0], &center[1], &center[2], &radius, 1};
        std::uint64_t bits = 0, inside = 0;
        lanecull::Output output{.visible = {&bits, 1}, .inside = {&inside, 1}};
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&ball, 1}, 1));
        check(lanecull::cull({&ball, 1}, {&view, 1}, {&output, 1}, scratch).ok(), "a ball is culled");
        check(inside == 0 || bits == 1, "what is inside is visible");
        for (const Plane& side : map.sides) {
            check(inside == 0 || is_within(center, radius, side), "what is covered is within the map's sides");
        }
    }
}

void check_splits(Input& input) {
    const double near = std::fabs(input.real()), far = input.flag() ? near + std::fabs(input.real()) : input.real();
    const double share = input.up_to(7) == 0 ? input.real() : 0.125 * input.up_to(8);
    std::array<double, 9> depths{};
    const std::size_t count = input.up_to(8) + 1;
    const auto split = [&](std::array<double, 9>& to) {
        return lanecull::split_depths(near, far, share, std::span(to).first(count));
    };
    if (!made(depths, split)) return;
    check(depths[0] == near && depths[count - 1] == far, "splits begin and end where they should");
    for (std::size_t i = 1; i < count; ++i) check(depths[i - 1] <= depths[i], "splits are in order");
}

void check_lamp_map(Input& input) {
    const double at[3] = {input.real(), input.real(), input.real()};
    const double forward[3] = {input.real(), input.real(), input.real()};
    const double up[3] = {input.real(), input.real(), input.real()};
    const double near = std::fabs(input.real()), far = near + std::fabs(input.real());
    const std::uint32_t texels = input.up_to(7) == 0 ? input.bits() : 512, face = input.up_to(6);
    const double tan_x = input.real(), tan_y = input.real();
    lanecull::ShadowMap map;
    const bool spot =
        made(map, [&](auto& m) { return lanecull::spot_map(at, forward, up, tan_x, tan_y, near, far, texels, m); });
    check(!spot || has_finite_numbers(map), "a spot's map has numbers");
    const bool cube = made(map, [&](auto& m) { return lanecull::cube_map_face(at, face, near, far, texels, m); });
    check(!cube || has_finite_numbers(map), "a face's map has numbers");
}

void check_engine_map(Input& input) {
    double matrix[16];
    for (double& element : matrix) element = input.up_to(2) == 0 ? 0 : input.real();
    lanecull::ClipSpace space = input.flag() ? lanecull::ClipSpace::ogre() : lanecull::ClipSpace();
    for (double& coordinate : space.origin) coordinate = input.flag() ? 0 : input.real();
    const std::uint32_t width = input.up_to(7) == 0 ? input.bits() : 512;
    lanecull::ShadowMap map;
    const bool read = made(map, [&](auto& m) { return lanecull::engine_map(matrix, space, width, 300, m); });
    check(!read || has_finite_numbers(map), "an engine's map has numbers");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    constexpr void (*checks[])(Input&) = {check_casters, check_casters,  check_caster_views, check_map,
                                          check_splits,  check_lamp_map, check_engine_map};
    checks[input.up_to(std::size(checks) - 1)](input);
    return 0;
}
