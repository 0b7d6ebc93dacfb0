#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/visibility.h>

#include "prove/family.hpp"
#include "visibility/world.hpp"

/// Baked cells: whatever a set leaves out is farther away than the distance, or hidden from every corner of the cell by
/// one solid that no near plane may cut, or by one from those of each part that it was baked in, in rationals. An
/// object in a set is a verdict.
namespace prove {
namespace {

constexpr std::size_t solids = 8, objects_of_a_kind = 16;

using Words = std::vector<std::uint64_t>;

Words bake(const BakeWorld& world, const lanecull::BakeScene& prepared, lanecull::Isa isa, lanecull::BakedCell& baked) {
    lanecull::BakeOptions options = world.options;
    options.isa = isa;
    Words words(prepared.visibility_words());
    std::vector<std::byte> scratch(prepared.scratch_bytes());
    const lanecull::Status status = lanecull::bake_cell(prepared, world.cell, options, scratch, words, baked);
    if (!status) throw std::runtime_error(status.message());
    return words;
}

bool has(const Words& words, std::size_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

/// Walls that each hide from one side of the cell.
constexpr int behind_walls = -1;
/// Objects that flags, layers or limits would keep out of a frame.
constexpr int marked = -2;

/// `away`: how far the world's origin is from the camera.
template <auto away>
void make(Random& random, BakeWorld& world) {
    if (away == behind_walls) {
        Double3 at;
        for (double& coordinate : at) coordinate = random.sign() * random.log_range(1e-3, 1e4);
        return make_walls(random, at, objects_of_a_kind / 2, world);
    }
    Camera camera = random_camera(random, all_projections[random.below(std::size(all_projections))]);
    if (away > 0) camera.single = false;
    for (std::size_t k = 0; k < 3 && away > 0; ++k) {
        const double by = random.sign() * random.log_range(1e2, away);
        camera.clip_space.origin[k] += by;
        camera.eye[k] += by;
    }
    make_world(random, camera, solids, objects_of_a_kind, world);
    if (away == marked) world.mark(random, lanecull::object_disabled | lanecull::object_always_visible);
}

template <auto away>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    BakeWorld world;
    make<away>(trial.random, world);
    lanecull::BakeScene prepared;
    const lanecull::Status status = prepared.prepare(world.scene, world.solids());
    if (!status) throw std::runtime_error(status.message());
    std::vector<Words> sets;
    std::vector<lanecull::BakedCell> bakes;
    for (const lanecull::Isa isa : trial.plan.isas) {
        lanecull::BakedCell baked;
        sets.push_back(bake(world, prepared, isa, baked));
        bakes.push_back(baked);
        trial.answers.add_words(sets.back());
        trial.at(Tally::verdicts) += world.members.size();
        trial.at(Tally::culled_occluded) += baked.hidden;
        trial.at(Tally::culled_plane) += baked.distant;
    }
    const std::vector<BakeWorld::Parts> parts = world.parts(bakes);
    for (const BakeWorld::Member& member : world.members) {
        if (trial.stopped()) return;
        const auto described = [&] {
            return world.text + "\n  object " + describe(member.kind, member.object, world.hulls);
        };
        bool is_left_out = false;
        for (const Words& set : sets) is_left_out = is_left_out || !has(set, member.slot);
        if (!is_left_out) continue;
        ++trial.at(Tally::exact_checks);
        const exact::Solid object = world.exact_of(member);
        if (world.is_distant(object)) continue;
        // Which set left it out does not matter: what any parts prove holds for the cell.
        const bool is_proved = BakeWorld::is_hidden(object, world.corners()) ||
                               std::any_of(parts.begin(), parts.end(), [&](const BakeWorld::Parts& each) {
                                   return BakeWorld::is_hidden(object, each);
                               });
        if (!is_proved) {
            trial.fail(Tally::unproved, "near enough and hidden by no single solid, yet left out", described);
        } else if (trial.random.chance(0.2)) {
            ++trial.at(Tally::oracle_objects);
            if (!world.is_hidden(object, world.random_eye(trial.random)))
                trial.fail(Tally::false_culls, "hidden from all corners, yet seen from within", described);
        }
    }
}

constexpr Family all_families[] = {
    {"baked", "visibility", run<0>},
    {"baked_behind_walls", "visibility", run<behind_walls>},
    {"baked_far_away", "visibility", run<1'000'000>},
    {"baked_marked", "visibility", run<marked>},
};

}  // namespace

std::span<const Family> visibility_families() { return all_families; }

}  // namespace prove
