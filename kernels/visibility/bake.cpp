/// Bakes cells: what occluders that are prepared for a cell's corners leave of a scene. kernels/PROOF.md has why that
/// is right ("From a cell"); which occluders are chosen is no matter of proof.

#include <lanecull/visibility.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "base/float_modes.hpp"
#include "base/memory.hpp"
#include "calls/scratch_memory.hpp"
#include "occluders/raster.hpp"
#include "scene/array.hpp"
#include "view/view_access.hpp"
#include "visibility/cells.hpp"
#include "visibility/options.hpp"

namespace lanecull {

struct BakeScene::Contents : Allocated {
    const Scene* scene = nullptr;
    Array<SolidBox> boxes;
    Array<SolidOrientedBox> oriented_boxes;
    Array<SolidBox> drawn;
    /// The solids again, ordered: those that are hidden themselves hide nothing more.
    Scene ordered;
    Array<std::uint32_t> solid_of_slot, slot_of_solid;
    View everything;

    [[nodiscard]] std::size_t solids() const { return boxes.size() + oriented_boxes.size(); }
    [[nodiscard]] std::size_t solid_words() const { return (solids() + 63) / 64; }
    [[nodiscard]] SolidSet set() const {
        return {{boxes.data(), boxes.size()},
                {oriented_boxes.data(), oriented_boxes.size()},
                {drawn.data(), drawn.size()},
                {}};
    }
};

struct BakeAccess {
    static const BakeScene::Contents* contents(const BakeScene& world) { return world.contents_; }
};

namespace {

constexpr std::size_t most_at_once = 64;  // occluders of a cull

/// A round that leaves out less than this share of what was left is the last one.
constexpr double least_gain = 0.01;

/// The caller's scratch memory.
struct BakeMemory {
    std::span<std::uint64_t> objects, other_objects;  ///< words of the scene
    std::span<std::uint64_t> solids, other_solids;    ///< words of the ordered solids, by slot
    std::span<std::uint64_t> open;                    ///< the same by the solids' numbers
    std::span<std::byte> cull, choose;

    static std::size_t bytes(const BakeScene::Contents& world) {
        const std::size_t words =
            2 * (world.scene->visibility_words() + world.ordered.visibility_words()) + world.solid_words();
        return ScratchMemory::slack + words * sizeof(std::uint64_t) + padded(cull_bytes(world)) +
               choose_scratch_bytes(world.solids());
    }
    BakeMemory(const BakeScene::Contents& world, std::span<std::byte> scratch) {
        ScratchMemory memory(scratch);
        objects = memory.take<std::uint64_t>(world.scene->visibility_words());
        other_objects = memory.take<std::uint64_t>(objects.size());
        solids = memory.take<std::uint64_t>(world.ordered.visibility_words());
        other_solids = memory.take<std::uint64_t>(solids.size());
        open = memory.take<std::uint64_t>(world.solid_words());
        cull = std::as_writable_bytes(memory.take<std::uint64_t>(padded(cull_bytes(world)) / 8));
        choose = scratch.last(choose_scratch_bytes(world.solids()));
    }

private:
    static std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
    static std::size_t cull_bytes(const BakeScene::Contents& world) {
        return std::max(world.scene->scratch_bytes(1), world.ordered.scratch_bytes(1));
    }
};

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
    return prepare_view_from_planes(planes, view, options);
}

/// One cell's bake.
class Bake {
public:
    Bake(const BakeScene::Contents& world, const BakeOptions& options, const BakeMemory& memory, BakedCell& baked)
        : world_(world), options_(options), memory_(memory), baked_(baked) {}

    Status run(const ConvexCell& cell, const View* around) {
        const View& view = around != nullptr ? *around : world_.everything;
        const std::uint64_t all = world_.scene->object_count();
        if (Status status = begin(view); !status) return status;
        baked_.distant = all - baked_.visible;
        baked_.hidden = 0;
        baked_.occluder_count = baked_.rounds = 0;
        Viewpoint viewpoint;
        const std::span<const double> eyes(&cell.corner[0][0], std::size_t{3} * cell.corners);
        if (Status status = prepare_viewpoint_from_eyes(eyes, options_.near_reach, viewpoint); !status) return status;
        for (std::uint64_t before = baked_.visible; before > 0; before = baked_.visible) {
            if (Status status = choose(view, viewpoint); !status) return status;
            if (chosen_ == 0) break;
            if (Status status = hide(); !status) return status;
            if (static_cast<double>(before - baked_.visible) < least_gain * static_cast<double>(before)) break;
        }
        baked_.hidden = all - baked_.distant - baked_.visible;
        return {};
    }

    [[nodiscard]] std::span<const std::uint64_t> set() const { return memory_.objects; }

private:
    Status cull(const Scene& scene, const View& view, SceneOutput& output) {
        return scene.cull({&view, 1}, {&output, 1}, memory_.cull, {.isa = options_.isa});
    }

    Status begin(const View& view) {
        SceneOutput objects;
        objects.visible = memory_.objects;
        if (Status status = cull(*world_.scene, view, objects); !status) return status;
        baked_.visible = objects.visible_count;
        return cull_solids(view, {});
    }

    /// What of the solids that were open `view` and `occluders` leave.
    Status cull_solids(const View& view, std::span<const Occluder> occluders) {
        SceneOutput solids;
        solids.visible = memory_.other_solids;
        solids.occluders = occluders;
        if (!occluders.empty()) solids.candidates = memory_.solids;
        if (Status status = cull(world_.ordered, view, solids); !status) return status;
        std::swap(memory_.solids, memory_.other_solids);
        std::fill(memory_.open.begin(), memory_.open.end(), 0);
        for (std::size_t w = 0; w < memory_.solids.size(); ++w) {
            for (std::uint64_t rest = memory_.solids[w]; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                const std::uint32_t solid = world_.solid_of_slot[64 * w + bit];
                memory_.open[solid / 64] |= std::uint64_t{1} << solid % 64;
            }
        }
        return {};
    }

    Status choose(const View& view, const Viewpoint& viewpoint) {
        const std::size_t left = options_.most_occluders - std::min(options_.most_occluders, baked_.occluder_count);
        chosen_ = 0;
        if (left == 0 || world_.solids() == 0) return {};
        const std::size_t most = std::min(most_at_once, left);
        ChooseOptions how;
        how.raster = options_.raster;
        how.candidates = memory_.open;
        return choose_occluders(world_.set(), view, viewpoint, std::span(occluders_).first(most),
                                std::span(indices_).first(most), memory_.choose, chosen_, how);
    }

    Status hide() {
        const std::span<const Occluder> occluders(occluders_.data(), chosen_);
        for (const std::uint32_t solid : std::span(indices_).first(chosen_)) {
            const std::size_t n = baked_.occluder_count++;
            if (n < baked_.occluders.size()) baked_.occluders[n] = solid;
            const std::uint32_t slot = world_.slot_of_solid[solid];  // it is not chosen again
            memory_.solids[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
        }
        ++baked_.rounds;
        SceneOutput objects;
        objects.visible = memory_.other_objects;
        objects.candidates = memory_.objects;
        objects.occluders = occluders;
        if (Status status = cull(*world_.scene, world_.everything, objects); !status) return status;
        std::swap(memory_.objects, memory_.other_objects);
        baked_.visible = objects.visible_count;
        return cull_solids(world_.everything, occluders);
    }

    const BakeScene::Contents& world_;
    const BakeOptions& options_;
    BakeMemory memory_;
    BakedCell& baked_;
    std::array<Occluder, most_at_once> occluders_;
    std::array<std::uint32_t, most_at_once> indices_{};
    std::uint32_t chosen_ = 0;
};

Status check_solids(const SolidSet& solids) {
    const std::size_t count = solids.boxes.size() + solids.oriented_boxes.size();
    if (count > std::numeric_limits<std::uint32_t>::max()) return Status::failure("solids: more than 2^32 - 1");
    if (!solids.drawn.empty() && solids.drawn.size() != count) {
        return Status::failure("solids.drawn: %zu boxes are not one for each of %zu solids", solids.drawn.size(),
                               count);
    }
    return {};
}

template <class T>
bool copy(std::span<const T> from, Array<T>& to) {
    if (!to.resize_unset(from.size())) return false;
    std::copy(from.begin(), from.end(), to.begin());
    return true;
}

/// A box around a solid, to order it by. Its rounding decides at most whether a solid is looked at.
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
Status order(BakeScene::Contents& world, const Runner& runner) {
    const std::size_t count = world.solids();
    Array<float> streams;
    Array<Handle> handles;
    const Status no_memory = Status::failure(StatusCode::out_of_memory, "solids: there is not enough memory");
    if (!streams.resize_unset(6 * std::uint64_t{count}) || !handles.resize_unset(count)) return no_memory;
    float* stream[6];
    for (std::size_t k = 0; k < 6; ++k) stream[k] = streams.data() + k * count;
    for (std::size_t i = 0; i < count; ++i) {
        const SolidBox box =
            i < world.boxes.size() ? world.boxes[i] : around(world.oriented_boxes[i - world.boxes.size()]);
        for (std::size_t k = 0; k < 3; ++k) stream[k][i] = box.min[k], stream[3 + k][i] = box.max[k];
    }
    const Batch batch =
        Boxes{stream[0], stream[1], stream[2], stream[3], stream[4], stream[5], static_cast<std::uint32_t>(count)};
    if (Status status = world.ordered.add({&batch, 1}, {handles.data(), count}, {}, runner); !status) return status;
    world.ordered.refit(Fit::tight, runner);
    if (!world.solid_of_slot.resize(world.ordered.slot_count()) || !world.slot_of_solid.resize(count)) {
        return no_memory;
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
    if (Status status = prepare_view_from_planes({&plane, 1}, view); !status) return status;
    PreparedView everything = view.contents();
    std::fill_n(everything.normal[0], 3, 0.0F);
    std::fill_n(everything.exact_normal[0], 3, 0.0);
    std::fill_n(everything.view_normal[0], 3, 0.0F);
    everything.offset[0] = everything.view_offset[0] = everything.inner_offset[0] = 1;
    ViewAccess::set(view, everything);
    return {};
}

}  // namespace

BakeScene::BakeScene(BakeScene&& other) noexcept : contents_(std::exchange(other.contents_, nullptr)) {}

BakeScene& BakeScene::operator=(BakeScene&& other) noexcept {
    std::swap(contents_, other.contents_);
    return *this;
}

BakeScene::~BakeScene() { delete contents_; }

Status BakeScene::prepare(const Scene& scene, const SolidSet& solids, const Runner& runner) noexcept {
    const FloatModes modes;
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    if (scene.stale()) return Status::failure("scene: has been edited since the last refit()");
    if (Status status = check_solids(solids); !status) return status;
    BakeScene prepared;
    prepared.contents_ = new (std::nothrow) Contents;
    Contents* const world = prepared.contents_;
    if (world == nullptr || !copy(solids.boxes, world->boxes) || !copy(solids.oriented_boxes, world->oriented_boxes) ||
        !copy(solids.drawn, world->drawn)) {
        return Status::failure(StatusCode::out_of_memory, "solids: there is not enough memory");
    }
    world->scene = &scene;
    if (Status status = order(*world, runner); !status) return status;
    if (Status status = see_everything(world->everything); !status) return status;
    std::swap(contents_, prepared.contents_);
    return {};
}

std::size_t BakeScene::visibility_words() const noexcept {
    return contents_ != nullptr ? contents_->scene->visibility_words() : 0;
}

std::size_t BakeScene::scratch_bytes() const noexcept {
    return contents_ != nullptr ? BakeMemory::bytes(*contents_) : 0;
}

Status check_lengths(const BakeOptions& options) noexcept {
    if (!(options.near_reach >= 0 && options.near_reach <= largest_coordinate)) {
        return Status::failure("options.near_reach: %g is not a length from 0 to 1e30", options.near_reach);
    }
    if (!(options.distance >= 0 && (options.distance <= largest_coordinate || std::isinf(options.distance)))) {
        return Status::failure("options.distance: %g is neither a length from 0 to 1e30 nor infinite",
                               options.distance);
    }
    if (!is_valid(options.raster)) return Status::failure("options.raster: a margin is not from 0 to 1e30");
    return {};
}

Status bake_cell(const BakeScene& world, const ConvexCell& cell, const BakeOptions& options,
                 std::span<std::byte> scratch, std::span<std::uint64_t> visible, BakedCell& baked) noexcept {
    const FloatModes modes;
    const BakeScene::Contents* const contents = BakeAccess::contents(world);
    if (contents == nullptr) return Status::failure(StatusCode::not_ready, "world: was not prepared");
    if (Status status = check_cell(cell); !status) return status;
    if (Status status = check_lengths(options); !status) return status;
    if (visible.size() != world.visibility_words()) {
        return Status::failure("visible: must be %zu words, not %zu", world.visibility_words(), visible.size());
    }
    if (scratch.size() < world.scratch_bytes()) {
        return Status::failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(),
                               world.scratch_bytes());
    }
    View around;
    if (std::isfinite(options.distance)) {
        if (Status status = view_around(cell, options.distance, around); !status) return status;
    }
    BakedCell result = baked;
    Bake bake(*contents, options, BakeMemory(*contents, scratch.first(world.scratch_bytes())), result);
    if (Status status = bake.run(cell, around.prepared() ? &around : nullptr); !status) return status;
    std::copy(bake.set().begin(), bake.set().end(), visible.begin());
    baked = result;
    return {};
}

}  // namespace lanecull
