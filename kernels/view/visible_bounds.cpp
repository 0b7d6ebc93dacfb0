/// Boxes around the visible objects, around all of them or slice by slice: parts of the words, the kernels, and the box
/// around what the parts found.

#include <lanecull/cull.hpp>
#include <lanecull/shadow.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "calls/kernel_table.hpp"
#include "view/frame.hpp"
#include "view/planes.hpp"

namespace lanecull {
namespace {

constexpr std::size_t least_words = 128;  // of a part
constexpr std::size_t max_parts = 64;
static_assert(max_slices == ParallelSlabs::capacity);

class Growing {
public:
    void add(const WorldExtent& extent) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = static_cast<double>(extent.low[k]), high = static_cast<double>(extent.high[k]);
            bounds_.lower[k] = std::min(bounds_.lower[k], extent.is_endless ? -HUGE_VAL : low);
            bounds_.upper[k] = std::max(bounds_.upper[k], extent.is_endless ? HUGE_VAL : high);
        }
    }
    void add(const WorldBox& other) {
        for (std::size_t k = 0; k < 3; ++k) {
            bounds_.lower[k] = std::min(bounds_.lower[k], other.lower[k]);
            bounds_.upper[k] = std::max(bounds_.upper[k], other.upper[k]);
        }
    }
    [[nodiscard]] const WorldBox& bounds() const { return bounds_; }

private:
    WorldBox bounds_ = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
};

/// Parts of the batches' words, one a task, as long as each other. Each finds the box around its objects, or one for
/// each slab.
class Parts {
public:
    Parts(const KernelTable& kernels, std::span<const Batch> batches, std::span<const std::uint64_t> visible,
          const ParallelSlabs* slabs)
        : kernels_(kernels), batches_(batches), visible_(visible), slabs_(slabs) {
        count_ = std::clamp<std::size_t>(visible.size() / least_words, 1, max_parts);
    }

    void run(const Runner& runner, std::span<WorldBox> bounds) {
        runner.run(runner.self, static_cast<std::uint32_t>(count_),
                   {[](void* self, std::uint32_t part) { static_cast<Parts*>(self)->run_part(part); }, this,
                    "visible bounds"});
        for (std::size_t k = 0; k < bounds.size(); ++k) {
            Growing all;
            for (std::size_t part = 0; part < count_; ++part) all.add(found_[part][k]);
            bounds[k] = all.bounds();
        }
    }

private:
    [[nodiscard]] std::size_t boxes() const { return slabs_ == nullptr ? 1 : slabs_->count; }

    void run_part(std::size_t part) {
        const FloatModes modes;
        const std::size_t begin = visible_.size() * part / count_, end = visible_.size() * (part + 1) / count_;
        Growing found[ParallelSlabs::capacity];
        std::size_t batch_begin = 0;
        for (const Batch& batch : batches_) {
            const std::size_t batch_end = batch_begin + (std::size_t{batch.count()} + 63) / 64;
            const std::size_t from = std::max(begin, batch_begin), to = std::min(end, batch_end);
            if (from < to) add(batch, from - batch_begin, to - batch_begin, visible_.data() + from, found);
            batch_begin = batch_end;
        }
        for (std::size_t k = 0; k < boxes(); ++k) found_[part][k] = found[k].bounds();
    }

    /// Of the objects whose words are `first` to `last` - 1 of the batch's.
    void add(const Batch& batch, std::size_t first, std::size_t last, const std::uint64_t* words,
             Growing (&found)[ParallelSlabs::capacity]) const {
        const std::size_t begin = 64 * first, end = std::min(64 * last, std::size_t{batch.count()});
        WorldExtent extents[ParallelSlabs::capacity];
        kernels_.visible_extents({batch.shapes.index(), batch.shapes.address(), &batch.attributes, words,
                                  static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), slabs_},
                                 extents);
        for (std::size_t k = 0; k < boxes(); ++k) found[k].add(extents[k]);
    }

    const KernelTable& kernels_;
    std::span<const Batch> batches_;
    std::span<const std::uint64_t> visible_;
    const ParallelSlabs* slabs_;
    std::size_t count_;
    WorldBox found_[max_parts][ParallelSlabs::capacity];
};

Status find_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible, const ParallelSlabs* slabs,
                   std::span<WorldBox> bounds, const WorldBoundsOptions& options) {
    if (Status status = check_batches(batches); !status) return status;
    const std::size_t words = visibility_words(batches);
    if (visible.size() != words) {
        return Status::failure("visible: must have %zu words (visibility_words()), not %zu", words, visible.size());
    }
    if (options.runner.run == nullptr) return Status::failure("options.runner.run: must not be null");
    const KernelTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    Parts(*kernels, batches, visible, slabs).run(options.runner, bounds);
    return {};
}

/// The offset of plane k, one of those that have the normal or its opposite; none where it limits nothing.
float offset_of(const Affine& f, const NormalsInView& seen, float sign, ParallelSlabs& slabs) {
    PreparedView view;
    view.frame = slabs.frame;
    if (!add_plane(f, seen, view) || view.plane_count == 0) return HUGE_VALF;
    for (std::size_t j = 0; j < 3; ++j) {
        const float component = sign * view.normal[0][j];
        if (slabs.count == 0) slabs.normal[j] = component;
        if (slabs.normal[j] != component) return HUGE_VALF;  // scaled to another length
    }
    return view.offset[0];
}

/// The same without the name of the struct that the message begins with.
Status of_matrix(const Status& status) {
    constexpr std::size_t size = sizeof "slice." - 1;
    if (std::strncmp(status.message(), "slice.", size) != 0) return status;
    return Status::failure(status.code(), "%s", status.message() + size);
}

/// The slabs between the planes that slice_planes() gives, about the middle of the first slice's near side.
Status find_slabs(Slice slice, std::span<const double> depths, ParallelSlabs& slabs) {
    const std::size_t count = depths.size() - 1;
    slabs = {};
    Affine f[2 * ParallelSlabs::capacity];
    Double3 near{};
    for (std::size_t k = 0; k < count; ++k) {
        slice.near_depth = depths[k], slice.far_depth = depths[k + 1];
        Plane planes[2];
        if (Status status = slice_planes(slice, planes); !status) return of_matrix(status);
        for (std::size_t i = 0; i < 2; ++i) {
            if (Status status = read_plane(planes[i], "clip_from_world: its depth", i, f[2 * k + i]); !status) {
                return status;
            }
        }
        double corners[24];
        if (k > 0) continue;
        if (Status status = slice_corners(slice, corners); !status) return of_matrix(status);
        for (std::size_t i = 0; i < 4; ++i) {
            near = near + Double3{corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]} * 0.25;
        }
    }
    const Interval3 c = choose_origin(near, slabs.frame);
    const NormalsInView seen(Interval3x3{{exactly({1, 0, 0}), exactly({0, 1, 0}), exactly({0, 0, 1})}});
    for (std::size_t k = 0; k < count; ++k) {
        slabs.from[k] = offset_of(f[2 * k].about(c), seen, 1, slabs);
        slabs.to[k] = offset_of(f[2 * k + 1].about(c), seen, -1, slabs);
        ++slabs.count;
    }
    return {};
}

}  // namespace

Status visible_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible, WorldBox& bounds,
                      const WorldBoundsOptions& options) noexcept {
    const FloatModes modes;
    return find_bounds(batches, visible, nullptr, {&bounds, 1}, options);
}

Status slice_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible,
                    std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                    std::span<const double> depths, std::span<WorldBox> bounds,
                    const WorldBoundsOptions& options) noexcept {
    const FloatModes modes;
    if (depths.size() != bounds.size() + 1) {
        return Status::failure("depths: must have one more than bounds, %zu, not %zu", bounds.size() + 1,
                               depths.size());
    }
    if (bounds.empty() || bounds.size() > max_slices) {
        return Status::failure("bounds: must be 1 to %zu, not %zu", max_slices, bounds.size());
    }
    for (std::size_t k = 0; k < bounds.size(); ++k) {
        if (!(depths[k] < depths[k + 1]) || !std::isfinite(depths[k]) || !std::isfinite(depths[k + 1])) {
            return Status::failure("depths[%zu]: not finite, or not below the next", k);
        }
    }
    ParallelSlabs slabs;
    if (Status status = find_slabs({clip_from_world, clip_space}, depths, slabs); !status) return status;
    return find_bounds(batches, visible, &slabs, bounds, options);
}

}  // namespace lanecull
