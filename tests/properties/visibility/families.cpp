#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <lanecull/visibility.h>

#include "properties/any.hpp"
#include "properties/visibility/world.hpp"

/// Baked cells: whatever a set leaves out is farther away than the distance, or hidden from every corner of the cell by
/// one solid that no near plane may cut, or by one from those of each part that it was baked in, in rationals. An
/// object in a set is a verdict.
namespace properties {
namespace {

constexpr std::size_t solids = 8, objects_of_a_kind = 16;

using Words = std::vector<std::uint64_t>;

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// By each instruction set; from memory at any place, which held something else, the same.
std::vector<Words> bake_all(Trial& trial, const BakeWorld& world, std::vector<lanecull::BakedCell>& bakes) {
    lanecull::BakeScene prepared;
    require(prepared.prepare(world.scene, world.solids()));
    const auto bake_in = [&](lanecull::Isa isa, std::size_t shift, std::uint64_t before, lanecull::BakedCell& result) {
        lanecull::BakeOptions options = world.options;
        options.isa = isa;
        Words words(prepared.visibility_words(), before);
        std::vector<std::byte> scratch(prepared.scratch_bytes() + shift, static_cast<std::byte>(before));
        require(lanecull::bake_cell(prepared, world.cell, options, std::span(scratch).subspan(shift), words, result));
        return words;
    };
    std::vector<Words> sets;
    for (const lanecull::Isa isa : trial.plan.isas) {
        lanecull::BakedCell& baked = bakes.emplace_back();
        lanecull::BakedCell again;
        sets.push_back(bake_in(isa, 0, 0, baked));
        if (bake_in(isa, 1 + static_cast<std::size_t>(isa) % 7, ~std::uint64_t{0}, again) != sets.back() ||
            again.visible != baked.visible) {
            trial.fail(Tally::untold, "another set from other memory", [&] { return world.text; });
        }
    }
    return sets;
}

bool has(const Words& words, std::size_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

/// Walls that each hide from one side of the cell.
constexpr int behind_walls = -1;
/// Objects that flags, layers or limits would keep out of a frame.
constexpr int marked = -2;
/// A cell in a street, among many solids.
constexpr int in_town = -3;

/// `away`: how far the world's origin is from the camera.
template <auto away>
void make(Random& random, BakeWorld& world) {
    if (away == behind_walls) {
        Double3 at;
        for (double& coordinate : at) coordinate = random.sign() * random.log_range(1e-3, 1e4);
        return make_walls(random, at, objects_of_a_kind / 2, world);
    }
    if (away == in_town) return make_town(random, objects_of_a_kind, world);
    Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    if (away > 0) camera.single = false;
    for (std::size_t k = 0; k < 3 && away > 0; ++k) {
        const double by = random.sign() * random.log_range(1e2, away);
        camera.clip_space.origin[k] += by;
        camera.eye[k] += by;
    }
    make_world(random, camera, solids, objects_of_a_kind, world);
}

/// Sets have as many objects as bakes say.
void check_counts(Trial& trial, const BakeWorld& world, const Words& words, const lanecull::BakedCell& baked) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    if (baked.visible != count || baked.visible + baked.hidden + baked.distant != world.members.size()) {
        trial.fail(Tally::untold, "counts do not add up", [&] { return world.text; });
    }
}

/// Marks objects. What is disabled, on no layer or too far away now may be drawn when a set is read, so marks change no
/// set but for what is visible always, which is in each.
void mark_and_compare(Trial& trial, BakeWorld& world) {
    std::vector<lanecull::BakedCell> bakes;
    const std::vector<Words> plain = bake_all(trial, world, bakes);
    world.mark(trial.random, lanecull::object_disabled | lanecull::object_always_visible);
    const std::vector<Words> sets = bake_all(trial, world, bakes);
    for (const BakeWorld::Member& member : world.members) {
        const bool is_forced = (member.object.flags & lanecull::object_always_visible) != 0;
        for (std::size_t s = 0; s < sets.size(); ++s) {
            if (has(sets[s], member.slot) == (is_forced || has(plain[s], member.slot))) continue;
            trial.fail(Tally::untold, "flags, layers or limits change a set", [&] { return world.text; });
        }
    }
}

/// Whether what was left out is not seen: it is distant, or hidden from all corners of the cell or of each part of one
/// bake. Which set left it out does not matter: what any parts prove holds for the cell.
enum class Proof { none, distant, corners, parts };
Proof proof_of(const BakeWorld& world, const exact::Solid& object, const std::vector<BakeWorld::Parts>& parts) {
    if (world.is_distant(object)) return Proof::distant;
    if (BakeWorld::is_hidden(object, world.corners())) return Proof::corners;
    const bool by_parts = std::any_of(parts.begin(), parts.end(),
                                      [&](const BakeWorld::Parts& each) { return BakeWorld::is_hidden(object, each); });
    return by_parts ? Proof::parts : Proof::none;
}

bool is_left_out(const std::vector<Words>& sets, const BakeWorld::Member& member) {
    return std::any_of(sets.begin(), sets.end(), [&](const Words& set) { return !has(set, member.slot); });
}

/// Counts: behind walls, of all objects those that only parts leave out; else, of every fourth that is distant or
/// hidden from all corners, those that are left out.
template <auto away>
void count_reached(Trial& trial, const BakeWorld& world, std::size_t i, bool left_out, Proof proof) {
    if (away == behind_walls) {
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += std::uint64_t{proof == Proof::parts};
    } else if (i % 4 == 0 && (world.members[i].object.flags & lanecull::object_always_visible) == 0) {
        if (!left_out) proof = proof_of(world, world.exact_of(world.members[i]), {});
        trial.at(Tally::cases) += std::uint64_t{proof != Proof::none && proof != Proof::parts};
        trial.at(Tally::reached) += std::uint64_t{left_out && proof != Proof::parts};
    }
}

template <auto away>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    BakeWorld world;
    make<away>(trial.random, world);
    std::vector<lanecull::BakedCell> bakes;
    if (away == marked) mark_and_compare(trial, world);
    const std::vector<Words> sets = bake_all(trial, world, bakes);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        trial.answers.add_words(sets[s]);
        trial.at(Tally::verdicts) += world.members.size();
        trial.at(Tally::culled_occluded) += bakes[s].hidden;
        trial.at(Tally::culled_plane) += bakes[s].distant;
        check_counts(trial, world, sets[s], bakes[s]);
    }
    const std::vector<BakeWorld::Parts> parts = world.parts(bakes);
    for (std::size_t i = 0; i < world.members.size() && !trial.stopped(); ++i) {
        const BakeWorld::Member& member = world.members[i];
        const auto described = [&] {
            return world.text + "\n  object " + describe(member.kind, member.object, world.hulls);
        };
        const bool left_out = is_left_out(sets, member);
        Proof proof = Proof::none;
        if (left_out) {
            ++trial.at(Tally::exact_checks);
            const exact::Solid object = world.exact_of(member);
            proof = proof_of(world, object, parts);
            if (proof == Proof::none) {
                trial.fail(Tally::unproved, "near enough and hidden by no single solid, yet left out", described);
            } else if (proof != Proof::distant && trial.random.chance(0.2)) {
                ++trial.at(Tally::oracle_objects);
                if (!world.is_hidden(object, world.random_eye(trial.random)))
                    trial.fail(Tally::false_culls, "hidden from all corners, yet seen from within", described);
            }
        }
        count_reached<away>(trial, world, i, left_out, proof);
    }
}

// Worlds of any numbers.

/// Rationals would take too long with worlds that are not tame: whose numbers are of any size.
double any_number(Random& random, bool is_tame) {
    const double number = random.any_double();
    return is_tame && !moderate(number) ? 1 : number;
}

void make_any(Random& random, bool is_tame, BakeWorld& world) {
    world.cell.corners = static_cast<std::uint32_t>(random.below(10));
    const auto& first = world.cell.corner[0];
    for (auto& corner : world.cell.corner) {
        for (std::size_t k = 0; k < 3; ++k) {
            corner[k] = is_tame && &corner != &first ? first[k] + random.range(-1, 1) : any_number(random, is_tame);
        }
    }
    lanecull::BakeOptions& options = world.options;
    if (random.chance(0.2)) options.near_reach = std::fabs(any_number(random, is_tame));
    if (random.chance(0.5)) options.distance = std::fabs(any_number(random, is_tame));
    options.max_occluders = static_cast<std::uint32_t>(random.below(201));
    options.max_parts = static_cast<std::uint32_t>(random.below(9));
    for (int n = random.below(7); n > 0; --n) {
        lanecull::SolidBox& box = world.boxes.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            box.min[k] = static_cast<float>(any_number(random, is_tame));
            box.max[k] = box.min[k] + static_cast<float>(std::fabs(any_number(random, is_tame)));
            if (is_tame) box.max[k] = std::max(box.max[k], std::nextafter(box.min[k], HUGE_VALF));
        }
    }
    world.drawn = world.boxes;
    world.hulls = read_hulls(random, false);
    const Streams streams = {.margin = random.chance(0.5), .sweep = random.chance(0.5)};
    for (int n = 1 + random.below(3); n > 0; --n) {
        const Kind kind = all_kinds[random.below(std::size(all_kinds))];
        std::vector<Object> objects(static_cast<std::size_t>(1 + random.below(21)));
        for (Object& object : objects) {
            object = read_object(random, kind, world.hulls.size());
            read_attributes(random, streams, object);
        }
        world.add(kind, objects, streams);
    }
}

/// What a cell's set leaves out is a shape, and farther away than the distance or hidden from every corner of the cell.
void bake_any(Trial& trial) {
    BakeWorld world;
    const bool is_tame = trial.random.chance(0.7);
    make_any(trial.random, is_tame, world);
    world.scene.refit();
    lanecull::BakeScene prepared;
    require(prepared.prepare(world.scene, world.solids()));
    std::vector<std::byte> scratch(prepared.scratch_bytes());
    std::vector<Words> sets;
    std::vector<lanecull::BakedCell> bakes;
    ++trial.at(Tally::cases);
    for (const lanecull::Isa isa : trial.plan.isas) {
        world.options.isa = isa;
        Words& words = sets.emplace_back(prepared.visibility_words());
        lanecull::BakedCell& baked = bakes.emplace_back();
        if (!lanecull::bake_cell(prepared, world.cell, world.options, scratch, words, baked)) {
            if (words != Words(words.size()) || baked.visible + baked.hidden + baked.distant != 0) {
                trial.fail(Tally::invalid_told, "a failure writes", [&] { return world.text; });
            }
            return;
        }
        check_counts(trial, world, words, baked);
        trial.at(Tally::verdicts) += world.members.size();
    }
    ++trial.at(Tally::reached);
    if (!is_tame) return;
    world.finish();
    const std::vector<BakeWorld::Parts> parts = world.parts(bakes);
    for (const BakeWorld::Member& member : world.members) {
        if (!is_left_out(sets, member)) continue;
        ++trial.at(Tally::culled_occluded);
        const auto described = [&] { return describe(member.kind, member.object, world.hulls) + world.text; };
        if (is_invalid(member.kind, member.object)) {
            trial.fail(Tally::invalid_told, "no shape, yet left out", described);
        } else if (proof_of(world, world.exact_of(member), parts) == Proof::none) {
            trial.fail(Tally::unproved, "near enough and hidden by no single solid, yet left out", described);
        }
    }
}

constexpr Rate baked_rates[] = {{Tally::reached, Tally::cases, 0.8, 1, 50}};
/// A cell may be hidden from by another solid than those that were chosen.
constexpr Rate town_rates[] = {{Tally::reached, Tally::cases, 0.7, 1, 50}};
constexpr Rate walls_rates[] = {{Tally::reached, Tally::cases, 0.05, 1, 300}};
/// Of worlds: those that can be baked. Of objects: those that are left out.
constexpr Rate any_rates[] = {{Tally::reached, Tally::cases, 0.1, 0.95, 100},
                              {Tally::culled_occluded, Tally::verdicts, 0.001}};
constexpr Rate found_rates[] = {{Tally::reached, Tally::cases, 0.3, 0.99, 100}};
/// Of changed sets: those that are refused. Of changed files with the right checksums: those that can be read.
constexpr Rate set_rates[] = {{Tally::reached, Tally::cases, 0.5, 0.999, 100}};
constexpr Rate file_rates[] = {{Tally::reached, Tally::cases, 0.02, 0.8, 100}};

constexpr Family all_families[] = {
    {"baked", "visibility", run<0>, baked_rates},
    {"baked_behind_walls", "visibility", run<behind_walls>, walls_rates},
    {"baked_far_away", "visibility", run<1'000'000>, baked_rates},
    {"baked_marked", "visibility", run<marked>, baked_rates},
    {"baked_in_town", "visibility", run<in_town>, town_rates},
    {"baked_any", "visibility", run_cases<bake_any>, any_rates, true},
    {"cells_cover", "visibility", run_cases<cover_with_cells>, {}, true},
    {"cells_divided", "visibility", run_cases<divide_cell>, {}, true},
    {"cells_found", "visibility", run_cases<find_cell>, found_rates, true},
    {"sets_kept", "visibility", run_cases<keep_set>, {}, true},
    {"sets_changed", "visibility", run_cases<change_set>, set_rates, true},
    {"files_kept", "visibility", keep_file, {}, true},
    {"files_changed", "visibility", change_file, file_rates, true},
};

}  // namespace

std::span<const Family> visibility_families() { return all_families; }

}  // namespace properties
