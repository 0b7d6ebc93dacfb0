#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/solids.h>

#include "base/memory.hpp"
#include "occluders/mesh_steps.hpp"
#include "occluders/owners.hpp"
#include "properties/family.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"

/// Solid boxes: a merged box lies in the union of its owners, each solid lies in a result; a mesh's box or hull lies
/// within the mesh, in rationals. A box is a verdict, and a hull.
namespace properties {
namespace {

using lanecull::SolidBoxes;
using merging::BoxList;
using merging::GivenBox;
using meshes::Corner;
using meshes::Mesh;

// Merged boxes.

SolidBoxes merged_of(const BoxList& given, std::uint32_t most = 0) {
    SolidBoxes merged;
    const lanecull::Status status = lanecull::merge_boxes(given.boxes(), merged, {.max_boxes = most});
    if (!status) throw std::runtime_error(status.message());
    return merged;
}

/// The first `count` boxes are the same, and so are their owners, which number_of() renumbers.
template <class NumberOf>
bool are_first(const SolidBoxes& some, const SolidBoxes& all, const NumberOf& number_of) {
    const BoxList a(some.boxes()), b(all.boxes());
    for (std::uint32_t r = 0; r < some.count(); ++r) {
        std::vector<std::uint32_t> owners;
        for (const std::uint32_t owner : some.owners(r)) owners.push_back(number_of(owner));
        if (a[r].lo != b[r].lo || a[r].hi != b[r].hi || !std::ranges::equal(owners, all.owners(r))) return false;
    }
    return true;
}

/// The oracle's verdict; what is no solid changes nothing; a limit leaves the first, which are the largest.
void check_merging(Trial& trial, const BoxList& given, std::uint32_t most) {
    const SolidBoxes merged = merged_of(given);
    trial.at(Tally::verdicts) += merged.count();
    trial.at(Tally::exact_checks) += merged.count();
    trial.at(Tally::cases) += merged.count();
    for (std::uint32_t r = 0; r < merged.count(); ++r) {
        trial.at(Tally::reached) += std::uint64_t{merged.owners(r).size() > 1};
    }
    const auto refute = [&](Tally::Count count, const std::string& what) {
        if (!what.empty()) trial.fail(count, what, [&] { return given.describe(); });
    };
    refute(Tally::unproved, merging::what_is_wrong(given, merged, true));
    refute(Tally::untold, merging::what_could_grow(given, merged));
    BoxList solids;
    std::vector<std::uint32_t> number;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!merging::is_solid(given[i])) continue;
        solids.add(given[i]);
        number.push_back(static_cast<std::uint32_t>(i));
    }
    const SolidBoxes of_solids = merged_of(solids), largest = merged_of(given, most);
    if (of_solids.count() != merged.count() ||
        !are_first(of_solids, merged, [&](std::uint32_t owner) { return number[owner]; })) {
        refute(Tally::invalid_told, "what is no solid changes the result");
    }
    if (largest.count() != std::min(merged.count(), most) ||
        !are_first(largest, merged, [](std::uint32_t owner) { return owner; })) {
        refute(Tally::untold, "a limit leaves others than the first");
    }
}

template <merging::Family family>
void merge(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const int lists = trial.plan.objects < 48 ? 1 : 8;  // one of a fuzzer's bytes
    for (int i = 0; i < lists && !trial.stopped(); ++i) {
        check_merging(trial, merging::random_boxes(trial.random, family), 3);
    }
}

void merge_any(Trial& trial) {
    Random& random = trial.random;
    BoxList given;
    for (int n = random.below(25); n > 0; --n) {
        GivenBox box{};
        for (std::size_t k = 0; k < 3; ++k) {
            box.lo[k] = random.any_float();
            box.hi[k] = random.below(16) == 0 ? random.any_float() : box.lo[k] + random.any_size();
        }
        given.add(box);
    }
    check_merging(trial, given, static_cast<std::uint32_t>(1 + random.below(6)));
}

// The second proof that a box lies in a union, given boxes that do and boxes that do not. The results of merge_boxes()
// never need the answer no.

lanecull::solids::Solid solid_of(const GivenBox& box) {
    lanecull::solids::Solid solid;
    for (std::size_t k = 0; k < 3; ++k) solid.lo[k] = box.lo[k] + 0.0f, solid.hi[k] = box.hi[k] + 0.0f;
    return solid;
}

/// A box between faces of the solids; two in three times within some solid's bounds along an axis.
GivenBox box_among(Random& random, const std::vector<GivenBox>& solids) {
    GivenBox box{};
    const auto any = [&] { return solids[static_cast<std::size_t>(random.below(static_cast<int>(solids.size())))]; };
    const GivenBox around = any();
    for (std::size_t k = 0; k < 3; ++k) {
        box.lo[k] = around.lo[k], box.hi[k] = around.hi[k];
        for (int attempt = 0; attempt < 8; ++attempt) {
            const GivenBox a = random.chance(0.6) ? around : any(), b = random.chance(0.6) ? around : any();
            const float low = random.chance(0.8) ? a.lo[k] : a.hi[k], high = random.chance(0.8) ? b.hi[k] : b.lo[k];
            if (!(low < high)) continue;
            box.lo[k] = low, box.hi[k] = high;
            break;
        }
    }
    return box;
}

void find_owners(Trial& trial) {
    using lanecull::Array;
    using lanecull::solids::OwnerSearch;
    Random& random = trial.random;
    const BoxList list = merging::random_boxes(
        random, static_cast<merging::Family>(random.below(static_cast<int>(merging::Family::mixed))));
    std::vector<GivenBox> given;
    Array<lanecull::solids::Solid> solids;
    bool has_memory = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!merging::is_solid(list[i])) continue;
        given.push_back(list[i]);
        has_memory = has_memory && solids.push(solid_of(list[i]));
    }
    if (given.empty()) return;
    OwnerSearch search, hasty(OwnerSearch::Work{0, 0});  // without time to choose
    if (!has_memory || !search.prepare(solids) || !hasty.prepare(solids)) throw std::runtime_error("no memory");
    for (int i = 0; i < 20; ++i) {
        const GivenBox box = box_among(random, given);
        const auto refute = [&](const char* what) {
            trial.fail(Tally::unproved, what, [&] { return list.describe() + BoxList({box}).describe(); });
        };
        const auto do_cover = [&](const Array<std::uint32_t>& owners) {
            std::vector<GivenBox> covers;
            for (const std::uint32_t owner : owners) covers.push_back(given[owner]);
            return merging::in_union(covers, box) && std::is_sorted(owners.begin(), owners.end());
        };
        Array<std::uint32_t> owners, all;
        const bool is_covered = search.find(solid_of(box), owners) == OwnerSearch::Answer::covered;
        ++trial.at(Tally::cases);
        ++trial.at(Tally::verdicts);
        if (is_covered != merging::in_union(given, box)) refute("covered by the union, or by its owners, but not both");
        if (!is_covered) {
            ++trial.at(Tally::refused);
            if (owners.size() != 0) refute("not covered, yet with owners");
            continue;
        }
        trial.at(Tally::reached) += std::uint64_t{owners.size() > 1};
        if (!do_cover(owners)) refute("not covered by its owners");
        if (hasty.find(solid_of(box), all) != OwnerSearch::Answer::covered || !do_cover(all) ||
            all.size() < owners.size()) {
            refute("not covered by the owners that are found in haste");
        }
    }
}

// Boxes and hulls inside meshes.

/// `middle`: within a box that is inside.
void fill_by_hull(Trial& trial, const Mesh& mesh, const Corner& middle) {
    lanecull::SolidHull hull;
    double volume = -1;
    const float inside[3] = {middle[0], middle[1], middle[2]};
    const auto text = [&] { return mesh.describe(); };
    if (!lanecull::solid_hull(mesh.view(), inside, hull, &volume)) {  // there need not be one
        if (hull.corner_count != 0 || volume != -1) trial.fail(Tally::invalid_told, "a failure writes", text);
        return;
    }
    ++trial.at(Tally::verdicts);
    ++trial.at(Tally::exact_checks);
    const std::string wrong = meshes::what_is_wrong(mesh, hull, trial.random);
    if (!wrong.empty()) trial.fail(Tally::unproved, wrong, text);
}

/// Boxes of a mesh, which is closed or must be refused. `may_have_sheets`: its surface may go through a box.
void check_filling(Trial& trial, const Mesh& mesh, const lanecull::MeshSolidOptions& options, bool is_closed,
                   bool may_have_sheets) {
    const auto text = [&] { return mesh.describe(); };
    SolidBoxes boxes;
    lanecull::MeshVolumes volumes{-1, -1};
    const lanecull::Status status = lanecull::solid_boxes(mesh.view(), boxes, options, &volumes);
    ++trial.at(Tally::cases);
    if (status.ok() != is_closed) {
        trial.fail(Tally::invalid_told, is_closed ? "closed, yet refused" : "not closed, yet taken", text);
    }
    if (!status) {
        if (boxes.count() != 0 || volumes.mesh != -1 || volumes.boxes != -1) {
            trial.fail(Tally::invalid_told, "a failure writes", text);
        }
        return;
    }
    trial.at(Tally::verdicts) += boxes.count();
    trial.at(Tally::exact_checks) += boxes.count();
    if (boxes.count() > options.max_boxes) trial.fail(Tally::untold, "more boxes than allowed", text);
    const std::string wrong = meshes::what_is_wrong(mesh, boxes, trial.random, may_have_sheets);
    if (!wrong.empty()) trial.fail(Tally::unproved, wrong, text);
    if (boxes.count() == 0) return;
    ++trial.at(Tally::reached);
    fill_by_hull(trial, mesh, meshes::middle_of(boxes, 0));
}

lanecull::MeshSolidOptions random_options(Random& random, int most_cells) {
    return {.resolution = static_cast<std::uint32_t>(1 + random.below(most_cells)),
            .max_boxes = static_cast<std::uint32_t>(1 + random.below(12)),
            .is_ungrown = random.chance(0.3)};
}

template <meshes::Family family>
void fill(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (int i = 0; i < 10 && !trial.stopped(); ++i) {
        const Mesh mesh = meshes::random_mesh(trial.random, family);
        check_filling(trial, mesh, random_options(trial.random, 16), true, family == meshes::Family::several);
    }
}

/// The surface of some cells of a grid, of which some corners are moved.
Mesh any_closed_mesh(Random& random) {
    std::array<std::vector<float>, 3> lines;
    for (auto& axis : lines) {
        axis.resize(static_cast<std::size_t>(2 + random.below(3)));
        for (float& line : axis) line = random.any_float();
        std::erase_if(axis, [](float line) { return !std::isfinite(line); });
        std::sort(axis.begin(), axis.end());
        axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
        if (axis.empty()) axis.push_back(0);
    }
    const std::uint64_t solid = random.bits();
    Mesh mesh = meshes::surface_of(lines, [&](int i, int j, int k) { return (solid >> (9 * i + 3 * j + k) & 1) != 0; });
    for (int moved = mesh.vertices.empty() ? 0 : random.below(7); moved > 0; --moved) {
        const Corner from = mesh.vertices[random.bits() % mesh.vertices.size()];
        const Corner to = {random.any_float(), random.any_float(), random.any_float()};
        std::replace(mesh.vertices.begin(), mesh.vertices.end(), from, to);
    }
    return mesh;
}

/// Leaves out a triangle, turns it over, repeats it, or moves a corner of it by a step.
void open(Random& random, Mesh& mesh) {
    const std::size_t t = random.bits() % mesh.triangles.size(), c = random.bits() % 3;
    switch (random.below(4)) {
        case 0:
            std::swap(mesh.triangles[t], mesh.triangles.back());
            mesh.triangles.pop_back();
            break;
        case 1:
            std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
            break;
        case 2:
            mesh.triangles.push_back(mesh.triangles[t]);
            break;
        default:
            mesh.vertices.push_back(mesh.vertices[mesh.triangles[t][c]]);
            mesh.vertices.back()[0] = std::nextafter(mesh.vertices.back()[0], 100.0f);
            mesh.triangles[t][c] = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
    }
}

Mesh any_mesh(Random& random) {
    Mesh mesh;
    mesh.vertices.resize(static_cast<std::size_t>(1 + random.below(8)));
    for (Corner& v : mesh.vertices) v = {random.any_float(), random.any_float(), random.any_float()};
    mesh.triangles.resize(static_cast<std::size_t>(random.below(13)));
    for (meshes::Index3& t : mesh.triangles) {
        for (std::uint32_t& index : t) index = static_cast<std::uint32_t>(random.bits() % (mesh.vertices.size() + 1));
    }
    return mesh;
}

bool is_readable(const Mesh& mesh) {
    const auto is_finite = [](const Corner& v) {
        return std::ranges::all_of(v, [](float x) { return std::isfinite(x); });
    };
    const auto is_in_range = [&](const meshes::Index3& t) { return std::ranges::max(t) < mesh.vertices.size(); };
    return !mesh.triangles.empty() && std::ranges::all_of(mesh.vertices, is_finite) &&
           std::ranges::all_of(mesh.triangles, is_in_range);
}

/// As often one way as the other, edge by edge. (-0 is 0 in a map's order, too.)
bool is_closed(const Mesh& mesh) {
    std::map<std::pair<Corner, Corner>, int> edges;
    for (const meshes::Index3& t : mesh.triangles) {
        for (std::size_t c = 0; c < 3; ++c) {
            const Corner &from = mesh.vertices[t[c]], &to = mesh.vertices[t[(c + 1) % 3]];
            if (from < to) ++edges[{from, to}];
            if (to < from) --edges[{to, from}];
        }
    }
    return std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 0; });
}

/// Moved corners may lay sheets of the surface into one another, so its inside is judged by winding numbers.
void fill_any(Trial& trial) {
    Random& random = trial.random;
    const int which = random.below(4);
    Mesh mesh = which == 0 ? any_mesh(random) : any_closed_mesh(random);
    if (which == 1 && !mesh.triangles.empty()) open(random, mesh);
    if (mesh.vertices.empty()) return;
    check_filling(trial, mesh, random_options(random, 12), is_readable(mesh) && is_closed(mesh), true);
}

/// However many coordinates the corners have, no axis has more cells than requested.
void lay_lines(Trial& trial) {
    Random& random = trial.random;
    lanecull::Array<lanecull::solids::Triangle> triangles;
    bool has_memory = true;
    for (int n = 1 + random.below(60); n > 0; --n) {
        lanecull::solids::Triangle t{};
        for (auto& corner : t.corner) {
            for (float& x : corner) x = static_cast<float>(random.below(40)) * (random.chance(0.2) ? 1.1f : 1.0f);
        }
        has_memory = has_memory && triangles.push(t);
    }
    const auto resolution = static_cast<std::uint32_t>(1 + random.below(90));
    lanecull::solids::CellGrid grid;
    if (!has_memory || !lanecull::solids::lay_lines(triangles, resolution, grid)) throw std::runtime_error("no memory");
    for (std::size_t k = 0; k < 3; ++k) {
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += std::uint64_t{grid.cells(k) == resolution};
        if (grid.cells(k) > resolution) trial.fail(Tally::untold, "more cells than asked for", [] { return ""; });
    }
}

/// Of results: those of several boxes. Of meshes: those with boxes.
constexpr Rate merge_rates[] = {{Tally::reached, Tally::cases, 0.02, 1, 500}};
constexpr Rate fill_rates[] = {{Tally::reached, Tally::cases, 0.3, 1, 50}};
constexpr Rate thin_rates[] = {{Tally::reached, Tally::cases, 0.1, 1, 50}};
/// Of boxes: those of several owners, and those that are not covered.
constexpr Rate owner_rates[] = {{Tally::reached, Tally::cases, 0.06}, {Tally::refused, Tally::cases, 0.1, 0.8}};
constexpr Rate line_rates[] = {{Tally::reached, Tally::cases, 0.1, 1, 500}};

constexpr Family all_families[] = {
    {"merged_lattice", "solids", merge<merging::Family::lattice>, merge_rates, true},
    {"merged_modules", "solids", merge<merging::Family::modules>, merge_rates, true},
    {"merged_mixed", "solids", merge<merging::Family::mixed>, merge_rates, true},
    {"filled_simple", "solids", fill<meshes::Family::simple>, fill_rates},
    {"filled_several", "solids", fill<meshes::Family::several>, fill_rates},
    {"filled_thin", "solids", fill<meshes::Family::thin>, thin_rates},
    {"filled_extreme", "solids", fill<meshes::Family::extreme>, fill_rates},
    {"filled_balanced", "solids", fill<meshes::Family::balanced>, thin_rates},
    {"merged_any", "solids", run_cases<merge_any>, merge_rates, true},
    {"filled_any", "solids", run_cases<fill_any>, thin_rates, true},
    {"owners_found", "solids", run_cases<find_owners>, owner_rates, true},
    {"lines_laid", "solids", run_cases<lay_lines>, line_rates, true},
};

}  // namespace

std::span<const Family> solid_families() { return all_families; }

}  // namespace properties
