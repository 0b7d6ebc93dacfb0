#include "properties/scenes/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "properties/bounds/shapes.hpp"
#include "scene/lists.hpp"
#include "support/files.hpp"

namespace properties {
namespace {

using lanecull::Handle;
using scene_tests::require;

/// Draw commands of a batch, by turns: none, copies of one template, or records of 28 bytes.
class Commands {
public:
    Commands(std::uint32_t number, std::size_t count) : of_(count, lanecull::DrawCommand{0, 0, 0, 0, 0}) {
        const bool are_records = number % 3 == 2;
        for (std::uint32_t i = 0; number % 3 != 0 && i < count; ++i) {
            of_[i] = {36 + number, 2, are_records ? 7 * i : number, -5, 1000 * number + i};
        }
        if (count == 0 || number % 3 == 0) return;
        if (!are_records) {
            templates_.first = of_.data();
            return;
        }
        records_.assign(7 * count, 0xdead);
        for (std::size_t i = 0; i < count; ++i) std::memcpy(&records_[7 * i], &of_[i], sizeof of_[i]);
        templates_ = {reinterpret_cast<const lanecull::DrawCommand*>(records_.data()),
                      lanecull::DrawTemplates::Per::object, 28};
    }
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;

    [[nodiscard]] const lanecull::DrawTemplates& templates() const { return templates_; }
    [[nodiscard]] const lanecull::DrawCommand& of(std::size_t object) const { return of_[object]; }

private:
    std::vector<lanecull::DrawCommand> of_;
    std::vector<std::uint32_t> records_;
    lanecull::DrawTemplates templates_;
};

}  // namespace

bool is_none(Kind kind, const Object& object) { return is_object(kind, object, ~std::size_t{0}) == false; }

bool has_box(Kind kind, const Object& object, const HullSet& hulls) {
    constexpr oracle::Real largest = 1e33L;
    if (has_quaternion(kind) && std::fabs(std::log10(square_of(object.fields.data() + 3, InDoubles{}).value)) > 34.9)
        return false;
    const oracle::Solid solid = solid_of(kind, object, hulls);
    return solid.magnitude < largest && solid.radius < largest;
}

void Shadow::write(Handle handle, Kind kind, const Object& object, const Streams& streams, const Double3& origin,
                   const lanecull::DrawCommand& command) {
    if (handle >= there_.size()) there_.resize(handle + 1);
    there_[handle] = {true, kind, {}, origin, command};
    there_[handle].object.fields = object.fields;
    there_[handle].object.hull = object.hull;
    copy_attributes(object, streams, there_[handle].object);
}

Format Shadow::format_of(const How& how) const {
    return {.bounds = how.bounds,
            .stride_floats = batches_ % 4 == 1    ? 19u
                             : batches_ % 64 == 2 ? 16'384u
                                                  : 0u,
            .first_index = batches_ % 2 == 0 ? 0u : 0xfffffff0u,
            .streams = how.streams};
}

void Shadow::add(Kind kind, std::span<const Object> objects, const How& how) {
    HeapMemory memory;
    lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, format_of(how));
    const Commands commands(batches_++, objects.size());
    batch.draws = commands.templates();
    std::vector<Handle> handles(objects.size());
    lanecull::AddOptions options{.mobility = how.mobility};
    std::copy(how.origin.begin(), how.origin.end(), options.origin);
    require(scene_.add({&batch, 1}, handles, options));
    for (std::size_t i = 0; i < objects.size(); ++i) {
        write(handles[i], kind, objects[i], how.streams, how.origin, commands.of(i));
    }
}

void Shadow::remove(std::span<const Handle> handles) {
    require(scene_.remove(handles));
    for (const Handle handle : handles) there_[handle].has = false;
}

void Shadow::replace(std::span<const Handle> handles, Kind kind, std::span<const Object> objects, const How& how) {
    HeapMemory memory;
    lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, format_of(how));
    const Commands commands(batches_++, objects.size());
    batch.draws = commands.templates();
    require(scene_.replace(handles, batch));
    for (std::size_t i = 0; i < handles.size(); ++i) {
        write(handles[i], kind, objects[i], how.streams, there_[handles[i]].origin, commands.of(i));
    }
}

void Shadow::place(std::span<const Handle> handles, Kind kind, std::span<const Object> objects, bool bounds) {
    std::vector<Handle> placed;
    for (const Handle handle : handles) {
        if (there_[handle].kind == kind) placed.push_back(handle);
    }
    HeapMemory memory;
    require(scene_.place(placed, make_batch(kind, objects.first(placed.size()), hulls_, memory, {.bounds = bounds})));
    for (std::size_t i = 0; i < placed.size(); ++i) {
        there_[placed[i]].object.fields = objects[i].fields;
        there_[placed[i]].object.hull = objects[i].hull;
    }
}

void Shadow::set_attributes(std::span<const Handle> handles, std::span<const Object> objects, const Streams& streams) {
    HeapMemory memory;
    require(scene_.set_attributes(handles,
                                  make_batch(Kind::sphere, objects, hulls_, memory, {.streams = streams}).attributes));
    for (std::size_t i = 0; i < handles.size(); ++i) copy_attributes(objects[i], streams, there_[handles[i]].object);
}

void Shadow::move(std::span<const Handle> handles, std::span<const std::array<float, 3>> by) {
    std::vector<float> way[3];
    for (std::size_t i = 0; i < handles.size(); ++i) {
        There& there = there_[handles[i]];
        const bool two = has_two_places(there.kind);
        for (std::size_t j = 0; j < 3; ++j) {
            way[j].push_back(by[i][j]);
            there.object.fields[place_field(there.kind, j)] += by[i][j];
            if (two) there.object.fields[3 + j] += by[i][j];
        }
    }
    require(scene_.move(handles, way[0].data(), way[1].data(), way[2].data()));
}

/// Of all blocks: how many are read must not depend on the time.
std::uint64_t Shadow::rebuild_in_parts() {
    std::uint64_t moved = 0;
    for (bool all_seen = false; !all_seen;) {
        const lanecull::PartialRebuild done = scene_.rebuild_within(~std::uint64_t{0});
        moved += done.objects, all_seen = done.all_seen;
    }
    return moved;
}

void Shadow::rebuild() { require(scene_.rebuild()); }

void Shadow::save_and_load() {
    const SceneFile file(scene_);
    lanecull::Scene loaded;
    require(lanecull::Scene::load(file.path(), loaded));
    if (SceneFile(loaded).bytes() != file.bytes()) throw std::runtime_error("a scene that was loaded is another");
    scene_ = std::move(loaded);
}

std::vector<Handle> Shadow::some(Random& random, std::size_t count) const {
    std::vector<Handle> handles;
    for (Handle handle = 0; handle < there_.size(); ++handle) {
        if (there_[handle].has) handles.push_back(handle);
    }
    count = std::min(count, handles.size());
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(handles[i], handles[i + random.bits() % (handles.size() - i)]);
    }
    handles.resize(count);
    return handles;
}

}  // namespace properties
