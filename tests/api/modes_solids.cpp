#include <cmath>
#include <vector>

#include <lanecull/solids.h>

#include "api/modes_calls.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"
#include "support/random.hpp"

/// Solid boxes.
namespace modes {
namespace {

using lanecull::SolidBoxes;
using merging::BoxList;

void add(Answer& answer, const SolidBoxes& boxes) {
    const lanecull::Boxes b = boxes.boxes();
    for (const float* stream : {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z}) {
        answer.add(std::span(stream, b.count));
    }
    for (std::uint32_t i = 0; i < b.count; ++i) answer.add(boxes.owners(i));
}

const std::vector<BoxList>& lists() {
    static const std::vector<BoxList> all = [] {
        std::vector<BoxList> made;
        Random random(31);
        for (int i = 0; i < 60; ++i) {
            made.push_back(merging::random_boxes(
                random, static_cast<merging::Family>(i % static_cast<int>(merging::Family::families))));
        }
        return made;
    }();
    return all;
}

void merge_boxes(Answer& answer) {
    for (const BoxList& list : lists()) {
        SolidBoxes merged;
        answer.add(lanecull::merge_boxes(list.boxes(), merged));
        add(answer, merged);
    }
}

const std::vector<meshes::Mesh>& all_meshes() {
    static const std::vector<meshes::Mesh> all = [] {
        std::vector<meshes::Mesh> made;
        Random random(32);
        for (int i = 0; i < 18; ++i) {
            made.push_back(meshes::random_mesh(
                random, static_cast<meshes::Family>(i % static_cast<int>(meshes::Family::families))));
        }
        return made;
    }();
    return all;
}

void solid_boxes(Answer& answer) {
    for (const meshes::Mesh& mesh : all_meshes()) {
        SolidBoxes boxes;
        lanecull::MeshVolumes volumes;
        answer.add(lanecull::solid_boxes(mesh.view(), boxes, {.resolution = 8}, &volumes));
        answer.add(volumes);
        add(answer, boxes);
    }
}

/// Points inside of all_meshes(); found once, under the usual modes.
const std::vector<meshes::Corner>& all_middles() {
    static const std::vector<meshes::Corner> all = [] {
        std::vector<meshes::Corner> middles;
        for (const meshes::Mesh& mesh : all_meshes()) {
            SolidBoxes boxes;
            const bool any = lanecull::solid_boxes(mesh.view(), boxes, {.resolution = 8}).ok() && boxes.count() > 0;
            middles.push_back(any ? meshes::middle_of(boxes, 0) : meshes::Corner{});
        }
        return middles;
    }();
    return all;
}

void solid_hull(Answer& answer) {
    for (std::size_t i = 0; i < all_middles().size(); ++i) {
        const meshes::Corner& middle = all_middles()[i];
        const float inside[3] = {middle[0], middle[1], middle[2]};
        lanecull::SolidHull hull;
        double volume = 0;
        answer.add(lanecull::solid_hull(all_meshes()[i].view(), inside, hull, &volume));
        answer.add(hull);
        answer.add(volume);
    }
}

/// A function that only looks at a result.
template <class Look>
void look(const Look& at) {
    SolidBoxes merged;
    if (lanecull::merge_boxes(lists().front().boxes(), merged)) at(merged);
}
void count(Answer& answer) {
    look([&](const SolidBoxes& merged) { answer.add(merged.count()); });
}
void boxes(Answer& answer) {
    look([&](const SolidBoxes& merged) { add(answer, merged); });
}
void owners(Answer& answer) {
    look([&](const SolidBoxes& merged) { answer.add(merged.owners(0)); });
}

}  // namespace

std::span<const PublicCall> solid_calls() {
    static constexpr PublicCall calls[] = {
        {"lanecull_merge_boxes", merge_boxes},    {"lanecull_find_mesh_solids", solid_boxes},
        {"lanecull_find_solid_hull", solid_hull}, {"lanecull_solid_box_count", count},
        {"lanecull_solid_box_streams", boxes},    {"lanecull_solid_box_owners", owners}};
    return calls;
}

}  // namespace modes
