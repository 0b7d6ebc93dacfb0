#include "scene/shadowed.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <utility>

#include "support/culling.hpp"
#include "support/scene_file.hpp"

using lanecull::Handle;
using lanecull::Mobility;
using lanecull::Scene;
using lanecull::SceneOutput;

void Shadowed::add(std::size_t count) {
    const Kind kind = any_kind();
    std::vector<Object> objects;
    while (objects.size() < count) objects.push_back(any_object(kind));
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.streams = any_streams(objects)});
    std::vector<Handle> handles(count);
    const Mobility mobility = random_.chance(0.5) ? Mobility::fixed : Mobility::moving;
    const lanecull::Status status = scene.add({&batch, 1}, handles, {.mobility = mobility});
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t i = 0; i < count; ++i) {
        if (handles[i] >= there_.size()) there_.resize(handles[i] + 1);
        ASSERT_FALSE(there_[handles[i]].has) << "a name was given twice";
        there_[handles[i]] = {true, kind, objects[i]};
        named_.push_back(handles[i]);
    }
}

void Shadowed::remove(std::size_t count) {
    const std::vector<Handle> handles = some(count);
    ASSERT_TRUE(scene.remove(handles).ok());
    for (const Handle h : handles) there_[h].has = false;
    std::erase_if(named_, [&](Handle h) { return !there_[h].has; });
}

void Shadowed::replace(std::size_t count) {
    const std::vector<Handle> handles = some(count);
    const Kind kind = any_kind();
    std::vector<Object> objects;
    while (objects.size() < handles.size()) objects.push_back(any_object(kind));
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.streams = any_streams(objects)});
    ASSERT_TRUE(scene.replace(handles, batch).ok());
    for (std::size_t i = 0; i < handles.size(); ++i) there_[handles[i]] = {true, kind, objects[i]};
}

void Shadowed::move(std::size_t count) {
    const std::vector<Handle> handles = some(count);
    std::vector<float> by[3];
    for (const Handle h : handles) {
        float d[3];
        for (std::size_t j = 0; j < 3; ++j) by[j].push_back(d[j] = static_cast<float>(random_.range(-4, 4)));
        shift(there_[h], d);
    }
    ASSERT_TRUE(scene.move(handles, by[0].data(), by[1].data(), by[2].data()).ok());
}

void Shadowed::place(std::size_t count) {
    std::vector<Handle> handles = some(count);
    if (handles.empty()) return;
    const Kind kind = there_[handles[0]].kind;
    std::erase_if(handles, [&](Handle h) { return there_[h].kind != kind; });
    std::vector<Object> objects;
    while (objects.size() < handles.size()) objects.push_back(any_object(kind));
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.bounds = random_.chance(0.5)});
    ASSERT_TRUE(scene.place(handles, batch).ok());
    for (std::size_t i = 0; i < handles.size(); ++i) {
        Object& object = there_[handles[i]].object;
        object.fields = objects[i].fields;
        object.hull = objects[i].hull;
    }
}

void Shadowed::set_attributes(std::size_t count) {
    const std::vector<Handle> handles = some(count);
    std::vector<Object> objects(handles.size());
    for (Object& object : objects) {
        if (random_.chance(0.5)) object.margin = static_cast<float>(random_.unit());
        if (random_.chance(0.5)) mark(random_, object);
        if (random_.chance(0.5)) object.max_distance = static_cast<float>(random_.range(10, 200));
        if (random_.chance(0.2)) object.min_distance = static_cast<float>(random_.range(10, 200));
        for (float& by : object.sweep) by = static_cast<float>(random_.range(-1, 1));
    }
    // One attribute in four; the others stay.
    Streams streams;
    for (bool Streams::*has : {&Streams::margin, &Streams::sweep, &Streams::flags, &Streams::layers,
                               &Streams::max_distance, &Streams::min_distance}) {
        streams.*has = random_.chance(0.25);
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::sphere, objects, {}, memory, {.streams = streams});
    ASSERT_TRUE(scene.set_attributes(handles, batch.attributes).ok());
    for (std::size_t i = 0; i < handles.size(); ++i) {
        copy_attributes(objects[i], streams, there_[handles[i]].object);
    }
}

void Shadowed::save_and_load() {
    const SceneFile file(scene);
    Scene loaded;
    const lanecull::Status status = Scene::load(file.path(), loaded);
    ASSERT_TRUE(status.ok()) << status.message();
    scene = std::move(loaded);
}

void Shadowed::edit(std::size_t most) {
    const auto count = static_cast<std::size_t>(random_.range(1, static_cast<double>(most) + 1));
    switch (random_.below(6)) {
        case 0:
            return named_.size() > upper_ ? remove(count) : add(count);
        case 1:
            return named_.size() < upper_ / 2 ? add(count) : remove(count);
        case 2:
            return replace(count);
        case 3:
            return place(8 * count);
        case 4:
            return set_attributes(count);
        default:
            return move(count);
    }
}

void Shadowed::compare() {
    ASSERT_EQ(scene.object_count(), named_.size());
    PreparedCamera prepared = any_camera();
    std::vector<std::uint64_t> words(lanecull::visibility_words(scene)), inside(words.size());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    SceneOutput of_scene;
    lanecull::Output output{.visible = words, .inside = inside, .scene = &of_scene};
    const lanecull::Status status = lanecull::cull(scene, {&prepared.view, 1}, {&output, 1}, scratch);
    ASSERT_TRUE(status.ok()) << status.message();
    visible += output.visible_count;
    outside += of_scene.outside_objects;
    std::uint64_t seen = 0;
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects;
        std::vector<Handle> handles;
        for (const Handle h : named_) {
            if (there_[h].kind != kind) continue;
            handles.push_back(h);
            objects.push_back(there_[h].object);
        }
        if (handles.empty()) continue;
        HeapMemory memory;
        // Bounding spheres are those that scenes compute: a moved hull's is not the moved sphere.
        const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.streams = Streams::all()});
        const ViewResult flat = run_cull(batch, prepared.view);
        for (std::size_t i = 0; i < handles.size(); ++i) {
            std::uint32_t slot = 0;
            ASSERT_TRUE(scene.slot_of(handles[i], slot).ok());
            const bool here = (words[slot / 64] >> slot % 64 & 1) != 0;
            seen += here;
            ASSERT_EQ(here, flat.visible(i)) << kind_name(kind) << ", handle " << handles[i] << ": "
                                             << describe(kind, objects[i], hulls_) << prepared.camera.describe();
        }
    }
    ASSERT_EQ(seen, output.visible_count) << "a vacant slot is visible";
}

Object Shadowed::any_object(Kind kind) {
    Double3 place{random_.range(-100, 100), random_.range(-100, 100), random_.range(-10, 10)};
    const double size = random_.chance(0.01) ? random_.log_range(5, 100) : random_.log_range(0.01, 2);
    Object object = object_at(random_, kind, place, size, hulls_);
    if (random_.chance(0.002)) object.fields[0] = std::numeric_limits<float>::quiet_NaN();
    return object;
}

Streams Shadowed::any_streams(std::vector<Object>& objects) {
    if (!random_.chance(0.1)) return {};
    for (Object& object : objects) {
        object.margin = static_cast<float>(random_.unit());
        if (random_.chance(0.1)) mark(random_, object);
        if (random_.chance(0.1)) object.max_distance = static_cast<float>(random_.range(10, 200));
        if (random_.chance(0.1)) object.min_distance = static_cast<float>(random_.range(10, 200));
    }
    return Streams::all();
}

std::vector<Handle> Shadowed::some(std::size_t count) {
    std::vector<Handle> result;
    for (std::size_t i = 0; i < count && i < named_.size(); ++i) {
        const auto k = i + static_cast<std::size_t>(random_.below(static_cast<int>(named_.size() - i)));
        std::swap(named_[i], named_[k]);
        result.push_back(named_[i]);
    }
    return result;
}

void Shadowed::shift(There& there, const float (&by)[3]) {
    auto& f = there.object.fields;
    for (std::size_t j = 0; j < 3; ++j) {
        if (has_transform(there.kind)) {
            f[4 * j + 3] += by[j];
            continue;
        }
        f[j] += by[j];
        if (there.kind == Kind::box || there.kind == Kind::capsule) f[3 + j] += by[j];
    }
}

PreparedCamera Shadowed::any_camera() {
    for (;;) {
        PreparedCamera prepared =
            random_prepared_camera(random_, random_.chance(0.5) ? Projection::perspective : Projection::infinite);
        // Placed into the objects' world: cameras are made anywhere up to 1e6 away.
        std::array<double, 16>& m = prepared.camera.matrix;
        if (prepared.camera.single) continue;
        lanecull::ClipSpace& space = prepared.camera.clip_space;
        const Double3 wanted{random_.range(-100, 100), random_.range(-100, 100), random_.range(-10, 10)};
        // clip = M (p - origin): moving the origin moves the camera.
        for (std::size_t j = 0; j < 3; ++j) space.origin[j] += wanted[j] - prepared.camera.eye[j];
        if (lanecull::prepare_view(std::span<const double, 16>(m), space, prepared.view).ok()) return prepared;
    }
}
