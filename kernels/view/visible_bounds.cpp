/// A box around the visible objects: parts of the words, the kernels of their batches' kinds, and the box around what
/// the parts found.

#include <lanecull/cull.hpp>
#include <lanecull/shadow.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "calls/kernel_table.hpp"

namespace lanecull {
namespace {

constexpr std::size_t least_words = 128;  // of a part
constexpr std::size_t most_parts = 64;

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

/// Parts of the batches' words, one a task, as long as each other.
class Parts {
public:
    Parts(const KernelTable& kernels, std::span<const Batch> batches, std::span<const std::uint64_t> visible)
        : kernels_(kernels), batches_(batches), visible_(visible) {
        count_ = std::clamp<std::size_t>(visible.size() / least_words, 1, most_parts);
    }

    WorldBox run(const Runner& runner) {
        runner.run(runner.self, static_cast<std::uint32_t>(count_),
                   {[](void* self, std::uint32_t part) { static_cast<Parts*>(self)->run_part(part); }, this});
        Growing all;
        for (std::size_t part = 0; part < count_; ++part) all.add(found_[part]);
        return all.bounds();
    }

private:
    void run_part(std::size_t part) {
        const FloatModes modes;
        const std::size_t begin = visible_.size() * part / count_, end = visible_.size() * (part + 1) / count_;
        Growing found;
        std::size_t batch_begin = 0;
        for (const Batch& batch : batches_) {
            const std::size_t batch_end = batch_begin + (std::size_t{batch.count()} + 63) / 64;
            const std::size_t from = std::max(begin, batch_begin), to = std::min(end, batch_end);
            if (from < to) found.add(extent_of(batch, from - batch_begin, to - batch_begin, visible_.data() + from));
            batch_begin = batch_end;
        }
        found_[part] = found.bounds();
    }

    /// Of the objects whose words are `first` to `last` - 1 of the batch's.
    [[nodiscard]] WorldExtent extent_of(const Batch& batch, std::size_t first, std::size_t last,
                                        const std::uint64_t* words) const {
        const std::size_t begin = 64 * first, end = std::min(64 * last, std::size_t{batch.count()});
        const void* shapes = std::visit([](const auto& s) -> const void* { return &s; }, batch.shapes);
        WorldExtent extent;
        kernels_.visible_extent[batch.shapes.index()](
            {shapes, &batch.attributes, words, static_cast<std::uint32_t>(begin),
             static_cast<std::uint32_t>(end - begin)},
            extent);
        return extent;
    }

    const KernelTable& kernels_;
    std::span<const Batch> batches_;
    std::span<const std::uint64_t> visible_;
    std::size_t count_;
    WorldBox found_[most_parts];
};

}  // namespace

Status visible_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible, WorldBox& bounds,
                      const WorldBoundsOptions& options) noexcept {
    const FloatModes modes;
    if (Status status = check_batches(batches); !status) return status;
    const std::size_t words = visibility_words(batches);
    if (visible.size() != words) {
        return Status::failure("visible: must have %zu words (visibility_words()), not %zu", words, visible.size());
    }
    if (options.runner.run == nullptr) return Status::failure("options.runner.run: must not be null");
    const KernelTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    bounds = Parts(*kernels, batches, visible).run(options.runner);
    return {};
}

}  // namespace lanecull
