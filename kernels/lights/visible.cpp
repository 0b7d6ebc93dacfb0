/// Culls lights in a view of what is seen of the receivers' box: as balls, spotlights by the balls around them; then
/// the spotlights that are left as cones.

#include "lights/visible.hpp"

#include <lanecull/cull.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/interval.hpp"
#include "calls/occluders.hpp"
#include "calls/ranges.hpp"
#include "lights/check.hpp"
#include "lights/work.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

constexpr std::size_t most_clip_planes = 10;

/// Balls around all lights, in scratch memory.
struct LightBalls {
    float *x, *y, *z, *radius;

    LightBalls(ScratchMemory& memory, std::size_t lights) {
        const std::size_t pairs = (lights + 1) / 2;
        for (float** stream : {&x, &y, &z, &radius})
            *stream = new (memory.take<std::uint64_t>(pairs).data()) float[2 * pairs];
    }
    [[nodiscard]] static std::size_t bytes(std::size_t lights) {
        return 4 * ((lights + 1) / 2) * sizeof(std::uint64_t);
    }
};

/// Writes the ball around a spotlight, whose centre is on the axis: through apex and rim where the half-angle is below
/// 45 degrees, else around the rim. Its radius is a NaN, so that the ball stays visible, if the spotlight is invalid.
void enclose_spot(const Spots& spots, std::uint32_t i, const LightBalls& balls, std::size_t to) {
    const auto wide = [i](const float* stream) { return static_cast<double>(stream[i]); };
    const double apex[3] = {wide(spots.x), wide(spots.y), wide(spots.z)};
    const double axis[3] = {wide(spots.axis_x), wide(spots.axis_y), wide(spots.axis_z)};
    const double range = wide(spots.range), tangent = wide(spots.tangent);
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double secant = std::sqrt(1 + tangent * tangent);
    const bool is_narrow = tangent <= 1, is_flat = spots.end == SpotEnd::flat;
    double along = is_flat ? range : range / secant, radius = along * tangent;
    if (is_narrow) radius = along *= 0.5 * secant * secant;
    // 2^-46 of the magnitude is more than the roundings of all this.
    const double magnitude = std::fabs(apex[0]) + std::fabs(apex[1]) + std::fabs(apex[2]) + range * (1 + tangent);
    const bool is_valid = range >= 0 && tangent >= 0 && tangent <= 1e9 && length >= 1e-15 && length <= 1e15 &&
                          magnitude <= coordinate_limit;
    double moved_2 = 0;
    float center[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double at = apex[k] + axis[k] * (along / length);
        center[k] = static_cast<float>(at);
        moved_2 += (static_cast<double>(center[k]) - at) * (static_cast<double>(center[k]) - at);
    }
    balls.x[to] = center[0], balls.y[to] = center[1], balls.z[to] = center[2];
    balls.radius[to] = is_valid ? float_up(radius + std::sqrt(moved_2) + 0x1p-46 * magnitude)
                                : std::numeric_limits<float>::quiet_NaN();
}

Spheres enclose_lights(const Lights& lights, const LightBalls& balls) {
    const Spheres& from = lights.balls;
    std::copy_n(from.x, from.count, balls.x), std::copy_n(from.y, from.count, balls.y);
    std::copy_n(from.z, from.count, balls.z), std::copy_n(from.radius, from.count, balls.radius);
    for (std::uint32_t i = 0; i < lights.spots.count; ++i)
        enclose_spot(lights.spots, i, balls, std::size_t{from.count} + i);
    return {balls.x, balls.y, balls.z, balls.radius, static_cast<std::uint32_t>(count_of(lights))};
}

/// Prepares a view of what is seen of the box, or of more than that.
Status prepare_seen(const SeenByCamera& seen, View& view) {
    ViewOptions options = seen.options;
    Plane planes[most_clip_planes];
    std::size_t count = options.clip_planes.size();
    std::copy(options.clip_planes.begin(), options.clip_planes.end(), planes);
    for (std::size_t k = 0; k < 6; ++k) {
        const double end = k < 3 ? seen.box.lower[k] : seen.box.upper[k - 3], side = k < 3 ? 1 : -1;
        if (!is_coordinate(end) || count == most_clip_planes) continue;
        planes[count] = {{0, 0, 0}, -side * end};
        planes[count++].normal[k % 3] = side;
    }
    options.clip_planes = {planes, count};
    return prepare_view(Numbers<const double, 16>(seen.clip_from_world), seen.clip_space, view, options);
}

/// Clears the bits of spotlights whose cones the view does not see, as tasks of whole words.
class SeeingSpots {
public:
    SeeingSpots(const Lights& lights, const PreparedView& view, const LightTable& kernels,
                std::span<std::uint64_t> visible)
        : lights_(lights), view_(view), kernels_(kernels), visible_(visible) {}

    void run(const Runner& runner) {
        if (lights_.spots.count == 0) return;
        const auto one = [](void* self, std::uint32_t i) {
            const FloatModes modes;
            static_cast<SeeingSpots*>(self)->see(i);
        };
        const auto end = static_cast<std::uint32_t>((count_of(lights_) + light_chunk - 1) / light_chunk);
        runner(end - first_chunk(), {one, this, "spotlights"});
    }

private:
    [[nodiscard]] std::uint32_t first_chunk() const { return lights_.balls.count / light_chunk; }

    void see(std::uint32_t i) {
        const std::uint64_t balls = lights_.balls.count, begin = std::uint64_t{first_chunk() + i} * light_chunk;
        const std::uint64_t first = std::max(balls, begin), end = std::min(count_of(lights_), begin + light_chunk);
        kernels_.see({&view_, &lights_.spots, static_cast<std::uint32_t>(first - balls),
                      static_cast<std::uint32_t>(end - first), visible_.data(), static_cast<std::uint32_t>(first)});
    }

    const Lights& lights_;
    const PreparedView& view_;
    const LightTable& kernels_;
    std::span<std::uint64_t> visible_;
};

bool is_empty(const WorldBox& box) {
    return box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
}

Status check_receivers(const LightReceivers& receivers) {
    Status status = check_cleared(receivers, "receivers");
    if (status) status = check_span(receivers.occluders, "receivers.occluders");
    if (!status) return status;
    if (status = check_occluders(receivers.occluders); !status) return within(status, "receivers.");
    for (std::size_t k = 0; k < receivers.occluders.size(); ++k) {
        if (receivers.occluders[k].owners.empty()) continue;
        return failure("receivers.occluders[%zu].owners: must be empty", k);
    }
    return {};
}

}  // namespace

std::size_t cull_lights_bytes(std::size_t lights) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(lights, ~std::uint32_t{0}));
    const Batch balls = Spheres{nullptr, nullptr, nullptr, nullptr, count};
    return ScratchMemory::slack + LightBalls::bytes(count) + light_words(count) * sizeof(std::uint64_t) +
           scratch_bytes({&balls, 1}, 1);
}

Status cull_lights(const Lights& lights, const SeenByCamera& seen, const LightOptions& options,
                   std::span<std::uint64_t> visible, Scratch scratch) {
    const FloatModes modes;
    const auto count = static_cast<std::size_t>(count_of(lights));
    const LightTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    View view;
    if (Status status = prepare_seen(seen, view); !status) return within(status, "grid.");
    if (is_empty(seen.box)) std::fill(visible.begin(), visible.end(), std::uint64_t{0});
    if (is_empty(seen.box) || count == 0) return {};
    ScratchMemory memory(std::span<std::byte>(scratch.data(), scratch.size()));
    Batch batch = enclose_lights(lights, LightBalls(memory, count));
    batch.attributes.layers = lights.layers;
    Output output{.visible = visible, .occluders = seen.occluders};
    if (!lights.visible.empty()) {
        const std::span<std::uint64_t> given = memory.take<std::uint64_t>(light_words(count));
        std::copy(lights.visible.begin(), lights.visible.end(), given.begin());
        output.candidates = given;
    }
    auto* const rest = reinterpret_cast<std::byte*>(memory.take<std::uint64_t>(0).data());
    const Status status = cull({&batch, 1}, {&view, 1}, {&output, 1},
                               {rest, static_cast<std::size_t>(scratch.data() + scratch.size() - rest)},
                               {.isa = options.isa, .runner = options.runner});
    if (status) SeeingSpots(lights, contents_of(view), *kernels, visible).run(options.runner);
    return status;
}

}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_cull_lights(const lanecull_light_grid* grid, const lanecull_lights* lights,
                                     const lanecull_light_receivers* receivers, const lanecull_light_options* options,
                                     uint64_t* visible, size_t visible_words, void* scratch,
                                     size_t scratch_bytes) noexcept {
    const LightOptions& how = or_usual(options);
    const LightReceivers& seen = or_usual(receivers);
    const Span<std::uint64_t> words(visible, visible_words);
    const Scratch memory(scratch, scratch_bytes);
    Status status = check_not_null(grid, "grid");
    if (status) status = check_not_null(lights, "lights");
    if (status) status = check_span(words, "visible");
    if (status) status = check_span(Span(memory.data(), memory.size()), "scratch");
    if (status) status = check_options(how);
    if (status) status = check_not_null(grid->clip_from_world, "grid.clip_from_world");
    if (status) status = check_cleared(*grid, "grid");
    if (status) status = check_lights(*lights);
    if (status) status = check_receivers(seen);
    if (!status) return status;
    const std::uint64_t count = count_of(*lights);
    if (count >> 32 != 0) return failure("lights: there are 2^32 or more");
    if (words.size() != light_words(count)) {
        return failure("visible: must have %zu words, not %zu", light_words(count), words.size());
    }
    const std::size_t needed = cull_lights_bytes(static_cast<std::size_t>(count));
    if (memory.size() < needed) {
        return failure("scratch: %zu bytes are too few, %zu are needed; light_scratch_bytes() is enough", memory.size(),
                       needed);
    }
    SeenByCamera by{.clip_from_world = grid->clip_from_world,
                    .clip_space = grid->clip_space,
                    .options = {.hidden_layers = grid->hidden_layers},
                    .box = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}},
                    .occluders = seen.occluders};
    if (seen.bounds != nullptr) by.box = *seen.bounds;
    return cull_lights(*lights, by, how, words, memory);
}
