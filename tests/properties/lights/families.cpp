#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oracle/exact_lights.hpp"
#include "properties/any.hpp"
#include "properties/family.hpp"
#include "properties/lights/cells.hpp"
#include "support/generate.hpp"

/// Lights in cells of a view: a light that is in no list of a cell is apart from it, by a distance enclosed in doubles,
/// some by rationals; one that is in it is not apart by more than the bound.
namespace properties {
namespace {

void fill_boundaries(Random& random, double near, double far, GridCase& of) {
    const int slices = 1 + random.below(6);
    const bool even = random.chance(0.3);
    for (int k = 0; k <= slices; ++k) {
        const double share = static_cast<double>(k) / slices;
        of.boundaries.push_back(even ? near + share * (far - near) : near * std::pow(far / near, share));
    }
    if (random.chance(0.2)) of.boundaries.back() = std::numeric_limits<double>::infinity();
}

}  // namespace

GridCase random_grid(Random& random, const Camera& camera) {
    GridCase of;
    of.clip_space = camera.clip_space;
    of.matrix = camera.matrix;
    if (camera.single) std::copy(camera.single_matrix.begin(), camera.single_matrix.end(), of.matrix.begin());
    of.tiles_x = 1 + static_cast<std::uint32_t>(random.below(6));
    of.tiles_y = 1 + static_cast<std::uint32_t>(random.below(5));
    if (camera.projection == Projection::orthographic) {
        const double depth = std::fabs(camera.depth[1] - camera.depth[0]);
        fill_boundaries(random, 0.01 * depth, random.range(0.5, 1.5) * depth, of);
        for (double& b : of.boundaries) b -= 0.01 * depth;
        if (random.chance(0.5)) of.sight = lanecull::SightDirection::shrinking_depth;
    } else {
        const double near = random.chance(0.1) ? 1e-6 : random.log_range(0.02, 2);
        fill_boundaries(random, near, near * random.log_range(3, 1e4), of);
    }
    return of;
}

Point3 random_place(Random& random, const GridCase& of, const GridGeometry& geometry) {
    const auto line = [&](std::uint32_t n) {
        const double at = random.chance(0.5) ? random.below(static_cast<int>(n) + 1) : random.range(-0.3, n + 0.3);
        return 2 * at / n - 1;
    };
    const auto k = static_cast<std::size_t>(random.below(static_cast<int>(of.slices())));
    const double near = of.boundaries[k],
                 far = std::isfinite(of.boundaries[k + 1]) ? of.boundaries[k + 1] : 3 * near + 1;
    const double share = random.chance(0.5) ? random.below(2) : random.range(-0.3, 1.3);
    return geometry.point(line(of.tiles_x), line(of.tiles_y), near + share * (far - near));
}

std::array<double, 3> world(const GridGeometry& geometry, const Point3& p) {
    const auto origin = geometry.origin();
    return {origin[0] + p.x, origin[1] + p.y, origin[2] + p.z};
}

namespace {

/// A light whose surface passes through a place, within some units in the last place or a little beyond.
void add_light(Random& random, const GridCase& of, const GridGeometry& geometry, bool is_spot, LightStreams& lights) {
    const Point3 touched = random_place(random, of, geometry);
    const double depth = std::max(1e-7, std::fabs(geometry.depth(touched)));
    const double reach = depth * random.log_range(1e-3, 3);
    const Double3 way = random_direction(random);
    const double off = random.chance(0.3) ? random.range(-1, 1) * std::ldexp(1.0, -10 - random.below(16)) : 0;
    Point3 at = touched + reach * (1 + off) * Point3{way[0], way[1], way[2]};
    if (random.chance(0.1)) at = touched;  // in a cell, at its corner
    if (!is_spot) return lights.add_ball(world(geometry, at), reach);
    const double tangent = random_tangent(random);
    Double3 axis = {-way[0], -way[1], -way[2]};
    if (random.chance(0.7)) {  // the place is on its side
        const Double3 other = random_direction(random);
        const double along = other[0] * way[0] + other[1] * way[1] + other[2] * way[2];
        double size = 0;
        Double3 across{};
        for (std::size_t k = 0; k < 3; ++k) across[k] = other[k] - along * way[k], size += across[k] * across[k];
        for (std::size_t k = 0; k < 3; ++k)
            axis[k] += tangent * (1 + off) * across[k] / std::sqrt(std::max(size, 1e-9));
    }
    const double scale = random.log_range(0.1, 10);
    for (double& number : axis) number *= scale;
    lights.add_spot(world(geometry, at), reach * random.range(0.7, 1.5), axis, tangent);
}

/// Lights in cells as each set assigns them, held against one truth.
class Verification {
public:
    /// is_exact: also lights that are listed must not be apart by more than the bound.
    Verification(Trial& trial, const GridCase& of, const LightStreams& lights, const std::vector<Assigned>& sets,
                 bool is_exact)
        : trial_(trial), of_(of), lights_(lights), sets_(sets), is_exact_(is_exact), geometry_(of) {}

    void run() {
        for (std::size_t light = 0; light < lights_.count(); ++light) {
            for (std::size_t cell = 0; cell < of_.cells(); ++cell) {
                trial_.at(Tally::verdicts) += sets_.size();
                if (lights_.is_invalid(light)) {
                    expect_invalid({light, cell});
                } else if (geometry_.known()) {
                    measure_pair({light, cell});
                }
            }
        }
        if (is_exact_) ask_oracle();
    }

private:
    struct Pair {
        std::size_t light, cell;
    };
    static constexpr double near = 1e-3;  ///< in magnitudes: half of the pairs that are asked are apart by less

    [[nodiscard]] auto text(const Pair& of) const {
        return [this, of] {
            return lights_.describe(of.light) + " cell " + std::to_string(of.cell) + " " + of_.describe();
        };
    }
    template <class Visit>
    void for_sets(const Pair& of, const Visit& visit) const {
        for (const Assigned& set : sets_) visit(set.reaches(of.cell, of.light, lights_.count()));
    }

    void expect_invalid(const Pair& of) const {
        for_sets(of, [&](bool reaches) {
            if (!reaches) trial_.fail(Tally::invalid_told, "an invalid light is not in every cell", text(of));
        });
    }

    /// By a distance that is enclosed in doubles.
    void measure_pair(const Pair& of) {
        const Apartness apart = measure(geometry_, lights_, of.light, of.cell);
        const double bound = is_exact_ ? bound_of(geometry_, lights_, of.light) : HUGE_VAL;
        for_sets(of, [&](bool reaches) {
            ++trial_.at(Tally::cases);
            if (!reaches) ++trial_.at(Tally::reached);
            const std::string fault = find_fault(apart, bound, reaches);
            if (!fault.empty()) trial_.fail(reaches ? Tally::unproved : Tally::false_culls, fault, text(of));
        });
        std::vector<Known>& pairs = apart.lower > 0 && apart.lower < near * apart.magnitude ? near_ : others_;
        if (is_exact_) pairs.push_back({of, apart.lower > 1e-10 * apart.magnitude});
    }

    struct Known {
        Pair pair;
        bool is_apart;  ///< as doubles have it
    };

    void ask_oracle() {
        const auto take = [&](std::vector<Known>& from, std::size_t most) {
            for (; most > 0 && !from.empty(); --most) {
                const auto i = static_cast<std::size_t>(trial_.random.below(static_cast<int>(from.size())));
                std::swap(from[i], from.back());
                ask_oracle(from.back());
                from.pop_back();
            }
        };
        const std::size_t pairs = 3 * trial_.plan.oracle_objects;
        take(near_, pairs), take(others_, pairs);
    }

    /// By rationals.
    void ask_oracle(const Known& known) {
        const Pair& of = known.pair;
        if (!cells_[of.cell]) cells_[of.cell].emplace(of_.grid(), of.cell);
        const lanecull::Lights lights = lights_.lights();
        const std::size_t balls = lights.balls.count;
        exact::Verdict verdict;
        if (of.light < balls) {
            const float centre[3] = {lights.balls.x[of.light], lights.balls.y[of.light], lights.balls.z[of.light]};
            verdict = decide_ball(exact::sphere(centre, lights.balls.radius[of.light]), *cells_[of.cell]);
        } else {
            verdict = decide_spot(exact::spot(lights.spots, of.light - balls), *cells_[of.cell]);
        }
        ++trial_.at(Tally::exact_checks);
        if (verdict == exact::Verdict::unclear) return;
        ++trial_.at(Tally::oracle_objects);
        if (verdict == exact::Verdict::apart) return;
        ++trial_.at(Tally::oracle_visible);
        if (known.is_apart) trial_.fail(Tally::untold, "doubles part a light and a cell that touch", text(of));
        for_sets(of, [&](bool reaches) {
            if (!reaches) trial_.fail(Tally::false_culls, "a light is missing that touches the cell", text(of));
        });
    }

    Trial& trial_;
    const GridCase& of_;
    const LightStreams& lights_;
    const std::vector<Assigned>& sets_;
    bool is_exact_;
    GridGeometry geometry_;
    std::vector<Known> near_, others_;
    std::map<std::size_t, std::optional<exact::LightCell>> cells_;
};

/// Runs tasks one after the other, the last one first.
const lanecull::Runner backwards = {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                                        while (count > 0) (*task)(--count);
                                    }};

void run_grid(Trial& trial, const GridCase& of, const LightStreams& lights, bool is_exact) {
    std::vector<Assigned> sets;
    for (const lanecull::Isa isa : trial.plan.isas) {
        Assigned assigned = assign(of, lights, isa);
        const auto text = [&] { return of.describe(); };
        if (!assigned.failure.empty()) {
            ++trial.at(Tally::refused);
            return;
        }
        const std::string differs = compare_lists(assigned, of.cells(), lights.count());
        if (!differs.empty()) trial.fail(Tally::untold, differs, text);
        trial.answers.all.add(std::uint64_t{assigned.entries});
        for (const std::uint32_t word : assigned.words) trial.answers.all.add(std::uint64_t{word});
        const Assigned again = assign(of, lights, isa, backwards);
        if (again.words != assigned.words || again.indices != assigned.indices || again.offsets != assigned.offsets) {
            trial.fail(Tally::untold, "another runner has other bytes", text);
        }
        sets.push_back(std::move(assigned));
    }
    Verification(trial, of, lights, sets, is_exact).run();
}

template <auto add, bool spots>
void run_lights(Trial& trial) {
    const Camera camera = random_prepared_camera(trial.random).camera;
    const GridCase of = random_grid(trial.random, camera);
    const GridGeometry geometry(of);
    LightStreams lights;
    if (trial.random.chance(0.5)) lights.end = lanecull::SpotEnd::flat;
    const int count = 1 + trial.random.below(24);
    for (int i = 0; i < count; ++i) add(trial.random, of, geometry, spots, lights);
    run_grid(trial, of, lights, true);
}

void run_touching(Trial& trial) {
    trial.random.chance(0.8) ? run_lights<add_touching, true>(trial) : run_lights<add_touching, false>(trial);
}

/// Few rows and slices, so that many pairs are at their lines.
void run_at_lines(Trial& trial) {
    const Camera camera = random_prepared_camera(trial.random).camera;
    GridCase of = random_grid(trial.random, camera);
    of.tiles_y = 1 + of.tiles_y % 2;
    if (of.boundaries.size() > 3) of.boundaries.resize(3);
    const GridGeometry geometry(of);
    LightStreams lights;
    if (trial.random.chance(0.5)) lights.end = lanecull::SpotEnd::flat;
    const int count = 1 + trial.random.below(64);
    for (int i = 0; i < count; ++i) add_at_line(trial.random, of, geometry, lights);
    run_grid(trial, of, lights, true);
}

/// Any numbers: coordinates differ by so much that no bound says how exact lists are.
void run_any(Trial& trial) {
    Random& random = trial.random;
    GridCase of;
    of.matrix = read_matrix(random);
    of.clip_space.depth = static_cast<lanecull::DepthRange>(random.below(2));
    of.tiles_x = 1 + static_cast<std::uint32_t>(random.below(4)),
    of.tiles_y = 1 + static_cast<std::uint32_t>(random.below(3));
    of.boundaries = {std::fabs(random.any_double()) + 0.125};
    const int slices = 1 + random.below(3);
    for (int k = 0; k < slices; ++k)
        of.boundaries.push_back(of.boundaries.back() + 0.01 + std::fabs(random.any_double()));
    if (random.chance(0.2)) of.sight = lanecull::SightDirection::shrinking_depth;
    LightStreams lights;
    if (random.chance(0.5)) lights.end = lanecull::SpotEnd::flat;
    const int count = 1 + random.below(5);
    for (int i = 0; i < count; ++i) {
        const auto any = [&] { return static_cast<double>(random.below(24) == 0 ? HUGE_VALF : random.any_float()); };
        const std::array<double, 3> at = {any(), any(), any()};
        const auto size = static_cast<double>(random.any_size());
        if (random.chance(0.5)) {
            lights.add_ball(at, size);
        } else {
            lights.add_spot(at, size, {any(), any(), any()}, static_cast<double>(random.any_size()));
        }
    }
    run_grid(trial, of, lights, false);
}

constexpr Rate rates[] = {{Tally::reached, Tally::cases, 0.2, 0.98},
                          {Tally::oracle_visible, Tally::oracle_objects, 0.05, 0.5},
                          {Tally::oracle_objects, Tally::exact_checks, 0.99}};  // the others touch

constexpr Family all_families[] = {
    {"light_balls", "lights", run_cases<run_lights<add_light, false>>, rates, true},
    {"light_spots", "lights", run_cases<run_lights<add_light, true>>, rates, true},
    {"lights_touching", "lights", run_cases<run_touching>, rates, true},
    {"lights_at_lines", "lights", run_cases<run_at_lines>, rates, true},
    {"lights_any", "lights", run_cases<run_any>, {}, true},
    {"lights_seen", "lights", run_cases<run_seen_lights>, seen_light_rates, true},
};

}  // namespace

std::span<const Family> light_families() { return all_families; }

}  // namespace properties
