/// Bakes cells: what occluders that are prepared for a cell's corners leave of a scene. occluders/PROOF.md has why that
/// is right ("From a cell"); which occluders are chosen is no matter of proof.

#include <lanecull/visibility.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <new>
#include <utility>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/memory.hpp"
#include "calls/ranges.hpp"
#include "occluders/solid.hpp"
#include "view/frame.hpp"
#include "view/prepared_view.hpp"
#include "visibility/cells.hpp"

struct lanecull_bake_scene : lanecull::Allocated {
    const lanecull_scene* scene = nullptr;  ///< null: not prepared
    lanecull::Array<lanecull::SolidBox> boxes;
    lanecull::Array<lanecull::SolidOrientedBox> oriented_boxes;
    lanecull::Array<lanecull::SolidBox> drawn;
    /// The solids again, ordered: those that are hidden themselves hide nothing more.
    lanecull::Scene ordered;
    lanecull::Array<std::uint32_t> solid_of_slot, slot_of_solid;
    lanecull::View everything;

    [[nodiscard]] std::size_t solids() const { return boxes.size() + oriented_boxes.size(); }
    [[nodiscard]] std::size_t solid_words() const { return (solids() + 63) / 64; }
    [[nodiscard]] lanecull::SolidSet set() const {
        lanecull::SolidSet all;
        all.boxes = {boxes.data(), boxes.size()};
        all.oriented_boxes = {oriented_boxes.data(), oriented_boxes.size()};
        all.drawn = {drawn.data(), drawn.size()};
        return all;
    }
};

namespace lanecull {
namespace {

constexpr std::size_t most_at_once = 64;  // occluders of a cull

/// A round that leaves out less than this share of what was left is the last one.
constexpr double least_gain = 0.01;
/// The same for a part of a cell, which only has what the whole cell's set leaves in doubt.
constexpr double least_gain_of_part = 0.1;

/// A set that is not so many times what the cell's middle sees is not worth parts.
constexpr double least_excess = 1.25;

/// The caller's scratch memory.
struct BakeMemory {
    std::span<std::uint64_t> objects, other_objects;  ///< words of the scene
    std::span<std::uint64_t> seen, dubious;           ///< the same: of the whole cell's set
    std::span<std::uint64_t> solids, other_solids;    ///< words of the ordered solids, by slot
    std::span<std::uint64_t> useful;                  ///< the same: those that the whole cell's solids do not hide
    std::span<std::uint64_t> open;                    ///< those in `solids` by their numbers
    std::span<std::byte> cull, choose;

    static std::size_t bytes(const lanecull_bake_scene& world) {
        const std::size_t words =
            4 * visibility_words(world.scene) + 3 * visibility_words(world.ordered) + world.solid_words();
        return ScratchMemory::slack + words * sizeof(std::uint64_t) + padded(cull_bytes(world)) +
               choose_scratch_bytes(world.solids());
    }
    BakeMemory(const lanecull_bake_scene& world, std::span<std::byte> scratch) {
        ScratchMemory memory(scratch);
        objects = memory.take<std::uint64_t>(visibility_words(world.scene));
        for (auto* words : {&other_objects, &seen, &dubious}) *words = memory.take<std::uint64_t>(objects.size());
        solids = memory.take<std::uint64_t>(visibility_words(world.ordered));
        for (auto* words : {&other_solids, &useful}) *words = memory.take<std::uint64_t>(solids.size());
        open = memory.take<std::uint64_t>(world.solid_words());
        cull = std::as_writable_bytes(memory.take<std::uint64_t>(padded(cull_bytes(world)) / 8));
        choose = scratch.last(choose_scratch_bytes(world.solids()));
    }

private:
    static std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
    static std::size_t cull_bytes(const lanecull_bake_scene& world) {
        return std::max(scratch_bytes(world.scene, 1), scratch_bytes(world.ordered, 1));
    }
};

/// From then on neither flags nor layers cull an object in the view.
void ignore_flags(View& view) {
    PreparedView prepared = contents_of(view);
    prepared.ignores_flags = 1;
    set_prepared(view, prepared);
}

/// Everything within `distance` of the box around a cell.
Status view_around(const ConvexCell& cell, double distance, View& view) {
    double low[3], high[3];
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = high[k] = cell.corner[0][k];
        for (std::size_t c = 1; c < cell.corners; ++c) {
            low[k] = std::min(low[k], cell.corner[c][k]);
            high[k] = std::max(high[k], cell.corner[c][k]);
        }
    }
    Plane planes[6];
    for (std::size_t k = 0; k < 3; ++k) {
        planes[2 * k].normal[k] = 1, planes[2 * k].offset = -low[k];
        planes[2 * k + 1].normal[k] = -1, planes[2 * k + 1].offset = high[k];
    }
    ViewOptions options;
    options.margin = distance;
    if (Status status = prepare_view_from_planes(planes, view, options); !status) return status;
    ignore_flags(view);
    return {};
}

void copy_words(std::span<const std::uint64_t> from, std::span<std::uint64_t> to) {
    std::copy(from.begin(), from.end(), to.begin());
}

void set_bit(std::span<std::uint64_t> words, std::size_t bit) { words[bit / 64] |= std::uint64_t{1} << bit % 64; }

std::uint64_t count_bits(std::span<const std::uint64_t> words) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
}

/// One cell's bake.
class Bake {
public:
    /// view: of everything that is near enough.
    Bake(const lanecull_bake_scene& world, const BakeOptions& options, const View& view, const BakeMemory& memory,
         BakedCell& baked)
        : world_(world), options_(options), view_(view), memory_(memory), baked_(baked) {}

    Status run(const ConvexCell& cell) {
        const std::uint64_t all = lanecull_scene_object_count(world_.scene);
        if (Status status = begin(); !status) return status;
        baked_.distant = all - visible_;
        baked_.occluder_count = baked_.rounds = 0;
        std::fill_n(baked_.parts, 3, 1u);
        if (Status status = hide_from(eyes_of(cell), least_gain); !status) return status;
        if (options_.max_parts > 1 && is_box(cell)) {
            if (Status status = refine(cell); !status) return status;
        }
        baked_.visible = visible_;
        baked_.hidden = all - baked_.distant - visible_;
        return {};
    }

    [[nodiscard]] std::span<const std::uint64_t> set() const { return memory_.objects; }

private:
    static std::span<const double> eyes_of(const ConvexCell& cell) {
        return {&cell.corner[0][0], std::size_t{3} * cell.corners};
    }

    Status cull(const lanecull_scene* scene, const View& view, Output& output) {
        CullOptions options;
        options.isa = options_.isa;
        return lanecull::cull(scene, view, output, memory_.cull, options);
    }

    Status begin() {
        Output objects;
        objects.visible = memory_.objects;
        if (Status status = cull(world_.scene, view_, objects); !status) return status;
        visible_ = objects.visible_count;
        std::fill(memory_.useful.begin(), memory_.useful.end(), std::uint64_t{0});
        return cull_solids(view_, {});
    }

    /// What of the solids that were open `view` and `occluders` leave.
    Status cull_solids(const View& view, std::span<const Occluder> occluders) {
        Output solids;
        solids.visible = memory_.other_solids;
        solids.occluders = occluders;
        if (!occluders.empty()) solids.candidates = memory_.solids;
        if (Status status = cull(world_.ordered, view, solids); !status) return status;
        std::swap(memory_.solids, memory_.other_solids);
        find_open();
        return {};
    }

    void find_open() {
        std::fill(memory_.open.begin(), memory_.open.end(), std::uint64_t{0});
        for (std::size_t w = 0; w < memory_.solids.size(); ++w) {
            for (std::uint64_t rest = memory_.solids[w]; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                set_bit(memory_.open, world_.solid_of_slot[64 * w + bit]);
            }
        }
    }

    /// Leaves out of the objects what single solids hide from all of these eyes, round by round.
    Status hide_from(std::span<const double> eyes, double least) {
        Viewpoint viewpoint;
        if (Status status = prepare_viewpoint_from_eyes(eyes, options_.near_reach, viewpoint); !status) return status;
        used_ = 0;
        for (std::uint64_t before = visible_; before > 0; before = visible_) {
            if (Status status = choose(viewpoint); !status) return status;
            if (chosen_ == 0) break;
            if (Status status = hide(); !status) return status;
            if (static_cast<double>(before - visible_) < least * static_cast<double>(before)) break;
        }
        return {};
    }

    Status choose(const Viewpoint& viewpoint) {
        const std::size_t left = options_.max_occluders - std::min(options_.max_occluders, used_);
        chosen_ = 0;
        if (left == 0 || world_.solids() == 0) return {};
        const std::size_t most = std::min(most_at_once, left);
        ChooseOptions how;
        how.raster = options_.raster;
        how.candidates = memory_.open;
        return choose_occluders(world_.set(), view_, viewpoint, std::span(occluders_).first(most),
                                std::span(indices_).first(most), memory_.choose, chosen_, how);
    }

    Status hide() {
        const std::span<const Occluder> occluders(occluders_.data(), chosen_);
        for (const std::uint32_t solid : std::span(indices_).first(chosen_)) {
            const std::uint32_t slot = world_.slot_of_solid[solid];  // it is not chosen again
            memory_.solids[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
            if (!in_parts_) note(solid, slot);
        }
        used_ += chosen_;
        ++baked_.rounds;
        Output objects;
        objects.visible = memory_.other_objects;
        objects.candidates = memory_.objects;
        objects.occluders = occluders;
        if (Status status = cull(world_.scene, world_.everything, objects); !status) return status;
        std::swap(memory_.objects, memory_.other_objects);
        visible_ = objects.visible_count;
        return cull_solids(world_.everything, occluders);
    }

    /// A solid hides from the whole cell.
    void note(std::uint32_t solid, std::uint32_t slot) {
        const std::size_t n = baked_.occluder_count++;
        if (n < baked_.occluders.size()) baked_.occluders[n] = solid;
        set_bit(memory_.useful, slot);
    }

    /// The union of what may be seen from the cell's parts takes the place of its set, which has all of it. What the
    /// middle or a part sees is in the union, so later parts test the rest alone.
    Status refine(const ConvexCell& cell) {
        const auto set = static_cast<double>(visible_);
        in_parts_ = true;
        for (std::size_t w = 0; w < memory_.useful.size(); ++w) memory_.useful[w] |= memory_.solids[w];
        copy_words(memory_.objects, memory_.dubious);
        std::fill(memory_.seen.begin(), memory_.seen.end(), std::uint64_t{0});
        double middle[3];
        for (std::size_t k = 0; k < 3; ++k) middle[k] = 0.5 * (cell.corner[0][k] + cell.corner[7][k]);
        if (Status status = look_from(middle); !status) return status;
        divide(cell, set / static_cast<double>(std::max<std::uint64_t>(count_bits(memory_.seen), 1)));
        const std::uint32_t parts = baked_.parts[0] * baked_.parts[1] * baked_.parts[2];
        for (std::uint32_t i = 0; i < parts && parts > 1; ++i) {
            ConvexCell part;
            if (Status status = part_of(cell, baked_.parts, i, part); !status) return status;
            if (Status status = look_from(eyes_of(part)); !status) return status;
        }
        for (std::size_t w = 0; w < memory_.objects.size(); ++w) {
            memory_.objects[w] = memory_.seen[w] | (parts == 1 ? memory_.dubious[w] : 0);
        }
        visible_ = count_bits(memory_.objects);
        return {};
    }

    /// Halves the longest side until there are excess^2 parts: how far solids and what is behind them shift against
    /// each other grows with a part's length.
    void divide(const ConvexCell& cell, double excess) {
        if (!(excess >= least_excess)) return;
        const auto length = [&](std::size_t k) { return (cell.corner[7][k] - cell.corner[0][k]) / baked_.parts[k]; };
        for (std::uint32_t parts = 2; parts <= options_.max_parts; parts *= 2) {
            const std::size_t across = length(1) > length(0) ? 1 : 0;
            baked_.parts[length(2) > length(across) ? 2 : across] *= 2;
            if (parts >= excess * excess || parts == max_parts) break;
        }
    }

    /// Moves what is not hidden from these eyes from the dubious to the seen.
    Status look_from(std::span<const double> eyes) {
        copy_words(memory_.dubious, memory_.objects);
        visible_ = count_bits(memory_.objects);
        if (visible_ == 0) return {};
        copy_words(memory_.useful, memory_.solids);
        find_open();
        if (Status status = hide_from(eyes, least_gain_of_part); !status) return status;
        for (std::size_t w = 0; w < memory_.objects.size(); ++w) {
            memory_.seen[w] |= memory_.objects[w];
            memory_.dubious[w] &= ~memory_.objects[w];
        }
        return {};
    }

    const lanecull_bake_scene& world_;
    const BakeOptions& options_;
    const View& view_;
    BakeMemory memory_;
    BakedCell& baked_;
    std::array<Occluder, most_at_once> occluders_;
    std::array<std::uint32_t, most_at_once> indices_{};
    std::uint32_t chosen_ = 0;
    std::uint32_t used_ = 0;     ///< occluders so far, from these eyes
    std::uint64_t visible_ = 0;  ///< objects in memory_.objects
    bool in_parts_ = false;
};

Status no_memory() { return failure(StatusCode::out_of_memory, "solids: there is not enough memory"); }

template <class T>
bool copy(Span<const T> from, Array<T>& to) {
    if (!to.resize_unset(from.size())) return false;
    std::copy(from.begin(), from.end(), to.begin());
    return true;
}

/// A box around a solid, to order it by. Its rounding decides at most whether a solid is tested.
SolidBox around(const SolidOrientedBox& solid) {
    SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        float reach = 0;
        for (std::size_t j = 0; j < 3; ++j) reach += std::fabs(solid.half_extents[j] * solid.axes[j][k]);
        box.min[k] = solid.center[k] - reach;
        box.max[k] = solid.center[k] + reach;
    }
    return box;
}

/// Orders boxes around the solids into a scene.
Status order(lanecull_bake_scene& world, const Runner& runner) {
    const std::size_t count = world.solids();
    Array<float> streams;
    Array<Handle> handles;
    if (!streams.resize_unset(6 * std::uint64_t{count}) || !handles.resize_unset(count)) return no_memory();
    float* stream[6];
    for (std::size_t k = 0; k < 6; ++k) stream[k] = streams.data() + k * count;
    for (std::size_t i = 0; i < count; ++i) {
        const SolidBox box =
            i < world.boxes.size() ? world.boxes[i] : around(world.oriented_boxes[i - world.boxes.size()]);
        for (std::size_t k = 0; k < 3; ++k) stream[k][i] = box.min[k], stream[3 + k][i] = box.max[k];
    }
    const Batch batch =
        Boxes{stream[0], stream[1], stream[2], stream[3], stream[4], stream[5], static_cast<std::uint32_t>(count)};
    if (Status status = world.ordered.add(batch, {handles.data(), count}, {}, runner); !status) return status;
    world.ordered.refit(Refit::tight, runner);
    if (!world.solid_of_slot.resize(world.ordered.slot_count()) || !world.slot_of_solid.resize(count)) {
        return no_memory();
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t& slot = world.slot_of_solid[i];
        if (Status status = world.ordered.slot_of(handles[i], slot); !status) return status;
        world.solid_of_slot[slot] = i;
    }
    return {};
}

/// A view in which nothing but occluders decides. Planes lie no farther away than 1e30, and objects may; so its one
/// half-space is 0 . p + 1 >= 0.
Status see_everything(View& view) {
    Plane plane;
    plane.normal[2] = 1;
    if (Status status = prepare_view_from_planes(plane, view); !status) return status;
    PreparedView everything = contents_of(view);
    std::fill_n(everything.normal[0], 3, 0.0F);
    std::fill_n(everything.exact_normal[0], 3, 0.0);
    std::fill_n(everything.view_normal[0], 3, 0.0F);
    everything.offset[0] = everything.view_offset[0] = everything.inner_offset[0] = 1;
    set_prepared(view, everything);
    ignore_flags(view);
    return {};
}

Status prepare(const lanecull_scene* scene, const SolidSet& solids, const Runner& runner, lanecull_bake_scene& world) {
    if (lanecull_scene_is_stale(scene) != 0) return failure("scene: has been edited since the last refit()");
    if (!solids.hulls.empty()) return failure("solids.hulls: a bake takes boxes and oriented boxes alone");
    if (Status status = check_solids(solids); !status) return status;
    lanecull_bake_scene prepared;
    if (prepared.ordered.get() == nullptr || !copy(solids.boxes, prepared.boxes) ||
        !copy(solids.oriented_boxes, prepared.oriented_boxes) || !copy(solids.drawn, prepared.drawn)) {
        return no_memory();
    }
    prepared.scene = scene;
    if (Status status = order(prepared, runner); !status) return status;
    if (Status status = see_everything(prepared.everything); !status) return status;
    world = std::move(prepared);
    return {};
}

/// Fills in what is left to the library. In the result max_occluders may be 0: then solids do not hide.
BakeOptions usual(const BakeOptions& given) {
    BakeOptions options = given;
    options.distance = distance_of(given);
    if (options.max_occluders == 0) options.max_occluders = 1024;
    if (options.max_parts == 0) options.max_parts = 64;
    if (options.is_unoccluded != 0) options.max_occluders = 0;
    return options;
}

Status bake(const lanecull_bake_scene& world, const ConvexCell& cell, const BakeOptions& options, Scratch scratch,
            Span<std::uint64_t> visible, BakedCell& baked) {
    if (world.scene == nullptr) return failure(StatusCode::not_ready, "world: was not prepared");
    if (Status status = check_cell(cell); !status) return status;
    if (Status status = check_lengths(options); !status) return status;
    const std::size_t words = visibility_words(world.scene), bytes = BakeMemory::bytes(world);
    if (visible.size() != words) return failure("visible: must be %zu words, not %zu", words, visible.size());
    if (scratch.size() < bytes) {
        return failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(), bytes);
    }
    View around;
    if (std::isfinite(options.distance)) {
        if (Status status = view_around(cell, options.distance, around); !status) return status;
    }
    BakedCell result = baked;
    const View& view = around.prepared() ? around : world.everything;
    Bake bake(world, options, view, BakeMemory(world, {scratch.data(), bytes}), result);
    if (Status status = bake.run(cell); !status) return status;
    std::copy(bake.set().begin(), bake.set().end(), visible.begin());
    baked = result;
    return {};
}

}  // namespace

Status check_lengths(const BakeOptions& options) noexcept {
    if (!(options.near_reach >= 0 && options.near_reach <= coordinate_limit)) {
        return failure("options.near_reach: %g is not a length from 0 to 1e30", options.near_reach);
    }
    if (!(options.distance >= 0 && (options.distance <= coordinate_limit || std::isinf(options.distance)))) {
        return failure("options.distance: %g is neither a length from 0 to 1e30 nor infinite", options.distance);
    }
    if (!is_valid(options.raster)) return failure("options.raster: a margin is not from 0 to 1e30");
    return {};
}

}  // namespace lanecull

using namespace lanecull;

lanecull_bake_scene* lanecull_create_bake_scene() noexcept { return new (std::nothrow) lanecull_bake_scene; }

void lanecull_destroy_bake_scene(lanecull_bake_scene* world) noexcept { delete world; }

lanecull_status lanecull_bake_scene_prepare(lanecull_bake_scene* world, const lanecull_scene* scene,
                                            const lanecull_solid_set* solids, const lanecull_runner* runner) noexcept {
    const FloatModes modes;
    Status status = check_made(world, "world");
    if (status) status = check_not_null(scene, "scene");
    if (status) status = check_not_null(solids, "solids");
    return status ? prepare(scene, *solids, or_usual(runner), *world) : status;
}

size_t lanecull_bake_scene_visibility_words(const lanecull_bake_scene* world) noexcept {
    return world != nullptr && world->scene != nullptr ? visibility_words(world->scene) : 0;
}

size_t lanecull_bake_scene_scratch_bytes(const lanecull_bake_scene* world) noexcept {
    return world != nullptr && world->scene != nullptr ? BakeMemory::bytes(*world) : 0;
}

lanecull_status lanecull_bake_cell(const lanecull_bake_scene* world, const lanecull_convex_cell* cell,
                                   const lanecull_bake_options* options, void* scratch, size_t scratch_bytes,
                                   uint64_t* visible, size_t visible_words, lanecull_baked_cell* baked) noexcept {
    const FloatModes modes;
    const Span<std::uint64_t> words(visible, visible_words);
    BakedCell unwanted;
    BakedCell& about = baked != nullptr ? *baked : unwanted;
    Status status = check_made(world, "world");
    if (status) status = check_not_null(cell, "cell");
    if (status) status = check_cleared(or_usual(options), "options");
    if (status) status = check_span(Span(static_cast<std::byte*>(scratch), scratch_bytes), "scratch");
    if (status) status = check_span(words, "visible");
    if (status) status = check_cleared(about, "baked");
    if (status) status = check_span(about.occluders, "baked.occluders");
    if (!status) return status;
    return bake(*world, *cell, usual(or_usual(options)), {scratch, scratch_bytes}, words, about);
}
