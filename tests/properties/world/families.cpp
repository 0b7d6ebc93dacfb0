#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>

#include "properties/bounds/shapes.hpp"
#include "properties/family.hpp"
#include "properties/world/world.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/random.hpp"

/// World bounds: each contains the transformed local box, in exact arithmetic where doubles cannot decide. The same
/// boxes as instances: what is culled is behind the plane.
namespace properties {
namespace {

using world_tests::bounds_of;
using world_tests::FoundBounds;
using world_tests::World;
using world_tests::WorldCase;
using WorldFamily = world_tests::Family;

constexpr double u = 0x1p-24;

double wide(float x) { return static_cast<double>(x); }

/// A coordinate of a transformed box's corner.
template <class Exactly>
NumberOf<Exactly> coordinate(const World& world, std::size_t i, std::size_t row, unsigned corner, Exactly exactly) {
    const WorldCase& of = world.cases[i];
    const auto sum = placed(of.transform.data(), row, of.corner(corner), exactly);
    return world.has_positions ? sum + (exactly(of.position[row]) - exactly(world.origin[row])) : sum;
}
template <class Exactly>
Three<NumberOf<Exactly>> point(const World& world, std::size_t i, unsigned corner, Exactly exactly) {
    return {coordinate(world, i, 0, corner, exactly), coordinate(world, i, 1, corner, exactly),
            coordinate(world, i, 2, corner, exactly)};
}

/// The sizes of all terms of a coordinate.
double size_of_terms(const World& world, std::size_t i, std::size_t row) {
    const WorldCase& of = world.cases[i];
    const float* const a = of.transform.data() + 4 * row;
    double size = std::fabs(wide(a[3]));
    for (std::size_t j = 0; j < 3; ++j) {
        size += std::fabs(wide(a[j])) * std::max(std::fabs(wide(of.lower[j])), std::fabs(wide(of.upper[j])));
    }
    return world.has_positions ? size + std::fabs(of.position[row] - world.origin[row]) : size;
}

/// The corner at which the coordinate is least; its complement has the greatest.
unsigned lowest_corner(const WorldCase& of, std::size_t row) {
    unsigned corner = 0;
    for (unsigned j = 0; j < 3; ++j) corner |= static_cast<unsigned>(of.transform[4 * row + j] < 0) << j;
    return corner;
}

bool is_box_finite(const FoundBounds& found) { return all_finite(found.box.data(), 6); }
bool is_sphere_finite(const FoundBounds& found) { return all_finite(found.sphere.data(), 4); }
/// Whether all numbers of the oriented box are finite, those of its rotation left aside.
bool is_oriented_finite(const FoundBounds& found) {
    return all_finite(found.center.data(), 3) && all_finite(found.half.data(), 3) && std::isfinite(found.radius);
}

/// In units of u times the sizes of all terms (bounds.h): a box that is larger has more than the bound.
struct Most {
    double padding = 13, sphere_padding = 0.7321;  // sqrt(3) - 1, where a matrix shears
    double oriented_padding[2] = {44, 80};         // by quaternions, by axes
    double beyond_edge = HUGE_VAL;
    /// In units of u times the largest |coordinates| of the box, and 2^-46 of all terms. Wherever local boxes are, sums
    /// of floats have 13 u of no more than some five times the coordinates.
    double own_padding = 70;
};
constexpr Most most_of(WorldFamily family) {
    Most most;
    if (family == WorldFamily::ordinary) most.sphere_padding = 1e-5, most.beyond_edge = 60;
    if (family == WorldFamily::relative) most.padding = 20;
    return most;
}

/// Judges what a set found for a world. An object whose bounds are not finite stays visible.
class WorldJudge {
public:
    WorldJudge(Trial& trial, const World& world, lanecull::Isa isa, bool by_axes, const Most& most)
        : trial_(trial), world_(world), isa_(isa), by_axes_(by_axes), most_(most) {}
    WorldJudge(const WorldJudge&) = delete;
    WorldJudge& operator=(const WorldJudge&) = delete;
    ~WorldJudge() { trial_.at(Tally::exact_checks) += judge_.exact_checks(); }

    void judge(const FoundBounds& found, std::size_t i) {
        i_ = i;
        if (counted(is_box_finite(found))) judge_box(found);
        if (counted(is_sphere_finite(found))) judge_sphere(found);
        if (counted(is_oriented_finite(found))) judge_oriented(found);
    }

private:
    [[nodiscard]] bool counted(bool is_finite) const {
        ++trial_.at(Tally::cases);
        trial_.at(Tally::reached) += std::uint64_t{is_finite};
        trial_.at(Tally::verdicts) += std::uint64_t{is_finite};
        return is_finite;
    }
    void require(bool holds, Tally::Count count, const char* what) const {
        if (holds) return;
        trial_.fail(count, std::string(what) + (by_axes_ ? ", by axes" : "") + ", by " + lanecull::isa_name(isa_),
                    [&] { return world_.describe(i_); });
    }

    void judge_box(const FoundBounds& found) {
        double excess = 0, own = 0, terms = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const unsigned lowest = lowest_corner(world_.cases[i_], k);
            const double size = size_of_terms(world_, i_, k);
            double largest = 0;
            for (const double sign : {-1.0, 1.0}) {
                const float end = found.box[sign < 0 ? k : 3 + k];
                const auto beyond = [&](auto exactly) {
                    return exactly(sign) *
                           (coordinate(world_, i_, k, sign < 0 ? lowest : 7 - lowest, exactly) - exactly(end));
                };
                require(judge_.sign(beyond) <= 0, Tally::unproved, "the box does not contain the object");
                // What underflows is left aside.
                const double larger = -beyond(InDoubles{}).value - 0x1p-124;
                require(larger <= most_.padding * (u * size + 0x1p-160), Tally::untold, "the box is too large");
                excess = std::max(excess, larger);
                largest = std::max(largest, std::fabs(wide(end)));
            }
            own += largest;
            terms += size;
        }
        require(terms >= 1e36 || excess <= most_.own_padding * (u * own + 0x1p-46 * terms + 0x1p-160), Tally::untold,
                "the box is too large for its place");
    }

    void judge_sphere(const FoundBounds& found) {
        const double radius = wide(found.sphere[3]);
        double farthest = 0, sizes = 0;
        for (std::size_t k = 0; k < 3; ++k) sizes += size_of_terms(world_, i_, k);
        for (unsigned corner = 0; corner < 8; ++corner) {
            const auto square_distance = [&](auto exactly) {
                const auto p = point(world_, i_, corner, exactly);
                return square(p[0] - exactly(found.sphere[0])) + square(p[1] - exactly(found.sphere[1])) +
                       square(p[2] - exactly(found.sphere[2]));
            };
            const bool within =
                judge_.sign([&](auto exactly) { return square_distance(exactly) - square(exactly(radius)); }) <= 0;
            require(within, Tally::unproved, "the sphere does not contain the object");
            farthest = std::max(farthest, std::sqrt(square_distance(InDoubles{}).value));
        }
        if (radius < 0x1p-98) return;
        const double rounding = 40 * u * sizes + 0x1p-140;
        require(radius - rounding <= (1 + most_.sphere_padding) * std::max(farthest, rounding), Tally::untold,
                "the sphere is too large");
    }

    void judge_oriented(const FoundBounds& found) {
        const float* const t = found.turned.data();
        const Frame frame(t, by_axes_, InDoubles{});
        bool is_turned = std::fabs(frame.scale.value - 1) < 100 * u;
        for (std::size_t k = 0; k < 9; ++k) {
            const double inner = dot<Estimate>(frame.axis[k / 3], frame.axis[k % 3]).value;
            is_turned = is_turned && std::fabs(inner - (k % 4 == 0 ? 1 : 0)) < 200 * u;
        }
        require(is_turned, Tally::untold, "the axes are not orthonormal");
        for (unsigned corner = 0; corner < 8; ++corner) {
            const bool holds = oriented_box_contains(
                t, by_axes_, found.center.data(), found.half.data(),
                [&](auto exactly) { return point(world_, i_, corner, exactly); }, judge_);
            require(holds, Tally::unproved, "the oriented box does not contain the object");
        }
        require(is_in_ball(found, frame), Tally::unproved,
                "the sphere does not contain the oriented box, or is too large");
        require(is_tight(found, frame), Tally::untold, "the oriented box is too large");
    }

    /// Whether the bounding radius is the distance of the box's corners, and a little more.
    [[nodiscard]] bool is_in_ball(const FoundBounds& found, const Frame<InDoubles>& frame) const {
        double squares = 0;
        for (unsigned corner = 0; corner < 4; ++corner) {
            Double3 p{};
            for (std::size_t k = 0; k < 3; ++k) {
                const double s = wide(found.half[k]) / (by_axes_ ? 1 : frame.scale.value);
                for (std::size_t r = 0; r < 3; ++r) p[r] += ((corner >> k & 1) != 0 ? -s : s) * frame.axis[k][r].value;
            }
            squares = std::max(squares, ::dot(p, p));
        }
        const double farthest = std::sqrt(squares), radius = wide(found.radius);
        return radius > farthest * (1 + 0x1p-40) && (radius < 0x1p-98 || radius < farthest * (1 + 0x1p-17));
    }

    /// Whether no half-extent is too large for these axes, by units of u times the sizes of all terms of all three
    /// coordinates; nor larger than half the edge of the parallelepiped that belongs to it. Where columns are at right
    /// angles nothing but rounding is in that.
    [[nodiscard]] bool is_tight(const FoundBounds& found, const Frame<InDoubles>& frame) const {
        const WorldCase& of = world_.cases[i_];
        double sizes = 0;
        for (std::size_t k = 0; k < 3; ++k) sizes += size_of_terms(world_, i_, k);
        const double unit = u * sizes + 0x1p-160, underflow = 0x1p-124;
        bool tight = true;
        for (std::size_t k = 0; k < 3; ++k) {
            double width = 0, edge = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                const double h = (wide(of.upper[j]) - wide(of.lower[j])) / 2;
                const Double3 column{wide(of.transform[j]), wide(of.transform[4 + j]), wide(of.transform[8 + j])};
                const Double3 axis{frame.axis[k][0].value, frame.axis[k][1].value, frame.axis[k][2].value};
                width += std::fabs(::dot(axis, column)) * h;
                if (j == k) edge = length(column) * h;
            }
            const double half = wide(found.half[k]) - underflow;
            const bool is_wide = half - width > most_.oriented_padding[by_axes_ ? 1 : 0] * unit;
            tight = tight && (!is_wide || world_.has_positions) && half - edge <= most_.beyond_edge * unit;
        }
        return tight;
    }

    Trial& trial_;
    const World& world_;
    const lanecull::Isa isa_;
    const bool by_axes_;
    const Most most_;
    std::size_t i_ = 0;
    Judge judge_;
};

template <WorldFamily family>
void run(Trial& trial) {
    constexpr int most_objects = 3000;
    trial.at(Tally::trials) = 1;
    const World world(trial.random, family, 1 + static_cast<std::size_t>(trial.random.below(most_objects)));
    for (const lanecull::Isa isa : trial.plan.isas) {
        const bool by_axes = trial.random.chance(0.5);
        HeapMemory memory;
        const std::vector<FoundBounds> bounds = bounds_of(world, {.by_axes = by_axes}, {.isa = isa}, memory);
        WorldJudge judge(trial, world, isa, by_axes, most_of(family));
        for (std::size_t i = 0; i < bounds.size() && !trial.stopped(); ++i) {
            trial.answers.all.add(std::span<const float>(bounds[i].box));
            trial.answers.all.add(std::span<const float>(bounds[i].sphere));
            judge.judge(bounds[i], i);
        }
    }
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
            world.index.resize(world.cases.size());
            std::iota(world.index.begin(), world.index.end(), 0u);
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

bool is_valid(const World& world, const WorldCase& of) {
    bool valid = all_finite(of.transform.data(), 12);
    for (std::size_t k = 0; k < 3; ++k) {
        valid = valid && of.lower[k] <= of.upper[k] && std::isfinite(of.lower[k]) && std::isfinite(of.upper[k]) &&
                (!world.has_positions || std::isfinite(of.position[k]));
    }
    return valid;
}

/// Boxes of any numbers under transforms of any numbers, half of them with one that makes no object. The bounds of what
/// is none are infinite or NaN; its neighbours have theirs.
void judge_any(Trial& trial) {
    Random& random = trial.random;
    const bool is_any = random.chance(0.5);
    World world(random, is_any ? WorldFamily::any : WorldFamily::ordinary,
                static_cast<std::size_t>(1 + random.below(is_any ? 21 : 70)));
    const bool is_spoilt = world.index.empty() && random.chance(0.7);  // each object has a box of its own
    const auto broken = static_cast<std::size_t>(random.below(static_cast<int>(world.count())));
    if (is_spoilt) spoil(random, world, broken);
    for (const lanecull::Isa isa : trial.plan.isas) {
        const bool by_axes = random.chance(0.5);
        HeapMemory memory;
        const std::vector<FoundBounds> bounds = bounds_of(world, {.by_axes = by_axes}, {.isa = isa}, memory);
        WorldJudge judge(trial, world, isa, by_axes, most_of(WorldFamily::sheared));
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            if (is_valid(world, world.cases[i]) && !(is_spoilt && i == broken)) {
                judge.judge(bounds[i], i);
                continue;
            }
            trial.at(Tally::cases) += 3;
            const bool has_bounds = is_box_finite(bounds[i]) || std::isfinite(bounds[i].sphere[3]) ||
                                    is_oriented_finite(bounds[i]) || std::isfinite(bounds[i].radius);
            if (has_bounds) {
                trial.fail(Tally::invalid_told, "what is no object has bounds", [&] { return world.describe(i); });
            }
        }
    }
}

/// Between guard pages, at strides and by several threads: the same bits, and nothing else is written.
void guard_one(Trial& trial) {
    Random& random = trial.random;
    const int most = random.chance(0.01) ? 100 * static_cast<int>(trial.plan.objects) : 70;
    const auto family = static_cast<WorldFamily>(random.below(static_cast<int>(WorldFamily::families)));
    const World world(random, family, static_cast<std::size_t>(1 + random.below(most)));
    const bool by_axes = random.chance(0.5);
    const unsigned threads = trial.plan.objects > 100 ? 3 : 1;  // which take longer than what fuzzers try
    for (const lanecull::Isa isa : trial.plan.isas) {
        trial.at(Tally::verdicts) += 3 * world.count();
        HeapMemory heap;
        std::vector<FoundBounds> expected = bounds_of(world, {.by_axes = by_axes}, {.isa = isa}, heap);
        GuardedMemory guarded(random.chance(0.5) ? GuardedMemory::Against::start : GuardedMemory::Against::end);
        const bool has_radius = random.chance(0.7);
        const auto gap = static_cast<std::size_t>(random.below(3));
        const std::vector<FoundBounds> found =
            bounds_of(world, {by_axes, has_radius, gap}, {.isa = isa, .runner = on_new_threads(threads)}, guarded);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!has_radius) expected[i].radius = 0;
            if (std::memcmp(&found[i], &expected[i], sizeof found[i]) == 0) continue;
            trial.fail(Tally::untold, "bounds differ between guard pages, by structs and threads",
                       [&] { return world.describe(i); });
        }
    }
}

/// The same objects as box instances, in the view of one half-space that touches one of them, but for some roundings.
/// Whatever is culled must be behind it.
class HalfSpaceTrial {
public:
    HalfSpaceTrial(Trial& trial, WorldFamily family)
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
        trial_.at(Tally::exact_checks) += judge_.exact_checks();
    }

private:
    static constexpr int most_instances = 200, views = 10;

    template <class Exactly>
    [[nodiscard]] NumberOf<Exactly> height(std::size_t i, unsigned corner, Exactly exactly) const {
        const double* const n = plane_.normal;
        return dot<NumberOf<Exactly>>(point(world_, i, corner, exactly),
                                      {exactly(n[0]), exactly(n[1]), exactly(n[2])}) +
               exactly(plane_.offset);
    }

    void choose_plane() {
        Random& random = trial_.random;
        const auto near = static_cast<std::size_t>(random.below(static_cast<int>(world_.count())));
        const Double3 normal = random.chance(0.3) ? Double3{0, 0, random.sign()} : random_direction(random);
        std::copy(normal.begin(), normal.end(), plane_.normal);
        plane_.offset = 0;
        Estimate top{-HUGE_VAL, 0};
        for (unsigned corner = 0; corner < 8; ++corner) {
            const Estimate of = height(near, corner, InDoubles{});
            top = {std::max(top.value, of.value), std::max(top.error, of.error)};
        }
        // The error is some 2^-51 of the sizes of all terms; the library's is up to 2^-19.
        plane_.offset = -top.value - random.range(-1, 1) * std::ldexp(top.error, random.below(37));
    }

    void cull(const lanecull::View& view, const lanecull::CullOptions& options) {
        lanecull::Output output{.visible = words_};
        const lanecull::Status status = lanecull::cull({&batch_, 1}, {&view, 1}, {&output, 1}, scratch_, options);
        if (!status) throw std::runtime_error(status.message());
        trial_.answers.add_words(words_, options.method);
        for (std::size_t i = 0; i < world_.count(); ++i) {
            if ((words_[i / 64] >> i % 64 & 1) != 0) continue;
            ++trial_.at(Tally::verdicts);
            for (unsigned corner = 0; corner < 8; ++corner) {
                if (judge_.sign([&](auto exactly) { return height(i, corner, exactly); }) < 0) continue;
                trial_.fail(Tally::unproved,
                            std::string("culled, and not behind the plane, by ") + lanecull::isa_name(options.isa),
                            [&] {
                                return world_.describe(i) + " plane" + written(plane_.normal) +
                                       written(std::span(&plane_.offset, 1));
                            });
            }
        }
    }

    Trial& trial_;
    const World world_;
    const lanecull::Batch batch_;
    std::vector<std::uint64_t> words_;
    std::vector<std::byte> scratch_;
    lanecull::Plane plane_;
    Judge judge_;
};

template <WorldFamily family>
void run_instances(Trial& trial) {
    trial.at(Tally::trials) = 1;
    HalfSpaceTrial(trial, family).run();
}

/// Of several small worlds.
template <void (*one)(Trial&)>
void run_small(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n < (trial.plan.objects + 11) / 12 && !trial.stopped(); ++n) one(trial);
}

constexpr Rate any_rates[] = {{Tally::reached, Tally::cases, 0.3, 0.95}};
constexpr Rate mostly_finite[] = {{Tally::reached, Tally::cases, 0.9}};
constexpr Rate finite_now_and_then[] = {{Tally::reached, Tally::cases, 0.25}};

template <WorldFamily family>
constexpr Family instances(const char* name) {
    return {name, "world", run_instances<family>};
}

template <WorldFamily family>
constexpr Family of(const char* name) {
    return {name, "world", run<family>, family == WorldFamily::extreme ? finite_now_and_then : mostly_finite};
}

constexpr Family all_families[] = {
    {"world_any", "world", run_small<judge_any>, any_rates, true},
    {"world_memory", "world", run_small<guard_one>, {}, true},
    of<WorldFamily::ordinary>("world_ordinary"),
    of<WorldFamily::sheared>("world_sheared"),
    of<WorldFamily::singular>("world_singular"),
    of<WorldFamily::split>("world_split"),
    of<WorldFamily::extreme>("world_extreme"),
    of<WorldFamily::far_away>("world_far_away"),
    of<WorldFamily::relative>("world_relative"),
    instances<WorldFamily::ordinary>("instances_ordinary"),
    instances<WorldFamily::sheared>("instances_sheared"),
    instances<WorldFamily::singular>("instances_singular"),
    instances<WorldFamily::split>("instances_split"),
    instances<WorldFamily::extreme>("instances_extreme"),
    instances<WorldFamily::far_away>("instances_far_away"),
    instances<WorldFamily::relative>("instances_relative"),
};

}  // namespace

std::span<const Family> world_families() { return all_families; }

}  // namespace properties
