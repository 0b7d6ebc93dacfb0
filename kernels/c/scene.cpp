/// c/scene.h

#include <lanecull/c/scene.h>

#include <lanecull/scene.hpp>

#include "c/attributes.hpp"
#include "c/cull_into.hpp"
#include "c/lists.hpp"
#include "c/options.hpp"
#include "c/outputs.hpp"
#include "c/same_layout.hpp"
#include "c/scenes.hpp"

using namespace lanecull;

static_assert(LANECULL_FIXED == static_cast<int>(Mobility::fixed));
static_assert(LANECULL_MOVING == static_cast<int>(Mobility::moving));
static_assert(LANECULL_FIT_TIGHT == static_cast<int>(Fit::tight));
static_assert(LANECULL_FIT_GROWN == static_cast<int>(Fit::grown));

namespace lanecull::c {

Status take_lod(const lanecull_lod_output& lod, LodOutput& to) noexcept {
    Status status = check_struct(&lod, "outputs.lod");
    to.hysteresis = lod.hysteresis;
    if (status) status = take(lod.distances, lod.distance_capacity, "outputs.lod.distances", to.distances);
    if (status) status = take(lod.levels, lod.level_capacity, "outputs.lod.levels", to.levels);
    if (status) status = take(lod.thresholds, lod.threshold_count, "outputs.lod.thresholds", to.thresholds);
    if (status) status = take(lod.latest, lod.latest_count, "outputs.lod.latest", to.latest);
    return status;
}

void take_output(const lanecull_scene_output& given, Fields& fields, Output& to, Explanation& why,
                 SceneOutput& own) noexcept {
    auto* const outcomes = reinterpret_cast<BlockOutcome*>(given.block_outcomes);
    to.scene = &own;
    to.explanation = &why;
    to.batch_ranges = {};
    why.certificates = {};
    own.lod = {};
    fields.take(given.visible, given.visible_words, "outputs.visible", to.visible);
    fields.take(given.inside, given.inside_words, "outputs.inside", to.inside);
    fields.take(given.handles, given.handle_capacity, "outputs.handles", own.handles);
    fields.take(given.slots, given.slot_capacity, "outputs.slots", to.indices);
    fields.take(same(given.runs), given.run_capacity, "outputs.runs", to.runs);
    fields.take(outcomes, given.block_outcome_count, "outputs.block_outcomes", own.block_outcomes);
    fields.take(given.hints, given.hint_bytes, "outputs.hints", own.hints);
    fields.take(given.candidates, given.candidate_words, "outputs.candidates", to.candidates);
    fields.take(given.hidden_counts, given.hidden_count_count, "outputs.hidden_counts", to.hidden_counts);
    take_draws(given.draws, fields, to.draws);
    if (given.lod != nullptr) fields.join(take_lod(*given.lod, own.lod));
    fields.check(given.tested, "outputs.tested");
    take_occluders(given, fields, to.occluders);
}

void give_results(const Output& from, lanecull_scene_output& to) noexcept {
    const SceneOutput& own = *from.scene;
    give_statistics(from.explanation->counts, to.tested);
    to.visible_count = from.visible_count;
    to.run_count = from.run_count;
    to.draw_count = from.draw_count;
    to.outside_objects = own.outside_objects;
    to.inside_objects = own.inside_objects;
    to.hidden_objects = own.hidden_objects;
    to.outside_blocks = own.outside_blocks;
    to.hidden_blocks = own.hidden_blocks;
    to.inside_blocks = own.inside_blocks;
    to.mixed_blocks = own.mixed_blocks;
}

namespace {

/// An edit of named objects: edit(scene, handles).
template <class Edit>
lanecull_status edit(lanecull_scene* scene, const std::uint32_t* handles, std::size_t handle_count,
                     lanecull_message* message, const Edit& what) noexcept {
    std::span<const Handle> named;
    Status status = check_scene(scene);
    if (status) status = take(handles, handle_count, "handles", named);
    if (status) status = what(scene->scene, named);
    return report(status, message);
}

/// The same with a runner: edit(scene, runner).
template <class Edit>
lanecull_status edit_by(lanecull_scene* scene, const lanecull_runner* runner, lanecull_message* message,
                        const Edit& what) noexcept {
    Runner who;
    Status status = check_scene(scene);
    if (status) status = take_runner(runner, who);
    if (status) status = what(scene->scene, who);
    return report(status, message);
}

Status take_add_options(const lanecull_add_options* given, AddOptions& to) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "options"); !status) return status;
    for (int k = 0; k < 3; ++k) to.origin[k] = given->origin[k];
    return take_enum(given->mobility, Mobility::moving, "options.mobility", to.mobility);
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_create_scene(lanecull_scene** scene, lanecull_message* message) {
    if (scene == nullptr) return c::report(Status::failure("scene: must not be null"), message);
    auto* const made = new (std::nothrow) lanecull_scene;
    if (made == nullptr) {
        return c::report(Status::failure(StatusCode::out_of_memory, "scene: there is not enough memory"), message);
    }
    *scene = made;
    return c::report({}, message);
}

void lanecull_destroy_scene(lanecull_scene* scene) { delete scene; }

lanecull_status lanecull_scene_add(lanecull_scene* scene, const lanecull_batches* batches, uint32_t first_batch,
                                   uint32_t batch_count, uint32_t* handles, size_t handle_count,
                                   const lanecull_add_options* options, const lanecull_runner* runner,
                                   lanecull_message* message) {
    return c::edit_by(scene, runner, message, [&](Scene& to, const Runner& who) {
        AddOptions how;
        std::span<const Batch> chosen;
        std::span<Handle> named;
        Status status = c::take_items(batches, first_batch, batch_count, "batches", chosen);
        if (status) status = c::take(handles, handle_count, "handles", named);
        if (status) status = c::take_add_options(options, how);
        return status ? to.add(chosen, named, how, who) : status;
    });
}

lanecull_status lanecull_scene_remove(lanecull_scene* scene, const uint32_t* handles, size_t handle_count,
                                      lanecull_message* message) {
    return c::edit(scene, handles, handle_count, message,
                   [](Scene& from, std::span<const Handle> named) { return from.remove(named); });
}

lanecull_status lanecull_scene_replace(lanecull_scene* scene, const uint32_t* handles, size_t handle_count,
                                       const lanecull_batches* batches, uint32_t batch, lanecull_message* message) {
    return c::edit(scene, handles, handle_count, message, [&](Scene& in, std::span<const Handle> named) {
        std::span<const Batch> chosen;
        if (Status status = c::take_items(batches, batch, 1, "batches", chosen); !status) return status;
        return in.replace(named, chosen[0]);
    });
}

lanecull_status lanecull_scene_move(lanecull_scene* scene, const uint32_t* handles, size_t handle_count, const float* x,
                                    const float* y, const float* z, lanecull_message* message) {
    return c::edit(scene, handles, handle_count, message,
                   [&](Scene& in, std::span<const Handle> named) { return in.move(named, x, y, z); });
}

lanecull_status lanecull_scene_place(lanecull_scene* scene, const uint32_t* handles, size_t handle_count,
                                     const lanecull_batches* batches, uint32_t batch, const lanecull_runner* runner,
                                     lanecull_message* message) {
    return c::edit(scene, handles, handle_count, message, [&](Scene& in, std::span<const Handle> named) {
        Runner who;
        std::span<const Batch> chosen;
        Status status = c::take_items(batches, batch, 1, "batches", chosen);
        if (status) status = c::take_runner(runner, who);
        return status ? in.place(named, chosen[0], who) : status;
    });
}

lanecull_status lanecull_scene_set_attributes(lanecull_scene* scene, const uint32_t* handles, size_t handle_count,
                                              const lanecull_attributes* attributes, lanecull_message* message) {
    return c::edit(scene, handles, handle_count, message, [&](Scene& in, std::span<const Handle> named) {
        Attributes given;
        if (attributes == nullptr) return Status::failure("attributes: must not be null");
        if (Status status = c::take_attributes(attributes, "attributes", given); !status) return status;
        return in.set_attributes(named, given);
    });
}

lanecull_status lanecull_scene_refit(lanecull_scene* scene, uint32_t fit, const lanecull_runner* runner,
                                     lanecull_message* message) {
    return c::edit_by(scene, runner, message, [&](Scene& in, const Runner& who) {
        Fit how = Fit::tight;
        Status status = c::take_enum(fit, Fit::grown, "fit", how);
        if (status) in.refit(how, who);
        return status;
    });
}

lanecull_status lanecull_scene_improve(lanecull_scene* scene, uint64_t nanoseconds, lanecull_improvement* improvement,
                                       lanecull_message* message) {
    const Status status = c::check_scene(scene);
    if (status) {
        const Improvement done = scene->scene.improve(nanoseconds);
        if (improvement != nullptr) *improvement = {done.blocks, done.objects, done.all_seen ? 1U : 0U};
    }
    return c::report(status, message);
}

lanecull_status lanecull_scene_rebuild(lanecull_scene* scene, const lanecull_runner* runner,
                                       lanecull_message* message) {
    return c::edit_by(scene, runner, message, [](Scene& in, const Runner& who) { return in.rebuild(who); });
}

uint32_t lanecull_scene_is_stale(const lanecull_scene* scene) {
    return scene != nullptr && scene->scene.stale() ? 1 : 0;
}
double lanecull_scene_spread(const lanecull_scene* scene) { return scene != nullptr ? scene->scene.spread() : 1; }
uint64_t lanecull_scene_object_count(const lanecull_scene* scene) {
    return scene != nullptr ? scene->scene.object_count() : 0;
}
uint64_t lanecull_scene_handle_limit(const lanecull_scene* scene) {
    return scene != nullptr ? scene->scene.handle_limit() : 0;
}
uint64_t lanecull_scene_slot_count(const lanecull_scene* scene) {
    return scene != nullptr ? scene->scene.slot_count() : 0;
}
uint64_t lanecull_scene_bytes(const lanecull_scene* scene) { return scene != nullptr ? scene->scene.bytes() : 0; }
size_t lanecull_scene_visibility_words(const lanecull_scene* scene) {
    return scene != nullptr ? visibility_words(scene->scene) : 0;
}
size_t lanecull_scene_scratch_bytes(const lanecull_scene* scene, uint32_t view_count) {
    return scene != nullptr ? scratch_bytes(scene->scene, view_count) : 0;
}
size_t lanecull_scene_hint_bytes(const lanecull_scene* scene) {
    return scene != nullptr ? scene->scene.hint_bytes() : 0;
}
uint32_t lanecull_scene_block_count(const lanecull_scene* scene) {
    return scene != nullptr ? scene->scene.block_count() : 0;
}

lanecull_status lanecull_scene_slot_of(const lanecull_scene* scene, uint32_t handle, uint32_t* slot,
                                       lanecull_message* message) {
    if (slot == nullptr) return c::refuse_null("slot", message);
    Status status = c::check_scene(scene);
    if (status) status = scene->scene.slot_of(handle, *slot);
    return c::report(status, message);
}

lanecull_status lanecull_scene_cull(const lanecull_scene* scene, const lanecull_views* views, uint32_t first_view,
                                    uint32_t view_count, lanecull_scene_output* outputs, void* scratch,
                                    size_t scratch_bytes, const lanecull_cull_options* options,
                                    const lanecull_runner* runner, lanecull_message* message) {
    if (scene == nullptr) return c::refuse_null("scene", message);
    std::span<const View> chosen;
    c::CallOptions how;
    Status status = c::take_items(views, first_view, view_count, "views", chosen);
    if (status) status = how.take(scratch, scratch_bytes, options, runner);
    if (status) {
        status = c::cull_into(outputs, view_count, [&](std::span<Output> taken) {
            return cull(scene->scene, chosen, taken, how.scratch, how.options);
        });
    }
    return c::report(status, message);
}

lanecull_status lanecull_scene_save(const lanecull_scene* scene, const char* path, lanecull_message* message) {
    Status status = c::check_scene(scene);
    if (status) status = scene->scene.save(path);
    return c::report(status, message);
}

lanecull_status lanecull_scene_load(lanecull_scene* scene, const char* path, const lanecull_runner* runner,
                                    lanecull_message* message) {
    return c::edit_by(scene, runner, message, [&](Scene& to, const Runner& who) { return Scene::load(path, to, who); });
}

lanecull_status lanecull_scene_load_from_memory(lanecull_scene* scene, const void* file, size_t bytes,
                                                const lanecull_runner* runner, lanecull_message* message) {
    return c::edit_by(scene, runner, message, [&](Scene& to, const Runner& who) {
        std::span<const std::byte> all;
        if (Status status = c::take(static_cast<const std::byte*>(file), bytes, "file", all); !status) return status;
        return Scene::load(all, to, who);
    });
}
