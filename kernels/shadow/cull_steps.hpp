#pragma once

/// The steps of a pass that cull, batches or a scene.

#include <lanecull/scene.h>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "calls/check.hpp"
#include "calls/order.hpp"
#include "scene/objects.hpp"
#include "shadow/pass_contents.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// What a call of a pass culls, and how.
class PassCalls {
public:
    PassCalls(PassContents& pass, const Objects& objects, const CullOptions& options)
        : pass_(pass), objects_(objects), options_(options), words_(visibility_words(objects)) {}

    /// Whether the objects are sound and the pass has memory for them.
    [[nodiscard]] Status check() const {
        if (Status status = check_objects(objects_); !status) return status;
        const std::size_t views = std::min<std::size_t>(max_views, pass_.views.size());
        if (words_ <= pass_.words && scratch_bytes(objects_, views) <= pass_.scratch.size()) return {};
        return failure("%s: more objects than reserve() was for",
                       lasting(objects_.scene != nullptr ? "scene" : "batches"));
    }

    /// A box around what is visible of each slice: what its two planes leave of what its camera sees.
    [[nodiscard]] Status find_receivers() {
        if (pass_.cascades.empty()) return {};
        const auto has_directional_light = [&](std::uint32_t c) {
            return pass_.first_cascade[c] < pass_.first_cascade[c + 1];
        };
        const auto cull_cameras = [&](std::uint32_t first, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) output(i) = {.visible = camera_bits(first + i)};
            return cull(first, count);
        };
        Status status = for_each_run(0, pass_.cameras(), max_views, has_directional_light, cull_cameras);
        for (std::uint32_t c = 0; status && c < pass_.cameras(); ++c) {
            if (has_directional_light(c)) status = find_receivers(c);
        }
        return status;
    }

    /// Culls all views into the caller's outputs.
    [[nodiscard]] Status cull_views(std::span<Output> outputs) {
        if (Status status = check_outputs(outputs); !status) return status;
        if (Status status = check_light_cells(pass_, pass_.frame); !status) return status;
        std::fill(pass_.chosen_counts.begin(), pass_.chosen_counts.end(), 0u);
        read_solids(pass_);
        if (Status status = cull_first(outputs); !status) return status;
        join_reached();
        const std::span<Output> of_maps = outputs.subspan(pass_.roots());
        for (std::uint32_t l = 0; l < pass_.point_lights.size(); ++l) {
            const PointLightMaps& maps = pass_.point_lights[l];
            if (is_culled(l)) continue;
            for (Output& of : of_maps.subspan(maps.first, maps.count)) write_nothing(objects_, of);
        }
        return cull_maps(of_maps);
    }

private:
    // Bits of what cameras see are for the plan, those of what point lights reach for the cull.
    [[nodiscard]] std::span<std::uint64_t> bits(std::size_t i) { return {pass_.bits.data() + i * words_, words_}; }
    [[nodiscard]] std::span<std::uint64_t> camera_bits(std::uint32_t c) { return bits(c); }
    [[nodiscard]] std::span<std::uint64_t> light_bits(std::uint32_t whole) { return bits(whole); }
    [[nodiscard]] std::span<std::uint64_t> lit_bits(std::uint32_t c) { return bits(pass_.most_wholes + c); }
    [[nodiscard]] Output& output(std::uint32_t i) { return pass_.outputs[i]; }

    /// Culls by these views into the first outputs of the pass's own.
    [[nodiscard]] Status cull(std::uint32_t first_view, std::uint32_t count) {
        return lanecull::cull(objects_, pass_.views_from(first_view, count), {pass_.outputs.data(), count},
                              {pass_.scratch.data(), pass_.scratch.size()}, options_);
    }

    [[nodiscard]] Status find_receivers(std::uint32_t c) {
        const std::uint32_t first = pass_.first_cascade[c], count = pass_.first_cascade[c + 1] - first;
        const PassCamera& camera = pass_.frame.cameras[c];
        const double wider = depth_of(camera, camera.options.margin);
        double depths[most_cascades + 1] = {pass_.cascades[first].near_depth};
        for (std::uint32_t k = 0; k < count; ++k) depths[k + 1] = pass_.cascades[first + k].far_depth;
        WorldBox boxes[most_cascades];
        const auto find = [&](std::span<const double> of, WorldBox* to) {
            return slice_bounds(objects_, camera_bits(c), camera.clip_from_world, camera.clip_space, of,
                                {to, of.size() - 1}, {.isa = options_.isa, .runner = options_.runner});
        };
        // What a margin adds to a slice may be in its neighbours: then slice by slice.
        Status status = wider == 0 ? find({depths, count + 1}, boxes) : Status();
        for (std::uint32_t k = 0; status && wider > 0 && k < count; ++k) {
            const double ends[2] = {depths[k] - wider, depths[k + 1] + wider};
            status = find(ends, boxes + k);
        }
        if (!status) return within(status, "frame.cameras[%u].directional_light: ", c);
        for (std::uint32_t k = 0; k < count; ++k) pass_.cascades[first + k].receivers = boxes[k];
        return {};
    }
    /// By how much depths of a camera's view may differ within a distance.
    static double depth_of(const PassCamera& camera, double distance) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            sum += std::fabs(
                camera.clip_from_world[camera.clip_space.layout == MatrixLayout::row_major ? 12 + k : 4 * k + 3]);
        }
        return sum * distance;
    }

    [[nodiscard]] std::uint32_t wholes() const { return static_cast<std::uint32_t>(pass_.light_of_whole.size()); }

    /// The views of cameras, of cascades and of point lights as a whole.
    [[nodiscard]] Status cull_first(std::span<Output> outputs) {
        const std::uint32_t roots = pass_.roots();
        const auto all = [](std::uint32_t) { return true; };
        return for_each_run(0, roots + wholes(), max_views, all, [&](std::uint32_t first, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
                output(i) = first + i < roots ? outputs[first + i] : Output{.visible = light_bits(first + i - roots)};
                if (has_light_cells(first + i) && output(i).visible.empty()) output(i).visible = lit_bits(first + i);
            }
            const std::uint32_t of_caller = std::min(count, roots - std::min(first, roots));
            if (Status status = choose_occluders(pass_, first, of_caller, options_); !status) return status;
            if (Status status = cull(first, count); !status) return status;
            for (std::uint32_t i = 0; i < count; ++i) {
                if (!has_light_cells(first + i)) continue;
                if (Status status = assign_camera_lights(first + i, output(i)); !status) return status;
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                if (first + i < roots) {
                    hand_back(output(i), outputs[first + i]);
                } else {
                    note_reached(first + i - roots, output(i).visible_count > 0);
                }
            }
            return Status();
        });
    }

    /// What a cull wrote; not what the pass gave it.
    static void hand_back(const Output& written, Output& to) {
        const Output given = to;
        to = written;
        to.visible = given.visible;
        to.candidates = given.candidates;
        to.occluders = given.occluders;
    }

    [[nodiscard]] bool has_light_cells(std::uint32_t view) const {
        return view < pass_.cameras() && pass_.frame.cameras[view].light_cells != nullptr;
    }
    /// `seen`: of camera c, with its bits.
    [[nodiscard]] Status assign_camera_lights(std::uint32_t c, const Output& seen) {
        const PassCamera& camera = pass_.frame.cameras[c];
        WorldBox box = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
        if (camera.light_cells->has_other_receivers != 0) {
            return lanecull::assign_camera_lights(pass_, c, box, {}, options_);
        }
        Status status = visible_bounds(objects_, seen.visible, box, {.isa = options_.isa, .runner = options_.runner});
        if (!status) return status;
        for (std::size_t k = 0; k < 3; ++k) {
            box.lower[k] = std::nextafter(box.lower[k] - camera.options.margin, -HUGE_VAL);
            box.upper[k] = std::nextafter(box.upper[k] + camera.options.margin, HUGE_VAL);
        }
        std::size_t count = 0;
        for (const Occluder& occluder : seen.occluders) {
            if (!all_seen(occluder.owners, seen.visible)) continue;
            pass_.light_occluders[count] = occluder;
            pass_.light_occluders[count++].owners = {};
        }
        return lanecull::assign_camera_lights(pass_, c, box, {pass_.light_occluders.data(), count}, options_);
    }
    /// Whether all objects are seen that draw an occluder.
    [[nodiscard]] bool all_seen(std::span<const Owner> owners, std::span<const std::uint64_t> visible) const {
        for (const Owner& owner : owners) {
            std::size_t bit = owner.object;
            if (objects_.scene != nullptr) {
                std::uint32_t slot = 0;
                if (!Status(lanecull_scene_slot_of(objects_.scene, owner.object, &slot))) return false;
                bit = slot;
            } else {
                bit += 64 * visibility_words({objects_.batches.items, owner.batch});
            }
            if ((visible[bit / 64] >> bit % 64 & 1) == 0) return false;
        }
        return true;
    }

    void note_reached(std::uint32_t whole, bool reaches_any) {
        PointLightMaps& light = pass_.point_lights[pass_.light_of_whole[whole]];
        light.reaches_any = reaches_any || (light.first_whole != whole && light.reaches_any);
    }

    /// What point lights of several cameras reach for any of them.
    void join_reached() {
        for (std::uint32_t i = 0; i < wholes(); ++i) {
            const std::uint32_t first = pass_.point_lights[pass_.light_of_whole[i]].first_whole;
            if (first == i) continue;
            const std::span<std::uint64_t> to = light_bits(first), from = light_bits(i);
            for (std::size_t w = 0; w < words_; ++w) to[w] |= from[w];
        }
    }

    /// Whether point light l's maps are culled at all.
    [[nodiscard]] bool is_culled(std::uint32_t l) const {
        return pass_.casters == Casters::frustum || (pass_.is_lit(l) && pass_.point_lights[l].reaches_any);
    }

    /// The point lights' maps, neighbours together. By volume among what their light reaches.
    [[nodiscard]] Status cull_maps(std::span<Output> outputs) {
        std::uint32_t light = 0;  // of map m; maps are culled in order
        const auto wanted = [&](std::uint32_t m) {
            while (m >= pass_.point_lights[light].first + pass_.point_lights[light].count) ++light;
            return is_culled(light);
        };
        std::uint32_t l = 0;
        const auto cull_some = [&](std::uint32_t first, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
                while (first + i >= pass_.point_lights[l].first + pass_.point_lights[l].count) ++l;
                output(i) = outputs[first + i];
                if (pass_.casters != Casters::volume) continue;
                output(i).candidates = light_bits(pass_.point_lights[l].first_whole);
            }
            Status status = choose_occluders(pass_, pass_.roots() + first, count, options_);
            if (status) status = cull(pass_.first_map_view() + first, count);
            if (!status) return status;
            for (std::uint32_t i = 0; i < count; ++i) hand_back(output(i), outputs[first + i]);
            return Status();
        };
        return for_each_run(0, pass_.point_light_maps(), max_views, wanted, cull_some);
    }

    /// Whether there is memory for sorting the views' lists, up to 64 views at once.
    [[nodiscard]] Status check_order_limit(std::span<const Output> outputs) const {
        const auto ordered = static_cast<std::uint32_t>(std::count_if(outputs.begin(), outputs.end(), is_ordered));
        const std::size_t at_once = std::min<std::size_t>(max_views, ordered);
        if (ordered == 0 || (ordered <= pass_.limits.ordered_views &&
                             scratch_bytes(objects_, std::min<std::size_t>(max_views, pass_.views.size())) +
                                     order_bytes(objects_, at_once) <=
                                 pass_.scratch.size())) {
            return {};
        }
        return failure("outputs: %u of them have an order, but reserve() was for %u (limits.ordered_views)", ordered,
                       pass_.limits.ordered_views);
    }

    [[nodiscard]] Status check_outputs(std::span<const Output> outputs) const {
        if (outputs.size() != pass_.roots() + pass_.point_light_maps()) {
            return failure("outputs: there must be one for each of the %u views, not %zu",
                           pass_.roots() + pass_.point_light_maps(), outputs.size());
        }
        const auto view_of = [](const void* self, std::size_t v) -> const PreparedView* {
            const View& view = static_cast<const PassContents*>(self)->view(static_cast<std::uint32_t>(v));
            return view.prepared() ? &contents_of(view) : nullptr;
        };
        if (Status status = lanecull::check_outputs(objects_, outputs, {&pass_, view_of}); !status) return status;
        if (Status status = check_order_limit(outputs); !status) return status;
        for (std::size_t v = pass_.roots(); v < outputs.size(); ++v) {
            if (!outputs[v].candidates.empty()) {
                return failure("outputs[%zu].candidates: must be empty, a point light's are the pass's own", v);
            }
        }
        for (std::size_t first = 0; first < outputs.size(); first += max_views) {
            CallMemory memory;
            const std::size_t end = std::min(outputs.size(), first + max_views);
            for (std::size_t v = first; v < end; ++v) add_output(memory, outputs[v], v);
            if (Status status = memory.check_overlaps(); !status) return status;
        }
        return {};
    }

    PassContents& pass_;
    const Objects& objects_;
    const CullOptions& options_;
    std::size_t words_;
};

}  // namespace lanecull
