#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/view.h>

#include "bounds/world_cases.hpp"
#include "properties/family.hpp"
#include "properties/verdicts.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/written.hpp"

/// World bounds: each contains the transformed local box, in exact arithmetic where doubles cannot tell. The same boxes
/// as instances: what is culled is behind the plane.
namespace properties {
namespace {

using world_tests::Judgement;
using world_tests::OrientedBounds;
using world_tests::OrientedJudgement;
using world_tests::World;
using world_tests::WorldBounds;
using world_tests::WorldCase;

constexpr std::size_t most_objects = 3000;

/// In units of u times the sizes of all terms (bounds.h): a box that is larger has more than the bound.
struct Most {
    double padding = 13, sphere_padding = 0.7321;  // sqrt(3) - 1, where a matrix shears
    double oriented_padding[2] = {44, 80};         // by quaternions, by axes
    double beyond_edge = HUGE_VAL;
};
constexpr Most most_of(world_tests::Family family) {
    Most most;
    if (family == world_tests::Family::ordinary) most.sphere_padding = 1e-5, most.beyond_edge = 60;
    if (family == world_tests::Family::relative) most.padding = 20;
    return most;
}

/// Judges what a set found for a world.
class WorldJudge {
public:
    WorldJudge(Trial& trial, const World& world, lanecull::Isa isa, const Most& most)
        : trial_(trial), world_(world), isa_(isa), most_(most) {}

    void judge(const WorldBounds& bounds, std::size_t i) const {
        const Judgement box = judge_box(world_, bounds, i), sphere = judge_sphere(world_, bounds, i);
        for (const Judgement& found : {box, sphere}) count(found.is_finite, found.needed_rationals);
        if (!box.contains) refute(i, Tally::unproved, "the box does not contain the object");
        if (!sphere.contains) refute(i, Tally::unproved, "the sphere does not contain the object");
        if (box.padding > most_.padding) refute(i, Tally::untold, "the box is too large");
        if (sphere.padding > most_.sphere_padding) refute(i, Tally::untold, "the sphere is too large");
        if (box.own_padding > world_tests::most_own_padding) {
            refute(i, Tally::untold, "the box is too large for its place");
        }
    }

    void judge(const OrientedBounds& bounds, std::size_t i) const {
        const char* by = bounds.by_axes ? ", by axes" : "";
        const OrientedJudgement box = judge_oriented(world_, bounds, i);
        count(box.is_finite, box.needed_rationals);
        if (!box.contains) refute(i, Tally::unproved, "the oriented box does not contain the object", by);
        if (!box.in_ball) {
            refute(i, Tally::unproved, "the sphere does not contain the oriented box, or is too large", by);
        }
        if (!box.is_turned) refute(i, Tally::untold, "the axes are not orthonormal", by);
        const bool is_large = box.padding > most_.oriented_padding[bounds.by_axes ? 1 : 0] && !world_.has_positions;
        if (is_large || box.beyond_edge > most_.beyond_edge) {
            refute(i, Tally::untold, "the oriented box is too large", by);
        }
    }

private:
    void count(bool is_finite, bool needed_rationals) const {
        ++trial_.at(Tally::cases);
        trial_.at(Tally::reached) += std::uint64_t{is_finite};
        trial_.at(Tally::verdicts) += std::uint64_t{is_finite};
        trial_.at(Tally::exact_checks) += std::uint64_t{needed_rationals};
    }
    void refute(std::size_t i, Tally::Count count, const char* what, const char* by = "") const {
        trial_.fail(count, std::string(what) + by + ", by " + lanecull::isa_name(isa_),
                    [&] { return world_.describe(i); });
    }

    Trial& trial_;
    const World& world_;
    const lanecull::Isa isa_;
    const Most most_;
};

// Boxes of any numbers under transforms of any numbers.

WorldCase any_case(Random& random) {
    WorldCase made{};
    for (float& a : made.linear) a = random.any_float();
    for (float& t : made.translation) t = random.any_float();
    for (std::size_t k = 0; k < 3; ++k) {
        made.lower[k] = random.any_float();
        made.upper[k] = random.below(16) == 0 ? random.any_float() : made.lower[k] + random.any_size();
        made.position[k] = random.any_double();
    }
    return made;
}

World any_world(Random& random) {
    const auto layout = static_cast<lanecull::TransformLayout>(1 + random.below(4));
    const std::array<double, 3> origin = {random.any_double(), random.any_double(), random.any_double()};
    const bool relative = random.chance(0.5) && std::isfinite(origin[0] + origin[1] + origin[2]);
    std::vector<WorldCase> cases(static_cast<std::size_t>(1 + random.below(21)));
    for (WorldCase& made : cases) made = any_case(random);
    World world(std::move(cases), layout, relative ? &origin : nullptr);
    world.boxes_are_records = random.chance(0.5);
    return world;
}

bool is_valid(const World& world, const WorldCase& of) {
    const auto finite = [](const auto& numbers) {
        return std::all_of(numbers.begin(), numbers.end(), [](auto x) { return std::isfinite(x); });
    };
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(of.lower[k] <= of.upper[k])) return false;
    }
    return finite(of.linear) && finite(of.translation) && finite(of.lower) && finite(of.upper) &&
           (!world.has_positions || finite(of.position));
}

/// Bounds of what is no object are infinite or NaN.
void judge_any_world(Trial& trial, const World& world, lanecull::Isa isa) {
    const WorldBounds bounds = bounds_of(world, isa);
    const OrientedBounds turned[] = {oriented_bounds_of(world, false, isa), oriented_bounds_of(world, true, isa)};
    const WorldJudge judge(trial, world, isa, most_of(world_tests::Family::sheared));
    for (std::size_t i = 0; i < world.cases.size(); ++i) {
        if (is_valid(world, world.cases[i])) {
            judge.judge(bounds, i);
            for (const OrientedBounds& oriented : turned) judge.judge(oriented, i);
            continue;
        }
        trial.at(Tally::cases) += 4;
        const bool is_box = std::all_of(bounds.boxes.begin(), bounds.boxes.end(),
                                        [&](const auto& stream) { return std::isfinite(stream[i]); });
        const bool is_ball = std::isfinite(bounds.spheres[3][i]);
        const bool is_turned = std::any_of(std::begin(turned), std::end(turned), [&](const OrientedBounds& oriented) {
            return std::isfinite(oriented.radius[i]) || judge_oriented(world, oriented, i).is_finite;
        });
        if (!is_box && !is_ball && !is_turned) continue;
        trial.fail(Tally::invalid_told, "what is no object has bounds", [&] { return world.describe(i); });
    }
}

void judge_any(Trial& trial) {
    const World world = any_world(trial.random);
    for (const lanecull::Isa isa : trial.plan.isas) judge_any_world(trial, world, isa);
}

constexpr Rate any_rates[] = {{Tally::reached, Tally::cases, 0.3, 0.95}};

template <world_tests::Family family>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const World world(trial.random, family,
                      1 + static_cast<std::size_t>(trial.random.below(static_cast<int>(most_objects))));
    for (const lanecull::Isa isa : trial.plan.isas) {
        const WorldBounds bounds = world_tests::bounds_of(world, isa);
        const OrientedBounds turned = oriented_bounds_of(world, trial.random.chance(0.5), isa);
        const WorldJudge judge(trial, world, isa, most_of(family));
        for (const std::vector<float>& stream : bounds.boxes) trial.answers.all.add(stream);
        for (const std::vector<float>& stream : bounds.spheres) trial.answers.all.add(stream);
        for (std::size_t i = 0; i < world.cases.size() && !trial.stopped(); ++i) {
            judge.judge(bounds, i);
            judge.judge(turned, i);
        }
    }
}

/// The same objects as box instances, in the view of one half-space that touches one of them, but for some roundings.
/// Whatever is culled must be behind it.
class HalfSpaceTrial {
public:
    HalfSpaceTrial(Trial& trial, world_tests::Family family)
        : trial_(trial),
          world_(trial.random, family, 1 + static_cast<std::size_t>(trial.random.below(most_instances))),
          batch_(lanecull::BoxInstances{world_.transforms(), world_.local(), world_.count()}),
          words_(lanecull::visibility_words({&batch_, 1})),
          scratch_(lanecull::scratch_bytes({&batch_, 1}, 1)) {}

    void run() {
        for (int round = 0; round < views && !trial_.stopped(); ++round) {
            choose_plane();
            lanecull::View view;
            if (!lanecull::prepare_view_from_planes({&plane_, 1}, view)) continue;
            for (const lanecull::Isa isa : trial_.plan.isas) {
                for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::Method::planes}) {
                    cull(view, {.method = method, .isa = isa});
                }
            }
        }
    }

private:
    static constexpr int most_instances = 200, views = 10;

    void choose_plane() {
        Random& random = trial_.random;
        const auto near = static_cast<std::size_t>(random.below(static_cast<int>(world_.count())));
        const Double3 normal = random.chance(0.3) ? Double3{0, 0, random.sign()} : random_direction(random);
        std::copy(normal.begin(), normal.end(), plane_.normal);
        plane_.offset = 0;
        const world_tests::Height top = height(world_, plane_, near);
        // The error is 2^-50 of the sizes of all terms; the library's is up to 2^-19.
        plane_.offset = -top.value - random.range(-1, 1) * std::ldexp(top.error, random.below(36));
    }

    void cull(const lanecull::View& view, const lanecull::CullOptions& options) {
        lanecull::Output output{.visible = words_};
        const lanecull::Status status = lanecull::cull({&batch_, 1}, {&view, 1}, {&output, 1}, scratch_, options);
        if (!status) throw std::runtime_error(status.message());
        trial_.answers.add_words(words_, options.method);
        for (std::size_t i = 0; i < world_.count(); ++i) {
            if ((words_[i / 64] >> i % 64 & 1) != 0) continue;
            ++trial_.at(Tally::verdicts);
            const world_tests::Height top = height(world_, plane_, i);
            if (top.value + top.error < 0) continue;
            ++trial_.at(Tally::exact_checks);
            if (exactly_behind(world_, plane_, i)) continue;
            trial_.fail(Tally::unproved,
                        std::string("culled, and not behind the plane, by ") + lanecull::isa_name(options.isa), [&] {
                            return world_.describe(i) + " plane" + written(plane_.normal) +
                                   written(std::span(&plane_.offset, 1));
                        });
        }
    }

    Trial& trial_;
    const World world_;
    const lanecull::Batch batch_;
    std::vector<std::uint64_t> words_;
    std::vector<std::byte> scratch_;
    lanecull::Plane plane_;
};

template <world_tests::Family family>
void run_instances(Trial& trial) {
    trial.at(Tally::trials) = 1;
    HalfSpaceTrial(trial, family).run();
}

World any_family(Random& random, std::size_t count) {
    const auto family = static_cast<world_tests::Family>(random.below(static_cast<int>(world_tests::Family::families)));
    return {random, family, count};
}

/// One number is made invalid: NaN or infinite in the box or the transform, an inverted box, an index out of range, a
/// projective row.
void spoil(Random& random, World& world, std::size_t broken) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = HUGE_VALF;
    constexpr float numbers[] = {nan, infinity, -infinity};
    const float number = numbers[random.below(3)];
    const std::size_t floats = world.matrices.size() / world.cases.size();
    const auto k = static_cast<std::size_t>(random.below(3));
    switch (random.below(4)) {
        case 0:
            return world.put(k + (random.chance(0.5) ? 3 : 0), broken, number);
        case 1:
            return world.put(k, broken, std::nextafterf(world.boxes[3 + k][broken], infinity));
        case 2:
            world.index[broken] = random.chance(0.5) ? world.count() : 0xffffffff;
            return;
        default: {
            const auto at = static_cast<std::size_t>(random.below(static_cast<int>(floats)));
            const bool is_row = world.layout == lanecull::TransformLayout::rows_4x4;
            const bool in_last_row = floats == 16 && (is_row ? at >= 12 : at % 4 == 3);
            world.matrices[broken * floats + at] = in_last_row && random.chance(0.5) ? 0.5f : number;
        }
    }
}

/// What is no object stays visible: its bounds are infinite or NaN. Its neighbours keep theirs.
void spoil_one(Trial& trial) {
    const auto count = static_cast<std::size_t>(1 + trial.random.below(70));
    World world(trial.random, world_tests::Family::ordinary, count);
    world.index.resize(count);
    std::iota(world.index.begin(), world.index.end(), 0u);
    const World good = world;
    const auto broken = static_cast<std::size_t>(trial.random.below(static_cast<int>(count)));
    spoil(trial.random, world, broken);
    for (const lanecull::Isa isa : trial.plan.isas) {
        trial.at(Tally::verdicts) += 4 * count;
        const WorldBounds before = bounds_of(good, isa), after = bounds_of(world, isa);
        for (std::size_t i = 0; i < count; ++i) {
            const auto is_finite = [&](const std::vector<float>& stream) { return std::isfinite(stream[i]); };
            const bool finite[] = {std::ranges::all_of(after.boxes, is_finite), std::isfinite(after.spheres[3][i])};
            if (finite[0] != (i != broken) || finite[1] != (i != broken)) {
                trial.fail(Tally::invalid_told, "bounds of what is no object", [&] { return world.describe(i); });
            }
            const auto same = [&](const std::vector<float>& a, const std::vector<float>& b) { return a[i] == b[i]; };
            if (i == broken || (std::ranges::equal(after.boxes, before.boxes, same) &&
                                std::ranges::equal(after.spheres, before.spheres, same))) {
                continue;
            }
            trial.fail(Tally::untold, "a neighbour's bounds differ", [&] { return world.describe(i); });
        }
        for (const bool by_axes : {false, true}) {
            const OrientedBounds old = oriented_bounds_of(good, by_axes, isa);
            OrientedBounds turned = oriented_bounds_of(world, by_axes, isa);
            if (turned.is_finite(broken) || std::isfinite(turned.radius[broken])) {
                trial.fail(Tally::invalid_told, "an oriented box of what is no object",
                           [&] { return world.describe(broken); });
            }
            turned.take(old, broken);
            if (turned == old) continue;
            trial.fail(Tally::untold, "a neighbour's oriented box differs", [&] { return world.describe(broken); });
        }
    }
}

bool same_bits(const float* a, const float* b, std::size_t floats) {
    return std::memcmp(a, b, floats * sizeof(float)) == 0;
}
bool same_floats(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

/// Streams as an oriented box's struct holds them: a rotation, a float between, and half-extents; more floats may
/// follow.
struct OrientedStructs {
    std::size_t count, width, stride;
    float *center[3], *first, *radius;

    OrientedStructs(Random& random, Memory& memory, std::size_t objects, std::size_t rotation)
        : count(objects), width(rotation), stride(width + 4 + static_cast<std::size_t>(random.below(2))) {
        const auto array = [&](std::size_t size) { return world_tests::copied(memory, std::vector<float>(size, -1)); };
        for (float*& stream : center) stream = array(count);
        first = array((count - 1) * stride + width + 4);  // the last one ends with its half-extents
        radius = random.chance(0.7) ? array(count) : nullptr;
    }
    [[nodiscard]] lanecull::OrientedBoxStreams streams() const {
        const std::size_t bytes = stride * sizeof(float);
        lanecull::OrientedBoxStreams out{.x = center[0], .y = center[1], .z = center[2], .bounding_radius = radius};
        out.half_extents = {first + width + 1, bytes};
        (width == 9 ? out.axes : out.quaternions) = {first, bytes};
        return out;
    }
    [[nodiscard]] bool are(const OrientedBounds& expected) const {
        bool same = radius == nullptr || same_bits(radius, expected.radius.data(), count);
        for (std::size_t k = 0; k < 3; ++k) same = same && same_bits(center[k], expected.center[k].data(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const float* const one = first + i * stride;
            same = same && same_bits(one, expected.turned.data() + i * width, width) && one[width] == -1 &&
                   same_bits(one + width + 1, expected.half.data() + 3 * i, 3);
            if (i + 1 < count && stride == width + 5) same = same && one[stride - 1] == -1;
        }
        return same;
    }
};

/// Between guard pages, at strides and by several threads: the same bits, and nothing else is written.
void guard_one(Trial& trial) {
    Random& random = trial.random;
    const int most = random.chance(0.01) ? 100 * static_cast<int>(trial.plan.objects) : 70;
    const World world = any_family(random, static_cast<std::size_t>(1 + random.below(most)));
    const bool by_axes = random.chance(0.5);
    const unsigned threads = trial.plan.objects > 100 ? 3 : 1;  // which take longer than what fuzzers try
    const auto fail = [&](const char* what) { trial.fail(Tally::untold, what, [] { return ""; }); };
    for (const lanecull::Isa isa : trial.plan.isas) {
        trial.at(Tally::verdicts) += 3 * world.count();
        const WorldBounds expected = bounds_of(world, isa);
        const OrientedBounds turned = oriented_bounds_of(world, by_axes, isa);
        const WorldBounds shared = bounds_of(world, isa, on_new_threads(threads));
        const OrientedBounds shared_turned = oriented_bounds_of(world, by_axes, isa, on_new_threads(threads));
        const bool alike = std::ranges::equal(shared.boxes, expected.boxes, same_floats) &&
                           std::ranges::equal(shared.spheres, expected.spheres, same_floats) &&
                           std::ranges::equal(shared_turned.center, turned.center, same_floats) &&
                           same_floats(shared_turned.turned, turned.turned) &&
                           same_floats(shared_turned.half, turned.half) &&
                           same_floats(shared_turned.radius, turned.radius);
        if (!alike) fail("several threads find something else");
        GuardedMemory memory(random.chance(0.5) ? GuardedMemory::Against::start : GuardedMemory::Against::end);
        const auto [local, transforms] = copied(memory, world);
        float *box[6], *sphere[4];
        for (float*& stream : box) stream = memory.array<float>(world.count());
        for (float*& stream : sphere) stream = memory.array<float>(world.count());
        const OrientedStructs structs(random, memory, world.count(), turned.width());
        const lanecull::WorldBoundsOptions options{isa};
        if (!lanecull::world_boxes(local, transforms, world.count(), {box[0], box[1], box[2], box[3], box[4], box[5]},
                                   options) ||
            !lanecull::world_spheres(local, transforms, world.count(), {sphere[0], sphere[1], sphere[2], sphere[3]},
                                     options) ||
            !lanecull::world_oriented_boxes(local, transforms, world.count(), structs.streams(), options)) {
            fail("refused");
        }
        const auto same = [&](const std::vector<float>& a, const float* b) {
            return same_bits(a.data(), b, world.count());
        };
        if (!std::ranges::equal(expected.boxes, box, same)) fail("boxes differ between guard pages");
        if (!std::ranges::equal(expected.spheres, sphere, same)) fail("spheres differ between guard pages");
        if (!structs.are(turned)) fail("oriented boxes differ as structs");
    }
}

/// Oriented boxes that were written are a batch: culled as box instances are, but for what rounding or shear adds.
void run_batches(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const World world(trial.random, world_tests::Family::ordinary, trial.plan.objects);
    const lanecull::View view = random_prepared_camera(trial.random, Projection::perspective).view;
    const bool by_axes = trial.random.chance(0.5);
    for (const lanecull::Isa isa : trial.plan.isas) {
        const OrientedBounds b = oriented_bounds_of(world, by_axes, isa);
        lanecull::OrientedBoxes boxes{.x = b.center[0].data(),
                                      .y = b.center[1].data(),
                                      .z = b.center[2].data(),
                                      .half_extents = {b.half.data()},
                                      .bounding_radius = b.radius.data(),
                                      .count = world.count()};
        (b.by_axes ? boxes.axes : boxes.quaternions) = {b.turned.data()};
        const lanecull::BoxInstances instances{world.transforms(), world.local(), world.count()};
        const auto automatic = lanecull::Method::automatic;
        const Verdicts by_box = verdicts_of(lanecull::Batch(boxes), view, isa, automatic),
                       by_instance = verdicts_of(lanecull::Batch(instances), view, isa, automatic);
        if (by_box.counts[lanecull::Reason::visible_invalid] != 0) {
            trial.fail(Tally::invalid_told, "a box that was written is none", [] { return ""; });
        }
        trial.at(Tally::verdicts) += world.count();
        for (std::size_t i = 0; i < world.count(); ++i) {
            if (by_instance.visible(i)) continue;
            ++trial.at(Tally::cases);
            trial.at(Tally::reached) += std::uint64_t{!by_box.visible(i)};
        }
    }
}

/// Of several small worlds.
template <void (*one)(Trial&)>
void run_small(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n < (trial.plan.objects + 11) / 12 && !trial.stopped(); ++n) one(trial);
}

constexpr Rate mostly_finite[] = {{Tally::reached, Tally::cases, 0.9}};
constexpr Rate finite_now_and_then[] = {{Tally::reached, Tally::cases, 0.25}};
constexpr Rate alike[] = {{Tally::reached, Tally::cases, 0.999}, {Tally::cases, Tally::verdicts, 0.1}};

template <world_tests::Family family>
constexpr properties::Family instances(const char* name) {
    return {name, "world", run_instances<family>};
}

template <world_tests::Family family>
constexpr properties::Family of(const char* name) {
    const bool is_extreme = family == world_tests::Family::extreme;
    return {name, "world", run<family>, is_extreme ? finite_now_and_then : mostly_finite};
}

using Kind = world_tests::Family;
constexpr properties::Family all_families[] = {
    {"world_any", "world", run_small<judge_any>, any_rates, true},
    {"world_none", "world", run_small<spoil_one>, {}, true},
    {"world_memory", "world", run_small<guard_one>, {}, true},
    {"world_batches", "world", run_batches, alike},
    of<Kind::ordinary>("world_ordinary"),
    of<Kind::sheared>("world_sheared"),
    of<Kind::singular>("world_singular"),
    of<Kind::split>("world_split"),
    of<Kind::extreme>("world_extreme"),
    of<Kind::far_away>("world_far_away"),
    of<Kind::relative>("world_relative"),
    instances<Kind::ordinary>("instances_ordinary"),
    instances<Kind::sheared>("instances_sheared"),
    instances<Kind::singular>("instances_singular"),
    instances<Kind::split>("instances_split"),
    instances<Kind::extreme>("instances_extreme"),
    instances<Kind::far_away>("instances_far_away"),
    instances<Kind::relative>("instances_relative"),
};

}  // namespace

std::span<const Family> world_families() { return all_families; }

}  // namespace properties
