#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/solids.h>

#include "prove/family.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"

/// Solid boxes: a merged box lies in the union of its owners, each solid lies in a result; a mesh's box or hull lies
/// within the mesh, in rationals. A box is a verdict, and a hull.
namespace prove {
namespace {

constexpr int lists = 8, meshes_of_a_trial = 6;

template <merging::Family family>
void merge(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (int i = 0; i < lists && !trial.stopped(); ++i) {
        const merging::BoxList given = merging::random_boxes(trial.random, family);
        lanecull::SolidBoxes merged;
        const lanecull::Status status = lanecull::merge_boxes(given.boxes(), merged);
        if (!status) throw std::runtime_error(status.message());
        trial.at(Tally::verdicts) += merged.count();
        trial.at(Tally::exact_checks) += merged.count();
        const std::string wrong = merging::what_is_wrong(given, merged, true);
        if (!wrong.empty()) trial.fail(Tally::unproved, wrong, [&] { return given.describe(); });
        const std::string could_grow = merging::what_could_grow(given, merged);
        if (!could_grow.empty()) trial.fail(Tally::untold, could_grow, [&] { return given.describe(); });
    }
}

/// `middle`: within a box that is inside.
void fill_by_hull(Trial& trial, const meshes::Mesh& mesh, const meshes::Corner& middle) {
    lanecull::SolidHull hull;
    const float inside[3] = {middle[0], middle[1], middle[2]};
    if (!lanecull::solid_hull(mesh.view(), inside, hull)) return;  // there need not be one
    ++trial.at(Tally::verdicts);
    ++trial.at(Tally::exact_checks);
    const std::string wrong = meshes::what_is_wrong(mesh, hull, trial.random);
    if (!wrong.empty()) trial.fail(Tally::unproved, wrong, [&] { return mesh.describe(); });
}

template <meshes::Family family>
void fill(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    for (int i = 0; i < meshes_of_a_trial && !trial.stopped(); ++i) {
        const meshes::Mesh mesh = meshes::random_mesh(random, family);
        lanecull::SolidBoxes boxes;
        const lanecull::MeshSolidOptions options{.resolution = static_cast<std::uint32_t>(1 + random.below(16)),
                                                 .max_boxes = static_cast<std::uint32_t>(1 + random.below(12)),
                                                 .is_ungrown = random.chance(0.3)};
        const lanecull::Status status = lanecull::solid_boxes(mesh.view(), boxes, options);
        if (!status) throw std::runtime_error(status.message());
        trial.at(Tally::verdicts) += boxes.count();
        trial.at(Tally::exact_checks) += boxes.count();
        const std::string wrong = meshes::what_is_wrong(mesh, boxes, random, family == meshes::Family::several);
        if (!wrong.empty()) trial.fail(Tally::unproved, wrong, [&] { return mesh.describe(); });
        if (boxes.count() > 0) fill_by_hull(trial, mesh, meshes::middle_of(boxes, 0));
    }
}

constexpr Family all_families[] = {
    {"merged_lattice", "solids", merge<merging::Family::lattice>},
    {"merged_modules", "solids", merge<merging::Family::modules>},
    {"merged_scattered", "solids", merge<merging::Family::scattered>},
    {"merged_mixed", "solids", merge<merging::Family::mixed>},
    {"filled_rectilinear", "solids", fill<meshes::Family::rectilinear>},
    {"filled_round", "solids", fill<meshes::Family::round>},
    {"filled_turned", "solids", fill<meshes::Family::turned>},
    {"filled_several", "solids", fill<meshes::Family::several>},
    {"filled_thin", "solids", fill<meshes::Family::thin>},
    {"filled_extreme", "solids", fill<meshes::Family::extreme>},
    {"filled_balanced", "solids", fill<meshes::Family::balanced>},
};

}  // namespace

std::span<const Family> solid_families() { return all_families; }

}  // namespace prove
